"""A bot with its whole client that is killed at a given write to its database.

Everything is loaded once; a line of standard input begins a life in a process of its own. `before store_draw 1` kills
it before the first write of `store_draw`, `after any 7` once the seventh of all is stored, `after any 0` never. Prints
`born PID`, `ready` and `dead CODE`. Asked to end (SIGTERM), it first does all that is due. Arguments: database, address
of the server.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.client.app import Stationmaster
from bot.client.features.events.posts import EVENT_CHECK
from bot.sandbox.guild.seed import DUMMY_TOKEN
from bot.sandbox.redirect import redirect_discord_to
from bot.table.rate_limits import RateLimiter
from storage import Database, direct_messages, open_database
from storage.contract import Query, RowValues, T, Transaction
from tests.support.unsent import unsent

UNHURRIED = 1000.0
"""People here press faster than people."""
ROUNDS = 4
"""Checks until nothing more follows from one: games begin, entrants are told, the event ends, its posts change."""


class Mortal(Database):
    """A database whose process is killed before or after a write; never for the 0th."""

    def __init__(self, db: Database, moment: str) -> None:
        self._db = db
        self.name, self.is_shared = db.name, db.is_shared
        self._when, self._function, number = moment.split()
        self._left = int(number) or -1

    async def write(self, change: Callable[[Transaction], Awaitable[T]]) -> T:
        if self._function in ("any", change.__qualname__.split(".")[0]):
            self._left -= 1
            if self._left == 0 and self._when == "before":
                os.kill(os.getpid(), signal.SIGKILL)
        result = await self._db.write(change)
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    async def read(self, query: Callable[[Transaction], Awaitable[T]]) -> T:
        return await self._db.read(query)

    async def fetch(self, *queries: Query) -> list[list[RowValues]]:
        return await self._db.fetch(*queries)

    def owns(self, guild_id: int) -> bool:
        return self._db.owns(guild_id)

    async def is_owned(self) -> bool:
        return await self._db.is_owned()

    async def vacuum(self) -> None:
        await self._db.vacuum()

    async def close(self) -> None:
        await self._db.close()


async def live(where: str, moment: str) -> None:
    """Serve until asked to end, and do what is due."""
    rest = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, rest.set)
    async with (
        await open_database(where if "://" in where else Path(where)) as db,
        db.own_shards() as duty,
    ):
        client = Stationmaster(
            Mortal(duty.db, moment),
            shards=duty.shards,
            rate_limiter=RateLimiter(UNHURRIED),
            ping_delay=0,
            guild_ready_timeout=0.02,
        )
        async with client:
            running = asyncio.create_task(client.start(DUMMY_TOKEN))
            await client.wait_until_ready()
            print("ready", flush=True)
            await rest.wait()
            for _ in range(ROUNDS):
                await EVENT_CHECK.check(client)
                while await unsent(db):  # noqa: ASYNC110 - the database tells nobody
                    await asyncio.sleep(0.01)
                while await direct_messages.unsent_messages(db):
                    await client.direct_messages.send()
            await client.close()
            await running


def main(where: str, url: str) -> None:
    """Begin a life for each line that is read."""
    redirect_discord_to(url)
    for line in sys.stdin:
        process = multiprocessing.get_context("fork").Process(target=_begin, args=(where, line))
        process.start()
        print("born", process.pid, flush=True)
        process.join()
        print("dead", process.exitcode, flush=True)


def _begin(where: str, moment: str) -> None:
    asyncio.run(live(where, moment))


if __name__ == "__main__":
    main(*sys.argv[1:])
