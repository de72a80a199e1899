"""The records of finished games."""
