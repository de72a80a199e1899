"""The tree of a search, as textbooks draw it: grown by the very algorithms that play."""
