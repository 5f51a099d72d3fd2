"""A user's personal data: export of all rows, and anonymisation, which keeps games intact."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from storage import games, positions
from storage.contract import Database, Transaction
from storage.errors import StillSeated

ANONYMISED_USER: Final = 0
"""The user id that replaces an anonymised user; no Discord user has it."""
CARETAKER_USER: Final = -1
"""The user id for seats without a holder; a caretaker (computer player) plays them. No Discord user has it."""
FORMER_PLAYER_NAME: Final = "a former player"
"""The display name that replaces an anonymised user's name."""


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A table with personal data: its name, its column of user ids, and the columns to export."""

    table: str
    user_column: str
    columns: str


PERSONAL_TABLES: Final = (
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
"""The tables that have a column of user ids.

Server settings are not among them, although the keys of some settings end with a user id.
"""
ENTRANT_COLUMNS: Final = "event_id, number, display_name, status, division, joined_at"
"""Columns exported about a user's places in events."""
_PLAYER_TABLES: Final = ("seats", "seat_history")
"""Tables with the players (seats) that a user has played."""
_NAME_TABLES: Final = (*_PLAYER_TABLES, "memberships")

TextKind: TypeAlias = Literal["words", "start", "accept", "state"]
"""Kinds of stored text that may name a user.

`words` is text for readers, `start` and `accept` are payloads of log rows, and `state` is a stored game state.
"""


@dataclass(frozen=True, slots=True)
class UserInGame:
    """A user in one game: user id, display names, and the players (seats) that the user has played."""

    user_id: int
    names: tuple[str, ...]
    players: tuple[str, ...]


TextAnonymiser: TypeAlias = Callable[[TextKind, str, UserInGame], str]
"""A function that removes a user's identity from a text and changes nothing else."""


async def rows_about_user(db: Database, user_id: int) -> dict[str, list[dict[str, object]]]:
    """Return all stored rows about a user, by table; each row maps column names to values."""

    async def in_snapshot(tx: Transaction) -> dict[str, list[dict[str, object]]]:
        rows_by_table = {table.table: await _rows_of_user(tx, table, user_id) for table in PERSONAL_TABLES}
        settings = await tx.rows(
            f"SELECT guild_id, key, value FROM guild_settings {_KEY_ENDS_WITH_SQL}", f"%:{user_id}"
        )
        column_names = ("guild_id", "key", "value")
        result_rows = await tx.rows(_RESULTS_OF_USER_SQL, user_id)
        own_settings = await tx.rows(
            "SELECT key, value FROM person_settings WHERE user_id = ? ORDER BY key", user_id
        )
        entrant_rows = await tx.rows(
            f"SELECT {ENTRANT_COLUMNS} FROM entrants WHERE user_id = ? ORDER BY event_id, number", user_id
        )
        visit_rows = await tx.rows(
            "SELECT guild_id, event_id, expires_at FROM page_visits WHERE user_id = ? ORDER BY expires_at",
            user_id,
        )
        return {
            **rows_by_table,
            "page_visits": [
                dict(zip(("guild_id", "event_id", "expires_at"), row, strict=True)) for row in visit_rows
            ],
            "events": [dict(zip(ENTRANT_COLUMNS.split(", "), row, strict=True)) for row in entrant_rows],
            "results": [
                dict(zip(("game_id", "place", "total", "won"), row, strict=True)) for row in result_rows
            ],
            "settings": [dict(zip(column_names, row, strict=True)) for row in settings],
            "own settings": [dict(zip(column_names[1:], row, strict=True)) for row in own_settings],
        }

    return await db.read(in_snapshot)


_KEY_ENDS_WITH_SQL: Final = "WHERE key LIKE ?"
_RESULTS_OF_USER_SQL: Final = (
    "SELECT results.game_id, place, total, won FROM results JOIN seats ON seats.game_id = results.game_id "
    "AND seats.player_id = results.player_id WHERE user_id = ? ORDER BY results.game_id, place"
)


async def games_with_seat(db: Database, user_id: int, guild_id: int | None = None) -> list[int]:
    """Return the unfinished games in which a user has a seat, of one server or of all."""
    return await db.read(lambda tx: _games_with_seat(tx, user_id, guild_id))


async def anonymise(
    db: Database, user_id: int, rewrite: TextAnonymiser, *, guild_id: int | None = None
) -> list[int]:
    """Anonymise a user in all stored data of one server, or of all servers; return the ids of the user's games.

    `rewrite` removes the user from stored texts. Old data stays on the disk until `Database.vacuum`. Raises
    StillSeated; nothing is changed then.
    """

    async def in_transaction(tx: Transaction) -> list[int]:
        unfinished_games = await _games_with_seat(tx, user_id, guild_id)
        if unfinished_games:
            raise StillSeated(unfinished_games)
        games_of_user = await _games_of_user(tx, user_id, guild_id)
        for game_id in games_of_user:
            await games.lock_and_read(tx, game_id)
            await _anonymise_in_game(tx, game_id, user_id, rewrite)
        guild_condition = "" if guild_id is None else f" AND guild_id = {guild_id}"
        await tx.put(f"DELETE FROM guild_settings {_KEY_ENDS_WITH_SQL}{guild_condition}", f"%:{user_id}")
        await _anonymise_in_events(tx, user_id, guild_condition)
        if guild_id is None:
            await tx.put("DELETE FROM person_settings WHERE user_id = ?", user_id)
        return games_of_user

    return await db.write(in_transaction)


async def _anonymise_in_events(tx: Transaction, user_id: int, guild_condition: str) -> None:
    """Remove a user from events before the draw, and anonymise the user in events after the draw.

    The user is also anonymised as organiser, and the user's links to web pages and sessions at them are deleted.
    """
    in_events_sql = "user_id = ? AND event_id IN (SELECT id FROM events WHERE {})"
    undrawn_events_sql = in_events_sql.format(f"status = 'open'{guild_condition}")
    await tx.put(f"DELETE FROM entrants WHERE {undrawn_events_sql}", user_id)
    await tx.put(
        "UPDATE entrants SET user_id = ?, display_name = ?, status = 'withdrawn' "
        f"WHERE {in_events_sql.format(f'1 = 1{guild_condition}')}",
        *(ANONYMISED_USER, FORMER_PLAYER_NAME, user_id),
    )
    await tx.put(f"DELETE FROM page_visits WHERE user_id = ?{guild_condition}", user_id)
    await tx.put(
        f"UPDATE events SET opened_by = ? WHERE opened_by = ?{guild_condition}", ANONYMISED_USER, user_id
    )


async def users_of_guild(db: Database, guild_id: int) -> list[int]:
    """Return the ids of all users with stored data in a server's games, events or web pages."""
    user_ids_sql = " UNION ".join(
        f"SELECT {table.user_column} FROM {table.table} {_IN_GUILD_SQL}" for table in PERSONAL_TABLES
    )
    user_ids_sql += (
        " UNION SELECT user_id FROM entrants WHERE event_id IN (SELECT id FROM events WHERE guild_id = ?)"
        " UNION SELECT user_id FROM page_visits WHERE guild_id = ?"
    )
    user_ids = await db.numbers(user_ids_sql, *(guild_id for _ in PERSONAL_TABLES), guild_id, guild_id)
    return sorted(user for user in user_ids if user not in (None, ANONYMISED_USER, CARETAKER_USER))


_IN_GUILD_SQL: Final = "WHERE game_id IN (SELECT id FROM games WHERE guild_id = ?)"


async def finish_or_resume_game(tx: Transaction, game: games.GameRow, status: games.Status) -> None:
    """Set a locked game's status to finished, or back to running, within a transaction.

    Raises WrongStatus. Raises StillSeated if a game in which a user was anonymised would run again.
    """
    await games.set_status(tx, game, ("running", "finished"), status)
    anonymised_seat_sql = "SELECT 1 FROM seats WHERE game_id = ? AND user_id = ?"
    if (game.status, status) == ("finished", "running") and await tx.row(
        anonymised_seat_sql, game.id, ANONYMISED_USER
    ):
        raise StillSeated([game.id], "A player of this game was anonymised, so it cannot be resumed.")


async def _rows_of_user(tx: Transaction, table: PersonalTable, user_id: int) -> list[dict[str, object]]:
    column_names = table.columns.split(", ")
    rows = await tx.rows(
        f"SELECT {table.columns} FROM {table.table} WHERE {table.user_column} = ? ORDER BY 1, 2", user_id
    )
    return [dict(zip(column_names, row, strict=True)) for row in rows]


async def _games_with_seat(tx: Transaction, user_id: int, guild_id: int | None) -> list[int]:
    rows = await tx.rows(
        "SELECT DISTINCT games.id FROM games JOIN seats ON seats.game_id = games.id WHERE user_id = ? "
        "AND status IN ('lobby', 'running') AND guild_id = COALESCE(?, guild_id) ORDER BY games.id",
        *(user_id, guild_id),
    )
    return [game_id for (game_id,) in rows]


async def _games_of_user(tx: Transaction, user_id: int, guild_id: int | None) -> list[int]:
    conditions: list[tuple[str, str, object]] = [
        *(
            (personal_table.table, f"{personal_table.user_column} = ?", user_id)
            for personal_table in PERSONAL_TABLES
        ),
        # Mentions and proposals contain ids of users who may appear nowhere else in the game.
        *((table, "payload LIKE ?", f"%{user_id}%") for table in ("outbox", "proposals")),
    ]
    game_ids = {
        game_id
        for table, condition, value in conditions
        for (game_id,) in await tx.rows(f"SELECT game_id FROM {table} WHERE {condition}", value)
    }
    games_in_guild = await tx.rows(
        "SELECT id FROM games WHERE guild_id = COALESCE(?, guild_id) ORDER BY id", guild_id
    )
    return [game_id for (game_id,) in games_in_guild if game_id in game_ids]


async def _anonymise_in_game(tx: Transaction, game_id: int, user_id: int, rewrite: TextAnonymiser) -> None:
    user_in_game = await _user_in_game(tx, game_id, user_id)
    await tx.put("INSERT INTO anonymising (game_id) VALUES (?)", game_id)
    await tx.put("UPDATE log SET user_id = NULL WHERE game_id = ? AND user_id = ?", game_id, user_id)
    for text_kind in ("start", "accept"):
        await _rewrite_column(
            tx,
            "log",
            f"kind = '{text_kind}'",
            "payload",
            game_id,
            _rewriter(text_kind, user_in_game, rewrite),
        )
    await _rewrite_column(tx, "states", "1 = 1", "state", game_id, _rewriter("state", user_in_game, rewrite))
    await positions.drop_positions(tx, game_id)
    await tx.put("DELETE FROM anonymising WHERE game_id = ?", game_id)
    rewrite_words = _rewriter("words", user_in_game, rewrite)
    for column in ("payload", "last_error"):
        await _rewrite_column(tx, "outbox", f"{column} IS NOT NULL", column, game_id, rewrite_words)
    order_numbers_sql = "SELECT number FROM orders WHERE game_id = ? AND user_id = ?"
    await tx.put(
        f"DELETE FROM orders_before WHERE game_id = ? AND number IN ({order_numbers_sql})",
        game_id,
        game_id,
        user_id,
    )
    private_tables = ("orders", "pings", "direct_messages", "proposal_pings", "ratings")
    for private_table in (*private_tables, "board_links", "board_sessions"):
        await tx.put(f"DELETE FROM {private_table} WHERE game_id = ? AND user_id = ?", game_id, user_id)
    for table in ("orders", "orders_before"):
        await _rewrite_column(tx, table, "why IS NOT NULL", "why", game_id, rewrite_words)
    await _rewrite_column(tx, "direct_messages", "1 = 1", "text", game_id, rewrite_words)
    for player in user_in_game.players:
        # The quiet hours stored with a turn tell the player's time zone.
        await tx.put("UPDATE turns SET quiet = NULL WHERE game_id = ? AND player_id = ?", game_id, player)
    await _expire_proposals(tx, game_id, user_id, rewrite_words)
    await _replace_user_id_and_name(tx, game_id, user_id)


def _rewriter(text_kind: TextKind, user_in_game: UserInGame, rewrite: TextAnonymiser) -> Callable[[str], str]:
    return lambda text: rewrite(text_kind, text, user_in_game)


async def _user_in_game(tx: Transaction, game_id: int, user_id: int) -> UserInGame:
    names = await _distinct_texts(tx, "display_name", _NAME_TABLES, game_id, user_id)
    players = await _distinct_texts(tx, "player_id", _PLAYER_TABLES, game_id, user_id)
    return UserInGame(user_id, tuple(sorted(names, key=len, reverse=True)), tuple(sorted(players)))


async def _distinct_texts(
    tx: Transaction, column: str, tables: Sequence[str], game_id: int, user_id: int
) -> set[str]:
    statement = f"SELECT {column} FROM {{}} WHERE game_id = ? AND user_id = ?"
    return {text for table in tables for (text,) in await tx.rows(statement.format(table), game_id, user_id)}


async def _rewrite_column(
    tx: Transaction, table: str, condition: str, column: str, game_id: int, rewrite_text: Callable[[str], str]
) -> None:
    for (text,) in await tx.rows(
        f"SELECT DISTINCT {column} FROM {table} WHERE game_id = ? AND {condition}", game_id
    ):
        new_text = rewrite_text(text)
        if new_text != text:
            await tx.put(
                f"UPDATE {table} SET {column} = ? WHERE game_id = ? AND {condition} AND {column} = ?",
                *(new_text, game_id, text),
            )


async def _expire_proposals(
    tx: Transaction, game_id: int, user_id: int, rewrite_text: Callable[[str], str]
) -> None:
    """Mark open proposals that a user made, or that concern the user, as expired; delete the user's votes.

    The user is also removed from the texts of closed proposals.
    """
    await tx.put("DELETE FROM votes WHERE game_id = ? AND user_id = ?", game_id, user_id)
    rows = await tx.rows("SELECT number, payload, by_user FROM proposals WHERE game_id = ?", game_id)
    for number, payload, by_user in rows:
        new_text = rewrite_text(payload)
        if new_text != payload or by_user == user_id:
            await tx.put(
                "UPDATE proposals SET payload = ?, state = CASE state WHEN 'open' THEN 'expired' ELSE state END "
                "WHERE game_id = ? AND number = ?",
                *(new_text, game_id, number),
            )


async def _replace_user_id_and_name(tx: Transaction, game_id: int, user_id: int) -> None:
    """Replace a user's id and name; the new name is unique among the game's anonymised users."""
    used_names = await _distinct_texts(tx, "display_name", _NAME_TABLES, game_id, ANONYMISED_USER)
    name = (
        FORMER_PLAYER_NAME
        if FORMER_PLAYER_NAME not in used_names
        else f"{FORMER_PLAYER_NAME} ({len(used_names) + 1})"
    )
    for table in _NAME_TABLES:
        await tx.put(
            f"UPDATE {table} SET user_id = ?, display_name = ? WHERE game_id = ? AND user_id = ?",
            *(ANONYMISED_USER, name, game_id, user_id),
        )
    for table in ("proposals", "pauses", "past_pauses"):
        await tx.put(
            f"UPDATE {table} SET by_user = ? WHERE game_id = ? AND by_user = ?",
            ANONYMISED_USER,
            game_id,
            user_id,
        )
