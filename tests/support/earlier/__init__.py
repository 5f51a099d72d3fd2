"""Databases that earlier versions of the program wrote (`tests/earlier`), in files and on servers."""

import lzma
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.support.own_postgres import connected

FOLDER: Final = Path(__file__).parents[2] / "earlier"
COMMITS: Final = {
    4: "4bbf27ac",  # 0.1.0
    5: "f5d74a94",  # 0.2.0
    23: "a11ef150",  # 0.3.0
    26: "8b857aa3",
}
"""The commit of each release, by the version of its tables, and of the oldest version since that is opened."""


def write_database(version: int, path: Path) -> None:
    path.write_bytes(lzma.decompress((FOLDER / f"{version}.db.xz").read_bytes()))


SECTIONS: Final = "\n-- next section\n"
"""Between tables, rows and rules in what `pg_dump` has written."""


async def restore(version: int, url: str, *, rows: bool = True) -> None:
    """Fill an empty database on a server with what one of a version had, or with its tables alone."""
    sections = lzma.decompress((FOLDER / f"{version}.sql.xz").read_bytes()).decode().split(SECTIONS)
    if not rows:
        sections[1] = f"INSERT INTO public.schema_version VALUES ({version})"
    async with await connected(url) as link:
        for section in sections:
            await link.execute(section.encode())


def empty_of(version: int, path: Path) -> sqlite3.Connection:
    """Make a database at this path with the tables of a version, and no rows in them."""
    with TemporaryDirectory() as folder:
        full = Path(folder) / "full.db"
        write_database(version, full)
        with closing(sqlite3.connect(full)) as conn:
            made = conn.execute(
                "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
            ).fetchall()
            ((application,),) = conn.execute("PRAGMA application_id").fetchall()
    conn = sqlite3.connect(path, isolation_level=None)
    conn.execute("BEGIN")
    for (statement,) in made:
        conn.execute(statement)
    conn.execute("COMMIT")
    conn.execute(f"PRAGMA application_id = {application}")
    conn.execute(f"PRAGMA user_version = {version}")
    return conn
