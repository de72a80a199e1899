"""The rules, one module a game."""
