"""Benchmark of recorded games, with a summary for each title: replay, listing of legal lays, and best routes.

`python -m benchmarks LOG... [--json FILE] [--large N]`. With --large, it also searches best routes on N synthetic
boards as large as the largest printed ones. With --developed, it also lists lays on randomly developed boards of titles
with at least N hexes. With --pictures and --pages, it also measures pictures and the board page. With --reloads and
--cold, it also measures the memory of live games, memory left after N reloads, and a start with N games.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.developed import LayList, measure_developed
from benchmarks.measure import Measured, measure
from benchmarks.pages import measure_page, report_page
from benchmarks.pictures import measure_pictures, report
from benchmarks.synthetic import CHAINS, SETS, STOPS, LargeBoard, measure_large
from benchmarks.tables import ColdStart, Memory, measure_tables
from engine.titles import TITLES

TABLES = 7
"""Approximate number of logs used to measure live games, if more are given."""


def main() -> int:
    """Run the benchmarks and print the results; returns 1 if a best run is not proven, or below the recorded run."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("logs", type=Path, nargs="*", help="logs of 18xx.games, or records of this program")
    parser.add_argument("--json", type=Path, help="also write every measurement to this file")
    parser.add_argument("--large", type=int, default=0, help="also search this many large boards")
    parser.add_argument("--developed", type=int, default=0, help="also build up boards of so many hexes")
    parser.add_argument("--reloads", type=int, default=0, help="also reload games so often")
    parser.add_argument("--cold", type=int, default=0, help="also start with so many running games")
    parser.add_argument(
        "--pictures", type=Path, nargs="*", default=[], help="also draw these games of our own"
    )
    parser.add_argument(
        "--pages", type=Path, nargs="*", default=[], help="also look at these on the board page"
    )
    options = parser.parse_args()
    measured = measure(options.logs)
    if options.json:
        options.json.write_text(json.dumps(asdict(measured)), "utf-8")
    for title in dict.fromkeys(replay.title for replay in measured.replay):
        print(_report(measured, title))
    large = measure_large(options.large)
    if large:
        print(_report_large(large))
    for name in _with_hexes(options.developed):
        print(_report_developed(name, measure_developed(name)))
    if options.reloads or options.cold:
        some = options.logs[:: max(1, len(options.logs) // TABLES)]
        print(_report_tables(*measure_tables(some, options.reloads, options.cold)))
    for log in options.pictures:
        print(report(measure_pictures(log), log))
    for log in options.pages:
        print(report_page(measure_page(log), log))
    is_proven = all(item.found.is_proven for item in large)
    return 0 if is_proven and all(r.is_proven and r.best >= r.recorded for r in measured.routes) else 1


def _report(measured: Measured, title: str) -> str:
    games = [replay for replay in measured.replay if replay.title == title]
    names = {replay.log for replay in games}
    lays = [item for item in measured.lays if item.log in names]
    routes = [item for item in measured.routes if item.title == title]
    per_action = [1000 * game.ms / game.actions for game in games]
    below = sum(item.recorded < item.best for item in routes)
    return "\n".join(
        [
            f"{title}: {len(games)} games, {sum(game.actions for game in games)} actions",
            f"  replay, per action:   {_spread([us / 1000 for us in per_action])}",
            f"  list all legal lays:  {_spread([item.ms for item in lays])} of {len(lays)} positions",
            f"  best routes:          {_spread([item.ms for item in routes])} of {len(routes)} positions",
            f"  proven {sum(item.is_proven for item in routes)}, below the recorded run "
            f"{sum(item.best < item.recorded for item in routes)}, recorded below the best {below}",
        ]
    )


def _report_large(large: Sequence[LargeBoard]) -> str:
    lines = [f"boards of {STOPS} stops and {CHAINS} chains:"]
    for trains in SETS:
        same_trains = [item for item in large if item.trains == trains]
        is_proven = sum(item.found.is_proven for item in same_trains)
        spread = _spread([item.ms for item in same_trains])
        lines.append(
            f"  {', '.join(trains) + ':':<21} {spread} of {len(same_trains)} boards, proven {is_proven}"
        )
    return "\n".join(lines)


def _with_hexes(minimum: int) -> list[str]:
    """Titles whose maps have at least this many hexes; none if `minimum` is 0."""
    return [name for name, title in TITLES.items() if minimum and len(title.spec.map.all_hexes) >= minimum]


def _report_developed(title: str, listed: Sequence[LayList]) -> str:
    spread, most = _spread([item.ms for item in listed]), max(item.lays for item in listed)
    lays = f"  list all legal lays:  {spread} of {len(listed)} positions, up to {most} lays"
    return f"the board of {title}, built up:\n{lays}"


def _report_tables(memory: Memory, cold: ColdStart) -> str:
    return "\n".join(
        [
            "tables:",
            f"  memory of a live game: {memory.live:.0f} KB; {memory.reloads} reloads leave "
            f"{memory.grown} blocks",
            f"  cold start with {cold.games} games: {cold.started:.2f} s, reviewed in {cold.reviewed:.2f} s; "
            f"first answer {cold.first * 1000:.0f} ms, slowest {cold.slowest * 1000:.0f} ms",
        ]
    )


def _spread(values: Sequence[float]) -> str:
    """Median, 99th percentile and maximum of times in milliseconds, as text."""
    if not values:
        return "nothing measured"
    ordered = sorted(values)
    at = [ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.99)]
    return f"median {at[0]:.2f} ms, 99 % {at[1]:.2f} ms, worst {ordered[-1]:.2f} ms"


if __name__ == "__main__":
    sys.exit(main())
