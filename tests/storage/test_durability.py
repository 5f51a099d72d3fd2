"""A process that is killed in the middle of appending has lost nothing that it had acknowledged."""

import asyncio
import signal
import sys
from pathlib import Path

from storage import games, log, open_database
from storage.positions import StoredState
from tests.storage.makers import act, move, running_game
from tests.support.unsent import unsent

ROWS_PER_MOVE = 3
PATIENCE = 60.0
ROOT = Path(__file__).parents[2]
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
        entry = log.Entry("action", "x" * 500_000, "d4", "p1", 7)
        await log.commit_move(db, 1, 3, [entry], now="now", state="after 4")

asyncio.run(main())
"""


async def killed_after(where: str | Path, moves: int) -> list[int]:
    """Kill a process that appends once it has acknowledged `moves`; return all that it acknowledged."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.storage.appender", str(where), str(ROWS_PER_MOVE)),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
    )
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        acknowledged = [int(await process.stdout.readline()) for _ in range(moves)]
    process.send_signal(signal.SIGKILL)
    rest, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL
    # The last line may have been cut off; if so, it was not acknowledged.
    return acknowledged + [int(line) for line in rest.decode().split("\n")[:-1]]


async def test_kill_loses_nothing_acknowledged(where: str | Path) -> None:
    acknowledged = await killed_after(where, 7)
    async with await open_database(where) as db:
        game = (await games.games_with_status(db, "running"))[0]
        rows = await log.read_rows(db, game.id)
        postings = await unsent(db)
        kept = await log.stored_state(db, game.id)
    last = rows[-1].seq
    assert len(acknowledged) >= 7
    # Every acknowledged move is there, and at most the one that was being committed.
    assert last in (acknowledged[-1], acknowledged[-1] + ROWS_PER_MOVE)
    assert [row.seq for row in rows] == list(range(1, last + 1))
    # Nothing is half there: each move has all its rows, its notice, and the state after it.
    assert (last - 1) % ROWS_PER_MOVE == 0
    assert [posting.seq for posting in postings] == list(range(1, last + 1, ROWS_PER_MOVE))
    assert kept is not None
    assert kept.seq == last
    assert set(kept.state.split()) == {str(last)}
    assert (await killed_after(where, 1))[0] > acknowledged[-1], "another process can follow"


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
