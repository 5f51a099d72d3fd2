"""Command groups shared by several features: `/game` and `/mod`."""

from discord import app_commands

game = app_commands.Group(name="game", description="Open, join and start games.", guild_only=True)
mod = app_commands.Group(name="mod", description="For moderators of games.", guild_only=True)
