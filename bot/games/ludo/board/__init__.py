"""Ludo's board as emoji and as a picture."""
