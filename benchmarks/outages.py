"""Benchmark of an outage of Discord.

`python -m benchmarks.outages LOG [--tables N] [--seconds S] [--kinds 503 429]` lets users keep moving while Discord
refuses all requests. It counts the refused requests, and measures how long after the outage the last message is posted.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from aiohttp import web
from aiohttp.typedefs import Handler

from benchmarks.one_process_club import Club
from bot.sandbox.refusal import Refusal, SandboxError
from storage import outbox
from tests.bot.support.positions import quick_moves

CALM = 5.0
"""Seconds of moves before the outage."""
RETRY_AFTER = 1.0
"""Seconds to wait that a response with status 429 demands."""
LONGEST = 600.0
"""Seconds after the outage at which messages still not posted are given up."""


@dataclass
class RefusingDiscord:
    """Middleware that refuses all of the bot's requests while `status` is set."""

    status: int = 0
    refused: list[float] = field(default_factory=list)

    @web.middleware
    async def serve_or_refuse(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Serve a request, or refuse it with `status`."""
        if not self.status or not request.path.startswith("/api/"):
            return await handler(request)
        await request.read()
        self.refused.append(time.perf_counter())
        headers = {"Via": "1.1 sandbox", "Retry-After": str(RETRY_AFTER)}
        body = {"message": "trouble", "retry_after": RETRY_AFTER, "global": False}
        return web.json_response(body, status=self.status, headers=headers)

    def most_per_second(self) -> int:
        """The most requests refused within one second."""
        return max((sum(at <= t < at + 1 for t in self.refused) for at in self.refused), default=0)


def main() -> int:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(prog="benchmarks.outages", description=__doc__)
    parser.add_argument("log", type=Path, help="a log of 18xx.games, or a record of this program")
    parser.add_argument("--tables", type=int, default=80, help="running games")
    parser.add_argument("--until", type=int, default=40, help="actions that have been made in each")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long the outage lasts")
    parser.add_argument("--rate", type=float, default=20.0, help="moves a second, of all tables together")
    parser.add_argument("--kinds", type=int, nargs="+", default=[503, 429], help="what Discord answers")
    options = parser.parse_args()
    for kind in options.kinds:
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(_measured(Path(folder) / "games.db", kind, options))
    return 0


async def _measured(where: Path, kind: int, options: argparse.Namespace) -> None:
    trouble, chance = RefusingDiscord(), random.Random(1)
    async with Club.opened(where, [trouble.serve_or_refuse]) as club:
        await club.add_tables([options.log], options.tables, options.until)
        await _played(club, CALM, options.rate, chance)
        await club.wait_until_posted()
        trouble.status, cpu = kind, time.process_time()
        await _played(club, options.seconds, options.rate, chance)
        waiting = await outbox.backlog(club.client.db)
        trouble.status, ended, before = 0, time.perf_counter(), time.process_time()
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST):
                await club.wait_until_posted()
        left = (await outbox.backlog(club.client.db)).row_count
        print(
            f"{options.seconds:.0f} s of {kind} at {len(club.tables)} tables: {waiting.row_count} posts "
            f"of {waiting.game_count} games waited; "
            f"the last came {time.perf_counter() - ended:.1f} s after the end ({left} are left); "
            f"{len(trouble.refused)} requests were refused, {trouble.most_per_second()} in a second at most; "
            f"{before - cpu:.1f} s of processor during it, {time.process_time() - before:.1f} s after it",
            flush=True,
        )
        _by_second(trouble.refused)


def _by_second(refused: Sequence[float]) -> None:
    if refused:
        seconds = Counter(int(at - refused[0]) for at in refused)
        print("  refused by second:", *(seconds[second] for second in range(max(seconds) + 1)), flush=True)


async def _played(club: Club, seconds: float, rate: float, chance: random.Random) -> None:
    """Make moves for some seconds, going from game to game, without waiting for answers."""
    began, jobs = time.perf_counter(), []
    for number in range(int(seconds * rate)):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        jobs.append(asyncio.create_task(_moved(club, number, chance)))
    await asyncio.sleep(max(0.0, began + seconds - time.perf_counter()))
    for job in jobs:
        job.cancel()
    await asyncio.gather(*jobs, return_exceptions=True)


async def _moved(club: Club, number: int, chance: random.Random) -> None:
    """Press a button of the turn message; if the message is outdated, make a move directly."""
    table = club.tables[number % len(club.tables)]
    async with club.client.tables.reading(table.game_id) as live:
        if live.game.is_over:
            return
        player, seq = live.game.actors()[0], live.seq
        user, moves = live.user_of(player), quick_moves(live.game, player)
    result = await club.move_button(table, chance)
    if result is not None and f":{seq}:" in (result[2].custom_id or ""):
        person, turn, button = result
        with suppress(SandboxError, Refusal):
            await person.press(turn, button.custom_id or "")
    elif moves:
        await club.client.tables.submit(table.game_id, user, chance.choice(moves), seq)


if __name__ == "__main__":
    sys.exit(main())
