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
from bot.table.rate_limits import RequestKind
from bot.table.tables import Tables
from bot.version_and_commit import commit, version
from storage import outbox

LastBackup: TypeAlias = Callable[[], Awaitable[datetime | None]]
"""A function that returns the time of the last backup; None if there is none."""

DISCORD_WORKS: Final = "works"
"""The state of Discord in the report if there is no outage."""
MEASUREMENT_SECONDS: Final = 0.25
"""Seconds between two measurements of the event loop's lag."""
MAX_MEASUREMENTS: Final = 240
"""The number of measurements kept, which cover the last minute."""
SLOW_LAG_SECONDS: Final = 1.0
"""The lag of the event loop, in seconds, that users notice."""
OLD_NOTICE_SECONDS: Final = 600.0
"""The age of the oldest unposted notice, in seconds, that counts as a fault."""
STALE_BACKUP_AGE: Final = timedelta(hours=36)
"""The age of the last backup that counts as too old."""
FIRST_BACKUP_SECONDS: Final = 1200.0
"""Seconds after the start within which a first backup must be made."""


@app_commands.command(name="health", extras=needs("own", RequestKind.QUESTION))
@app_commands.guild_only()
@app_commands.default_permissions(administrator=True)
async def health(interaction: discord.Interaction[Any]) -> None:
    """Show the health of this bot, to its owner only."""
    await defer(interaction)
    condition: Condition = await interaction.client.health.state()
    await reply(interaction, condition.text())


class EventLoopLag:
    """Measures the event loop's lag: the seconds by which a short sleep takes too long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._measurements: deque[float] = deque(maxlen=MAX_MEASUREMENTS)

    async def keep_measuring(self) -> None:
        """Measure until cancelled."""
        while True:
            start = self._clock()
            await asyncio.sleep(MEASUREMENT_SECONDS)
            self.add_measurement(self._clock() - start - MEASUREMENT_SECONDS)

    def add_measurement(self, seconds: float) -> None:
        self._measurements.append(max(0.0, seconds))

    @property
    def latest_seconds(self) -> float:
        """The lag at the last measurement."""
        return self._measurements[-1] if self._measurements else 0.0

    @property
    def worst_seconds(self) -> float:
        """The largest lag in the last minute."""
        return max(self._measurements, default=0.0)


@dataclass(frozen=True, slots=True)
class Condition:
    """The condition of the bot; durations are in seconds."""

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
        """Faults in words; empty if there are none."""
        faults = {
            "not connected to Discord": not self.connected,
            self.outage: self.discord != DISCORD_WORKS,
            f"the event loop lagged {self.worst_lag:.1f} s": self.worst_lag > SLOW_LAG_SECONDS,
            f"the oldest unsent notice is {self.oldest_notice:.0f} s old": self.oldest_notice
            > OLD_NOTICE_SECONDS,
        }
        return [words for words, so in faults.items() if so]

    @property
    def warnings(self) -> list[str]:
        """Warnings in words for the owner of a bot without faults."""
        warnings = {
            f"no recent backup (last: {self.last_backup or 'never'})": self.stale_backup,
            f"Discord refuses {count_noun(self.parked_posts, 'post')}": self.parked_posts > 0,
        }
        return [words for words, so in warnings.items() if so]

    def json(self) -> dict[str, Any]:
        """The report as a JSON object."""
        status = "trouble" if self.troubles else "ok"
        return {"status": status, "troubles": self.troubles, "warnings": self.warnings, **asdict(self)}

    def text(self) -> str:
        """The report as lines of text."""
        lines = [f"{name.replace('_', ' ')}: {_number_text(value)}" for name, value in asdict(self).items()]
        heading = f"Trouble: {', '.join(self.troubles)}." if self.troubles else "All is well."
        return "\n".join([heading, *(f"Warning: {words}." for words in self.warnings), *lines])


class Health:
    """Collects the condition of the bot; `last_backup` is called each time (None: no backups are made)."""

    def __init__(
        self, tables: Tables, is_connected: Callable[[], bool], breaker: CircuitBreaker, **sizes: Sized
    ) -> None:
        self._tables = tables
        self._connected = is_connected
        self._breaker = breaker
        self._sizes = sizes
        self._since = time.monotonic()
        self.lag = EventLoopLag()
        self.last_backup: LastBackup | None = None

    async def state(self) -> Condition:
        """The present condition; raises StorageError."""
        backlog, outage = await outbox.backlog(self._tables.db), self._breaker.outage
        uptime = time.monotonic() - self._since
        last_backup = await self.last_backup() if self.last_backup else None
        return Condition(
            version=version(),
            commit=commit(),
            uptime=round(uptime, 1),
            connected=self._connected(),
            discord=DISCORD_WORKS if outage is None else outage.kind,
            outage="" if outage is None else _outage_text(outage, self._breaker.seconds_open, backlog),
            lag=round(self.lag.latest_seconds, 4),
            worst_lag=round(self.lag.worst_seconds, 4),
            outbox=backlog.rows,
            parked_posts=backlog.parked_rows,
            oldest_notice=_seconds_since(backlog.oldest_at),
            live_games=self._tables.live_games,
            last_backup=last_backup.isoformat(timespec="seconds") if last_backup else None,
            stale_backup=self.last_backup is not None and _is_backup_stale(last_backup, uptime),
            **{name: len(things) for name, things in self._sizes.items()},
        )


def standby_report() -> dict[str, Any]:
    """The JSON report of a standby process."""
    return {
        "status": "standby",
        "troubles": [],
        "warnings": [],
        "version": version(),
        "commit": commit(),
        "connected": False,
    }


def _is_backup_stale(last_backup: datetime | None, uptime: float) -> bool:
    return (
        uptime > FIRST_BACKUP_SECONDS
        if last_backup is None
        else datetime.now(UTC) - last_backup > STALE_BACKUP_AGE
    )


def _outage_text(outage: Outage, seconds: float, backlog: outbox.Backlog) -> str:
    """A sentence about an outage: its kind and start, and the waiting posts."""
    failing_since = (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(timespec="seconds")
    posts = backlog.rows - backlog.parked_rows
    return (
        f"Discord has been failing since {failing_since} ({outage.detail}); {count_noun(posts, 'notice')} for "
        f"{count_noun(backlog.games, 'game')} {'is' if posts == 1 else 'are'} waiting"
    )


def _seconds_since(timestamp: str | None) -> float:
    if timestamp is None:
        return 0.0
    return round(max(0.0, (datetime.now(UTC) - datetime.fromisoformat(timestamp)).total_seconds()), 1)


def _number_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unknown" if value is None else str(value)
