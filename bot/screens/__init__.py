"""Messages as plain data: a module a screen."""
