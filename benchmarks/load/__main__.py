"""Load benchmark with many running games at once.

`python -m benchmarks.load LOG... [--database URL] [--processes N] [--tables N] [--seconds S]`. The bot runs in separate
processes, so that its processor time is measured apart from that of the users and of the sandbox server.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from benchmarks.load.club import Club
from benchmarks.load.cold import measure_cold
from benchmarks.load.moves import Load, measure_moves

RATES = (8.0, 20.0)
"""Moves per second to measure, of all games together."""


def main() -> int:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(prog="benchmarks.load", description=__doc__)
    parser.add_argument("logs", type=Path, nargs="+", help="logs of 18xx.games, or records of this program")
    parser.add_argument("--database", help="an empty database, as postgresql://...; default: a file")
    parser.add_argument(
        "--processes", type=int, default=1, help="processes of the bot; a file has room for one"
    )
    parser.add_argument("--tables", type=int, default=200, help="running games")
    parser.add_argument("--until", type=int, default=150, help="actions that have been made in each")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long each rate is kept up")
    parser.add_argument("--rate", type=float, action="append", help="moves a second; default: 8, then 20")
    parser.add_argument(
        "--profile", type=int, help="profile the bot, and list so many of the slowest functions"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        where = options.database or Path(folder) / "games.db"
        asyncio.run(_measured(where, options))
    return 0


async def _measured(location: str | Path, options: argparse.Namespace) -> None:
    chance = random.Random(1)
    async with Club.opened(location, options.processes, profiled=options.profile is not None) as club:
        await club.add_tables(options.logs, options.tables, options.until)
        await club.start()
        await club.wait_until_posted()
        print(f"{len(club.tables)} tables of {options.until} actions", flush=True)
        cold = await measure_cold(club, min(20, len(club.tables)), chance)
        await club.wait_until_posted()
        print(
            f"  start: {cold.start:.2f} s; first question in a cold game: {_spread(cold.questions)}, "
            f"{cold.unanswered} not answered",
            flush=True,
        )
        rates = options.rate or RATES
        first = await measure_moves(club, min(rates), options.tables / min(rates))
        print(f"  the first move of each table after the start:\n{_described(first)}", flush=True)
        for rate in rates:
            load = await measure_moves(club, rate, options.seconds)
            print(f"  {rate:.0f} moves a second:\n{_described(load)}", flush=True)
            if options.profile is not None:
                print(_profiled(load, options.profile), flush=True)


def _described(load: Load) -> str:
    moves = max(1, load.moves)
    main, workers = (sum(getattr(cost, name) for cost in load.costs) for name in ("main", "workers"))
    return "\n".join(
        [
            f"    answer:        {_spread(load.answers)}",
            f"    turn message:  {_spread(load.turns)}",
            f"    board picture: {_spread(load.boards)}",
            f"    longest stall of the event loop {1000 * max(cost.stall for cost in load.costs):.0f} ms; "
            f"{load.moves} moves, {load.skipped} left out, {load.unanswered} not answered",
            f"    processor time a move: bot {1000 * (main + workers) / moves:.1f} ms "
            f"(main {1000 * main / moves:.1f}, workers {1000 * workers / moves:.1f}); "
            f"server and people {1000 * load.people / moves:.1f} ms",
        ]
    )


def _together(parts: Iterable[Mapping[str, float]]) -> Counter[str]:
    whole: Counter[str] = Counter()
    for part in parts:
        whole.update(part)
    return whole


def _profiled(load: Load, maximum: int) -> str:
    """Profile of the main processes by part of the code, and the slowest functions including their callees."""
    rooms = _together(cost.rooms for cost in load.costs)
    whole, main = rooms.total() or 1.0, sum(cost.main for cost in load.costs)
    parts = ", ".join(f"{room} {100 * spent / whole:.0f} %" for room, spent in rooms.most_common())
    longest = _together(cost.functions for cost in load.costs).most_common(maximum)
    lines = (f"{100 * spent / whole:9.2f} %  {name}" for name, spent in longest)
    return "\n".join([f"    of {main:.1f} s in the main processes: {parts}", *lines])


def _spread(seconds: Sequence[float]) -> str:
    """Median and 99th percentile in milliseconds, as text."""
    if not seconds:
        return "nothing measured"
    ordered = sorted(seconds)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.99)]
    return f"median {1000 * at[0]:.0f} ms, 99 % {1000 * at[1]:.0f} ms of {len(seconds)}"


if __name__ == "__main__":
    sys.exit(main())
