"""Tournaments as values: entries, pairings, rounds, standings; no clock, no store, no Discord."""
