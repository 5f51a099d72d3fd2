"""`/health`: the bot's condition, for its owner and for monitoring."""

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

FindLastBackup: TypeAlias = Callable[[], Awaitable[datetime | None]]
"""A function that returns the time of the last database backup; None if there is none."""

DISCORD_WORKS_TEXT: Final = "works"
"""Word for Discord's state in the health report if there is no outage."""
MEASUREMENT_INTERVAL_SECONDS: Final = 0.25
"""Seconds between two measurements of the event loop's lag."""
MAX_LAG_MEASUREMENTS: Final = 240
"""Number of lag measurements kept: those of the last minute."""
SLOW_LAG_SECONDS: Final = 1.0
"""Seconds of event loop lag above which the health report shows a fault."""
OLD_NOTICE_SECONDS: Final = 600.0
"""Age in seconds above which an unposted notice (outbox row) is reported as a fault."""
STALE_BACKUP_AGE: Final = timedelta(hours=36)
"""Age of the last backup above which the health report warns."""
FIRST_BACKUP_SECONDS: Final = 1200.0
"""Seconds after the start at which the health report warns if no backup exists."""


@app_commands.command(name="health", extras=needs("own", RequestKind.QUESTION))
@app_commands.guild_only()
@app_commands.default_permissions(administrator=True)
async def health(interaction: discord.Interaction[Any]) -> None:
    """Show the health of this bot, to its owner only."""
    await defer(interaction)
    report: HealthReport = await interaction.client.health.state()
    await reply(interaction, report.text())


class EventLoopLag:
    """Measures the event loop's lag: how many seconds late a short sleep ends."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._measurements: deque[float] = deque(maxlen=MAX_LAG_MEASUREMENTS)

    async def keep_measuring(self) -> None:
        """Measure the event loop's lag repeatedly until cancelled."""
        while True:
            start = self._clock()
            await asyncio.sleep(MEASUREMENT_INTERVAL_SECONDS)
            self.add_measurement(self._clock() - start - MEASUREMENT_INTERVAL_SECONDS)

    def add_measurement(self, seconds: float) -> None:
        self._measurements.append(max(0.0, seconds))

    @property
    def latest_seconds(self) -> float:
        """The event loop's lag at the last measurement, in seconds."""
        return self._measurements[-1] if self._measurements else 0.0

    @property
    def worst_seconds(self) -> float:
        """The worst lag of the event loop in the last minute, in seconds."""
        return max(self._measurements, default=0.0)


@dataclass(frozen=True, slots=True)
class HealthReport:
    """The contents of a health report: connection, lag, backlog and backups. Durations are in seconds."""

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
        """Sentences about faults, such as a lost connection; empty if there are none."""
        applies_by_problem = {
            "not connected to Discord": not self.connected,
            self.outage: self.discord != DISCORD_WORKS_TEXT,
            f"the event loop lagged {self.worst_lag:.1f} s": self.worst_lag > SLOW_LAG_SECONDS,
            f"the oldest unsent notice is {self.oldest_notice:.0f} s old": self.oldest_notice
            > OLD_NOTICE_SECONDS,
        }
        return [problem_text for problem_text, applies in applies_by_problem.items() if applies]

    @property
    def warnings(self) -> list[str]:
        """Sentences about lesser problems, such as an old backup; empty if there are none."""
        warnings = {
            f"no recent backup (last: {self.last_backup or 'never'})": self.stale_backup,
            f"Discord refuses {count_noun(self.parked_posts, 'post')}": self.parked_posts > 0,
        }
        return [problem_text for problem_text, applies in warnings.items() if applies]

    def json(self) -> dict[str, Any]:
        """The health report as a JSON object."""
        status = "trouble" if self.troubles else "ok"
        return {"status": status, "troubles": self.troubles, "warnings": self.warnings, **asdict(self)}

    def text(self) -> str:
        """The health report as lines of text."""
        lines = [f"{name.replace('_', ' ')}: {_number_text(value)}" for name, value in asdict(self).items()]
        heading = f"Trouble: {', '.join(self.troubles)}." if self.troubles else "All is well."
        return "\n".join([heading, *(f"Warning: {problem_text}." for problem_text in self.warnings), *lines])


class Health:
    """Collects the bot's condition for `/health` and monitoring.

    `find_last_backup` is called for each report; it is None if no backups are made.
    """

    def __init__(
        self,
        tables: Tables,
        is_connected: Callable[[], bool],
        breaker: CircuitBreaker,
        **collection_by_name: Sized,
    ) -> None:
        self._tables = tables
        self._is_connected = is_connected
        self._breaker = breaker
        self._collection_by_name = collection_by_name
        self._started_at = time.monotonic()
        self.lag = EventLoopLag()
        self.find_last_backup: FindLastBackup | None = None

    async def state(self) -> HealthReport:
        """The bot's current condition; raises StorageError."""
        backlog, outage = await outbox.backlog(self._tables.db), self._breaker.outage
        uptime = time.monotonic() - self._started_at
        last_backup = await self.find_last_backup() if self.find_last_backup else None
        return HealthReport(
            version=version(),
            commit=commit(),
            uptime=round(uptime, 1),
            connected=self._is_connected(),
            discord=DISCORD_WORKS_TEXT if outage is None else outage.kind,
            outage="" if outage is None else _outage_text(outage, self._breaker.seconds_open, backlog),
            lag=round(self.lag.latest_seconds, 4),
            worst_lag=round(self.lag.worst_seconds, 4),
            outbox=backlog.row_count,
            parked_posts=backlog.parked_row_count,
            oldest_notice=_seconds_since(backlog.oldest_at),
            live_games=self._tables.live_game_count,
            last_backup=last_backup.isoformat(timespec="seconds") if last_backup else None,
            stale_backup=self.find_last_backup is not None and _is_backup_stale(last_backup, uptime),
            **{name: len(collection) for name, collection in self._collection_by_name.items()},
        )


def standby_report() -> dict[str, Any]:
    """The JSON health report of a standby process, which waits for its shards."""
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
    failing_since = (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(timespec="seconds")
    unposted_count = backlog.row_count - backlog.parked_row_count
    return (
        f"Discord has been failing since {failing_since} ({outage.detail}); {count_noun(unposted_count, 'notice')} for "
        f"{count_noun(backlog.game_count, 'game')} {'is' if unposted_count == 1 else 'are'} waiting"
    )


def _seconds_since(timestamp: str | None) -> float:
    if timestamp is None:
        return 0.0
    return round(max(0.0, (datetime.now(UTC) - datetime.fromisoformat(timestamp)).total_seconds()), 1)


def _number_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unknown" if value is None else str(value)
