"""Plans: tiles and tokens laid on a copy of the map, regardless of turns, money and connections.

A plan is a text such as `G5:57:2,H4@B&O:0`: tile 57 in G5 with rotation 2, then a token of B&O in the first city of H4.
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
from engine.play.track.lay_rules import blocking_private, lay_cost, succession_obstacle
from engine.play.track.terrain import border_bill, river_obstacle, terrain_cost
from engine.play.turn_order import imagined_turn

MAX_PARTS: Final = 60
"""Tiles and tokens of one plan."""
MAX_TRAINS: Final = 12
"""Trains whose best routes are searched at once."""
_PART: Final = re.compile(r"(?P<hex>\w+)(?::(?P<tile>\w+)|@(?P<company>[^@:,]+)):(?P<number>[0-5])", re.ASCII)


class PlannedTile(NamedTuple):
    """A tile in a hex."""

    hex: Coord
    tile: TileId
    rotation: int

    @property
    def text(self) -> str:
        """The tile as a part of a plan's text."""
        return f"{self.hex}:{self.tile}:{self.rotation}"


class PlannedToken(NamedTuple):
    """A token of a company in a city."""

    hex: Coord
    company: CompanyId
    city: int

    @property
    def text(self) -> str:
        """The token as a part of a plan's text."""
        return f"{self.hex}@{self.company}:{self.city}"


Part: TypeAlias = PlannedTile | PlannedToken
PartState: TypeAlias = Literal["laid", "true", "misfit"]
"""A part that lies on the planned map, that has come true, or that no longer fits."""


class JudgedPart(NamedTuple):
    """A part of a plan on the present map."""

    part: Part
    state: PartState
    reasons: tuple[Fact, ...] = ()
    """The rule that a misfit breaks, or conditions of laying the part."""
    cost: int = 0
    """Dollars that the chosen company pays for it."""


def read_plan(text: str) -> tuple[Part, ...]:
    """The parts of a plan's text. Raises Unreadable."""
    parts = text.split(",") if text else []
    if len(parts) > MAX_PARTS:
        raise Unreadable(fact("plan.too_long", parts=len(parts), most=MAX_PARTS))
    return tuple(map(_read_part, parts))


def _read_part(text: str) -> Part:
    found = _PART.fullmatch(text)
    if found is None:
        raise Unreadable(fact("plan.unreadable", text=text))
    number = int(found["number"])
    if found["tile"]:
        return PlannedTile(found["hex"], found["tile"], number)
    return PlannedToken(found["hex"], found["company"], number)


def lay_plan(t: Table, plan: Sequence[Part], payer: CompanyId | None) -> tuple[Table, tuple[JudgedPart, ...]]:
    """A copy of the table with the parts that fit, and all parts judged; `payer` is the company that pays."""
    planned = copy(t)
    planned.map = t.map.copy()
    companies = {name: _with_own_tokens(company) for name, company in t.state.companies.items()}
    planned.state = replace(t.state, companies=companies, fresh=RecentChanges())
    true_parts = set(_true_parts(t, plan))
    judged_parts = [
        JudgedPart(part, "true") if number in true_parts else _lay_part(planned, part, payer)
        for number, part in enumerate(plan)
    ]
    planned.state.fresh.hexes += [judged.part.hex for judged in judged_parts if judged.state == "laid"]
    return planned, tuple(judged_parts)


def with_trains(t: Table, company: CompanyId, trains: Sequence[TrainName]) -> Table:
    """A copy of the table on which the company begins a turn with these trains and no others. Raises Unreadable."""
    names = [train.name for train in t.spec.trains]
    unknown = next((train for train in trains if train not in names), None)
    if unknown is not None:
        raise Unreadable(fact("unreadable.train", text=",".join(trains), train=unknown, trains=tuple(names)))
    if len(trains) > MAX_TRAINS:
        raise Unreadable(fact("plan.too_many_trains", trains=len(trains), most=MAX_TRAINS))
    imagined_company = replace(t.state.companies[company], trains=list(trains), obsolete=[])
    imagined_table = imagined_turn(t, company)
    imagined_table.state.companies = {**t.state.companies, company: imagined_company}
    return imagined_table


def _with_own_tokens(company: Company) -> Company:
    """A copy of the company whose charter can lose tokens."""
    extra = company.extra and replace(company.extra)
    return replace(company, tokens=list(company.tokens), extra=extra)


def _true_parts(t: Table, plan: Sequence[Part]) -> Iterator[int]:
    """The numbers of the parts that have come true: of the tiles planned in a hex, all up to the present one."""
    for number, part in enumerate(plan):
        if isinstance(part, PlannedToken):
            is_true = (part.hex, part.city) in t.map.tokens_of(part.company)
        else:
            later_parts = (p for p in plan[number:] if isinstance(p, PlannedTile) and p.hex == part.hex)
            is_true = any(_is_laid(t, later) for later in later_parts)
        if is_true:
            yield number


def _is_laid(t: Table, part: PlannedTile) -> bool:
    if part.hex not in t.map.hexes or t.map.tile(part.hex) != part.tile:
        return False
    turned = upgrades.same_rotation(t.map, part.tile, t.map.rotation(part.hex))
    return turned == upgrades.same_rotation(t.map, part.tile, part.rotation)


def _lay_part(planned: Table, part: Part, payer: CompanyId | None) -> JudgedPart:
    """Lay a part on the planned map if it fits."""
    if isinstance(part, PlannedTile):
        return _lay_tile(planned, part, payer)
    obstacle = token_misfit(planned, part)
    if obstacle is not None:
        return JudgedPart(part, "misfit", (obstacle,))
    price = _take_token(planned, part)
    planned.map.place_token(part.hex, part.city, part.company)
    return JudgedPart(part, "laid", cost=price if part.company == payer else 0)


# --- tiles ---------------------------------------------------------------------------------------------------------


def _lay_tile(planned: Table, part: PlannedTile, payer: CompanyId | None) -> JudgedPart:
    obstacle = _tile_misfit(planned, part)
    if obstacle is not None:
        return JudgedPart(part, "misfit", (obstacle,))
    cost = 0 if payer is None else tile_cost(imagined_turn(planned, payer), part)
    reasons = tuple(conditions(planned, part))
    planned.map.lay(part.hex, part.tile, part.rotation)
    return JudgedPart(part, "laid", reasons, cost)


def tile_cost(t: Table, part: PlannedTile) -> int:
    """Dollars that the operating company pays for the tile as its first lay: terrain, borders and the lay itself."""
    borders = border_bill(t, *part)
    return terrain_cost(t, part.hex) + sum(borders) + lay_cost(t, part.hex)


def _tile_misfit(t: Table, part: PlannedTile) -> Fact | None:
    """The rule of the map that forbids the tile in any phase; None if there is none."""
    if part.hex not in t.map.hexes:
        return fact("unknown.hex", hex=part.hex)
    if part.tile not in t.spec.tiles:
        return fact("unknown.tile", tile=part.tile)
    if upgrades.next_colour(t.map, part.hex) is None:
        return fact("track.never_again", hex=part.hex)
    obstacle = succession_obstacle(t, part.hex, part.tile)
    if obstacle is not None:
        return obstacle
    if t.map.supply[part.tile] == 0:
        return fact("track.used_up", tile=part.tile)
    turned = upgrades.same_rotation(t.map, part.tile, part.rotation)
    if turned not in upgrades.rotations(t.map, part.hex, part.tile):
        return fact("track.rotation_impossible", tile=part.tile, hex=part.hex)
    return None


def conditions(t: Table, part: PlannedTile) -> Iterator[Fact]:
    """Conditions of laying the tile that are not met yet: a later phase, the end of a private, a bridge."""
    colour = t.spec.tiles[part.tile].colour
    if colour not in t.phase.tiles:
        phases = (phase.name for phase in t.spec.phases if not t.has_reached_phase(phase.name))
        yield fact(
            "plan.later_phase", colour=colour, phase=next(p for p in phases if _has_colour(t, p, colour))
        )
    private = blocking_private(t, part.hex)
    if private is not None:
        yield fact("privates.blocks", hex=part.hex, private=private)
    river_rule = river_obstacle(t, *part)
    if river_rule is not None:
        yield river_rule


def _has_colour(t: Table, phase: str, colour: str) -> bool:
    return colour in t.spec.phase(phase).tiles


def tiles_to_plan(planned: Table, coord: Coord) -> Iterator[PlannedTile]:
    """Every tile that can be planned in the hex next, in every rotation. Raises KeyError if there is no such hex."""
    for tile in upgrades.possible_upgrades(planned.map, coord):
        for rotation in upgrades.rotations(planned.map, coord, tile):
            part = PlannedTile(coord, tile, rotation)
            if _tile_misfit(planned, part) is None:
                yield part


# --- tokens --------------------------------------------------------------------------------------------------------


def tokens_to_plan(planned: Table, coord: Coord) -> Iterator[PlannedToken]:
    """Every token that can be planned in the hex."""
    for company in planned.state.companies:
        for city in range(len(planned.map.topology(coord).stops)):
            part = PlannedToken(coord, company, city)
            if token_misfit(planned, part) is None:
                yield part


def token_misfit(t: Table, part: PlannedToken) -> Fact | None:
    """The rule that forbids the token, reached or not; None if there is none."""
    company = t.state.companies.get(part.company)
    if company is None or company.closed:
        return fact("choice.no_company", company=part.company)
    obstacle = space_obstacle(imagined_turn(t, company.id), part.hex, part.city)
    if obstacle is None and _token_price(t, part) is None:
        return fact("token.none_left", company=company.id)
    return obstacle


def _keeps_home_token(t: Table, part: PlannedToken) -> bool:
    """True if the company's first token must stay for its home, because this one lies elsewhere."""
    home = t.map.homes.get(part.company)
    return home is not None and home[0] != part.hex


def _token_price(t: Table, part: PlannedToken) -> int | None:
    """Dollars for the company's next token there; None if it has none."""
    company = t.state.companies[part.company]
    if _keeps_home_token(t, part):
        return company.tokens[1] if len(company.tokens) > 1 else None
    return next_token_price(company)


def _take_token(t: Table, part: PlannedToken) -> int:
    """Take the company's next token from its charter, and return its price in dollars."""
    price, company = _token_price(t, part), t.state.companies[part.company]
    assert price is not None
    if _keeps_home_token(t, part):
        del company.tokens[1]
    else:
        take_next_token(company)
    return price
