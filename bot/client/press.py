"""What every press on a button and every choice in a menu has in common: it answers, and is for whoever may."""

import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, Self, TypeVar, cast

import discord

from bot.client.buttons import Button, Menu
from bot.client.desk import Asked
from bot.client.hands import hand_of
from bot.client.holding import hold, release
from bot.client.replies import tell
from bot.client.rights import Right, needed, require

NUMBERS: Final = frozenset({"game", "seq", "page", "number"})
"""Parts of an id that are numbers."""
NEVER: Final = r"(?!)"
"""The id of no component."""
Used = TypeVar("Used", Button, Menu)


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
    """Let whoever has this right act in a game, if it is about one (0: it is not); raises what refuses others."""
    await require(interaction, right, game)
    if game:
        interaction.client.acts(game, interaction.user.id)


class Press(discord.ui.DynamicItem[Used], ABC, Generic[Used], template=NEVER):
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

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The component that was used, with what its id carries."""
        del interaction
        press = cls(cast("Used", item))  # its id says which kind of component it is
        for name, text in match.groupdict().items():
            setattr(press, name, int(text) if name in NUMBERS else text)
        return press

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
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
    async def act(self, interaction: Asked) -> None:
        """What the component is for."""
