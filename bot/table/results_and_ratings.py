"""Results of games, players' ratings, and thinking times."""

import asyncio
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import Final

from bot.table.bounded_caches import BoundedDict
from bot.table.live import LiveGame
from engine import Game, read_action
from engine.views import score_view
from storage import (
    ANONYMISED_USER,
    CARETAKER_USER,
    Database,
    GameResult,
    NewLogRow,
    SideEffects,
    log,
    parse_timestamp,
    results,
)


def game_results(game: Game) -> tuple[GameResult, ...]:
    """Each player's place and score in a game that is over; empty while the game is running."""
    rows = score_view(game).rows if game.is_over else ()
    return tuple(GameResult(row.player, row.rank, row.total, row.rank == 1) for row in rows)


RATING_SCALE: Final = 1000


def rating_changes(
    live: LiveGame, entries: Sequence[NewLogRow], scores: Sequence[GameResult], now: str
) -> SideEffects:
    """Changes of ratings to store with the log rows that end a game.

    Nothing changes if the game continues, ended early, or has fewer than two users.
    """
    players_without_user = live.group_players | live.caretaker_players
    user_by_player = {
        seat.player_id: seat.user_id for seat in live.seats if seat.player_id not in players_without_user
    }
    places = tuple(
        (user_by_player[score.player_id], score.rank)
        for score in scores
        if user_by_player.get(score.player_id, CARETAKER_USER) not in (CARETAKER_USER, ANONYMISED_USER)
    )
    is_rated = len(places) > 1 and not _is_ended_early(entries)
    return results.RatingUpdate(places, ratings_after, now) if is_rated else log.NO_SIDE_EFFECTS


def ratings_after(ratings: Sequence[results.Rating | None], places: Sequence[int]) -> list[results.Rating]:
    """Ratings after a game, by OpenSkill's Plackett-Luce model. `ratings` are the ratings before it (None: unrated)."""
    # Imported here since it takes a while to load and is needed only when a game ends.
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    teams_before = [
        [
            model.rating()
            if rating is None
            else model.rating(rating.mu / RATING_SCALE, rating.sigma / RATING_SCALE)
        ]
        for rating in ratings
    ]
    rated_teams = model.rate(teams_before, ranks=[float(place) for place in places])
    return [
        results.Rating(round(new_rating.mu * RATING_SCALE), round(new_rating.sigma * RATING_SCALE))
        for [new_rating] in rated_teams
    ]


def rating_text(rating: results.Rating) -> str:
    """A rating as text: `rating 27.1 ± 6.2`."""
    return f"rating {rating.mu / RATING_SCALE:.1f} ± {rating.sigma / RATING_SCALE:.1f}"


def _is_ended_early(entries: Sequence[NewLogRow]) -> bool:
    last_entry = entries[-1]
    return last_entry.kind != "action" or read_action(last_entry.payload).kind == "end_game"


MAX_CACHED_GAMES: Final = 500
"""Maximum number of games whose thinking times are cached. A game has about ten of them for each round."""

ThinkingTimes = list[tuple[int, timedelta]]
"""Thinking times: user ids, each with the time that one turn took."""


class ThinkingTimeCache:
    """A cache of thinking times by game. For a cached game, only log rows that are new are read."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._cached_times: BoundedDict[int, tuple[results.TimedMove, ThinkingTimes]] = BoundedDict(
            MAX_CACHED_GAMES
        )

    async def times_of_game(self, game_id: int) -> ThinkingTimes:
        """The thinking times in a game: one for each turn, with the user's id."""
        last_decision, thinking_times = self._cached_times.get(game_id, (None, []))
        rows = await results.timed_moves_of_game(
            self._db, game_id, 1 if last_decision is None else last_decision.seq
        )
        if rows:
            thinking_times = [*thinking_times, *await asyncio.to_thread(list, thinking_times_of_rows(rows))]
            self._cached_times[game_id] = (rows[-1], thinking_times)
        return thinking_times


def thinking_times_of_rows(rows: Sequence[results.TimedMove]) -> Iterator[tuple[int, timedelta]]:
    """Yield (user id, thinking time) for each turn.

    The time is measured from the log row before the user's first move of the turn, if another player made that row.
    Undone moves count. Rows stored at the same time, automatic moves, and moves for other players do not count.
    """
    for previous_row, row in pairwise(rows):
        if row.is_own_move and row.actor != previous_row.actor and row.at > previous_row.at:
            yield row.user_id, parse_timestamp(row.at) - parse_timestamp(previous_row.at)


def format_thinking_time(thinking_time: timedelta) -> str:
    """A duration in its two largest units: `2 days 4 h`, `3 h 20 min`, `12 min`, `40 s`."""
    minutes, seconds = divmod(round(thinking_time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} {'day' if days == 1 else 'days'}" + (f" {hours} h" if hours else "")
    if hours:
        return f"{hours} h" + (f" {minutes} min" if minutes else "")
    return f"{minutes} min" if minutes else f"{seconds} s"
