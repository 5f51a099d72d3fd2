"""A second statement of 18NewEngland's tiles and stations, and of the minors that are connected."""

from collections.abc import Iterator

from engine.core.spec import HexSpec
from engine.core.topology import Topology
from engine.play.table import Table
from tests.referees.newengland.model import HOMES
from tests.referees.newengland.reach import Land, Lay, Node, Trails

COLOURS = ("white", "yellow", "green", "brown", "gray")
BEGINS = {"yellow": "2", "green": "3", "brown": "5", "gray": "8"}
"""The phase from which tiles of a colour may be laid."""
FIRST = {"L7": {"6"}, "M4": {"3"}, "K4": {"14", "15", "619"}, "G8": {"14", "15", "619"}}
"""Hexes whose first tile changes what is printed, and the tiles it may be."""


class TrackRules:
    """What the operating company may lay, and where it may put a station."""

    def __init__(self, t: Table, company: str) -> None:
        self.t = t
        self.company = t.state.companies[company]
        self.minor = company in HOMES
        self.land = Land(t)

    # --- tiles ----------------------------------------------------------------------------------------------------

    def lays(self, laid: list[str]) -> Iterator[Lay]:
        """Lays that are left, after those of this turn (a major: two yellow tiles, or one upgrade)."""
        if laid and (self.minor or len(laid) == 2 or "upgrade" in laid):
            return
        for coord, printed in self.land.hexes.items():
            colour = self.t.map.colour(coord)
            if colour not in COLOURS[:4] or (laid and colour != "white"):
                continue
            if printed.colour not in {"red", "gray"} and self.cost(coord, printed) <= self.company.cash:
                yield from self._lays_in(coord, COLOURS[COLOURS.index(colour) + 1])

    def _lays_in(self, coord: str, colour: str) -> Iterator[Lay]:
        if int(self.t.state.phase) < int(BEGINS[colour]):
            return
        for tile in self.tiles(coord, colour):
            for rotation in range(6):
                if self.fits(coord, tile, rotation) and self.joined(coord, tile, rotation):
                    yield coord, tile, rotation

    def cost(self, coord: str, printed: HexSpec) -> int:
        return 0 if self.t.map.tile(coord) else printed.cost

    def tiles(self, coord: str, colour: str) -> Iterator[str]:
        """Tiles of the colour that are left for the hex, whatever track lies in it."""
        for name in self.kinds(coord, colour):
            gives_way = name == "611" and self._has_63(coord)
            if self.left(name) and not gives_way:
                yield name

    def kinds(self, coord: str, colour: str) -> Iterator[str]:
        """Tiles of the colour for such a hex, used up or not."""
        printed = self.land.hexes[coord]
        first = FIRST.get(coord) if self.t.map.tile(coord) is None else None
        for name, tile in self.t.spec.tiles.items():
            if tile.colour == colour and (tile.label == printed.label if first is None else name in first):
                yield name

    def _has_63(self, coord: str) -> bool:
        return bool(self.left("63")) and all(self.land.open(coord, edge) for edge in range(6))

    def left(self, tile: str) -> int:
        count = self.t.spec.tiles[tile].count
        lying = sum(self.t.map.tile(coord) == tile for coord in self.land.hexes)
        return 99 if count is None else count - lying

    def fits(self, coord: str, tile: str, rotation: int) -> bool:
        """Kind of hex, what must stay, and where track may not run."""
        old, new = self.t.map.topology(coord), self.t.spec.tiles[tile].topology.turned(rotation)
        special = coord in FIRST and self.t.map.tile(coord) is None
        if not special and {s.kind for s in old.stops} != {s.kind for s in new.stops}:
            return False
        if not old.pieces and len(old.stops) != len(new.stops):
            return False
        return all(self.land.open(coord, edge) for edge in new.edges) and keeps(old, new)

    def joined(self, coord: str, tile: str, rotation: int) -> bool:
        """A city: any track of the tile is on a route; else some track that is new."""
        old, new = self.t.map.topology(coord), self.t.spec.tiles[tile].topology.turned(rotation)
        land = Land(self.t, (coord, new))
        there = {frozenset(piece.ends()) for piece in old.pieces}
        fresh = {i for i, piece in enumerate(new.pieces) if frozenset(piece.ends()) not in there}
        city = any(stop.kind == "city" for stop in new.stops)
        return Trails(land, self.company.id).uses(coord, set(range(len(new.pieces))) if city else fresh)

    # --- stations -------------------------------------------------------------------------------------------------

    def stations(self) -> Iterator[Node]:
        """Vacant slots of cities on a route, in hexes without an own station."""
        tokens = self.company.tokens
        if self.minor or not tokens or tokens[0] > self.company.cash:
            return
        trails = Trails(self.land, self.company.id)
        own = {coord for coord, _ in trails.stations}
        for coord in self.land.hexes:
            for stop in range(len(self.land.topology(coord).stops)):
                if coord in own or self.land.stop((coord, 6 + stop)) != "city":
                    continue
                if self.vacant(coord, stop) and trails.visits((coord, 6 + stop)):
                    yield coord, stop

    def vacant(self, coord: str, stop: int) -> bool:
        return self.t.map.slots(coord, stop).count(None) > self._reserved_free(coord, stop)

    def _reserved_free(self, coord: str, stop: int) -> int:
        here = self.land.topology(coord).edges_of(stop)
        printed = self.land.hexes[coord].topology
        waiting = 0
        for name in (name for name, home in HOMES.items() if home == coord):
            if self.t.state.companies[name].closed or self.land.stations(name):
                continue
            home = self.t.spec.companies[name].home
            assert home is not None
            # The home is the city that has kept the edges it was printed with.
            waiting += printed.edges_of(home.stop) <= here
        return waiting

    # --- mergers --------------------------------------------------------------------------------------------------

    def connected(self, other: str) -> bool:
        goals = self.land.stations(other)
        return any(Trails(self.land, self.company.id).visits(goal) for goal in goals)


def keeps(old: Topology, new: Topology) -> bool:
    there = {frozenset(piece.ends()) for piece in new.pieces}
    if any(frozenset(piece.ends()) not in there for piece in old.pieces if max(piece.ends()) < 6):
        return False
    homes: list[set[int]] = []
    for stop in range(len(old.stops)):
        edges = old.edges_of(stop)
        able = {i for i in range(len(new.stops)) if edges <= new.edges_of(i)}
        if not able:
            return False
        homes.append(able)
    return len(old.stops) != len(new.stops) or len(set().union(*homes)) == len(old.stops)
