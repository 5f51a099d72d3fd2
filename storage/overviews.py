"""Overviews of several games: players, whom they wait for, pauses; one trip for many games."""

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

_ByGame: TypeAlias = Mapping[int, Sequence[Sequence[Any]]]
"""Rows by their game."""
_Rows: TypeAlias = Question[_ByGame]


@dataclass(frozen=True, slots=True)
class Overview:
    """An open or running game, as far as the database knows it without its position."""

    row: games.GameRow
    names: dict[str, str]
    """The name of each seat's holder, by player, in seating order."""
    users: dict[str, int]
    """The user who plays each player now: the substitute, if there is one."""
    waited_for: tuple[str, ...]
    """The players for whom a running game waits; while a table seals, all who have not sealed."""
    pause: Pause | None
    """One that has run out is there until it is ended."""


async def overviews_of_user(db: Database, user_id: int, now: str) -> list[Overview]:
    """Return the games in which a user has a seat or substitutes now, oldest first."""
    # No index has the users of `seat_history`: it is searched once, not for each kind of rows.
    by_user = query(
        "SELECT DISTINCT game_id FROM seat_history WHERE role = 'substitute' AND user_id = ?", user_id
    )
    (rows,) = await db.ask(by_user)
    substituted = [game_id for (game_id,) in rows]
    own = "games.id IN (SELECT game_id FROM seats WHERE user_id = ?)"
    if substituted:
        own = f"({own} OR games.id IN ({', '.join('?' * len(substituted))}))"
    overviews = await _overviews(db, now, own, user_id, *substituted)
    return [one for one, holders in overviews if user_id in holders or user_id in one.users.values()]


async def overviews_of_server(db: Database, guild_id: int, now: str) -> list[Overview]:
    """Return the games of a server, oldest first."""
    return [one for one, _ in await _overviews(db, now, "guild_id = ?", guild_id)]


async def _overviews(db: Database, now: str, where: str, *values: int) -> list[tuple[Overview, set[int]]]:
    """Open and running games, with the users who hold their seats."""
    listed = f"status IN ('lobby', 'running') AND {where}"

    def by_game(columns: str, table: str, order: str, also: str = "") -> Question[_ByGame]:
        inside = f"game_id IN (SELECT games.id FROM games WHERE {listed}) {also}"
        select = f"SELECT game_id, {columns} FROM {table} WHERE {inside} ORDER BY game_id, {order}"
        return Question(query(select, *values), _by_game)

    questions = (
        games.select_question(f"WHERE {listed} ORDER BY games.id", *values),
        by_game("player_id, display_name, user_id", "seats", "seat"),
        by_game(seat_history.ENTRY_COLUMNS, "seat_history", "id", f"AND {seat_history.SUBSTITUTED}"),
        by_game("player_id", "notifications", "player_id"),
        by_game("by_user, until, at", "pauses", "at"),
    )
    answers = await db.ask(*(question.query for question in questions))
    # Of a thousand games it takes long.
    return await asyncio.to_thread(_read, questions, answers, now)


def _read(
    questions: tuple[Question[list[games.GameRow]], _Rows, _Rows, _Rows, _Rows],
    found: Sequence[list[Cells]],
    now: str,
) -> list[tuple[Overview, set[int]]]:
    rows = questions[0].read(found[0])
    taken, histories, waited, paused = (
        question.read(cells) for question, cells in zip(questions[1:], found[1:], strict=True)
    )

    def read(row: games.GameRow) -> tuple[Overview, set[int]]:
        seats = taken[row.id]
        substitutes = seat_history.substitutes((SeatEntry(*history) for history in histories[row.id]), now)
        overview = Overview(
            row,
            names={player: name for player, name, _ in seats},
            users={player: user for player, _, user in seats}
            | {player: one.user_id for player, one in substitutes.items()},
            waited_for=tuple(player for (player,) in waited[row.id]),
            pause=next((Pause(*pause) for pause in paused[row.id]), None),
        )
        return overview, {user for _, _, user in seats}

    return [read(row) for row in rows]


def _by_game(rows: list[Cells]) -> _ByGame:
    grouped: defaultdict[int, list[Cells]] = defaultdict(list)
    for game_id, *row in rows:
        grouped[game_id].append(tuple(row))
    return grouped
