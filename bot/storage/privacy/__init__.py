"""What is stored about people and guilds, in SQL: read for them, and removed."""
