"""The course of one of our own games: its charts, and its maps."""

from functools import cache
from pathlib import Path

from engine.core.events import RoundStarted, TileLaid
from engine.play.steps.base import Request
from engine.record import load_game, read_record
from engine.tell.view_builders import history_view, map_view, round_values_view
from engine.tell.views import HistoryView, MapView


@cache
def course(log: Path) -> tuple[HistoryView, tuple[MapView, ...]]:
    data = log.read_bytes()
    game = load_game(data, 0)
    moments, maps = [], [map_view(game)]
    for action in read_record(data).actions:
        events = game.apply_cursor(game.cursor_for(Request.of_action(action)))
        if any(isinstance(event, RoundStarted) for event in events):
            moments.append(round_values_view(game))
        if any(isinstance(event, TileLaid) for event in events):
            maps.append(map_view(game))
    return history_view(game, [*moments, round_values_view(game)]), tuple(maps)
