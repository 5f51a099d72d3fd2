"""Commands are registered once per change and in one place, and a refusal keeps nobody from playing."""

import logging

import pytest

from bot.client.app import Stationmaster
from bot.sandbox.guild import seed
from bot.table.rate_limits import RateLimiter
from storage import open_database
from tests.bot.support.harness import AT_A_RUN, House

EVERYWHERE = 0


async def start_for(house: House, guild: int | None) -> None:
    """Start a bot for one server or all, as far as its commands go, and stop it again."""
    async with await open_database(house.database) as db:
        client = Stationmaster(db, guild=guild, rate_limiter=RateLimiter(AT_A_RUN))
        await client.login(house.server.token)
        await client.close()


def names(house: House, place: int) -> set[str]:
    return {command["name"] for command in house.world.commands.get(place, [])}


def syncs(house: House) -> int:
    return sum("PUT" in str(request) and "/commands" in str(request) for request in house.server.requests)


async def test_commands_of_a_server_take_the_place_of_those_for_all_and_back(house: House) -> None:
    await house.stop()
    everything = names(house, EVERYWHERE)
    assert {"game", "pass", "mine"} <= everything
    await start_for(house, seed.GUILD_ID)
    assert (names(house, EVERYWHERE), names(house, seed.GUILD_ID)) == (set(), everything)
    await start_for(house, None)
    assert (names(house, EVERYWHERE), names(house, seed.GUILD_ID)) == (everything, set())


async def test_commands_that_did_not_change_are_not_registered_again(house: House) -> None:
    await house.stop()
    await start_for(house, seed.GUILD_ID)
    before = syncs(house)
    assert before
    await start_for(house, seed.GUILD_ID)
    assert syncs(house) == before


async def test_a_refusal_is_a_sentence_and_the_next_start_tries_again(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    await house.stop()
    house.server.faults.fail("/commands", status=400, code=30034)
    with caplog.at_level(logging.ERROR, logger="stationmaster"):
        await start_for(house, seed.GUILD_ID)
    refused = [record for record in caplog.records if "Discord refuses the commands" in record.getMessage()]
    assert [record.exc_info for record in refused] == [None]
    assert names(house, seed.GUILD_ID) == set()
    assert "pass" in names(house, EVERYWHERE)
    await start_for(house, seed.GUILD_ID)
    assert "pass" in names(house, seed.GUILD_ID)


async def test_one_asks_for_ones_games_in_a_direct_conversation(house: House) -> None:
    game = await house.game()
    ann = house.person("Ann")
    answer = await ann.slash(house.world.dm_with(ann.id), "mine")
    assert f"<#{game.thread}>: your turn" in answer.text
