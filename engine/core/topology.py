"""Track topology of a hex or tile, read from a short text, and turned.

The text names stops and track. Stops are listed in order and named a, b, c, ...: `city 30`, `city 40 x2`
(two slots), `town 10`, `offboard 40/60/80/100`. Track is a list of two-ended pieces, `0-a` from edge 0 to
the first stop, `0-3` plain track between edges, `a-b` between stops.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from engine.core.errors import TitleError

StopKind: TypeAlias = Literal["city", "town", "offboard"]

End: TypeAlias = int
"""One end of a piece of track: 0-5 is a hex edge (clockwise, 0 is S on a flat map, SW on a pointy one),
6 + i is the stop with index i."""

FIRST_STOP: Final = 6


def is_edge(end: End) -> bool:
    """Whether this end is a hex edge (else a stop)."""
    return end < FIRST_STOP


@dataclass(frozen=True, slots=True)
class Stop:
    """A city, town or off-board area: revenue in dollars, one figure or one per revenue step of the title."""

    kind: StopKind
    revenue: tuple[int, ...]
    slots: int = 0

    def value(self, step: int) -> int:
        """Revenue in dollars at the title's revenue step (0 is the first)."""
        return self.revenue[min(step, len(self.revenue) - 1)]


@dataclass(frozen=True, slots=True)
class Piece:
    """One stretch of track inside a hex, between two ends."""

    a: End
    b: End

    def ends(self) -> tuple[End, End]:
        """Both ends, in the order written."""
        return (self.a, self.b)

    @property
    def joins_stops(self) -> bool:
        """Whether it leads from one stop of the hex to another."""
        return not is_edge(self.a) and not is_edge(self.b)

    def turned(self, rotation: int) -> "Piece":
        """The same piece after `rotation` steps of 60 degrees clockwise."""
        return Piece(_turn(self.a, rotation), _turn(self.b, rotation))


@dataclass(frozen=True, slots=True)
class Topology:
    """Stops and track of one hex: what connects to what, without any drawing."""

    stops: tuple[Stop, ...] = ()
    pieces: tuple[Piece, ...] = ()
    edges: frozenset[int] = field(init=False, repr=False, compare=False)
    """The hex edges (0-5) that carry track."""
    joined: frozenset[tuple[End, End]] = field(init=False, repr=False, compare=False)
    """The ends of every piece, in both orders."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # worked out once: topologies are looked up and compared for every tile and rotation of every offer
        edges = frozenset(end for piece in self.pieces for end in piece.ends() if is_edge(end))
        joined = frozenset(ends for p in self.pieces for ends in (p.ends(), (p.b, p.a)))
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "joined", joined)
        object.__setattr__(self, "_hash", hash((self.stops, self.pieces)))

    def __hash__(self) -> int:
        return self._hash

    def edges_of(self, stop: int) -> frozenset[int]:
        """The hex edges (0-5) joined directly to the stop with this index."""
        mine = FIRST_STOP + stop
        ends = (p.ends() for p in self.pieces if mine in p.ends())
        return frozenset(end for pair in ends for end in pair if is_edge(end))

    def turned(self, rotation: int) -> "Topology":
        """The same topology after `rotation` steps of 60 degrees clockwise; stops keep their index."""
        return _turned(self, rotation % 6)


def _turn(end: End, rotation: int) -> End:
    return (end + rotation) % 6 if is_edge(end) else end


@lru_cache(maxsize=4096)
def _turned(topology: Topology, rotation: int) -> Topology:
    return Topology(topology.stops, tuple(piece.turned(rotation) for piece in topology.pieces))


_STOP = re.compile(r"(?P<kind>city|town|offboard) (?P<revenue>\d{1,4}(?:/\d{1,4})*)(?: x(?P<slots>\d))?")


def read_stop(text: str) -> Stop:
    """Read `city 40 x2`; raises TitleError."""
    found = _STOP.fullmatch(text.strip())
    if found is None:
        raise TitleError(
            f"cannot read the stop {text!r}; expected e.g. 'city 40 x2' or 'offboard 40/60/80/100'"
        )
    kind: StopKind = found["kind"]  # type: ignore[assignment]  # the pattern allows only the three kinds
    slots = int(found["slots"] or 1) if kind == "city" else 0
    return Stop(kind, tuple(int(value) for value in found["revenue"].split("/")), slots)


def read_topology(stops: tuple[str, ...], track: str) -> Topology:
    """Read the stops and the track text of a tile or hex; raises TitleError."""
    read = tuple(read_stop(stop) for stop in stops)
    return Topology(read, tuple(_read_piece(word, len(read)) for word in track.split()))


def _read_piece(word: str, stops: int) -> Piece:
    ends = [_read_end(part, stops) for part in word.split("-")]
    if len(ends) != 2 or ends[0] == ends[1]:
        raise TitleError(f"cannot read the track {word!r}; expected e.g. '0-3' or '0-a'")
    return Piece(ends[0], ends[1])


def _read_end(part: str, stops: int) -> End:
    if part in "012345" and len(part) == 1:
        return int(part)
    index = ord(part) - ord("a") if len(part) == 1 else -1
    if not 0 <= index < stops:
        raise TitleError(f"track names the end {part!r}; ends are edges 0-5 and the stops a, b, ... listed")
    return FIRST_STOP + index
