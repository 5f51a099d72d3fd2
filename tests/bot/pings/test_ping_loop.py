"""The ping loop: users who are due are pinged, messages are sent, and stale ones go, but in no outage."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.pings import ping_loop
from bot.client.pings.ping_loop import SECONDS, PingLoop
from bot.table.errors import Refused
from bot.table.pings.pinging import WAITING, Pinging
from storage.errors import DatabaseUnreachable
from storage.posts import pings
from storage.timestamps import moment, stored
from tests.bot.support.tables import ANN, BOB, Bench


class Parts:
    """What the loop lets do, in order; sending may take long."""

    def __init__(self, bench: Bench) -> None:
        self.done: list[str] = []
        self.sends = asyncio.Event()
        self.sends.set()
        self.breaker = SimpleNamespace(is_open=False)
        parts: dict[str, Any] = {name: self._part(name) for name in ("look", "send", "clear")}
        part: Any = SimpleNamespace(**parts)
        breaker: Any = self.breaker
        self.loop = PingLoop(bench.tables, part, part, part, breaker)

    def _part(self, name: str) -> Any:
        async def does() -> None:
            self.done.append(name)
            if name == "send":
                await self.sends.wait()

        return does


async def test_whoever_is_due_is_pinged_before_anything_is_sent_and_nothing_is_done_in_an_outage(
    bench: Bench,
) -> None:
    parts = Parts(bench)
    await parts.loop.look()
    parts.breaker.is_open = True
    await parts.loop.look()
    assert parts.done == ["look", "send", "clear"]


async def test_each_of_the_three_is_looked_at_every_few_seconds_whatever_the_others_do(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[tuple[str, float]] = []

    async def keep_looking(what: str, look: Any, seconds: float) -> None:
        looks.append((what, seconds))
        await look()

    monkeypatch.setattr(ping_loop, "keep_looking", keep_looking)
    parts = Parts(bench)
    parts.sends.clear()
    watching = asyncio.create_task(parts.loop.watch())
    for _ in range(5):
        await asyncio.sleep(0)
    assert parts.done == ["look", "send", "clear"]
    assert looks == [
        ("pings that are due", 5.0), ("direct messages", 5.0), ("old direct messages", SECONDS),
    ]  # fmt: skip
    parts.sends.set()
    await watching


async def test_messages_are_sent_by_one_at_a_time(bench: Bench) -> None:
    parts = Parts(bench)
    parts.sends.clear()
    both = [asyncio.create_task(parts.loop._write()) for _ in range(2)]
    for _ in range(5):
        await asyncio.sleep(0)
    assert parts.done == ["send"]
    parts.sends.set()
    await asyncio.gather(*both)
    assert parts.done == ["send", "send"]


@pytest.mark.parametrize(
    ("problem", "again"), [(ValueError("nobody foresaw this"), WAITING), (DatabaseUnreachable("gone"), None)]
)
async def test_a_game_that_cannot_be_looked_at_waits_an_hour_unless_the_database_is_away(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, problem: Exception, again: timedelta | None
) -> None:
    """No other game waits for it."""
    first, second, now = await bench.game(), await bench.game(), "2027-01-05T12:00:00.000+00:00"
    bench.tables.clock = lambda: now
    before = (await pings.of_game(bench.db, first))[0][0].due_at
    whole = Pinging._look_at

    async def fails(pinging: Pinging, game_id: int) -> None:
        if game_id == first:
            raise problem
        await whole(pinging, game_id)

    monkeypatch.setattr(Pinging, "_look_at", fails)
    await Pinging(bench.tables).look()
    (waiting,), _ = await pings.of_game(bench.db, first)
    assert waiting.due_at == (before if again is None else stored(moment(now) + again))
    _, pinged = await pings.of_game(bench.db, second)
    assert [one.user_id for one in pinged] == [ANN]


async def test_a_game_on_hold_is_looked_at_again_in_an_hour(bench: Bench) -> None:
    game, now = await bench.game(), "2027-01-05T12:00:00.000+00:00"
    bench.tables.clock = lambda: now
    async with bench.tables.reading(game) as live:
        live.waits = "The rules have changed."
    await Pinging(bench.tables).look()
    (waiting,), pinged = await pings.of_game(bench.db, game)
    assert (waiting.due_at, pinged) == (stored(moment(now) + WAITING), [])


async def test_a_game_is_muted_for_whoever_is_pinged_there(bench: Bench) -> None:
    loop, game = Parts(bench).loop, await bench.game()
    await Pinging(bench.tables, timedelta()).look()
    _, pinged = await pings.of_game(bench.db, game)
    assert [one.user_id for one in pinged] == [ANN]
    assert await loop.mute(game, ANN) == "You are not reminded of game 1 again until you have acted there."
    with pytest.raises(Refused, match="You have no pending pings in game 1"):
        await loop.mute(game, BOB)
