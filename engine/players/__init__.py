"""Which agents play which game, by the names that people type."""
