"""`/health`: numbers for the owner of the bot, and for monitoring."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sized
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.client.entry.replies import defer, reply
from bot.client.entry.rights import needs
from bot.table.markdown import count_noun
from bot.table.outbox.circuit_breaker import CircuitBreaker, Outage
from bot.table.rate_limits import Kind
from bot.table.tables import Tables
from bot.version_and_commit import commit, version
from storage import outbox

LastBackup: TypeAlias = Callable[[], Awaitable[datetime | None]]
"""When the games were copied last; None: never."""

WORKS: Final = "works"
"""The one word for Discord while there is no outage."""
LOOK_SECONDS: Final = 0.25
"""Seconds between two looks at the event loop."""
LOOKS: Final = 240
"""Looks that are remembered: those of the last minute."""
SLOW_SECONDS: Final = 1.0
"""Lag of the event loop at which people notice."""
OLD_SECONDS: Final = 600.0
"""Age of the oldest notice at which something keeps it from being posted."""
STALE: Final = timedelta(hours=36)
"""Age of the last daily copy at which one was missed."""
FIRST_COPY_SECONDS: Final = 1200.0
"""Seconds after which there is a copy, unless none can be made."""


@app_commands.command(name="health", extras=needs("own", Kind.QUESTION))
@app_commands.guild_only()
@app_commands.default_permissions(administrator=True)
async def health(interaction: discord.Interaction[Any]) -> None:
    """Show the health of this bot, to its owner only."""
    await defer(interaction)
    state: Condition = await interaction.client.health.state()
    await reply(interaction, state.text())


class Lag:
    """The event loop's delay: seconds that a short sleep takes too long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._measurements: deque[float] = deque(maxlen=LOOKS)

    async def watch(self) -> None:
        """Measure until cancelled."""
        while True:
            before = self._clock()
            await asyncio.sleep(LOOK_SECONDS)
            self.add_measurement(self._clock() - before - LOOK_SECONDS)

    def add_measurement(self, seconds: float) -> None:
        self._measurements.append(max(0.0, seconds))

    @property
    def latest(self) -> float:
        """Seconds at the last measurement."""
        return self._measurements[-1] if self._measurements else 0.0

    @property
    def worst(self) -> float:
        """Most seconds in the last minute."""
        return max(self._measurements, default=0.0)


@dataclass(frozen=True, slots=True)
class Condition:
    """The bot's condition; times in seconds."""

    version: str
    commit: str
    uptime: float
    connected: bool
    discord: str
    outage: str
    lag: float
    worst_lag: float
    outbox: int
    parked_posts: int
    oldest_notice: float
    live_games: int
    pictures: int
    waiting_pictures: int
    allowances: int
    last_backup: str | None
    stale_backup: bool

    @property
    def troubles(self) -> list[str]:
        """Faults in words; empty if all is well."""
        faults = {
            "not connected to Discord": not self.connected,
            self.outage: self.discord != WORKS,
            f"the event loop lagged {self.worst_lag:.1f} s": self.worst_lag > SLOW_SECONDS,
            f"the oldest unsent notice is {self.oldest_notice:.0f} s old": self.oldest_notice > OLD_SECONDS,
        }
        return [words for words, so in faults.items() if so]

    @property
    def warnings(self) -> list[str]:
        """Warnings for the owner while the bot is well, in words."""
        warnings = {
            f"no recent backup: the last was {self.last_backup or 'never'}": self.stale_backup,
            f"Discord refuses {count_noun(self.parked_posts, 'post')}": self.parked_posts > 0,
        }
        return [words for words, so in warnings.items() if so]

    def json(self) -> dict[str, Any]:
        """The report as an object for programs."""
        status = "trouble" if self.troubles else "ok"
        return {"status": status, "troubles": self.troubles, "warnings": self.warnings, **asdict(self)}

    def text(self) -> str:
        """The report as lines for a person."""
        lines = [f"{name.replace('_', ' ')}: {_number_text(value)}" for name, value in asdict(self).items()]
        first = f"Trouble: {', '.join(self.troubles)}." if self.troubles else "All is well."
        return "\n".join([first, *(f"Warning: {words}." for words in self.warnings), *lines])


class Health:
    """Collects the bot's condition; `last_backup` is asked each time, and is None without backups."""

    def __init__(
        self, tables: Tables, connected: Callable[[], bool], breaker: CircuitBreaker, **sizes: Sized
    ) -> None:
        self._tables = tables
        self._connected = connected
        self._breaker = breaker
        self._sizes = sizes
        self._since = time.monotonic()
        self.lag = Lag()
        self.last_backup: LastBackup | None = None

    async def state(self) -> Condition:
        """The present condition; raises StorageError."""
        waiting, outage = await outbox.backlog(self._tables.db), self._breaker.outage
        up = time.monotonic() - self._since
        copied = await self.last_backup() if self.last_backup else None
        return Condition(
            version=version(),
            commit=commit(),
            uptime=round(up, 1),
            connected=self._connected(),
            discord=WORKS if outage is None else outage.reason,
            outage="" if outage is None else _sentence(outage, self._breaker.seconds_open, waiting),
            lag=round(self.lag.latest, 4),
            worst_lag=round(self.lag.worst, 4),
            outbox=waiting.rows,
            parked_posts=waiting.parked,
            oldest_notice=_age(waiting.oldest),
            live_games=self._tables.live_games,
            last_backup=copied.isoformat(timespec="seconds") if copied else None,
            stale_backup=self.last_backup is not None and _is_stale(copied, up),
            **{name: len(things) for name, things in self._sizes.items()},
        )


def standby() -> dict[str, Any]:
    """The JSON object of a process that stands by."""
    return {
        "status": "standby",
        "troubles": [],
        "warnings": [],
        "version": version(),
        "commit": commit(),
        "connected": False,
    }


def _is_stale(copied: datetime | None, up: float) -> bool:
    return up > FIRST_COPY_SECONDS if copied is None else datetime.now(UTC) - copied > STALE


def _sentence(outage: Outage, seconds: float, waiting: outbox.Backlog) -> str:
    """An outage in a sentence: kind, start, and waiting posts."""
    since = (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(timespec="seconds")
    posts = waiting.rows - waiting.parked
    return (
        f"Discord has been failing since {since} ({outage.detail}); {posts} notices of "
        f"{waiting.games} games are waiting"
    )


def _age(at: str | None) -> float:
    if at is None:
        return 0.0
    return round(max(0.0, (datetime.now(UTC) - datetime.fromisoformat(at)).total_seconds()), 1)


def _number_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unknown" if value is None else str(value)
