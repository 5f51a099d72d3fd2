"""Discord's refusals of messages, components and commands."""
