"""A setting names a file or a server; for a server one more package is needed, and what is missing is said."""

import sys
from pathlib import Path

import pytest

from storage import Database, StorageError, open_database
from storage.open_database import on_a_server


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
def test_only_a_text_that_begins_as_a_url_names_a_server(where: str | Path, served: bool) -> None:
    assert on_a_server(where) == served


async def test_without_its_package_a_server_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _without(monkeypatch, "psycopg")
    with pytest.raises(StorageError, match=r"pip install 'stationmaster\[postgres\]'"):
        await open_database("postgresql://host/games")


async def test_a_missing_part_of_our_own_is_no_missing_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _without(monkeypatch, "storage.postgres.statements")
    with pytest.raises(ModuleNotFoundError, match="statements"):
        await open_database("postgresql://host/games")


async def test_others_may_write_to_a_server_and_not_to_a_file(db: Database, where: str | Path) -> None:
    assert db.shared == on_a_server(where)


def _without(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    """Let a module be one that is not there, from now on."""
    for name in [name for name in sys.modules if name.startswith("storage.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
