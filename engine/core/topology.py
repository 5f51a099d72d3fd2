"""Track topology of a hex or tile: parsed from text, rotated, and compared for upgrades.

The text names stops and track. Stops are listed in order and named a, b, c, ...: `city 30`, `city 40 x2` (two token
spaces), `town 10`, `offboard 40/60/80/100`. Track is a list of pieces with two ends: `0-a` from edge 0 to the first
stop, `0-3` plain track between edges, `a-b` between stops.
"""

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import permutations
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.core.errors import TitleError

StopKind: TypeAlias = Literal["city", "town", "offboard"]

End: TypeAlias = int
"""One end of a piece of track: 0-5 is a hex edge, 6 + i is the stop with index i.

Edges are numbered clockwise; 0 is S on a flat-topped map, SW on a pointy-topped one.
"""

FIRST_STOP: Final = 6


def is_edge(end: End) -> bool:
    """True if this end is a hex edge, not a stop."""
    return end < FIRST_STOP


@dataclass(frozen=True, slots=True)
class Stop:
    """A city, town or off-board area.

    Its revenue in dollars is one number, or one for each revenue step of the title.
    """

    kind: StopKind
    revenue: tuple[int, ...]
    slots: int = 0

    def value(self, step: int) -> int:
        """Revenue in dollars at this revenue step of the title, counted from 0."""
        return self.revenue[min(step, len(self.revenue) - 1)]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of track inside a hex, between two ends."""

    first_end: End
    second_end: End

    def ends(self) -> tuple[End, End]:
        """Both ends of the piece of track, in the order written."""
        return (self.first_end, self.second_end)

    @property
    def joins_stops(self) -> bool:
        """True if the piece connects two stops of the hex."""
        return not is_edge(self.first_end) and not is_edge(self.second_end)

    def turned(self, rotation: int) -> "Piece":
        """The same piece after `rotation` steps of 60 degrees clockwise."""
        return Piece(_turned_end(self.first_end, rotation), _turned_end(self.second_end, rotation))


@dataclass(frozen=True, slots=True)
class Topology:
    """The stops and track of one hex and how they connect; not how they are drawn."""

    stops: tuple[Stop, ...] = ()
    pieces: tuple[Piece, ...] = ()
    edges: frozenset[int] = field(init=False, repr=False, compare=False)
    """The hex edges (0-5) with track."""
    joined: frozenset[tuple[End, End]] = field(init=False, repr=False, compare=False)
    """All pairs of ends that a piece of track joins, in both orders."""
    slots: int = field(init=False, repr=False, compare=False)
    """Number of token spaces of all stops in the hex together."""
    _ends_beyond: dict[End, tuple[End, ...]] = field(init=False, repr=False, compare=False)
    _topology_by_rotation: "dict[int, Topology]" = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # computed once: topologies are looked up and compared for every tile and rotation of every offer
        edges = frozenset(end for piece in self.pieces for end in piece.ends() if is_edge(end))
        joined = frozenset(ends for p in self.pieces for ends in (p.ends(), (p.second_end, p.first_end)))
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "joined", joined)
        object.__setattr__(self, "slots", sum(stop.slots for stop in self.stops))
        object.__setattr__(self, "_ends_beyond", _ends_beyond_each(self.pieces))
        object.__setattr__(self, "_topology_by_rotation", {0: self})
        object.__setattr__(self, "_hash", hash((self.stops, self.pieces)))

    def __hash__(self) -> int:
        return self._hash

    def edges_of(self, stop: int) -> frozenset[int]:
        """The hex edges (0-5) connected directly to the stop with this index."""
        return frozenset(filter(is_edge, self.ends_beyond(FIRST_STOP + stop)))

    def ends_beyond(self, end: End) -> tuple[End, ...]:
        """The ends that are one piece of track away from this end."""
        return self._ends_beyond.get(end, ())

    def turned(self, rotation: int) -> "Topology":
        """The same topology rotated by `rotation` steps of 60 degrees clockwise; stops keep their indexes."""
        topology = self._topology_by_rotation.get(rotation % 6)
        if topology is None:
            topology = Topology(self.stops, tuple(piece.turned(rotation) for piece in self.pieces))
            self._topology_by_rotation[rotation % 6] = topology
        return topology


def _turned_end(end: End, rotation: int) -> End:
    return (end + rotation) % 6 if is_edge(end) else end


def _ends_beyond_each(pieces: Iterable[Piece]) -> dict[End, tuple[End, ...]]:
    far_ends: dict[End, tuple[End, ...]] = {}
    for piece in pieces:
        for near_end, far_end in (piece.ends(), (piece.second_end, piece.first_end)):
            far_ends[near_end] = (*far_ends.get(near_end, ()), far_end)
    return far_ends


STOP_PATTERN = re.compile(
    r"(?P<kind>city|town|offboard) (?P<revenue>\d{1,4}(?:/\d{1,4})*)(?: x(?P<slots>\d))?"
)


def read_stop(text: str) -> Stop:
    """Parse a stop from text such as `city 40 x2`. Raises TitleError if it cannot be read."""
    match = STOP_PATTERN.fullmatch(text.strip())
    if match is None:
        raise TitleError(
            f"cannot read the stop {text!r}; expected e.g. 'city 40 x2' or 'offboard 40/60/80/100'"
        )
    kind: StopKind = match["kind"]  # type: ignore[assignment]  # the pattern allows only the three kinds
    slots = int(match["slots"] or 1) if kind == "city" else 0
    return Stop(kind, tuple(int(value) for value in match["revenue"].split("/")), slots)


def read_topology(stops: tuple[str, ...], track: str) -> Topology:
    """Parse the stops and track of a tile or hex from text. Raises TitleError if it cannot be read."""
    parsed_stops = tuple(read_stop(stop) for stop in stops)
    return Topology(
        parsed_stops, tuple(_read_piece(piece_text, len(parsed_stops)) for piece_text in track.split())
    )


def _read_piece(piece_text: str, stop_count: int) -> Piece:
    ends = [_read_end(end_text, stop_count) for end_text in piece_text.split("-")]
    if len(ends) != 2 or ends[0] == ends[1]:
        raise TitleError(f"cannot read the track {piece_text!r}; expected e.g. '0-3' or '0-a'")
    return Piece(ends[0], ends[1])


def _read_end(end_text: str, stop_count: int) -> End:
    if end_text in "012345" and len(end_text) == 1:
        return int(end_text)
    index = ord(end_text) - ord("a") if len(end_text) == 1 else -1
    if not 0 <= index < stop_count:
        raise TitleError(
            f"track names the end {end_text!r}; ends are edges 0-5 and the stops a, b, ... listed"
        )
    return FIRST_STOP + index


class _StopCounts(NamedTuple):
    cities: int
    towns: int
    offboards: int


@lru_cache(maxsize=8192)
def matching_stop_indexes(
    old_topology: Topology, new_topology: Topology, *, may_change_stops: bool = False
) -> tuple[int, ...] | None:
    """For each stop of `old_topology`, the index of the matching stop in `new_topology`; None if a connection would be
    lost.

    Matching stops are of the same kind, and the new one connects to at least the same edges. Several stops can match
    the same new stop only if `new_topology` has a single stop of that kind. With `may_change_stops`, the single stop of
    `new_topology` can be of any kind.
    """
    if len(new_topology.stops) == 1 and (
        may_change_stops or all(s.kind == new_topology.stops[0].kind for s in old_topology.stops)
    ):
        all_to_one = (0,) * len(old_topology.stops)
        return all_to_one if _keeps_joined_edges(old_topology, new_topology, all_to_one) else None
    for new_stop_indexes in permutations(range(len(new_topology.stops)), len(old_topology.stops)):
        kinds_match = all(
            old_topology.stops[i].kind == new_topology.stops[j].kind for i, j in enumerate(new_stop_indexes)
        )
        if kinds_match and _keeps_joined_edges(old_topology, new_topology, new_stop_indexes):
            return new_stop_indexes
    return None


def _keeps_joined_edges(
    old_topology: Topology, new_topology: Topology, new_stop_indexes: tuple[int, ...]
) -> bool:
    return all(old_topology.edges_of(i) <= new_topology.edges_of(j) for i, j in enumerate(new_stop_indexes))


@lru_cache(maxsize=16384)
def keeps_track(
    old_topology: Topology,
    new_topology: Topology,
    *,
    may_merge_cities: bool = False,
    may_change_stops: bool = False,
) -> bool:
    """True if `new_topology`, in exactly this rotation, keeps the track of `old_topology` and its connections to stops.

    See 18Chesapeake 11.3. The numbers of cities and towns stay the same, unless cities merge into one
    (`may_merge_cities`) or the hex names its own tiles (`may_change_stops`).

    Rules: R-AL-117, R-CH-090, R-NE-068, R-TN-115.
    """
    if not keeps_stop_counts(
        old_topology, new_topology, may_merge_cities=may_merge_cities, may_change_stops=may_change_stops
    ) or not _plain_track(old_topology) <= _plain_track(new_topology):
        return False
    return matching_stop_indexes(old_topology, new_topology, may_change_stops=may_change_stops) is not None


def keeps_stop_counts(
    old_topology: Topology,
    new_topology: Topology,
    *,
    may_merge_cities: bool = False,
    may_change_stops: bool = False,
) -> bool:
    """True if `new_topology` has the right number of stops to replace `old_topology`, in any rotation.

    Rules: R-NE-072.
    """
    old_counts, new_counts = _stop_counts(old_topology), _stop_counts(new_topology)
    cities_may_merge = (
        may_merge_cities
        and old_counts.towns == new_counts.towns
        and 1 <= new_counts.cities <= old_counts.cities
    )
    return old_counts == new_counts or cities_may_merge or may_change_stops


@lru_cache(maxsize=4096)
def _plain_track(topology: Topology) -> frozenset[frozenset[int]]:
    return frozenset(
        frozenset(p.ends()) for p in topology.pieces if is_edge(p.first_end) and is_edge(p.second_end)
    )


@lru_cache(maxsize=4096)
def _stop_counts(topology: Topology) -> _StopCounts:
    stop_kinds = [stop.kind for stop in topology.stops]
    return _StopCounts(stop_kinds.count("city"), stop_kinds.count("town"), stop_kinds.count("offboard"))


@lru_cache(maxsize=4096)
def appearance(topology: Topology) -> Hashable:
    """A hashable key that is equal for topologies with the same look and connections."""
    stop_appearances = [
        (stop.kind, stop.revenue, stop.slots, tuple(sorted(topology.edges_of(i))))
        for i, stop in enumerate(topology.stops)
    ]
    inner_track = sorted(
        tuple(
            sorted((stop_appearances[p.first_end - FIRST_STOP], stop_appearances[p.second_end - FIRST_STOP]))
        )
        for p in topology.pieces
        if not is_edge(p.first_end) and not is_edge(p.second_end)
    )
    return (_plain_track(topology), tuple(sorted(stop_appearances)), tuple(inner_track))


@lru_cache(maxsize=4096)
def new_pieces(old_topology: Topology, new_topology: Topology) -> tuple[Piece, ...]:
    """The pieces of track in `new_topology` that `old_topology` does not have.

    Track from an edge to a city is not new if that edge already led to a city.
    """
    old_piece_shapes = {_piece_shape(old_topology, piece) for piece in old_topology.pieces}
    return tuple(
        piece for piece in new_topology.pieces if _piece_shape(new_topology, piece) not in old_piece_shapes
    )


def _piece_shape(topology: Topology, piece: Piece) -> frozenset[object]:
    return frozenset(end if is_edge(end) else topology.stops[end - FIRST_STOP].kind for end in piece.ends())


@lru_cache(maxsize=4096)
def only_adds_track(old_topology: Topology, new_topology: Topology) -> bool:
    """True if `new_topology` keeps all track of `old_topology`, and each new piece of track leads to an edge."""
    old_piece_ends, new_piece_ends = (
        {frozenset(p.ends()) for p in topology.pieces} for topology in (old_topology, new_topology)
    )
    return old_piece_ends <= new_piece_ends and all(
        any(map(is_edge, ends)) for ends in new_piece_ends - old_piece_ends
    )
