"""Where a thread could not show a move, moves are refused, and nothing runs against the player who must act."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.sandbox.guild import permissions, seed, threads
from bot.table.clocks.deadlines import TIME_UP_MARK
from storage import games
from tests.bot.pings.test_pings_direct import chosen
from tests.bot.sandbox import guild
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated
from tests.bot.support.timed import Timed
from tests.bot.support.waiting import direct_messages, handed_over

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def changed(**how: bool) -> Callable[[SandboxBot, Seated], None]:
    """A change of the game's thread by a moderator of the server."""
    return lambda sandbox, game: change(sandbox, game, **how)


def change(sandbox: SandboxBot, game: Seated, **how: bool) -> None:
    """Lock, archive or open the thread of a game."""
    threads.change(sandbox.world, sandbox.world.channel(game.thread), how)


def taken(bit: int) -> Callable[[SandboxBot, Seated], None]:
    """The bot lacks a permission from now on."""
    return lambda sandbox, _: guild.take(sandbox.world, bit)


REFUSING = {
    "locked": changed(locked=True),
    "locked and archived": changed(locked=True, archived=True),
    "no Send Messages in Threads": taken(permissions.SEND_IN_THREADS),
    "no View Channel": taken(permissions.VIEW_CHANNEL),
    "no Embed Links": taken(permissions.EMBED_LINKS),
    "no Attach Files": taken(permissions.ATTACH_FILES),
    "no Read Message History": taken(permissions.READ_HISTORY),
}


async def learns(sandbox: SandboxBot, game: Seated, *, shows: bool) -> None:
    """Wait until the bot has heard if the thread could show a move."""
    row = await games.get_game(sandbox.db, game.number)
    async with asyncio.timeout(PATIENCE):
        while await sandbox.client.showable.can_show(row) != shows:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def closed(sandbox: SandboxBot, game: Seated, how: str = "locked") -> None:
    """Let moves be refused from now on."""
    REFUSING[how](sandbox, game)
    await learns(sandbox, game, shows=False)


async def opened(sandbox: SandboxBot, game: Seated) -> None:
    """Let moves be possible again."""
    change(sandbox, game, locked=False, archived=False)
    guild.grant(sandbox.world, seed.INVITED)
    await learns(sandbox, game, shows=True)


# --- clocks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", REFUSING)
async def test_refusal_stops_the_clock(sandbox: SandboxBot, how: str) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.passes(HOUR)
    await closed(sandbox, table.game, how)
    await table.look()
    await table.passes(30 * DAY)
    assert table.lines_with("time is up") == table.lines_with(TIME_UP_MARK) == 0
    await opened(sandbox, table.game)
    await table.look()
    await table.passes(HOUR)
    assert await table.counted("Ann") == 2 * HOUR
    await table.passes(6 * DAY)
    assert table.lines_with(TIME_UP_MARK) == 1


async def test_move_right_after_is_not_charged(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    await closed(sandbox, table.game)
    await table.look()
    table.now += 3 * DAY
    await opened(sandbox, table.game)
    await table.game.press("Ann", "Pass")
    assert await table.bank("Ann") == 5 * DAY


async def test_archived_lock_stays(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await closed(sandbox, table.game)
    await table.look()
    assert "**Ann**'s clock stands; left of turn and bank: 5 days 12 hours." in await table.status("Bob")
    change(sandbox, table.game, archived=True)
    await sandbox.learns(lambda: sandbox.client.get_channel(table.game.thread) is None)
    await table.restarted(timedelta(minutes=1))  # Discord lists no archived threads when the bot connects
    await table.passes(30 * DAY)
    assert (await table.counted("Ann"), table.lines_with(TIME_UP_MARK)) == (timedelta(), 0)


async def test_archived_thread_stops_no_clock(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox)
    change(sandbox, table.game, archived=True)
    await sandbox.learns(lambda: sandbox.client.get_channel(table.game.thread) is None)
    await table.passes(HOUR)
    assert await table.counted("Ann") == HOUR


# --- pings -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["locked", "locked and archived", "no Send Messages in Threads"])
async def test_refusal_stops_reminders(patient: SandboxBot, how: str) -> None:
    await chosen(patient, "Bob", how="both")
    clock, game = await handed_over(patient)
    await clock.on(seconds=30)
    assert (game.pings("Bob"), len(direct_messages(patient, "Bob"))) == (1, 1)
    await closed(patient, game, how)
    for _ in range(9):
        await clock.on(hours=24)
    assert (game.pings("Bob"), len(direct_messages(patient, "Bob"))) == (1, 1)
    await opened(patient, game)
    await clock.on(minutes=1)
    assert game.pings("Bob") == 2
    assert "Reminder 1" in game.turn.content


async def test_first_ping_waits(patient: SandboxBot) -> None:
    clock, game = await handed_over(patient)
    await closed(patient, game)
    await clock.on(hours=3)
    assert game.pings("Bob") == 0
    await opened(patient, game)
    await clock.on(minutes=1)
    assert game.pings("Bob") == 1


# --- the board page --------------------------------------------------------------------------------------------------
