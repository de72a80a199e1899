"""The parts of messages, as plain data."""
