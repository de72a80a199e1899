"""Whether a database is sound: its file, its games, its records."""
