"""Channels that are deleted, and what goes while the bot is away: noticed as Discord tells of it, or at the start."""

import asyncio
from datetime import UTC, datetime, timedelta

from discord.utils import time_snowflake

from bot.sandbox.guild import threads
from bot.table.moves.moves import Typed
from storage import games
from tests.bot.places.test_threads import is_whole, now_in
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated

GET = "GET /api/v10/channels/"


async def _noticed(sandbox: SandboxBot, game: Seated, text: str = "gone") -> None:
    async with asyncio.timeout(20):
        while text not in (sandbox.client.delivery_problems.of(game.number) or ""):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def _listed_without_channel(sandbox: SandboxBot, game: Seated) -> None:
    """Every list says what helps."""
    for command in ("mine", "game list"):
        answer = (await sandbox.person("Bob").slash("second-table", command)).text
        assert f"`/game move-here number:{game.number}`" in answer


async def test_all_games_of_a_deleted_channel_are_noticed_and_no_other(sandbox: SandboxBot) -> None:
    first, second = await sandbox.game(), await sandbox.game()
    await sandbox.person("Ann").slash("second-table", "game new", title="18chesapeake")
    threads.remove(sandbox.world, sandbox.world.channel_named(TABLE))
    await _noticed(sandbox, second)
    for game in (first, second):
        await _listed_without_channel(sandbox, game)
    assert sandbox.client.delivery_problems.of(3) is None
    assert (await games.get_game(sandbox.db, 3)).status == "lobby"
    for game in (first, second):
        await sandbox.person("Ann").slash("second-table", "game move-here", number=game.number)
        is_whole(sandbox, await now_in(sandbox, game))
        assert sandbox.client.delivery_problems.of(game.number) is None


async def test_a_lobby_whose_channel_is_deleted_is_closed(sandbox: SandboxBot) -> None:
    """Its message cannot stand elsewhere, and nobody has lost a game."""
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    threads.remove(sandbox.world, sandbox.world.channel_named(TABLE))
    answer = ""
    while "not in the lobby any more" not in answer:
        answer = (await sandbox.person("Bob").slash("second-table", "game join", number=1)).text
    assert (await games.get_game(sandbox.db, 1)).status == "abandoned"


async def test_a_lobby_whose_message_is_deleted_gets_another(sandbox: SandboxBot) -> None:
    """With the next change, or by `/game repair`."""
    ann = sandbox.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    del sandbox.world.messages[sandbox.lobby().id]
    answer = await sandbox.person("Bob").slash(TABLE, "game join", number=1)
    assert "You have a seat" in answer.text
    assert "Bob" in sandbox.lobby().content
    del sandbox.world.messages[sandbox.lobby().id]
    assert "up to date" in (await ann.slash(TABLE, "game repair", number=1)).text
    await ann.press(sandbox.lobby(), "Start")
    await sandbox.settled()


async def test_a_channel_that_is_gone_is_noticed_when_something_is_posted(sandbox: SandboxBot) -> None:
    """No event said so: Discord knows neither thread nor channel."""
    game = await sandbox.game()
    for place in (game.thread, sandbox.world.channel_named(TABLE).id):
        sandbox.server.faults.fail(f"/channels/{place}", status=404, code=10003, times=1000)
    await sandbox.client.tables.submit(game.number, sandbox.person("Ann").id, Typed("pass"))
    await _noticed(sandbox, game, "move-here")
    await _listed_without_channel(sandbox, game)
    threads.remove(sandbox.world, sandbox.world.channel(game.thread))
    sandbox.server.faults.clear()
    sandbox.client.tables.on_notice(game.number)
    is_whole(sandbox, await now_in(sandbox, game))


# --- while the bot was away ------------------------------------------------------------------------------------------


async def test_a_start_with_every_thread_open_asks_for_none(sandbox: SandboxBot) -> None:
    for _ in range(2):
        await sandbox.game()
    await sandbox.stop()
    begun = len(sandbox.server.requests)
    await sandbox.start()
    await sandbox.person("Ann").slash(TABLE, "mine")
    assert not [line for line in sandbox.server.requests[begun:] if line.startswith(GET)]


async def test_a_thread_that_was_deleted_meanwhile_is_reported_at_the_start_once(sandbox: SandboxBot) -> None:
    lost, kept = await sandbox.game(), await sandbox.game()
    await sandbox.stop()
    threads.remove(sandbox.world, sandbox.world.channel(lost.thread))
    begun = len(sandbox.server.requests)
    for _ in range(2):
        await sandbox.start()
        await _noticed(sandbox, lost)
        assert sandbox.client.delivery_problems.of(kept.number) is None
        await sandbox.person("Cy").slash(TABLE, "mine")
        await sandbox.stop()
    await sandbox.start()
    await _noticed(sandbox, lost)
    asked = [line for line in sandbox.server.requests[begun:] if line.startswith(GET)]
    assert set(asked) == {f"{GET}{lost.thread}"}, "of the others nothing is asked"
    lines = [m for m in sandbox.person("Ann").messages(TABLE) if "`/game repair number:1`" in m.content]
    assert len(lines) == 1
    await sandbox.person("Ann").slash(TABLE, "pass")
    is_whole(sandbox, await now_in(sandbox, lost))


async def test_a_thread_that_fell_asleep_meanwhile_is_opened_and_one_closed_by_hand_is_not(
    sandbox: SandboxBot,
) -> None:
    asleep, closed = await sandbox.game(), await sandbox.game()
    await sandbox.stop()
    for game, days in ((asleep, 8), (closed, 1)):
        thread = sandbox.world.channel(game.thread)
        thread.last_message_id = time_snowflake(datetime.now(UTC) - timedelta(days=days))
        threads.change(sandbox.world, thread, {"archived": True})
    await sandbox.start()
    assert await sandbox.world.until(lambda: not sandbox.world.channel(asleep.thread).archived, timeout=20)
    assert sandbox.world.channel(closed.thread).archived


async def test_a_channel_that_was_deleted_meanwhile_is_noticed_at_the_start(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await sandbox.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    await sandbox.stop()
    threads.remove(sandbox.world, sandbox.world.channel_named(TABLE))
    await sandbox.start()
    await _noticed(sandbox, game)
    await _listed_without_channel(sandbox, game)
    assert not await games.games_in(sandbox.db, "lobby")
