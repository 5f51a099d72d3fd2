"""Caches that live as long as the object they belong to."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class LazySequence(Generic[T]):
    """The items of an iterator, kept for repeated iteration; each item is computed on first access."""

    def __init__(self, iterator: Iterator[T], *known_items: T) -> None:
        """`known_items` are items that the iterator has already yielded."""
        self._known_items = list(known_items)
        self._items_to_come: Iterator[T] | None = iterator
        """None once all items have been computed."""

    def __iter__(self) -> Iterator[T]:
        return iter(self._known_items) if self._items_to_come is None else self._iterate_remembered()

    def _iterate_remembered(self) -> Iterator[T]:
        items, index = self._known_items, 0
        while True:
            while index < len(items):
                yield items[index]
                index += 1
            next_item = None if self._items_to_come is None else next(self._items_to_come, None)
            if next_item is None:
                self._items_to_come = None
                return
            items.append(next_item)

    def __contains__(self, item: object) -> bool:
        """True if the sequence contains this item; iterates no further than needed."""
        return item in self._known_items or any(known_item == item for known_item in self)


class ComputedDict(dict[K, V]):
    """Values by key; each is computed when it is first read.

    Unlike `functools.cache`, it costs next to nothing to make, so that each offer can have its own.
    """

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[K], V]) -> None:
        """`compute` returns the value of a key."""
        self._compute = compute

    def __missing__(self, key: K) -> V:
        """Compute and keep the value of a key."""
        value = self[key] = self._compute(key)
        return value


class CachesResults:
    """Base of objects that cache results about themselves; a pickled copy starts with an empty cache."""

    @cached_property
    def _cache(self) -> dict[Callable[[Any], Any], Any]:
        return {}

    def cached(self, compute: Callable[[Self], T]) -> T:
        """The result of `compute` for this object; computed once, then cached."""
        value: T | None = self._cache.get(compute)
        if value is None:
            value = self._cache[compute] = compute(self)
        return value

    def store_result(self, compute: Callable[[Self], T], result: T) -> None:
        """Store this as the cached result of `compute`."""
        self._cache[compute] = result

    def __getstate__(self) -> dict[str, Any]:
        """All fields but the cache."""
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}
