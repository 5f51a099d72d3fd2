"""A setting names a file or a server; what is missing, or refused, is said in a sentence without a password."""

import sys
from pathlib import Path

import pytest

from storage import Database, open_database
from storage.errors import DatabaseUnreachable, StorageError
from storage.open_database import is_server_url
from storage.postgres.connections import url_without_secrets
from tests.support.own_postgres import Server


async def opened(where: str) -> None:
    """Open what should be refused."""
    async with await open_database(where):
        pass


def test_url_names_a_server() -> None:
    files = ("games.db", "my-postgresql://host", Path("postgresql:/host/games"))
    assert [is_server_url(where) for where in files] == [False] * 3
    assert is_server_url("postgresql://host/games")
    assert is_server_url("postgres://host/games")


async def test_server_alone_is_shared(db: Database, where: str | Path) -> None:
    assert db.is_shared == is_server_url(where)
    assert db.name == (str(where) if isinstance(where, Path) else where.replace(":@", "@").partition("?")[0])


async def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("storage.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    # No other way lets Python find a package missing that is there.
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StorageError, match=r"pip install 'stationmaster\[postgres\]'"):
        await opened("postgresql://host/games")


async def test_missing_server_is_named() -> None:
    words = r"No connection to .*ann@127\.0\.0\.1:1/games: check DATABASE_URL"
    with pytest.raises(DatabaseUnreachable, match=words) as raised:
        await opened("postgresql://ann:secret@127.0.0.1:1/games?password=secret")
    assert "secret" not in str(raised.value)
    with pytest.raises(StorageError, match="check DATABASE_URL"):
        await opened("postgresql://ann@host:port/games")


async def test_missing_database_is_named(postgres: Server) -> None:
    with pytest.raises(DatabaseUnreachable, match=r'database "nowhere" does not exist'):
        await opened(postgres.at("nowhere"))


def test_name_has_no_password() -> None:
    """Not even one with signs that an address reads otherwise."""
    url = "postgresql://ann:secret@host:5432/games?password=secret"
    assert url_without_secrets(url) == "postgresql://ann@host:5432/games"
    assert url_without_secrets("postgres:///games") == "postgres:///games"
    for secret in ("sec/ret", "sec#ret", "sec?ret", "sec@ret", "[secret"):
        name = url_without_secrets(f"postgresql://ann:{secret}@host:5432/games")
        assert name.startswith("postgresql://")
        assert not any(part in name for part in ("sec", "ret"))
