"""The tables on a server: the same as in a file, brought up to date once, and nobody else's."""

import asyncio
from pathlib import Path

import pytest

from storage import (
    ConstraintBroken,
    Database,
    DatabaseInUse,
    DatabaseTooNew,
    DatabaseUnreadable,
    Transaction,
    games,
    open_database,
)
from storage.contract import Cells
from storage.migrations.migration import Migration
from storage.migrations.schema_versions import LATEST, upgrades
from storage.postgres import connections
from tests.storage.makers import NewGame
from tests.support.earlier import restore
from tests.support.own_postgres import connected

Columns = set[tuple[str, str, bool]]


async def on_server(tx: Transaction) -> Columns:
    found = await tx.rows(
        "SELECT table_name, column_name, is_nullable FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND table_name NOT IN ('schema_version', 'shards')"
    )
    return {(table, column, nullable == "YES") for table, column, nullable in found}


async def in_file(tx: Transaction) -> Columns:
    # The key of a table is never null, whether or not the file says so again.
    found = await tx.rows(
        """SELECT m.name, c.name, c."notnull" = 0 AND c.pk = 0
        FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"""
    )
    return {(table, column, bool(nullable)) for table, column, nullable in found}


async def test_a_file_has_the_same_tables(db: Database, path: Path) -> None:
    async with await open_database(path) as file:
        assert await db.read(on_server) == await file.read(in_file)


async def test_processes_that_start_together_make_the_tables_once(empty: str) -> None:
    async def start() -> int:
        async with await open_database(empty) as db:
            found = await db.read(lambda tx: tx.rows("SELECT number FROM schema_version"))
            assert len(found) == 1
            return int(found[0][0])

    assert set(await asyncio.gather(*(start() for _ in range(4)))) == {LATEST}


async def test_upgrade_logs_a_line_for_each_migration(empty: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "stationmaster.storage")
    await restore(23, empty)
    async with await open_database(empty) as db:
        assert await db.rows("SELECT number FROM schema_version") == [(LATEST,)]
    assert caplog.messages == [
        f"the tables of the database are brought to version {migration.number}" for migration in upgrades(23)
    ]


async def test_version_between_releases_is_refused(empty: str) -> None:
    await restore(23, empty)
    async with await connected(empty) as link:
        await link.execute(b"UPDATE public.schema_version SET number = 22")
    with pytest.raises(DatabaseUnreadable, match="no release had"):
        await open_database(empty)


@pytest.mark.parametrize("version", [23, 26])
async def test_upgraded_tables_are_those_of_a_new_database(where: str, empty: str, version: int) -> None:
    await restore(version, empty)
    async with await open_database(empty) as old, await open_database(where) as new:
        assert await old.read(rules) == await new.read(rules)
        assert await old.read(on_server) == await new.read(on_server)


async def rules(tx: Transaction) -> list[Cells]:
    """The indexes, constraints, triggers and functions."""
    return await tx.rows(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' "
        "UNION SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace "
        "UNION SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal "
        "UNION SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1"
    )


async def test_a_migration_may_take_longer_than_a_move(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Migration(1000, (), ("SELECT pg_sleep(0.2)",))
    monkeypatch.setattr("storage.migrations.schema_versions.MIGRATIONS", (slow,))
    monkeypatch.setattr("storage.postgres.database.LATEST", slow.number)
    monkeypatch.setitem(connections._OPTIONS, "statement_timeout", "100ms")
    async with await open_database(where) as db:
        assert await db.rows("SELECT number FROM schema_version") == [(1000,)]
        with pytest.raises(DatabaseInUse):
            await db.rows("SELECT pg_sleep(0.2)")


async def test_a_process_begins_with_one_connection_and_none_is_left_of_one_that_is_refused(
    where: str,
) -> None:
    looking = await connected(where)

    async def connections() -> int:
        found = await looking.execute(
            b"SELECT pid FROM pg_stat_activity "
            b"WHERE datname = current_database() AND application_name LIKE 'stationmaster-%'"
        )
        return len(await found.fetchall())

    async with await open_database(where):
        assert await connections() == 1
    await looking.execute(b"UPDATE schema_version SET number = 1000")
    with pytest.raises(DatabaseTooNew):
        await open_database(where)
    async with asyncio.timeout(5):
        while await connections():  # noqa: ASYNC110 - the server says nothing when one has ended
            await asyncio.sleep(0.01)
    await looking.close()


async def test_a_newer_database_is_refused_and_stays_as_it_was(where: str, db: Database) -> None:
    await db.write(lambda tx: tx.run("UPDATE schema_version SET number = 1000"))
    with pytest.raises(DatabaseTooNew, match="version 1000"):
        await open_database(where)
    assert await db.read(lambda tx: tx.rows("SELECT number FROM schema_version")) == [(1000,)]


async def test_a_database_of_another_program_is_refused(empty: str) -> None:
    async with await connected(empty) as other:
        await other.execute(b"CREATE TABLE recipes (name TEXT)")
        with pytest.raises(DatabaseUnreadable, match="another program"):
            await open_database(empty)
        found = await other.execute(b"SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        assert await found.fetchall() == [("recipes",)]


async def test_a_log_cannot_be_emptied(db: Database, game_id: int) -> None:
    with pytest.raises(ConstraintBroken, match="never changed nor shortened"):
        await db.write(lambda tx: tx.run("TRUNCATE log CASCADE"))


async def test_a_number_that_was_brought_along_is_not_given_again(db: Database, new_game: NewGame) -> None:
    first = await new_game(db)
    await db.write(lambda tx: tx.run(f"INSERT INTO games SELECT 40, {', '.join(_OTHERS)} FROM games"))
    assert [first.id, (await new_game(db)).id] == [1, 41]
    await db.write(
        lambda tx: tx.run(f"INSERT INTO games SELECT 20, {', '.join(_OTHERS)} FROM games WHERE id = 1")
    )
    await db.write(lambda tx: tx.run("DELETE FROM games WHERE id = 41"))
    assert (await new_game(db)).id == 42
    assert [game.id for game in await games.list_games(db, 10)] == [1, 20, 40, 42]


_OTHERS = (
    "guild_id", "channel_id", "thread_id", "title", "profile", "options", "seed", "status", "created_at", "name",
)  # fmt: skip
