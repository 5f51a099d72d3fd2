"""The look of each minute: clocks of games whose players can act, and caretakers who may have to move."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

import pytest

from bot.client.caretaker_moves import CaretakerMoves
from bot.client.requests.retries import MINUTE_SECONDS, repeat_check
from bot.table.errors import Refused
from storage import SeatEntry, StorageError, clocks, seats
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.support.timed import Timed

HOUR = timedelta(hours=1)


async def test_look_that_fails_is_logged_and_repeated(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    faults = [StorageError("the disk is full"), Refused("damaged"), KeyError("a mistake of ours")]
    slept: list[float] = []

    async def look() -> None:
        if faults:
            raise faults.pop(0)
        raise asyncio.CancelledError

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    with pytest.raises(asyncio.CancelledError):
        await repeat_check("expired pauses and substitutions", look, MINUTE_SECONDS, sleep)
    assert slept == [60.0] * 3
    assert [record.exc_info is not None for record in caplog.records] == [False, False, True]
    assert "expired pauses and substitutions: the disk is full" in caplog.text


# --- clocks ----------------------------------------------------------------------------------------------------------


async def stands(table: Timed) -> bool:
    await table.look()
    return any(one.until is None for one in await clocks.clock_stops(table.sandbox.db, table.game.number))


async def server_away(sandbox: SandboxBot, away: bool) -> None:
    server, faults = sandbox.client.guilds[0], sandbox.server.faults.sockets
    home = sandbox.world.guilds[server.id]
    await (faults.take_down(home) if away else faults.bring_back(sandbox.world, home))
    known = sandbox.client.get_guild
    await sandbox.learns(lambda: ((found := known(home.id)) is None or found.unavailable) == away)


async def post_refused(sandbox: SandboxBot, refused: bool) -> None:
    problems = sandbox.client.delivery_problems
    if refused:
        problems.record(1, "place", "The thread is gone.")
    else:
        problems.clear(1, "place")


async def thread_lost(sandbox: SandboxBot, lost: bool) -> None:
    places = sandbox.client.tables.game_threads
    if lost:
        places.record_lost_thread(1, sandbox.lobby_channel)
    else:
        places.forget_lost_thread(1)


Trouble = Callable[[SandboxBot, bool], Coroutine[Any, Any, None]]


@pytest.mark.parametrize("trouble", [server_away, post_refused, thread_lost])
async def test_clocks_stand_while_nobody_can_act(sandbox: SandboxBot, trouble: Trouble) -> None:
    """Before they run again the game is read: it may be damaged, or wait for a moderator."""
    table = await Timed.opened(sandbox)
    assert not await stands(table)
    await trouble(sandbox, True)
    assert await stands(table)
    await table.passes(HOUR)
    assert await table.counted("Ann") == timedelta()
    await trouble(sandbox, False)
    async with sandbox.client.tables.reading(table.game.number) as live:
        live.hold_reason = "It waits for a moderator."
    assert await stands(table)
    live.hold_reason = None
    assert not await stands(table)
    await table.passes(HOUR)
    assert await table.counted("Ann") == HOUR


async def test_outage_of_discord_counts_for_nobody(sandbox: SandboxBot) -> None:
    table, breaker = await Timed.opened(sandbox), sandbox.client.breaker
    breaker.record_block("this address is blocked", 10**6)
    for _ in range(2):
        await sandbox.client.clock_checker.check_clocks()
        table.now += 2 * HOUR
    breaker.record_success(was_write=True)
    await table.look()
    assert await table.counted("Ann") == timedelta()


async def test_broken_clocks_stop_no_others(sandbox: SandboxBot) -> None:
    tables = [await Timed.opened(sandbox, at_zero="pass") for _ in range(2)]
    await sandbox.db.write(lambda tx: tx.run("UPDATE turns SET since = 'soon' WHERE game_id = 1"))
    sandbox.client.tables.forget(1)
    tables[1].set()
    await tables[1].passes(timedelta(days=30))
    assert [await table.game.seq() for table in tables] == [1, 2]


# --- caretakers ------------------------------------------------------------------------------------------------------


class Background:
    """Caretakers, and the jobs they begin in the background."""

    def __init__(self, service: TableService) -> None:
        self.begun = 0
        self._jobs: list[asyncio.Task[None]] = []
        self.caretakers = CaretakerMoves(service.tables, self._begin)

    def _begin(self, job: Coroutine[Any, Any, None]) -> None:
        self.begun += 1
        self._jobs.append(asyncio.create_task(job))

    async def done(self) -> int:
        await asyncio.gather(*self._jobs)
        begun, self.begun = self.begun, 0
        return begun

    async def look(self) -> int:
        await self.caretakers.wake_all()
        return await self.done()


async def cared_for(service: TableService) -> int:
    """A game in which a caretaker plays for Bob, who is next after Ann."""
    game = await service.game()
    entry = SeatEntry("p2", "caretaker", BOB, "Bob", 1, None, service.tables.clock())
    await seats.record_seat_change(service.db, game, entry, notices=[])
    service.tables.forget(game)
    return game


async def test_waiting_caretakers_are_left_alone(service: TableService) -> None:
    """Until something changes."""
    game, background = await cared_for(service), Background(service)
    assert [await background.look() for _ in range(2)] == [1, 0]
    for _ in range(2):
        background.caretakers.wake(game)
    assert await background.done() == 1, "one at a time in each game"
    assert await background.look() == 0
    await service.do(game, ANN, "pass")
    background.caretakers.wake(game)
    assert await background.done() == 1
    async with service.tables.reading(game) as live:
        assert live.game.actors() == ("p3",)
    assert await background.look() == 0


async def test_change_during_a_caretakers_look_is_seen(service: TableService) -> None:
    game, background = await cared_for(service), Background(service)
    async with service.tables.lock(game):
        await background.caretakers.wake_all()
        await asyncio.sleep(0)
        background.caretakers.wake(game)
    assert await background.done() == 1
    assert await background.look() == 1


async def test_failed_caretakers_are_tried_again(service: TableService) -> None:
    game, background = await cared_for(service), Background(service)
    for flaw in ("UPDATE states SET state = '{'", "UPDATE seats SET player_id = 'p9' WHERE seat = 1"):
        await service.db.write(lambda tx, flaw=flaw: tx.run(flaw))  # type: ignore[misc]
    service.tables.forget(game)
    assert [await background.look() for _ in range(2)] == [1, 1]


async def test_only_games_with_caretakers_wake_them(service: TableService) -> None:
    game, background = await cared_for(service), Background(service)
    assert await background.look() == 1
    entry = SeatEntry("p2", "holder", BOB, "Bob", 1, None, service.tables.clock())
    await seats.record_seat_change(service.db, game, entry, notices=[])
    service.tables.forget(game)
    async with service.tables.reading(game):
        background.caretakers.wake(game)
    assert await background.look() == 0
