"""How each game is drawn and typed in a terminal; a game without a module of its own is plain."""
