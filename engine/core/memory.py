"""What is worked out about a thing is kept by the thing itself, and goes when it goes."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self, TypeVar

T = TypeVar("T")


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
