"""The exact solution of m,n,k games, from which `perfect` knows the worth of every move."""
