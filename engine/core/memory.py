"""What is worked out about a thing is kept by the thing itself, and goes when it goes."""

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")


class LazySequence(Generic[T]):
    """What an iterator brings, as often as it is gone through: each thing is worked out when it is first looked at."""

    def __init__(self, coming: Iterator[T], *first: T) -> None:
        """`first` are things that the iterator has brought already."""
        self._known = list(first)
        self._coming = coming

    def __iter__(self) -> Iterator[T]:
        for number in count():
            if number == len(self._known):
                more = next(self._coming, None)
                if more is None:
                    return
                self._known.append(more)
            yield self._known[number]

    def __contains__(self, thing: object) -> bool:
        """Whether it brings this, which is looked for no further than it comes."""
        return any(one == thing for one in self)


class Remembering:
    """Something about which things are worked out, each once; a copy of it works them out anew."""

    @cached_property
    def _worked_out(self) -> dict[Callable[[Any], Any], Any]:
        return {}

    def worked_out(self, make: Callable[[Self], T]) -> T:
        """What `make` makes of this, made once."""
        found: T | None = self._worked_out.get(make)
        if found is None:
            found = self._worked_out[make] = make(self)
        return found

    def remember(self, make: Callable[[Self], T], found: T) -> None:
        """Take this for what `make` makes of it."""
        self._worked_out[make] = found

    def __getstate__(self) -> dict[str, Any]:
        """What a copy is made of."""
        return {name: value for name, value in self.__dict__.items() if name != "_worked_out"}
