"""Results of finished games, ratings, and the times of moves, from which statistics are computed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from storage import games, personal_data
from storage.contract import Database, Transaction, value_placeholders
from storage.games import GameRow
from storage.settings import GUILD_SETTINGS
from storage.shards import ALL_SHARDS, ShardSet


@dataclass(frozen=True, slots=True)
class GameResult:
    """A player's result: place from 1, total in dollars, and `won`, which is true for all who tied for first place."""

    player_id: str
    rank: int
    total: int
    won: bool


@dataclass(frozen=True, slots=True)
class PlacedUser:
    """A user's place in a finished game; the user id is 0 for an anonymised user."""

    game_id: int
    title: str
    user_id: int
    rank: int
    won: bool


async def replace_results(tx: Transaction, game_id: int, results: Sequence[GameResult]) -> None:
    """Replace a game's results within a transaction; `results` is empty if the game runs again.

    Ratings computed from the earlier results are deleted.
    """
    for table in ("results", "ratings"):
        await tx.put(f"DELETE FROM {table} WHERE game_id = ?", game_id)
    await tx.run_many(
        "INSERT INTO results (game_id, player_id, place, total, won) VALUES (?, ?, ?, ?, ?)",
        [(game_id, result.player_id, result.rank, result.total, int(result.won)) for result in results],
    )


async def set_status(
    tx: Transaction, game: GameRow, status: games.Status | None, results: Sequence[GameResult]
) -> None:
    """Finish a running game with its results, or resume a finished one, within a transaction.

    `game` must be locked. A `status` of None only checks that the game is running. Raises WrongStatus, StillSeated.
    """
    if status is None:
        games.require_status(game, ("running",))
        return
    await personal_data.finish_or_resume_game(tx, game, status)
    if "finished" in (game.status, status):
        await replace_results(tx, game.id, results)


async def add_results(db: Database, game_id: int, results: Sequence[GameResult]) -> None:
    """Store the results of a game that is already finished; raises NoSuchGame, WrongStatus."""

    async def in_transaction(tx: Transaction) -> None:
        games.require_status(await games.lock_and_read(tx, game_id), ("finished",))
        await replace_results(tx, game_id, results)

    await db.write(in_transaction)


async def winners(db: Database, game_ids: Sequence[int]) -> dict[int, list[tuple[str, int]]]:
    """Return the winners of finished games by game, as (display name, total in dollars)."""
    winners_by_game: dict[int, list[tuple[str, int]]] = {}
    if game_ids:
        sql = (
            "SELECT results.game_id, display_name, total FROM results JOIN seats "
            "ON seats.game_id = results.game_id AND seats.player_id = results.player_id "
            f"WHERE won = 1 AND results.game_id IN {value_placeholders(game_ids)} ORDER BY results.game_id, seat"
        )
        for game_id, name, total in await db.rows(sql, *game_ids):
            winners_by_game.setdefault(game_id, []).append((name, total))
    return winners_by_game


async def games_without_results(db: Database, shards: ShardSet = ALL_SHARDS) -> list[int]:
    """Return the finished games of these shards without stored results, oldest first."""
    return await db.numbers(
        f"SELECT id FROM games WHERE status = 'finished' AND {shards.sql_condition()} "
        "AND NOT EXISTS (SELECT 1 FROM results WHERE results.game_id = games.id) ORDER BY id"
    )


async def places_of_server(db: Database, guild_id: int) -> list[PlacedUser]:
    """Return all users' places in the finished games of a server (guild), oldest games first."""
    rows = await db.rows(
        "SELECT games.id, games.title, seats.user_id, place, won FROM results "
        "JOIN games ON games.id = results.game_id "
        "JOIN seats ON seats.game_id = results.game_id AND seats.player_id = results.player_id "
        "WHERE guild_id = ? AND status = 'finished' ORDER BY games.id, place, seats.seat",
        guild_id,
    )
    return [PlacedUser(game, title, user, rank, bool(won)) for game, title, user, rank, won in rows]


RATINGS_KEY = "ratings"
"""Key of the server setting that turns on ratings."""
RATINGS_ON = "on"
"""Value of the setting RATINGS_KEY on servers on which games are rated."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A user's rating (`mu`) and its uncertainty (`sigma`), in thousandths."""

    mu: int
    sigma: int


ComputeRatings: TypeAlias = Callable[[Sequence[Rating | None], Sequence[int]], Sequence[Rating]]
"""A function that computes new ratings from old ones (None: not rated) and places (from 1).

The old ratings, the places and the new ratings list the users in the same order.
"""


@dataclass(frozen=True, slots=True)
class RatingUpdate:
    """Updates ratings as a side effect of a game's end; `places` are (user id, place from 1)."""

    places: tuple[tuple[int, int], ...]
    rate: ComputeRatings
    now: str

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Compute and store the users' new ratings, if the server rates games."""
        del seq
        game = await games.get_game(tx, game_id)
        if await GUILD_SETTINGS.get(tx, game.guild_id, RATINGS_KEY) != RATINGS_ON:
            return
        users = [user_id for user_id, _ in self.places]
        old_ratings = [await _newest_rating(tx, game.guild_id, game.title, user_id) for user_id in users]
        new_ratings = self.rate(old_ratings, [place for _, place in self.places])
        await tx.run_many(
            "INSERT INTO ratings (game_id, user_id, mu, sigma, at) VALUES (?, ?, ?, ?, ?)",
            [
                (game_id, user, rating.mu, rating.sigma, self.now)
                for user, rating in zip(users, new_ratings, strict=True)
            ],
        )


async def ratings_of_server(db: Database, guild_id: int) -> dict[tuple[int, str], Rating]:
    """Return the newest ratings on a server (guild) by user and title; empty if the server does not rate games."""
    if await GUILD_SETTINGS.get(db, guild_id, RATINGS_KEY) != RATINGS_ON:
        return {}
    rows = await db.rows(
        "SELECT user_id, title, mu, sigma FROM ratings JOIN games ON games.id = game_id "
        "WHERE guild_id = ? ORDER BY at, game_id",
        guild_id,
    )
    return {(user_id, title): Rating(mu, sigma) for user_id, title, mu, sigma in rows}


async def _newest_rating(tx: Transaction, guild_id: int, title: str, user_id: int) -> Rating | None:
    row = await tx.row(
        "SELECT mu, sigma FROM ratings JOIN games ON games.id = game_id "
        "WHERE guild_id = ? AND title = ? AND user_id = ? ORDER BY at DESC, game_id DESC LIMIT 1",
        *(guild_id, title, user_id),
    )
    return None if row is None else Rating(*row)


@dataclass(frozen=True, slots=True)
class TimedMove:
    """A log row without its payload: number, player, user (0 for none), and time (ISO 8601 in UTC).

    `is_own_move` is true if the move was made by a user who has played the seat; it is false for automatic moves, and
    for moves made by somebody else.
    """

    seq: int
    actor: str
    user_id: int
    at: str
    is_own_move: bool


async def timed_moves_of_game(db: Database, game_id: int, first_seq: int = 1) -> list[TimedMove]:
    """Return a game's log rows from row `first_seq` on, without payloads.

    Votes to end the game do not count as `is_own_move`.
    """
    rows = await db.rows(
        "SELECT seq, actor, COALESCE(user_id, 0), created_at, "
        "CASE WHEN kind = 'action' AND payload NOT LIKE ? "
        "AND NOT EXISTS (SELECT 1 FROM automatic_moves "
        "WHERE automatic_moves.game_id = log.game_id AND automatic_moves.seq = log.seq) "
        "AND EXISTS (SELECT 1 FROM seat_history WHERE seat_history.game_id = log.game_id "
        "AND seat_history.player_id = log.actor AND seat_history.user_id = log.user_id) THEN 1 ELSE 0 END "
        "FROM log WHERE game_id = ? AND seq >= ? ORDER BY seq",
        *('%"kind":"end_game"%', game_id, first_seq),
    )
    return [TimedMove(seq, actor, user, at, bool(is_own_move)) for seq, actor, user, at, is_own_move in rows]


async def newest_games(db: Database, guild_id: int, limit: int, title: str | None = None) -> list[int]:
    """Return a server's newest running or finished games, newest first, at most `limit`.

    If `title` is given, only games of this title are returned.
    """
    return await db.numbers(
        "SELECT id FROM games WHERE guild_id = ? AND title = COALESCE(?, title) "
        "AND status IN ('running', 'finished') ORDER BY id DESC LIMIT ?",
        *(guild_id, title, limit),
    )


async def user_names(db: Database, guild_id: int) -> dict[int, str]:
    """Return the latest display name of each user who has played on a server, by user id."""
    rows = await db.rows(
        "SELECT user_id, display_name FROM seat_history "
        "WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?) ORDER BY id",
        guild_id,
    )
    return {user: str(name) for user, name in rows}
