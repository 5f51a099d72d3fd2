"""Channels that are deleted, and what goes while the bot is away: noticed as Discord tells of it, or at the start."""

import asyncio
from datetime import UTC, datetime, timedelta

from discord.utils import time_snowflake

from bot.sandbox.guild import threads
from bot.table.moves.moves import Typed
from storage import games
from tests.bot.places.test_threads import is_whole, now_in
from tests.bot.support.harness import TABLE, House, Seated

GET = "GET /api/v10/channels/"


async def _noticed(house: House, game: Seated, text: str = "gone") -> None:
    async with asyncio.timeout(20):
        while text not in (house.client.delivery_problems.of(game.number) or ""):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)


async def _listed_without_channel(house: House, game: Seated) -> None:
    """Every list says what helps."""
    for command in ("mine", "game list"):
        answer = (await house.person("Bob").slash("second-table", command)).text
        assert f"`/game move-here number:{game.number}`" in answer


async def test_all_games_of_a_deleted_channel_are_noticed_and_no_other(house: House) -> None:
    first, second = await house.game(), await house.game()
    await house.person("Ann").slash("second-table", "game new", title="18chesapeake")
    threads.remove(house.world, house.world.channel_named(TABLE))
    await _noticed(house, second)
    for game in (first, second):
        await _listed_without_channel(house, game)
    assert house.client.delivery_problems.of(3) is None
    assert (await games.get_game(house.db, 3)).status == "lobby"
    for game in (first, second):
        await house.person("Ann").slash("second-table", "game move-here", number=game.number)
        is_whole(house, await now_in(house, game))
        assert house.client.delivery_problems.of(game.number) is None


async def test_a_lobby_whose_channel_is_deleted_is_closed(house: House) -> None:
    """Its message cannot stand elsewhere, and nobody has lost a game."""
    ann = house.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    threads.remove(house.world, house.world.channel_named(TABLE))
    answer = ""
    while "not in the lobby any more" not in answer:
        answer = (await house.person("Bob").slash("second-table", "game join", number=1)).text
    assert (await games.get_game(house.db, 1)).status == "abandoned"


async def test_a_lobby_whose_message_is_deleted_gets_another(house: House) -> None:
    """With the next change, or by `/game repair`."""
    ann = house.person("Ann")
    await ann.slash(TABLE, "game new", title="18chesapeake")
    del house.world.messages[house.lobby().id]
    answer = await house.person("Bob").slash(TABLE, "game join", number=1)
    assert "You have a seat" in answer.text
    assert "Bob" in house.lobby().content
    del house.world.messages[house.lobby().id]
    assert "up to date" in (await ann.slash(TABLE, "game repair", number=1)).text
    await ann.press(house.lobby(), "Start")
    await house.settled()


async def test_a_channel_that_is_gone_is_noticed_when_something_is_posted(house: House) -> None:
    """No event said so: Discord knows neither thread nor channel."""
    game = await house.game()
    for place in (game.thread, house.world.channel_named(TABLE).id):
        house.server.faults.fail(f"/channels/{place}", status=404, code=10003, times=1000)
    await house.client.tables.submit(game.number, house.person("Ann").id, Typed("pass"))
    await _noticed(house, game, "move-here")
    await _listed_without_channel(house, game)
    threads.remove(house.world, house.world.channel(game.thread))
    house.server.faults.clear()
    house.client.tables.on_notice(game.number)
    is_whole(house, await now_in(house, game))


# --- while the bot was away ------------------------------------------------------------------------------------------


async def test_a_start_with_every_thread_open_asks_for_none(house: House) -> None:
    for _ in range(2):
        await house.game()
    await house.stop()
    begun = len(house.server.requests)
    await house.start()
    await house.person("Ann").slash(TABLE, "mine")
    assert not [line for line in house.server.requests[begun:] if line.startswith(GET)]


async def test_a_thread_that_was_deleted_meanwhile_is_reported_at_the_start_once(house: House) -> None:
    lost, kept = await house.game(), await house.game()
    await house.stop()
    threads.remove(house.world, house.world.channel(lost.thread))
    begun = len(house.server.requests)
    for _ in range(2):
        await house.start()
        await _noticed(house, lost)
        assert house.client.delivery_problems.of(kept.number) is None
        await house.person("Cy").slash(TABLE, "mine")
        await house.stop()
    await house.start()
    await _noticed(house, lost)
    asked = [line for line in house.server.requests[begun:] if line.startswith(GET)]
    assert set(asked) == {f"{GET}{lost.thread}"}, "of the others nothing is asked"
    lines = [m for m in house.person("Ann").messages(TABLE) if "`/game repair number:1`" in m.content]
    assert len(lines) == 1
    await house.person("Ann").slash(TABLE, "pass")
    is_whole(house, await now_in(house, lost))


async def test_a_thread_that_fell_asleep_meanwhile_is_opened_and_one_closed_by_hand_is_not(
    house: House,
) -> None:
    asleep, closed = await house.game(), await house.game()
    await house.stop()
    for game, days in ((asleep, 8), (closed, 1)):
        thread = house.world.channel(game.thread)
        thread.last_message_id = time_snowflake(datetime.now(UTC) - timedelta(days=days))
        threads.change(house.world, thread, {"archived": True})
    await house.start()
    assert await house.world.until(lambda: not house.world.channel(asleep.thread).archived, timeout=20)
    assert house.world.channel(closed.thread).archived


async def test_a_channel_that_was_deleted_meanwhile_is_noticed_at_the_start(house: House) -> None:
    game = await house.game()
    await house.person("Ann").slash(TABLE, "game new", title="18chesapeake")
    await house.stop()
    threads.remove(house.world, house.world.channel_named(TABLE))
    await house.start()
    await _noticed(house, game)
    await _listed_without_channel(house, game)
    assert not await games.games_in(house.db, "lobby")
