"""The computer players, one algorithm a module."""
