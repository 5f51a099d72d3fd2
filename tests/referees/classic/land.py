"""A second statement of the maps of the classic titles: neighbours, track, stations, and who keeps what free.

It reads where tiles and tokens lie and what the titles' tables print, and shares no rule code with the engine.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Self

from engine.core.spec.title import TitleSpec
from engine.core.state import Company, Operating, Private, State
from engine.core.topology import Topology
from engine.game import Game
from tests.referees.c2c.land import across as across_rows
from tests.referees.newengland.reach import Land as AnyLand
from tests.referees.newengland.reach import Node
from tests.referees.newengland.reach import across as across_columns

Tiles = Mapping[str, tuple[str, int]]
"""Tiles that lie on the map, with their rotation."""
Tokens = Mapping[Node, frozenset[str]]
"""Companies with a token, by city."""
PHASES = ("2", "3", "4", "5", "6", "D", "8")


def across_flat_rows(coord: str, edge: int) -> str:
    """The coordinates on the other side of an edge in 1882: flat hexes, a letter for each row."""
    down, right = [(2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1)][edge]
    return f"{chr(ord(coord[0]) + down)}{int(coord[1:]) + right}"


ACROSS: dict[str, Callable[[str, int], str]] = {"1889": across_columns, "1882": across_flat_rows}


class Land(AnyLand):
    """The map, tiles and tokens of a position."""

    def __init__(self, spec: TitleSpec, state: State, tiles: Tiles, tokens: Tokens) -> None:
        self.spec = spec
        self.title = spec.id
        self.state = state
        self.hexes = spec.map.all_hexes
        self.imagined = None
        self.tiles = tiles
        self.tokens = tokens
        self.across_any = ACROSS.get(spec.id, across_rows)
        self._topologies = {coord: self._lying(coord) for coord in self.hexes}

    @classmethod
    def of(cls, game: Game) -> Self:
        """The map of a position, read once; cash and owners stay those of the game."""
        there = game.table.map.changes_in_play()
        tokens = {(coord, 6 + stop): frozenset(filter(None, slots)) for coord, stop, slots in there.tokens}
        return cls(game.rules.spec, game.table.state, dict(there.tiles), tokens)

    def imagine(self, coord: str, tile: str, rotation: int) -> Self:
        """The same map with another tile in a hex; tokens stay where the sides of their city are."""
        there = type(self)(
            self.spec, self.state, {**self.tiles, coord: (tile, rotation)}, self._moved(coord, tile, rotation)
        )
        there.__dict__["before"] = self.before_with(there, coord)
        return there

    def _moved(self, coord: str, tile: str, rotation: int) -> Tokens:
        old, new = self.topology(coord), self.spec.tiles[tile].topology.turned(rotation)
        moved = {node: owners for node, owners in self.tokens.items() if node[0] != coord}
        for (hex_, end), owners in self.tokens.items():
            for stop in range(len(new.stops)):
                if hex_ == coord and old.edges_of(end - 6) <= new.edges_of(stop):
                    moved[coord, 6 + stop] = moved.get((coord, 6 + stop), frozenset()) | owners
        return moved

    def _lying(self, coord: str) -> Topology:
        tile, rotation = self.tiles.get(coord, ("", 0))
        return self.spec.tiles[tile].topology.turned(rotation) if tile else self.hexes[coord].topology

    # --- what lies where ------------------------------------------------------------------------------------------

    def topology(self, coord: str) -> Topology:
        return self._topologies[coord]

    def beyond(self, coord: str, edge: int) -> str | None:
        there = self.across_any(coord, edge)
        return there if there in self.hexes else None

    def colour(self, coord: str) -> str:
        tile, _ = self.tiles.get(coord, ("", 0))
        return self.spec.tiles[tile].colour if tile else self.hexes[coord].colour

    @cached_property
    def lying(self) -> Counter[str]:
        return Counter(tile for tile, _ in self.tiles.values())

    def left(self, tile: str) -> bool:
        count = self.spec.tiles[tile].count
        return count is None or count > self.lying[tile]

    def stations(self, company: str) -> set[Node]:
        return {node for node, owners in self.tokens.items() if company in owners}

    def full_of_others(self, node: Node, company: str) -> bool:
        """A neutral token closes no city: in 18GA such a city has no slots (R-GA-005, R-1882-036)."""
        slots, owners = self.topology(node[0]).stops[node[1] - 6].slots, self.tokens.get(node, frozenset())
        open_to_all = company in owners or (self.title == "1882" and "CN" in owners)
        return 0 < slots <= len(owners) and not open_to_all

    def vacancies(self, node: Node) -> int:
        return self.topology(node[0]).stops[node[1] - 6].slots - len(self.tokens.get(node, ()))

    def terminal(self, coord: str) -> bool:
        """Red places end a route, but for Jacksonville and the cities and arms of 18MS (R-GA-006, R-GA-072, R-CH-121,
        R-18MS-009, R-18MS-045); the fish, too (R-1882-039)."""
        colour, stops = self.hexes[coord].colour, self.hexes[coord].topology.stops
        if self.title == "18ms":
            return any(stop.kind == "offboard" for stop in stops)
        return colour in {"red", "blue"} and (self.title, coord) != ("18ga", "J12")

    def place(self, node: Node) -> str:
        """A place that a train visits once: a stop, or a whole red area (R-1830-006, R-AL-145)."""
        printed = self.hexes[node[0]]
        return printed.stop_group or f"{node[0]}.{node[1]}"

    def apart(self, coord: str) -> bool:
        """Cities of one hex may be on one route (R-1830-038, R-GA-071)."""
        return False

    # --- owners ---------------------------------------------------------------------------------------------------

    def company(self, name: str) -> Company:
        return self.state.companies[name]

    def since(self, phase: str) -> bool:
        return PHASES.index(self.state.phase) >= PHASES.index(phase)

    def open_privates(self, owner: str) -> dict[str, Private]:
        privates = self.state.privates.items()
        return {name: private for name, private in privates if private.owner == owner and not private.closed}

    @property
    def moved(self) -> str | None:
        """The hex to which the NWR has just moved a station."""
        here = self.state.round
        turn = here.turn if isinstance(here, Operating) else None
        return None if turn is None or turn.pair is None else turn.pair[1]

    @property
    def blocked(self) -> set[str]:
        """Hexes that privates in players' hands keep closed (R-1830-050, R-1889-050, R-GA-051)."""
        names = (name for player in self.state.players for name in self.open_privates(player.id))
        return {coord for name in names for coord in self.spec.privates[name].blocked_hexes}
