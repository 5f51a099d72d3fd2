"""Whoever has to act is called once, after a while in which he may act unasked."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest_asyncio

from bot.table.pausing import Pausing
from tests.bot.house import House

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
DEBOUNCE = 30.0


class Clock:
    """A clock that stands still until it is moved on."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.now = START
        self.hold()

    def hold(self) -> None:
        """Give it to the bot that runs now."""
        self._house.client.tables.clock = lambda: self.now.isoformat(timespec="milliseconds")

    async def on(self, **by: float) -> None:
        """Let time pass, and look who is due then; waits until all it led to is posted."""
        self.now += timedelta(**by)
        await self.look()

    async def look(self) -> None:
        """Look who is due."""
        await self._house.client.calls.look()
        await self._house.settled()

    async def restart(self, **down: float) -> None:
        """Restart the bot, which is down for a time."""
        await self._house.stop()
        self.now += timedelta(**down)
        await self._house.start()
        self.hold()
        await self._house.settled()


@pytest_asyncio.fixture(name="patient")
async def _patient(tmp_path: Path) -> AsyncIterator[House]:
    """A house in which whoever has to act is called half a minute later."""
    async with House.opened(tmp_path / "games.db", ping_after=DEBOUNCE) as house:
        yield house


async def test_whoever_has_to_act_is_called_once_after_a_while(patient: House) -> None:
    clock, game = Clock(patient), await patient.game()
    await game.press("Ann", "Pass")
    assert (game.pings("Bob"), game.turn.content[:7]) == (0, "**Bob**")
    await clock.on(seconds=29)
    assert game.pings("Bob") == 0
    await clock.on(seconds=1)
    assert game.pings("Bob") == 1
    assert game.turn.content.startswith(patient.person("Bob").mention)
    assert [m for m in game.messages if m.buttons] == [game.turn]
    for _ in range(3):
        await clock.on(minutes=1)
    assert game.pings("Bob") == 1


async def test_whoever_acts_in_time_is_not_called(patient: House) -> None:
    clock, game = Clock(patient), await patient.game()
    await game.press("Ann", "Pass")
    await clock.on(seconds=20)
    await game.press("Bob", "Pass")
    await clock.on(seconds=20)
    assert (game.pings("Bob"), game.pings("Cy")) == (0, 0)
    await clock.on(seconds=10)
    assert (game.pings("Bob"), game.pings("Cy")) == (0, 1)


async def test_nobody_is_called_in_a_pause(patient: House) -> None:
    clock, game = Clock(patient), await patient.game()
    await game.press("Ann", "Pass")
    await Pausing(patient.client.tables).begin(game.number, patient.person("Cy").id, None)
    await clock.on(hours=50)
    assert game.pings("Bob") == 0
    await Pausing(patient.client.tables).end(game.number, patient.person("Cy").id)
    await clock.on(seconds=30)
    assert game.pings("Bob") == 1
