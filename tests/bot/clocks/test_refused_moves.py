"""Moves are refused if the thread could not show them; then nothing runs against the player who must act."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.sandbox.guild import permissions, seed, threads
from bot.table.clocks.deadlines import TIME_UP_MARK
from storage import games
from tests.bot.sandbox import guild
from tests.bot.support.sandbox_bot import PATIENCE, SandboxBot, Seated
from tests.bot.support.timed import Timed
from tests.bot.support.waiting import chosen, direct_messages, handed_over

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def changed(**how: bool) -> Callable[[SandboxBot, Seated], None]:
    """A change of the game's thread by a moderator of the server."""
    return lambda sandbox, game: change(sandbox, game, **how)


def change(sandbox: SandboxBot, game: Seated, **how: bool) -> None:
    """Lock, archive or open the thread of a game."""
    threads.change_channel(sandbox.world, sandbox.world.channel(game.thread), how)


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
        while await sandbox.client.thread_visibility.can_show_moves(row) != shows:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def closed(sandbox: SandboxBot, game: Seated, how: str = "locked") -> None:
    """Let moves be refused from now on."""
    REFUSING[how](sandbox, game)
    await learns(sandbox, game, shows=False)


async def opened(sandbox: SandboxBot, game: Seated) -> None:
    """Let moves be possible again."""
    change(sandbox, game, locked=False, archived=False)
    guild.grant(sandbox.world, seed.INVITED_PERMISSIONS)
    await learns(sandbox, game, shows=True)


@pytest.mark.parametrize("how", REFUSING)
async def test_thread_that_shows_no_move(sandbox: SandboxBot, how: str) -> None:
    game = await sandbox.game()
    await closed(sandbox, game, how)
    await opened(sandbox, game)


async def test_refusal_stops_the_clock(sandbox: SandboxBot) -> None:
    table = await Timed.opened(sandbox, at_zero="pass")
    await table.passes(HOUR)
    await closed(sandbox, table.game)
    await table.look()
    assert "**Ann**'s clock is stopped, with 5 days 11 hours left." in await table.status("Bob")
    await table.passes(30 * DAY)
    await opened(sandbox, table.game)
    await table.look()
    await table.passes(HOUR)
    assert (await table.counted("Ann"), table.lines_with(TIME_UP_MARK)) == (2 * HOUR, 0)
    await table.passes(6 * DAY)
    assert table.lines_with(TIME_UP_MARK) == 1


@pytest.mark.parametrize(("locked", "counts"), [(True, 0), (False, 1)])
async def test_archived_thread_stops_no_clock(sandbox: SandboxBot, locked: bool, counts: int) -> None:
    """Unless it is locked, too; Discord lists no archived threads when the bot connects."""
    table = await Timed.opened(sandbox)
    if locked:
        await closed(sandbox, table.game)
        await table.look()
    change(sandbox, table.game, archived=True)
    await sandbox.learns(lambda: sandbox.client.get_channel(table.game.thread) is None)
    await table.restarted(timedelta(0))
    await table.passes(HOUR)
    assert await table.counted("Ann") == counts * HOUR


async def test_refusal_stops_pings(patient: SandboxBot) -> None:
    """The first one, and reminders, also those by direct message."""
    await chosen(patient, "Bob", how="both")
    clock, game = await handed_over(patient)
    for count in (0, 1):
        await closed(patient, game)
        for _ in range(9):
            await clock.on(hours=24)
        assert (game.pings("Bob"), len(direct_messages(patient, "Bob"))) == (count, min(count, 1))
        await opened(patient, game)
        await clock.on(minutes=1)
        assert game.pings("Bob") == count + 1
    assert "Reminder 1" in game.turn.content
