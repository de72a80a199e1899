"""The words of Ludo's messages."""
