"""Benchmark of how long one game waits while the bot answers a heavy question in another game.

`python -m benchmarks.questions [--log LOG] [--at N]` opens two games in the sandbox (a local imitation of Discord): a
long recorded game after N moves, in which a player asks, and a short one that is played on meanwhile. It measures the
time from each press or command in the short game to the buttons of the next position, and the time until the question
is answered. It compares worker processes, threads in their place, and no question at all.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from benchmarks.calls import LOG, Table, running_bot, unhurried
from bot.client.app import Stationmaster
from bot.client.thread.final_posts import files_heading
from bot.sandbox.guild.interactions import has_bot_answered
from bot.sandbox.guild.person import Person
from bot.sandbox.guild.world import World
from bot.sandbox.model import Upload
from bot.sandbox.server import LoopbackServer
from bot.table.imports import moves_with_seated_players, store_recorded_game
from bot.tools.showcase import SANDBOX_TABLE
from bot.workers.worker import PRELOADED_MODULES
from bot.workers.workers import Workers
from engine.core.actions import Action
from engine.record import Record, load_record
from storage import Database

LONG: Final = max(Path("tests/golden").glob("*.json"), key=lambda log: log.stat().st_size, default=Path())
SECONDS: Final = 300.0
"""The most seconds to wait for an answer."""
END: Final = "the last move"
"""Used in place of a command: the last move of the long game is made, and all final messages are posted."""
IMPORT: Final = "/game import"
"""The command that is used in the channel; all others are used in the thread of the long game."""
QUESTIONS: Final[Mapping[str, tuple[str, dict[str, object]]]] = {
    "nothing": ("", {}),
    "/map": ("map", {"around": "all"}),
    "/map at:": ("map", {"at": 1800}),
    "/log": ("log", {}),
    "/chart": ("chart", {}),
    "/run": ("run", {}),
    "/what-if": ("what-if", {}),
    "/game export": ("game export", {}),
    IMPORT: ("game import", {"file": LONG}),
    "the end of a game": (END, {}),
}
"""Commands with their options, by their names in the printed table."""


@dataclass
class Waited:
    """Seconds of each move in the short game during a question, and of each answer to the question."""

    others: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)

    def row(self, question: str, way: str) -> str:
        """The times as a row of the printed table."""
        ordered = sorted(self.others) or [0.0]
        return (
            f"| {question} | {way} | {len(self.others)} | {ordered[len(ordered) // 2]:.2f} s | {ordered[-1]:.2f} s "
            f"| {max(self.answers, default=0.0):.2f} s |"
        )


class TwoTables:
    """A bot with two games: a long one with questions, and a short one with moves."""

    def __init__(self, server: LoopbackServer, db: Database, client: Stationmaster) -> None:
        self._server, self._db, self._client = server, db, client
        self.asked = 0
        self._asker = 0
        self._other: Table | None = None
        self._actions: Iterator[Action] = iter(())
        self._long: Record | None = None

    @classmethod
    @asynccontextmanager
    async def opened(cls, workers: Workers) -> AsyncIterator["TwoTables"]:
        """A bot with these workers, which are started first."""
        await workers.start()
        world = World(later_message_seconds=0.0, answer_seconds=SECONDS)
        async with running_bot(world, ping_delay=0, workers=workers) as (server, db, client):
            yield cls(server, db, client)

    async def add_games(self, long: Record, at: int, short: Record) -> None:
        """Start the long game after `at` moves, and the short one from its beginning."""
        self._long = long
        number, table = await self._seated(replace(long, actions=long.actions[:at]))
        async with self._client.tables.reading(number) as live:
            self.asked, self._asker = table.thread, live.user_of(live.game.actors()[0])
        number, self._other = await self._seated(replace(short, actions=()))
        async with self._client.tables.reading(number) as live:
            self._actions = iter(moves_with_seated_players(short, live.seats))

    async def _seated(self, record: Record) -> tuple[int, Table]:
        with unhurried():
            number = await store_recorded_game(self._client.tables, record, SANDBOX_TABLE)
        table = Table(self._server, self._db, self._client, number)
        await table.wait_until_idle()
        return number, table

    async def measure(self, question: str, moves: int, waited: Waited) -> None:
        """Ask a question, and play the short game until the answer, or for `moves` moves."""
        command, values = QUESTIONS[question]
        asking = None
        if command == END:
            asking = asyncio.create_task(self._end(*await self._before_the_end()))
        elif command:
            where = SANDBOX_TABLE.channel_id if question == IMPORT else self.asked
            asking = asyncio.create_task(self._ask(where, command, values))
        # The question has reached the bot by then.
        await asyncio.sleep(0.1)
        for _ in range(moves):
            if asking is not None and asking.done():
                break
            waited.others.append(await self._move())
        if asking is not None:
            waited.answers.append(await asking)

    async def _ask(self, where: int, command: str, values: Mapping[str, object]) -> float:
        began = time.perf_counter()
        person = Person(self._server.world, self._server.world.user(self._asker))
        result = await person.slash(where, command, **{name: _sent(one) for name, one in values.items()})
        answered = await self._server.world.wait_until(
            lambda: has_bot_answered(self._server.world, result.interaction), timeout=SECONDS
        )
        assert answered, (command, result)
        return time.perf_counter() - began

    async def _before_the_end(self) -> tuple[Table, Action]:
        """A copy of the long game before its last move, and that move."""
        assert self._long is not None
        number, table = await self._seated(replace(self._long, actions=self._long.actions[:-1]))
        async with self._client.tables.reading(number) as live:
            return table, list(moves_with_seated_players(self._long, live.seats))[-1]

    async def _end(self, table: Table, action: Action) -> float:
        """Make the last move; returns the seconds until everything is posted."""
        began = time.perf_counter()
        await table.make(action)
        world, (papers, _) = self._server.world, files_heading(0).split("0")
        posted = await world.wait_until(
            lambda: any(message.content.startswith(papers) for message in world.history(table.thread)),
            timeout=SECONDS,
        )
        assert posted, action
        return time.perf_counter() - began

    async def _move(self) -> float:
        table = self._other
        assert table is not None
        number, action = await table.number(), next(self._actions)
        began = time.perf_counter()
        making = asyncio.create_task(table.make(action))
        assert await self._server.world.wait_until(
            lambda: table.has_next_position(number), timeout=SECONDS
        ), action
        waited = time.perf_counter() - began
        await making
        return waited


def _sent(value: object) -> object:
    """An option's value as Discord's client sends it; a file is uploaded."""
    return Upload(value.name, value.read_bytes()) if isinstance(value, Path) else value


async def measure(
    long: Record, at: int, short: Record, questions: Sequence[str], moves: int, rounds: int
) -> None:
    """Ask all questions with worker processes, then with threads, and print the times."""
    for way, workers in (
        ("processes", Workers.of_processes(modules=PRELOADED_MODULES)),
        ("threads", Workers()),
    ):
        waits = {question: Waited() for question in questions}
        async with TwoTables.opened(workers) as room:
            await room.add_games(long, at, short)
            for _ in range(rounds):
                for question, waited in waits.items():
                    await room.measure(question, moves, waited)
        for question, waited in waits.items():
            print(waited.row(question, way), flush=True)


def main() -> int:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(prog="benchmarks.questions", description=__doc__)
    parser.add_argument("--log", type=Path, default=LONG, help="the game about which is asked")
    parser.add_argument("--at", type=int, default=3602, help="after how many of its moves")
    parser.add_argument(
        "--question", action="append", choices=list(QUESTIONS), help="all, unless some are named"
    )
    parser.add_argument(
        "--moves", type=int, default=3, help="moves at the other table while one is answered, at most"
    )
    parser.add_argument("--rounds", type=int, default=1, help="how often each is asked")
    options = parser.parse_args()
    print("From a move at another table to its next buttons, while a question is answered:\n")
    print("| question | heavy work in | moves | median | most | the answer |")
    print("|---|---|---|---|---|---|")
    long, short = (load_record(log.read_text("utf-8")) for log in (options.log, LOG))
    questions = options.question or list(QUESTIONS)
    asyncio.run(measure(long, options.at, short, questions, options.moves, options.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
