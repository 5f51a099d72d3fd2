"""Owns the only shard and appends moves to the running game of a database, or starts one; prints each stored sequence.

Until it is killed, or has lost the shard. For no row a move it stays in the middle of a transaction instead.
"""

import asyncio
import sys
from contextlib import suppress

from storage import Database, OutcomeUnknown, ShardLost, Transaction, games, log, open_database
from tests.storage.makers import NOW, START, act, line, move, new_game


async def first_game(db: Database) -> tuple[int, int]:
    """The running game and its last sequence; a new one if there is none."""
    for game in await games.games_with_status(db, "running"):
        return game.id, await log.last_seq(db, game.id)
    game = await new_game(db)
    return game.id, await log.commit_start(db, game.id, [START], [line("")], now=NOW, state=state_after(1))


def state_after(seq: int) -> str:
    """A state that fills several pages, and says which row it belongs to."""
    return f"{seq} " * 5000


async def append(db: Database, rows_per_move: int) -> None:
    game_id, seq = await first_game(db)
    while True:
        state = state_after(seq + rows_per_move)
        rows = [act("x" * 500)] * rows_per_move
        seq = await move(db, game_id, seq, *rows, notices=[line("")], state=state)
        say(str(seq))


async def stay(tx: Transaction) -> None:
    """Begin to write, say so, and wait."""
    await tx.run("UPDATE games SET name = 'half'")
    say("half")
    await asyncio.Event().wait()


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


async def main(path: str, rows_per_move: int) -> None:
    async with await open_database(path) as db, db.own_shards() as duty:
        try:
            while True:
                # The server ends what stands still for seconds, perhaps as it commits: it is begun anew.
                with suppress(OutcomeUnknown):
                    await (append(duty.db, rows_per_move) if rows_per_move else duty.db.write(stay))
        except ShardLost:
            say("lost")


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
