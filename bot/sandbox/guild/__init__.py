"""The sandbox's state: servers, users, channels, messages, commands and interactions."""
