"""Builders for views of plans, which are tiles and tokens that a player sketches on the map."""

from collections.abc import Iterator, Sequence
from copy import copy

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord, TrainName
from engine.game import Game
from engine.play.plans import (
    PlannedTile,
    PlanPart,
    lay_plan,
    plannable_tiles,
    plannable_tokens,
    read_plan,
    table_with_trains,
    tile_cost,
    unmet_conditions,
)
from engine.play.table import Table
from engine.play.turn_order import table_in_turn_of
from engine.tell.teller import teller_of
from engine.tell.view_builders.lay_views import laid_tile_view, side_text
from engine.tell.view_builders.map_views import map_view
from engine.tell.views import PlannedLayView, PlannedTokenView, PlanPartView, PlanView


def plan_view(game: Game, plan: str, payer: CompanyId | None) -> PlanView:
    """View of a plan (sketched tiles and tokens) on the present map, with its cost for `payer`. Raises Unreadable."""
    planned_table, judged_parts = lay_plan(game.table, read_plan(plan), payer)
    say = teller_of(game).say
    parts = tuple(
        PlanPartView(
            judged_part.part.text,
            judged_part.part.hex,
            say(_part_fact(game.table, judged_part.part)),
            judged_part.state,
            tuple(map(say, judged_part.reasons)),
            judged_part.cost,
        )
        for judged_part in judged_parts
    )
    return PlanView(parts, sum(part.cost for part in parts), map_view(game.with_table(planned_table)))


def planned_game(
    game: Game, plan: str, company: CompanyId, trains: Sequence[TrainName] | None = None
) -> Game:
    """A copy of the game with a plan's tiles and tokens on the map, in which it is `company`'s turn.

    `trains` are the trains that the company shall have; None: its own trains. Raises Unreadable.
    """
    planned_table = lay_plan(game.table, read_plan(plan), None)[0] if plan else game.table
    if trains is not None:
        planned_table = table_with_trains(planned_table, company, trains)
    return game if planned_table is game.table else game.with_table(planned_table)


def planned_lays(game: Game, plan: str, coord: Coord, payer: CompanyId | None) -> Iterator[PlannedLayView]:
    """Tiles that can be added to a plan in this hex. Raises Unreadable, or KeyError if there is no such hex."""
    planned_table, say = lay_plan(game.table, read_plan(plan), None)[0], teller_of(game).say
    for part in plannable_tiles(planned_table, coord):
        cost = 0 if payer is None else tile_cost(table_in_turn_of(planned_table, payer), part)
        table_after = copy(planned_table)
        table_after.map = planned_table.map.copy()
        table_after.map.lay(*part)
        lay = laid_tile_view(table_after, coord, planned_table.map.supply[part.tile], cost)
        yield PlannedLayView(part.text, lay, tuple(map(say, unmet_conditions(planned_table, part))))


def planned_tokens(game: Game, plan: str, coord: Coord) -> Iterator[PlannedTokenView]:
    """Tokens that can be added to a plan in this hex. Raises Unreadable, or KeyError if there is no such hex."""
    planned_table, say = lay_plan(game.table, read_plan(plan), None)[0], teller_of(game).say
    for part in plannable_tokens(planned_table, coord):
        yield PlannedTokenView(part.text, part.company, say(_part_fact(planned_table, part)))


def _part_fact(t: Table, part: PlanPart) -> Fact:
    if isinstance(part, PlannedTile):
        spec = t.spec.tiles.get(part.tile)
        sides = "" if spec is None else side_text(t, spec.topology.turned(part.rotation).edges)
        return fact(
            "plan.tile",
            tile=part.tile,
            hex=part.hex,
            track=fact("plan.track", sides=sides) if sides else None,
        )
    has_several_stops = part.hex in t.map.hexes and len(t.map.topology(part.hex).stops) > 1
    city = fact("plan.city", number=part.city + 1) if has_several_stops else None
    return fact("plan.token", company=part.company, hex=part.hex, city=city)
