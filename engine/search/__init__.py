"""The computer players: their contract, and an algorithm or a family of them a module."""
