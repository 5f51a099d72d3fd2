"""The ping loop: users who are due are pinged, messages are sent, and stale ones go, but in no outage."""

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.pings import ping_loop
from bot.client.pings.ping_loop import SECONDS, PingLoop
from bot.table.errors import Refused
from bot.table.pings import WAITING, PingPlanner, Pings
from bot.table.settings.person_settings import PersonSettings, person_settings
from storage import Database, Transaction, games, log, outbox, pings, seats
from storage.contract import parse_timestamp, stored
from storage.errors import DatabaseUnreachable
from storage.pings import NotificationChanges
from storage.seats import SeatEntry
from storage.settings import PEOPLE
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
    whole = PingPlanner._look_at

    async def fails(pinging: PingPlanner, game_id: int) -> None:
        if game_id == first:
            raise problem
        await whole(pinging, game_id)

    monkeypatch.setattr(PingPlanner, "_look_at", fails)
    woken = bench.woken()
    await PingPlanner(bench.tables).look()
    assert woken == [second]
    (waiting,), _ = await pings.of_game(bench.db, first)
    assert waiting.due_at == (before if again is None else stored(parse_timestamp(now) + again))
    _, pinged = await pings.of_game(bench.db, second)
    assert [one.user_id for one in pinged] == [ANN]


async def test_while_a_ping_is_stored_no_other_process_writes_the_game(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, order = await bench.game(), list[str]()
    keep, newest = games.lock, log.newest

    async def kept(tx: Transaction, number: int) -> None:
        order.append("held")
        await keep(tx, number)

    async def read(tx: Transaction, number: int) -> int:
        order.append("read")
        return await newest(tx, number)

    monkeypatch.setattr(games, "lock", kept)
    monkeypatch.setattr(log, "newest", read)
    await PingPlanner(bench.tables, timedelta()).look()
    assert order[:2] == ["held", "read"]
    _, pinged = await pings.of_game(bench.db, game)
    assert [one.user_id for one in pinged] == [ANN]


async def test_of_two_processes_that_find_the_same_ping_due_one_posts_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other = await bench.game(), Bench.on(bench.db)
    before, woken, first = len(await outbox.of_game(bench.db, game)), bench.woken(), other.woken()

    async def meanwhile(db: Database, user_id: int) -> PersonSettings:
        monkeypatch.setattr("bot.table.pings.person_settings", person_settings)
        await PingPlanner(other.tables, timedelta()).look()
        return await person_settings(db, user_id)

    monkeypatch.setattr("bot.table.pings.person_settings", meanwhile)
    await PingPlanner(bench.tables, timedelta()).look()
    assert (first, woken) == ([game], [])
    assert len(await outbox.of_game(bench.db, game)) == before + 1


@pytest.mark.parametrize(
    ("how", "ways"),
    [("thread", ("pending", "no")), ("both", ("pending", "pending")), ("direct", ("no", "pending"))],
)
async def test_the_thread_is_woken_and_names_only_those_who_are_pinged_there(
    bench: Bench, how: str, ways: tuple[str, str]
) -> None:
    posts = [ANN] if ways[0] == "pending" else []
    game = await bench.game()
    await PEOPLE.put(bench.db, ANN, "how", how)
    before, woken = len(await outbox.of_game(bench.db, game)), bench.woken()
    await PingPlanner(bench.tables, timedelta()).look()
    assert woken == [game] * len(posts)
    assert len(await outbox.of_game(bench.db, game)) == before + len(posts)
    _, (ping,) = await pings.of_game(bench.db, game)
    assert (ping.thread, ping.direct) == ways
    async with bench.tables.reading(game) as live:
        named = (await PingPlanner(bench.tables, timedelta()).pending(live)).named
    assert [one.user_id for one in named] == posts


async def test_a_turn_message_does_not_name_the_holder_of_a_seat_that_a_caretaker_plays_now(
    bench: Bench,
) -> None:
    """They were pinged before; the computer moves next."""
    game = await bench.game()
    await PingPlanner(bench.tables, timedelta()).look()
    async with bench.tables.reading(game) as live:
        assert [one.user_id for one in (await PingPlanner(bench.tables).pending(live)).now] == [ANN]
    entry = SeatEntry("p1", "caretaker", ANN, "Ann", 1, None, bench.tables.clock())
    await seats.assign(bench.db, game, entry, notices=[])
    bench.tables.forget(game)
    async with bench.tables.reading(game) as live:
        assert await PingPlanner(bench.tables).pending(live) == Pings()


async def test_who_is_wrongly_noted_as_on_turn_is_not_pinged(bench: Bench) -> None:
    game = await bench.game()
    wrong = NotificationChanges(("p2",), None, ("p2",))
    await bench.db.write(lambda tx: wrong.write(tx, game, 1, bench.tables.clock()))
    await PingPlanner(bench.tables, timedelta()).look()
    notifications, pinged = await pings.of_game(bench.db, game)
    assert ([one.player_id for one in notifications], pinged) == (["p1"], [])


async def test_a_game_is_muted_for_whoever_is_pinged_there(bench: Bench) -> None:
    loop, game = Parts(bench).loop, await bench.game()
    await PingPlanner(bench.tables, timedelta()).look()
    _, pinged = await pings.of_game(bench.db, game)
    assert [one.user_id for one in pinged] == [ANN]
    assert await loop.mute(game, ANN) == "You are not reminded of game 1 again until you have acted there."
    with pytest.raises(Refused, match="You have no pending pings in game 1"):
        await loop.mute(game, BOB)
