"""Views of a game's past: earlier positions, chart, turning points, timelapse."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_games import PastGame, PastGames
from bot.workers.workers import Queue
from engine import Fact, Game
from engine import turning_points as story
from engine.views import (
    HistoryView,
    MapView,
    MarketView,
    history_view,
    map_view,
    market_view,
    round_values_view,
)
from render import MAX_TIMELAPSE_FRAMES

MAX_TIMELAPSE_HEXES: Final = 30_000
"""The most hexes in all maps of a timelapse, about 6 MB; larger maps get fewer frames."""


@dataclass(frozen=True, slots=True)
class PastViews:
    """The map and market after a move, and its line."""

    line: str
    map: MapView
    """The map, with the routes if the move was a run."""
    market: MarketView


@dataclass(frozen=True, slots=True)
class PastPosition:
    """A position after a row, with the numbers of the effective rows before and after it."""

    seq: int
    views_after: PastViews
    previous_move: int | None
    next_move: int | None


async def past_position(games: PastGames, game: PastGame, seq: int, queue: Queue) -> PastPosition:
    """The position after row `seq`; raises Refused if it cannot be shown."""
    views = await games.view_position(game, seq, queue, _views_after)
    seqs = game.seqs
    index = seqs.index(seq)
    return PastPosition(seq, views, seqs[index - 1] if index else None, next(iter(seqs[index + 1 :]), None))


def _views_after(game: Game, line: str, run_map: MapView | None) -> PastViews:
    return PastViews(line, run_map or map_view(game), market_view(game))


def current_net_worth(game: Game) -> HistoryView:
    """All players' present net worth."""
    return history_view(game, [round_values_view(game)])


def net_worth_chart(history: MoveHistory, now: HistoryView) -> HistoryView:
    """Net worths at the start of each round and now, empty while money is secret.

    Rows that the current rules do not replay are left out.
    """
    rounds = (
        history.round_moments
        if now.players
        else [replace(moment, worth=()) for moment in history.round_moments]
    )
    return replace(now, moments=(*rounds, *now.moments))


def turning_points(history: MoveHistory, now: Game) -> tuple[Fact, ...]:
    """The turning points of a game, by its history."""
    return story.GameStory(history.occurrences).turning_points(now)


async def timelapse(
    games: PastGames, game: PastGame, history: MoveHistory, hexes_per_map: int, queue: Queue
) -> list[MapView]:
    """Maps from the start and after some map changes at equal intervals; fewer maps if they are large."""
    frame_limit = min(MAX_TIMELAPSE_FRAMES, MAX_TIMELAPSE_HEXES // hexes_per_map)
    map_rows = [game.seqs[0], *_evenly_chosen(history.map_changes, frame_limit - 1)]
    return (await games.history(game, queue, map_rows=map_rows)).maps


def _evenly_chosen(seqs: Sequence[int], maximum: int) -> list[int]:
    count = min(len(seqs), max(maximum, 0))
    return [seqs[(i + 1) * len(seqs) // count - 1] for i in range(count)]
