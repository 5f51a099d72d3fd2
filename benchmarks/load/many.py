"""Benchmark of a bot with many running games that nobody plays.

`python -m benchmarks.load.many LOG... [--games N] [--opened N]` stores many copies of recorded games in a database and
starts the bot on it. Then it opens games one after another. It prints the seconds until the bot is connected, the
processor time for preparing the titles, the processor time for the first question in a game (the first game of each
title counts separately), and this process's resident memory.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from benchmarks.calls import unhurried
from benchmarks.load.club import Club
from bot.table.imports import read_recorded_game, store_recorded_game
from bot.table.tables import Tables
from bot.table.warming import fill_title_caches
from bot.tools.showcase import SANDBOX_TABLE
from engine.tell.view_builders import map_view
from storage import Database, Transaction, games, open_database

STEPS: Final = 10
"""Number of times that memory is printed."""
PAGE: Final = 4096
COPIED: Final = {
    "games": "guild_id, channel_id, title, profile, options, seed, status, created_at, name",
    "seats": "seat, player_id, user_id, display_name",
    "seat_history": "player_id, role, user_id, display_name, since, until, at",
    "log": "seq, kind, payload, digest, actor, user_id, created_at",
    "states": "seq, digest, state",
}
"""Columns to copy for each game, by table."""


async def add_games(db: Database, logs: Sequence[Path], count: int, until: int | None) -> list[int]:
    """Store the recorded games and `count` running copies, spread evenly over them; returns the ids of the copies."""
    tables = Tables(db)
    with unhurried():
        first = [
            await store_recorded_game(tables, read_recorded_game(log, until), SANDBOX_TABLE) for log in logs
        ]
    return [await db.write(lambda tx, n=n: _copied(tx, first[n % len(first)])) for n in range(count)]  # type: ignore[misc]


async def _copied(tx: Transaction, game: int) -> int:
    columns = COPIED["games"]
    row = await tx.row(
        f"INSERT INTO games ({columns}) SELECT {columns} FROM games WHERE id = ? RETURNING id", game
    )
    assert row is not None
    for table, columns in COPIED.items():
        if table != "games":
            await tx.run(
                f"INSERT INTO {table} (game_id, {columns}) SELECT ?, {columns} FROM {table} WHERE game_id = ?",
                *(row[0], game),
            )
    return int(row[0])


def resident_megabytes() -> float:
    """Resident memory of this process, in megabytes."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * PAGE / 1e6


async def open_games(where: Path, numbers: Sequence[int], titles: int) -> None:
    """Open these games one after another, build the view of each map, and print times and memory."""
    async with await open_database(where) as db:
        tables, spent = Tables(db), list[float]()
        began = time.process_time()
        fill_title_caches([(await games.get_game(db, number)).title for number in numbers[:titles]])
        print(f"  made ready apart: {1000 * (time.process_time() - began):.0f} ms of processor")
        for count, number in enumerate(numbers, 1):
            began = time.process_time()
            async with tables.reading(number) as live:
                map_view(live.game)
            spent.append(1000 * (time.process_time() - began))
            if count % max(1, len(numbers) // STEPS) == 0:
                gc.collect()
                print(
                    f"  {count} opened, {len(tables._game_cache)} in memory: {resident_megabytes():.0f} MB",
                    flush=True,
                )
        rest = sorted(spent[titles:])
        print(
            f"  first question: first of each title {', '.join(f'{one:.0f}' for one in spent[:titles])} ms;",
            end="",
        )
        print(
            f" others median {rest[len(rest) // 2]:.0f}, 99 % {rest[int(0.99 * len(rest))]:.0f} ms of processor"
        )


async def measure(logs: Sequence[Path], count: int, opened: int, until: int | None) -> None:
    """Run the benchmark and print the results."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / "games.db"
        async with await open_database(where) as db:
            numbers = await add_games(db, logs, count, until)
        async with Club.opened(where, 1) as club:
            took = await club.start()
            cost = await club.bots[0].cost()
        print(
            f"{count} running games: connected after {took:.2f} s, {cost.main:.2f} s of processor", flush=True
        )
        await open_games(where, numbers[:opened], len(logs))


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="benchmarks.load.many", description=__doc__)
    parser.add_argument("logs", type=Path, nargs="+", help="logs of 18xx.games, or records of this program")
    parser.add_argument("--games", type=int, default=1000, help="running games")
    parser.add_argument("--opened", type=int, default=200, help="games that are opened one after another")
    parser.add_argument("--until", type=int, help="actions that have been made in each; default: all")
    options = parser.parse_args()
    asyncio.run(measure(options.logs, options.games, options.opened, options.until))
    return 0


if __name__ == "__main__":
    sys.exit(main())
