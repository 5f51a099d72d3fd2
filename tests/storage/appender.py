"""Appends moves to the running game of a database, or starts one, and prints each stored sequence."""

import asyncio
import sys

from storage import Database, games, log, open_database
from storage.outbox import OutboxMessage

NOW = "2026-01-02T03:04:05+00:00"


async def running_game(db: Database) -> tuple[int, int]:
    """The running game and its last sequence; a new one if there is none."""
    for game in await games.games_in(db, "running"):
        return game.id, await log.last_seq(db, game.id)
    game = await games.create_game(
        db,
        guild_id=1,
        channel_id=2,
        title="t18al",
        profile="rulebook",
        options="{}",
        seed=1,
        name="Friday",
        now=NOW,
    )
    entries = [log.Entry("start", "{}", "d", "")]
    return game.id, await log.commit_start(
        db, game.id, entries, [OutboxMessage("turn", "")], now=NOW, state=state_after(1)
    )


def state_after(seq: int) -> str:
    """A state that fills several pages, and says which row it belongs to."""
    return f"{seq} " * 5000


async def main(path: str, rows_per_move: int) -> None:
    """Append until killed."""
    async with await open_database(path) as db:
        game_id, seq = await running_game(db)
        entries = [log.Entry("action", "x" * 500, "d", "p1", 7)] * rows_per_move
        while True:
            state = state_after(seq + rows_per_move)
            seq = await log.commit_move(
                db, game_id, seq, entries, [OutboxMessage("turn", "")], now=NOW, state=state
            )
            sys.stdout.write(f"{seq}\n")
            sys.stdout.flush()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
