"""A process that is killed between a row and the state after it has stored neither."""

import asyncio
import signal
import sys
from pathlib import Path

from storage import log, open_database
from storage.positions import StoredState
from tests.storage.makers import act, move, running_game

KILLED_BETWEEN = """
import asyncio, os, signal, sys
from storage import log, open_database, positions

def killed(*_):
    # By now the new row is in the file that holds what is being written.
    os.kill(os.getpid(), signal.SIGKILL)

async def main():
    async with await open_database(sys.argv[1]) as db:
        await db.read(lambda tx: tx.row("PRAGMA cache_size = 1"))
        positions.replace_last_state = killed
        entry = log.NewLogRow("action", "x" * 500_000, "d4", "p1", 7)
        await log.commit_move(db, 1, 3, [entry], now="now", state="after 4")

asyncio.run(main())
"""


async def test_kill_between_row_and_state(path: Path) -> None:
    async with await open_database(path) as db:
        game = await running_game(db)
        await move(db, game, 1, act(), act(digest="d3"), state="after 3")
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED_BETWEEN, str(path))
    assert await process.wait() == -signal.SIGKILL
    assert path.with_name(f"{path.name}-wal").stat().st_size > 400_000
    async with await open_database(path) as db:
        assert await log.last_seq(db, game) == 3
        assert await log.stored_state(db, game) == StoredState(3, "d3", "after 3")
