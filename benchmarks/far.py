"""`python -m benchmarks.far [LOG ...] [--delay MS ...] [--presses N]`: presses while the database is some way off.

Each round trip to the PostgreSQL server takes N milliseconds more; counted is how long people wait for the answer,
the next turn message and the board. How many trips these are is counted by `tests/bot/moves/test_round_trips.py`.
"""

import argparse
import asyncio
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.one_process.club import Club
from benchmarks.one_process.moves import Load, measure_moves

GOLDEN = Path(__file__).parents[1] / "tests/golden/18chesapeake-bank-4p.json"
DELAYS = (0.0, 1.0, 5.0)
"""Milliseconds."""
TABLES, UNTIL, RATE = 4, 60, 1.0
"""Running games, the actions made in each, and presses a second."""


def main() -> int:
    """Measure and print."""
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
    """How long people waited."""
    from tests.support.own_postgres import running_server
    from tests.support.round_trips import way_to

    chance = random.Random(1)
    with running_server() as server:
        async with server.fresh() as url, way_to(url, delay) as (through, _), Club.opened(through) as club:
            await club.fill(logs, TABLES, UNTIL)
            # Statements are prepared with the first presses.
            await measure_moves(club, RATE, TABLES / RATE, chance)
            return await measure_moves(club, RATE, presses / RATE, chance)


def _median(seconds: Sequence[float]) -> str:
    return f"{1000 * sorted(seconds)[len(seconds) // 2]:.0f} ms" if seconds else "none"


if __name__ == "__main__":
    sys.exit(main())
