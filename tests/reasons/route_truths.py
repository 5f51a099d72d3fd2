"""When the reasons are so for which routes do not run."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from tests.reasons.truths import Seen, truth
from tests.referees.newengland.reach import Land
from tests.referees.track_referee import Board, Node

Track = tuple[str, int, int]
"""A piece of track: its hex, and the ends it leads from and to."""


@dataclass(frozen=True)
class Way:
    """What one train is to run."""

    board: Board
    company: str
    train: str
    track: tuple[Track, ...]

    @property
    def ends(self) -> list[Node]:
        """Where the pieces begin and end."""
        return [(coord, end) for coord, *both in self.track for end in both]

    @property
    def stops(self) -> list[Node]:
        """Stops in the order in which they are visited."""
        return [node for i, node in enumerate(self.ends) if node[1] >= 6 and (i == 0 or i % 2)]

    def kind(self, node: Node) -> str:
        """The kind of a stop."""
        return self.board.topology(node[0]).stops[node[1] - 6].kind

    def gaps(self) -> Iterator[str]:
        """Hexes into which the track does not continue."""
        for (here, _, end), (there, start, _) in pairwise(self.track):
            beyond = self.board.beyond(here, end) if end < 6 else None
            if (there, start) != ((here, end) if end >= 6 else (beyond, (end + 3) % 6)):
                yield there

    def used(self) -> list[object]:
        """What no train may use again: sides of hexes, one for both hexes, and track from stop to stop."""
        return [thing for piece in self.track for thing in self._used_by(piece)]

    def _used_by(self, piece: Track) -> Iterator[object]:
        coord, start, end = piece
        if end < 6:
            yield frozenset({(coord, end), (self.board.beyond(coord, end), (end + 3) % 6)})
        elif start >= 6:
            yield coord, frozenset({start, end})


def ways(seen: Seen) -> list[Way]:
    """The routes that were asked for."""
    board = Land(seen.t) if seen.title == "18newengland" else Board(seen.t)
    found = (text.partition(":") for text in seen.given["routes"])
    return [Way(board, seen.mine.id, train, tuple(map(_piece, way.split()))) for train, _, way in found]


def _piece(word: str) -> Track:
    coord, ends = word.split(".")
    start, end = (int(e) if e.isdigit() else 6 + ord(e) - ord("a") for e in ends.split("-"))
    return coord, start, end


def some_way(flaw: Callable[[Seen, Way], bool]) -> Callable[[Seen], bool]:
    """One of the routes has the flaw."""

    def cause(seen: Seen) -> bool:
        return any(flaw(seen, way) for way in ways(seen))

    cause.__doc__ = flaw.__doc__
    return cause


# --- a route ------------------------------------------------------------------------------------------------------


@truth("unreadable.route")
def unreadable(seen: Seen) -> bool:
    """One has no track, or an end that is none."""
    return any(not text.partition(":")[2] for text in seen.given["routes"])


@truth("reach.ends_at_stops")
@some_way
def ends_elsewhere(seen: Seen, way: Way) -> bool:
    """An end of it is a side of a hex."""
    return not way.track or min(way.track[0][1], way.track[-1][2]) < 6


@truth("reach.no_such_track")
@some_way
def no_such_track(seen: Seen, way: Way) -> bool:
    """A piece in the hex that is named does not lie there."""
    return any(
        coord == seen.values["hex"]
        and not any({a, b} == set(piece.ends()) for piece in way.board.topology(coord).pieces)
        for coord, a, b in way.track
    )


@truth("reach.not_continuous")
@some_way
def not_continuous(seen: Seen, way: Way) -> bool:
    """It leaps into the hex that is named."""
    return seen.values["hex"] in way.gaps()


@truth("reach.track_twice")
@some_way
def track_twice(seen: Seen, way: Way) -> bool:
    """It uses a side of a hex, or track between two stops, twice."""
    return max(Counter(way.used()).values(), default=0) > 1


@truth("reach.stop_twice")
@some_way
def stop_twice(seen: Seen, way: Way) -> bool:
    """18NewEngland 11.5: a hex; else a stop, or a red area of several hexes."""
    areas = [way.board.hexes[coord].group or coord for coord, _ in way.stops]
    if seen.values["place"] not in areas or areas.count(seen.values["place"]) < 2:
        return False
    whole = seen.title == "18newengland" or any(way.board.hexes[coord].group for coord, _ in way.stops)
    return whole or len(set(way.stops)) < len(way.stops)


@truth("reach.no_token")
@some_way
def no_token(seen: Seen, way: Way) -> bool:
    """No station of the company is among its stops."""
    return not way.board.stations(way.company) & set(way.stops)


@truth("reach.red_area")
@some_way
def red_area(seen: Seen, way: Way) -> bool:
    """It continues from the red area that is named."""
    return any(
        coord == seen.values["hex"] and way.board.hexes[coord].colour == "red" for coord, _ in way.stops[1:-1]
    )


@truth("reach.full_city")
@some_way
def full_city(seen: Seen, way: Way) -> bool:
    """It continues from a city that is full of others' stations."""
    inner = [node for node in way.stops[1:-1] if node[0] == seen.values["hex"]]
    return any(way.board.full_of_others(node, way.company) for node in inner)


# --- trains -------------------------------------------------------------------------------------------------------


@truth("routes.too_long")
@some_way
def too_long(seen: Seen, way: Way) -> bool:
    """18AL 4.2.3 and express trains of 18NewEngland do not count towns; everybody else does."""
    free = seen.title == "18al" or way.train.endswith("E")
    counted = sum(not (free and way.kind(node) == "town") for node in way.stops)
    return bool(counted == seen.values["stops"] > int(way.train[0]) == seen.values["limit"])


def trains(seen: Seen) -> Counter[str]:
    """What the company runs."""
    return Counter(seen.mine.trains + seen.mine.obsolete)


@truth("routes.each_train_once")
def each_train_once(seen: Seen) -> bool:
    """More of a train than it has; its trains are named."""
    asked = Counter(way.train for way in ways(seen))
    return bool(asked - trains(seen)) and Counter(seen.values["trains"]) == trains(seen)


@truth("routes.run_together")
def run_together(seen: Seen) -> bool:
    """18NewEngland 11.5: all express trains are one, the shortest."""
    joins = [train.name for train in seen.game.rules.spec.trains if train.joins]
    express = sorted((train for train in trains(seen).elements() if train in joins), key=joins.index)
    asked = [way.train for way in ways(seen) if way.train in joins]
    return len(express) > 1 and asked != express[:1] and Counter(seen.values["idle"]) == Counter(express[1:])


@truth("routes.shared_track")
def shared_track(seen: Seen) -> bool:
    """Two routes use the same."""
    return max(Counter(thing for way in ways(seen) for thing in set(way.used())).values(), default=0) > 1
