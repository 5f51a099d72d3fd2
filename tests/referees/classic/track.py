"""A second statement of the tiles of the classic titles: which fit where, what they cost, and who reaches them."""

from collections.abc import Iterator, Sequence

from tests.referees.classic.land import Land
from tests.referees.newengland.reach import Lay, Trails
from tests.referees.newengland.track import keeps

COLOURS = ("white", "yellow", "green", "brown", "gray")
BEGINS = {"yellow": "2", "green": "3", "brown": "5"}
"""The phase from which tiles of a colour may be laid."""
BEGINS_IN_MS = {"yellow": "2", "green": "3", "brown": "6", "gray": "D"}
"""The same in 18MS (R-18MS-004, R-18MS-007)."""
Kinds = dict[str, str]
"""Tiles by colour."""
CITY = ("city",)
TOWN = ("town",)
PLACES: dict[str, dict[tuple[str, ...], Kinds]] = {
    "1830": {
        CITY: {"yellow": "57", "green": "14 15", "brown": "63"},
        TOWN: {"yellow": "3 4 58"},
        (*TOWN, *TOWN): {"yellow": "1 2 55 56 69"},
    },
    "1882": {
        CITY: {"yellow": "57", "green": "14 15", "brown": "63"},
        TOWN: {"yellow": "3 4 58"},
        (*TOWN, *TOWN): {"yellow": "1 2 55 56 69"},
    },
    "18ms": {
        CITY: {"yellow": "5 6 57", "green": "14 15 619", "brown": "63"},
        TOWN: {"yellow": "3 4 58", "green": "87 88 143 204"},
    },
    "1889": {
        CITY: {"yellow": "5 6 57", "green": "12 13 14 15 205 206", "brown": "448 611"},
        TOWN: {"yellow": "3 58"},
    },
    "18ga": {
        CITY: {"yellow": "5 6 57", "green": "14 15", "brown": "63"},
        TOWN: {"yellow": "3 4 58", "green": "141 142 143"},
    },
}
"""Tiles for cities and towns (R-1830-036, R-1882-037, R-1889-034, R-GA-052, R-18MS-042)."""
LABEL_OO: Kinds = {"green": "59", "brown": "64 65 66 67 68"}
LABEL_OO_OF_1882: Kinds = {"green": "59", "brown": "66 67 68"}
LABEL_B: Kinds = {"green": "53", "brown": "61"}
GRAY: Kinds = {**PLACES["18ms"][CITY], "gray": "446"}
NAMED: dict[str, dict[str, Kinds]] = {
    "1830": {
        **dict.fromkeys(("D10", "E5", "E11", "H18"), LABEL_OO),
        **dict.fromkeys(("E23", "I15"), LABEL_B),
        "G19": {"green": "54", "brown": "62"},
    },
    "1889": {
        "F9": {"brown": "465"},
        "I4": {"yellow": "438", "green": "439", "brown": "492"},
        "K4": {"green": "440", "brown": "466"},
    },
    "1882": {
        **dict.fromkeys(("E5", "M11"), LABEL_OO_OF_1882),
        "J10": {"green": "R1", "brown": "R2"},
    },
    "18ms": {"C9": GRAY, "E11": GRAY, "H6": {**GRAY, "brown": "X31b", "gray": ""}},
    "18ga": {
        "D4": {"yellow": "451a", "green": "452a", "brown": "455a"},
        "D10": {"yellow": "5 6 57", "green": "453a", "brown": "456a"},
        "F6": {"yellow": "5 6 57", "green": "14 15", "brown": "458a"},
        "G13": {"yellow": "5 6 57", "green": "454a", "brown": "459a"},
        "I11": {"yellow": "5 6 57", "green": "14 15", "brown": "457a"},
    },
}
"""Hexes with tiles of their own (the same rules)."""
PAID = {"DH", "NWR"}
"""Privates with whose lays the company pays for the terrain."""
POWERS: dict[str, dict[str, tuple[str, str]]] = {
    "1830": {"CS": ("B20", "3 4 58"), "DH": ("F16", "57")},
    "1889": {"MF": ("B11 G10 I12 J9", "437"), "ER": ("C4", "12 13 14 15 205 206")},
    "18ga": {"MRC": ("F12", "7 8 9")},
    "1882": {},
    "18ms": {},
}
"""Hexes and tiles of privates (R-1830-051, R-1830-052, R-1889-051, R-1889-052, R-GA-080)."""


def legal_lays(land: Land, company: str, *, laid: Sequence[str] = (), two_yellow: bool = False) -> set[Lay]:
    """Lays that are left to a company after those of its turn, each `tile` or `upgrade`.

    One a turn (R-1830-034, R-1889-031, R-GA-050), or in some turns two yellow tiles. In 1882 the second yellow tile
    costs $20 (R-1882-031). In 18MS a company lays two in its first turn, one of them an upgrade at most (R-18MS-041).
    """
    if laid and not (two_yellow and (list(laid) == ["tile"] or (land.title == "18ms" and len(laid) == 1))):
        return set()
    return {
        lay
        for lay in connected_lays(land, company)
        if not laid or land.colour(lay[0]) == "white" or (land.title == "18ms" and list(laid) == ["tile"])
        if lay_cost(land, company, lay, second=bool(laid)) <= land.company(company).cash
    }


def connected_lays(land: Land, company: str) -> Iterator[Lay]:
    """Lays that the company reaches, whatever they cost."""
    for coord in land.near(company) - land.blocked:
        yield from (lay for lay in _lays_in(land, coord) if reached(land, company, *lay))


def power_lays(land: Land, company: str, private: str) -> set[Lay]:
    """Hexes where a private may lay, without a connection: on the bare hex, the ER over what is printed there.

    The NWR lays where its station has come to; AGS and BS lay wherever their company may (R-1882-051, R-18MS-061).
    """
    if land.title == "18ms":
        return set(connected_lays(land, company))
    if private == "NWR":
        lays, purse = _lays_in(land, str(land.moved)), land.company(company).cash
        return {lay for lay in lays if lay_cost(land, company, lay) <= purse and reached(land, company, *lay)}
    hexes, tiles = (names.split() for names in POWERS[land.title][private])
    cash = land.state.companies[company].cash if private == "DH" else 0
    return {
        (coord, tile, rotation)
        for coord in hexes
        for tile in tiles
        for rotation in range(6)
        if coord not in land.tiles and land.left(tile) and fits(land, coord, tile, rotation)
        if private != "DH" or lay_cost(land, company, (coord, tile, rotation)) <= cash
    }


def _lays_in(land: Land, coord: str) -> Iterator[Lay]:
    """Tiles of the next colour that are left and fit (R-AL-111, R-AL-112)."""
    colour = land.colour(coord)
    if land.hexes[coord].colour in {"red", "gray", "blue"} or colour == COLOURS[-1]:
        return
    following = COLOURS[COLOURS.index(colour) + 1]
    begins = (BEGINS_IN_MS if land.title == "18ms" else BEGINS).get(following)
    if begins is None or not land.since(begins):
        return
    if (coord, land.tiles.get(coord, ("", 0))[0]) in {("H6", "14"), ("H6", "619")} and land.title == "18ms":
        return  # Mobile is brown after 15 only (R-18MS-042).
    for tile in kinds(land, coord, following):
        for rotation in range(6):
            if land.left(tile) and fits(land, coord, tile, rotation):
                yield coord, tile, rotation


def kinds(land: Land, coord: str, colour: str) -> list[str]:
    """Tiles of a colour for such a hex, used up or not."""
    stops = tuple(stop.kind for stop in land.hexes[coord].topology.stops)
    own = NAMED[land.title].get(coord)
    if own is None and not stops:
        tiles = land.spec.tiles.items()
        return [name for name, tile in tiles if tile.colour == colour and not tile.stops]
    found = PLACES[land.title][stops] if own is None else own
    return found.get(colour, "").split()


def fits(land: Land, coord: str, tile: str, rotation: int) -> bool:
    """Old track and its cities stay, and no track ends at a closed side (R-AL-117, R-AL-118)."""
    old, new = land.topology(coord), land.spec.tiles[tile].topology.turned(rotation)
    return all(land.open(coord, edge) for edge in new.edges) and keeps(old, new)


def reached(land: Land, company: str, coord: str, tile: str, rotation: int) -> bool:
    """1830, 1882: any track of the tile is on a way from a station (R-1830-034, R-1882-032). The others: track that is
    new, or a city, whose value always changes (R-AL-119)."""
    old, there = land.topology(coord), land.imagine(coord, tile, rotation)
    new, trails = there.topology(coord), Trails(there, company)
    if land.title in {"1830", "1882"}:
        return trails.uses(coord, set(range(len(new.pieces))))
    known = {frozenset(piece.ends()) for piece in old.pieces}
    fresh = {i for i, piece in enumerate(new.pieces) if frozenset(piece.ends()) not in known}
    if trails.uses(coord, fresh):
        return True
    cities = (i for i, stop in enumerate(new.stops) if stop.kind == "city")
    return any(trails.visits((coord, 6 + city)) for city in cities)


def lay_cost(land: Land, company: str, lay: Lay, *, second: bool = False) -> int:
    """Terrain, with the first tile; Kotohira with each (R-1830-035, R-1889-033, R-1889-053, R-GA-008); rivers, and $20
    for a second tile (R-1882-031, R-1882-033)."""
    coord, printed = lay[0], land.hexes[lay[0]]
    if land.title == "1882":
        terrain = 0 if coord in land.tiles else printed.cost
        return terrain + sum(rivers(land, lay)) + 20 * second
    if (land.title, coord) == ("1889", "I4"):
        return 80
    if coord in land.tiles:
        return 0
    mines = land.title == "1889" and "SMR" in land.open_privates(company)
    return 0 if mines and printed.terrain == ("mountain",) else printed.cost


def rivers(land: Land, lay: Lay) -> list[int]:
    """Dollars for each river across which the tile makes track meet (R-1882-033)."""
    coord, tile, rotation = lay
    fresh = land.spec.tiles[tile].topology.turned(rotation).edges - land.topology(coord).edges
    joined = {land.beyond(coord, edge) for edge in fresh if _is_led_to(land, coord, edge)}
    costs = land.spec.map.border_costs.items()
    return [
        cost
        for cost, sides in costs
        for side in sides
        if coord in (ends := side.split("-")) and joined & set(ends)
    ]


def _is_led_to(land: Land, coord: str, edge: int) -> bool:
    there = land.beyond(coord, edge)
    return there is not None and (edge + 3) % 6 in land.topology(there).edges


def met(land: Land, company: str, lay: Lay) -> int:
    """Reasons why a lay may earn money: rivers in 1882, a way to Chattanooga in 18MS (R-1882-053, R-18MS-043)."""
    if land.title == "1882":
        return len(rivers(land, lay))
    if land.title == "18ms" and lay[0] == "B10":
        return int(Trails(land.imagine(*lay), company).visits(("B12", 6)))
    return 0
