"""How long what people type may be; Discord keeps to it before a command reaches us."""

from typing import TypeAlias

from discord import app_commands

from bot.table.moves.verbs import LARGEST_NUMBER, LONGEST_DETAILS, LONGEST_NAME

Name: TypeAlias = app_commands.Range[str, 1, LONGEST_NAME]
"""A hex, tile, company, train, private, title, profile or topic, or a player's name."""
Listed: TypeAlias = app_commands.Range[str, 1, 300]
"""Several names."""
Details: TypeAlias = app_commands.Range[str, 1, LONGEST_DETAILS]
"""The values of a move in order, with routes perhaps."""
Number: TypeAlias = app_commands.Range[int, 0, LARGEST_NUMBER]
"""Dollars, shares, steps or a move."""
GameNumber: TypeAlias = app_commands.Range[int, 1, 1_000_000_000]
"""The number of a game."""
