"""Benchmark of how long a player waits from a press to the next buttons.

`python -m benchmarks.presses [--log LOG] [--pause S] [--delay S]` replays operating rounds of a recorded game in the
sandbox (a local imitation of Discord). The sandbox applies Discord's rate limits and delays each request, and the
messages are older than an hour. One game is played, or six at once in one channel. A player waits `--pause` seconds
after the buttons of a position appear, then moves. The benchmark measures the time from that press or command to the
next buttons, and counts responses with status 429.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from benchmarks.calls import LOG, Table, round_bounds, running_bot
from bot.client.app import Stationmaster
from bot.sandbox.guild.world import World
from bot.sandbox.server import LoopbackServer
from bot.table.imports import moves_with_seated_players, store_recorded_game
from bot.tools.showcase import SANDBOX_TABLE
from engine.core.actions import Action
from engine.record import Record, load_record
from storage import Database

PAUSES: Final = (0.3, 1.5)
"""Seconds between the appearance of buttons and the press: of a hurried player, and of one who looks first."""
DELAY: Final = 0.15
"""Seconds by which each request to Discord is delayed."""
AGE: Final = 2 * 3_600_000
"""Age of the games' messages in milliseconds."""
ROUNDS: Final = {1: ((3, 1), (3, 2), (4, 1)), 6: ((3, 1),)}
"""By number of games: the operating rounds played in each, as (set, number)."""


class AgedWorld(World):
    """A sandbox world in which messages are created in the past."""

    ago = AGE

    def new_id(self) -> int:
        """A new snowflake id that is `ago` milliseconds old."""
        last, now = self._last_id, super().new_id()
        self._last_id = max(last + 1, now - (self.ago << 22))
        return self._last_id


def _slow(delay: float) -> Middleware:
    @web.middleware
    async def around(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path.startswith("/api/"):
            await asyncio.sleep(delay)
        return await handler(request)

    return around


async def measure(
    record: Record,
    rounds: Sequence[tuple[int, int]],
    tables: int,
    pause: float,
    delay: float,
    maximum: int | None = None,
) -> tuple[list[float], int]:
    """Seconds from each move to the next buttons in all games, and the number of responses with status 429.

    `maximum` is the most moves of each round in each game; None for all.
    """
    waits: list[float] = []
    refused_count = 0
    for number_of_set, number in rounds:
        begin, end = round_bounds(record, number_of_set, number)
        world = AgedWorld(later_message_seconds=0.0)
        async with running_bot(world, [_slow(delay)]) as (server, db, client):
            before = replace(record, actions=record.actions[:begin])
            seated = [await _seated(server, db, client, before) for _ in range(tables)]
            world.ago, server.rates.is_enforced = 0, True
            actions = record.actions[begin:end][:maximum]
            played = await asyncio.gather(
                *(_play(server, client, *at, record, actions, pause) for at in seated)
            )
            waits += [wait for table in played for wait in table]
            refused_count += server.rates.refused_count
            await seated[0][1].wait_until_idle()
    return waits, refused_count


async def _seated(
    server: LoopbackServer, db: Database, client: Stationmaster, record: Record
) -> tuple[int, Table]:
    game_id = await store_recorded_game(client.tables, record, SANDBOX_TABLE)
    table = Table(server, db, client, game_id)
    await table.wait_until_idle()
    return game_id, table


async def _play(
    server: LoopbackServer,
    client: Stationmaster,
    game_id: int,
    table: Table,
    record: Record,
    actions: Sequence[Action],
    pause: float,
) -> list[float]:
    async with client.tables.reading(game_id) as live:
        ours = moves_with_seated_players(replace(record, actions=tuple(actions)), live.seats)
    waits, began = list[float](), await table.number()
    # Moves that leave nothing to choose have been made already.
    while (made := await table.number() - began) < len(ours):
        waits.append(await _wait(table, server, ours[made:], pause))
    return waits


async def _wait(
    table: Table, server: LoopbackServer, coming_actions: Sequence[Action], pause: float
) -> float:
    action, *rest = coming_actions
    await asyncio.sleep(pause)
    number = await table.number()
    began = time.perf_counter()
    making = asyncio.create_task(table.make(action, rest))
    assert await server.world.wait_until(lambda: table.has_next_position(number), timeout=60.0), action
    waited = time.perf_counter() - began
    await making
    return waited


def row(tables: int, pause: float, seconds: Sequence[float], refused_count: int) -> str:
    """Median, 90th percentile and maximum, as a row of the printed table."""
    ordered = sorted(seconds)
    median, most = ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, len(ordered) * 9 // 10)]
    return (
        f"| {tables} | {pause:.1f} s | {len(ordered)} | {median:.2f} s | {most:.2f} s | {ordered[-1]:.2f} s "
        f"| {refused_count} |"
    )


def main() -> int:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(prog="benchmarks.presses", description=__doc__)
    parser.add_argument(
        "--log", type=Path, default=LOG, help="a log; four players of 18Chesapeake without one"
    )
    parser.add_argument("--pause", type=float, action="append", help="seconds before each move")
    parser.add_argument("--delay", type=float, default=DELAY, help="seconds that each call takes")
    parser.add_argument("--tables", type=int, choices=list(ROUNDS), help="tables at once; default: 1, then 6")
    parser.add_argument("--most", type=int, help="at most this many moves of each round")
    options = parser.parse_args()
    record = load_record(options.log.read_text("utf-8"))
    print("From a move to the next buttons:\n")
    print("| tables | pause | moves | median | 90 % | most | answers 429 |")
    print("|---|---|---|---|---|---|---|")
    for tables in [options.tables] if options.tables else ROUNDS:
        for pause in options.pause or PAUSES:
            played = measure(record, ROUNDS[tables], tables, pause, options.delay, options.most)
            print(row(tables, pause, *asyncio.run(played)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
