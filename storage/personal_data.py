"""Data about a person: export of all rows, and anonymising, which keeps games intact."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from storage import games, positions
from storage.contract import Database, Transaction
from storage.errors import StillSeated

ANONYMISED: Final = 0
"""The number that replaces that of an anonymised user; nobody on Discord has it."""
CARETAKER: Final = -1
"""The number in place of that of a person in seats that nobody has and a caretaker plays; nobody on Discord has it."""
FORMER: Final = "a former player"
"""The name that replaces that of an anonymised user."""


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A table with personal data: the column of user ids, and other personal columns."""

    table: str
    person: str
    columns: str


TABLES: Final = (
    PersonalTable("seats", "user_id", "game_id, seat, player_id, display_name"),
    PersonalTable("memberships", "user_id", "game_id, seat, display_name, event, at"),
    PersonalTable("seat_history", "user_id", "game_id, player_id, role, display_name, since, until, at"),
    PersonalTable("log", "user_id", "game_id, seq, kind, actor, payload, created_at"),
    PersonalTable("proposals", "by_user", "game_id, number, kind, payload, at, until, state, why"),
    PersonalTable("votes", "user_id", "game_id, number, agrees, at"),
    PersonalTable("proposal_pings", "user_id", "game_id, at"),
    PersonalTable("pauses", "by_user", "game_id, until, at, alone"),
    PersonalTable("past_pauses", "by_user", "game_id, at, ended"),
    PersonalTable("ratings", "user_id", "game_id, mu, sigma, at"),
    PersonalTable("pings", "user_id", "game_id, player_id, stage, thread, direct, muted"),
    PersonalTable("direct_messages", "user_id", "game_id, text, created_at, sent_at, message_id"),
    PersonalTable("orders", "user_id", "game_id, number, player_id, payload, at, state, why"),
    PersonalTable("board_links", "user_id", "game_id, moderates, expires_at, used_at, display_name"),
    PersonalTable(
        "board_sessions",
        "user_id",
        "game_id, state, moderates_until, created_at, expires_at, display_name, device",
    ),
)
"""Every table with the number of a person in a column of its own, but for settings, whose keys end with it."""
_PLAYING: Final = ("seats", "seat_history")
"""Tables that say which player somebody was."""
_NAMED: Final = (*_PLAYING, "memberships")
"""Tables that have a name, too."""

Where: TypeAlias = Literal["words", "start", "accept", "state"]
"""The kind of a text that may name somebody: words for people, the first row of a log, an accept, a kept state."""


@dataclass(frozen=True, slots=True)
class GameIdentity:
    """A user in a game: id, their names in it, and the players that they have played."""

    user_id: int
    names: tuple[str, ...]
    players: tuple[str, ...]


Rewrite: TypeAlias = Callable[[Where, str, GameIdentity], str]
"""Takes a person out of a text, and leaves everything else as it is."""


async def rows_about(db: Database, user_id: int) -> dict[str, list[dict[str, object]]]:
    """Return all rows about a person, by table, each by its columns."""

    async def query(tx: Transaction) -> dict[str, list[dict[str, object]]]:
        found = {held.table: await _rows_of(tx, held, user_id) for held in TABLES}
        settings = await tx.rows(f"SELECT guild_id, key, value FROM guild_settings {_OWN}", f"%:{user_id}")
        names = ("guild_id", "key", "value")
        scored = await tx.rows(_SCORED, user_id)
        own = await tx.rows("SELECT key, value FROM person_settings WHERE user_id = ? ORDER BY key", user_id)
        return {
            **found,
            "results": [dict(zip(("game_id", "place", "total", "won"), row, strict=True)) for row in scored],
            "settings": [dict(zip(names, row, strict=True)) for row in settings],
            "own settings": [dict(zip(names[1:], row, strict=True)) for row in own],
        }

    return await db.read(query)


_OWN: Final = "WHERE key LIKE ?"
_SCORED: Final = (
    "SELECT results.game_id, place, total, won FROM results JOIN seats ON seats.game_id = results.game_id "
    "AND seats.player_id = results.player_id WHERE user_id = ? ORDER BY results.game_id, place"
)
"""Results of games by the holders of the seats."""


async def games_with_seat(db: Database, user_id: int, guild_id: int | None = None) -> list[int]:
    """Return the games that have not ended in which a person has a seat, of one server or of all."""
    return await db.read(lambda tx: _games_with_seat(tx, user_id, guild_id))


async def anonymise(
    db: Database, user_id: int, rewrite: Rewrite, *, guild_id: int | None = None
) -> list[int]:
    """Anonymise a user in all stored data, of one server or of all; return their games.

    All or nothing; what is overwritten is on the disk until `Database.vacuum`. Raises StillSeated.
    """

    async def change(tx: Transaction) -> list[int]:
        playing = await _games_with_seat(tx, user_id, guild_id)
        if playing:
            raise StillSeated(playing)
        found = await _games_of(tx, user_id, guild_id)
        for game_id in found:
            await games.lock_and_read(tx, game_id)
            await _anonymise_in(tx, game_id, user_id, rewrite)
        server = "" if guild_id is None else f" AND guild_id = {guild_id}"
        await tx.put(f"DELETE FROM guild_settings {_OWN}{server}", f"%:{user_id}")
        if guild_id is None:
            await tx.put("DELETE FROM person_settings WHERE user_id = ?", user_id)
        return found

    return await db.write(change)


async def users_of_guild(db: Database, guild_id: int) -> list[int]:
    """Return all users with stored data in a server's games."""
    queries = " UNION ".join(f"SELECT {held.person} FROM {held.table} {_HERE}" for held in TABLES)
    numbers = await db.numbers(queries, *(guild_id for _ in TABLES))
    return sorted(user for user in numbers if user not in (None, ANONYMISED, CARETAKER))


_HERE: Final = "WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?)"


async def end_or_resume(tx: Transaction, game: games.GameRow, status: games.Status) -> None:
    """End a running locked game, or resume a finished one, within a transaction.

    Raises WrongStatus, and StillSeated where a user in its seats was anonymised.
    """
    await games.set_status(tx, game, ("running", "finished"), status)
    anonymised = "SELECT 1 FROM seats WHERE game_id = ? AND user_id = ?"
    if (game.status, status) == ("finished", "running") and await tx.row(anonymised, game.id, ANONYMISED):
        raise StillSeated([game.id], "A player of this game was anonymised, so it cannot be resumed.")


async def _rows_of(tx: Transaction, table: PersonalTable, user_id: int) -> list[dict[str, object]]:
    names = table.columns.split(", ")
    rows = await tx.rows(
        f"SELECT {table.columns} FROM {table.table} WHERE {table.person} = ? ORDER BY 1, 2", user_id
    )
    return [dict(zip(names, row, strict=True)) for row in rows]


async def _games_with_seat(tx: Transaction, user_id: int, guild_id: int | None) -> list[int]:
    rows = await tx.rows(
        "SELECT DISTINCT games.id FROM games JOIN seats ON seats.game_id = games.id WHERE user_id = ? "
        "AND status IN ('lobby', 'running') AND guild_id = COALESCE(?, guild_id) ORDER BY games.id",
        *(user_id, guild_id),
    )
    return [game_id for (game_id,) in rows]


async def _games_of(tx: Transaction, user_id: int, guild_id: int | None) -> list[int]:
    wanted: list[tuple[str, str, object]] = [
        *((held.table, f"{held.person} = ?", user_id) for held in TABLES),
        # Mentions and proposals name people by number who are nowhere else in the game.
        *((table, "payload LIKE ?", f"%{user_id}%") for table in ("outbox", "proposals")),
    ]
    games = {
        game_id
        for table, which, value in wanted
        for (game_id,) in await tx.rows(f"SELECT game_id FROM {table} WHERE {which}", value)
    }
    here = await tx.rows("SELECT id FROM games WHERE guild_id = COALESCE(?, guild_id) ORDER BY id", guild_id)
    return [game_id for (game_id,) in here if game_id in games]


async def _anonymise_in(tx: Transaction, game_id: int, user_id: int, rewrite: Rewrite) -> None:
    somebody = await _identity(tx, game_id, user_id)
    await tx.put("INSERT INTO anonymising (game_id) VALUES (?)", game_id)
    await tx.put("UPDATE log SET user_id = NULL WHERE game_id = ? AND user_id = ?", game_id, user_id)
    for where in ("start", "accept"):
        await _rewrite(
            tx, "log", f"kind = '{where}'", "payload", game_id, _rewriter(where, somebody, rewrite)
        )
    await _rewrite(tx, "states", "1 = 1", "state", game_id, _rewriter("state", somebody, rewrite))
    await positions.drop_positions(tx, game_id)
    await tx.put("DELETE FROM anonymising WHERE game_id = ?", game_id)
    words = _rewriter("words", somebody, rewrite)
    for column in ("payload", "last_error"):
        await _rewrite(tx, "outbox", f"{column} IS NOT NULL", column, game_id, words)
    own = "SELECT number FROM orders WHERE game_id = ? AND user_id = ?"
    await tx.put(
        f"DELETE FROM orders_before WHERE game_id = ? AND number IN ({own})", game_id, game_id, user_id
    )
    private_tables = ("orders", "pings", "direct_messages", "proposal_pings", "ratings")
    for private in (*private_tables, "board_links", "board_sessions"):
        await tx.put(f"DELETE FROM {private} WHERE game_id = ? AND user_id = ?", game_id, user_id)
    for table in ("orders", "orders_before"):
        await _rewrite(tx, table, "why IS NOT NULL", "why", game_id, words)
    await _rewrite(tx, "direct_messages", "1 = 1", "text", game_id, words)
    for player in somebody.players:
        # A turn keeps the quiet hours, and with them the time zone, of its player.
        await tx.put("UPDATE turns SET quiet = NULL WHERE game_id = ? AND player_id = ?", game_id, player)
    await _expire(tx, game_id, user_id, words)
    await _nobody(tx, game_id, user_id)


def _rewriter(where: Where, somebody: GameIdentity, rewrite: Rewrite) -> Callable[[str], str]:
    return lambda text: rewrite(where, text, somebody)


async def _identity(tx: Transaction, game_id: int, user_id: int) -> GameIdentity:
    names = await _distinct(tx, "display_name", _NAMED, game_id, user_id)
    players = await _distinct(tx, "player_id", _PLAYING, game_id, user_id)
    return GameIdentity(user_id, tuple(sorted(names, key=len, reverse=True)), tuple(sorted(players)))


async def _distinct(
    tx: Transaction, column: str, tables: Sequence[str], game_id: int, user_id: int
) -> set[str]:
    """Distinct texts of a column in these tables about a user in a game."""
    statement = f"SELECT {column} FROM {{}} WHERE game_id = ? AND user_id = ?"
    return {text for table in tables for (text,) in await tx.rows(statement.format(table), game_id, user_id)}


async def _rewrite(
    tx: Transaction, table: str, key: str, column: str, game_id: int, words: Callable[[str], str]
) -> None:
    for (text,) in await tx.rows(
        f"SELECT DISTINCT {column} FROM {table} WHERE game_id = ? AND {key}", game_id
    ):
        new = words(text)
        if new != text:
            await tx.put(
                f"UPDATE {table} SET {column} = ? WHERE game_id = ? AND {key} AND {column} = ?",
                *(new, game_id, text),
            )


async def _expire(tx: Transaction, game_id: int, user_id: int, words: Callable[[str], str]) -> None:
    """Expire a user's proposals and those that name them; delete their votes."""
    await tx.put("DELETE FROM votes WHERE game_id = ? AND user_id = ?", game_id, user_id)
    rows = await tx.rows("SELECT number, payload, by_user FROM proposals WHERE game_id = ?", game_id)
    for number, payload, by_user in rows:
        new = words(payload)
        if new != payload or by_user == user_id:
            await tx.put(
                "UPDATE proposals SET payload = ?, state = CASE state WHEN 'open' THEN 'expired' ELSE state END "
                "WHERE game_id = ? AND number = ?",
                *(new, game_id, number),
            )


async def _nobody(tx: Transaction, game_id: int, user_id: int) -> None:
    """Replace the user by nobody, under a name that is distinct from other anonymised users."""
    taken = await _distinct(tx, "display_name", _NAMED, game_id, ANONYMISED)
    name = FORMER if FORMER not in taken else f"{FORMER} ({len(taken) + 1})"
    for table in _NAMED:
        await tx.put(
            f"UPDATE {table} SET user_id = ?, display_name = ? WHERE game_id = ? AND user_id = ?",
            *(ANONYMISED, name, game_id, user_id),
        )
    for table in ("proposals", "pauses", "past_pauses"):
        await tx.put(
            f"UPDATE {table} SET by_user = ? WHERE game_id = ? AND by_user = ?", ANONYMISED, game_id, user_id
        )
