"""Questions about a position: a worker keeps the last games it was asked about, as they stood."""

from collections import OrderedDict
from operator import add
from types import SimpleNamespace
from typing import Any

import pytest

from bot.table import live as live_games
from bot.table.errors import Refused
from bot.table.live import KEPT, ask_position, move_queue
from bot.workers.workers import Priority, Workers
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.game import Game


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The positions that are read, one after the other; each game is only its text."""
    texts: list[str] = []

    def load(text: str) -> str:
        texts.append(text)
        return text

    monkeypatch.setattr(live_games, "Game", SimpleNamespace(load=load))
    monkeypatch.setattr(live_games, "_games", OrderedDict())
    return texts


async def asked(*texts: str) -> list[str]:
    """What is answered about these positions."""
    workers = Workers()
    row: Any = SimpleNamespace(row=SimpleNamespace(guild_id=7))
    return [await ask_position(workers, move_queue(row), text, add, "!") for text in texts]


async def test_a_position_asked_about_again_is_read_once(loaded: list[str]) -> None:
    assert await asked("a", "a", "b", "a") == ["a!", "a!", "b!", "a!"]
    assert loaded == ["a", "b"]


async def test_the_position_asked_about_longest_ago_leaves_first(loaded: list[str]) -> None:
    others = [f"other {number}" for number in range(KEPT - 1)]
    await asked("a", *others, "a", "one more")
    assert loaded == ["a", *others, "one more"]
    await asked("a", *others[1:], "one more")
    assert loaded == ["a", *others, "one more"], "the others are kept"
    await asked(others[0])
    assert loaded[-1] == others[0]


async def test_what_the_rules_refuse_is_refused_in_words() -> None:
    text = Game("18chesapeake", [("p1", "Ann"), ("p2", "Bob")], 3).dump()
    live: Any = SimpleNamespace(row=SimpleNamespace(guild_id=7))
    with pytest.raises(Refused, match="game"):
        await ask_position(Workers(), move_queue(live), text, _refuse)


def _refuse(_: Game) -> None:
    raise IllegalAction(fact("offer.end_game"))


def test_what_a_move_waits_for_is_searched_in_the_servers_own_queue() -> None:
    live: Any = SimpleNamespace(row=SimpleNamespace(guild_id=7))
    queue = move_queue(live)
    assert (queue.priority, queue.guild) == (Priority.SEARCH, 7)
