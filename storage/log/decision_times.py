"""When moves of a game were decided, and by whom; and the names of a server's users."""

from dataclasses import dataclass

from storage.contract import Database, Transaction


@dataclass(frozen=True, slots=True)
class Decision:
    """A row of a log without what it did: its number, for which player, by whom, and when (ISO 8601 in UTC).

    `own` says that a user decided it for a seat of theirs: not automatically, nor for somebody else.
    """

    seq: int
    actor: str
    user_id: int
    at: str
    own: bool


async def of_game(db: Database, game_id: int, since: int = 1) -> list[Decision]:
    """Return the rows of a game from `since` on, in order; to agree to the end of the game is no decision of a turn."""

    async def query(tx: Transaction) -> list[Decision]:
        rows = await tx.rows(
            "SELECT seq, actor, COALESCE(user_id, 0), created_at, "
            "CASE WHEN kind = 'action' AND payload NOT LIKE ? "
            "AND NOT EXISTS (SELECT 1 FROM automatic_moves "
            "WHERE automatic_moves.game_id = log.game_id AND automatic_moves.seq = log.seq) "
            "AND EXISTS (SELECT 1 FROM seat_history WHERE seat_history.game_id = log.game_id "
            "AND seat_history.player_id = log.actor AND seat_history.user_id = log.user_id) THEN 1 ELSE 0 END "
            "FROM log WHERE game_id = ? AND seq >= ? ORDER BY seq",
            *('%"kind":"end_game"%', game_id, since),
        )
        return [Decision(seq, actor, user, at, bool(own)) for seq, actor, user, at, own in rows]

    return await db.read(query)


async def newest_games(db: Database, guild_id: int, most: int, title: str | None = None) -> list[int]:
    """Return the newest games of a server that are played or finished, of one title or of all, at most N."""
    found = await db.rows(
        "SELECT id FROM games WHERE guild_id = ? AND title = COALESCE(?, title) "
        "AND status IN ('running', 'finished') ORDER BY id DESC LIMIT ?",
        *(guild_id, title, most),
    )
    return [game_id for (game_id,) in found]


async def names(db: Database, guild_id: int) -> dict[int, str]:
    """Return the names of all users who have played on a server, as in the last game in which they took a seat."""
    rows = await db.rows(
        "SELECT user_id, display_name FROM seat_history "
        "WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?) ORDER BY id",
        guild_id,
    )
    return {user: str(name) for user, name in rows}
