"""Builders for views of plans, which are tiles and tokens that a player sketches on the map."""

from collections.abc import Iterator, Sequence
from copy import copy

from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord, TrainName
from engine.game import Game
from engine.play.plans import (
    PlannedTile,
    PlanPart,
    conditions,
    lay_plan,
    read_plan,
    table_with_trains,
    tile_cost,
    tiles_to_plan,
    tokens_to_plan,
)
from engine.play.table import Table
from engine.play.turn_order import hypothetical_turn
from engine.tell.teller import teller_of
from engine.tell.view_builders.lay_views import laid_tile_view, side_text
from engine.tell.view_builders.map_views import map_view
from engine.tell.views import PlannedLayView, PlannedTokenView, PlanPartView, PlanView


def plan_view(game: Game, plan: str, payer: CompanyId | None) -> PlanView:
    """View of a plan (sketched tiles and tokens) on the present map, with its cost for `payer`. Raises Unreadable."""
    planned_map, judged_parts = lay_plan(game.table, read_plan(plan), payer)
    say = teller_of(game).say
    parts = tuple(
        PlanPartView(
            judged.part.text,
            judged.part.hex,
            say(_part_text(game.table, judged.part)),
            judged.state,
            tuple(map(say, judged.reasons)),
            judged.cost,
        )
        for judged in judged_parts
    )
    return PlanView(parts, sum(part.cost for part in parts), map_view(game.with_table(planned_map)))


def planned_game(
    game: Game, plan: str, company: CompanyId, trains: Sequence[TrainName] | None = None
) -> Game:
    """A copy of the game with a plan's tiles and tokens on the map, in which it is `company`'s turn.

    `trains` are the trains that the company shall have; None: its own trains. Raises Unreadable.
    """
    planned_map = lay_plan(game.table, read_plan(plan), None)[0] if plan else game.table
    if trains is not None:
        planned_map = table_with_trains(planned_map, company, trains)
    return game if planned_map is game.table else game.with_table(planned_map)


def planned_lays(game: Game, plan: str, coord: Coord, payer: CompanyId | None) -> Iterator[PlannedLayView]:
    """Tiles that can be added to a plan in this hex. Raises Unreadable, or KeyError if there is no such hex."""
    planned_map, say = lay_plan(game.table, read_plan(plan), None)[0], teller_of(game).say
    for part in tiles_to_plan(planned_map, coord):
        cost = 0 if payer is None else tile_cost(hypothetical_turn(planned_map, payer), part)
        table_after = copy(planned_map)
        table_after.map = planned_map.map.copy()
        table_after.map.lay(*part)
        lay = laid_tile_view(table_after, coord, planned_map.map.supply[part.tile], cost)
        yield PlannedLayView(part.text, lay, tuple(map(say, conditions(planned_map, part))))


def planned_tokens(game: Game, plan: str, coord: Coord) -> Iterator[PlannedTokenView]:
    """Tokens that can be added to a plan in this hex. Raises Unreadable, or KeyError if there is no such hex."""
    planned_map, say = lay_plan(game.table, read_plan(plan), None)[0], teller_of(game).say
    for part in tokens_to_plan(planned_map, coord):
        yield PlannedTokenView(part.text, part.company, say(_part_text(planned_map, part)))


def _part_text(t: Table, part: PlanPart) -> Fact:
    if isinstance(part, PlannedTile):
        spec = t.spec.tiles.get(part.tile)
        sides = "" if spec is None else side_text(t, spec.topology.turned(part.rotation).edges)
        return fact(
            "plan.tile",
            tile=part.tile,
            hex=part.hex,
            track=fact("plan.track", sides=sides) if sides else None,
        )
    has_several = part.hex in t.map.hexes and len(t.map.topology(part.hex).stops) > 1
    city = fact("plan.city", number=part.city + 1) if has_several else None
    return fact("plan.token", company=part.company, hex=part.hex, city=city)
