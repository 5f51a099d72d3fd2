"""How the bot is: figures for its owner, and for whoever watches the machine."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sized
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final, TypeAlias

from bot.table.service import Tables
from storage import outbox

LastBackup: TypeAlias = Callable[[], Awaitable[datetime | None]]
"""When the games were copied last; None: not that we know."""

LOOK_SECONDS: Final = 0.25
"""How often the event loop is looked at."""
LOOKS: Final = 240
"""Looks that are remembered: those of the last minute."""
SLOW_SECONDS: Final = 1.0
"""Lag of the event loop at which people notice."""
OLD_SECONDS: Final = 600.0
"""Age of the oldest notice at which something keeps it from being posted."""


class Lag:
    """How late the event loop is: seconds over what a short sleep should take."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[float] = deque(maxlen=LOOKS)

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while True:
            before = self._clock()
            await asyncio.sleep(LOOK_SECONDS)
            self.note(self._clock() - before - LOOK_SECONDS)

    def note(self, seconds: float) -> None:
        """Remember one look."""
        self._seen.append(max(0.0, seconds))

    @property
    def now(self) -> float:
        """Seconds at the last look."""
        return self._seen[-1] if self._seen else 0.0

    @property
    def worst(self) -> float:
        """Seconds at the worst look of the last minute."""
        return max(self._seen, default=0.0)


@dataclass(frozen=True, slots=True)
class State:
    """How the bot is at a moment; times in seconds."""

    version: str
    up: float
    connected: bool
    lag: float
    worst_lag: float
    outbox: int
    resting: int
    oldest_notice: float
    live_games: int
    pictures: int
    waiting_pictures: int
    allowances: int
    last_backup: str | None

    @property
    def troubles(self) -> list[str]:
        """What is not as it should be, in words; nothing if all is well."""
        found = {
            "not connected to Discord": not self.connected,
            f"the event loop was {self.worst_lag:.1f} s late": self.worst_lag > SLOW_SECONDS,
            f"a notice waits for {self.oldest_notice:.0f} s": self.oldest_notice > OLD_SECONDS,
        }
        return [words for words, so in found.items() if so]

    def json(self) -> dict[str, Any]:
        """As an object for programs."""
        return {"status": "trouble" if self.troubles else "ok", "troubles": self.troubles, **asdict(self)}

    def text(self) -> str:
        """As lines for a person."""
        lines = [f"{name.replace('_', ' ')}: {_shown(value)}" for name, value in asdict(self).items()]
        return "\n".join(
            [f"Trouble: {', '.join(self.troubles)}." if self.troubles else "All is well.", *lines]
        )


class Health:
    """Collects the figures; `last_backup` is asked anew each time."""

    def __init__(self, tables: Tables, connected: Callable[[], bool], **sizes: Sized) -> None:
        self._tables = tables
        self._connected = connected
        self._sizes = sizes
        self._since = time.monotonic()
        self.lag = Lag()
        self.last_backup: LastBackup = _unknown

    async def state(self) -> State:
        """How it is now; raises StorageError."""
        waiting = await outbox.backlog(self._tables.db)
        copied = await self.last_backup()
        return State(
            version=version("stationmaster"),
            up=round(time.monotonic() - self._since, 1),
            connected=self._connected(),
            lag=round(self.lag.now, 4),
            worst_lag=round(self.lag.worst, 4),
            outbox=waiting.rows,
            resting=waiting.resting,
            oldest_notice=_age(waiting.oldest),
            live_games=self._tables.live_games,
            last_backup=copied.isoformat(timespec="seconds") if copied else None,
            **{name: len(things) for name, things in self._sizes.items()},
        )


async def _unknown() -> None:
    """Nobody has said how to look for backups."""


def _age(at: str | None) -> float:
    if at is None:
        return 0.0
    return round(max(0.0, (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds()), 1)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unknown" if value is None else str(value)
