"""A process that is killed at any instant has lost, doubled and half done nothing: no move, no post."""

import asyncio
import random
import signal
import sys
from pathlib import Path

from storage import open_database
from tests.torture.aftermath import every_move_is_there_once, every_post_was_made_once, lines

WORKER = Path(__file__).parent / "worker.py"
LONGEST = 0.25
"""Seconds after its first move within which a process is killed."""


async def started(where: str | Path, posts: Path, seed: str) -> asyncio.subprocess.Process:
    """A running process."""
    root = str(Path(__file__).parents[2])
    return await asyncio.create_subprocess_exec(
        sys.executable,
        str(WORKER),
        str(where),
        str(posts),
        seed,
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": root},
    )


async def killed(where: str | Path, posts: Path, seed: int, chance: random.Random) -> list[tuple[int, int]]:
    """Start a process, kill it at a random instant after its first move; the moves it has acknowledged."""
    process = await started(where, posts, str(seed))
    assert process.stdout is not None
    first = await process.stdout.readline()
    await asyncio.sleep(chance.random() * LONGEST)
    process.send_signal(signal.SIGKILL)
    rest, _ = await process.communicate()
    assert process.returncode == -signal.SIGKILL, (first, rest)
    # What was cut off was not acknowledged.
    whole = (first + rest).decode().split("\n")[:-1]
    return [(int(game), int(seq)) for _, game, seq in (line.split() for line in whole)]


async def test_kills_lose_and_double_nothing(where: str | Path, tmp_path: Path, kills: int) -> None:
    chance, posts = random.Random(kills), tmp_path / "posts"
    acknowledged: list[tuple[int, int]] = []
    for number in range(kills):
        acknowledged += await killed(where, posts, number, chance)
    drain = await started(where, posts, "drain")
    assert await drain.wait() == 0
    async with await open_database(where) as db:
        await every_move_is_there_once(db, acknowledged)
        await every_post_was_made_once(db, await lines(posts))
