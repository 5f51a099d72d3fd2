"""Several servers: each with its own channels, people and commands; who leaves is gone."""

import asyncio
from pathlib import Path

import discord
import pytest

from bot.sandbox.guild import permissions, seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import ChannelKind, Guild
from bot.sandbox.refusal import Refusal, SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.conftest import Start
from tests.bot.sandbox.guild import code_of, guild
from tests.bot.sandbox.toy import Toy
from tests.bot.support import changes

BOB = seed.OWNER_ID + 1
MEMBERS = discord.Intents(guilds=True, members=True)


def another(world: World) -> Guild:
    """A second server of Bob's, where Ann is not."""
    other = changes.open_server(world, "Elsewhere", BOB, [BOB])
    changes.add_channel(world, other, ChannelKind.TEXT, "theirs")
    return other


async def test_server_is_fetched(server: LoopbackServer, bot: Toy) -> None:
    found = await bot.fetch_guild(seed.GUILD_ID, with_counts=False)
    member = await found.fetch_member(seed.OWNER_ID)
    assert (member.display_name, found.owner_id) == ("Ann", seed.OWNER_ID)
    assert await code_of(found.fetch_member(1)) == 10007
    [table] = [one for one in await found.fetch_channels() if one.id == seed.TABLE_CHANNEL_ID]
    assert [role.name for role in found.roles] == ["@everyone", "Stationmaster", "Players"]
    assert table.permissions_for(member).view_channel
    assert (await bot.application_info()).name == "Stationmaster"
    with pytest.raises(Refusal) as refused:
        server.world.guild(1)
    assert refused.value.code == 10004


async def test_command_names_its_server(server: LoopbackServer, bot: Toy) -> None:
    heard: list[int | None] = []

    @bot.event
    async def on_interaction(interaction: discord.Interaction) -> None:
        heard.append(interaction.guild_id)

    other = another(server.world)
    await server.person("Bob").slash("theirs", "menu")
    assert heard == [other.id]
    with pytest.raises(SandboxError, match="cannot see"):
        await server.person("Ann").slash("theirs", "menu")


async def test_server_that_was_left_is_closed(server: LoopbackServer, bot: Toy) -> None:
    another(server.world)
    changes.leave(server.world, guild(server.world), seed.BOT_ID)
    assert await server.world.wait_until(lambda: seed.BOT_ID not in guild(server.world).members)
    await server.person("Bob").slash("theirs", "menu")
    assert [g.name for g in bot.guilds] == ["Elsewhere"]
    assert await code_of(bot.get_partial_messageable(seed.TABLE_CHANNEL_ID).send("x")) == 50001
    assert await code_of(bot.fetch_guild(seed.GUILD_ID)) == 10004
    with pytest.raises(SandboxError, match="no command"):
        await server.person("Ann").slash("table", "menu")


@pytest.mark.parametrize(("intents", "heard"), [(None, []), (MEMBERS, [BOB])])
async def test_members_are_events_with_the_intent(
    server: LoopbackServer, start: Start, intents: discord.Intents | None, heard: list[int]
) -> None:
    joined, gone = list[int](), list[int]()
    bot = await start(intents)

    @bot.event
    async def on_thread_member_join(member: discord.ThreadMember) -> None:
        joined.append(member.id)

    @bot.event
    async def on_raw_member_remove(event: discord.RawMemberRemoveEvent) -> None:
        gone.append(event.user.id)

    table = bot.get_channel(seed.TABLE_CHANNEL_ID)
    assert isinstance(table, discord.TextChannel)
    thread = await table.create_thread(name="game", type=discord.ChannelType.public_thread)
    await thread.add_user(discord.Object(BOB))
    changes.leave(server.world, guild(server.world), BOB)
    await server.person("Ann").slash("table", "menu")
    await asyncio.sleep(0)
    assert (joined, gone) == (heard, heard)


async def test_who_left_is_no_member(server: LoopbackServer, channel: discord.TextChannel) -> None:
    thread = await channel.create_thread(name="game", type=discord.ChannelType.public_thread)
    await thread.add_user(discord.Object(BOB))
    changes.leave(server.world, guild(server.world), BOB)
    assert await code_of(channel.guild.fetch_member(BOB)) == 10007
    assert server.world.channel(thread.id).people == [seed.BOT_ID]
    assert await code_of(thread.add_user(discord.Object(BOB))) == 10007
    with pytest.raises(SandboxError, match="cannot see"):
        server.person("Bob").say("table", "x")
    changes.join(server.world, guild(server.world), BOB)
    await thread.add_user(discord.Object(BOB))


async def test_direct_message_refused(server: LoopbackServer, bot: Toy) -> None:
    bob = await bot.create_dm(discord.Object(BOB))
    server.world.users[BOB].refuses_dms = True
    assert await code_of(bob.send("x")) == 50007
    server.world.users[BOB].refuses_dms = False
    await bob.send("x")
    changes.leave(server.world, guild(server.world), BOB)
    assert await code_of(bob.send("y")) == 50278


def test_servers_are_stored(tmp_path: Path) -> None:
    """With their people and overwrites; a channel of earlier versions is in the first."""
    path = tmp_path / "world.jsonl"
    path.write_text('["channel", "7", {"id": 7, "kind": 0, "name": "old", "parent_id": null}]\n')
    before = World(path)
    other = another(before)
    changes.give(before, other, BOB, [])
    changes.overwrite(before, before.channel_named("theirs"), BOB, deny=permissions.VIEW_CHANNEL)
    changes.leave(before, guild(before), BOB)
    after = World(path)
    assert (after.guilds, after.channels) == (before.guilds, before.channels)
    assert after.channel(7).guild_id == seed.GUILD_ID
    assert not after.may_see(BOB, after.channel_named("table"))
