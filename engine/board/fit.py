"""How one topology follows another: which stops correspond, whether old track is kept, and what looks the same."""

from collections.abc import Hashable
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from engine.core.topology import FIRST_STOP, Piece, Topology, is_edge


class _Kinds(NamedTuple):
    """How many stops of each kind a topology has."""

    cities: int
    towns: int
    offboards: int


@lru_cache(maxsize=8192)
def partners(old: Topology, new: Topology, *, mixing: bool = False) -> tuple[int, ...] | None:
    """For each stop of `old` the stop of `new` it becomes, or None when some connection would be lost.

    A stop's partner is of its kind and joins at least the same edges; several stops become one only when
    `new` has a single stop of that kind. With `mixing` any stop may become the single stop of `new`.
    """
    if len(new.stops) == 1 and (mixing or all(s.kind == new.stops[0].kind for s in old.stops)):
        single = (0,) * len(old.stops)
        return single if _joins(old, new, single) else None
    for chosen in permutations(range(len(new.stops)), len(old.stops)):
        kinds = all(old.stops[i].kind == new.stops[j].kind for i, j in enumerate(chosen))
        if kinds and _joins(old, new, chosen):
            return chosen
    return None


def _joins(old: Topology, new: Topology, chosen: tuple[int, ...]) -> bool:
    return all(old.edges_of(i) <= new.edges_of(j) for i, j in enumerate(chosen))


@lru_cache(maxsize=16384)
def keeps(old: Topology, new: Topology, *, merging: bool = False, mixing: bool = False) -> bool:
    """Whether `new` in this very position keeps all track of `old` and its connections to stops (18Chesapeake 11.3).

    The numbers of cities and of towns stay the same, unless cities merge into one (`merging`) or the hex
    names its own tiles (`mixing`).

    Rules: R-AL-117, R-CH-090, R-NE-068, R-TN-115.
    """
    if not keeps_stops(old, new, merging=merging, mixing=mixing) or not _plain(old) <= _plain(new):
        return False
    return partners(old, new, mixing=mixing) is not None


def keeps_stops(old: Topology, new: Topology, *, merging: bool = False, mixing: bool = False) -> bool:
    """Whether `new` has the right number of stops to keep the track of `old`, however it is turned.

    Rules: R-NE-072.
    """
    before, after = _kinds(old), _kinds(new)
    merges = merging and before.towns == after.towns and 1 <= after.cities <= before.cities
    return before == after or merges or mixing


@lru_cache(maxsize=4096)
def _plain(topology: Topology) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(p.ends()) for p in topology.pieces if is_edge(p.a) and is_edge(p.b))


@lru_cache(maxsize=4096)
def _kinds(topology: Topology) -> _Kinds:
    kinds = [stop.kind for stop in topology.stops]
    return _Kinds(kinds.count("city"), kinds.count("town"), kinds.count("offboard"))


@lru_cache(maxsize=4096)
def look(topology: Topology) -> Hashable:
    """A value that is equal for two topologies exactly when they look and work alike on the table."""
    faces = [
        (stop.kind, stop.revenue, stop.slots, tuple(sorted(topology.edges_of(i))))
        for i, stop in enumerate(topology.stops)
    ]
    inner = sorted(
        tuple(sorted((faces[p.a - FIRST_STOP], faces[p.b - FIRST_STOP])))
        for p in topology.pieces
        if not is_edge(p.a) and not is_edge(p.b)
    )
    return (_plain(topology), tuple(sorted(faces)), tuple(inner))


def new_pieces(old: Topology, new: Topology) -> tuple[Piece, ...]:
    """The track of `new` that `old` does not have in the same place; an edge to a city is old if it led to a city."""
    known = {_shape(old, piece) for piece in old.pieces}
    return tuple(piece for piece in new.pieces if _shape(new, piece) not in known)


def _shape(topology: Topology, piece: Piece) -> frozenset[object]:
    return frozenset(end if is_edge(end) else topology.stops[end - FIRST_STOP].kind for end in piece.ends())


@lru_cache(maxsize=4096)
def only_adds(old: Topology, new: Topology) -> bool:
    """Whether all track of `old` is in `new` between the same ends, and no more of its stops are joined in the hex."""
    before, after = ({frozenset(p.ends()) for p in topology.pieces} for topology in (old, new))
    return before <= after and all(any(map(is_edge, ends)) for ends in after - before)
