"""Follows the numbered trains of a log: `2-0` is the first 2-train that leaves the bank."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import count

from engine.core import events as e
from engine.core.ids import BANK, POOL, HolderId, TrainName
from engine.core.spec import TitleSpec
from engine.core.state import State

Owned = tuple[HolderId, TrainName]
"""The trains of each type, and their owners."""


class TrainIds:
    """Which trains everybody has, by the ids that the log gives them, the oldest first."""

    def __init__(self, spec: TitleSpec, state: State) -> None:
        self._state = state
        self._new = {train.name: _numbered(spec, train.name) for train in spec.trains}
        self._left = dict(state.depot)
        self._held: dict[Owned, list[str]] = {}
        self._next = {name: next(ids) for name, ids in self._new.items()}

    def held(self, owner: HolderId, train: TrainName) -> list[str]:
        """The trains of this type that a company, the pool or (the next one) the bank has."""
        return [self._next[train]] if owner == BANK else self._held.get((owner, train), [])

    def followed(self, happened: Iterable[e.Event]) -> None:
        """Give every train of the present position its id, those just bought from the bank in their order."""
        for event in happened:
            if isinstance(event, e.TrainBought) and event.source == BANK:
                self._held.setdefault((event.company, event.train), []).append(self._draw(event.train))
        owned = self._owned()
        loose: dict[TrainName, list[str]] = {}
        for owner, ids in self._held.items():
            loose.setdefault(owner[1], []).extend(_surplus(ids, owned[owner]))
        for owner, number in owned.items():
            held = self._held.setdefault(owner, [])
            for _ in range(number - len(held)):
                spare = loose.get(owner[1])
                held.append(spare.pop(0) if spare else self._draw(owner[1]))
        for train in self._exported():
            self._draw(train)

    def _owned(self) -> Counter[Owned]:
        companies = self._state.companies.values()
        owned = Counter((c.id, train) for c in companies for train in (*c.trains, *c.obsolete))
        return owned + Counter((POOL, train) for train in self._state.pool)

    def _exported(self) -> Iterator[TrainName]:
        """New trains that left the game: they take their numbers with them."""
        for train, left in self._state.depot.items():
            yield from [train] * ((self._left[train] or 0) - (left or 0))

    def _draw(self, train: TrainName) -> str:
        drawn, self._next[train] = self._next[train], next(self._new[train])
        left = self._left[train]
        self._left[train] = None if left is None else left - 1
        return drawn


def _numbered(spec: TitleSpec, train: TrainName) -> Iterator[str]:
    """`3-0`, `3-1`, ...; from the train on that starts another phase in the middle of its type `3'-0`, `3'-1`, ..."""
    later = [phase.nth for phase in spec.phases if phase.train == train and phase.nth > 1]
    plain = min(later) - 1 if later else None
    yield from (f"{train}-{number}" for number in (count() if plain is None else range(plain)))
    yield from (f"{train}'-{number}" for number in count())


def _surplus(ids: list[str], wanted: int) -> list[str]:
    """Take the oldest off the list until this many are left."""
    gone = ids[: max(0, len(ids) - wanted)]
    del ids[: len(gone)]
    return gone
