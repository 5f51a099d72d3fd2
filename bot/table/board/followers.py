"""Who waits for news of a game: each learns when something may have happened there."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class Followers:
    """Those that follow games, such as open board pages."""

    def __init__(self) -> None:
        self._waiting: defaultdict[int, set[asyncio.Event]] = defaultdict(set)
        self._woken: dict[int, int] = {}

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @property
    def games(self) -> tuple[int, ...]:
        """The games that are followed."""
        return tuple(self._waiting)

    def times(self, game_id: int) -> int:
        """How often something may have happened in a game since it is followed."""
        return self._woken.get(game_id, 0)

    @contextmanager
    def follow(self, game_id: int) -> Iterator[asyncio.Event]:
        """Set whenever something may have happened in a game; the follower clears it."""
        news = asyncio.Event()
        self._waiting[game_id].add(news)
        try:
            yield news
        finally:
            self._waiting[game_id].discard(news)
            if not self._waiting[game_id]:
                del self._waiting[game_id]
                self._woken.pop(game_id, None)

    def wake(self, game_id: int) -> None:
        """Something may have happened in a game."""
        if game_id in self._waiting:
            self._woken[game_id] = self.times(game_id) + 1
            for news in self._waiting[game_id]:
                news.set()

    def wake_all(self) -> None:
        """Something may have happened in any game."""
        for game_id in self.games:
            self.wake(game_id)
