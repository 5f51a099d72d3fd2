"""1882's North-West Rebellion. Yellow tiles in its hexes earn a reward; later the rebellion removes them (§4, §6)."""

from typing import Final

from engine.core.events import LayRewarded, TilesTakenBack
from engine.core.ids import BANK, Coord
from engine.play.table import Table

REBELLION_ICON: Final = "rebellion"
"""Map icon of the hexes that the rebellion affects."""
LAY_REWARD_DOLLARS: Final = 20
"""Dollars that a company receives for laying a yellow tile in a rebellion hex."""
BRIDGE_PRIVATE: Final = "TB"
"""The bridge private (TB). Its owner is paid when a company lays track across a river."""
BRIDGE_DOLLARS: Final = 10
"""Dollars that the TB private's owner receives each time that a company pays to cross a river."""


def is_rebellion_hex(t: Table, coord: Coord) -> bool:
    """True if the rebellion affects this hex."""
    return REBELLION_ICON in t.map.hexes[coord].icons


def pay_lay_rewards(t: Table, coord: Coord, paid_border_count: int) -> None:
    """Pay the company for a yellow tile in a rebellion hex, and the TB's owner for each crossed river.

    Rules: R-1882-034, R-1882-053.
    """
    if is_rebellion_hex(t, coord) and t.map.colour(coord) == "yellow":
        t.pay(BANK, t.company.id, LAY_REWARD_DOLLARS)
        t.emit(LayRewarded(t.company.id, coord, LAY_REWARD_DOLLARS))
    owner = t.state.privates[BRIDGE_PRIVATE].owner
    if owner is not None and paid_border_count:
        amount = paid_border_count * BRIDGE_DOLLARS
        t.pay(BANK, owner, amount)
        t.emit(LayRewarded(owner, coord, amount, BRIDGE_PRIVATE))


def start_rebellion(t: Table) -> None:
    """Carry out the rebellion: remove all yellow tiles from its hexes. Tokens stay in their cities.

    Rules: R-1882-060.
    """
    hexes = tuple(
        coord
        for coord in t.map.coords
        if is_rebellion_hex(t, coord) and t.map.tile(coord) is not None and t.map.colour(coord) == "yellow"
    )
    for coord in hexes:
        t.map.remove_tile(coord)
        t.state.fresh.hexes.append(coord)
    t.emit(TilesTakenBack(hexes))
