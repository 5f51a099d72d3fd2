"""Upkeep of a running event: late players, substitutes, withdrawals, and ending games at the deadline."""

import logging
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from bot.table.errors import Refused
from bot.table.events.event_views import EventView, event_view
from bot.table.tables import Tables
from bot.table.votes.absent_seats import let_caretaker_play
from bot.table.votes.moderation import moderator_end
from bot.table.votes.seat_proposals import hand_over_seat
from storage import CARETAKER_USER, EventTable, StorageError, events, parse_timestamp, pings

_log = logging.getLogger("stationmaster.events")


@dataclass(frozen=True, slots=True)
class WaitingGame:
    """A running game that has waited for an entrant to move since `since`."""

    game_id: int
    thread_id: int | None
    since: datetime


@dataclass(frozen=True, slots=True)
class LatePlayer:
    """An entrant for whom games wait, with these games, longest wait first."""

    entrant: int
    name: str
    games: tuple[WaitingGame, ...]


async def late_players(tables: Tables, event_id: int) -> list[LatePlayer]:
    """The entrants for whom games of the event wait, longest wait first."""
    view = await event_view(tables.db, event_id)
    waits_by_entrant: defaultdict[int, list[WaitingGame]] = defaultdict(list)
    for game in view.running_games:
        notifications, _ = await pings.notifications_of_game(tables.db, game.game_id)
        for notification in notifications:
            entrant = game.event_table.entrants[int(notification.player_id.removeprefix("p")) - 1]
            since = parse_timestamp(notification.since)
            waits_by_entrant[entrant].append(WaitingGame(game.game_id, game.thread_id, since))
    unsorted_players = [
        LatePlayer(entrant, view.names[entrant], tuple(sorted(waiting_games, key=lambda game: game.since)))
        for entrant, waiting_games in waits_by_entrant.items()
    ]
    return sorted(unsorted_players, key=lambda player: player.games[0].since)


async def withdraw(tables: Tables, event_id: int, entrant: int, moderator: int) -> int:
    """Withdraw an entrant. A caretaker (computer player) plays their seats; returns the number of these seats."""
    view = await event_view(tables.db, event_id)
    _require_entrant(view, entrant)
    await events.withdraw(tables.db, event_id, entrant)
    count = 0
    for game_id, player in _running_seats(view, entrant):
        try:
            await let_caretaker_play(tables, game_id, moderator, player)
            count += 1
        except Refused as problem:
            _log.info("game %s: the caretaker cannot take over a seat: %s", game_id, problem)
    return count


async def substitute(
    tables: Tables, event_id: int, entrant: int, newcomer: tuple[int, str], moderator: int
) -> int:
    """Give an entrant's place and seats to a newcomer (user id, name); returns the number of seats handed over.

    Raises Refused if the newcomer already plays in the event.
    """
    view = await event_view(tables.db, event_id)
    _require_entrant(view, entrant)
    user_id, name = newcomer
    if any(other_entrant.user_id == user_id for other_entrant in view.present_entrants):
        raise Refused(f"{name} already plays in {view.event.name}.")
    await events.substitute(tables.db, event_id, entrant, user_id, name)
    seats = list(_running_seats(view, entrant))
    for game_id, player in seats:
        async with tables.writing(game_id) as live:
            await hand_over_seat(
                tables, live, player, newcomer, f"as a substitute (decided by <@{moderator}>)"
            )
        tables.reload_and_post(game_id)
    return len(seats)


def _require_entrant(view: EventView, entrant: int) -> None:
    if entrant not in view.names or view.event.status not in ("drawn", "running"):
        raise Refused(f"Nobody in {view.event.name} with number {entrant} can withdraw or be replaced now.")


def _running_seats(view: EventView, entrant: int) -> Iterator[tuple[int, str]]:
    """An entrant's seats in running games, as (game id, player id)."""
    for game in view.running_games:
        if entrant in game.event_table.entrants:
            yield game.game_id, f"p{game.event_table.entrants.index(entrant) + 1}"


async def end_unfinished_games(tables: Tables, event_id: int, moderator: int) -> tuple[int, list[str]]:
    """End all running games of an event with their current scores.

    Returns the number of ended games, and a sentence for each game that could not be ended.
    """
    view = await event_view(tables.db, event_id)
    ended_count, problems = 0, list[str]()
    for game in view.running_games:
        try:
            async with tables.reading(game.game_id) as live:
                seq = live.seq
            await moderator_end(tables, game.game_id, moderator, seq)
            ended_count += 1
        except (Refused, StorageError) as problem:
            problems.append(f"Game {game.game_id}: {problem}")
    return ended_count, problems


def tables_without_users(view: EventView) -> list[EventTable]:
    """Unfinished tables at which all players are computer players; no moves are made in these games."""
    entrants_with_user = {
        entrant.number for entrant in view.present_entrants if entrant.user_id != CARETAKER_USER
    }
    return [table for table in view.unfinished_tables if entrants_with_user.isdisjoint(table.entrants)]
