"""What a message is made of, as plain data."""
