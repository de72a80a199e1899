"""What a position of Ludo is worth before the end: evaluations, and what they are learned from."""
