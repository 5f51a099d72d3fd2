"""Channels that are deleted, and what goes while the bot is away: noticed as Discord tells of it, or at the start."""

from datetime import UTC, datetime, timedelta

from discord.utils import time_snowflake

from bot.client.features.deleted_threads import (
    handle_deleted_channel,
    handle_deleted_thread,
)
from bot.sandbox.guild import threads
from bot.table.moves.moves import TypedMove
from storage import games
from tests.bot.places.test_threads import is_whole, now_in
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

GET = "GET /api/v10/channels/"
ASKS = "`/game repair number:1`"


async def noticed(sandbox: SandboxBot, game: Seated, text: str = "was deleted") -> None:
    await sandbox.learns(lambda: text in (sandbox.client.delivery_problems.problem_of(game.number) or ""))


async def listed_without_channel(sandbox: SandboxBot, game: Seated) -> None:
    """Every list says what helps."""
    for command in ("mine", "game list"):
        answer = (await sandbox.person("Bob").slash("second-table", command)).text
        assert f"`/game move-here number:{game.number}`" in answer


def said(sandbox: SandboxBot) -> int:
    return sum(ASKS in message.content for message in sandbox.person("Ann").messages(TABLE))


# --- as Discord tells of it ------------------------------------------------------------------------------------------


async def test_games_of_a_deleted_channel_are_noticed(sandbox: SandboxBot) -> None:
    """And no other; its lobbies are closed: nobody has lost a game, and their messages cannot stand elsewhere."""
    ann = sandbox.person("Ann")
    lost = [await sandbox.game(), await sandbox.game()]
    for where in ("second-table", TABLE):
        await ann.slash(where, "game new", title="18chesapeake")
    table = sandbox.world.channel_named(TABLE)
    await handle_deleted_channel(sandbox.client, table.guild_id or 0, 7)
    threads.delete_channel(sandbox.world, table)
    for game in lost:
        await noticed(sandbox, game)
        await listed_without_channel(sandbox, game)
    assert sandbox.client.delivery_problems.problem_of(3) is None
    for number, status in ((3, "lobby"), (4, "abandoned")):
        async with sandbox.client.tables.lock(number):
            assert (await games.get_game(sandbox.db, number)).status == status
    refused = await sandbox.person("Bob").slash("second-table", "game move-here", number=1)
    assert "Manage Threads" in refused.text
    for game in lost:
        await ann.slash("second-table", "game move-here", number=game.number)
        new = await now_in(sandbox, game)
        is_whole(sandbox, new)
        assert sandbox.world.channel(new.thread).parent_id == sandbox.world.channel_named("second-table").id
        assert sandbox.client.delivery_problems.problem_of(game.number) is None


async def test_missing_channel_is_noticed_at_a_post(sandbox: SandboxBot) -> None:
    """No event said so: Discord knows neither thread nor channel."""
    game = await sandbox.game()
    for place in (game.thread, sandbox.world.channel_named(TABLE).id):
        sandbox.server.faults.fail(f"/channels/{place}", status=404, code=10003, times=1000)
    await sandbox.client.tables.submit(game.number, sandbox.person("Ann").id, TypedMove("pass"))
    await noticed(sandbox, game, "move-here")
    await listed_without_channel(sandbox, game)
    threads.delete_channel(sandbox.world, sandbox.world.channel(game.thread))
    sandbox.server.faults.clear()
    sandbox.client.tables.on_notice(game.number)
    is_whole(sandbox, await now_in(sandbox, game))


async def test_lost_thread_is_said_once(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    sandbox.server.faults.fail(f"POST {GET[4:]}{sandbox.lobby_channel}/messages", status=403, times=1)
    for count in (0, 1, 1):
        await handle_deleted_thread(sandbox.client, game.thread)
        assert said(sandbox) == count
    other = await sandbox.game()
    await handle_deleted_thread(sandbox.client, other.thread + 1)
    await games.abandon_game(sandbox.db, other.number)
    await handle_deleted_thread(sandbox.client, other.thread)
    assert sandbox.client.delivery_problems.problem_of(other.number) is None


# --- while the bot was away ------------------------------------------------------------------------------------------


async def test_start_asks_for_no_open_thread(sandbox: SandboxBot) -> None:
    """For one that is gone once, and its channel hears of it once."""
    lost, kept = await sandbox.game(), await sandbox.game()
    await sandbox.stop()
    begun = len(sandbox.server.requests)
    await sandbox.start()
    await sandbox.person("Ann").slash(TABLE, "mine")
    assert not [line for line in sandbox.server.requests[begun:] if line.startswith(GET)]
    await sandbox.stop()
    threads.delete_channel(sandbox.world, sandbox.world.channel(lost.thread))
    for _ in range(2):
        await sandbox.start()
        await noticed(sandbox, lost)
        assert sandbox.client.delivery_problems.problem_of(kept.number) is None
        await sandbox.person("Cy").slash(TABLE, "mine")
        await sandbox.stop()
    await sandbox.start()
    await noticed(sandbox, lost)
    asked = [line for line in sandbox.server.requests[begun:] if line.startswith(GET)]
    assert set(asked) == {f"{GET}{lost.thread}"}
    assert said(sandbox) == 1
    await sandbox.person("Ann").slash(TABLE, "pass")
    is_whole(sandbox, await now_in(sandbox, lost))


async def test_sleeping_thread_is_opened_at_the_start(sandbox: SandboxBot) -> None:
    """One that was closed by hand, or locked, is not; these are looked at before it."""
    found = [await sandbox.game() for _ in range(3)]
    await sandbox.stop()
    for game, days, locked in zip(found, (1, 8, 8), (False, True, False), strict=True):
        thread = sandbox.world.channel(game.thread)
        thread.last_message_id = time_snowflake(datetime.now(UTC) - timedelta(days=days))
        threads.change_channel(sandbox.world, thread, {"archived": True, "locked": locked})
    await sandbox.start()
    *closed, asleep = [sandbox.world.channel(game.thread) for game in found]
    assert await sandbox.world.wait_until(lambda: not asleep.archived, timeout=20)
    of_closed = [
        line for line in sandbox.server.requests if line.endswith(tuple(str(one.id) for one in closed))
    ]
    assert of_closed == [f"{GET}{thread.id}" for thread in closed]
    assert all(thread.archived for thread in closed)


async def test_deleted_channel_is_noticed_at_the_start(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    await sandbox.stop()
    threads.delete_channel(sandbox.world, sandbox.world.channel_named(TABLE))
    await sandbox.start()
    await noticed(sandbox, game)
    await listed_without_channel(sandbox, game)
    assert not await games.games_with_status(sandbox.db, "lobby")


async def test_unavailable_server_has_lost_nothing(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.stop()
    sandbox.server.faults.fail(f"{GET}{game.thread}", status=500, times=1000)
    thread = sandbox.world.channel(game.thread)
    threads.change_channel(sandbox.world, thread, {"archived": True})
    await sandbox.start()
    await sandbox.learns(lambda: sandbox.server.faults.served > 0)
    assert sandbox.client.delivery_problems.problem_of(game.number) is None
