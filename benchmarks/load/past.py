"""Benchmark of questions about the past of recorded games.

`python -m benchmarks.load.past LOG...` prints processor time in milliseconds.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from bot.table.games import loading
from bot.table.imports import read_recorded_game, store_recorded_game
from bot.table.past.past_games import GameToReplay
from bot.table.past.past_views import current_net_worth, net_worth_chart, past_position, turning_points
from bot.table.past.statistics import statistics
from bot.table.tables import Tables
from bot.tools.showcase import SANDBOX_TABLE
from bot.workers.workers import Priority, QueuePlace
from storage import open_database

POSITIONS = 40
"""Number of earlier positions to view, evenly spaced over the game."""


async def _spent(question: Callable[[], Awaitable[object]]) -> float:
    began = time.process_time()
    await question()
    return 1000 * (time.process_time() - began)


async def measure(log: Path, until: int | None) -> dict[str, float]:
    """Processor milliseconds (all threads) of each question about a game's past, by its name."""
    with tempfile.TemporaryDirectory() as folder:
        async with await open_database(Path(folder) / "games.db") as db:
            tables = Tables(db)
            number = await store_recorded_game(tables, read_recorded_game(log, until), SANDBOX_TABLE)
            queue, past = QueuePlace(Priority.QUESTION, SANDBOX_TABLE.guild_id), tables.replayer
            seconds = {"first load": await _spent(lambda: loading.load(db, number, tables.workers))}
            seconds["cold load"] = await _spent(lambda: loading.load(db, number, tables.workers))
            async with tables.reading(number) as live:
                game, now, rows = (
                    GameToReplay.of(live),
                    current_net_worth(live.game),
                    list(live.effective_rows),
                )
            seconds["log"] = await _spent(lambda: past.history(game, queue, rows[-60:][0].seq))

            async def charted() -> None:
                history = await past.history(game, queue)
                net_worth_chart(history, now)
                turning_points(history, live.game)

            seconds["chart and turning points"] = await _spent(charted)
            at = [row.seq for row in rows[:: max(1, len(rows) // POSITIONS)]]
            looks = [partial(past_position, past, game, seq, queue) for seq in at]
            spent = sorted([await _spent(look) for look in looks])
            seconds |= {f"position, {part} %": spent[len(spent) * part // 100] for part in (50, 95)}
            seconds["position, most"] = spent[-1]
            earlier = rows[: max(1, len(rows) - 40)]
            seconds["back by 40 moves"] = await _spent(lambda: loading.position_after(db, live, earlier))
            seconds["statistics"] = await _spent(
                lambda: statistics(tables, SANDBOX_TABLE.guild_id, None, None)
            )
            seconds["statistics again"] = await _spent(
                lambda: statistics(tables, SANDBOX_TABLE.guild_id, None, None)
            )
            return seconds


def main() -> int:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(prog="benchmarks.load.past", description=__doc__)
    parser.add_argument("logs", type=Path, nargs="+", help="logs of 18xx.games, or records of this program")
    parser.add_argument("--until", type=int, help="actions that have been made in each; default: all")
    options = parser.parse_args()
    for log in options.logs:
        seconds = asyncio.run(measure(log, options.until))
        print(f"{log.stem}: " + ", ".join(f"{what} {spent:.0f}" for what, spent in seconds.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
