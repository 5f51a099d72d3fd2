"""Questions about a position: a worker keeps the last games it was asked about, as they stood."""

from collections import Counter

import pytest

from bot.table.errors import Refused
from bot.table.live import KEPT, ask_position, move_queue
from bot.workers.workers import Priority, Queue, Workers
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.game import Game
from tests.bot.support.table_service import GUILD, TableService

SEATS = [("p1", "Ann"), ("p2", "Bob")]


async def test_last_positions_are_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one asked about longest ago leaves first; how often one is read shows nowhere but here."""
    read: Counter[str] = Counter()
    texts = [Game("18chesapeake", SEATS, seed).dump() for seed in range(1000, 1000 + KEPT + 1)]
    load = Game.load

    def counted(text: str) -> Game:
        read[text] += 1
        return load(text)

    monkeypatch.setattr(Game, "load", counted)
    for text in (*texts[:-1], texts[0], texts[-1], texts[0], *texts[2:], texts[1]):
        assert await ask_position(Workers(), Queue(Priority.SEARCH), text, Game.dump) == text
    assert [read[text] for text in texts] == [1, 2, *[1] * (KEPT - 1)]


def _refuse(_: Game) -> None:
    raise IllegalAction(fact("offer.end_game"))


async def test_rules_refuse_in_words(service: TableService) -> None:
    """In the queue of the server, for what a move waits for."""
    async with service.tables.reading(await service.game()) as live:
        queue = move_queue(live)
        assert (queue.priority, queue.guild) == (Priority.SEARCH, GUILD)
        with pytest.raises(Refused, match="game"):
            await ask_position(Workers(), queue, live.game.dump(), _refuse)
