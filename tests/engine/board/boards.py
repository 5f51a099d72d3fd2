"""Small maps for tests, and a plain search of all routes to compare with."""

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, TypeAlias

from engine.board.hexes import opposite_edge
from engine.board.map import Map
from engine.board.upgrades import rotations, upgrade_candidates
from engine.core.spec import CompanySpec, HomeSpec, MapSpec, TileSpec, TitleSpec
from engine.core.topology import FIRST_STOP, is_edge
from engine.titles.title_files import load_title

Hexes: TypeAlias = Mapping[str, Mapping[str, object]]
"""Hexes by coordinate, or tiles by number, as a title describes them."""


@cache
def chesapeake() -> TitleSpec:
    return load_title("engine.titles.t18chesapeake")


def small_map(
    hexes: Hexes,
    tiles: Hexes | None = None,
    homes: str = "",
    layout: str = "flat columns",
    *,
    one_stop_a_hex: bool = False,
    any_new_track_may_connect: bool = False,
) -> Map:
    """A map of these hexes, tiles without limit, companies with homes like `A:B2 B:C3.1`."""
    spec = chesapeake()
    extra = {n: TileSpec.model_validate({"count": None, **tile}) for n, tile in (tiles or {}).items()}
    unlimited = {n: t.model_copy(update={"count": None}) for n, t in spec.tiles.items()}
    companies = {}
    for word in homes.split():
        company, _, place = word.partition(":")
        coord, _, stop = place.partition(".")
        home = HomeSpec(hex=coord, stop=int(stop or 0))
        companies[company] = CompanySpec(name=company, colour="#000000", home=home, token_prices=(0, 40))
    stand, letters = layout.split()
    facts = {"layout": stand, "letters": letters, "hexes": hexes, "one_stop_a_hex": one_stop_a_hex}
    board = MapSpec.model_validate(facts | {"any_new_track_may_connect": any_new_track_may_connect})
    changed = {"map": board, "tiles": {**unlimited, **extra}, "companies": companies}
    return Map(spec.model_copy(update=changed))


def random_board(seed: int, lays: int) -> Iterator[Map]:
    """An 18Chesapeake map with tiles and tokens at random, where print and neighbours allow them."""
    rng = Random(seed)
    board = Map(chesapeake())
    for company, home in list(board.homes.items()):
        if rng.random() < 0.7:
            board.place_token(*home, company)
    for _ in range(lays):
        coord = rng.choice(board.coords)
        tiles = upgrade_candidates(board, coord, ("yellow", "green", "brown", "gray"))
        choices = [(tile, r) for tile in tiles for r in rotations(board, coord, tile)]
        if choices:
            board.lay(coord, *rng.choice(choices))
        company = rng.choice(("PRR", "B&O", "LV", "C&A"))
        cities = [(c, i) for c in board.coords for i in range(len(board.topology(c).stops))]
        stop = rng.choice(cities)
        if board.has_space_for(*stop, company) and rng.random() < 0.2:
            board.place_token(*stop, company)
        yield board


STOPS: tuple[list[str], ...] = (["city 20"], ["city 30 x2"], ["town 10"], ["city 20", "city 40"], [], [])


def random_grid(
    seed: int,
    columns: int = 4,
    rows: int = 3,
    pieces: int = 4,
    *,
    grouped: float = 0.1,
    one_stop_a_hex: bool = False,
) -> Map:
    """Hexes side by side with stops and track at random, red areas and groups among them, and some tokens."""
    rng = Random(seed)
    hexes = random_hexes(rng, columns, rows, pieces, grouped)
    board = small_map(hexes, one_stop_a_hex=one_stop_a_hex)
    for company in ("A", "A", "B", "A", "B"):
        place_somewhere(rng, board, company)
    return board


def growing_grid(seed: int, *, grouped: float, one_stop_a_hex: bool) -> Iterator[Map]:
    """The same with most of the track still missing: it comes hex by hex, now and then with a token."""
    rng = Random(seed)
    whole = random_hexes(rng, 4, 3, 6, grouped)
    printed = {coord: {**hex_, "track": some_of(rng, hex_["track"])} for coord, hex_ in whole.items()}
    tiles = {c: {name: hex_[name] for name in ("colour", "stops", "track")} for c, hex_ in whole.items()}
    board = small_map(printed, tiles, one_stop_a_hex=one_stop_a_hex)
    for company in ("A", "B"):
        place_somewhere(rng, board, company)
    for coord in rng.sample(list(whole), len(whole)):
        board.lay(coord, coord, 0)
        yield board
        if rng.random() < 0.3:
            place_somewhere(rng, board, rng.choice("ABB"))


def some_of(rng: Random, track: str) -> str:
    return " ".join(piece for piece in track.split() if rng.random() < 0.4)


def place_somewhere(rng: Random, board: Map, company: str) -> None:
    cities = [(c, i) for c in board.coords for i in range(len(board.topology(c).stops))]
    stop = rng.choice(cities) if cities else None
    if stop and board.has_space_for(*stop, company):
        board.place_token(*stop, company)


def random_hexes(
    rng: Random, columns: int, rows: int, pieces: int, grouped: float
) -> dict[str, dict[str, Any]]:
    """Hexes side by side with stops and track at random, red areas and groups among them."""
    hexes: dict[str, dict[str, Any]] = {}
    for x in range(columns):
        for y in range(x % 2, 2 * rows, 2):
            stops = rng.choice(STOPS)
            ends = [*"012345", *"ab"[: len(stops)] * 3]
            drawn = [rng.sample(ends, 2) for _ in range(pieces)]
            track = {"-".join(sorted(piece)) for piece in drawn if piece[0] != piece[1]}
            colour = "red" if rng.random() < 0.1 else "gray"
            group = "Group" if rng.random() < grouped else ""
            coord = f"{chr(ord('A') + x)}{y + 1}"
            kept = sorted(piece for piece in track if piece[::-1] not in track or piece[0] < piece[2])
            hexes[coord] = {"colour": colour, "stops": stops, "stop_group": group, "track": " ".join(kept)}
    return hexes


def area_of(board: Map, stop: tuple[str, int]) -> object:
    coord, _ = stop
    inner = [
        p for p in board.topology(coord).pieces if not is_edge(p.first_end) and not is_edge(p.second_end)
    ]
    together = board.spec.map.one_stop_a_hex and not inner
    return board.hexes[coord].stop_group or (coord if together else stop)


def border_of(board: Map, coord: str, edge: int) -> tuple[str, int]:
    """The name of a border, the same from both sides."""
    other = board.neighbour(coord, edge)
    return (coord, edge) if other is None else min((coord, edge), (other, opposite_edge(edge)))


class Plain:
    """Every route of a company followed piece by piece, without any cleverness."""

    def __init__(self, board: Map, company: str, barred: frozenset[object] = frozenset()) -> None:
        self.board = board
        self.company = company
        self.pieces: set[tuple[str, int, int]] = set()
        self.stops: set[tuple[str, int]] = set()
        self.entered: set[tuple[str, int]] = set()
        for coord, stop in board.token_stops_of(company):
            self.stops.add((coord, stop))
            self._leave(coord, stop, barred, frozenset((self._area((coord, stop)),)))

    def _area(self, stop: tuple[str, int]) -> object:
        return area_of(self.board, stop)

    def _beyond(self, coord: str, end: int) -> list[int]:
        pieces = self.board.topology(coord).pieces
        return [p.second_end if p.first_end == end else p.first_end for p in pieces if end in p.ends()]

    def _leave(self, coord: str, stop: int, used: frozenset[object], visited: frozenset[object]) -> None:
        for far in self._beyond(coord, FIRST_STOP + stop):
            self._go(coord, FIRST_STOP + stop, far, used, visited)

    def _go(
        self, coord: str, near: int, far: int, used: frozenset[object], visited: frozenset[object]
    ) -> None:
        piece = (coord, min(near, far), max(near, far))
        if is_edge(far):
            other = self.board.neighbour(coord, far)
            border = border_of(self.board, coord, far)
            if border in used:
                return
            self.pieces.add(piece)
            if other is not None:
                self.entered.add((other, opposite_edge(far)))
                for beyond in self._beyond(other, opposite_edge(far)):
                    self._go(other, opposite_edge(far), beyond, used | {border}, visited)
            return
        if not is_edge(near) and piece in used:
            return
        self.pieces.add(piece)
        stop = (coord, far - FIRST_STOP)
        if self._area(stop) in visited:
            return
        self.stops.add(stop)
        if not self.board.is_terminal(coord) and not self.board.blocks_routes_of(*stop, self.company):
            inner = used if is_edge(near) else used | {piece}
            self._leave(*stop, inner, visited | {self._area(stop)})
