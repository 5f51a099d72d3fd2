"""A process that is killed in the middle of appending has lost nothing that it had acknowledged."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from storage import games, log, open_database
from tests.support.unsent import unsent

ROWS_PER_MOVE = 3
APPENDER = Path(__file__).parent / "appender.py"


async def killed_after(where: str | Path, moves: int) -> list[int]:
    """Kill a process that appends once it has acknowledged `moves`; return all that it acknowledged."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(APPENDER), str(where), str(ROWS_PER_MOVE), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    acknowledged = [int(await process.stdout.readline()) for _ in range(moves)]
    process.send_signal(signal.SIGKILL)
    rest, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL
    # The last line may have been cut off; if so, it was not acknowledged.
    return acknowledged + [int(line) for line in rest.decode().split("\n")[:-1]]


@pytest.mark.parametrize("moves", [1, 7, 40])
async def test_kill_in_the_middle_of_appending(where: str | Path, moves: int) -> None:
    acknowledged = await killed_after(where, moves)
    async with await open_database(where) as db:
        game = (await games.games_in(db, "running"))[0]
        rows = await log.read(db, game.id)
        postings = await unsent(db)
        kept = await log.kept_state(db, game.id)
    assert len(acknowledged) >= moves
    # Every acknowledged move is there, and at most the one that was being committed.
    assert rows[-1].seq in (acknowledged[-1], acknowledged[-1] + ROWS_PER_MOVE)
    assert [row.seq for row in rows] == list(range(1, rows[-1].seq + 1))
    # Nothing is half there: each move has all its rows, its notice, and the state after it.
    assert (rows[-1].seq - 1) % ROWS_PER_MOVE == 0
    assert [posting.seq for posting in postings] == list(range(1, rows[-1].seq + 1, ROWS_PER_MOVE))
    assert kept is not None
    assert kept.seq == rows[-1].seq
    assert set(kept.state.split()) == {str(kept.seq)}


async def test_a_killed_process_can_be_followed_by_another(where: str | Path) -> None:
    first = await killed_after(where, 5)
    second = await killed_after(where, 5)
    assert second[0] > first[-1]
