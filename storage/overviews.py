"""Overviews of many games in one round trip: players, pauses, and whom each game waits for."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from storage import games
from storage import seats as seat_history
from storage.clocks import Pause
from storage.contract import Cells, Database, Question, query
from storage.seats import SeatEntry

_RowsByGame: TypeAlias = Mapping[int, Sequence[Sequence[Any]]]
"""Rows by game id."""
_RowsQuestion: TypeAlias = Question[_RowsByGame]


@dataclass(frozen=True, slots=True)
class Overview:
    """A game in the lobby or running, with everything that can be read without its position."""

    row: games.GameRow
    names: dict[str, str]
    """The display name of each player's seat holder, in seating order."""
    users: dict[str, int]
    """The user who now plays each player: a substitute, if there is one, or else the holder."""
    waited_for: tuple[str, ...]
    """The players for whom a running game waits; during a sealed auction, all players who have not bid."""
    pause: Pause | None
    """The stored pause, which may have run out already."""


async def overviews_of_user(db: Database, user_id: int, now: str) -> list[Overview]:
    """Return the games in which a user has a seat or substitutes now, oldest first."""
    # `seat_history` has no index on users, so it is searched only once.
    substituted_query = query(
        "SELECT DISTINCT game_id FROM seat_history WHERE role = 'substitute' AND user_id = ?", user_id
    )
    (rows,) = await db.ask(substituted_query)
    substituted_games = [game_id for (game_id,) in rows]
    games_condition = "games.id IN (SELECT game_id FROM seats WHERE user_id = ?)"
    if substituted_games:
        games_condition = f"({games_condition} OR games.id IN ({', '.join('?' * len(substituted_games))}))"
    overviews = await _overviews(db, now, games_condition, user_id, *substituted_games)
    return [one for one, holders in overviews if user_id in holders or user_id in one.users.values()]


async def overviews_of_server(db: Database, guild_id: int, now: str) -> list[Overview]:
    """Return the games of a server, oldest first."""
    return [one for one, _ in await _overviews(db, now, "guild_id = ?", guild_id)]


async def _overviews(db: Database, now: str, condition: str, *values: int) -> list[tuple[Overview, set[int]]]:
    """The games that are in the lobby or running, each with the users who hold its seats."""
    games_condition = f"status IN ('lobby', 'running') AND {condition}"

    def rows_question(
        columns: str, table: str, order: str, more_conditions: str = ""
    ) -> Question[_RowsByGame]:
        row_condition = f"game_id IN (SELECT games.id FROM games WHERE {games_condition}) {more_conditions}"
        select = f"SELECT game_id, {columns} FROM {table} WHERE {row_condition} ORDER BY game_id, {order}"
        return Question(query(select, *values), _grouped_by_game)

    questions = (
        games.select_question(f"WHERE {games_condition} ORDER BY games.id", *values),
        rows_question("player_id, display_name, user_id", "seats", "seat"),
        rows_question(seat_history.ENTRY_COLUMNS, "seat_history", "id", f"AND {seat_history.IS_SUBSTITUTED}"),
        rows_question("player_id", "notifications", "player_id"),
        rows_question("by_user, until, at", "pauses", "at"),
    )
    answers = await db.ask(*(question.query for question in questions))
    # With a thousand games this takes too long for the event loop.
    return await asyncio.to_thread(_read_overviews, questions, answers, now)


def _read_overviews(
    questions: tuple[
        Question[list[games.GameRow]], _RowsQuestion, _RowsQuestion, _RowsQuestion, _RowsQuestion
    ],
    answers: Sequence[list[Cells]],
    now: str,
) -> list[tuple[Overview, set[int]]]:
    rows = questions[0].read(answers[0])
    seats_by_game, seat_entries_by_game, players_by_game, pauses_by_game = (
        question.read(cells) for question, cells in zip(questions[1:], answers[1:], strict=True)
    )

    def read_overview(row: games.GameRow) -> tuple[Overview, set[int]]:
        seats = seats_by_game[row.id]
        substitutes = seat_history.substitutes(
            (SeatEntry(*history) for history in seat_entries_by_game[row.id]), now
        )
        overview = Overview(
            row,
            names={player: name for player, name, _ in seats},
            users={player: user for player, _, user in seats}
            | {player: one.user_id for player, one in substitutes.items()},
            waited_for=tuple(player for (player,) in players_by_game[row.id]),
            pause=next((Pause(*pause) for pause in pauses_by_game[row.id]), None),
        )
        return overview, {user for _, _, user in seats}

    return [read_overview(row) for row in rows]


def _grouped_by_game(rows: list[Cells]) -> _RowsByGame:
    rows_by_game: defaultdict[int, list[Cells]] = defaultdict(list)
    for game_id, *row in rows:
        rows_by_game[game_id].append(tuple(row))
    return rows_by_game
