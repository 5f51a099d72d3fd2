"""How the bot is: figures that are true, for its owner and for programs on the machine."""

import asyncio
from datetime import UTC, datetime, timedelta
from importlib.metadata import version

import aiohttp
import pytest

from bot.client.health import LOOKS, SLOW_SECONDS, Lag
from bot.tools.health_port import telling
from storage import outbox
from storage.outbox import Notice
from tests.bot.house import House

BUSY = 30.0
"""Seconds by which the event loop may be late on a busy machine, where that is not what is looked at."""


async def test_the_owner_is_told_and_nobody_else(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.client.health.SLOW_SECONDS", BUSY)
    game = await house.game()
    told = (await house.person("Ann").slash(game.thread, "health")).text
    assert told.startswith("All is well.")
    assert f"version: {version('stationmaster')}" in told
    assert "live games: 1" in told
    assert "last backup: unknown" in told
    # Administrators of a server see the command, too.
    assert house.client.application is not None
    monkeypatch.setattr(house.client.application.owner, "id", house.person("Bob").id)
    refused = await house.person("Ann").slash(game.thread, "health")
    assert refused.text == "Only the owner of this bot may look at that."


async def test_the_figures_are_those_of_the_moment(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.client.health.SLOW_SECONDS", BUSY)
    game = await house.game()
    await game.slash("Ann", "market")
    health = house.client.health
    state = await health.state()
    assert (state.outbox, state.oldest_notice, state.troubles) == (0, 0.0, [])
    assert (state.connected, state.live_games, state.pictures >= 2) == (True, 1, True)
    since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    await outbox.add_once(house.db, game.number, 1, Notice("nothing known", "{}"), since)
    copied = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    async def last_backup() -> datetime:
        return copied

    health.last_backup = last_backup
    later = await health.state()
    assert later.outbox == 1
    assert 3600 <= later.oldest_notice < 3700
    assert later.last_backup == "2026-01-02T03:04:05+00:00"
    assert later.troubles == [f"a notice waits for {later.oldest_notice:.0f} s"]


async def test_a_loop_that_is_held_up_is_noticed(house: House) -> None:
    lag = house.client.health.lag
    assert lag.worst < SLOW_SECONDS
    lag.note(3.0)
    assert (lag.now, lag.worst) == (3.0, 3.0)
    assert "the event loop was 3.0 s late" in (await house.client.health.state()).troubles
    for _ in range(LOOKS):
        lag.note(-0.001)
    assert (lag.now, lag.worst) == (0.0, 0.0)


async def test_lag_is_what_a_sleep_took_too_long() -> None:
    times = iter([10.0, 12.25, 20.0, 20.25])
    lag = Lag(lambda: next(times))
    watching = asyncio.create_task(lag.watch())
    with pytest.raises(RuntimeError):  # the clock has no more times
        await watching
    assert (lag.worst, lag.now) == (2.0, 0.0)


async def test_programs_ask_at_a_port_of_the_loopback_address(house: House) -> None:
    async with telling(house.client.health, 0) as port, aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/health") as answer:
            said = await answer.json()
            assert answer.status == 200
        assert said["status"] == "ok"
        assert said["connected"] is True
        house.client.health.lag.note(9.0)
        async with session.get(f"http://127.0.0.1:{port}/health") as answer:
            assert answer.status == 503
            assert (await answer.json())["troubles"] == ["the event loop was 9.0 s late"]
        await house.db.close()
        async with session.get(f"http://127.0.0.1:{port}/health") as answer:
            assert answer.status == 503
            assert (await answer.json())["troubles"] == ["The database is closed."]


async def test_without_a_port_nothing_listens(house: House) -> None:
    async with telling(house.client.health, None) as port:
        assert port is None


async def test_what_rests_is_counted_and_is_no_trouble_of_the_bot(house: House) -> None:
    """Anybody who deletes a thread would otherwise raise an alarm that nobody can end."""
    game = await house.game()
    since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    row = await outbox.add_once(house.db, game.number, 1, Notice("nothing known", "{}"), since)
    assert row
    (posting,) = await outbox.of_game(house.db, game.number)
    await outbox.set_aside(house.db, posting.id, error="no such thread", now=since)
    state = await house.client.health.state()
    assert (state.outbox, state.resting, state.oldest_notice, state.troubles) == (1, 1, 0.0, [])
