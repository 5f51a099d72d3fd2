"""Builds the views of a game (see `engine.tell.views`) from its state."""

from engine.tell.viewing.map import map_view
from engine.tell.viewing.market import market_view
from engine.tell.viewing.region import company_hexes, part_in_play, part_of, zone_hexes
from engine.tell.viewing.sheets import company_view, player_view, trains_view
from engine.tell.viewing.turn import score_view, turn_view

__all__ = [
    "company_hexes",
    "company_view",
    "map_view",
    "market_view",
    "part_in_play",
    "part_of",
    "player_view",
    "score_view",
    "trains_view",
    "turn_view",
    "zone_hexes",
]
