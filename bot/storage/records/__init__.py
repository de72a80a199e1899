"""The records of finished games, in SQL."""
