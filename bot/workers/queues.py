"""Who waits for a worker: guilds take turns, and nobody asks too many questions at a time."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable
from enum import IntEnum
from typing import Final, Generic, NamedTuple, TypeVar

from bot.workers.errors import TooMany

T = TypeVar("T")

MOST_OF_GUILD: Final = 8
"""Questions of one guild that may wait at a time."""
MOST_OF_PERSON: Final = 3
"""Questions of one person that may wait, or be worked on, at a time."""
NOBODY: Final = 0
"""Stands for the person, or the guild, where there is none."""


class Priority(IntEnum):
    """What a piece of work is for. Each kind has workers of its own, so none waits behind another."""

    MOVE = 0
    """What is shown after a move: pictures, which take milliseconds."""
    SEARCH = 1
    """What a move waits for at its own table, maybe for seconds: best routes, orders, the caretaker."""
    QUESTION = 2
    """What somebody asks."""


class Queue(NamedTuple):
    """Where a piece of work waits: for what it is, in which guild, and who asked."""

    priority: Priority
    guild: int = NOBODY
    person: int = NOBODY
    game: int | None = None
    """The game whose present position the work is about: it ends when the game moves on. None: it does not."""


class Turns(Generic[T]):
    """What one at a time may have: first come, first served within a guild, and guilds take turns."""

    def __init__(self, free: Iterable[T]) -> None:
        self._free = deque(free)
        self._waiting: OrderedDict[int, deque[asyncio.Future[T]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(self.of_guild(guild) for guild in self._waiting)

    def of_guild(self, guild: int) -> int:
        """How many wait in this guild."""
        return sum(not future.done() for future in self._waiting.get(guild, ()))

    async def take(self, guild: int) -> T:
        """Wait for a turn; what is taken must be given back."""
        if self._free:
            return self._free.popleft()
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(guild, deque()).append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.give(future.result())  # it was run, and will not come
            raise

    def give(self, one: T) -> None:
        """Let the next have it; those that have given up waiting are passed over."""
        while self._waiting:
            guild, queue = self._waiting.popitem(last=False)
            future = queue.popleft()
            if queue:
                self._waiting[guild] = queue  # behind the other guilds
            if not future.done():
                future.set_result(one)
                return
        self._free.append(one)


def require_room(queue: Queue, of_guild: int, of_person: int) -> None:
    """Raise TooMany where a guild, or a person, has asked that many questions already; moves are always taken."""
    if queue.priority is not Priority.QUESTION:
        return
    if of_guild >= MOST_OF_GUILD:
        raise TooMany("Many questions of this server are waiting for an answer. Ask again soon.")
    if queue.person != NOBODY and of_person >= MOST_OF_PERSON:
        raise TooMany(
            f"{MOST_OF_PERSON} of your questions are still worked on. Wait for an answer, then ask again."
        )
