"""How each game looks in a channel, one presenter a game."""
