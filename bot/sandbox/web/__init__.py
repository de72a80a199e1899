"""The doors of the sandbox: REST, gateway, and the endpoints of its web page."""
