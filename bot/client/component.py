"""Components in use: a clicked button, a select menu, or a submitted modal."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import discord

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import ack, ack_later, report_error, tell_ended_orders
from bot.client.entry.rights import require_right
from bot.table.rate_limits import Kind
from bot.table.rights import Right

NUMBER_FIELDS: Final = frozenset({"game", "seq", "page", "number"})
"""Named parts of an id that are numbers."""


class Component(ABC):
    """A used component. It always answers: any error becomes a private sentence."""

    # What ids carry, each class its part of it.
    game: int = 0
    """0 if the id names no game."""
    seq: int
    key: str
    page: int
    number: int
    picked: str
    choice: str
    subject: str
    id_pattern: ClassVar[str]
    """Pattern of this component's ids; each named group becomes an attribute."""
    user_right: ClassVar[Right]
    request_kind: ClassVar[Kind] = Kind.MOVE

    def __init__(self, id_match: re.Match[str], event_data: Mapping[str, Any]) -> None:
        """A used component, from its matched id and Discord's data of the event."""
        self._data = event_data
        for name, text in id_match.groupdict().items():
            setattr(self, name, int(text) if name in NUMBER_FIELDS else text)

    @property
    def values(self) -> Sequence[str]:
        """The chosen values of a select menu."""
        return tuple(self._data["values"])

    @property
    def fields(self) -> Mapping[str, str]:
        """The values of a modal's fields, by field name."""
        return dict(_field_values(self._data))

    @property
    def needed_right(self) -> Right:
        """The right that the user needs."""
        return self.user_right

    async def on_use(self, interaction: discord.Interaction[Any]) -> None:
        """Do the component's action, if rate limits and rights allow it."""
        ack_later(interaction)
        try:
            if await interaction.client.admission.admits(interaction, self.request_kind):
                await self._check_and_act(interaction)
        except Exception as error:  # noqa: BLE001 - discord.py would swallow it, and the user would hear nothing
            await report_error(interaction, error)
        finally:
            await ack(interaction)

    async def _check_and_act(self, interaction: discord.Interaction[Any]) -> None:
        """Check the right, act, and tell the user about ended orders."""
        await require_right(interaction, self.needed_right, self.game or None)
        if self.game:
            interaction.client.note_activity(self.game, interaction.user.id)
        await self.act(interaction)
        if self.game:
            await tell_ended_orders(interaction, self.game)

    @abstractmethod
    async def act(self, interaction: BotInteraction) -> None:
        """Handle the interaction."""


def _field_values(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in data["components"]:
        field = part.get("component")
        if field is not None:
            yield field["custom_id"], str(field["value"]) if "value" in field else "".join(field["values"])
