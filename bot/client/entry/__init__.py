"""Checks that every interaction must pass (rights, rate limits), and the bot's private replies to it."""
