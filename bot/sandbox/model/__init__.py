"""The world of the sandbox: people, channels, messages, commands, interactions."""
