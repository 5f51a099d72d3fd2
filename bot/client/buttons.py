"""Buttons and menus that survive a restart: each says which game, which position, and what it does."""

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, Self, TypeAlias

import discord

from bot.client.replies import Asked, guarded

LABEL: Final = 80
"""Discord takes this many characters on a button."""
NUMBERS: Final = frozenset({"game", "seq", "page"})
"""Parts of a custom id that are numbers."""
Button: TypeAlias = discord.ui.Button[Any]
Menu: TypeAlias = discord.ui.Select[Any]


class Answering(ABC):
    """A component that always answers: an error of any kind becomes a private sentence."""

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """The component that was used, from what its id carries."""
        del interaction, item
        parts: dict[str, Any] = {
            name: int(text) if name in NUMBERS else text for name, text in match.groupdict().items()
        }
        return cls(**parts)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Do what the component is for."""
        await guarded(interaction, self.act)

    @abstractmethod
    async def act(self, interaction: Asked) -> None:
        """What the component is for."""


class MoveButton(
    Answering, discord.ui.DynamicItem[Button], template=r"g:(?P<game>\d+):(?P<seq>\d+):(?P<key>[0-9a-f]{8})"
):
    """A move of one click."""

    def __init__(
        self,
        game: int,
        seq: int,
        key: str,
        label: str = "Move",
        style: discord.ButtonStyle = discord.ButtonStyle.primary,
    ) -> None:
        super().__init__(_button(f"g:{game}:{seq}:{key}", label, style))
        self.game, self.seq, self.key = game, seq, key

    async def act(self, interaction: Asked) -> None:
        """Make the move, or ask first."""
        await interaction.client.flows.press(interaction, self.game, self.seq, self.key)


class ConfirmButton(
    Answering, discord.ui.DynamicItem[Button], template=r"y:(?P<game>\d+):(?P<seq>\d+):(?P<key>[0-9a-f]{8})"
):
    """The `yes` to a move that cannot be taken back."""

    def __init__(self, game: int, seq: int, key: str, label: str = "Yes") -> None:
        super().__init__(_button(f"y:{game}:{seq}:{key}", label, discord.ButtonStyle.danger))
        self.game, self.seq, self.key = game, seq, key

    async def act(self, interaction: Asked) -> None:
        """Make the move."""
        await interaction.client.flows.confirm(interaction, self.game, self.seq, self.key)


class CancelButton(Answering, discord.ui.DynamicItem[Button], template=r"n:(?P<game>\d+)"):
    """The `no` to a question."""

    def __init__(self, game: int) -> None:
        super().__init__(_button(f"n:{game}", "No", discord.ButtonStyle.secondary))

    async def act(self, interaction: Asked) -> None:
        """Close the question."""
        await interaction.response.edit_message(content="Nothing was done.", view=None)


class UndoButton(Answering, discord.ui.DynamicItem[Button], template=r"u:(?P<game>\d+):(?P<seq>\d+)"):
    """Takes back one's own last move."""

    def __init__(self, game: int, seq: int) -> None:
        super().__init__(_button(f"u:{game}:{seq}", "Undo", discord.ButtonStyle.secondary))
        self.game, self.seq = game, seq

    async def act(self, interaction: Asked) -> None:
        """Take the move back."""
        await interaction.client.flows.undo(interaction, self.game, self.seq)


class MenuButton(
    Answering, discord.ui.DynamicItem[Button], template=r"w:(?P<game>\d+):(?P<seq>\d+):(?P<key>[0-9a-f]{8})"
):
    """Opens the menus of an offer."""

    def __init__(self, game: int, seq: int, key: str, label: str = "More") -> None:
        super().__init__(_button(f"w:{game}:{seq}:{key}", label, discord.ButtonStyle.secondary))
        self.game, self.seq, self.key = game, seq, key

    async def act(self, interaction: Asked) -> None:
        """Ask the first question, privately."""
        await interaction.client.wizard.open(interaction, self.game, self.seq, self.key)


class PageButton(
    Answering,
    discord.ui.DynamicItem[Button],
    template=r"p:(?P<game>\d+):(?P<seq>\d+):(?P<key>[0-9a-f]{8}):(?P<page>\d+):(?P<picked>.*)",
):
    """Turns the page of a menu."""

    def __init__(self, game: int, seq: int, key: str, page: int, picked: str, label: str = "Page") -> None:
        custom_id = f"p:{game}:{seq}:{key}:{page}:{picked}"
        super().__init__(_button(custom_id, label, discord.ButtonStyle.secondary))
        self.game, self.seq, self.key, self.page, self.picked = game, seq, key, page, picked

    async def act(self, interaction: Asked) -> None:
        """Show that page."""
        await interaction.client.wizard.turn(
            interaction, self.game, self.seq, self.key, _split(self.picked), self.page
        )


class PickMenu(
    Answering,
    discord.ui.DynamicItem[Menu],
    template=r"s:(?P<game>\d+):(?P<seq>\d+):(?P<key>[0-9a-f]{8}):(?P<picked>.*)",
):
    """One question of an offer: picking a value leads to the next question, or makes the move."""

    def __init__(
        self,
        game: int,
        seq: int,
        key: str,
        picked: str,
        options: list[discord.SelectOption] | None = None,
        prompt: str | None = None,
    ) -> None:
        menu: Menu = discord.ui.Select(
            custom_id=f"s:{game}:{seq}:{key}:{picked}", placeholder=prompt, options=options or []
        )
        super().__init__(menu)
        self.game, self.seq, self.key, self.picked = game, seq, key, picked

    async def act(self, interaction: Asked) -> None:
        """Go on with the value picked."""
        picks = [*_split(self.picked), self.item.values[0]]
        await interaction.client.wizard.turn(interaction, self.game, self.seq, self.key, picks, 0)


class OfferMenu(Answering, discord.ui.DynamicItem[Menu], template=r"o:(?P<game>\d+):(?P<seq>\d+)"):
    """The first question of `/move`: which of the offers."""

    def __init__(self, game: int, seq: int, options: list[discord.SelectOption] | None = None) -> None:
        menu: Menu = discord.ui.Select(
            custom_id=f"o:{game}:{seq}", placeholder="What do you want to do?", options=options or []
        )
        super().__init__(menu)
        self.game, self.seq = game, seq

    async def act(self, interaction: Asked) -> None:
        """Go on with the offer picked."""
        await interaction.client.wizard.turn(interaction, self.game, self.seq, self.item.values[0], [], 0)


class LobbyButton(
    Answering, discord.ui.DynamicItem[Button], template=r"l:(?P<game>\d+):(?P<wish>join|leave|start)"
):
    """Join, leave or start on a lobby message."""

    WORDS: ClassVar[dict[str, str]] = {"join": "Join", "leave": "Leave", "start": "Start"}

    def __init__(self, game: int, wish: str) -> None:
        style = discord.ButtonStyle.success if wish == "start" else discord.ButtonStyle.secondary
        super().__init__(_button(f"l:{game}:{wish}", self.WORDS[wish], style))
        self.game, self.wish = game, wish

    async def act(self, interaction: Asked) -> None:
        """Do it, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_press(interaction, self.game, self.wish)


class RulesMenu(
    Answering, discord.ui.DynamicItem[Menu], template=r"r:(?P<game>\d+):(?P<what>profile|options)"
):
    """Profile or options on a lobby message."""

    def __init__(self, game: int, what: str, options: list[discord.SelectOption] | None = None) -> None:
        several = what == "options"
        menu: Menu = discord.ui.Select(
            custom_id=f"r:{game}:{what}",
            placeholder="Options: none" if several else "Rules",
            min_values=0 if several else 1,
            max_values=max(1, len(options or [])) if several else 1,
            options=options or [],
        )
        super().__init__(menu)
        self.game, self.what = game, what

    async def act(self, interaction: Asked) -> None:
        """Change what was agreed, and bring the lobby message up to date."""
        await interaction.client.flows.lobby_rules(interaction, self.game, self.what, self.item.values)


COMPONENTS: Final = (
    MoveButton,
    ConfirmButton,
    CancelButton,
    UndoButton,
    MenuButton,
    PageButton,
    PickMenu,
    OfferMenu,
    LobbyButton,
    RulesMenu,
)
"""Every component that may be on a message, old ones included."""


def _button(custom_id: str, label: str, style: discord.ButtonStyle) -> Button:
    return discord.ui.Button(label=label[:LABEL], style=style, custom_id=custom_id)


def _split(picked: str) -> list[str]:
    return picked.split(",") if picked else []
