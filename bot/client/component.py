"""The base class of components (buttons, select menus and modals): a user's click becomes an action."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

import discord

from bot.client.bot_client import BotInteraction
from bot.client.entry.replies import ack, ack_later, report_error, tell_about_ended_orders
from bot.client.entry.rights import require_right
from bot.table.rate_limits import RequestKind
from bot.table.rights import Right

NUMBER_FIELDS: Final = frozenset({"game", "seq", "page", "number"})
"""Names of the regex groups in component ids whose values are converted to integers."""


class Component(ABC):
    """A button, select menu or modal that a user has just used. The user is told about errors privately."""

    # Parts of ids; each class has some of them.
    game: int = 0
    """The game id from the component's id; 0 if the id names no game."""
    seq: int
    key: str
    page: int
    number: int
    picked: str
    choice: str
    subject: str
    id_pattern: ClassVar[str]
    """Regex for the custom ids of this class; each named group becomes an attribute."""
    user_right: ClassVar[Right]
    request_kind: ClassVar[RequestKind] = RequestKind.MOVE

    def __init__(self, id_match: re.Match[str], interaction_data: Mapping[str, Any]) -> None:
        """Create the component from its matched custom id and Discord's interaction data."""
        self._interaction_data = interaction_data
        for name, text in id_match.groupdict().items():
            setattr(self, name, int(text) if name in NUMBER_FIELDS else text)

    @property
    def values(self) -> Sequence[str]:
        """The options chosen in a select menu."""
        return tuple(self._interaction_data["values"])

    @property
    def fields(self) -> Mapping[str, str]:
        """The values of a modal's fields, by field name."""
        return dict(_field_values(self._interaction_data))

    @property
    def needed_right(self) -> Right:
        """The right that the user needs for this click, such as `play` or `moderate`."""
        return self.user_right

    async def on_use(self, interaction: discord.Interaction[Any]) -> None:
        """Handle the click: check rate limits and rights, then call `act`. The user is told about errors."""
        ack_later(interaction)
        try:
            if await interaction.client.admission.admits(interaction, self.request_kind):
                await self._check_and_act(interaction)
        except Exception as error:  # noqa: BLE001 - discord.py would only log it, and the user would get no reply
            await report_error(interaction, error)
        finally:
            await ack(interaction)

    async def _check_and_act(self, interaction: discord.Interaction[Any]) -> None:
        """Check the user's right, call `act`, and tell the user which of their standing orders have ended."""
        await require_right(interaction, self.needed_right, self.game or None)
        if self.game:
            interaction.client.record_activity(self.game, interaction.user.id)
        await self.act(interaction)
        if self.game:
            await tell_about_ended_orders(interaction, self.game)

    @abstractmethod
    async def act(self, interaction: BotInteraction) -> None:
        """Carry out the click; implemented by each class of components."""


def _field_values(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for label in data["components"]:
        field = label.get("component")
        if field is not None:
            yield field["custom_id"], str(field["value"]) if "value" in field else "".join(field["values"])
