"""A stand-in for Discord on this machine, with a web page to play in."""
