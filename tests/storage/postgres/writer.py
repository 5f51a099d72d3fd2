"""Holds the only shard and appends moves to a game, printing each stored sequence, until the lease is lost."""

import asyncio
import sys

from storage import Database, LeaseLost, leases, log, open_database

NOW = "2026-01-02T03:04:05+00:00"
SECONDS = 0.5


async def main(url: str, game_id: int) -> None:
    """Write as long as nobody else has taken over; who is behind looks again."""
    async with await open_database(url) as db:
        lease = await leases.claim(db, 0, 1, "writer", seconds=SECONDS)
        assert lease is not None
        try:
            await write(leases.Fenced(db, [lease]), db, lease, game_id)
        except LeaseLost:
            say("lost")


async def write(fenced: Database, db: Database, lease: leases.Lease, game_id: int) -> None:
    """Append and renew, on and on; raises LeaseLost."""
    while True:
        seq = await log.last_seq(db, game_id)
        entry = log.Entry("action", "writer", "d", "p1", 7)
        # As after a pause, a lease that has run out is not asked for: only the fence can tell.
        say(str(await log.commit_move(fenced, game_id, seq, [entry], now=NOW)))
        await asyncio.sleep(0.02)
        if seq % 5 == 0:
            await leases.renew(db, lease, seconds=SECONDS)


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
