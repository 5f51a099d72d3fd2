"""Plans: tiles and tokens that a player places on a copy of the map, regardless of turns, money and connections.

A plan is a text such as `G5:57:2,H4@B&O:0`: tile 57 in G5 with rotation 2, and a token of B&O in the first city of H4.
"""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.board import upgrades
from engine.core.errors import Unreadable
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, Coord, TileId, TrainName
from engine.core.state import Company, RecentChanges
from engine.play.steps.place_token import space_obstacle
from engine.play.table import Table
from engine.play.token_prices_and_purchases import next_token_price, take_next_token
from engine.play.track.lay_rules import blocking_private, lay_cost, upgrade_obstacle
from engine.play.track.terrain import border_prices, river_obstacle, terrain_cost
from engine.play.turn_order import table_in_turn_of

MAX_PLAN_PARTS: Final = 60
"""Maximum number of parts (tiles and tokens) in one plan."""
MAX_PLAN_TRAINS: Final = 12
"""Maximum number of trains for which a plan's best routes are searched."""
_PLAN_PART_PATTERN: Final = re.compile(
    r"(?P<hex>\w+)(?::(?P<tile>\w+)|@(?P<company>[^@:,]+)):(?P<number>[0-5])", re.ASCII
)


class PlannedTile(NamedTuple):
    """A planned tile: hex, tile and rotation."""

    hex: Coord
    tile: TileId
    rotation: int

    @property
    def text(self) -> str:
        """The planned tile as plan text, such as `G5:57:2`."""
        return f"{self.hex}:{self.tile}:{self.rotation}"


class PlannedToken(NamedTuple):
    """A planned token of a company in a city."""

    hex: Coord
    company: CompanyId
    city: int

    @property
    def text(self) -> str:
        """The planned token as plan text, such as `H4@B&O:0`."""
        return f"{self.hex}@{self.company}:{self.city}"


PlanPart: TypeAlias = PlannedTile | PlannedToken
PlanPartState: TypeAlias = Literal["laid", "true", "misfit"]
"""State of a part of a plan: placed on the copy of the map, already on the real map, or no longer legal."""


class CheckedPlanPart(NamedTuple):
    """A part of a plan (a tile or token), checked against the current map."""

    part: PlanPart
    state: PlanPartState
    reasons: tuple[Fact, ...] = ()
    """Reasons for the result of the check: the rule that forbids the part, or the conditions that are not met yet."""
    cost: int = 0
    """Cost of the part in dollars for the paying company."""


def read_plan(text: str) -> tuple[PlanPart, ...]:
    """Parse a plan's text into planned tiles and tokens. Raises Unreadable."""
    parts = text.split(",") if text else []
    if len(parts) > MAX_PLAN_PARTS:
        raise Unreadable(fact("plan.too_long", parts=len(parts), most=MAX_PLAN_PARTS))
    return tuple(map(_read_plan_part, parts))


def _read_plan_part(text: str) -> PlanPart:
    part_match = _PLAN_PART_PATTERN.fullmatch(text)
    if part_match is None:
        raise Unreadable(fact("plan.unreadable", text=text))
    number = int(part_match["number"])
    if part_match["tile"]:
        return PlannedTile(part_match["hex"], part_match["tile"], number)
    return PlannedToken(part_match["hex"], part_match["company"], number)


def lay_plan(
    t: Table, plan: Sequence[PlanPart], payer: CompanyId | None
) -> tuple[Table, tuple[CheckedPlanPart, ...]]:
    """A copy of the table with the plan's legal tiles and tokens; and each part of the plan, checked.

    `payer` is the company that would pay.
    """
    planned_table = copy(t)
    planned_table.map = t.map.copy()
    companies = {name: _copy_company(company) for name, company in t.state.companies.items()}
    planned_table.state = replace(t.state, companies=companies, fresh=RecentChanges())
    part_numbers_on_map = set(_parts_already_on_map(t, plan))
    checked_parts = [
        CheckedPlanPart(part, "true")
        if number in part_numbers_on_map
        else _lay_plan_part(planned_table, part, payer)
        for number, part in enumerate(plan)
    ]
    planned_table.state.fresh.hexes += [
        checked_part.part.hex for checked_part in checked_parts if checked_part.state == "laid"
    ]
    return planned_table, tuple(checked_parts)


def table_with_trains(t: Table, company: CompanyId, trains: Sequence[TrainName]) -> Table:
    """A copy of the table on which the company begins a turn with exactly these trains.

    Raises Unreadable if the title lacks a train.
    """
    train_names = [train.name for train in t.spec.trains]
    unknown_train = next((train for train in trains if train not in train_names), None)
    if unknown_train is not None:
        raise Unreadable(
            fact("unreadable.train", text=",".join(trains), train=unknown_train, trains=tuple(train_names))
        )
    if len(trains) > MAX_PLAN_TRAINS:
        raise Unreadable(fact("plan.too_many_trains", trains=len(trains), most=MAX_PLAN_TRAINS))
    planned_company = replace(t.state.companies[company], trains=list(trains), obsolete=[])
    planned_table = table_in_turn_of(t, company)
    planned_table.state.companies = {**t.state.companies, company: planned_company}
    return planned_table


def _copy_company(company: Company) -> Company:
    extra_tokens = company.extra and replace(company.extra)
    return replace(company, tokens=list(company.tokens), extra=extra_tokens)


def _parts_already_on_map(t: Table, plan: Sequence[PlanPart]) -> Iterator[int]:
    """Indexes of the planned tiles and tokens that are already on the map.

    A tile also counts if a tile planned later for the same hex is on the map.
    """
    for number, part in enumerate(plan):
        if isinstance(part, PlannedToken):
            is_already_on_map = (part.hex, part.city) in t.map.token_stops_of(part.company)
        else:
            later_tiles = (p for p in plan[number:] if isinstance(p, PlannedTile) and p.hex == part.hex)
            is_already_on_map = any(_is_tile_on_map(t, later_tile) for later_tile in later_tiles)
        if is_already_on_map:
            yield number


def _is_tile_on_map(t: Table, planned_tile: PlannedTile) -> bool:
    if planned_tile.hex not in t.map.hexes or t.map.tile(planned_tile.hex) != planned_tile.tile:
        return False
    listed_rotation = upgrades.equivalent_rotation(t.map, planned_tile.tile, t.map.rotation(planned_tile.hex))
    return listed_rotation == upgrades.equivalent_rotation(t.map, planned_tile.tile, planned_tile.rotation)


def _lay_plan_part(planned_table: Table, part: PlanPart, payer: CompanyId | None) -> CheckedPlanPart:
    if isinstance(part, PlannedTile):
        return _lay_tile(planned_table, part, payer)
    obstacle = planned_token_obstacle(planned_table, part)
    if obstacle is not None:
        return CheckedPlanPart(part, "misfit", (obstacle,))
    price = _take_planned_token(planned_table, part)
    planned_table.map.place_token(part.hex, part.city, part.company)
    return CheckedPlanPart(part, "laid", cost=price if part.company == payer else 0)


# --- tiles ---------------------------------------------------------------------------------------------------------


def _lay_tile(planned_table: Table, planned_tile: PlannedTile, payer: CompanyId | None) -> CheckedPlanPart:
    obstacle = _planned_tile_obstacle(planned_table, planned_tile)
    if obstacle is not None:
        return CheckedPlanPart(planned_tile, "misfit", (obstacle,))
    cost = 0 if payer is None else tile_cost(table_in_turn_of(planned_table, payer), planned_tile)
    reasons = tuple(unmet_conditions(planned_table, planned_tile))
    planned_table.map.lay(planned_tile.hex, planned_tile.tile, planned_tile.rotation)
    return CheckedPlanPart(planned_tile, "laid", reasons, cost)


def tile_cost(t: Table, planned_tile: PlannedTile) -> int:
    """Dollars for the tile of this part, as the operating company's first lay: terrain, borders and the lay itself."""
    border_payments = border_prices(t, *planned_tile)
    return terrain_cost(t, planned_tile.hex) + sum(border_payments) + lay_cost(t, planned_tile.hex)


def _planned_tile_obstacle(t: Table, planned_tile: PlannedTile) -> Fact | None:
    if planned_tile.hex not in t.map.hexes:
        return fact("unknown.hex", hex=planned_tile.hex)
    if planned_tile.tile not in t.spec.tiles:
        return fact("unknown.tile", tile=planned_tile.tile)
    if upgrades.next_colour(t.map, planned_tile.hex) is None:
        return fact("track.never_again", hex=planned_tile.hex)
    obstacle = upgrade_obstacle(t, planned_tile.hex, planned_tile.tile)
    if obstacle is not None:
        return obstacle
    if t.map.supply[planned_tile.tile] == 0:
        return fact("track.used_up", tile=planned_tile.tile)
    listed_rotation = upgrades.equivalent_rotation(t.map, planned_tile.tile, planned_tile.rotation)
    if listed_rotation not in upgrades.rotations(t.map, planned_tile.hex, planned_tile.tile):
        return fact("track.rotation_impossible", tile=planned_tile.tile, hex=planned_tile.hex)
    return None


def unmet_conditions(t: Table, planned_tile: PlannedTile) -> Iterator[Fact]:
    """Conditions for the tile of this part that are not met yet.

    Each is a later phase, the closing of a blocking private, or a bridge.
    """
    colour = t.spec.tiles[planned_tile.tile].colour
    if colour not in t.phase.tile_colours:
        later_phases = (phase.name for phase in t.spec.phases if not t.has_reached_phase(phase.name))
        yield fact(
            "plan.later_phase",
            colour=colour,
            phase=next(p for p in later_phases if _is_colour_in_phase(t, p, colour)),
        )
    private = blocking_private(t, planned_tile.hex)
    if private is not None:
        yield fact("privates.blocks", hex=planned_tile.hex, private=private)
    river_refusal = river_obstacle(t, *planned_tile)
    if river_refusal is not None:
        yield river_refusal


def _is_colour_in_phase(t: Table, phase: str, colour: str) -> bool:
    return colour in t.spec.phase(phase).tile_colours


def plannable_tiles(planned_table: Table, coord: Coord) -> Iterator[PlannedTile]:
    """All tiles that can be planned in the hex next, in every rotation.

    `planned_table` is the table with the tiles planned so far. Raises KeyError if there is no such hex.
    """
    for tile in upgrades.possible_upgrades(planned_table.map, coord):
        for rotation in upgrades.rotations(planned_table.map, coord, tile):
            planned_tile = PlannedTile(coord, tile, rotation)
            if _planned_tile_obstacle(planned_table, planned_tile) is None:
                yield planned_tile


# --- tokens --------------------------------------------------------------------------------------------------------


def plannable_tokens(planned_table: Table, coord: Coord) -> Iterator[PlannedToken]:
    """All tokens that can be planned in the hex; `planned_table` is the table with the plan so far."""
    for company in planned_table.state.companies:
        for city in range(len(planned_table.map.topology(coord).stops)):
            planned_token = PlannedToken(coord, company, city)
            if planned_token_obstacle(planned_table, planned_token) is None:
                yield planned_token


def planned_token_obstacle(t: Table, planned_token: PlannedToken) -> Fact | None:
    """The rule that forbids the token of this part, even if the company could reach the city; None if there is none."""
    company = t.state.companies.get(planned_token.company)
    if company is None or company.closed:
        return fact("choice.no_company", company=planned_token.company)
    obstacle = space_obstacle(table_in_turn_of(t, company.id), planned_token.hex, planned_token.city)
    if obstacle is None and _token_price(t, planned_token) is None:
        return fact("token.none_left", company=company.id)
    return obstacle


def _keeps_home_token(t: Table, planned_token: PlannedToken) -> bool:
    home_stop = t.map.homes.get(planned_token.company)
    return home_stop is not None and home_stop[0] != planned_token.hex


def _token_price(t: Table, planned_token: PlannedToken) -> int | None:
    company = t.state.companies[planned_token.company]
    if _keeps_home_token(t, planned_token):
        return company.tokens[1] if len(company.tokens) > 1 else None
    return next_token_price(company)


def _take_planned_token(t: Table, planned_token: PlannedToken) -> int:
    price, company = _token_price(t, planned_token), t.state.companies[planned_token.company]
    assert price is not None
    if _keeps_home_token(t, planned_token):
        del company.tokens[1]
    else:
        take_next_token(company)
    return price
