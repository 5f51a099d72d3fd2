"""Caches with a maximum size."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(dict[K, V]):
    """A dictionary with a maximum size. Adding a key beyond it removes the key that was set longest ago."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._max_size:
            del self[next(iter(self))]
