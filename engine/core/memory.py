"""Caches that live as long as the objects that own them."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class LazySequence(Generic[T]):
    """A sequence of an iterator's items. It takes them on demand and caches them, so it can be iterated repeatedly."""

    def __init__(self, iterator: Iterator[T], *known_items: T) -> None:
        """`known_items` are items already taken from `iterator`."""
        self._known_items = list(known_items)
        self._items_to_come: Iterator[T] | None = iterator

    def __iter__(self) -> Iterator[T]:
        return iter(self._known_items) if self._items_to_come is None else self._iterate_and_cache()

    def _iterate_and_cache(self) -> Iterator[T]:
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
        """True if the sequence contains this item; takes no more items from the iterator than needed."""
        return item in self._known_items or any(known_item == item for known_item in self)


class ComputedDict(dict[K, V]):
    """A dict that computes a missing value on first access.

    It is cheaper to create than a `functools.cache`, so each offer can have one.
    """

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[K], V]) -> None:
        """`compute` takes a missing key and returns its value."""
        self._compute = compute

    def __missing__(self, key: K) -> V:
        """Compute the value of a missing key, store it and return it."""
        value = self[key] = self._compute(key)
        return value


class CachesResults:
    """Base class of objects that cache computed results about themselves. A pickled copy starts with an empty cache."""

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
        """Cache `result` as the result of `compute` for this object."""
        self._cache[compute] = result

    def __getstate__(self) -> dict[str, Any]:
        """The object's state for pickling: all fields except the cache."""
        return {name: value for name, value in self.__dict__.items() if name != "_cache"}
