"""Presenters: the look of each game in a channel."""
