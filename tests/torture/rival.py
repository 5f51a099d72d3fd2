"""A bot without Discord that plays while it owns its shard, and stands by while another process does.

Prints `duty` when it begins, `ack GAME SEQ` once a move is stored, and `refused` when one is, because another process
has taken over. Arguments: database, the file of posts, seed.
"""

import asyncio
import itertools
import sys
from pathlib import Path

from bot.table.errors import OutcomeNotKnown, Refused
from bot.table.tables import Tables
from storage import Ownership, ShardLost, StorageError, open_database
from tests.support.players.random_play import RandomPlayer
from tests.torture.sending import sending
from tests.torture.worker import Wall, one_move, tables_of


async def play(tables: Tables, player: RandomPlayer) -> None:
    """Move at every table in turn; raises what a move may meet."""
    for game_id in await tables_of(tables):
        print("ack", *await one_move(tables, game_id, player), flush=True)


async def play_until_refused(tables: Tables, player: RandomPlayer) -> None:
    """Play on whatever happens, as people do, until a move is refused since another process writes now."""
    while True:
        try:
            await play(tables, player)
        except (Refused, OutcomeNotKnown, StorageError) as error:
            if isinstance(error, ShardLost) or isinstance(error.__cause__, ShardLost):
                print("refused", flush=True)
                return
            print("met", repr(error), repr(error.__cause__), flush=True)


async def work(duty: Ownership, posts: Path, player: RandomPlayer) -> None:
    """Play and post."""
    tables = Tables(duty.db, shards=duty.share)
    await tables.open()
    async with sending(tables, Wall(posts).deliver, share=duty.share):
        await play_until_refused(tables, player)


async def main(where: str, posts: str, seed: str) -> None:
    """Play while owning the shard, until killed."""
    async with await open_database(where) as db:
        for number in itertools.count(1000 * int(seed)):
            async with db.owning() as duty:
                print("duty", flush=True)
                await work(duty, Path(posts), RandomPlayer(number))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
