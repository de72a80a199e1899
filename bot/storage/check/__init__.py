"""Checks of a database: its file, its games, its records."""
