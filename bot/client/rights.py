"""Who may do what beside playing a seat, by the permissions that Discord gives people."""

from dataclasses import dataclass
from typing import Final

import discord

from bot.table.errors import NotYours


@dataclass(frozen=True, slots=True)
class Right:
    """Something that needs a permission of Discord's, in the channel where it is asked for."""

    to: str
    """What it is, in words: it is needed *to* do this."""
    permission: str
    """The name of the permission as discord.py has it."""
    called: str
    """As Discord's settings call it."""


ACCEPT: Final = Right("let a game go on by changed rules", "manage_threads", "Manage Threads")

MEND: Final = Right("mend or end a damaged game", "manage_threads", "Manage Threads")

REPAIR: Final = Right("repair a game in which you have no seat", "manage_threads", "Manage Threads")

MOVE: Final = Right("move a game to this channel", "manage_threads", "Manage Threads")


def require(interaction: discord.Interaction, right: Right) -> None:
    """Raise NotYours unless the person has the permission here."""
    if not getattr(interaction.permissions, right.permission):
        raise NotYours(f"To {right.to} one needs the permission {right.called} here.")
