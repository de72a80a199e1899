"""What messages show, as plain data: a module a screen."""
