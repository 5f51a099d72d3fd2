"""The way of an interaction to its command or component: what it costs, whose it is, and who is seen in which game."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.client import app
from bot.client.app import Stationmaster, Tree, component_of
from bot.client.entry.rights import needs
from bot.table.errors import NotYours
from bot.table.rate_limits import Kind, RateLimiter
from tests.bot.support.asked import Asked
from tests.bot.support.table_service import ANN, TableService

HERE = 5
"""The game of the thread."""


class Way:
    """A bot that notes who comes in, and lets them in or not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.noted: list[str] = []
        self.admits, self.refuses = True, False
        self.game: int | None = HERE
        tree: Any = object.__new__(Tree)
        self.tree: Tree = tree
        monkeypatch.setattr(app, "require", self._require)
        monkeypatch.setattr(app, "report_error", self._report)

    async def _require(self, _: object, right: str, game: int | None) -> None:
        if self.refuses:
            raise NotYours("It is not yours.")
        self.noted.append(f"{right} in {game}")

    async def _report(self, _: object, error: Exception) -> None:
        self.noted.append(f"said: {error}")

    async def _admits(self, _: object, kind: Kind) -> bool:
        self.noted.append(f"costs {kind.name}")
        return self.admits

    async def enters(
        self, command: Any, kind: discord.InteractionType | None = None, **typed: object
    ) -> tuple[bool, list[str]]:
        """Whether somebody may continue, and what was noted."""
        self.noted.clear()
        asked: Any = Asked(ANN, "Ann", kind or discord.InteractionType.application_command)
        asked.command, asked.namespace = command, SimpleNamespace(**typed)
        asked.client = SimpleNamespace(
            admission=SimpleNamespace(admits=self._admits),
            tables=SimpleNamespace(game_in=lambda _: self.game),
            acts=lambda game, user: self.noted.append(f"{user} seen in {game}"),
        )
        return await self.tree.interaction_check(asked), [*self.noted]


@pytest.fixture
def way(monkeypatch: pytest.MonkeyPatch) -> Way:
    return Way(monkeypatch)


def command(*required: Any) -> Any:
    """A command with these requirements."""

    async def body(interaction: discord.Interaction) -> None:
        del interaction

    return app_commands.Command(name="x", description="x", callback=body, extras=needs(*required))


async def test_a_completion_costs_little_and_needs_no_right(way: Way) -> None:
    found = await way.enters(command("play"), discord.InteractionType.autocomplete)
    assert found == (True, ["costs COMPLETION"])
    way.admits = False
    assert not (await way.enters(command("play"), discord.InteractionType.autocomplete))[0]


async def test_what_is_no_command_any_more_costs_a_question(way: Way) -> None:
    assert await way.enters(None) == (True, ["costs QUESTION"])


async def test_who_plays_in_a_game_is_seen_there_and_who_looks_is_not(way: Way) -> None:
    seen = f"{ANN} seen in {HERE}"
    assert await way.enters(command("play")) == (True, ["costs MOVE", f"play in {HERE}", seen])
    looks = await way.enters(command("look", Kind.PICTURE))
    assert looks == (True, ["costs PICTURE", f"look in {HERE}"])


async def test_who_has_asked_too_much_is_asked_for_no_right(way: Way) -> None:
    way.admits = False
    assert await way.enters(command("play")) == (False, ["costs MOVE"])


async def test_who_lacks_the_right_hears_so_and_is_seen_nowhere(way: Way) -> None:
    way.refuses = True
    assert await way.enters(command("play")) == (False, ["costs MOVE", "said: It is not yours."])


async def test_a_right_is_asked_for_in_the_game_that_is_named_else_in_that_of_the_thread(way: Way) -> None:
    numbered = command("look", Kind.MOVE, "number")
    assert (await way.enters(numbered, number=7))[1][1] == "look in 7"
    assert await way.enters(numbered, number=None) == (True, ["costs MOVE"]), "the command says what to do"
    way.game = None
    assert await way.enters(command("play")) == (True, ["costs MOVE"])
    assert await way.enters(command("manage")) == (True, ["costs MOVE", "manage in None"])


async def test_components_and_forms_are_used_and_what_is_nobodys_is_not(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[str] = []

    async def use(component: Any, _: object) -> None:
        used.append(type(component).__name__)

    monkeypatch.setattr("bot.client.component.Component.used", use)
    bot = Stationmaster(service.db, rate_limiter=RateLimiter(1.0))
    for kind in discord.InteractionType:
        asked: Any = Asked(ANN, "Ann", kind)
        asked.data = {"custom_id": "n:5"}
        await bot.on_interaction(asked)
    assert used == ["CancelButton"] * 2
    nobodys: Any = Asked(ANN, "Ann")
    for data in (None, {}, {"custom_id": "nobodys"}):
        nobodys.data = data
        await bot.on_interaction(nobodys)
    assert len(used) == 2
    assert component_of({}) is None
