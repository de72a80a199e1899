"""Solving m,n,k games exactly: how `perfect` knows what every move of tic-tac-toe is worth."""
