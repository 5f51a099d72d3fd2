"""A second statement of the maps of 1830, 1889 and 18GA: neighbours, track, stations, and who keeps what free.

It reads where tiles and tokens lie and what the titles' tables print, and shares no rule code with the engine.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Self

from engine.core.spec.title import TitleSpec
from engine.core.state import Company, Private, State
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
        self.across_any = across_columns if spec.id == "1889" else across_rows
        self._topologies = {coord: self._lying(coord) for coord in self.hexes}

    @classmethod
    def of(cls, game: Game) -> Self:
        """The map of a position, read once; cash and owners stay those of the game."""
        there = game.table.map.changes_in_play()
        tokens = {(coord, 6 + stop): frozenset(filter(None, slots)) for coord, stop, slots in there.tokens}
        return cls(game.rules.spec, game.table.state, dict(there.tiles), tokens)

    def imagine(self, coord: str, tile: str, rotation: int) -> "Land":
        """The same map with another tile in a hex; tokens stay where the sides of their city are."""
        there = Land(
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
        """Colour of the tile, or of the printed hex."""
        tile, _ = self.tiles.get(coord, ("", 0))
        return self.spec.tiles[tile].colour if tile else self.hexes[coord].colour

    @cached_property
    def lying(self) -> Counter[str]:
        """The count of tiles on the map, by number."""
        return Counter(tile for tile, _ in self.tiles.values())

    def left(self, tile: str) -> bool:
        """True if such a tile is in the supply."""
        count = self.spec.tiles[tile].count
        return count is None or count > self.lying[tile]

    def stations(self, company: str) -> set[Node]:
        return {node for node, owners in self.tokens.items() if company in owners}

    def full_of_others(self, node: Node, company: str) -> bool:
        """A neutral token fills a city without closing it: such a city has no slots (R-GA-005)."""
        slots, owners = self.topology(node[0]).stops[node[1] - 6].slots, self.tokens.get(node, frozenset())
        return 0 < slots <= len(owners) and company not in owners

    def vacancies(self, node: Node) -> int:
        return self.topology(node[0]).stops[node[1] - 6].slots - len(self.tokens.get(node, ()))

    def terminal(self, coord: str) -> bool:
        """Red places end a route, but for Jacksonville (R-GA-006, R-GA-072, R-CH-121)."""
        return self.hexes[coord].colour == "red" and (self.title, coord) != ("18ga", "J12")

    def place(self, node: Node) -> str:
        """A place that a train visits once: a stop, or a whole red area (R-1830-006, R-AL-145)."""
        printed = self.hexes[node[0]]
        return printed.group or f"{node[0]}.{node[1]}"

    def apart(self, coord: str) -> bool:
        """Cities of one hex may be on one route (R-1830-038, R-GA-071)."""
        return False

    # --- owners ---------------------------------------------------------------------------------------------------

    def company(self, name: str) -> Company:
        return self.state.companies[name]

    def since(self, phase: str) -> bool:
        """True if this phase has begun."""
        return PHASES.index(self.state.phase) >= PHASES.index(phase)

    def open_privates(self, owner: str) -> dict[str, Private]:
        """Privates of an owner that are not closed, by name."""
        privates = self.state.privates.items()
        return {name: private for name, private in privates if private.owner == owner and not private.closed}

    @property
    def blocked(self) -> set[str]:
        """Hexes that privates in players' hands keep closed (R-1830-050, R-1889-050, R-GA-051)."""
        names = (name for player in self.state.players for name in self.open_privates(player.id))
        return {coord for name in names for coord in self.spec.privates[name].blocks}
