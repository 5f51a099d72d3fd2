"""Who waits for news of a game: each learns when its log has a new row."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class Followers:
    """Those that follow games, such as open board pages; one look at a game serves all of them."""

    def __init__(self) -> None:
        self._waiting: defaultdict[int, set[asyncio.Event]] = defaultdict(set)

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    @property
    def games(self) -> tuple[int, ...]:
        """The games that are followed."""
        return tuple(self._waiting)

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

    def wake(self, game_id: int) -> None:
        """Something may have happened in a game."""
        for news in self._waiting.get(game_id, ()):
            news.set()

    def wake_all(self) -> None:
        """Something may have happened in any game."""
        for game_id in self.games:
            self.wake(game_id)
