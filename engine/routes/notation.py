"""Routes as players type them.

`H4-G5-F6`, or `3:H4-G5-F6` to name the train, several apart by spaces or commas.

A route names its stops in order, and as many of the hexes on the way as one likes. Of several ways that fit,
the dearest counts, then the shortest; when that leaves a choice, the player is asked. What `Route.text`
writes is read, too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from typing import Final

from engine.board.map import Map, StopId
from engine.board.track import PieceId, track_of
from engine.core.errors import Ambiguous, IllegalAction, Unreadable
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, TrainName
from engine.core.topology import FIRST_STOP
from engine.routes.check import RouteProblem, Run, check
from engine.routes.model import Route
from engine.routes.terms import Terms

READINGS: Final = 8
"""Ways looked at for one typed route, shortest first, so that a vague text stays quick to read."""
_SEARCHED: Final = 500
_WORD: Final = re.compile(r"(?:(?P<train>[^\s,;:]+):\s*)?(?P<path>[A-Za-z]+\d+(?:\s*-\s*[A-Za-z]+\d+)+)")


@dataclass(frozen=True, slots=True)
class _Word:
    """One typed route: the train if named, and the hexes."""

    train: TrainName | None
    hexes: tuple[Coord, ...]

    def text(self) -> str:
        return "-".join(self.hexes)


def read_routes(
    board: Map, company: CompanyId, trains: Sequence[TrainName], terms: Terms, text: str
) -> tuple[Route, ...]:
    """The routes meant by the text.

    Raises Unreadable, RouteProblem when nothing legal is meant, or Ambiguous.
    """
    if "." in text:
        routes = tuple(Route.read(word) for word in re.split(r"[,;]", text))
        check(board, company, trains, routes, terms)
        return routes
    words = _words(board, trains, text)
    ways = [_ways(board, word) for word in words]
    legal: list[tuple[Run, ...]] = []
    problem: IllegalAction | None = None
    for names in _assignments(words, trains):
        for chosen in product(*ways):
            routes = tuple(Route(name, way) for name, way in zip(names, chosen, strict=True))
            try:
                legal.append(check(board, company, trains, routes, terms))
            except RouteProblem as refusal:
                problem = problem or refusal
    if not legal:
        raise problem or RouteProblem(f"{company} has the trains {', '.join(trains) or 'none'}.")
    return _unique(words, legal)


def _words(board: Map, trains: Sequence[TrainName], text: str) -> list[_Word]:
    """Raises Unreadable for anything that is not a list of routes, trains and hexes of this game."""
    rest = _WORD.sub("", text)
    if rest.strip(" ,;\t\n") or not _WORD.search(text):
        raise Unreadable(
            f"Cannot read the routes {text.strip()!r}; type hexes like H4-G5-F6, one route per train."
        )
    words = []
    for found in _WORD.finditer(text):
        hexes = tuple(_hex(board, word.strip()) for word in found["path"].split("-"))
        train = found["train"]
        if train is not None and train not in trains:
            raise Unreadable(
                f"Cannot read {found[0]!r}: there is no {train}-train; there is {', '.join(trains)}."
            )
        words.append(_Word(train, hexes))
    return words


def _hex(board: Map, word: str) -> Coord:
    for coord in (word, word.upper()):
        if coord in board.hexes:
            return coord
    raise Unreadable(f"Cannot read the route: there is no hex {word}.")


def _assignments(words: Sequence[_Word], trains: Sequence[TrainName]) -> Iterator[tuple[TrainName, ...]]:
    """Every way to give the trains to the typed routes that respects the trains named."""
    if len(words) > len(trains):
        have = ", ".join(trains) or "none"
        raise RouteProblem(
            f"There are {len(words)} routes for {len(trains)} trains ({have}); each runs once."
        )
    seen = set()
    for names in permutations(trains, len(words)):
        if names not in seen and all(w.train in (None, n) for w, n in zip(words, names, strict=True)):
            seen.add(names)
            yield names


def _ways(board: Map, word: _Word) -> list[tuple[PieceId, ...]]:
    """All track that visits the hexes in this order and no stop besides; what names every hex comes first."""
    starts = range(len(board.topology(word.hexes[0]).stops))
    found = (way for stop in starts for way in _from(board, word.hexes, 1, (word.hexes[0], stop), (), 0))
    ways = sorted(islice(found, _SEARCHED), key=len)
    exact = [way for way in ways if _hexes(way) == word.hexes]
    if not ways:
        raise RouteProblem(f"No track runs from stop to stop along {word.text()}.")
    return (exact or ways)[:READINGS]


def _from(
    board: Map, hexes: Sequence[Coord], reached: int, stop: StopId, pieces: tuple[PieceId, ...], used: int
) -> Iterator[tuple[PieceId, ...]]:
    if reached == len(hexes):
        yield pieces
        return
    for chain in track_of(board).chains(stop):
        if chain.end is None or chain.mask & used:
            continue
        next_ = reached
        for coord, _, _ in chain.pieces[1:-1]:
            next_ += next_ < len(hexes) and coord == hexes[next_]
        if next_ < len(hexes) and chain.end[0] == hexes[next_]:
            yield from _from(board, hexes, next_ + 1, chain.end, pieces + chain.pieces, used | chain.mask)


def _hexes(way: Sequence[PieceId]) -> tuple[Coord, ...]:
    """The hexes in travelling order, named again only when left and entered again."""
    passed: list[Coord] = []
    for coord, near, _ in way:
        if not passed or passed[-1] != coord or near < FIRST_STOP:
            passed.append(coord)
    return tuple(passed)


def _unique(words: Sequence[_Word], legal: Sequence[tuple[Run, ...]]) -> tuple[Route, ...]:
    """The best reading; raises Ambiguous when several different ones are equally good."""

    def rank(runs: tuple[Run, ...]) -> tuple[int, int]:
        return (-sum(run.value for run in runs), sum(len(run.route.pieces) for run in runs))

    best = min(rank(runs) for runs in legal)
    by_track: dict[tuple[tuple[PieceId, ...], ...], tuple[Run, ...]] = {}
    for runs in legal:
        if rank(runs) == best:
            by_track.setdefault(tuple(run.route.pieces for run in runs), runs)
    if len(by_track) > 1:
        readings = [", ".join("-".join(_hexes(way)) for way in ways) for ways in by_track]
        typed = ", ".join(word.text() for word in words)
        raise Ambiguous(
            f"{typed} can be run in {len(readings)} ways: {'; or '.join(readings[:5])}.",
            fact("allowed.these", choices=tuple(readings)),
        )
    [runs] = by_track.values()
    return tuple(run.route for run in runs)
