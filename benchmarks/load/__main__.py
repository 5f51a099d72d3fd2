"""`python -m benchmarks.load LOG... [--database URL] [--tables N] [--seconds S]`: many tables at once, measured."""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.load.club import Club
from benchmarks.load.cold import measure_cold
from benchmarks.load.moves import Load, measure_moves

RATES = (8.0, 20.0)
"""Moves a second, of all tables together."""


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(prog="benchmarks.load", description=__doc__)
    parser.add_argument("logs", type=Path, nargs="+", help="logs of 18xx.games, or our own")
    parser.add_argument("--database", help="an empty database, as postgresql://...; default: a file")
    parser.add_argument("--tables", type=int, default=200, help="running games")
    parser.add_argument("--until", type=int, default=400, help="actions that have been made in each")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each rate is kept up")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = options.database or Path(folder) / "games.db"
        asyncio.run(_measured(where, options))
    return 0


async def _measured(where: str | Path, options: argparse.Namespace) -> None:
    chance = random.Random(1)
    async with Club.opened(where) as club:
        await club.fill(options.logs, options.tables, options.until)
        print(f"{len(club.tables)} tables of {options.until} actions", flush=True)
        cold = await measure_cold(club, min(20, len(club.tables)), chance)
        print(
            f"  start: {cold.start:.2f} s; first question in a cold game: {_spread(cold.questions)}",
            flush=True,
        )
        for rate in RATES:
            print(
                f"  {rate:.0f} moves a second:\n{_told(await measure_moves(club, rate, options.seconds, chance))}"
            )
            sys.stdout.flush()


def _told(load: Load) -> str:
    return "\n".join(
        [
            f"    answer:        {_spread(load.answers)}",
            f"    turn message:  {_spread(load.turns)}",
            f"    board picture: {_spread(load.boards)}",
            f"    longest stall of the event loop {1000 * load.stall:.0f} ms; "
            f"{len(load.answers)} presses, {load.skipped} left out",
        ]
    )


def _spread(seconds: Sequence[float]) -> str:
    """Median and 99th percentile in milliseconds."""
    if not seconds:
        return "nothing measured"
    ordered = sorted(seconds)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.99)]
    return f"median {1000 * at[0]:.0f} ms, 99 % {1000 * at[1]:.0f} ms of {len(seconds)}"


if __name__ == "__main__":
    sys.exit(main())
