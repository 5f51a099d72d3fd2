"""The ping loop: users who are due are pinged, messages are sent, and stale ones go, but in no outage."""

from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.features.pings import mute, ping_due
from bot.table.errors import Refused
from bot.table.pings import WAITING, Pings, pings_of_turn, take_due_steps
from bot.table.settings.person_settings import PersonSettings, person_settings
from storage import (
    PEOPLE,
    Database,
    DatabaseUnreachable,
    GameRow,
    SeatEntry,
    Transaction,
    format_timestamp,
    games,
    log,
    outbox,
    parse_timestamp,
    pings,
    seats,
)
from tests.bot.support.tables import ANN, BOB, Bench


async def test_whoever_is_due_is_pinged_before_anything_is_sent_and_nothing_is_done_in_an_outage(
    bench: Bench,
) -> None:
    await bench.game()
    done: list[str] = []

    def part(**does: str) -> Any:
        async def note(what: str) -> None:
            done.append(what)

        return SimpleNamespace(**{name: partial(note, what) for name, what in does.items()})

    async def shows(_: GameRow) -> bool:
        done.append("look")
        return False

    client: Any = SimpleNamespace(
        breaker=SimpleNamespace(is_open=False),
        tables=bench.tables,
        ping_after=timedelta(),
        showable=SimpleNamespace(shows=shows),
        direct_messages=part(send="send"),
        expired_direct_messages=part(clear="clear"),
    )
    await ping_due(client)
    client.breaker.is_open = True
    await ping_due(client)
    assert done == ["look", "send", "clear"]


@pytest.mark.parametrize(
    ("problem", "again"), [(ValueError("nobody foresaw this"), WAITING), (DatabaseUnreachable("gone"), None)]
)
async def test_a_game_that_cannot_be_looked_at_waits_an_hour_unless_the_database_is_away(
    bench: Bench, problem: Exception, again: timedelta | None
) -> None:
    """No other game waits for it."""
    first, second, now = await bench.game(), await bench.game(), "2027-01-05T12:00:00.000+00:00"
    bench.tables.clock = lambda: now
    before = (await pings.of_game(bench.db, first))[0][0].due_at

    async def shows(row: GameRow) -> bool:
        if row.id == first:
            raise problem
        return True

    woken = bench.woken()
    await take_due_steps(bench.tables, shows=shows)
    assert woken == [second]
    (waiting,), _ = await pings.of_game(bench.db, first)
    assert waiting.due_at == (before if again is None else format_timestamp(parse_timestamp(now) + again))
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
    await take_due_steps(bench.tables, timedelta())
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
        await take_due_steps(other.tables, timedelta())
        return await person_settings(db, user_id)

    monkeypatch.setattr("bot.table.pings.person_settings", meanwhile)
    await take_due_steps(bench.tables, timedelta())
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
    await take_due_steps(bench.tables, timedelta())
    assert woken == [game] * len(posts)
    assert len(await outbox.of_game(bench.db, game)) == before + len(posts)
    _, (ping,) = await pings.of_game(bench.db, game)
    assert (ping.thread, ping.direct) == ways
    async with bench.tables.reading(game) as live:
        named = (await pings_of_turn(bench.tables, live, timedelta())).named
    assert [one.user_id for one in named] == posts


async def test_a_turn_message_does_not_name_the_holder_of_a_seat_that_a_caretaker_plays_now(
    bench: Bench,
) -> None:
    """They were pinged before; the computer moves next."""
    game = await bench.game()
    await take_due_steps(bench.tables, timedelta())
    async with bench.tables.reading(game) as live:
        assert [one.user_id for one in (await pings_of_turn(bench.tables, live)).now] == [ANN]
    entry = SeatEntry("p1", "caretaker", ANN, "Ann", 1, None, bench.tables.clock())
    await seats.assign(bench.db, game, entry, notices=[])
    bench.tables.forget(game)
    async with bench.tables.reading(game) as live:
        assert await pings_of_turn(bench.tables, live) == Pings()


async def test_who_is_wrongly_noted_as_on_turn_is_not_pinged(bench: Bench) -> None:
    game = await bench.game()
    wrong = pings.NotificationChanges(("p2",), None, ("p2",))
    await bench.db.write(lambda tx: wrong.write(tx, game, 1, bench.tables.clock()))
    await take_due_steps(bench.tables, timedelta())
    notifications, pinged = await pings.of_game(bench.db, game)
    assert ([one.player_id for one in notifications], pinged) == (["p1"], [])


async def test_a_game_is_muted_for_whoever_is_pinged_there(bench: Bench) -> None:
    client: Any = SimpleNamespace(tables=bench.tables)
    game = await bench.game()
    await take_due_steps(bench.tables, timedelta())
    _, pinged = await pings.of_game(bench.db, game)
    assert [one.user_id for one in pinged] == [ANN]
    assert await mute(client, game, ANN) == "You are not reminded of game 1 again until you have acted there."
    with pytest.raises(Refused, match="You have no pending pings in game 1"):
        await mute(client, game, BOB)
