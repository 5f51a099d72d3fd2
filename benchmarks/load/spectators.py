"""Benchmark of many spectators who follow one game on the board page.

`python -m benchmarks.load.spectators LOG [--spectators N] [--moves N] [--until N]` makes moves alternately without and
with spectators. The difference in the bot's processor time is the cost of the spectators.
"""

import argparse
import asyncio
import gzip
import json
import os
import socket
import sys
import tempfile
import time
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

from benchmarks.load.club import PATIENCE, Club, Table
from benchmarks.load.moves import make_confirmed
from bot.sandbox.model import Message
from bot.table.tables import Tables
from bot.web.entry.access import SESSION_COOKIE
from bot.web.entry.page_and_stream_limits import MAX_STREAMS_PER_USER
from engine.core.actions import Action
from storage import open_database

ROUNDS: Final = 4
"""Number of times that moves are made without and then with spectators."""
THEME: Final = "ours"


class Spectator:
    """A spectator's board page, which makes the same requests as the page's script."""

    def __init__(self, session: ClientSession, board: str, secret: str) -> None:
        self._session = session
        self._board = board
        self._headers = {"Cookie": f"{SESSION_COOKIE}={secret}"}
        self.seq = 0
        """Number of the move whose position is shown."""
        self.bytes = 0
        self._has: dict[str, str] = {}

    async def look(self) -> None:
        """Follow the game until cancelled."""
        async with self._session.get(f"{self._board}/events?theme={THEME}", headers=self._headers) as stream:
            async for name, data in _events(stream.content):
                if name == "position":
                    await self._show(data)

    async def _show(self, lines: list[str]) -> None:
        if len(lines) > 1:
            self.bytes += len(lines[1])
            shown = json.loads(gzip.decompress(b64decode(lines[1])))
        else:
            shown = await self._get("position", theme=THEME, **self._has)
        self._has = {"map_id": shown["map"]["id"], "market_id": shown["market"]["id"]}
        self.seq = shown["last_seq"]

    async def _get(self, path: str, **query: str) -> Any:
        url = f"{self._board}/{path}"
        async with self._session.get(url, params=query, headers=self._headers) as answer:
            answer.raise_for_status()
            self.bytes += int(answer.headers.get("Content-Length", 0))
            return await answer.json()


async def _events(lines: Any) -> AsyncIterator[tuple[str, list[str]]]:
    name, data = "", list[str]()
    async for raw in lines:
        line = raw.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            data.append(line.removeprefix("data: "))
        elif not line and data:
            yield name, data
            data = []


@asynccontextmanager
async def _looking(
    session: ClientSession, board: str, token: str, number: int
) -> AsyncIterator[list[Spectator]]:
    """Spectators who follow the game within the context and have its current position."""
    secrets = [await _opened(session, board, token) for _ in range(-(-number // MAX_STREAMS_PER_USER))]
    spectators = [Spectator(session, board, secrets[one // MAX_STREAMS_PER_USER]) for one in range(number)]
    looking = [asyncio.create_task(spectator.look()) for spectator in spectators]
    try:
        await _until(lambda: all(spectator.seq for spectator in spectators), looking)
        yield spectators
    finally:
        for task in looking:
            task.cancel()
        await asyncio.gather(*looking, return_exceptions=True)


async def _opened(session: ClientSession, board: str, token: str) -> str:
    url = f"{board.rpartition('/')[0]}/open/{token}"
    async with session.get(url, allow_redirects=False) as answer:
        return answer.cookies[SESSION_COOKIE].value


async def _until(there: Any, working: list["asyncio.Task[None]"]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not there():
            for task in working:
                if task.done():
                    task.result()
            await asyncio.sleep(0.002)


async def measure(log: Path, spectators: int, moves: int, until: int) -> None:
    """Run the benchmark and print the results."""
    port = _free_port()
    os.environ |= {"STATIONMASTER_WEB": f"http://127.0.0.1:{port}", "STATIONMASTER_WEB_PORT": str(port)}
    async with AsyncExitStack() as stack:
        where = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "games.db"
        club = await stack.enter_async_context(Club.opened(where, 1))
        await club.add_tables([log], 1, until)
        async with await open_database(where) as db:
            token = await Tables(db).board_links.spectator_token(1)
        await club.start()
        await club.wait_until_posted()
        connector = TCPConnector(limit=0)
        session = await stack.enter_async_context(
            ClientSession(connector=connector, cookie_jar=DummyCookieJar(), timeout=ClientTimeout(PATIENCE))
        )
        board = f"http://127.0.0.1:{port}/board/1"
        await _moves(club, moves, [])
        print(f"{log.stem} from move {until} on, milliseconds of processor a move:")
        for _ in range(ROUNDS):
            alone, _ = await _moves(club, moves, [])
            async with _looking(session, board, token, spectators) as found:
                seen, waits = await _moves(club, moves, found)
            print(
                f"  nobody looks: main {alone[0]:.0f}, workers {alone[1]:.0f}; {spectators} look: main {seen[0]:.0f}, "
                f"workers {seen[1]:.0f}; they cost {sum(seen) - sum(alone):.0f}; the last has a position "
                f"{sorted(waits)[len(waits) // 2]:.0f} ms after the answer to the move",
                flush=True,
            )


async def _moves(
    club: Club, number: int, spectators: list[Spectator]
) -> tuple[tuple[float, float], list[float]]:
    """Make moves; returns the bot's cost per move, and for each move the milliseconds until all spectators have it."""
    [table], [bot], waits = club.tables, club.bots, []
    await bot.cost()
    for _ in range(number):
        turn, action = _due(club, table)
        assert turn is not None
        assert action is not None
        before = spectators[0].seq if spectators else 0
        await make_confirmed(club, table, turn, action)
        answered = time.perf_counter()
        await _until(lambda: all(spectator.seq > before for spectator in spectators), [])  # noqa: B023 - done at once
        waits.append(1000 * (time.perf_counter() - answered))
        # Moves may be equal, and are never the same.
        await _until(lambda: all(_due(club, table)[1] is not one for one in (action, None)), [])  # noqa: B023
        await club.wait_until_posted()
    cost = await bot.cost()
    return (1000 * cost.main / number, 1000 * cost.workers / number), waits


def _due(club: Club, table: Table) -> tuple[Message | None, Action | None]:
    """The turn message, and the recorded action for its position; None where not available."""
    turn = club.turn_message(table)
    return turn, None if turn is None else table.next_action(turn)


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="benchmarks.load.spectators", description=__doc__)
    parser.add_argument("log", type=Path, help="a log of 18xx.games, or a record of this program")
    parser.add_argument("--spectators", type=int, default=200)
    parser.add_argument("--moves", type=int, default=10, help="moves that are made each time")
    parser.add_argument("--until", type=int, default=150, help="actions that have been made before")
    options = parser.parse_args()
    asyncio.run(measure(options.log, options.spectators, options.moves, options.until))
    return 0


if __name__ == "__main__":
    sys.exit(main())
