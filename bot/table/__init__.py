"""One table's life as values; no clock, no store, no Discord."""
