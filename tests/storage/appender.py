"""Appends moves to the running game of a database, or starts one, and prints each stored sequence."""

import asyncio
import sys

from storage import Database, games, log, open_database
from tests.storage.makers import NOW, START, act, line, move, new_game


async def first_game(db: Database) -> tuple[int, int]:
    """The running game and its last sequence; a new one if there is none."""
    for game in await games.games_in(db, "running"):
        return game.id, await log.last_seq(db, game.id)
    game = await new_game(db)
    return game.id, await log.commit_start(db, game.id, [START], [line("")], now=NOW, state=state_after(1))


def state_after(seq: int) -> str:
    """A state that fills several pages, and says which row it belongs to."""
    return f"{seq} " * 5000


async def main(path: str, rows_per_move: int) -> None:
    """Append until killed."""
    async with await open_database(path) as db:
        game_id, seq = await first_game(db)
        while True:
            state = state_after(seq + rows_per_move)
            rows = [act("x" * 500)] * rows_per_move
            seq = await move(db, game_id, seq, *rows, notices=[line("")], state=state)
            sys.stdout.write(f"{seq}\n")
            sys.stdout.flush()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
