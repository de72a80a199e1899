"""The engine in a terminal: one module for each word that follows `python -m engine`."""
