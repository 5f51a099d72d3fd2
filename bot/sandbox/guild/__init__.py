"""The state of the sandbox: servers, users, channels, messages, commands, interactions."""
