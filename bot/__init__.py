"""Parlour: board games in Discord channels."""
