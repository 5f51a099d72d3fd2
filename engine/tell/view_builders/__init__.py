"""Functions that build the views of a game from its state (`engine.tell.views` has the view classes)."""

from engine.tell.view_builders.lay_views import (
    lay_hex_pages,
    lay_hex_views,
    lay_view,
    lay_views,
    upgrade_views,
)
from engine.tell.view_builders.map_parts import company_hexes, map_part, map_part_in_play, zone_hexes
from engine.tell.view_builders.map_views import best_run_view, map_view, tiles_view
from engine.tell.view_builders.market_views import market_view
from engine.tell.view_builders.payout_views import payouts_view
from engine.tell.view_builders.plan_views import plan_view, planned_game, planned_lays, planned_tokens
from engine.tell.view_builders.proposal_views import proposed_deal_view
from engine.tell.view_builders.sale_views import privates_view, sale_view
from engine.tell.view_builders.sheet_views import (
    company_view,
    phases_view,
    player_view,
    table_view,
    trains_view,
)
from engine.tell.view_builders.turn_views import (
    history_view,
    round_values_view,
    score_view,
    turn_key,
    turn_view,
)
