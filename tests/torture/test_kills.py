"""A process that is killed at any instant has lost, doubled and half done nothing: no move, no post."""

import asyncio
import random
import signal
import sys
from collections import Counter
from pathlib import Path

from bot.table.loading import replayed
from storage import games, log, open_database
from storage.contract import Database

WORKER = Path(__file__).parent / "worker.py"
LONGEST = 0.25
"""Seconds after its first move within which a process is killed."""


async def started(where: str | Path, posts: Path, seed: str) -> asyncio.subprocess.Process:
    """A process at work."""
    support = str(Path(__file__).parents[1] / "support")
    root = str(Path(__file__).parents[2])
    return await asyncio.create_subprocess_exec(
        sys.executable,
        str(WORKER),
        str(where),
        str(posts),
        seed,
        stdout=asyncio.subprocess.PIPE,
        env={"PYTHONPATH": f"{support}:{root}"},
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


async def test_kills_at_random_instants_lose_and_double_nothing(
    where: str | Path, tmp_path: Path, kills: int
) -> None:
    chance, posts = random.Random(kills), tmp_path / "posts"
    acknowledged: list[tuple[int, int]] = []
    for number in range(kills):
        acknowledged += await killed(where, posts, number, chance)
    drain = await started(where, posts, "drain")
    assert await drain.wait() == 0
    async with await open_database(where) as db:
        await _every_move_is_there_once(db, acknowledged)
        await _every_post_was_made_once(db, posts)


async def _every_move_is_there_once(db: Database, acknowledged: list[tuple[int, int]]) -> None:
    assert len(acknowledged) == len(set(acknowledged)), "one move was stored for two"
    ends = {}
    for status in ("running", "finished"):
        for row in await games.games_in(db, status):
            rows = await log.read(db, row.id)
            assert [each.seq for each in rows] == list(range(1, len(rows) + 1))
            kept = await log.kept_state(db, row.id)
            assert kept is not None
            assert kept.seq == rows[-1].seq
            assert replayed(log.fold(rows)).fits(kept.digest)
            ends[row.id] = rows[-1].seq
    assert all(seq <= ends[game_id] for game_id, seq in acknowledged)


async def _every_post_was_made_once(db: Database, posts: Path) -> None:
    made = (await asyncio.to_thread(posts.read_text)).splitlines()
    twice = [line for line, times in Counter(made).items() if times > 1]
    assert not twice
    rows = await db.read(
        lambda tx: tx.rows("SELECT game_id, seq, kind, id FROM outbox WHERE sent_at IS NOT NULL ORDER BY id")
    )
    wanted = [" ".join(map(str, row)) for row in rows]
    assert sorted(made) == sorted(wanted)
    for lane in (("board",), ("open", "line", "turn", "end")):
        for game_id in {row[0] for row in rows}:
            here = [row for row in rows if row[0] == game_id and row[2] in lane]
            posted = [line for line in made if line.split()[0] == str(game_id) and line.split()[2] in lane]
            assert posted == [" ".join(map(str, row)) for row in here], "out of order"
