"""Database files, and what becomes of them."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from storage import log, open_database


async def opened(path: Path) -> None:
    """Open and close; were a file not refused that should be, its thread must not outlive the test."""
    async with await open_database(path):
        pass


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a database, without those that only processes sharing it need."""
    found = [
        file for file in folder.iterdir() if file.is_file() and not file.name.endswith(("-shm", ".lock"))
    ]
    return {file.name: file.read_bytes() for file in found}


def killed(path: Path, folder: Path, *, log: bool = True) -> Path:
    folder.mkdir()
    for name in (path.name, f"{path.name}-wal") if log else (path.name,):
        shutil.copy(path.with_name(name), folder / name)
    return folder / path.name


def run(path: Path, statement: str) -> None:
    """Open the file as any tool does, run a statement, and close it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as tool:
        tool.execute(statement).fetchall()


async def last_moves(path: Path) -> int:
    """The last row of the first game."""
    async with await open_database(path) as db:
        return await log.last_seq(db, 1)
