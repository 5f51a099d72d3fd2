"""1846's privates that lay two tiles each: Michigan Central, Ohio & Indiana, and Little Miami (§4)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from engine.board import upgrades
from engine.board.hexes import opposite_edge
from engine.core.actions import LayTile, Pass
from engine.core.events import Passed
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PrivateId, TileId
from engine.core.offers import FilteredChoices, Offer, Slot
from engine.core.state import Private
from engine.core.topology import Topology
from engine.play.steps.base import Request, Step
from engine.play.steps.lay_track import AnytimePrivateLayStep
from engine.play.table import Table
from engine.play.track.lay_rules import LegalRotations, lay_tile, owned_privates
from engine.play.track.private_lay import power_lay_offer, tile_lay_power, use_tile_power
from engine.play.track.terrain import border_prices

LITTLE_MIAMI: Final[PrivateId] = "LM"
MIAMI_HEXES: Final[tuple[Coord, Coord]] = ("H12", "G13")
"""Cincinnati and Dayton, the two hexes that the Little Miami connects (§4, R-1846-152)."""


class SecondTileStep(Step):
    """Step after the first tile of a two-tile private: lay the second tile, or decline to.

    Rules: R-1846-151, R-1846-152.
    """

    name = "second_tile"
    kinds = frozenset({"lay_tile", "pass"})
    is_exclusive = True
    is_unlisted = True

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.turn.pair is None:
            return
        private = t.state.privates[t.turn.pair[0]]
        lay_offer = _miami_offer(t) if private.id == LITTLE_MIAMI else power_lay_offer(t, private)
        if lay_offer is not None:
            yield lay_offer._replace(blocking=True)
        if private.id != LITTLE_MIAMI and (
            lay_offer is not None or t.rules.has_flag("asks_when_nothing_is_legal")
        ):
            yield t.offer("pass", private.id, fact("offer.lays_no_tile_by", private=private.id))

    def apply(self, t: Table, action: LayTile | Pass) -> None:
        if isinstance(action, Pass):
            t.emit(Passed(t.company.id, fact("declined.track")))
            self.skip(t)
        elif action.entity == LITTLE_MIAMI:
            _lay_for_miami(t, action)
        else:
            use_tile_power(t, action, t.state.privates[action.entity])

    def skip(self, t: Table) -> None:
        """Lay no second tile. The private's power counts as used."""
        if t.turn.pair is not None:
            t.state.privates[t.turn.pair[0]].power_used = True
            t.turn.pair = None

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        return None if t.turn.pair is None else fact("privates.second_tile_first", private=t.turn.pair[0])


class PrivateTilesStep(AnytimePrivateLayStep):
    """Lay the tiles of the company's privates, including the Little Miami's, at any time of the company's turn."""

    def offers(self, t: Table) -> Iterator[Offer]:
        if t.company.is_in_receivership:
            return
        yield from super().offers(t)
        if _miami_obstacle(t) is None:
            offer = _miami_offer(t)
            if offer is not None:
                yield offer

    def keeps_turn_open(self, t: Table) -> bool:
        """True if the turn must not end yet, because the company can still lay a private's tile."""
        if t.rules.has_flag("asks_when_nothing_is_legal"):
            return has_private_tiles_left(t) and not t.company.is_in_receivership
        return any(True for _ in self.offers(t))

    def apply(self, t: Table, action: LayTile) -> None:
        if action.entity == LITTLE_MIAMI:
            _lay_for_miami(t, action)
        else:
            super().apply(t, action)

    def obstacle(self, t: Table, request: Request) -> Fact | None:
        if request.entity == LITTLE_MIAMI:
            return miami_refusal(t)
        return super().obstacle(t, request)


def has_private_tiles_left(t: Table) -> bool:
    """True if the operating company owns a private that can still lay tiles."""
    return any(
        can_private_lay_tiles(t, private.id) for private in owned_privates(t) if not private.power_used
    )


def can_private_lay_tiles(t: Table, private: PrivateId) -> bool:
    """True if the private can lay tiles."""
    return private == LITTLE_MIAMI or tile_lay_power(t, private) is not None


# --- the Little Miami -------------------------------------------------------------------------------------------------


def miami_refusal(t: Table) -> Fact:
    """The error message if the operating company cannot lay a tile with the Little Miami."""
    return _miami_obstacle(t) or fact("midwest.miami_joins_nothing", private=LITTLE_MIAMI)


def _miami_obstacle(t: Table) -> Fact | None:
    private = t.state.privates[LITTLE_MIAMI]
    if private.owner != t.company.id:
        return fact("privates.lays_for_its_owner", private=LITTLE_MIAMI, company=t.company.id)
    if private.power_used:
        return fact("privates.has_laid", private=LITTLE_MIAMI)
    return fact("midwest.miami_joined", private=LITTLE_MIAMI) if _are_miami_cities_connected(t, {}) else None


def _edge_towards(t: Table, coord: Coord, other_coord: Coord) -> int:
    return next(edge for edge in range(6) if t.map.neighbour(coord, edge) == other_coord)


def _are_miami_cities_connected(t: Table, changed_topologies: dict[Coord, Topology]) -> bool:
    first_hex, second_hex = MIAMI_HEXES
    edge = _edge_towards(t, first_hex, second_hex)
    topologies = {coord: changed_topologies.get(coord, t.map.topology(coord)) for coord in MIAMI_HEXES}
    return edge in topologies[first_hex].edges and opposite_edge(edge) in topologies[second_hex].edges


def _miami_tiles_and_rotations(t: Table, coord: Coord) -> list[tuple[TileId, int]]:
    """Tiles, with rotations, that lead track from this hex to the other city and that the company can pay for."""
    other_hex = next(hex_ for hex_ in MIAMI_HEXES if hex_ != coord)
    edge = _edge_towards(t, coord, other_hex)
    if edge in t.map.topology(coord).edges:
        return []
    return [
        (tile, rotation)
        for tile in upgrades.upgrade_candidates(t.map, coord, t.phase.tile_colours)
        for rotation in upgrades.rotations(t.map, coord, tile)
        if edge in t.spec.tiles[tile].topology.turned(rotation).edges
        and sum(border_prices(t, coord, tile, rotation)) <= t.company.cash
    ]


def _miami_hexes(t: Table) -> list[Coord]:
    """Hexes where the Little Miami can lay a tile now.

    Empty if the private cannot connect Cincinnati and Dayton, because one of them needs track and no tile fits there.
    """
    laid_hex = t.turn.pair[1] if t.turn.pair is not None and t.turn.pair[0] == LITTLE_MIAMI else None
    hexes = [coord for coord in MIAMI_HEXES if coord != laid_hex]
    hexes_with_a_lay = [coord for coord in hexes if _miami_tiles_and_rotations(t, coord)]
    hexes_needing_track = [coord for coord in hexes if not _leads_to_other_city(t, coord)]
    return hexes_with_a_lay if len(hexes_with_a_lay) == len(hexes_needing_track) else []


def _leads_to_other_city(t: Table, coord: Coord) -> bool:
    other = next(hex_ for hex_ in MIAMI_HEXES if hex_ != coord)
    return _edge_towards(t, coord, other) in t.map.topology(coord).edges


def _miami_offer(t: Table) -> Offer | None:
    hexes = _miami_hexes(t)
    if not hexes:
        return None

    def hex_obstacle(coord: Any) -> Fact | None:
        if coord in hexes:
            return None
        return fact("privates.other_hexes", private=LITTLE_MIAMI, hexes=tuple(hexes), hex=coord)

    def tile_choices(coord: Coord) -> FilteredChoices:
        tile_ids = list(dict.fromkeys(tile for tile, _ in _miami_tiles_and_rotations(t, coord)))
        return FilteredChoices(
            tile_ids,
            lambda tile: (
                None if tile in tile_ids else fact("midwest.miami_joins_nothing", private=LITTLE_MIAMI)
            ),
        )

    def rotation_obstacle(
        tiles_and_rotations: Sequence[tuple[TileId, int]], tile: TileId, rotation: Any
    ) -> Fact | None:
        if (
            rotation in range(6)
            and (tile, upgrades.equivalent_rotation(t.map, tile, rotation)) in tiles_and_rotations
        ):
            return None
        return fact("midwest.miami_joins_nothing", private=LITTLE_MIAMI)

    return t.offer(
        "lay_tile",
        LITTLE_MIAMI,
        fact("offer.lay_tile_by", private=LITTLE_MIAMI),
        Slot("hex", lambda _: FilteredChoices(hexes, hex_obstacle)),
        Slot("tile", lambda c: tile_choices(c["hex"])),
        Slot(
            "rotation",
            lambda c: LegalRotations(
                t, c, partial(rotation_obstacle, _miami_tiles_and_rotations(t, c["hex"]), c["tile"])
            ),
        ),
        blocking=False,
    )


def _lay_for_miami(t: Table, action: LayTile) -> None:
    """Lay a tile for the Little Miami. The company pays only for crossing hex borders.

    The power is used up once the two cities are connected.

    Rules: R-1846-152.
    """
    border_dollars = sum(border_prices(t, action.hex, action.tile, action.rotation))
    lay_tile(t, action, LITTLE_MIAMI, free_of_charge=True, lay_price=border_dollars)
    private: Private = t.state.privates[LITTLE_MIAMI]
    if _are_miami_cities_connected(t, {}):
        t.turn.pair, private.power_used = None, True
    else:
        t.turn.pair = (LITTLE_MIAMI, action.hex)
