"""What every press on a button and every choice in a menu has in common: it answers, and checks the right."""

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

import discord

from bot.client.bot_client import BotInteraction
from bot.client.entry.acknowledging import hold, release
from bot.client.entry.replies import tell
from bot.client.entry.rights import Right, needed, require
from bot.client.moves.acting_as import hand_of

NUMBERS: Final = frozenset({"game", "seq", "page", "number"})
"""Parts of an id that are numbers."""


async def answered(interaction: discord.Interaction[Any], deed: Callable[[], Awaitable[None]]) -> None:
    """Do what a component or a form is for, unless there is too much to do; any problem becomes a private sentence."""
    hold(interaction)
    try:
        if await interaction.client.gate.admits(interaction):
            await deed()
    except Exception as error:  # noqa: BLE001 - discord.py would swallow it, and the person would hear nothing
        await tell(interaction, error)
    finally:
        await release(interaction)


async def enter(interaction: discord.Interaction[Any], right: Right, game: int) -> None:
    """Let a user with this right act in a game, if it is about one (0: it is not); raises what refuses others."""
    await require(interaction, right, game)
    if game:
        interaction.client.acts(game, interaction.user.id)


class Press(ABC):
    """A component that was used. It always answers: an error of any kind becomes a private sentence."""

    # What ids carry, each kind its part of it.
    game: int
    seq: int
    key: str
    page: int
    number: int
    picked: str
    wish: str
    what: str
    TEMPLATE: ClassVar[re.Pattern[str]]
    """The ids of such components."""

    def __init_subclass__(cls, *, template: str) -> None:
        """Every kind has ids of its own."""
        super().__init_subclass__()
        cls.TEMPLATE = re.compile(template)

    def __init__(self, carried: re.Match[str], values: Sequence[str] = ()) -> None:
        """The component with this id; `values` are what was picked in it, if it is a menu."""
        self.values = values
        for name, text in carried.groupdict().items():
            setattr(self, name, int(text) if name in NUMBERS else text)

    async def used(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the component is for, if the person may."""
        await answered(interaction, lambda: self._done(interaction))

    async def _done(self, interaction: discord.Interaction[Any]) -> None:
        await enter(interaction, needed(type(self).__name__, self.hand), self.game)
        await self.act(interaction)
        if self.game:
            await interaction.client.orders.tell_ended(interaction, self.game)

    @property
    def hand(self) -> str:
        """In whose name it is used."""
        return hand_of(getattr(self, "key", ""))

    @abstractmethod
    async def act(self, interaction: BotInteraction) -> None:
        """What the component is for."""


def press_of(kinds: Iterable[type[Press]], data: Mapping[str, Any]) -> Press | None:
    """What was used, as Discord tells of it; None where it is nobody's.

    discord.py would first make the whole message again, with all its buttons.
    """
    custom_id = data.get("custom_id", "")
    found = ((kind, kind.TEMPLATE.fullmatch(custom_id)) for kind in kinds)
    return next((kind(match, data.get("values", ())) for kind, match in found if match is not None), None)
