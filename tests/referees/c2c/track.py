"""A second statement of 18C2C's tiles and tokens: tile points, terrain, upgrades, what is reached."""

from collections import Counter
from collections.abc import Iterator

from engine.play.table import Table
from tests.referees.c2c.land import Land, Ways
from tests.referees.c2c.model import Corporation
from tests.referees.c2c.printed import HOMES, at_least_phase
from tests.referees.c2c.privates import engineers
from tests.referees.c2c.rounds import Play
from tests.referees.c2c.turn import OperatingRound
from tests.referees.newengland.reach import Lay, Node
from tests.referees.newengland.track import keeps

COLOURS = ("white", "yellow", "green", "brown", "gray")
BEGINS = {"yellow": "2", "green": "3", "brown": "5", "gray": "3D"}
"""The phase from which tiles of a colour may be laid."""
GREEN = {
    **dict.fromkeys(("5", "6", "57"), "14 15 619"),
    **{"7": "18 26 27 28 29", "8": "16 17 19 23 24 25 28 29", "9": "18 19 20 23 24 26 27"},
}
BROWN = {
    **dict.fromkeys(("14", "15", "619"), "63"),
    **{"16": "43 70", "17": "47", "18": "43", "19": "45 46", "20": "44 47", "23": "41 43 45 47"},
    **{"24": "42 43 46 47", "25": "40 45 46", "26": "42 44 45", "27": "41 44 46"},
    **{"28": "39 43 46 70", "29": "39 43 45 70"},
    **{"53": "61 593", "54": "62", "590": "591", "592": "61 593"},
}
GREY = {
    **{"61": "597", "62": "124", "63": "595", "125": "596"},
    **{"170": "587", "448": "588", "591": "131", "593": "597"},
}
UPGRADES = {**GREEN, **BROWN, **GREY}
LABELLED = {"L": dict.fromkeys(("14", "15", "619"), "125"), "P": dict.fromkeys(("14", "15", "619"), "170")}
LABELLED |= {"K": {"14": "", "15": "448", "619": ""}}
"""The same where a letter says otherwise."""
FIRST = {
    **dict.fromkeys(("I64", "I82", "M74", "Q70", "S62"), "592 53"),
    **{"K78": "54", "J57": "590", "D63": "14 15 619"},
}
"""Printed yellow cities, and the tiles that come first there."""
ICONS = {
    "lumber": {"D49", "E62", "F53", "F85"},
    "fish": {"E88", "F85", "I82", "P73", "T69", "U66", "W66"},
    "coal": {"L69", "N65", "O68", "P63", "S58", "S62"},
    "port": {"Q54", "V51", "V57", "W54", "Y64"},
}
BONUSES = {"GML": "lumber", "AZF": "fish", "ACM": "coal", "GSC": "port"}


class TrackRules:
    """What the operating corporation may lay and where it may put a token."""

    def __init__(self, t: Table, play: Play) -> None:
        self.t = t
        assert isinstance(play.round, OperatingRound)
        self.round = play.round
        self.world = play.world
        self.company: Corporation = play.round.now.corporation
        self.land = Land(t)
        self.lying = Counter(t.map.tile(coord) for coord in self.land.hexes)

    # --- what a lay costs -----------------------------------------------------------------------------------------

    def points(self, coord: str) -> int:
        """A yellow tile costs one point, an upgrade two (R-C2C-101)."""
        return 1 if self.t.map.colour(coord) == "white" else 2

    def price(self, coord: str, by: str = "") -> tuple[int, int]:
        """Dollars from the treasury and from the Prospectors' purse (R-C2C-120 to R-C2C-122, R-C2C-151)."""
        printed = self.land.hexes[coord]
        if self.t.map.tile(coord) is not None or not printed.cost:
            return 0, 0
        due = printed.cost // 2 if "water" in printed.terrain and engineers(self.company) else printed.cost
        due = max(0, due - 60 * (by == "KTC"))
        purse = min(due, self.round.now.purse) if printed.zone == "east" else 0
        return due - purse, purse

    # --- tiles ----------------------------------------------------------------------------------------------------

    def lays(self) -> Iterator[tuple[str, str, str, int]]:
        """Every lay with who brings it: the corporation, or the Keystone Tunnel in the East's mountains."""
        for coord, tile, rotation in self._bare():
            if self.price(coord)[0] <= self.company.cash:
                yield self.company.name, coord, tile, rotation
            if self._tunnel(coord) and self.price(coord, "KTC")[0] <= self.company.cash:
                yield "KTC", coord, tile, rotation

    def _tunnel(self, coord: str) -> bool:
        private, printed = self.world.privates["KTC"], self.land.hexes[coord]
        mine = private.owner == self.company.name and not private.gone
        due = printed.cost and self.t.map.tile(coord) is None
        return mine and bool(due) and "mountain" in printed.terrain and printed.zone == "east"

    def _bare(self) -> Iterator[Lay]:
        for coord in sorted(self.land.near(self.company.name)):
            printed, colour = self.land.hexes[coord], self.t.map.colour(coord)
            if printed.colour in {"red", "gray", "blue"} or colour not in COLOURS[:4]:
                continue
            following = COLOURS[COLOURS.index(colour) + 1]
            if coord in self.round.now.laid or self.points(coord) > self.round.points():
                continue
            if at_least_phase(self.world.phase, BEGINS[following]):
                yield from self._lays_in(coord)

    def _lays_in(self, coord: str) -> Iterator[Lay]:
        for tile in self._tiles(coord):
            for rotation in range(6):
                lay = (coord, tile, rotation)
                if self._left(tile) and self.fits(*lay) and self.joined(*lay):
                    yield lay

    def _tiles(self, coord: str) -> list[str]:
        tile = self.t.map.tile(coord)
        if tile is None:
            city = bool(self.land.hexes[coord].topology.stops)
            return FIRST.get(coord, "5 6 57" if city else "7 8 9").split()
        return LABELLED.get(self.letter(coord), {}).get(tile, UPGRADES.get(tile, "")).split()

    def letter(self, coord: str) -> str:
        """The letter printed in a hex or given to it by Prospectors."""
        return "P" if coord in self.world.p_cities else self.land.hexes[coord].label

    def _left(self, tile: str) -> bool:
        count = self.t.spec.tiles[tile].count
        return count is None or count > self.lying[tile]

    def fits(self, coord: str, tile: str, rotation: int) -> bool:
        old, new = self.t.map.topology(coord), self.t.spec.tiles[tile].topology.turned(rotation)
        if not all(self.land.open(coord, edge) for edge in new.edges) or not keeps(old, new):
            return False
        there = sum(len([c for c in self.t.map.slots(coord, i) if c]) for i in range(len(old.stops)))
        return there + self._waiting(coord) <= sum(stop.slots for stop in new.stops) or not old.stops

    def _waiting(self, coord: str) -> int:
        """Homes in the hex whose corporation has not yet operated (R-C2C-062)."""
        corporations = self.world.corporations.values()
        return sum(HOMES.get(c.name) == coord and c.home_due and not c.closed for c in corporations)

    def joined(self, coord: str, tile: str, rotation: int) -> bool:
        """True if new track, or a city that rises in value, is reached (R-C2C-111)."""
        old, new = self.t.map.topology(coord), self.t.spec.tiles[tile].topology.turned(rotation)
        ways = Ways(self.land.imagine(coord, new), self.company.name)
        there = {frozenset(piece.ends()) for piece in old.pieces}
        fresh = {i for i, piece in enumerate(new.pieces) if frozenset(piece.ends()) not in there}
        if fresh and ways.uses(coord, fresh):
            return True
        return bool(old.pieces) and any(ways.visits((coord, 6 + i)) for i in range(len(new.stops)))

    # --- tokens ---------------------------------------------------------------------------------------------------

    def tokens(self) -> set[Node]:
        """Cities with a free place that are reached, in hexes without an own token."""
        if not self.company.ordinary or not self.round.placements():
            return set()
        return {node for node in self._reached() if self.vacant(*node)}

    def bulls(self) -> set[Node]:
        """The same for a bull token, full cities included (R-C2C-070)."""
        if not self.company.bulls or not self.round.placements():
            return set()
        return set(self._reached())

    def _reached(self) -> Iterator[Node]:
        ways = Ways(self.land, self.company.name)
        for coord in self.land.hexes:
            for stop in range(len(self.land.topology(coord).stops)):
                if coord not in self.company.stands and ways.visits((coord, 6 + stop)):
                    yield coord, stop

    def vacant(self, coord: str, stop: int) -> bool:
        free = self.t.map.slots(coord, stop).count(None)
        return free > self._waiting(coord)

    # --- powers ---------------------------------------------------------------------------------------------------

    def markers(self) -> set[tuple[str, str]]:
        """Places where tokens of privates and the Prospectors' P may go (R-C2C-142, R-C2C-150)."""
        privates = self.world.privates.values()
        mine = [p for p in privates if p.owner == self.company.name and not p.gone and not p.spent]
        found = {(p.name, coord) for p in mine for coord in ICONS.get(BONUSES.get(p.name, ""), ())}
        if any(p.name == "EPP" and not p.at_once for p in mine):
            found |= {("EPP", coord) for coord in self._plain_cities()}
        return found

    def _plain_cities(self) -> Iterator[str]:
        for coord, printed in self.land.hexes.items():
            able = printed.topology.stops and printed.label in ("", "L") and printed.zone == "east"
            if able and printed.colour != "red" and self.t.map.colour(coord) not in ("brown", "gray"):
                yield coord
