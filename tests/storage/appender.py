"""Owns the only shard and appends moves to the running game of a database; prints each stored sequence.

Until it is killed, or has lost the shard. Asked to "stay", it stays in the middle of a transaction instead.
"""

import asyncio
import sys
from contextlib import suppress

from storage import Database, OutcomeUnknown, ShardLost, Transaction, games, log, open_database
from tests.storage.makers import act, move


async def append(db: Database) -> None:
    (game,) = await games.games_with_status(db, "running")
    seq = await log.last_seq(db, game.id)
    while True:
        seq = await move(db, game.id, seq, act("x" * 500))
        say(str(seq))


async def stay(tx: Transaction) -> None:
    """Begin to write, say so, and wait."""
    await tx.run("UPDATE games SET name = 'half'")
    say("half")
    await asyncio.Event().wait()


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def main(path: str, deed: str) -> None:
    async with await open_database(path) as db, db.own_shards() as duty:
        try:
            while True:
                # The server ends what stands still for seconds, perhaps as it commits: it is begun anew.
                with suppress(OutcomeUnknown):
                    await (duty.db.write(stay) if deed == "stay" else append(duty.db))
        except ShardLost:
            say("lost")


asyncio.run(main(sys.argv[1], sys.argv[2]))
