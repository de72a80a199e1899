"""The training of Ludo's trained evaluation, which learns by playing itself."""
