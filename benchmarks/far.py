"""Benchmark of button presses with a slow connection to the database.

`python -m benchmarks.far [LOG ...] [--delay MS ...] [--presses N]` delays each round trip to a PostgreSQL server by
some milliseconds. It measures how long users wait for the answer, the next turn message and the board. The number of
round trips is tested in `tests/bot/moves/test_round_trips.py`.
"""

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.load.moves import Load, Watch
from benchmarks.one_process_club import Club, Table

GOLDEN = Path(__file__).parents[1] / "tests/golden/18chesapeake-bank-4p.json"
DELAYS = (0.0, 1.0, 5.0)
"""Delays of a round trip to measure, in milliseconds."""
TABLES, UNTIL, RATE = 4, 60, 1.0
"""Number of running games, number of actions already made in each, and presses per second."""


def main() -> int:
    """Run the benchmark and print a table."""
    parser = argparse.ArgumentParser(prog="benchmarks.far", description=__doc__)
    parser.add_argument(
        "logs", type=Path, nargs="*", default=[GOLDEN], help="logs; an 18Chesapeake without one"
    )
    parser.add_argument("--delay", type=float, action="append", help="milliseconds more for each trip")
    parser.add_argument("--presses", type=int, default=20, help="presses for each delay")
    options = parser.parse_args()
    print("| a trip | presses | answer | turn message | board |\n|---|---|---|---|---|")
    for delay in options.delay or DELAYS:
        load = asyncio.run(_measured(options.logs, delay / 1000, options.presses))
        medians = (_median(seconds) for seconds in (load.answers, load.turns, load.boards))
        print(f"| {delay:.0f} ms | {len(load.answers)} | {' | '.join(medians)} |", flush=True)
    return 0


async def _measured(logs: Sequence[Path], delay: float, presses: int) -> Load:
    """Times that players waited with this delay in seconds."""
    from tests.support.own_postgres import running_server
    from tests.support.round_trips import way_to

    chance = random.Random(1)
    with running_server() as server:
        async with server.fresh() as url, way_to(url, delay) as (through, _), Club.opened(through) as club:
            await club.add_tables(logs, TABLES, UNTIL)
            # Statements are prepared with the first presses.
            await _pressed(club, TABLES, chance)
            return await _pressed(club, presses, chance)


async def _pressed(club: Club, presses: int, chance: random.Random) -> Load:
    """Press buttons at a steady rate, going from game to game."""
    watch = Watch()
    stop = club.server.world.listen(watch.note)
    began, jobs = time.perf_counter(), []
    for number in range(presses):
        await asyncio.sleep(max(0.0, began + number / RATE - time.perf_counter()))
        table = club.tables[number % len(club.tables)]
        jobs.append(asyncio.create_task(_press(club, table, watch, chance)))
    await asyncio.gather(*jobs)
    await club.wait_until_posted()
    stop()
    return watch.load


async def _press(club: Club, table: Table, watch: Watch, chance: random.Random) -> None:
    found = await club.move_button(table, chance)
    if found is None:
        return
    person, turn, button = found
    watch.turn_due[table.thread_id] = watch.board_due[table.thread_id] = time.perf_counter()
    result = await person.press(turn, button.custom_id or "")
    if result.ephemeral and result.ephemeral[0].buttons:
        # "Really?": nothing has moved yet.
        watch.turn_due.pop(table.thread_id, None)
        watch.board_due.pop(table.thread_id, None)


def _median(seconds: Sequence[float]) -> str:
    return f"{1000 * sorted(seconds)[len(seconds) // 2]:.0f} ms" if seconds else "none"


if __name__ == "__main__":
    sys.exit(main())
