"""Several servers: each with its own channels, people and commands; who leaves is gone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import discord
import pytest

from bot.sandbox.guild import permissions, registered_commands, seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import ChannelKind, Guild
from bot.sandbox.refusal import Refusal, SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.conftest import Start
from tests.bot.sandbox.guild import guild
from tests.bot.sandbox.toy import Toy
from tests.bot.support import changes

BOB = seed.OWNER_ID + 1
MEMBERS = discord.Intents(guilds=True, members=True)


def another(world: World) -> Guild:
    """A second server of Bob's, where Ann is not."""
    other = changes.open_server(world, "Elsewhere", BOB, [BOB])
    changes.add_channel(world, other, ChannelKind.TEXT, "theirs")
    return other


async def caught_up(server: LoopbackServer) -> None:
    """Wait until the bot has heard of everything that happened before."""
    await server.person("Bob").slash("table", "menu")


async def test_the_bot_gets_every_server_it_is_in(server: LoopbackServer, start: Start) -> None:
    first = another(server.world)
    bot = await start()
    second = another(server.world)
    await caught_up(server)
    assert {g.id for g in bot.guilds} == {seed.GUILD_ID, first.id, second.id}
    found = bot.get_guild(first.id)
    assert found is not None
    assert [c.name for c in found.channels] == ["theirs"]
    assert found.owner_id == BOB


async def test_a_command_comes_from_the_server_in_which_it_was_given(
    server: LoopbackServer, bot: Toy
) -> None:
    heard: list[int | None] = []

    @bot.event
    async def on_interaction(interaction: discord.Interaction) -> None:
        heard.append(interaction.guild_id)

    other = another(server.world)
    await server.person("Bob").slash("theirs", "menu")
    assert heard == [other.id]
    with pytest.raises(SandboxError, match="cannot see"):
        await server.person("Ann").slash("theirs", "menu")


async def test_commands_of_a_server_are_not_listed_in_another(world: World) -> None:
    other = another(world)
    registered_commands.sync(world, other.id, [{"name": "own", "description": "d"}])
    assert [c["name"] for c in registered_commands.listed(world, other.id)] == ["own"]
    assert registered_commands.listed(world, seed.GUILD_ID) == []


async def test_after_leaving_a_server_nothing_in_it_is_reached(server: LoopbackServer, bot: Toy) -> None:
    known = bot.get_guild(seed.GUILD_ID)
    assert known is not None
    another(server.world)
    changes.leave(server.world, guild(server.world), seed.BOT_ID)
    assert await server.world.until(lambda: seed.BOT_ID not in guild(server.world).members)
    await server.person("Bob").slash("theirs", "menu")
    assert [g.name for g in bot.guilds] == ["Elsewhere"]
    with pytest.raises(discord.Forbidden) as refused:
        await bot.get_partial_messageable(seed.TABLE_ID).send("x")
    assert refused.value.code == 50001
    with pytest.raises(discord.NotFound) as unknown:
        await bot.fetch_guild(seed.GUILD_ID)
    assert unknown.value.code == 10004
    with pytest.raises(SandboxError, match="no command"):
        await server.person("Ann").slash("table", "menu")


async def test_a_deleted_server_takes_its_channels_along(server: LoopbackServer, bot: Toy) -> None:
    other = another(server.world)
    place = server.world.channel_named("theirs").id
    changes.delete(server.world, other)
    await caught_up(server)
    assert [g.id for g in bot.guilds] == [seed.GUILD_ID]
    with pytest.raises(discord.NotFound) as refused:
        await bot.get_partial_messageable(place).send("x")
    assert refused.value.code == 10003


@pytest.mark.parametrize(("intents", "heard"), [(None, []), (MEMBERS, [BOB])])
async def test_a_member_who_leaves_is_an_event_with_the_intent_only(
    server: LoopbackServer, start: Start, intents: discord.Intents | None, heard: list[int]
) -> None:
    gone: list[int] = []
    bot = await start(intents)

    @bot.event
    async def on_raw_member_remove(event: discord.RawMemberRemoveEvent) -> None:
        gone.append(event.user.id)

    changes.leave(server.world, guild(server.world), BOB)
    await server.person("Ann").slash("table", "menu")
    await asyncio.sleep(0)
    assert gone == heard


async def test_who_has_left_is_no_member_sees_nothing_and_leaves_the_threads(
    server: LoopbackServer, bot: Toy
) -> None:
    channel = bot.get_channel(seed.TABLE_ID)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="game", type=discord.ChannelType.public_thread)
    await thread.add_user(discord.Object(BOB))
    changes.leave(server.world, guild(server.world), BOB)
    with pytest.raises(discord.NotFound) as refused:
        await channel.guild.fetch_member(BOB)
    assert refused.value.code == 10007
    assert server.world.channel(thread.id).people == [seed.BOT_ID]
    with pytest.raises(discord.NotFound):
        await thread.add_user(discord.Object(BOB))
    with pytest.raises(SandboxError, match="cannot see"):
        server.person("Bob").say("table", "x")
    changes.join(server.world, guild(server.world), BOB)
    await thread.add_user(discord.Object(BOB))


async def test_whoever_shares_no_server_or_takes_no_messages_is_not_written_to(
    server: LoopbackServer, bot: Toy
) -> None:
    bob = await bot.create_dm(discord.Object(BOB))
    server.world.users[BOB].closed = True
    with pytest.raises(discord.Forbidden) as closed:
        await bob.send("x")
    assert closed.value.code == 50007
    server.world.users[BOB].closed = False
    await bob.send("x")
    changes.leave(server.world, guild(server.world), BOB)
    with pytest.raises(discord.Forbidden) as stranger:
        await bob.send("y")
    assert stranger.value.code == 50278


def test_a_server_is_stored_with_its_people_and_overwrites(tmp_path: Path) -> None:

    path = tmp_path / "world.jsonl"
    before = World(path)
    other = another(before)
    changes.give(before, other, BOB, [])
    changes.overwrite(before, before.channel_named("theirs"), BOB, deny=permissions.VIEW_CHANNEL)
    changes.leave(before, guild(before), BOB)
    after = World(path)
    assert after.guilds == before.guilds
    assert after.channels == before.channels
    assert not after.may_see(BOB, after.channel_named("table"))


def test_a_channel_stored_before_there_were_several_servers_is_in_the_first(tmp_path: Path) -> None:

    path = tmp_path / "world.jsonl"
    old = '["channel", "7", {"id": 7, "kind": 0, "name": "old", "parent_id": null}]'
    path.write_text(old + "\n")
    assert World(path).channel(7).guild_id == seed.GUILD_ID


def test_a_server_of_nobody_is_unknown(world: World) -> None:
    with pytest.raises(Refusal) as refused:
        world.guild(1)
    assert refused.value.code == 10004
