"""A strict Discord, on top of the sandbox's model: it refuses what Discord refuses."""
