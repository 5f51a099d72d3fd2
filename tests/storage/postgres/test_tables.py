"""The tables on a server: the same as in a file, brought up to date once, and nobody else's."""

import asyncio
from pathlib import Path

import pytest

from storage import Database, games, open_database
from storage.contract import RowValues, Transaction
from storage.errors import ConstraintBroken, DatabaseTooNew, DatabaseUnreadable
from storage.migrations.schema_versions import LATEST_VERSION, migrations_from
from tests.storage.makers import change, new_game
from tests.support.earlier import restore
from tests.support.own_postgres import connected

OTHERS = "guild_id, channel_id, thread_id, title, profile, options, seed, status, created_at, name FROM games"


async def on_server(tx: Transaction) -> set[RowValues]:
    found = await tx.rows(
        "SELECT table_name, column_name, is_nullable FROM information_schema.columns "
        "WHERE table_schema = current_schema() AND table_name NOT IN ('schema_version', 'shards')"
    )
    return {(table, column, nullable == "YES") for table, column, nullable in found}


async def in_file(tx: Transaction) -> set[RowValues]:
    # The key of a table is never null, whether or not the file says so again.
    found = await tx.rows(
        """SELECT m.name, c.name, c."notnull" = 0 AND c.pk = 0
        FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"""
    )
    return {(table, column, bool(nullable)) for table, column, nullable in found}


async def test_file_has_the_same_tables(db: Database, path: Path) -> None:
    async with await open_database(path) as file:
        assert await db.read(on_server) == await file.read(in_file)


async def test_processes_make_the_tables_once(empty: str) -> None:
    async def start() -> list[int]:
        async with await open_database(empty) as db:
            return await db.numbers("SELECT number FROM schema_version")

    assert await asyncio.gather(*(start() for _ in range(4))) == [[LATEST_VERSION]] * 4


async def test_upgrade_logs_each_migration(empty: str, caplog: pytest.LogCaptureFixture) -> None:
    """Which may take longer than a move."""
    caplog.set_level("INFO", "stationmaster.storage")
    await restore(23, empty)
    async with await connected(empty) as connection:
        await connection.execute(
            b"CREATE FUNCTION unlimited() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN "
            b"IF current_setting('statement_timeout') <> '0' THEN RAISE 'limited'; END IF; END $$"
        )
        await connection.execute(
            b"CREATE EVENT TRIGGER unlimited ON ddl_command_start EXECUTE FUNCTION unlimited()"
        )
    async with await open_database(empty) as db:
        assert await db.numbers("SELECT number FROM schema_version") == [LATEST_VERSION]
        assert await db.row("SELECT current_setting('statement_timeout')") == ("10s",)
    assert caplog.messages == [
        f"the tables of the database are now at version {migration.number}"
        for migration in migrations_from(23)
    ]


@pytest.mark.parametrize("version", [23, 26])
async def test_upgraded_tables_are_those_of_a_new_one(where: str, empty: str, version: int) -> None:
    await restore(version, empty)
    async with await open_database(empty) as old, await open_database(where) as new:
        assert await old.read(rules) == await new.read(rules)
        assert await old.read(on_server) == await new.read(on_server)


async def rules(tx: Transaction) -> list[RowValues]:
    """The indexes, constraints, triggers and functions."""
    return await tx.rows(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' "
        "UNION SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace "
        "UNION SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal "
        "UNION SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1"
    )


@pytest.mark.parametrize(
    ("number", "error", "words"),
    [(22, DatabaseUnreadable, "belongs to no release"), (1000, DatabaseTooNew, "version 1000")],
)
async def test_unknown_version_is_refused(
    where: str, db: Database, number: int, error: type[Exception], words: str
) -> None:
    """It stays as it was."""
    await change(db, "UPDATE schema_version SET number = ?", number)
    with pytest.raises(error, match=words):
        await open_database(where)
    assert await db.numbers("SELECT number FROM schema_version") == [number]


async def test_database_of_another_program_is_refused(empty: str) -> None:
    async with await connected(empty) as other:
        await other.execute(b"CREATE TABLE recipes (name TEXT)")
        with pytest.raises(DatabaseUnreadable, match="another program"):
            await open_database(empty)
        found = await other.execute(b"SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        assert await found.fetchall() == [("recipes",)]


async def test_log_cannot_be_emptied(db: Database, game_id: int) -> None:
    with pytest.raises(ConstraintBroken, match="never changed nor shortened"):
        await change(db, "TRUNCATE log CASCADE")


async def test_number_is_given_once(db: Database) -> None:
    """Also one that was brought along, or whose game was deleted."""
    await new_game(db)
    await change(db, f"INSERT INTO games SELECT 40, {OTHERS}")
    assert (await new_game(db)).id == 41
    await change(db, f"INSERT INTO games SELECT 20, {OTHERS} WHERE id = 1")
    await change(db, "DELETE FROM games WHERE id = 41")
    assert (await new_game(db)).id == 42
    assert [game.id for game in await games.list_games(db, 10)] == [1, 20, 40, 42]
