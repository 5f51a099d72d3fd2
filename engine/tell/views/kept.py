"""Parts of views that come again in picture after picture: hashed once, and packed once for another process."""

import pickle
from collections.abc import Callable
from dataclasses import fields
from functools import cache, cached_property, lru_cache
from operator import attrgetter
from typing import Any

MOST = 8192
"""Parts that a process keeps as they came from another one."""


class Kept:
    """A frozen dataclass whose deep hash and packed form are worth working out only once.

    `dataclass` gives its classes a hash of their own, so each says `__hash__ = Kept.__hash__`.
    """

    @cached_property
    def _values(self) -> tuple[Any, ...]:
        return _reader(type(self))(self)  # type: ignore[arg-type]

    @cached_property
    def _hash(self) -> int:
        return hash(self._values)

    @cached_property
    def _packed(self) -> bytes:
        return pickle.dumps((type(self), self._values))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Callable[[bytes], object], tuple[bytes]]:
        # The other process has probably seen it before; what was hashed here is hashed otherwise there.
        return _opened, (self._packed,)


@cache
def _reader(kind: type[Any]) -> Callable[[object], tuple[Any, ...]]:
    return attrgetter(*(one.name for one in fields(kind)))


@lru_cache(maxsize=MOST)
def _opened(packed: bytes) -> object:
    made, values = pickle.loads(packed)
    return made(*values)
