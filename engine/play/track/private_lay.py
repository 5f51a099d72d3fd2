"""Tile lays by a private's power for its company: legal hexes and tiles (18Chesapeake 7.1)."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine.board import upgrades
from engine.core.actions import LayTile
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PlayerId, PrivateId, TileId
from engine.core.offers import FilteredChoices, Offer, Slot
from engine.core.spec import PrivateSpec, TileLayPower, TitleSpec
from engine.core.state import Private
from engine.play.table import Table
from engine.play.track.lay_rules import ROTATIONS, LegalRotations, lay_tile, next_own_lay, record_lay_of_turn
from engine.play.track.terrain import terrain_cost


def tile_lay_power(t: Table, private: PrivateId) -> TileLayPower | None:
    """The private's tile-laying power that its owning company uses; None if it has none."""
    return t.spec.cached(_tile_lay_power_by_private)[private]


def tile_lay_powers(private: PrivateSpec) -> list[TileLayPower]:
    """All tile-laying powers of a private, used by companies or by players."""
    return [power for power in private.powers if isinstance(power, TileLayPower)]


def _tile_lay_power_by_private(spec: TitleSpec) -> Mapping[PrivateId, TileLayPower | None]:
    return {
        name: next((power for power in tile_lay_powers(private) if power.laid_by == "company"), None)
        for name, private in spec.privates.items()
    }


def player_lay_power_by_private(spec: TitleSpec) -> Mapping[PrivateId, TileLayPower]:
    """Tile-laying powers that players use themselves, by private."""
    return {
        name: power
        for name, private in spec.privates.items()
        for power in tile_lay_powers(private)
        if power.laid_by == "player"
    }


def tile_lay_powers_of_president(t: Table) -> list[TileLayPower]:
    """Unused tile-laying powers that the president of the operating company uses as a player."""
    privates = t.state.privates
    return [
        power
        for name, power in t.spec.cached(player_lay_power_by_private).items()
        if not privates[name].power_used and privates[name].owner == t.company.president
    ]


def has_private_lay_left(t: Table, power: TileLayPower) -> bool:
    """True if the private's tile can still be laid this turn, as an extra lay or as one of the company's lays.

    Rules: R-CH-102, R-CH-103, R-TN-111.
    """
    return power.is_extra or next_own_lay(t) is not None


def hexes_for_tile_power(t: Table, power: TileLayPower, max_terrain_cost: int) -> list[Coord]:
    """Hexes where the private's power can lay a tile now, if terrain costs at most `max_terrain_cost`.

    Rules: R-AL-171, R-CH-100, R-CH-101, R-TN-111.
    """
    return [
        coord
        for coord in _payable_hexes(t, power, max_terrain_cost)
        if any(power_rotations(t, power, coord, tile) for tile in power.tiles)
    ]


def _empty_hexes(t: Table, power: TileLayPower) -> list[Coord]:
    hex_of_first_tile = _hex_of_first_tile(t)
    empty_hexes = [
        coord
        for coord in power.hexes
        if coord != hex_of_first_tile and (power.may_upgrade or t.map.tile(coord) is None)
    ]
    needs_all_hexes = (power.min_tile_count or power.tile_count) == len(power.hexes)
    filled_hex_count = len(power.hexes) - len(empty_hexes) - (hex_of_first_tile is not None)
    return [] if needs_all_hexes and filled_hex_count else empty_hexes


def _payable_hexes(t: Table, power: TileLayPower, max_terrain_cost: int) -> list[Coord]:
    hexes = _empty_hexes(t, power)
    if (
        power.tile_count > 1
        and not power.is_free_of_terrain_cost
        and sum(terrain_cost(t, coord) for coord in hexes) > max_terrain_cost
    ):
        return []
    return [
        coord
        for coord in hexes
        if power.is_free_of_terrain_cost or terrain_cost(t, coord) <= max_terrain_cost
    ]


def _hex_of_first_tile(t: Table) -> Coord | None:
    return t.turn.pair[1] if t.turn.pair else None


def power_rotations(t: Table, power: TileLayPower, coord: Coord, tile: TileId) -> list[int]:
    """The tile's rotations that the power allows, connected or not.

    If the power lays two tiles, the track of both must meet at the edge between them (18Chesapeake 7.1).

    Rules: R-AL-171, R-CH-100, R-CH-101, R-TN-111.
    """
    is_usual_upgrade = not power.may_upgrade or tile in upgrades.upgrade_candidates(
        t.map, coord, t.phase.tile_colours
    )
    if not is_usual_upgrade or not _is_tile_available(t, tile):
        return []
    rotations = list(upgrades.rotations(t.map, coord, tile))
    if power.tile_count == 1:
        return rotations
    hex_of_first_tile = _hex_of_first_tile(t)
    if power.min_tile_count == 1 and hex_of_first_tile is None:
        return rotations
    hex_of_other_tile = next(hex_ for hex_ in power.hexes if hex_ != coord)
    connecting_rotations = [
        rotation
        for rotation in rotations
        if _tile_track_leads_to(t, coord, tile, rotation, hex_of_other_tile)
    ]
    if hex_of_first_tile is None:
        return connecting_rotations if _second_tile_fits(t, power, tile, hex_of_other_tile, coord) else []
    edges = t.map.topology(hex_of_first_tile).edges
    return (
        connecting_rotations
        if any(t.map.neighbour(hex_of_first_tile, edge) == coord for edge in edges)
        else []
    )


def _second_tile_fits(
    t: Table, power: TileLayPower, first_tile: TileId, coord: Coord, hex_of_first_tile: Coord
) -> bool:
    return any(
        _tile_track_leads_to(t, coord, tile, rotation, hex_of_first_tile)
        for tile in power.tiles
        if _is_tile_available(t, tile, taken_count=int(tile == first_tile))
        for rotation in upgrades.rotations(t.map, coord, tile)
    )


def _is_tile_available(t: Table, tile: TileId, taken_count: int = 0) -> bool:
    tiles_left = t.map.supply[tile]
    return (tiles_left is None or tiles_left > taken_count) and t.spec.tiles[
        tile
    ].colour in t.phase.tile_colours


def _tile_track_leads_to(
    t: Table, coord: Coord, tile: TileId, rotation: int, hex_of_other_tile: Coord
) -> bool:
    edges = t.spec.tiles[tile].topology.turned(rotation).edges
    return any(t.map.neighbour(coord, edge) == hex_of_other_tile for edge in edges)


def power_lay_offer(t: Table, private: Private, *, blocking: bool = True) -> Offer | None:
    """The legal action of laying the private's tile; None if there is none."""
    power = tile_lay_power(t, private.id)
    if power is None or power_obstacle(t, private) is not None:
        return None
    hexes = hexes_for_tile_power(t, power, t.company.cash)
    return lay_offer(t, private.id, power, hexes, blocking=blocking)


def lay_offer(
    t: Table,
    private: PrivateId,
    power: TileLayPower,
    hexes: Sequence[Coord],
    *,
    actor: PlayerId | None = None,
    blocking: bool = True,
) -> Offer:
    """The legal action of laying the private's tile in one of these hexes.

    It is for `actor`; by default, for the player who decides for the private.
    """
    return t.offer(
        "lay_tile",
        private,
        fact("offer.lay_tile_by", private=private),
        Slot("hex", lambda _: FilteredChoices(hexes, lambda coord: _hex_obstacle(private, hexes, coord))),
        Slot(
            "tile",
            lambda c: FilteredChoices(
                power.tiles, lambda tile: _tile_obstacle(t, private, power, c["hex"], tile)
            ),
        ),
        Slot(
            "rotation",
            lambda c: LegalRotations(t, c, lambda r: _rotation_obstacle(t, power, c["hex"], c["tile"], r)),
        ),
        actor=actor,
        blocking=blocking,
    )


# --- obstacles ---------------------------------------------------------------------------------------------------


def power_obstacle(t: Table, private: Private) -> Fact | None:
    """The most specific rule that forbids the private's lay now; None if there is none (18Chesapeake 7.1)."""
    power = tile_lay_power(t, private.id)
    return power_use_obstacle(t, private) or (None if power is None else _hexes_obstacle(t, private, power))


def power_use_obstacle(t: Table, private: Private) -> Fact | None:
    """The rule that forbids using the private's tile-laying power in any hex; None if there is none.

    Rules: R-AL-174, R-TN-011b.
    """
    name, company, power = private.id, t.company, tile_lay_power(t, private.id)
    if power is None:
        is_used_by_player = name in t.spec.cached(player_lay_power_by_private)
        return fact(
            "privates.lays_for_a_player" if is_used_by_player else "privates.lays_nothing", private=name
        )
    if private.owner != company.id:
        return fact("privates.lays_for_its_owner", private=name, company=company.id)
    if private.power_used:
        return fact("privates.has_laid", private=name)
    if t.turn.pair is not None and t.turn.pair[0] != name:
        return fact("privates.second_tile_first", private=t.turn.pair[0])
    if not has_private_lay_left(t, power):
        return fact("privates.takes_the_place", private=name, company=company.id)
    return None


def _hexes_obstacle(t: Table, private: Private, power: TileLayPower) -> Fact | None:
    company, empty_hexes = t.company, _empty_hexes(t, power)
    if not empty_hexes:
        filled_hexes = tuple(
            coord for coord in power.hexes if coord != _hex_of_first_tile(t) and t.map.tile(coord) is not None
        )
        return fact("privates.hexes_taken", private=private.id, hexes=filled_hexes)
    if not _payable_hexes(t, power, company.cash):
        price = sum(terrain_cost(t, coord) for coord in empty_hexes)
        values = {"cost": price, "company": company.id, "cash": company.cash}
        return fact("privates.terrain_too_dear", private=private.id, **values)
    if not hexes_for_tile_power(t, power, company.cash):
        return fact("privates.too_few_tiles", private=private.id, lays=power.tile_count)
    return None


def _hex_obstacle(private: PrivateId, hexes: Sequence[Coord], coord: Any) -> Fact | None:
    if coord in hexes:
        return None
    return fact("privates.other_hexes", private=private, hexes=tuple(hexes), hex=coord)


def _tile_obstacle(t: Table, private: PrivateId, power: TileLayPower, coord: Coord, tile: Any) -> Fact | None:
    if tile not in power.tiles:
        return fact("privates.other_tiles", private=private, tiles=power.tiles, tile=tile)
    return None if power_rotations(t, power, coord, tile) else fact("track.used_up", tile=tile)


def _rotation_obstacle(
    t: Table, power: TileLayPower, coord: Coord, tile: TileId, rotation: Any
) -> Fact | None:
    if rotation not in ROTATIONS:
        return fact("track.no_such_rotation", rotation=rotation)
    if upgrades.equivalent_rotation(t.map, tile, rotation) in power_rotations(t, power, coord, tile):
        return None
    return fact("privates.tiles_meet" if power.tile_count > 1 else "privates.rotation_impossible")


def use_tile_power(t: Table, action: LayTile, private: Private) -> None:
    """Lay the private's tile. The last tile uses up the power; a free token may follow (18Chesapeake 7.1)."""
    power = tile_lay_power(t, private.id)
    assert power is not None
    if not power.is_extra:
        record_lay_of_turn(t, action)
    lay_tile(t, action, private.id, free_of_charge=power.is_free_of_terrain_cost)
    if power.tile_count == 2 and t.turn.pair is None:
        t.turn.pair = (private.id, action.hex)
        return
    t.turn.pair = None
    private.power_used = True
    if power.may_place_token and t.company.tokens:
        t.turn.free_token = private.id
