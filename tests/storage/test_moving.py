"""Moving a server's games from one database to another: every row arrives as it was, or nothing does."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from storage import Database, clocks, games, log, messages, moving, open_database, outbox, seats
from storage.errors import StorageError, TargetHasGames
from storage.moving import move_guilds
from storage.settings import GUILD_SETTINGS, PERSON_SETTINGS
from tests.storage import makers
from tests.storage.full_games import full_game, rows_of
from tests.storage.makers import ANN, LATER, NOW, ON_FILE, change, line, new_game
from tests.support.noted import noted
from tests.support.own_postgres import Server
from tests.support.unsent import unsent

HERE, ELSEWHERE = 10, 11
NOT_OF_A_SERVER = (
    *("anonymising", "person_settings", "last_runs"),
    *("board_keys", "board_links", "board_sessions", "page_visits"),  # browsers open pages anew
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


SAME_KIND = pytest.mark.parametrize("target", ["sqlite"], indirect=True)


@pytest.fixture
async def played(db: Database) -> list[int]:
    """A game of one server with everything that a game can have, one of another server, and a lobby."""
    running = await full_game(db, HERE)
    await new_game(db, guild_id=ELSEWHERE)
    await games.set_thread(db, running, 2**62)
    await noted(db, running, "board", 5, "pinned")
    for key, value in (("b_b", "1"), ("bA", "2"), ("theme", "dark")):
        await GUILD_SETTINGS.put(db, HERE, key, value)
    return [running, (await new_game(db, guild_id=HERE)).id]


async def all_of_it(db: Database) -> object:
    return [await rows_of(db, game.id) for game in await games.list_games(db, HERE)]


async def test_everything_of_a_server_arrives(
    db: Database, target: Database, played: list[int], tmp_path: Path
) -> None:
    """And stays where it was; other servers' games do not come along. There the game continues after an outage.

    Moving on gives the same digest.
    """
    await clocks.record_bot_run(db, 0, 1, LATER)
    before = await all_of_it(db)
    moved = await move_guilds(db, target, [HERE])
    assert (moved.game_count, moved.log_row_count) == (2, 4)
    assert await all_of_it(db) == before
    assert await games.list_games(target, ELSEWHERE) == []
    assert await moving.guilds_with_data(db) == [HERE, ELSEWHERE]
    assert [game.id for game in await games.list_games(target, HERE)] == played
    assert await GUILD_SETTINGS.settings_of(target, HERE) == {"b_b": "1", "bA": "2", "theme": "dark"}
    for number in played:
        there, here = await rows_of(target, number), await rows_of(db, number)
        numbered = {"outbox", "messages", "memberships", "seat_history", "direct_messages"}
        same = here.keys() - {*NOT_OF_A_SERVER, *numbered}
        assert {table: there[table] for table in same} == {table: here[table] for table in same}
        for read in (seats.lobby_changes, seats.seat_entries, outbox.unposted_notices_of_game):
            assert len(await read(target, number)) == len(await read(db, number))
    assert await log.read_rows(target, played[0]) == await log.read_rows(db, played[0])
    waiting = [(one.seq, one.payload, one.attempts, one.last_error) for one in await unsent(target)]
    assert waiting == [(one.seq, one.payload, one.attempts, one.last_error) for one in await unsent(db)]
    board = await messages.newest_message_of_role(target, played[0], "board", "pinned")
    assert board is not None
    assert not await outbox.add_notice_once(target, played[0], 4, line("a"), LATER)
    async with await open_database(tmp_path / "back.sqlite") as back:
        assert await move_guilds(target, back, [HERE]) == moved
    assert await clocks.last_bot_run_time(target, 0, 1) == LATER
    assert await makers.move(target, played[0], 4) == 5
    assert (await seats.join_game(target, played[1], 3, "Cal", now=NOW)).seat == 1
    assert (await new_game(target)).id == max(played) + 1


@ON_FILE
@SAME_KIND
async def test_known_server_is_refused(db: Database, target: Database, played: list[int]) -> None:
    """All of several servers arrive, or none."""
    await GUILD_SETTINGS.put(target, ELSEWHERE, "theme", "dark")
    with pytest.raises(TargetHasGames, match="server 11"):
        await move_guilds(db, target, [HERE, ELSEWHERE])
    assert await games.list_games(target, HERE) == []
    await move_guilds(db, target, [HERE])
    before = await all_of_it(target)
    with pytest.raises(TargetHasGames, match="The target already has server 10; nothing was changed"):
        await move_guilds(db, target, [HERE])
    assert await all_of_it(target) == before


@ON_FILE
@SAME_KIND
@pytest.mark.parametrize("taken", [0, 1], ids=["of_a_running_game", "of_an_empty_lobby"])
async def test_taken_number_is_refused(db: Database, target: Database, played: list[int], taken: int) -> None:
    number = played[taken]
    await new_game(target, guild_id=ELSEWHERE)
    await change(target, "UPDATE games SET id = ?", number)
    with pytest.raises(TargetHasGames, match=rf"game number {number}, .* buttons on its messages"):
        await move_guilds(db, target, [HERE])
    assert await moving.guilds_with_data(target) == [ELSEWHERE]


@ON_FILE
async def test_loss_on_the_way_is_noticed(db: Database, target: Database, played: list[int]) -> None:
    lossy = "CREATE TRIGGER lossy AFTER INSERT ON seats FOR EACH ROW"
    if target.is_shared:
        await change(
            target,
            "CREATE FUNCTION lossy() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN UPDATE seats SET display_name = 'An'; RETURN NULL; END $$",
        )
        await change(target, f"{lossy} EXECUTE FUNCTION lossy()")
    else:
        await change(target, f"{lossy} BEGIN UPDATE seats SET display_name = 'An'; END")
    with pytest.raises(StorageError, match="other data than was sent"):
        await move_guilds(db, target, [HERE])
    assert await moving.guilds_with_data(target) == []


@ON_FILE
@SAME_KIND
async def test_users_bring_their_settings(db: Database, target: Database, played: list[int]) -> None:
    """Unless they have made others there."""
    for user, key, value in ((ANN, "zone", "here"), (ANN, "calls", "here"), (3, "zone", "of somebody else")):
        await PERSON_SETTINGS.put(db, user, key, value)
    await PERSON_SETTINGS.put(target, ANN, "calls", "there")
    await move_guilds(db, target, [HERE])
    assert await PERSON_SETTINGS.settings_of(target, ANN) == {"zone": "here", "calls": "there"}
    assert await PERSON_SETTINGS.settings_of(target, 3) == {}


async def test_every_table_is_moved(path: Path) -> None:
    """Or has a reason not to be: who writes and who posts is of the moment."""
    async with await open_database(path) as file:
        found = await file.rows(
            """SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"""
        )
    moved = {
        (table.name, column.strip()) for table in moving.MOVED_TABLES for column in table.columns.split(",")
    }
    left = {(table, column) for table, column in found if table not in NOT_OF_A_SERVER} - moved
    numbered = ("memberships", "outbox", "messages", "seat_history", "direct_messages")
    assert left == {(table, "id") for table in numbered}
