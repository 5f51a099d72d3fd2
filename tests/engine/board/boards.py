"""Small maps for tests, and a plain search of all routes to compare with."""

from functools import cache
from typing import Any

from engine.board.hexes import opposite
from engine.board.map import Map
from engine.board.tiles import FIRST_STOP, is_edge
from engine.spec import CompanySpec, HomeSpec, MapSpec, TileSpec, TitleSpec, load_title


@cache
def chesapeake() -> TitleSpec:
    """The title whose map most tests use."""
    return load_title("engine.titles.t18chesapeake")


def small_map(
    hexes: dict[str, dict[str, Any]],
    tiles: dict[str, dict[str, Any]] | None = None,
    homes: str = "",
    layout: str = "flat columns",
) -> Map:
    """A map of these hexes, tiles without limit, companies with homes like `A:B2 B:C3.1`."""
    spec = chesapeake()
    extra = {
        number: TileSpec.model_validate({"count": None, **tile}) for number, tile in (tiles or {}).items()
    }
    unlimited = {n: t.model_copy(update={"count": None}) for n, t in spec.tiles.items()}
    companies = {}
    for word in homes.split():
        company, _, place = word.partition(":")
        coord, _, stop = place.partition(".")
        home = HomeSpec(hex=coord, stop=int(stop or 0))
        companies[company] = CompanySpec(name=company, colour="#000000", home=home, tokens=(0, 40))
    stand, letters = layout.split()
    board = MapSpec.model_validate({"layout": stand, "letters": letters, "hexes": hexes})
    changed = {"map": board, "tiles": {**unlimited, **extra}, "companies": companies}
    return Map(spec.model_copy(update=changed))


class Plain:
    """Every route of a company followed piece by piece, without any cleverness."""

    def __init__(self, board: Map, company: str) -> None:
        self.board = board
        self.company = company
        self.pieces: set[tuple[str, int, int]] = set()
        self.stops: set[tuple[str, int]] = set()
        for coord, stop in board.tokens_of(company):
            self.stops.add((coord, stop))
            self._leave(coord, stop, frozenset(), frozenset((self._area((coord, stop)),)))

    def _area(self, stop: tuple[str, int]) -> object:
        return self.board.hexes[stop[0]].group or stop

    def _beyond(self, coord: str, end: int) -> list[int]:
        pieces = self.board.topology(coord).pieces
        return [p.b if p.a == end else p.a for p in pieces if end in p.ends()]

    def _leave(self, coord: str, stop: int, used: frozenset[object], visited: frozenset[object]) -> None:
        for far in self._beyond(coord, FIRST_STOP + stop):
            self._go(coord, FIRST_STOP + stop, far, used, visited)

    def _go(
        self, coord: str, near: int, far: int, used: frozenset[object], visited: frozenset[object]
    ) -> None:
        piece = (coord, min(near, far), max(near, far))
        if is_edge(far):
            other = self.board.neighbour(coord, far)
            border = (coord, far) if other is None else min((coord, far), (other, opposite(far)))
            if border in used:
                return
            self.pieces.add(piece)
            for beyond in self._beyond(other, opposite(far)) if other else ():
                self._go(other, opposite(far), beyond, used | {border}, visited)
            return
        if not is_edge(near) and piece in used:
            return
        self.pieces.add(piece)
        stop = (coord, far - FIRST_STOP)
        if self._area(stop) in visited:
            return
        self.stops.add(stop)
        if not self.board.terminal(coord) and not self.board.blocks(*stop, self.company):
            inner = used if is_edge(near) else used | {piece}
            self._leave(*stop, inner, visited | {self._area(stop)})
