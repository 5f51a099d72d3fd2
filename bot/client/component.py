"""Components: buttons, select menus and modals, from the user's click to the action."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import discord

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import ack, ack_later, report_error, tell_ended_orders
from bot.client.entry.rights import require_right
from bot.table.rate_limits import RequestKind
from bot.table.rights import Right

NUMBER_FIELDS: Final = frozenset({"game", "seq", "page", "number"})
"""Named groups in ids that are numbers."""


class Component(ABC):
    """A used component. Any error is told to the user in a private reply."""

    # Parts of ids; each class has some of them.
    game: int = 0
    """The game id; 0 if the id has none."""
    seq: int
    key: str
    page: int
    number: int
    picked: str
    choice: str
    subject: str
    id_pattern: ClassVar[str]
    """The pattern of this class's ids; each named group becomes an attribute."""
    user_right: ClassVar[Right]
    request_kind: ClassVar[RequestKind] = RequestKind.MOVE

    def __init__(self, id_match: re.Match[str], event_data: Mapping[str, Any]) -> None:
        """The component with a matched id, and Discord's data of the interaction."""
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
        """The right that this use of the component needs."""
        return self.user_right

    async def on_use(self, interaction: discord.Interaction[Any]) -> None:
        """Act, if rate limits and rights allow it."""
        ack_later(interaction)
        try:
            if await interaction.client.admission.admits(interaction, self.request_kind):
                await self._check_and_act(interaction)
        except Exception as error:  # noqa: BLE001 - discord.py would only log it, and the user would get no reply
            await report_error(interaction, error)
        finally:
            await ack(interaction)

    async def _check_and_act(self, interaction: discord.Interaction[Any]) -> None:
        """Check the right, act, and tell the user about their ended orders."""
        await require_right(interaction, self.needed_right, self.game or None)
        if self.game:
            interaction.client.note_activity(self.game, interaction.user.id)
        await self.act(interaction)
        if self.game:
            await tell_ended_orders(interaction, self.game)

    @abstractmethod
    async def act(self, interaction: BotInteraction) -> None:
        """Do the action of this component."""


def _field_values(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in data["components"]:
        field = part.get("component")
        if field is not None:
            yield field["custom_id"], str(field["value"]) if "value" in field else "".join(field["values"])
