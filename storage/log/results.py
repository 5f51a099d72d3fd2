"""Results of finished games, a row for each player; who played them stands in `seats`, and nowhere else."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage import games, people
from storage.contract import Database, Transaction
from storage.games import Game
from storage.leases import WHOLE, Share


@dataclass(frozen=True, slots=True)
class Result:
    """How a game came out for a player: place from 1, total in dollars, and whether nobody had more."""

    player_id: str
    rank: int
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """A user's place in a finished game; `user_id` is 0 for an anonymised user."""

    game_id: int
    title: str
    user_id: int
    rank: int
    won: bool


async def replace(tx: Transaction, game_id: int, found: Sequence[Result]) -> None:
    """Store the results of a game in place of what was stored (none: it runs again), within a transaction.

    Ratings by the earlier results are deleted, too.
    """
    for table in ("results", "ratings"):
        await tx.put(f"DELETE FROM {table} WHERE game_id = ?", game_id)
    await tx.run_many(
        "INSERT INTO results (game_id, player_id, place, total, won) VALUES (?, ?, ?, ?, ?)",
        [(game_id, one.player_id, one.rank, one.total, int(one.won)) for one in found],
    )


async def bring(tx: Transaction, game: Game, status: games.Status | None, found: Sequence[Result]) -> None:
    """Bring a running or finished game that is held to a status, with its results (None: it runs again).

    Raises WrongStatus, StillSeated.
    """
    if status is None:
        games.require(game, ("running",))
        return
    await people.move_status(tx, game, status)
    if "finished" in (game.status, status):
        await replace(tx, game.id, found)


async def add(db: Database, game_id: int, found: Sequence[Result]) -> None:
    """Store how a game came out that is finished already; raises NoSuchGame, WrongStatus."""

    async def change(tx: Transaction) -> None:
        games.require(await games.hold(tx, game_id), ("finished",))
        await replace(tx, game_id, found)

    await db.write(change)


async def missing(db: Database, share: Share = WHOLE) -> list[int]:
    """Return the finished games of these shards whose results are not stored, oldest first."""
    found = await db.rows(
        f"SELECT id FROM games WHERE status = 'finished' AND {share.where()} "
        "AND NOT EXISTS (SELECT 1 FROM results WHERE results.game_id = games.id) ORDER BY id"
    )
    return [game_id for (game_id,) in found]


async def of_server(db: Database, guild_id: int) -> list[Placed]:
    """Return all places that were taken in games of a server (guild), oldest games first."""
    rows = await db.rows(
        "SELECT games.id, games.title, seats.user_id, place, won FROM results "
        "JOIN games ON games.id = results.game_id "
        "JOIN seats ON seats.game_id = results.game_id AND seats.player_id = results.player_id "
        "WHERE guild_id = ? AND status = 'finished' ORDER BY games.id, place, seats.seat",
        guild_id,
    )
    return [Placed(game, title, user, rank, bool(won)) for game, title, user, rank, won in rows]
