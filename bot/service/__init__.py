"""The use cases; all that they need from outside is declared in `ports`."""
