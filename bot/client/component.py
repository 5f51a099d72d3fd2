"""Components in use: a clicked button, a select menu, or a submitted modal."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import discord

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import ack, ack_later, report_error, tell_ended_orders
from bot.client.entry.rights import require
from bot.table.rate_limits import Kind
from bot.table.rights import Right

NUMBERS: Final = frozenset({"game", "seq", "page", "number"})
"""Parts of an id that are numbers."""


class Component(ABC):
    """A used component. It always answers: any error becomes a private sentence."""

    # What ids carry, each class its part of it.
    game: int = 0
    """0 where an id carries none."""
    seq: int
    key: str
    page: int
    number: int
    picked: str
    choice: str
    what: str
    template: ClassVar[str]
    """The ids of such components; a part with a name is an attribute."""
    right: ClassVar[Right]
    cost: ClassVar[Kind] = Kind.MOVE

    def __init__(self, carried: re.Match[str], data: Mapping[str, Any]) -> None:
        """The component with these values in its id, and Discord's data of its use."""
        self._data = data
        for name, text in carried.groupdict().items():
            setattr(self, name, int(text) if name in NUMBERS else text)

    @property
    def values(self) -> Sequence[str]:
        """The chosen values of a select menu."""
        return tuple(self._data["values"])

    @property
    def fields(self) -> Mapping[str, str]:
        """The values of a modal's fields, by field name."""
        return dict(_fields(self._data))

    @property
    def needs(self) -> Right:
        """The right that the user needs."""
        return self.right

    async def used(self, interaction: discord.Interaction[Any]) -> None:
        """Do the component's action, if rate limits and rights allow it."""
        ack_later(interaction)
        try:
            if await interaction.client.admission.admits(interaction, self.cost):
                await self._enter(interaction)
        except Exception as error:  # noqa: BLE001 - discord.py would swallow it, and the user would hear nothing
            await report_error(interaction, error)
        finally:
            await ack(interaction)

    async def _enter(self, interaction: discord.Interaction[Any]) -> None:
        """Check the right, act, and tell the user about ended orders."""
        await require(interaction, self.needs, self.game)
        if self.game:
            interaction.client.note_activity(self.game, interaction.user.id)
        await self.act(interaction)
        if self.game:
            await tell_ended_orders(interaction, self.game)

    @abstractmethod
    async def act(self, interaction: BotInteraction) -> None:
        """Handle the interaction."""


def _fields(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in data["components"]:
        field = part.get("component")
        if field is not None:
            yield field["custom_id"], str(field["value"]) if "value" in field else "".join(field["values"])
