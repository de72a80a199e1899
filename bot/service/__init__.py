"""The use cases; `ports` declares the protocols they need."""
