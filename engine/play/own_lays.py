"""What the operating company may lay by itself: where, which tiles, turned how (rulebook 11.3)."""

from engine.board import upgrades
from engine.board.network import lay_is_connected, reach
from engine.core.facts import fact
from engine.core.ids import Coord, TileId
from engine.core.offers import Those
from engine.core.spec import Colour
from engine.play.lays import next_lay
from engine.play.table import Table


def home_without_track(t: Table) -> Coord | None:
    """The company's home hex while it has no track: until then no other hex takes its tile (11.3)."""
    home = t.spec.companies[t.company.id].home
    if home is None or t.map.topology(home.hex).pieces or t.rules.flag("lays_elsewhere_without_home_track"):
        return None
    return home.hex


def hexes_in_reach(t: Table) -> list[Coord]:
    """Hexes where its tile could be connected, in the order of the map."""
    home = home_without_track(t)
    return [home] if home else sorted(reach(t.map, t.company.id).edges, key=t.map.coords.index)


def tiles(t: Table, coord: Coord) -> Those:
    """Tiles of its next lay that fit in the hex in some way."""
    candidates = upgrades.candidates(t.map, coord, colours(t))
    return Those(
        candidates,
        lambda tile: any(fits(t, coord, tile, r) for r in upgrades.rotations(t.map, coord, tile)),
        lambda tile: fact("choice.tile", tile=tile, colour=t.spec.tiles[tile].colour),
    )


def colours(t: Table) -> tuple[Colour, ...]:
    """Tile colours of the phase, as far as the next lay admits them."""
    lay = next_lay(t)
    yellow_only = lay is not None and not lay.upgrade
    return tuple(colour for colour in t.phase.tiles if colour == "yellow" or not yellow_only)


def fits(t: Table, coord: Coord, tile: TileId, rotation: int) -> bool:
    """Whether the tile keeps old track, points nowhere forbidden, and is on a route of the company (11.3)."""
    listed = upgrades.same_rotation(t.map, tile, rotation)
    if listed not in upgrades.rotations(t.map, coord, tile):
        return False
    return lay_is_connected(t.map, t.company.id, coord, tile, listed)
