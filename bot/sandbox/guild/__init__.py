"""The guild that the sandbox keeps: people, channels, messages, commands, interactions."""
