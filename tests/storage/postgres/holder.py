"""Holds the only shard, shows that it is there, and stays in the middle of a transaction until it is killed."""

import asyncio
import sys

from storage import Transaction, leases, open_database

SECONDS = 600


async def main(url: str) -> None:
    """Take the lease, begin to write under it, and say so."""
    async with await open_database(url) as db, db.advertise((0,), "holder"):
        lease = await leases.claim(db, 0, 1, "holder", seconds=SECONDS)
        assert lease is not None

        async def change(tx: Transaction) -> None:
            await tx.run("UPDATE games SET name = 'half'")
            sys.stdout.write("holds\n")
            sys.stdout.flush()
            await asyncio.Event().wait()

        while True:
            # The server ends what stands still for seconds: it is begun anew.
            await leases.Fenced(db, [lease]).write(change)


asyncio.run(main(sys.argv[1]))
