"""A table played by real discord.py against the sandbox."""
