"""A second statement of the map of 1846: lays and what they cost, tokens, the powers of privates."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.core.state import Company
from tests.referees.classic.land import Land as ClassicLand
from tests.referees.classic.track import COLOURS, Kinds, fits, reached
from tests.referees.newengland.reach import Lay, Node, Trails

PHASES = ("I", "II", "III", "IV")
BEGINS = {"yellow": "I", "green": "II", "brown": "III", "gray": "IV"}
CITY: Kinds = {"yellow": "5 6 57", "green": "14 15 619", "brown": "611", "gray": "51"}
LABEL_Z: Kinds = {"yellow": "291 292 293", "green": "294 295 296", "brown": "297", "gray": "290"}
CHICAGO: Kinds = {"green": "298", "brown": "299", "gray": "300"}
NAMED: dict[str, Kinds] = {"D6": CHICAGO, **dict.fromkeys(("C15", "E17", "H12"), LABEL_Z)}
"""Tiles for cities (R-1846-074)."""
TILE = 20
"""Dollars that every tile costs at least, and by which two privates make some cheaper (R-1846-070, R-1846-073)."""
FREE_OF_IC = ("E5", "F6", "G5", "H6", "J4")
MOUNTAINS = {"F18": 40, "G17": 40, "H14": 60, "H16": 40}
WATERS = {"C15": 40}
TUNNELS = {("B16", "B18"): 40, ("C15", "C17"): 60, ("E19", "F20"): 40, ("G19", "G21"): 20}
RIVERS = {("F18", "G19"): 40, ("G17", "G19"): 20, ("H12", "I11"): 40, ("J4", "J6"): 40}
"""Dollars for terrain and sides (R-1846-071)."""
JOINED = {"MC": ("B10", "B12"), "O&I": ("F14", "F16"), "LM": ("H12", "G13")}
LAKE_SHORE = ("D14", "E17")
"""Hexes of privates that lay tiles (R-1846-151, R-1846-152)."""


class Kept(NamedTuple):
    """A slot kept for a company's token: its hex, the price with a connection, and without one if that is allowed."""

    coord: str
    connected: int
    unconnected: int | None


KEPT = {
    "PRR": Kept("E11", 40, 60),
    "B&O": Kept("H12", 40, 100),
    "ERIE": Kept("D20", 40, None),
    "IC": Kept("I5", 40, None),
}
"""R-1846-081."""
TOKEN = 80


class Land(ClassicLand):
    """The map, tiles and tokens of a position."""

    def since(self, phase: str) -> bool:
        return PHASES.index(self.state.phase) >= PHASES.index(phase)

    def apart(self, coord: str) -> bool:
        """Chicago's cities are one place (R-1846-091)."""
        return True

    def place(self, node: Node) -> str:
        return node[0] if node[0] == "D6" else super().place(node)

    def open(self, coord: str, edge: int) -> bool:
        """No track into the lake (R-1846-075)."""
        there = self.beyond(coord, edge)
        return super().open(coord, edge) and there is not None and self.hexes[there].colour != "blue"

    def owns(self, company: str, private: str) -> bool:
        return private in self.open_privates(company)

    # --- tiles ----------------------------------------------------------------------------------------------------

    def lays(self, company: str, laid: Sequence[str]) -> set[Lay]:
        """Lays that are left after those of the turn: two, one of them an upgrade at most (R-1846-070)."""
        found = set()
        for coord in self.near(company) - self.blocked if len(laid) < 2 else ():
            if "upgrade" not in laid or self.colour(coord) == "white":
                found |= {lay for lay in self._lays_in(coord) if reached(self, company, *lay)}
        return {lay for lay in found if self.lay_cost(company, lay) <= self.company(company).cash}

    def _lays_in(self, coord: str) -> Iterator[Lay]:
        """Tiles of the next colour that are left and fit."""
        colour = self.colour(coord)
        if self.hexes[coord].colour in {"red", "gray", "blue"} or colour == COLOURS[-1]:
            return
        following = COLOURS[COLOURS.index(colour) + 1]
        if not self.since(BEGINS[following]):
            return
        for tile in self._kinds(coord, following):
            turns = (turn for turn in range(6) if self.left(tile) and fits(self, coord, tile, turn))
            yield from ((coord, tile, turn) for turn in turns)

    def _kinds(self, coord: str, colour: str) -> list[str]:
        if coord in NAMED or self.hexes[coord].topology.stops:
            return NAMED.get(coord, CITY).get(colour, "").split()
        tiles = self.spec.tiles.items()
        return [name for name, tile in tiles if tile.colour == colour and not tile.stops]

    def lay_cost(self, company: str, lay: Lay) -> int:
        """Terrain, at least $20, and the sides across which the tile joins track (R-1846-071 to R-1846-073)."""
        coord, tile, _ = lay
        tunnels = TILE * self.owns(company, "TBC")
        terrain = 0 if coord in self.tiles else WATERS.get(coord, MOUNTAINS.get(coord, 0) - tunnels)
        free = company == "IC" and coord in FREE_OF_IC and tile in ("7", "8", "9")
        return self.sides_cost(company, lay) + max(TILE, terrain) * (not free)

    def sides_cost(self, company: str, lay: Lay) -> int:
        tunnels = TILE * self.owns(company, "TBC")
        sides = [(min(lay[0], there), max(lay[0], there)) for there in self._newly_joined(lay)]
        return sum(RIVERS.get(side, max(0, TUNNELS.get(side, 0) - tunnels)) for side in sides)

    def _newly_joined(self, lay: Lay) -> Iterator[str]:
        coord, tile, turn = lay
        fresh = self.spec.tiles[tile].topology.turned(turn).edges - self.topology(coord).edges
        for edge in fresh:
            there = self.beyond(coord, edge)
            if there is not None and (edge + 3) % 6 in self.topology(there).edges:
                yield there

    # --- powers ---------------------------------------------------------------------------------------------------

    def power_lays(self, company: str, private: str, first: str) -> set[Lay]:
        """Lays of a private, of which `first` is the hex of the tile laid already (R-1846-151, R-1846-152)."""
        if private == "LSL":
            return {
                lay for coord in LAKE_SHORE if self.colour(coord) == "yellow" for lay in self._lays_in(coord)
            }
        if private == "LM":
            return set(self._miami_lays(company, first))
        return {
            lay
            for coord in JOINED[private]
            if self.colour(coord) == "white"
            for lay in self._lays_in(coord)
            if not first or first in self._newly_joined(lay)
        }

    def _miami_lays(self, company: str, first: str) -> Iterator[Lay]:
        """Each tile carries new track of the join, which must come about; only sides are paid."""
        for coord, other in (JOINED["LM"], JOINED["LM"][::-1]):
            if self._leads(coord, other) or coord == first:
                continue
            for lay in self._lays_in(coord):
                there = self.imagine(*lay)
                done = there._leads(other, coord) or any(there._toward(other, coord))
                pays = self.sides_cost(company, lay) <= self.company(company).cash
                if there._leads(coord, other) and done and pays:
                    yield lay

    def _toward(self, coord: str, other: str) -> Iterator[Lay]:
        """Lays with track to a neighbour."""
        return (lay for lay in self._lays_in(coord) if self.imagine(*lay)._leads(coord, other))

    def _leads(self, coord: str, other: str) -> bool:
        return any(self.beyond(coord, edge) == other for edge in self.topology(coord).edges)

    # --- tokens ---------------------------------------------------------------------------------------------------

    def stations(self, company: str) -> set[Node]:
        return {node for node, owners in self.tokens.items() if company in owners}

    def places(self, company: str) -> dict[Node, int]:
        """Cities where the company may put its next token, with the price (R-1846-080, R-1846-081, R-1846-083)."""
        line, trails, found = self.company(company), Trails(self, company), {}
        own = {coord for coord, _ in self.stations(company)}
        for coord in (
            {*self.near(company), KEPT[company].coord if company in KEPT else ""} - own if line.tokens else ()
        ):
            for node in self._cities(coord):
                price = self._price(company, node, connected=trails.visits(node))
                if (
                    price is not None
                    and price <= line.cash
                    and self.vacancies(node) > self._reserved(company, node)
                ):
                    found[coord, node[1] - 6] = price
        return found

    def _price(self, company: str, node: Node, *, connected: bool) -> int | None:
        kept = KEPT.get(company)
        if kept is not None and kept.coord == node[0]:
            return kept.connected if connected else kept.unconnected
        return TOKEN if connected else None

    def _cities(self, coord: str) -> list[Node]:
        stops = self.topology(coord).stops if coord else ()
        return [(coord, 6 + number) for number, stop in enumerate(stops) if stop.kind == "city"]

    def _reserved(self, company: str, node: Node) -> int:
        """Slots kept for others: tokens until phase IV, homes, the C&WI (R-1846-081, R-1846-082)."""
        coord, others = node[0], [line for line in self.state.companies.values() if line.id != company]
        kept = [line for line in others if not line.closed and self._keeps(line, coord)]
        return len(kept) + (node == self.chicago and self._is_kept_by_player("C&WI"))

    def _keeps(self, line: Company, coord: str) -> bool:
        home = self.spec.companies[line.id].home
        at_home = not line.is_started and home is not None and home.hex == coord
        return (at_home and not self.stations(line.id)) or self._keeps_slot(line, coord)

    def _keeps_slot(self, line: Company, coord: str) -> bool:
        there = line.id in KEPT and KEPT[line.id].coord == coord and not self.since("IV")
        return there and coord not in {station for station, _ in self.stations(line.id)}

    def _is_kept_by_player(self, private: str) -> bool:
        return any(self.owns(player.id, private) for player in self.state.players)

    @property
    def chicago(self) -> Node:
        """The city towards E7."""
        side = next(edge for edge in range(6) if self.beyond("D6", edge) == "E7")
        return next(node for node in self._cities("D6") if side in self.topology("D6").edges_of(node[1] - 6))

    def extra_place(self, company: str) -> set[Node]:
        """The C&WI's extra token is free, and needs no connection (R-1846-082)."""
        there = any(coord == "D6" for coord, _ in self.stations(company))
        return set() if there or not self.vacancies(self.chicago) else {("D6", self.chicago[1] - 6)}
