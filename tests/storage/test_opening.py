"""A setting names a file or a server; what is missing, or refused, is said in a sentence without a password."""

import sys
from pathlib import Path

import pytest

from storage import Database, open_database
from storage.errors import DatabaseUnreachable, StorageError
from storage.open_database import on_a_server
from storage.postgres.connections import url_without_secrets
from tests.support.own_postgres import Server


async def opened(where: str) -> None:
    """Open what should be refused."""
    async with await open_database(where):
        pass


@pytest.mark.parametrize(
    ("where", "served"),
    [
        ("postgresql://host/games", True),
        ("postgres://host/games", True),
        ("games.db", False),
        ("my-postgresql://host", False),
        (Path("postgresql:/host/games"), False),
    ],
)
def test_url_names_a_server(where: str | Path, served: bool) -> None:
    assert on_a_server(where) == served


async def test_server_alone_is_shared(db: Database, where: str | Path) -> None:
    assert db.shared == on_a_server(where)
    assert db.name == (str(where) if isinstance(where, Path) else where.replace(":@", "@").partition("?")[0])


@pytest.mark.parametrize(
    ("missing", "error", "words"),
    [
        ("psycopg", StorageError, r"pip install 'stationmaster\[postgres\]'"),
        ("storage.postgres.statements", ModuleNotFoundError, "statements"),  # a part of our own
    ],
)
async def test_missing_package_is_named(
    monkeypatch: pytest.MonkeyPatch, missing: str, error: type[Exception], words: str
) -> None:
    for name in [name for name in sys.modules if name.startswith("storage.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    # No other way lets Python find a package missing that is there.
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(error, match=words):
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


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://ann:secret@host:5432/games?password=secret", "postgresql://ann@host:5432/games"),
        ("postgres:///games", "postgres:///games"),
    ],
)
def test_name_has_no_password(url: str, shown: str) -> None:
    assert url_without_secrets(url) == shown


@pytest.mark.parametrize("secret", ["sec/ret", "sec#ret", "sec?ret", "sec@ret", "[secret"])
def test_odd_password_is_not_shown(secret: str) -> None:
    """With signs that an address reads otherwise."""
    name = url_without_secrets(f"postgresql://ann:{secret}@host:5432/games")
    assert name.startswith("postgresql://")
    assert not any(part in name for part in ("sec", "ret"))
