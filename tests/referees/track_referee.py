"""A second statement of where track and stations may go, and of what a company reaches.

Written from the printed rules (18Chesapeake 11.1-11.4, 18AL and 18TN 4.2.1-4.2.2). It reads where tiles and
stations lie and what the titles' tables print, and shares no rule code with the engine.
"""

from collections.abc import Iterator
from itertools import product

from engine.core.spec import CompanySpec, HexSpec, HomeSpec, TileLayPower
from engine.core.state import Private
from engine.core.topology import Topology
from engine.play.table import Table

Lay = tuple[str, str, int]
Node = tuple[str, int]
"""A hex and an end in it: an edge (0-5), looked at from inside the hex, or a stop (6 and more)."""
COLOURS = ("white", "yellow", "green", "brown", "gray")
SPECIAL = {
    "18chesapeake": dict[str, tuple[str, ...]](),
    "18al": {"G4": ("441a", "442a", "444b", "446"), "L5": ("5", "6", "57", "443a", "444m")},
    "18tn": {
        "H15": ("TN1", "170", "TN3"),
        "F11": ("5", "6", "57", "TN2", "170", "TN3"),
        "H3": ("5", "6", "57", "14", "15", "619", "170", "TN3"),
    },
}
"""Hexes with tiles of their own, and all that may lie there (18AL 4.2.1(g), Table IV; 18TN Table IV)."""
ANYWHERE = {"5", "6", "57", "14", "15", "619"}
"""Those of them that other cities may have, too."""


class Board:
    """Neighbours of hexes by their printed coordinates, and the track in them; one hex may be imagined otherwise."""

    def __init__(self, t: Table, imagined: tuple[str, Topology] | None = None) -> None:
        self.t = t
        self.hexes = t.spec.map.all_hexes
        self.imagined = imagined

    def topology(self, coord: str) -> Topology:
        """Stops and track as they lie."""
        if self.imagined is not None and self.imagined[0] == coord:
            return self.imagined[1]
        return self.t.map.topology(coord)

    def beyond(self, coord: str, edge: int) -> str | None:
        """The hex on the other side of an edge; None off the map."""
        if self.t.spec.map.layout == "flat":
            along, across = [(2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1)][edge]
        else:
            along, across = [(1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)][edge]
        letter, number = ord(coord[0]), int(coord[1:])
        if self.t.spec.map.letters == "rows":
            there = f"{chr(letter + along)}{number + across}"
        else:
            there = f"{chr(letter + across)}{number + along}"
        return there if there in self.hexes else None

    def open(self, coord: str, edge: int) -> bool:
        there = self.beyond(coord, edge)
        if there is None or edge in self.hexes[coord].impassable:
            return False
        back, other = (edge + 3) % 6, self.hexes[there]
        if back in other.impassable:
            return False
        return other.colour not in {"red", "gray"} or back in other.topology.edges

    def full_of_others(self, node: Node, company: str) -> bool:
        slots = self._slots(node)
        return bool(slots) and company not in slots and None not in slots

    def _slots(self, node: Node) -> list[str | None]:
        coord, end = node
        stop = self.topology(coord).stops[end - 6]
        if stop.kind != "city":
            return []
        old, new = self.t.map.topology(coord), self.topology(coord)
        kept = [n for n in range(len(old.stops)) if _becomes(old, n, new) == end - 6]
        held = [holder for n in kept for holder in self.t.map.slots(coord, n)]
        return held + [None] * (stop.slots - len(held))

    def stations(self, company: str) -> set[Node]:
        """Cities with a station of the company."""
        return {
            (coord, 6 + index)
            for coord in {coord for coord, _ in self.t.map.tokens_of(company)}
            for index in range(len(self.topology(coord).stops))
            if company in self._slots((coord, 6 + index))
        }


class Reach:
    """What a company's stations are joined to by a walk that turns back nowhere (18AL, 18TN 4.2.1(j))."""

    def __init__(self, board: Board, company: str, start: Node | None = None) -> None:
        self.board = board
        self.company = company
        self.stops: set[Node] = board.stations(company) if start is None else {start}
        """Stops reached, those with a station included."""
        self.edges: set[Node] = set()
        """Edges reached from outside: track at them inside the hex is reached, too."""
        self.pieces: set[tuple[str, int, int]] = set()
        """Pieces of track entered, by the end they are entered from."""
        todo = [(node, -1) for node in self.stops]
        seen = set(todo)
        while todo:
            for state in self._onward(*todo.pop()):
                if state not in seen:
                    seen.add(state)
                    todo.append(state)

    def _onward(self, here: Node, came_by: int) -> Iterator[tuple[Node, int]]:
        """Where a walk continues; `came_by` is the piece it came in by, or -1."""
        coord, end = here
        if end >= 6 and not self._passable(here, came_by):
            return
        for index, piece in enumerate(self.board.topology(coord).pieces):
            if index == came_by or end not in piece.ends():
                continue
            self.pieces.add((coord, index, end))
            far = piece.b if piece.a == end else piece.a
            if far >= 6:
                self.stops.add((coord, far))
                yield (coord, far), index
            elif (there := self.board.beyond(coord, far)) is not None:
                self.edges.add((there, (far + 3) % 6))
                yield (there, (far + 3) % 6), -1

    def _passable(self, node: Node, came_by: int) -> bool:
        red = self.board.hexes[node[0]].colour == "red"
        return came_by == -1 or not (red or self.board.full_of_others(node, self.company))


class Trails:
    """The same by trails, as a train would run: no edge and no stop twice. Slow, so asked only where a walk arrives."""

    def __init__(self, board: Board, company: str) -> None:
        self.board = board
        self.company = company

    def arrive(self, coord: str, fresh: set[int], stop: int | None = None) -> bool:
        cities = {6 + i for i, s in enumerate(self.board.topology(coord).stops) if s.kind == "city"}
        goals = {(coord, end) for end in cities if stop in {None, end - 6}}
        own = sorted(self.board.stations(self.company))
        return any(self._search(node, frozenset({node}), goals, (coord, fresh)) for node in own)

    def _search(self, here: Node, used: frozenset[Node], goals: set[Node], new: tuple[str, set[int]]) -> bool:
        at, end = here
        if here in goals:
            return True
        topology = self.board.topology(at)
        if end >= 6:
            ends_here = self.board.hexes[at].colour == "red" or self.board.full_of_others(here, self.company)
            if len(used) > 1 and ends_here:
                return False
        for index, piece in enumerate(topology.pieces):
            if end not in piece.ends():
                continue
            far = piece.b if piece.a == end else piece.a
            taken = {(at, far)}
            # 18AL, 18TN 4.2.1(j): any point of the new track will do; 18Chesapeake 11.3: a route must be prolonged.
            ways_on = (at, far) not in used
            if (
                at == new[0]
                and index in new[1]
                and (ways_on or printed_title(self.board.t) != "18chesapeake")
            ):
                return True
            if not ways_on:
                continue
            following: Node | None = (at, far)
            if far < 6:
                there = self.board.beyond(at, far)
                following = None if there is None else (there, (far + 3) % 6)
                taken |= set() if following is None else {following}
            if following is not None and self._search(following, used | taken, goals, new):
                return True
        return False


class TrackRules:
    """What the operating company may lay, and where it may put a station."""

    def __init__(self, t: Table) -> None:
        self.t = t
        self.title = printed_title(t)
        self.company = t.company
        self.board = Board(t)

    # --- tiles ----------------------------------------------------------------------------------------------------

    def lays(self) -> Iterator[Lay]:
        """The company's own lays."""
        done = self.t.turn.laid
        yellow_only = bool(done)
        if done and (len(self.t.spec.lays) == len(done) or "upgrade" in done):
            return
        for coord, printed in self.board.hexes.items():
            colour = self.t.map.colour(coord)
            if printed.colour in {"red", "gray"} or (yellow_only and colour != "white"):
                continue
            if self._closed(coord) or self.cost(coord, printed) > self.company.cash:
                continue
            for tile in self.tiles(coord, printed):
                for rotation in range(6):
                    if self.fits(coord, tile, rotation) and self.joined(coord, tile, rotation):
                        yield coord, tile, rotation

    def _closed(self, coord: str) -> bool:
        """18Chesapeake 11.3: a private of a player blocks; without track at home nothing is laid elsewhere."""
        privates = self.t.state.privates
        for name, printed in self.t.spec.privates.items():
            if coord in printed.blocks and self.t.state.is_player(privates[name].owner):
                return not privates[name].closed
        home = _home(self.t.spec.companies[self.company.id]).hex
        bare = self.title == "18chesapeake" and not self.t.map.topology(home).pieces
        return bare and coord != home

    def cost(self, coord: str, printed: HexSpec) -> int:
        colour = self.t.map.colour(coord)
        printed_yellow = printed.colour == "yellow" and self.t.map.tile(coord) is None
        return printed.cost if colour == "white" or printed_yellow else 0

    def tiles(self, coord: str, printed: HexSpec) -> Iterator[str]:
        """Tiles of the phase that are left for the hex, whatever track lies in it."""
        for name in self.kinds(coord, printed):
            if self.t.spec.tiles[name].colour in self.t.phase.tiles and self.left(name):
                yield name

    def kinds(self, coord: str, printed: HexSpec) -> Iterator[str]:
        """Tiles of the next colour for such a hex, in whatever phase, used up or not."""
        colour = self.t.map.colour(coord)
        if (
            colour not in COLOURS[:4] or self.t.map.tile(coord) == "445"
        ):  # the Lumber Terminal stays (18AL, Table III)
            return
        wanted = COLOURS[COLOURS.index(colour) + 1]
        special = SPECIAL[self.title]
        bound = {tile for tiles in special.values() for tile in tiles} - ANYWHERE
        for name, tile in self.t.spec.tiles.items():
            if tile.colour != wanted or tile.by_power_only:
                continue
            if name not in special[coord] if coord in special else name in bound:
                continue
            if self.title == "18chesapeake" and tile.label != printed.label:
                continue
            yield name

    def left(self, tile: str) -> int:
        count = self.t.spec.tiles[tile].count
        lying = sum(self.t.map.tile(coord) == tile for coord in self.board.hexes)
        return 99 if count is None else count - lying

    def fits(self, coord: str, tile: str, rotation: int) -> bool:
        """Kind of hex, what must stay, and where track may not run."""
        old, new = self.t.map.topology(coord), self.t.spec.tiles[tile].topology.turned(rotation)
        if old.pieces == () and [s.kind for s in old.stops] != [s.kind for s in new.stops]:
            return False
        if {s.kind for s in old.stops} != {s.kind for s in new.stops}:
            return False
        if sum(s.slots for s in new.stops) < sum(s.slots for s in old.stops):
            return False
        return all(self.board.open(coord, edge) for edge in new.edges) and _stays_connected(old, new)

    def joined(self, coord: str, tile: str, rotation: int) -> bool:
        old, new = self.t.map.topology(coord), self.t.spec.tiles[tile].topology.turned(rotation)
        home = _home(self.t.spec.companies[self.company.id]).hex
        if self.title == "18chesapeake" and coord == home and not old.pieces:
            return True
        board = Board(self.t, (coord, new))
        reach = Reach(board, self.company.id)
        fresh = {i for i, p in enumerate(new.pieces) if frozenset(p.ends()) not in _old_pieces(old)}
        city = any(new.stops[end - 6].kind == "city" for at, end in reach.stops if at == coord)
        if not city and not any(at == coord and index in fresh for at, index, _ in reach.pieces):
            return False
        return Trails(board, self.company.id).arrive(coord, fresh)

    # --- tiles of privates ----------------------------------------------------------------------------------------

    def power_lays(self, private: Private) -> bool:
        if private.closed or private.power_used:
            return False
        for power in self.t.spec.privates[private.id].powers:
            if isinstance(power, TileLayPower) and self._power_lays(power):
                return True
        return False

    def _power_lays(self, power: TileLayPower) -> bool:
        empty = [coord for coord in power.hexes if self.t.map.colour(coord) == "white"]
        if power.lays == 2:
            return len(empty) == 2 and self._pair(power)
        if not power.extra and self.t.turn.laid:
            return False
        for coord, tile, rotation in product(empty, power.tiles, range(6)):
            cost = 0 if power.free else self.board.hexes[coord].cost
            new = self.t.spec.tiles[tile].topology.turned(rotation)
            affordable = self.left(tile) and cost <= self.company.cash
            if affordable and all(self.board.open(coord, edge) for edge in new.edges):
                return True
        return False

    def _pair(self, power: TileLayPower) -> bool:
        one, other = power.hexes
        edge = next(edge for edge in range(6) if self.board.beyond(one, edge) == other)
        fits = [
            any(
                side in self.t.spec.tiles[tile].topology.turned(rotation).edges
                and all(
                    self.board.open(at, e) for e in self.t.spec.tiles[tile].topology.turned(rotation).edges
                )
                for tile in power.tiles
                for rotation in range(6)
            )
            for at, side in ((one, edge), (other, (edge + 3) % 6))
        ]
        return all(fits)

    # --- stations -------------------------------------------------------------------------------------------------

    def stations(self) -> Iterator[Node]:
        """Free circles of cities reached, in hexes without a station of the company."""
        if not self.company.tokens or self.company.tokens[0] > self.company.cash:
            return
        reach = Reach(self.board, self.company.id)
        own = {coord for coord, _ in self.board.stations(self.company.id)}
        for coord, end in sorted(reach.stops):
            if coord in own or self.board.topology(coord).stops[end - 6].kind != "city":
                continue
            if self.vacant(coord, end - 6) and self.visited(coord, end - 6):
                yield coord, end - 6

    def visited(self, coord: str, stop: int) -> bool:
        return Trails(self.board, self.company.id).arrive(coord, set(), stop)

    def vacant(self, coord: str, stop: int) -> bool:
        return self.t.map.slots(coord, stop).count(None) > self._reserved_free(coord, stop)

    def _reserved_free(self, coord: str, stop: int) -> int:
        """Circles kept for companies whose home station is still to come."""
        here = self.board.topology(coord).edges_of(stop)
        before = self.t.spec.map.all_hexes[coord].topology
        waiting = 0
        for name, printed in self.t.spec.companies.items():
            away = len(self.t.state.companies[name].tokens) == len(printed.tokens)
            # Of several cities the home is the one that has kept the edges it was printed with.
            home = _home(printed)
            waiting += away and home.hex == coord and before.edges_of(home.stop) <= here
        return waiting


def printed_title(t: Table) -> str:
    return "18chesapeake" if t.spec.id.startswith("18chesapeake") else t.spec.id


def _home(company: CompanySpec) -> HomeSpec:
    assert company.home is not None
    return company.home


def _old_pieces(old: Topology) -> set[frozenset[int]]:
    return {frozenset(piece.ends()) for piece in old.pieces}


def _becomes(old: Topology, stop: int, new: Topology) -> int:
    """Which stop of a new tile an old one is part of: the one with its edges; without track there, the same one."""
    edges = old.edges_of(stop)
    same = min(stop, len(new.stops) - 1)
    return next((n for n in range(len(new.stops)) if edges and edges <= new.edges_of(n)), same)


def _stays_connected(old: Topology, new: Topology) -> bool:
    there = _old_pieces(new)
    for ends in _old_pieces(old):
        if max(ends) < 6 and ends not in there:
            return False
    for stop in range(len(old.stops)):
        edges = old.edges_of(stop)
        if edges and not any(edges <= new.edges_of(other) for other in range(len(new.stops))):
            return False
    return True
