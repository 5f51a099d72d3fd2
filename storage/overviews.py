"""Overviews of many games, and the games in which a user must act."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from storage import games
from storage import seats as seat_history
from storage.clocks import Pause
from storage.contract import Database, ParsedQuery, RowValues, query
from storage.games import GameRow
from storage.pings import MAY_PING_USERS_SQL, USER_OF_SEAT_SQL
from storage.seats import SeatEntry

_RowsByGame: TypeAlias = Mapping[int, Sequence[Sequence[Any]]]
_RowsQuery: TypeAlias = ParsedQuery[_RowsByGame]


@dataclass(frozen=True, slots=True)
class Overview:
    """A game in the lobby or running, with all facts that can be read without its game state."""

    row: games.GameRow
    names: dict[str, str]
    """The display name of each player's seat holder, in playing order."""
    user_by_player: dict[str, int]
    """The user who plays each seat now: the substitute if there is one, otherwise the holder."""
    players_to_act: tuple[str, ...]
    """The players for whom a running game waits; in a sealed auction, all players who have not bid yet."""
    pause: Pause | None
    """The stored pause. It may have reached its planned end."""


async def overviews_of_user(db: Database, user_id: int, now: str) -> list[Overview]:
    """Return the unfinished games in which a user has a seat or is now a substitute, oldest first."""
    # `seat_history` has no index on users, so it is searched only once.
    substituted_query = query(
        "SELECT DISTINCT game_id FROM seat_history WHERE role = 'substitute' AND user_id = ?", user_id
    )
    (rows,) = await db.fetch(substituted_query)
    substituted_games = [game_id for (game_id,) in rows]
    games_condition = "games.id IN (SELECT game_id FROM seats WHERE user_id = ?)"
    if substituted_games:
        games_condition = f"({games_condition} OR games.id IN ({', '.join('?' * len(substituted_games))}))"
    overviews = await _overviews(db, now, games_condition, user_id, *substituted_games)
    return [
        overview
        for overview, holders in overviews
        if user_id in holders or user_id in overview.user_by_player.values()
    ]


async def overviews_of_server(db: Database, guild_id: int, now: str) -> list[Overview]:
    """Return the unfinished games of a server, oldest first."""
    return [overview for overview, _ in await _overviews(db, now, "guild_id = ?", guild_id)]


async def _overviews(db: Database, now: str, condition: str, *values: int) -> list[tuple[Overview, set[int]]]:
    """The unfinished games that match the condition, each with the ids of the users who hold its seats."""
    games_condition = f"status IN ('lobby', 'running') AND {condition}"

    def table_query(
        columns: str, table: str, order: str, more_conditions: str = ""
    ) -> ParsedQuery[_RowsByGame]:
        row_condition = f"game_id IN (SELECT games.id FROM games WHERE {games_condition}) {more_conditions}"
        select_sql = f"SELECT game_id, {columns} FROM {table} WHERE {row_condition} ORDER BY game_id, {order}"
        return ParsedQuery(query(select_sql, *values), _group_by_game)

    parsed_queries = (
        games.games_query(f"WHERE {games_condition} ORDER BY games.id", *values),
        table_query("player_id, display_name, user_id", "seats", "seat"),
        table_query(
            seat_history.ENTRY_COLUMNS, "seat_history", "id", f"AND {seat_history.IS_SUBSTITUTED_SQL}"
        ),
        table_query("player_id", "notifications", "player_id"),
        table_query("by_user, until, at", "pauses", "at"),
    )
    results = await db.fetch(*(parsed_query.query for parsed_query in parsed_queries))
    # With a thousand games this takes too long for the event loop.
    return await asyncio.to_thread(_read_overviews, parsed_queries, results, now)


def _read_overviews(
    parsed_queries: tuple[ParsedQuery[list[games.GameRow]], _RowsQuery, _RowsQuery, _RowsQuery, _RowsQuery],
    results: Sequence[list[RowValues]],
    now: str,
) -> list[tuple[Overview, set[int]]]:
    rows = parsed_queries[0].read(results[0])
    seats_by_game, seat_entries_by_game, players_by_game, pauses_by_game = (
        parsed_query.read(result_rows)
        for parsed_query, result_rows in zip(parsed_queries[1:], results[1:], strict=True)
    )

    def read_overview(row: games.GameRow) -> tuple[Overview, set[int]]:
        seats = seats_by_game[row.id]
        substitutes = seat_history.substitutes(
            (SeatEntry(*entry_values) for entry_values in seat_entries_by_game[row.id]), now
        )
        overview = Overview(
            row,
            names={player: name for player, name, _ in seats},
            user_by_player={player: user for player, _, user in seats}
            | {player: substitute.user_id for player, substitute in substitutes.items()},
            players_to_act=tuple(player for (player,) in players_by_game[row.id]),
            pause=next((Pause(*pause) for pause in pauses_by_game[row.id]), None),
        )
        return overview, {user for _, _, user in seats}

    return [read_overview(row) for row in rows]


def _group_by_game(rows: list[RowValues]) -> _RowsByGame:
    rows_by_game: defaultdict[int, list[RowValues]] = defaultdict(list)
    for game_id, *row in rows:
        rows_by_game[game_id].append(tuple(row))
    return rows_by_game


async def next_game(db: Database, user_id: int, excluded_game_id: int) -> GameRow | None:
    """Return the running game that has waited longest for a user; None if no game waits.

    The game `excluded_game_id` is left out.
    """
    clause = (
        f"JOIN notifications ON games.id = game_id WHERE {MAY_PING_USERS_SQL} AND games.id <> ? "
        f"AND ? = {USER_OF_SEAT_SQL} ORDER BY notifications.since, games.id LIMIT 1"
    )
    return next(iter(await games.select_games(db, clause, excluded_game_id, user_id)), None)


async def games_waiting_for(db: Database, user_id: int) -> list[int]:
    """Return the ids of the running games in which a seat that the user plays must act."""
    return await db.numbers(
        f"SELECT DISTINCT game_id FROM notifications JOIN games ON games.id = game_id WHERE {MAY_PING_USERS_SQL} "
        f"AND ? = {USER_OF_SEAT_SQL} ORDER BY game_id",
        user_id,
    )
