"""Views of a game's past: earlier positions, net worth chart, turning points, and timelapse."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_games import GameReplayer, GameToReplay
from bot.workers.workers import QueuePlace
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
"""Maximum number of hexes in all frames of a timelapse together (about 6 MB). Larger maps get fewer frames."""


@dataclass(frozen=True, slots=True)
class PastViews:
    """Map, market and public line after a past move."""

    move_line: str
    map: MapView
    """The map after the move. If the move runs trains, it shows the routes."""
    market: MarketView


@dataclass(frozen=True, slots=True)
class PastPosition:
    """A past position: the views after log row `seq`, and the log rows of the moves before and after (None: none)."""

    seq: int
    views_after_move: PastViews
    previous_move: int | None
    next_move: int | None


async def past_position(
    replayer: GameReplayer, game: GameToReplay, seq: int, queue: QueuePlace
) -> PastPosition:
    """The position after log row `seq`; raises Refused if it cannot be shown."""
    views = await replayer.view_position(game, seq, queue, _views_after)
    seqs = game.seqs
    index = seqs.index(seq)
    return PastPosition(seq, views, seqs[index - 1] if index else None, next(iter(seqs[index + 1 :]), None))


def _views_after(game: Game, move_line: str, run_map: MapView | None) -> PastViews:
    return PastViews(move_line, run_map or map_view(game), market_view(game))


def current_net_worth(game: Game) -> HistoryView:
    """The net worth of all players and the share prices now."""
    return history_view(game, [round_values_view(game)])


def net_worth_chart(history: MoveHistory, current_view: HistoryView) -> HistoryView:
    """The net worths and share prices at the start of each round and now; no net worths while money is secret.

    Rounds that cannot be replayed under the current rules are left out.
    """
    charted_rounds = (
        history.round_values
        if current_view.players
        else [replace(round_values, net_worths=()) for round_values in history.round_values]
    )
    return replace(current_view, rounds=(*charted_rounds, *current_view.rounds))


def turning_points(history: MoveHistory, game: Game) -> tuple[Fact, ...]:
    """The turning points of a game, chosen from its history."""
    return story.GameStory(history.occurrences).turning_points(game)


async def timelapse(
    replayer: GameReplayer, game: GameToReplay, history: MoveHistory, hexes_per_map: int, queue: QueuePlace
) -> list[MapView]:
    """Maps for a timelapse: at the start, and after evenly spaced track changes. Large maps get fewer frames."""
    frame_limit = min(MAX_TIMELAPSE_FRAMES, MAX_TIMELAPSE_HEXES // hexes_per_map)
    map_seqs = [game.seqs[0], *_evenly_spaced_seqs(history.map_change_seqs, frame_limit - 1)]
    return (await replayer.history(game, queue, map_seqs=map_seqs)).maps


def _evenly_spaced_seqs(seqs: Sequence[int], maximum: int) -> list[int]:
    frame_count = min(len(seqs), max(maximum, 0))
    return [seqs[(i + 1) * len(seqs) // frame_count - 1] for i in range(frame_count)]
