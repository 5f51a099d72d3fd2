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
from tests.bot.support.table_service import ANN, BOB, TableService


async def test_whoever_is_due_is_pinged_before_anything_is_sent_and_nothing_is_done_in_an_outage(
    service: TableService,
) -> None:
    await service.game()
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
        tables=service.tables,
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
    service: TableService, problem: Exception, again: timedelta | None
) -> None:
    """No other game waits for it."""
    first, second, now = await service.game(), await service.game(), "2027-01-05T12:00:00.000+00:00"
    service.tables.clock = lambda: now
    before = (await pings.of_game(service.db, first))[0][0].due_at

    async def shows(row: GameRow) -> bool:
        if row.id == first:
            raise problem
        return True

    woken = service.woken()
    await take_due_steps(service.tables, shows=shows)
    assert woken == [second]
    (waiting,), _ = await pings.of_game(service.db, first)
    assert waiting.due_at == (before if again is None else format_timestamp(parse_timestamp(now) + again))
    _, pinged = await pings.of_game(service.db, second)
    assert [one.user_id for one in pinged] == [ANN]


async def test_while_a_ping_is_stored_no_other_process_writes_the_game(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, order = await service.game(), list[str]()
    keep, newest = games.lock, log.newest

    async def kept(tx: Transaction, number: int) -> None:
        order.append("held")
        await keep(tx, number)

    async def read(tx: Transaction, number: int) -> int:
        order.append("read")
        return await newest(tx, number)

    monkeypatch.setattr(games, "lock", kept)
    monkeypatch.setattr(log, "newest", read)
    await take_due_steps(service.tables, timedelta())
    assert order[:2] == ["held", "read"]
    _, pinged = await pings.of_game(service.db, game)
    assert [one.user_id for one in pinged] == [ANN]


async def test_of_two_processes_that_find_the_same_ping_due_one_posts_it(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, other = await service.game(), TableService.on(service.db)
    before, woken, first = len(await outbox.of_game(service.db, game)), service.woken(), other.woken()

    async def meanwhile(db: Database, user_id: int) -> PersonSettings:
        monkeypatch.setattr("bot.table.pings.person_settings", person_settings)
        await take_due_steps(other.tables, timedelta())
        return await person_settings(db, user_id)

    monkeypatch.setattr("bot.table.pings.person_settings", meanwhile)
    await take_due_steps(service.tables, timedelta())
    assert (first, woken) == ([game], [])
    assert len(await outbox.of_game(service.db, game)) == before + 1


@pytest.mark.parametrize(
    ("how", "ways"),
    [("thread", ("pending", "no")), ("both", ("pending", "pending")), ("direct", ("no", "pending"))],
)
async def test_the_thread_is_woken_and_names_only_those_who_are_pinged_there(
    service: TableService, how: str, ways: tuple[str, str]
) -> None:
    posts = [ANN] if ways[0] == "pending" else []
    game = await service.game()
    await PEOPLE.put(service.db, ANN, "how", how)
    before, woken = len(await outbox.of_game(service.db, game)), service.woken()
    await take_due_steps(service.tables, timedelta())
    assert woken == [game] * len(posts)
    assert len(await outbox.of_game(service.db, game)) == before + len(posts)
    _, (ping,) = await pings.of_game(service.db, game)
    assert (ping.thread, ping.direct) == ways
    async with service.tables.reading(game) as live:
        named = (await pings_of_turn(service.tables, live, timedelta())).named
    assert [one.user_id for one in named] == posts


async def test_a_turn_message_does_not_name_the_holder_of_a_seat_that_a_caretaker_plays_now(
    service: TableService,
) -> None:
    """They were pinged before; the computer moves next."""
    game = await service.game()
    await take_due_steps(service.tables, timedelta())
    async with service.tables.reading(game) as live:
        assert [one.user_id for one in (await pings_of_turn(service.tables, live)).now] == [ANN]
    entry = SeatEntry("p1", "caretaker", ANN, "Ann", 1, None, service.tables.clock())
    await seats.assign(service.db, game, entry, notices=[])
    service.tables.forget(game)
    async with service.tables.reading(game) as live:
        assert await pings_of_turn(service.tables, live) == Pings()


async def test_who_is_wrongly_noted_as_on_turn_is_not_pinged(service: TableService) -> None:
    game = await service.game()
    wrong = pings.NotificationChanges(("p2",), None, ("p2",))
    await service.db.write(lambda tx: wrong.write(tx, game, 1, service.tables.clock()))
    await take_due_steps(service.tables, timedelta())
    notifications, pinged = await pings.of_game(service.db, game)
    assert ([one.player_id for one in notifications], pinged) == (["p1"], [])


async def test_a_game_is_muted_for_whoever_is_pinged_there(service: TableService) -> None:
    client: Any = SimpleNamespace(tables=service.tables)
    game = await service.game()
    await take_due_steps(service.tables, timedelta())
    _, pinged = await pings.of_game(service.db, game)
    assert [one.user_id for one in pinged] == [ANN]
    assert await mute(client, game, ANN) == "You are not reminded of game 1 again until you have acted there."
    with pytest.raises(Refused, match="You have no pending pings in game 1"):
        await mute(client, game, BOB)
