"""How finished games came out, a row for each player; who played them stands in `seats`, and nowhere else."""

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
    """A place somebody took in a finished game; `user_id` is 0 for whoever was forgotten."""

    game_id: int
    title: str
    user_id: int
    rank: int
    won: bool


async def replace(tx: Transaction, game_id: int, found: Sequence[Result]) -> None:
    """Store how a game came out in place of what was stored (none: it goes on), within a transaction."""
    await tx.put("DELETE FROM results WHERE game_id = ?", game_id)
    await tx.run_many(
        "INSERT INTO results (game_id, player_id, place, total, won) VALUES (?, ?, ?, ?, ?)",
        [(game_id, one.player_id, one.rank, one.total, int(one.won)) for one in found],
    )


async def bring(tx: Transaction, game: Game, status: games.Status | None, found: Sequence[Result]) -> None:
    """Bring a running or finished game that is held to a status, with how it came out (None: it goes on).

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
    """Return the finished games of a share of which it is not stored how they came out, oldest first."""
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
