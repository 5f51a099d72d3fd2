"""Commands are registered once per change and in one place, and a refusal keeps nobody from playing."""

import logging

import pytest

from bot.client.app import Stationmaster
from bot.sandbox.guild import seed
from bot.table.rate_limits import RateLimiter
from storage import open_database
from tests.bot.support.sandbox_bot import AT_A_RUN, SandboxBot

EVERYWHERE = 0


async def start_for(sandbox: SandboxBot, guild: int | None) -> None:
    """Start a bot for one server or all, as far as its commands go, and stop it again."""
    async with await open_database(sandbox.database) as db:
        client = Stationmaster(db, guild=guild, rate_limiter=RateLimiter(AT_A_RUN))
        await client.login(sandbox.server.token)
        await client.close()


def names(sandbox: SandboxBot, place: int) -> set[str]:
    return {command["name"] for command in sandbox.world.commands.get(place, [])}


def syncs(sandbox: SandboxBot) -> int:
    return sum("PUT" in str(request) and "/commands" in str(request) for request in sandbox.server.requests)


async def test_commands_of_a_server_take_the_place_of_those_for_all_and_back(sandbox: SandboxBot) -> None:
    await sandbox.stop()
    everything = names(sandbox, EVERYWHERE)
    assert {"game", "pass", "mine"} <= everything
    await start_for(sandbox, seed.GUILD_ID)
    assert (names(sandbox, EVERYWHERE), names(sandbox, seed.GUILD_ID)) == (set(), everything)
    await start_for(sandbox, None)
    assert (names(sandbox, EVERYWHERE), names(sandbox, seed.GUILD_ID)) == (everything, set())


async def test_commands_that_did_not_change_are_not_registered_again(sandbox: SandboxBot) -> None:
    await sandbox.stop()
    await start_for(sandbox, seed.GUILD_ID)
    before = syncs(sandbox)
    assert before
    await start_for(sandbox, seed.GUILD_ID)
    assert syncs(sandbox) == before


async def test_a_refusal_is_a_sentence_and_the_next_start_tries_again(
    sandbox: SandboxBot, caplog: pytest.LogCaptureFixture
) -> None:
    await sandbox.stop()
    sandbox.server.faults.fail("/commands", status=400, code=30034)
    with caplog.at_level(logging.ERROR, logger="stationmaster"):
        await start_for(sandbox, seed.GUILD_ID)
    refused = [record for record in caplog.records if "Discord refuses the commands" in record.getMessage()]
    assert [record.exc_info for record in refused] == [None]
    assert names(sandbox, seed.GUILD_ID) == set()
    assert "pass" in names(sandbox, EVERYWHERE)
    await start_for(sandbox, seed.GUILD_ID)
    assert "pass" in names(sandbox, seed.GUILD_ID)


async def test_one_asks_for_ones_games_in_a_direct_conversation(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    ann = sandbox.person("Ann")
    answer = await ann.slash(sandbox.world.dm_with(ann.id), "mine")
    assert f"<#{game.thread}>: your turn" in answer.text
