"""What there is in the sandbox: people, channels, messages, commands, interactions."""
