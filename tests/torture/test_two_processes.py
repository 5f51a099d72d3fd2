"""Two processes want the same games; whichever writes is stopped for long, or killed, at any instant.

A post that a stopped process was about to make appears late, once, and what was posted meanwhile by the other has the
same nonce: there Discord shows the first and refuses the second. So of the same line on the wall the first counts.
"""

import asyncio
import itertools
import random
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from storage import open_database
from tests.support.own_postgres import Server
from tests.torture.aftermath import every_move_is_there_once, every_post_was_made_once, lines
from tests.torture.test_kills import started
from tests.torture.worker import TABLES

RIVAL = Path(__file__).parent / "rival.py"
LONGEST = 0.3
"""Seconds within which something happens to the process that writes, and within which it continues."""
PATIENCE = 120.0
KILLED = 0.3


class Rival:
    """A process that plays while it owns the shard, and all it has said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said: list[list[str]] = []
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            # What was cut off was not said.
            if line.endswith(b"\n"):
                self.said.append(line.decode().split())

    @property
    def writes(self) -> bool:
        known = [words[0] for words in self.said if words[0] in ("duty", "refused")]
        return known[-1:] == ["duty"]

    @property
    def moves(self) -> list[tuple[int, int]]:
        """Game and sequence of what it reports as stored."""
        return [(int(words[1]), int(words[2])) for words in self.said if words[0] == "ack"]

    async def says(self, word: str, after: int) -> None:
        """Wait until it says this, after this many lines."""
        until = asyncio.get_running_loop().time() + PATIENCE
        while not self.has_said(word, after):
            assert self._process.returncode is None, (word, self.said[-5:])
            assert asyncio.get_running_loop().time() < until, (word, after, self.said[-5:])
            await asyncio.sleep(0.005)

    def has_said(self, word: str, after: int) -> bool:
        return any(words[0] == word for words in self.said[after:])

    def signal(self, number: signal.Signals) -> None:
        """Stop, continue or kill it."""
        self._process.send_signal(number)

    async def end(self) -> None:
        """Kill it, and hear it out."""
        if self._process.returncode is None:
            self.signal(signal.SIGKILL)
        await self._process.wait()
        await self._listening


class Ring:
    """Two rivals at a time, new ones for those that were killed, and what happened to them."""

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url
        self._folder = folder
        self._seeds: Iterator[int] = itertools.count(1)
        self.rivals: list[Rival] = []
        self.stops = 0
        self.gone: list[Rival] = []

    @property
    def posts(self) -> Path:
        """The wall."""
        return self._folder / "posts"

    async def enter(self) -> None:
        """One more process."""
        seed = next(self._seeds)
        root = Path(__file__).parents[2]
        with (self._folder / f"errors.{seed}").open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, str(RIVAL), self._url, str(self.posts), str(seed)),
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                env={"PYTHONPATH": str(root)},
            )
        self.rivals.append(Rival(process))

    async def writer(self) -> Rival:
        """The process that writes now: the next that says so."""
        heard = [len(rival.said) for rival in self.rivals]
        async with asyncio.timeout(PATIENCE):
            while True:
                for rival, after in zip(self.rivals, heard, strict=True):
                    if rival.has_said("ack", after):
                        return rival
                await asyncio.sleep(0.005)

    async def round(self, chance: random.Random) -> None:
        """Something happens to the writing process, and the other takes over."""
        first = await self.writer()
        await asyncio.sleep(chance.random() * LONGEST)
        if chance.random() < KILLED:
            await self._kill(first)
            return  # the other takes over, or the newcomer
        second = next(rival for rival in self.rivals if rival is not first)
        heard = len(second.said)
        first.signal(signal.SIGSTOP)
        await second.says("ack", heard)
        await asyncio.sleep(chance.random() * LONGEST)
        await self._run_on(first)

    async def _kill(self, rival: Rival) -> None:
        await rival.end()
        self.rivals.remove(rival)
        self.gone.append(rival)
        await self.enter()

    async def _run_on(self, rival: Rival) -> None:
        """Let a process run on that was taken over from: it tries, and writes nothing."""
        # What it had said before it was stopped is heard by now.
        before, wrote = len(rival.said), rival.writes
        rival.signal(signal.SIGCONT)
        if not wrote:
            return  # the machine was so slow that the other had taken over before
        await rival.says("refused", before)
        late = [words for words in rival.said[before:] if words[0] == "ack"]
        assert len(late) <= 1, "more than the answer to what was stored before it was stopped"
        self.stops += 1

    async def end(self) -> None:
        """Kill all of them."""
        for rival in self.rivals:
            await rival.end()
        self.gone += self.rivals


@asynccontextmanager
async def ring(url: str, folder: Path) -> AsyncIterator[Ring]:
    """Two processes that want the same games; killed in the end."""
    opened = Ring(url, folder)
    try:
        for _ in range(2):
            await opened.enter()
        yield opened
    finally:
        await opened.end()


@pytest.mark.long
@pytest.mark.parametrize("seed", [1])
async def test_stopped_process_writes_nothing_late(
    postgres: Server, tmp_path: Path, kills: int, seed: int
) -> None:
    chance = random.Random(seed)
    async with postgres.fresh() as url:
        async with ring(url, tmp_path) as opened:
            for _ in range(kills):
                await opened.round(chance)
        refused = sum(words[0] == "refused" for rival in opened.gone for words in rival.said)
        assert refused >= opened.stops
        # On a busy machine the other may have taken over before the first was stopped; not every time.
        assert opened.stops or kills < 10
        drain = await started(url, opened.posts, "drain")
        assert await drain.wait() == 0
        async with await open_database(url) as db:
            await every_move_is_there_once(db, [move for rival in opened.gone for move in rival.moves])
            made = await lines(opened.posts)
            shown = list(dict.fromkeys(made))
            assert len(made) - len(shown) <= opened.stops * 2 * TABLES, (
                "more than was under way was posted late"
            )
            await every_post_was_made_once(db, shown)
