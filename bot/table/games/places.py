"""Where games are shown: which thread is whose, and which games of a channel have lost theirs."""

from typing import Final

from bot.table.bounded import BoundedDict

THREADS: Final = 50_000
"""How many threads of games are cached; games that ended long ago are dropped first."""


class Places:
    """Threads and games by number, kept in memory, so that autocomplete needs no database."""

    def __init__(self) -> None:
        self._shown: BoundedDict[int, int] = BoundedDict(THREADS)
        self._lost: dict[int, int] = {}
        """The channel of each game whose thread is gone."""

    def show(self, thread_id: int, game_id: int) -> None:
        """A thread shows a game from now on."""
        self._shown[thread_id] = game_id

    def leave(self, thread_id: int) -> None:
        """A thread shows no game any more."""
        self._shown.pop(thread_id, None)

    def lose(self, game_id: int, channel_id: int) -> None:
        """The thread of a game is gone: until there is another, its channel stands for it."""
        self._lost[game_id] = channel_id

    def find(self, game_id: int) -> None:
        """A game has a thread again, or needs none."""
        self._lost.pop(game_id, None)

    def game_in(self, place: int) -> int | None:
        """The game of this thread, or the only one of this channel that has lost its thread; None elsewhere."""
        if place in self._shown:
            return self._shown[place]
        lost = self.lost_in(place)
        return lost[0] if len(lost) == 1 else None

    def is_lost(self, game_id: int) -> bool:
        """Whether the thread of a game is gone, and there is no other yet."""
        return game_id in self._lost

    def lost_in(self, channel_id: int | None) -> list[int]:
        """The games of a channel that have lost their thread."""
        return [game_id for game_id, channel in self._lost.items() if channel == channel_id]
