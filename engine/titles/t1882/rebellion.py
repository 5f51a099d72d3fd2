"""The country of the rebellion: what tiles earn there, and how they are lost (4, 6)."""

from typing import Final

from engine.core.events import LayRewarded, TilesTakenBack
from engine.core.ids import BANK, Coord
from engine.play.table import Table

REBEL_ICON: Final = "rebellion"
"""Icon of the hexes of the rebellion."""
LAY_REWARD_DOLLARS: Final = 20
"""Dollars for a yellow tile there."""
BRIDGE: Final = "TB"
"""The private that earns from track across rivers."""
BRIDGE_DOLLARS: Final = 10
"""Dollars for each border paid for."""


def is_rebel_hex(t: Table, coord: Coord) -> bool:
    """True if the hex has the icon of the rebellion."""
    return REBEL_ICON in t.map.hexes[coord].icons


def reward_lay(t: Table, coord: Coord, paid_borders: int) -> None:
    """Pay the company for a yellow tile in the rebellion's hexes, and the owner of the TB for rivers crossed.

    Rules: R-1882-034, R-1882-053.
    """
    if is_rebel_hex(t, coord) and t.map.colour(coord) == "yellow":
        t.pay(BANK, t.company.id, LAY_REWARD_DOLLARS)
        t.emit(LayRewarded(t.company.id, coord, LAY_REWARD_DOLLARS))
    owner = t.state.privates[BRIDGE].owner
    if owner is not None and paid_borders:
        amount = paid_borders * BRIDGE_DOLLARS
        t.pay(BANK, owner, amount)
        t.emit(LayRewarded(owner, coord, amount, BRIDGE))


def rebel(t: Table) -> None:
    """Take all yellow tiles off the rebellion's hexes; tokens stay in their cities.

    Rules: R-1882-060.
    """
    hexes = tuple(
        coord
        for coord in t.map.coords
        if is_rebel_hex(t, coord) and t.map.tile(coord) is not None and t.map.colour(coord) == "yellow"
    )
    for coord in hexes:
        t.map.take_back(coord)
        t.state.fresh.hexes.append(coord)
    t.emit(TilesTakenBack(hexes))
