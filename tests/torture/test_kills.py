"""A process that is killed or stopped at any instant has lost, doubled and half done nothing: no move, no post.

A post that a stopped process was about to make appears late, once, and what was posted meanwhile by the other has the
same nonce: there Discord shows the first and refuses the second. So of the same line on the wall the first counts.
"""

import asyncio
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from storage import open_database
from tests.support.own_postgres import Server
from tests.torture.aftermath import Acknowledged, every_move_is_there_once, every_post_was_made_once, lines
from tests.torture.worker import TABLES

WORKER = Path(__file__).parent / "worker.py"
LONGEST = 0.3
"""Seconds after its first move within which something happens to a process, and within which it continues."""
PATIENCE = 60.0
KILLED = 0.3


class Worker:
    """A process that plays while it owns the shard, and all it has said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said: list[list[str]] = []
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def started(cls, where: str | Path, posts: Path, seed: object) -> "Worker":
        return cls(
            await asyncio.create_subprocess_exec(
                *(sys.executable, str(WORKER), str(where), str(posts), str(seed)),
                stdout=asyncio.subprocess.PIPE,
                env={"PYTHONPATH": str(Path(__file__).parents[2])},
            )
        )

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            # What was cut off was not said.
            if line.endswith(b"\n"):
                self.said.append(line.decode().split())

    @property
    def moves(self) -> list[Acknowledged]:
        return [(int(words[1]), int(words[2])) for words in self.said if words[0] == "ack"]

    @property
    def writes(self) -> bool:
        known = [words[0] for words in self.said if words[0] in ("duty", "refused")]
        return known[-1:] == ["duty"]

    def has_said(self, word: str, after: int) -> bool:
        return any(words[0] == word for words in self.said[after:])

    async def says(self, word: str, after: int = 0) -> None:
        """Wait until it says this, after this many lines."""
        async with asyncio.timeout(PATIENCE):
            while not self.has_said(word, after):
                assert self._process.returncode is None, (word, self.said[-5:])
                await asyncio.sleep(0.005)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    async def continues(self) -> bool:
        """Let it run on after another took over: it tries, and writes nothing; False if that was before the stop."""
        # What it had said before it was stopped is heard by now.
        before, wrote = len(self.said), self.writes
        self._process.send_signal(signal.SIGCONT)
        if wrote:
            await self.says("refused", before)
            late = [words for words in self.said[before:] if words[0] == "ack"]
            assert len(late) <= 1, "more than the answer to what was stored before it was stopped"
        return wrote

    async def end(self, *, kill: bool = True) -> None:
        """Kill it, or wait for it, and hear it out."""
        if kill:
            self._process.send_signal(signal.SIGKILL)
        assert await self._process.wait() == (-signal.SIGKILL if kill else 0), self.said[-5:]
        await self._listening


async def nothing_is_lost(where: str | Path, posts: Path, workers: Sequence[Worker], stops: int = 0) -> None:
    drain = await Worker.started(where, posts, "drain")
    await drain.end(kill=False)
    async with await open_database(where) as db:
        await every_move_is_there_once(db, [move for worker in workers for move in worker.moves])
        made = await lines(posts)
        shown = list(dict.fromkeys(made))
        assert len(made) - len(shown) <= stops * 2 * TABLES, "more than was under way was posted late"
        await every_post_was_made_once(db, shown)


async def test_kills_lose_and_double_nothing(where: str | Path, tmp_path: Path, kills: int) -> None:
    chance, posts = random.Random(kills), tmp_path / "posts"
    workers: list[Worker] = []
    for number in range(kills):
        workers.append(await Worker.started(where, posts, number))
        await workers[-1].says("ack")
        await asyncio.sleep(chance.random() * LONGEST)
        await workers[-1].end()
        assert not workers[-1].has_said("met", 0)
    await nothing_is_lost(where, posts, workers)


async def writer(workers: Sequence[Worker]) -> Worker:
    """The process that writes now: the next that says so."""
    heard = [len(worker.said) for worker in workers]
    async with asyncio.timeout(PATIENCE):
        while True:
            for worker, after in zip(workers, heard, strict=True):
                if worker.has_said("ack", after):
                    return worker
            await asyncio.sleep(0.005)


@pytest.mark.long
async def test_stopped_process_writes_nothing_late(postgres: Server, tmp_path: Path, kills: int) -> None:
    """Two want the same games; the one that writes is killed, or stopped until the other has taken over."""
    chance, posts, stops = random.Random(1), tmp_path / "posts", 0
    async with postgres.fresh() as url:
        running = [await Worker.started(url, posts, seed) for seed in (1, 2)]
        everybody = list(running)
        for seed in range(3, kills + 3):
            first = await writer(running)
            await asyncio.sleep(chance.random() * LONGEST)
            if chance.random() < KILLED:
                await first.end()
                running[running.index(first)] = await Worker.started(url, posts, seed)
                everybody += [worker for worker in running if worker not in everybody]
                continue
            [second] = [worker for worker in running if worker is not first]
            heard = len(second.said)
            first.stop()
            await second.says("ack", heard)
            await asyncio.sleep(chance.random() * LONGEST)
            stops += await first.continues()
        for worker in running:
            await worker.end()
        # On a busy machine the other may have taken over before the first was stopped; not every time.
        assert stops or kills < 10
        await nothing_is_lost(url, posts, everybody, stops)
