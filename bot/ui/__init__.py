"""Parlour on Discord; the only importer of discord."""
