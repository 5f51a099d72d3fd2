"""Owns the only shard and appends moves to a game, printing each stored sequence, until the shard is lost.

For game 0 it stays in the middle of a transaction instead.
"""

import asyncio
import sys

from storage import Database, ShardLost, Transaction, log, open_database

NOW = "2026-01-02T03:04:05+00:00"


async def main(url: str, game_id: int) -> None:
    """Write as long as nobody else has taken over."""
    async with await open_database(url) as db, db.owning() as duty:
        try:
            await (write(duty.db, game_id) if game_id else stay(duty.db))
        except ShardLost:
            say("lost")


async def write(db: Database, game_id: int) -> None:
    """Append, on and on."""
    while True:
        seq = await log.last_seq(db, game_id)
        entry = log.Entry("action", "owner", "d", "p1", 7)
        say(str(await log.commit_move(db, game_id, seq, [entry], now=NOW)))
        await asyncio.sleep(0.02)


async def stay(db: Database) -> None:
    """Begin to write, say so, and wait."""

    async def change(tx: Transaction) -> None:
        await tx.run("UPDATE games SET name = 'half'")
        say("half")
        await asyncio.Event().wait()

    while True:
        # The server ends what stands still for seconds: it is begun anew.
        await db.write(change)


def say(line: str) -> None:
    """Print at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
