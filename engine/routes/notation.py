"""Routes as players type them: `H4-G5-F6`, or `3:H4-G5-F6` to name the train, several separated by spaces or commas.

A route names its stops in order, and as many of the hexes on the way as one likes; routes that name every
hex are taken at their word if they can be. A hex named once may be visited at several stops that track
inside it joins. Of several ways that fit, the most expensive counts, then the shortest; if that leaves a
choice, the player is asked. What `Route.text` writes is read, too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from typing import Final, TypeAlias

from engine.board.map import Map, StopId
from engine.board.track import PieceId, track_of, undirected
from engine.core.errors import Ambiguous, Unreadable
from engine.core.facts import fact
from engine.core.ids import CompanyId, Coord, TrainName
from engine.core.offers import LISTED
from engine.core.topology import FIRST_STOP
from engine.routes.legal_routes import Route, RouteProblem, Run, check_routes
from engine.routes.revenue_rules import RouteTerms

READINGS: Final = 8
"""Ways looked at for one typed route, shortest first, so that a vague text stays quick to read."""
_SEARCHED: Final = 500
LONGEST: Final = 2_000
"""Letters of typed routes that are read; the longest routes of any map, with every hex named, have fewer."""
SHOWN: Final = 100
"""Letters of an unreadable text that are shown again."""
_PATH: Final = re.compile(r"[A-Za-z]+[0-9]+(?:-[A-Za-z]+[0-9]+)+")


Way: TypeAlias = tuple[PieceId, ...]
"""Track from stop to stop, in travelling order."""


@dataclass(frozen=True, slots=True)
class _Word:
    """One typed route: the train if named, and the hexes."""

    train: TrainName | None
    hexes: tuple[Coord, ...]

    def text(self) -> str:
        return "-".join(self.hexes)


def read_routes(
    board: Map, company: CompanyId, trains: Sequence[TrainName], terms: RouteTerms, text: str
) -> tuple[Route, ...]:
    """The routes that the text means; raises Unreadable, RouteProblem if none is legal, or Ambiguous."""
    if len(text) > LONGEST:
        raise Unreadable(fact("unreadable.long_routes", letters=len(text), most=LONGEST))
    if "." in text:
        routes = tuple(Route.read(word) for word in re.split(r"[,;]", text))
        check_routes(board, company, trains, routes, terms)
        return routes
    reader = _Reader(board, company, tuple(trains), terms, _read_words(board, trains, text))
    return _unique(reader.words, reader.legal())


@dataclass(frozen=True, slots=True)
class _Reader:
    """Finds sets of routes that typed words may mean."""

    board: Map
    company: CompanyId
    trains: tuple[TrainName, ...]
    terms: RouteTerms
    words: Sequence[_Word]

    def legal(self) -> list[tuple[Run, ...]]:
        """The legal readings: those that name every hex, else any; raises RouteProblem."""
        self._require_trains()
        ways = [self._ways_alone(word) for word in self.words]
        named = [
            [way for way in found if _hexes(way) == word.hexes] or found
            for word, found in zip(self.words, ways, strict=True)
        ]
        try:
            return self._combinations(named)
        except RouteProblem:
            return self._combinations(ways)

    def _require_trains(self) -> None:
        """Raise RouteProblem without trains, or for more routes than trains."""
        if not self.trains:
            raise _no_train(self.company)
        if len(self.words) > len(self.trains):
            counted = {"routes": len(self.words), "number": len(self.trains), "trains": self.trains}
            raise RouteProblem(fact("routes.more_than_trains", **counted))

    def _ways_alone(self, word: _Word) -> list[Way]:
        """The readings of one word that some train could run; raises RouteProblem."""
        ways, problem = [], None
        for way in _ways_through(self.board, word):
            try:
                self._check_alone(word, way)
            except RouteProblem as refusal:
                problem = problem or refusal
            else:
                ways.append(way)
        if problem is not None and not ways:
            raise problem
        return ways

    def _check_alone(self, word: _Word, way: Way) -> None:
        """Raise RouteProblem where no train can run this reading."""
        problem = None
        for train in dict.fromkeys([word.train] if word.train else self.trains):
            try:
                self._check((Route(train, way),))
            except RouteProblem as refusal:
                problem = problem or refusal
            else:
                return
        raise problem or _no_train(self.company)

    def _combinations(self, ways: Sequence[Sequence[Way]]) -> list[tuple[Run, ...]]:
        """Every legal combination of readings, one for each word; raises RouteProblem."""
        legal, problem = [], None
        for names in _assignments(self.words, self.trains):
            for chosen in product(*ways):
                try:
                    legal.append(self._check([Route(n, way) for n, way in zip(names, chosen, strict=True)]))
                except RouteProblem as refusal:
                    problem = problem or refusal
        if not legal:
            raise problem or _no_train(self.company)
        return legal

    def _check(self, routes: Sequence[Route]) -> tuple[Run, ...]:
        return check_routes(self.board, self.company, self.trains, routes, self.terms)


def _no_train(company: CompanyId) -> RouteProblem:
    return RouteProblem(fact("routes.no_train", company=company))


def _read_words(board: Map, trains: Sequence[TrainName], text: str) -> list[_Word]:
    """Raises Unreadable for anything that is not a list of routes, trains and hexes of this game."""
    words = [_read_word(board, trains, word, text) for word in re.split(r"[\s,;]+", _tight(text)) if word]
    if not words:
        raise _unreadable(text)
    return words


def _tight(text: str) -> str:
    """The text without blanks around the `-` of a route and after the `:` of a train."""
    joined = "-".join(part.strip() for part in text.strip().split("-"))
    first, *others = joined.split(":")
    return ":".join([first, *(part.lstrip() for part in others)])


def _read_word(board: Map, trains: Sequence[TrainName], word: str, text: str) -> _Word:
    train, colon, path = word.rpartition(":")
    if not _PATH.fullmatch(path) or (colon and not train) or ":" in train:
        raise _unreadable(text)
    hexes = tuple(_hex(board, name) for name in path.split("-"))
    if colon and train not in trains:
        raise Unreadable(fact("unreadable.train", text=word, train=train, trains=tuple(trains)))
    return _Word(train or None, hexes)


def _unreadable(text: str) -> Unreadable:
    stripped = text.strip()
    shown = stripped if len(stripped) <= SHOWN else f"{stripped[:SHOWN]}…"
    return Unreadable(fact("unreadable.routes", text=shown))


def _hex(board: Map, word: str) -> Coord:
    for coord in (word, word.upper()):
        if coord in board.hexes:
            return coord
    raise Unreadable(fact("unreadable.hex", hex=word))


def _assignments(words: Sequence[_Word], trains: Sequence[TrainName]) -> Iterator[tuple[TrainName, ...]]:
    """Every assignment of trains to typed routes that respects named trains."""
    seen = set()
    for names in permutations(trains, len(words)):
        if names not in seen and all(w.train in (None, n) for w, n in zip(words, names, strict=True)):
            seen.add(names)
            yield names


def _ways_through(board: Map, word: _Word) -> list[Way]:
    """Track that visits these hexes in order and no other stop, complete readings first, then the shortest.

    Hexes that read the same backwards, such as L7-L7, are found in both directions, which are one way.
    """
    starts = range(len(board.topology(word.hexes[0]).stops))
    found = (way for stop in starts for way in _ways_from(board, word.hexes, 1, (word.hexes[0], stop), (), 0))
    by_track = {frozenset(map(undirected, way)): way for way in islice(found, _SEARCHED)}
    ways = sorted(by_track.values(), key=lambda way: (_hexes(way) != word.hexes, len(way)))
    if not ways:
        raise RouteProblem(fact("reach.no_way", route=word.text()))
    return ways[:READINGS]


def _ways_from(
    board: Map, hexes: Sequence[Coord], reached: int, stop: StopId, pieces: tuple[PieceId, ...], used: int
) -> Iterator[tuple[PieceId, ...]]:
    if reached == len(hexes):
        yield pieces
    for chain in track_of(board).chains(stop):
        if chain.end is None or chain.mask & used:
            continue
        if all(coord == stop[0] for coord, _, _ in chain.pieces):
            # To another stop of the hex that is named already.
            yield from _ways_from(board, hexes, reached, chain.end, pieces + chain.pieces, used | chain.mask)
        next_ = reached
        for coord, _, _ in chain.pieces[1:-1]:
            next_ += next_ < len(hexes) and coord == hexes[next_]
        if next_ < len(hexes) and chain.end[0] == hexes[next_]:
            yield from _ways_from(
                board, hexes, next_ + 1, chain.end, pieces + chain.pieces, used | chain.mask
            )


def _hexes(way: Sequence[PieceId]) -> tuple[Coord, ...]:
    """The hexes in travelling order, named again only when left and entered again."""
    passed: list[Coord] = []
    for coord, near, _ in way:
        if not passed or passed[-1] != coord or near < FIRST_STOP:
            passed.append(coord)
    return tuple(passed)


def _unique(words: Sequence[_Word], legal: Sequence[tuple[Run, ...]]) -> tuple[Route, ...]:
    """The best reading; raises Ambiguous if several are equally good."""

    def rank(runs: tuple[Run, ...]) -> tuple[int, int, int]:
        pieces = [run.route.pieces for run in runs]
        unnamed = sum(_hexes(way) != word.hexes for way, word in zip(pieces, words, strict=True))
        return (unnamed, -sum(run.value for run in runs), sum(map(len, pieces)))

    best = min(rank(runs) for runs in legal)
    by_track: dict[frozenset[Way], tuple[Run, ...]] = {}
    for runs in legal:
        if rank(runs) == best:
            by_track.setdefault(frozenset(run.route.pieces for run in runs), runs)
    if len(by_track) > 1:
        readings = tuple(_reading(runs) for runs in by_track.values())
        typed = ", ".join(word.text() for word in words)
        raise Ambiguous(
            fact("unreadable.several_ways", typed=typed, ways=len(readings)),
            fact("allowed.some" if len(readings) > LISTED else "allowed.these", choices=readings[:LISTED]),
        )
    [runs] = by_track.values()
    return tuple(run.route for run in runs)


def _reading(runs: Sequence[Run]) -> str:
    """The routes with every hex named."""
    return " ".join("-".join(_hexes(run.route.pieces)) for run in runs)
