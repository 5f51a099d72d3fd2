"""Connecting to a server: who may not, and why, in a sentence without the password."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from storage import (
    DatabaseUnreachable,
    StorageError,
    open_database,
)
from storage.postgres.connections import nameless
from tests.support.own_postgres import Server, connected

NOW = "2026-01-02T03:04:05+00:00"

Cut = Callable[[bytes], bool]


async def refused(where: str) -> None:
    """Open what should be refused."""
    async with await open_database(where):
        pass


async def test_a_server_that_is_not_there_is_named_without_the_password() -> None:
    with pytest.raises(
        DatabaseUnreachable, match=r"No connection to .*ann@127\.0\.0\.1:1/games: check DATABASE_URL"
    ) as raised:
        await refused("postgresql://ann:secret@127.0.0.1:1/games?password=secret")
    assert "secret" not in str(raised.value)


async def test_a_database_that_was_not_made_is_named(postgres: Server) -> None:
    with pytest.raises(DatabaseUnreachable, match=r'database "nowhere" does not exist'):
        await refused(postgres.at("nowhere"))


async def test_a_wrong_password_is_said(postgres: Server, where: str) -> None:
    link = await connected(where)
    ((rules_file,),) = await (await link.execute(b"SHOW hba_file")).fetchall()
    rules = Path(rules_file)
    before = rules.read_text()
    await link.execute(b"CREATE ROLE stranger LOGIN PASSWORD 'right'")
    try:
        rules.write_text("local all stranger scram-sha-256\n" + before)
        await link.execute(b"SELECT pg_reload_conf()")
        # Until the server has read its rules again, the stranger comes in, and finds that it may make nothing.
        for _ in range(100):
            with pytest.raises(StorageError) as raised:
                await refused(where.replace("postgres:@", "stranger:wrong@"))
            if "authentication failed" in str(raised.value):
                break
            await asyncio.sleep(0.02)
    finally:
        rules.write_text(before)
        await link.execute(b"DROP ROLE stranger")
        await link.execute(b"SELECT pg_reload_conf()")
        await link.close()
    assert isinstance(raised.value, DatabaseUnreachable)
    assert "check DATABASE_URL" in str(raised.value)
    assert "wrong" not in str(raised.value)


async def test_an_address_that_cannot_be_read_is_said() -> None:
    with pytest.raises(StorageError, match="check DATABASE_URL"):
        await refused("postgresql://ann@host:port/games")


async def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    monkeypatch.delitem(__import__("sys").modules, "storage.postgres.database")
    with pytest.raises(StorageError, match=r"pip install 'stationmaster\[postgres\]'"):
        await refused("postgresql://host/games")


def test_no_password_is_in_the_name_of_a_database() -> None:
    assert (
        nameless("postgresql://ann:secret@host:5432/games?password=secret")
        == "postgresql://ann@host:5432/games"
    )
    assert nameless("postgres:///games") == "postgres:///games"


@pytest.mark.parametrize("secret", ["sec/ret", "sec#ret", "sec?ret", "sec@ret", "[secret"])
def test_a_password_with_signs_that_an_address_reads_otherwise_is_not_shown(secret: str) -> None:
    name = nameless(f"postgresql://ann:{secret}@host:5432/games")
    assert name.startswith("postgresql://")
    assert not any(part in name for part in ("sec", "ret"))
