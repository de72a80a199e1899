"""The data of people and guilds: read for them, and removed."""
