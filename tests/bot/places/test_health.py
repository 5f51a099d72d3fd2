"""Health says in numbers and words how the bot is; those who follow a game hear of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.client.features.health import (
    DISCORD_WORKS_TEXT,
    MAX_LAG_MEASUREMENTS,
    OLD_NOTICE_SECONDS,
    SLOW_LAG_SECONDS,
    EventLoopLag,
    Health,
    HealthReport,
)
from bot.table.outbox.circuit_breaker import CircuitBreaker
from storage import OutboxMessage, outbox
from tests.bot.support.table_service import TableService

WELL = HealthReport(
    "1", "c", 5.0, connected=True, discord=DISCORD_WORKS_TEXT, outage="", lag=0.0, worst_lag=SLOW_LAG_SECONDS, outbox=0,
    parked_posts=0, oldest_notice=OLD_NOTICE_SECONDS, live_games=1, pictures=0, waiting_pictures=0, allowances=0,
    last_backup=None, stale_backup=False,
)  # fmt: skip
SIZES = {"pictures": "ab", "waiting_pictures": "", "allowances": "c"}


def test_well_bot_says_so() -> None:
    assert (WELL.troubles, WELL.warnings, WELL.json()["status"]) == ([], [], "ok")
    lines = WELL.text().split("\n")
    assert lines[:2] == ["All is well.", "version: 1"]
    assert {"connected: yes", "stale backup: no", "last backup: unknown", "outbox: 0"} <= set(lines)


@pytest.mark.parametrize(
    ("values", "trouble"),
    [
        ({"connected": False}, "not connected to Discord"),
        ({"discord": "refuses", "outage": "Discord refuses"}, "Discord refuses"),
        ({"worst_lag": SLOW_LAG_SECONDS + 0.1}, "the event loop lagged 1.1 s"),
        ({"oldest_notice": OLD_NOTICE_SECONDS + 1}, "the oldest unsent notice is 601 s old"),
    ],
)
def test_each_trouble_is_said(values: dict[str, Any], trouble: str) -> None:
    found = replace(WELL, **values)
    assert (found.troubles, found.warnings, found.json()["status"]) == ([trouble], [], "trouble")
    assert found.text().startswith(f"Trouble: {trouble}.")


def test_warnings_are_no_trouble() -> None:
    found = replace(WELL, parked_posts=2, stale_backup=True)
    assert found.warnings == [
        "no recent backup (last: never)",
        "Discord refuses 2 posts",
    ]
    assert found.troubles == []
    assert "\nWarning: no recent backup" in found.text()
    once = replace(found, parked_posts=1, last_backup="2026-01-02")
    assert [words.partition(": ")[2] for words in once.warnings] == [
        "2026-01-02)", "",
    ]  # fmt: skip


def test_lag_is_the_worst_of_a_minute() -> None:
    lag = EventLoopLag()
    assert (lag.latest_seconds, lag.worst_seconds) == (0, 0)
    for seconds in (-1.0, 2.0, 0.5):
        lag.add_measurement(seconds)
    assert (lag.latest_seconds, lag.worst_seconds) == (0.5, 2.0)
    for _ in range(MAX_LAG_MEASUREMENTS - 2):
        lag.add_measurement(0.1)
    assert lag.worst_seconds == 2.0
    lag.add_measurement(0.1)
    assert lag.worst_seconds == 0.5


@pytest.mark.parametrize(("seconds", "age"), [(5, 5.0), (-3600, 0.0)])
async def test_outage_says_what_waits(service: TableService, seconds: int, age: float) -> None:
    """A notice of the future is not old."""
    game, breaker = await service.game(), CircuitBreaker()
    await service.db.write(lambda tx: tx.run("DELETE FROM outbox"))
    written = (datetime.now(UTC) - timedelta(seconds=seconds)).isoformat()
    await outbox.queue_notices(service.db, game, 1, [OutboxMessage("line", "a")] * 7, written)
    parked = [str(row.id) for row in (await outbox.unposted_notices_of_game(service.db, game))[:2]]
    park = f"UPDATE outbox SET attempts = 6 WHERE id IN ({', '.join(parked)})"
    await service.db.write(lambda tx: tx.run(park))
    breaker.record_block("Discord blocks this address", 60)
    state = await Health(service.tables, lambda: True, breaker, **SIZES).state()
    assert (state.discord, state.connected, state.outbox, state.parked_posts) == ("blocked", True, 7, 2)
    assert age <= state.oldest_notice < age + 60
    begun, _, rest = state.outage.removeprefix("Discord has been failing since ").partition(" ")
    assert timedelta(0) <= datetime.now(UTC) - datetime.fromisoformat(begun) < timedelta(seconds=60)
    assert rest == "(Discord blocks this address); 5 notices for 1 game are waiting"
    assert state.troubles == [state.outage]


@pytest.mark.parametrize(
    ("minutes", "first_after", "stale"),
    [(35 * 60 + 59, -1.0, False), (36 * 60, 1200.0, True), (None, 1200.0, False), (None, -1.0, True)],
)
async def test_copy_is_stale_after_a_day_and_a_half(
    service: TableService,
    monkeypatch: pytest.MonkeyPatch,
    minutes: int | None,
    first_after: float,
    stale: bool,
) -> None:
    """Or where none came soon."""
    # The process has just started.
    monkeypatch.setattr("bot.client.features.health.FIRST_BACKUP_SECONDS", first_after)
    at = None if minutes is None else datetime.now(UTC) - timedelta(minutes=minutes)

    async def last_backup() -> datetime | None:
        return at

    health = Health(service.tables, lambda: True, CircuitBreaker(), **SIZES)
    assert not (await health.state()).stale_backup, "none are made"
    health.find_last_backup = last_backup
    state = await health.state()
    assert (state.stale_backup, state.last_backup) == (stale, at and at.isoformat(timespec="seconds"))
