"""Builds the views of a game (see `engine.tell.views`) from its state."""

from engine.tell.view_builders.best_run import best_run_view
from engine.tell.view_builders.lays import laid_view, lay_views, spot_pages, spot_views
from engine.tell.view_builders.map import map_view, tiles_view
from engine.tell.view_builders.market import market_view
from engine.tell.view_builders.offer import offer_view
from engine.tell.view_builders.phases import phases_view
from engine.tell.view_builders.region import company_hexes, part_in_play, part_of, zone_hexes
from engine.tell.view_builders.sale import privates_view, sale_view
from engine.tell.view_builders.sheets import company_view, player_view, table_view, trains_view
from engine.tell.view_builders.turn import history_view, moment_view, score_view, turn_view, whose_turn
from engine.tell.view_builders.upgrades import upgrade_views

__all__ = [
    "best_run_view",
    "company_hexes",
    "company_view",
    "history_view",
    "laid_view",
    "lay_views",
    "map_view",
    "market_view",
    "moment_view",
    "offer_view",
    "part_in_play",
    "part_of",
    "phases_view",
    "player_view",
    "privates_view",
    "sale_view",
    "score_view",
    "spot_pages",
    "spot_views",
    "table_view",
    "tiles_view",
    "trains_view",
    "turn_view",
    "upgrade_views",
    "whose_turn",
    "zone_hexes",
]
