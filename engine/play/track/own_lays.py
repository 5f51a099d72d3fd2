"""What the operating company may lay on its own: where, which tiles, turned how (18Chesapeake 11.3)."""

from engine.board import upgrades
from engine.board.network import lay_is_connected, network_of
from engine.core.facts import Fact, fact
from engine.core.ids import Coord, PrivateId, TileId
from engine.core.offers import Filtered
from engine.core.spec import Colour
from engine.play.privates.aids import bridge_is_missing, bridges, crosses, is_at_home, river
from engine.play.table import Table
from engine.play.track import lays


def home_without_track(t: Table) -> Coord | None:
    """The company's home hex while it has no track: until then no other hex takes its tile (18Chesapeake 11.3).

    Rules: R-CH-086.
    """
    home = t.spec.companies[t.company.id].home
    if not t.spec.map.home_track_first or t.rules.flag("lays_elsewhere_without_home_track"):
        return None
    if home is None or t.map.topology(home.hex).pieces:
        return None
    return home.hex


def hexes_in_reach(t: Table) -> list[Coord]:
    """Hexes where its tile could be connected, in the order of the map."""
    home = home_without_track(t)
    if home:
        return [home]
    edges = network_of(t.map, t.company.id).edges
    return [coord for coord in t.map.coords if coord in edges]


def tiles(t: Table, coord: Coord, by: PrivateId | None = None) -> Filtered:
    """Tiles of its next lay that fit in the hex in some way."""
    candidates = upgrades.candidates(t.map, coord, colours(t, coord, by))
    return Filtered(
        candidates,
        lambda tile: any(_leads_on(t, coord, tile, r, by) for r in upgrades.rotations(t.map, coord, tile)),
        lambda tile: fact("choice.tile", tile=tile, colour=t.spec.tiles[tile].colour),
    )


def colours(t: Table, coord: Coord, by: PrivateId | None = None) -> tuple[Colour, ...]:
    """Tile colours of the phase that the lay may have here; one more lay of the turn may have any."""
    one_more = by is not None and is_at_home(t, by, coord)
    return t.phase.tiles if one_more else lays.colours(t, coord)


def fits(t: Table, coord: Coord, tile: TileId, rotation: int, by: PrivateId | None = None) -> bool:
    """Whether the tile keeps old track, points nowhere forbidden, and is on a route of the company
    (18Chesapeake 11.3).
    """
    listed = upgrades.same_rotation(t.map, tile, rotation)
    return listed in upgrades.rotations(t.map, coord, tile) and _leads_on(t, coord, tile, listed, by)


def _leads_on(t: Table, coord: Coord, tile: TileId, listed: int, by: PrivateId | None) -> bool:
    """Whether a tile that keeps old track is on a route of the company, and crosses the river as it may."""
    if why_not_over_the_river(t, coord, tile, listed, by) is not None:
        return False
    return lay_is_connected(t.map, t.company.id, coord, tile, listed)


def why_not_over_the_river(
    t: Table, coord: Coord, tile: TileId, rotation: int, by: PrivateId | None = None
) -> Fact | None:
    """Without the bridge no track crosses; with its help it has to (18C2C).

    Rules: R-C2C-123.
    """
    if not river(t, coord):
        return None
    crossing = crosses(t, coord, t.spec.tiles[tile].topology.turned(rotation))
    missing = bridge_is_missing(t)
    if crossing and missing is not None:
        return fact("track.no_bridge", hex=coord, private=missing)
    if by is not None and bridges(t, by) and not crossing:
        return fact("track.bridge_must_cross", hex=coord, private=by)
    return None
