"""The workbench: one piece at a time, moves before questions, servers in turn."""

import asyncio

import pytest

from bot.client.workbench import MOST_WAITING, MOVES_IN_A_ROW, Line, Rank, Workbench
from bot.table.errors import Refused

ASKED = Rank.QUESTION
MOVED = Rank.MOVE


class Pieces:
    """Pieces of work that are noted when they are done; the first holds the bench until it is let go."""

    def __init__(self) -> None:
        self.bench = Workbench()
        self.done: list[str] = []
        self._go_on = asyncio.Event()
        self._jobs: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Occupy the bench."""

        async def hold() -> None:
            async with self.bench.turn(Line(ASKED, 0)):
                await self._go_on.wait()

        self._jobs.append(asyncio.create_task(hold()))
        await asyncio.sleep(0)

    async def add(self, name: str, rank: Rank, server: int = 1) -> "asyncio.Task[None]":
        """Queue a piece."""

        async def work() -> None:
            await self.bench.do(Line(rank, server), lambda: self.done.append(name))

        self._jobs.append(asyncio.create_task(work()))
        await asyncio.sleep(0)
        return self._jobs[-1]

    async def all_done(self) -> list[str]:
        """Let go, and wait for everything; in which order it was done."""
        self._go_on.set()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        return self.done


@pytest.fixture
async def pieces() -> Pieces:
    made = Pieces()
    await made.begin()
    return made


async def test_moves_go_before_questions_that_came_first(pieces: Pieces) -> None:
    await pieces.add("map", ASKED)
    await pieces.add("market", ASKED)
    await pieces.add("board", MOVED)
    assert await pieces.all_done() == ["board", "map", "market"]


async def test_servers_take_turns_however_many_one_asks(pieces: Pieces) -> None:
    for number in range(5):
        await pieces.add(f"flood {number}", MOVED, server=666)
    await pieces.add("board", MOVED, server=1)
    assert (await pieces.all_done())[:2] == ["flood 0", "board"]


async def test_questions_get_their_turn_while_moves_go_on_and_on(pieces: Pieces) -> None:
    for number in range(20):
        await pieces.add(f"board {number}", MOVED)
    await pieces.add("map", ASKED)
    assert (await pieces.all_done()).index("map") == MOVES_IN_A_ROW


async def test_of_one_server_so_many_questions_wait_and_no_more(pieces: Pieces) -> None:
    for number in range(MOST_WAITING):
        await pieces.add(f"map {number}", ASKED, server=666)
    one_more = await pieces.add("too many", ASKED, server=666)
    await pieces.add("other", ASKED, server=1)
    await pieces.add("board", MOVED, server=666)
    assert len(await pieces.all_done()) == MOST_WAITING + 2
    with pytest.raises(Refused, match="Ask again in a moment"):
        await one_more


async def test_who_gives_up_waiting_is_passed_over(pieces: Pieces) -> None:
    gone = await pieces.add("gone", MOVED)
    await pieces.add("board", MOVED)
    gone.cancel()
    assert await pieces.all_done() == ["board"]
    assert len(pieces.bench) == 0


async def test_who_gives_up_just_when_called_passes_the_turn_on() -> None:
    bench, order = Workbench(), []

    async def work(name: str) -> None:
        async with bench.turn(Line(MOVED, 1)):
            order.append(name)

    async with bench.turn(Line(MOVED, 1)):
        called, other = asyncio.create_task(work("called")), asyncio.create_task(work("other"))
        await asyncio.sleep(0)
    called.cancel()  # its turn has come, and it has not taken it yet
    await asyncio.wait({called, other}, timeout=5)
    assert order == ["other"]
    async with asyncio.timeout(5), bench.turn(Line(ASKED, 2)):
        pass


async def test_a_piece_that_fails_frees_the_bench(pieces: Pieces) -> None:
    with pytest.raises(ZeroDivisionError):
        await asyncio.gather(pieces.all_done(), pieces.bench.do(Line(MOVED, 1), lambda: 1 // 0))
    assert await pieces.bench.do(Line(MOVED, 1), lambda: 1) == 1
