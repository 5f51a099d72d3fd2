"""`python -m benchmarks.presses [--log LOG] [--pause S]`: how long a person waits for the next buttons.

Operating rounds of a recorded game are played at a table of the sandbox while it keeps the rate limits of the real
service. Each move is made as soon as the buttons of the position are there, and a pause has passed; measured is the
time from the press, or the command, until the buttons of the next position are there.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.calls import LOG, UNHURRIED, Table, stretch
from bot.client.app import Stationmaster
from bot.client.pace import Pace
from bot.sandbox import people
from bot.sandbox.point import pointed_at
from bot.sandbox.server import LoopbackServer
from bot.table.recorded import add_recorded, renamed
from bot.tools.show import PLACE
from engine.core.actions import Action
from engine.record import Record, load_record
from storage import open_database

PAUSE: Final = 0.3
"""Seconds from the sight of the buttons to the press, of somebody who knows what to do."""
ROUNDS: Final = ((3, 1), (3, 2), (4, 1))
"""Operating rounds that are played unless others are named."""


async def measure(record: Record, rounds: Sequence[tuple[int, int]], pause: float) -> list[float]:
    """Seconds from each move to the buttons of the next position."""
    waits: list[float] = []
    for number_of_set, number in rounds:
        begin, end = stretch(record, number_of_set, number)
        waits += await _round(record, begin, end, pause)
    return waits


async def _round(record: Record, begin: int, end: int, pause: float) -> list[float]:
    with TemporaryDirectory() as folder:
        async with LoopbackServer() as server, await open_database(Path(folder) / "games.db") as db:
            with pointed_at(server.url):
                client = Stationmaster(db, guild_ready_timeout=0.02, sync_always=True, pace=Pace(UNHURRIED))
                async with client:
                    running = asyncio.create_task(client.start(server.token))
                    await client.wait_until_ready()
                    before = replace(record, actions=record.actions[:begin])
                    game_id = await add_recorded(client.tables, before, PLACE)
                    table = Table(server, db, client, game_id)
                    await table.at_rest()
                    async with client.tables.reading(game_id) as live:
                        actions = renamed(record, live.seats)[begin:end]
                    server.rates.kept = True
                    waits = [await _wait(table, server, action, pause) for action in actions]
                    server.rates.kept = False
                    await table.at_rest()
                    await client.close()
                    await running
                    return waits


async def _wait(table: Table, server: LoopbackServer, action: Action, pause: float) -> float:
    await asyncio.sleep(pause)
    number = await table.number()
    began = time.perf_counter()
    making = asyncio.create_task(table.make(action))
    assert await server.world.until(lambda: table.shows(number + 1), timeout=60.0), action
    waited = time.perf_counter() - began
    await making
    return waited


def spread(seconds: Sequence[float]) -> str:
    """Median, 90th percentile and most."""
    ordered = sorted(seconds)
    median, most = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)]
    return f"median {median:.2f} s, 90 % {most:.2f} s, most {ordered[-1]:.2f} s of {len(ordered)} moves"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="benchmarks.presses", description=__doc__)
    parser.add_argument(
        "--log", type=Path, default=LOG, help="a log; four players of 18Chesapeake without one"
    )
    parser.add_argument("--pause", type=float, default=PAUSE, help="seconds before each move")
    options = parser.parse_args()
    people.GRACE = 0.0
    record = load_record(options.log.read_text("utf-8"))
    print(f"from a move to the next buttons: {spread(asyncio.run(measure(record, ROUNDS, options.pause)))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
