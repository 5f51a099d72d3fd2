"""Caches that stay bounded however long the bot runs."""

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class BoundedDict(dict[K, V]):
    """A dictionary with at most N keys; setting one more drops the key set longest ago."""

    def __init__(self, maximum: int) -> None:
        self._most = maximum

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]
