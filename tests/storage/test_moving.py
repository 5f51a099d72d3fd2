"""Moving a server's games from one database to another: every row arrives as it was, or nothing does."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from storage import (
    AlreadyThere,
    Database,
    StorageError,
    Transaction,
    clocks,
    games,
    log,
    moving,
    open_database,
    outbox,
    positions,
    seats,
)
from storage.clocks import EVERYBODY, ClockStop, Ticking, Turn
from storage.contract import ask
from storage.log import Entry
from storage.moving import move
from storage.outbox import OutboxMessage
from storage.positions import AddPosition
from storage.settings import GUILDS, PEOPLE
from tests.storage.makers import Act, NewGame, Undo
from tests.support.noted import noted
from tests.support.own_postgres import Server
from tests.support.unsent import unsent

NOW = "2026-01-02T03:04:05+00:00"
LATER = "2026-02-03T04:05:06+00:00"
HERE, ELSEWHERE = 10, 11
NOT_OF_A_SERVER = (
    *("anonymising", "person_settings", "last_runs"),
    *("board_keys", "board_links", "board_sessions"),  # browsers open the board anew
)


@pytest.fixture(params=["sqlite", "postgres"])
async def target(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database of each kind."""
    async with AsyncExitStack() as stack:
        server: Server = request.getfixturevalue("postgres")
        where: str | Path = tmp_path / "target.sqlite"
        if request.param == "postgres":
            where = await stack.enter_async_context(server.fresh())
        yield await stack.enter_async_context(await open_database(where))


@pytest.fixture
async def played(db: Database, new_game: NewGame, act: Act, undo: Undo) -> list[int]:
    """Two games of one server, with everything that a game can have, and one of another server between them."""
    running, _, lobby = await new_game(db), await new_game(db, guild_id=ELSEWHERE), await new_game(db)
    for user, name in ((1, "Ann"), (2, "Bob – é"), (1, "Ann"), (19, "Cy")):
        await seats.join(db, running.id, user, name, now=NOW)
    await seats.leave(db, running.id, 2, now=LATER)
    await games.show_in(db, running.id, 2**62)
    await noted(db, running.id, "board", 5, "pinned")
    await log.commit_start(db, running.id, [Entry("start", "{}", "d1", "")], now=NOW)
    entries = [
        act("é–"),
        undo(1),
        Entry("accept", log.accept_payload("2", "{}"), "d", "", None),
        act("x", "d5"),
    ]
    notices = [OutboxMessage("line", "a"), OutboxMessage("turn", "b"), OutboxMessage("line", "c")]
    changes = AddPosition("d5", "after 5")
    await log.commit_move(db, running.id, 1, entries, notices, now=LATER, state="after 5", changes=changes)
    first, second, _ = await unsent(db)
    await outbox.mark_sent(db, first.id, now=LATER)
    await outbox.mark_failed(db, second.id, error="503 from Discord")
    for key, value in (("b_b", "1"), ("bA", "2"), ("theme", "dark")):
        await GUILDS.put(db, HERE, key, value)
    return [running.id, lobby.id]


async def all_of_it(db: Database) -> object:
    return [
        (
            game,
            await seats.seats(db, game.id),
            await seats.memberships(db, game.id),
            await log.read(db, game.id),
            await log.kept_state(db, game.id),
            await positions.last_up_to(db, game.id, 5),
        )
        for game in await games.list_games(db, HERE)
    ]


async def test_everything_of_a_server_arrives_as_it_was(
    db: Database, target: Database, played: list[int]
) -> None:
    moved = await move(db, target, [HERE])
    assert (moved.games, moved.moves) == (2, 5)
    assert [game.id for game in await games.list_games(target, HERE)] == played
    assert await all_of_it(target) == await all_of_it(db)
    assert await GUILDS.get(target, HERE, "theme") == "dark"
    waiting = [(item.seq, item.payload, item.attempts, item.last_error) for item in await unsent(target)]
    assert waiting == [(5, "b", 1, "503 from Discord"), (5, "c", 0, None)]
    assert not await outbox.add_once(target, played[0], 5, OutboxMessage("line", "a"), LATER)


async def test_games_of_other_servers_stay(db: Database, target: Database, played: list[int]) -> None:
    await move(db, target, [HERE])
    assert await games.list_games(target, ELSEWHERE) == []
    assert await moving.guilds(db) == [HERE, ELSEWHERE]


async def test_what_was_moved_from_stays_as_it_was(db: Database, target: Database, played: list[int]) -> None:
    before = await all_of_it(db)
    await move(db, target, [HERE])
    assert await all_of_it(db) == before


async def test_moving_on_gives_the_same_digest(
    db: Database, target: Database, played: list[int], tmp_path: Path
) -> None:
    there = await move(db, target, [HERE, ELSEWHERE])
    async with await open_database(tmp_path / "back.sqlite") as back:
        assert await move(target, back, [HERE, ELSEWHERE]) == there


async def test_a_game_that_was_moved_continues(
    db: Database, target: Database, played: list[int], act: Act, new_game: NewGame
) -> None:
    await move(db, target, [HERE])
    assert await log.commit_move(target, played[0], 5, [act()], now=LATER) == 6
    assert (await seats.join(target, played[1], 3, "Cal", now=LATER)).seat == 1
    assert (await new_game(target)).id == max(played) + 1


async def test_a_server_that_is_there_already_is_refused(
    db: Database, target: Database, played: list[int]
) -> None:
    await move(db, target, [HERE])
    before = await all_of_it(target)
    with pytest.raises(AlreadyThere, match="Server 10 is there already; nothing was changed"):
        await move(db, target, [HERE])
    assert await all_of_it(target) == before


@pytest.mark.parametrize("taken", [0, 1], ids=["of_a_running_game", "of_an_empty_lobby"])
async def test_a_number_that_is_taken_is_refused_with_the_reason(
    db: Database, target: Database, played: list[int], new_game: NewGame, taken: int
) -> None:
    number = played[taken]
    await new_game(target, guild_id=ELSEWHERE)
    await target.write(lambda tx: tx.run("UPDATE games SET id = ?", number))
    with pytest.raises(
        AlreadyThere, match=rf"another game number {number} already, .* buttons on its messages"
    ):
        await move(db, target, [HERE])
    assert await moving.guilds(target) == [ELSEWHERE]


async def test_of_several_servers_all_arrive_or_none(
    db: Database, target: Database, played: list[int], new_game: NewGame
) -> None:
    await GUILDS.put(target, ELSEWHERE, "theme", "dark")
    with pytest.raises(AlreadyThere, match="Server 11"):
        await move(db, target, [HERE, ELSEWHERE])
    assert await games.list_games(target, HERE) == []


@pytest.fixture
def lossy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A last letter of what is inserted is lost on the way."""
    real = moving._insert

    async def shortened(tx: Transaction, table: moving.MovedTable, rows: list[tuple[object, ...]]) -> None:
        await real(
            tx, table, [(*row[:-1], row[-1][:-1] if isinstance(row[-1], str) else row[-1]) for row in rows]
        )

    monkeypatch.setattr(moving, "_insert", shortened)


@pytest.mark.usefixtures("lossy")
async def test_what_arrives_otherwise_is_not_committed(
    db: Database, target: Database, played: list[int]
) -> None:
    with pytest.raises(StorageError, match="not what was sent; nothing was changed"):
        await move(db, target, [HERE])
    assert await moving.guilds(target) == []


async def test_users_keep_their_settings_there_unless_they_have_made_others(
    db: Database, target: Database, played: list[int]
) -> None:
    for key in ("zone", "calls"):
        await PEOPLE.put(db, 1, key, "here")
    await PEOPLE.put(db, 3, "zone", "of somebody else")
    await PEOPLE.put(target, 1, "calls", "there")
    await move(db, target, [HERE])
    assert await PEOPLE.all_of(target, 1) == {"zone": "here", "calls": "there"}
    assert await PEOPLE.all_of(target, 3) == {}


async def test_every_table_is_moved_but_those_of_processes(db: Database, tmp_path: Path) -> None:
    """What a table holds is moved, or has a reason not to be: who writes and who posts is of the moment."""
    async with await open_database(tmp_path / "tables.sqlite") as file:
        found = await file.read(
            lambda tx: tx.rows(
                """SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
                WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"""
            )
        )
    moved = {(table.name, column.strip()) for table in moving.TABLES for column in table.columns.split(",")}
    left = {(table, column) for table, column in found if table not in NOT_OF_A_SERVER} - moved
    assert left == {
        ("memberships", "id"),
        ("outbox", "id"),
        ("messages", "id"),
        ("seat_history", "id"),
        ("direct_messages", "id"),
    }


async def test_clocks_arrive_with_when_the_bot_was_running_last(
    db: Database, target: Database, played: list[int]
) -> None:
    """The time of the move is an outage like any other."""
    turns = (Turn("p1", 1, NOW, 3, 5, 2, "22:00 08:00 UTC", NOW), Turn("p10", 3, LATER), Turn("p2", 3, LATER))
    await clocks.tick(db, played[0], Ticking(turns), seq=5, now=NOW)
    await clocks.store_stop(db, played[0], ClockStop(EVERYBODY, "waits", NOW))
    await clocks.store_stop(db, played[0], ClockStop("p1", "away", NOW, LATER))
    await clocks.record_run(db, 0, 1, LATER)
    await move(db, target, [HERE])
    assert await ask(target, clocks.turns_question(played[0])) == await ask(
        db, clocks.turns_question(played[0])
    )
    assert await clocks.stops(target, played[0]) == await clocks.stops(db, played[0])
    assert await clocks.last_run(target, 0, 1) == LATER
