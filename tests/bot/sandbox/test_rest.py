"""Channels, threads, messages and people by the client's own methods."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.guild import permissions, seed
from bot.sandbox.model import Channel
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.conftest import Start
from tests.bot.sandbox.guild import grant
from tests.bot.sandbox.toy import PassButton, Toy, picture


@pytest.fixture
def channel(bot: Toy) -> discord.TextChannel:
    found = bot.get_channel(seed.TABLE_ID)
    assert isinstance(found, discord.TextChannel)
    return found


def thread_of(server: LoopbackServer, thread: discord.Thread) -> Channel:
    return server.world.channels[thread.id]


async def test_history_pages_in_both_directions(channel: discord.TextChannel) -> None:
    sent = [await channel.send(f"line {n}") for n in range(5)]
    newest = [m.content async for m in channel.history(limit=2)]
    assert newest == ["line 4", "line 3"]
    after = [m.content async for m in channel.history(after=sent[2], oldest_first=True)]
    assert after == ["line 3", "line 4"]
    before = [m.content async for m in channel.history(before=sent[1])]
    assert before == ["line 0"]


async def test_messages_are_edited_fetched_and_deleted(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    message = await channel.send("first", file=picture())
    await message.edit(content="second")
    again = await channel.fetch_message(message.id)
    assert (again.content, [a.filename for a in again.attachments]) == ("second", ["map.png"])
    assert again.edited_at is not None
    await again.edit(attachments=[*again.attachments, picture("two.png")])
    assert [a.filename for a in (await channel.fetch_message(message.id)).attachments] == [
        "map.png",
        "two.png",
    ]
    await message.delete()
    with pytest.raises(discord.NotFound):
        await channel.fetch_message(message.id)
    assert server.world.history(channel.id) == []


async def test_a_picture_is_served_and_gone_after_its_message(channel: discord.TextChannel) -> None:
    message = await channel.send(file=picture())
    url = message.attachments[0].url
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as reply:
            assert (reply.status, reply.content_type) == (200, "image/png")
        await message.delete()
        async with session.get(url) as reply:
            assert reply.status == 404


async def test_embedded_files_are_not_listed_and_survive_an_edit_of_the_text(
    channel: discord.TextChannel,
) -> None:
    embed = discord.Embed(title="map").set_image(url="attachment://map.png")
    message = await channel.send(embed=embed, file=picture())
    assert message.attachments == []
    edited = await message.edit(content="text only", attachments=[])
    assert edited.embeds[0].image.url == message.embeds[0].image.url
    echoed = await message.edit(embed=message.embeds[0], attachments=[])
    assert echoed.embeds[0].image.url == message.embeds[0].image.url
    with pytest.raises(discord.HTTPException):
        await message.edit(
            embed=discord.Embed(title="x").set_image(url="attachment://gone.png"), attachments=[]
        )


async def test_a_pin_is_announced(server: LoopbackServer, channel: discord.TextChannel) -> None:
    message = await channel.send("board")
    await message.pin()
    assert server.world.channel(channel.id).pins == [message.id]
    assert [m.kind for m in server.world.history(channel.id)] == [0, 6]


async def test_a_thread_is_renamed_archived_and_locked(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    thread = await channel.create_thread(name="game", type=discord.ChannelType.public_thread)
    first = await thread.send("hello")
    await thread.edit(name="renamed", archived=True)
    with pytest.raises(discord.HTTPException) as refused:
        await first.edit(content="in the archive")
    assert refused.value.code == 50083
    await thread.send("posting re-opens it")
    assert not server.world.channels[thread.id].archived
    with pytest.raises(discord.Forbidden):
        await thread.edit(archived=True, locked=True)  # its creator may archive, but not lock
    grant(server.world, permissions.MANAGE_THREADS)
    await thread.edit(archived=True, locked=True)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.send("closed")
    assert refused.value.code == 50083
    assert thread_of(server, thread).name == "renamed"


async def test_a_message_has_one_thread(channel: discord.TextChannel) -> None:
    message = await channel.send("start")
    thread = await message.create_thread(name="one")
    assert thread.id == message.id
    with pytest.raises(discord.HTTPException) as refused:
        await message.create_thread(name="two")
    assert refused.value.code == 160004


async def test_people_of_a_private_thread_are_the_only_ones_to_see_it(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    with pytest.raises(discord.Forbidden):
        await channel.create_thread(name="secret")  # the bot is not invited to make such
    grant(server.world, permissions.CREATE_PRIVATE_THREADS)
    thread = await channel.create_thread(name="secret")
    ann, bob, cy = (server.person(name) for name in ("Ann", "Bob", "Cy"))
    await thread.add_user(discord.Object(bob.id))
    assert thread_of(server, thread).people == [seed.BOT_ID, bob.id]
    seen = [
        person.name for person in (ann, bob, cy) if server.world.may_see(person.id, thread_of(server, thread))
    ]
    assert seen == ["Ann", "Bob"]  # Ann owns the server


async def test_people_are_fetched(server: LoopbackServer, bot: Toy) -> None:
    ann = server.person("Ann")
    guild = bot.get_guild(seed.GUILD_ID)
    assert guild is not None
    assert (await guild.fetch_member(ann.id)).display_name == "Ann"
    assert guild.owner_id == ann.id
    with pytest.raises(discord.NotFound):
        await guild.fetch_member(1)
    assert (await bot.application_info()).name == "Stationmaster"


async def test_the_same_nonce_is_the_same_message(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    first = await channel.send("once", nonce="out-7")
    second = await channel.send("once", nonce="out-7")
    assert first.id == second.id
    assert len(server.world.history(channel.id)) == 1


async def test_commands_are_synced_for_a_guild_and_checked(bot: Toy) -> None:
    guild = discord.Object(seed.GUILD_ID)

    async def empty(interaction: discord.Interaction) -> None:
        await interaction.response.pong()

    command: discord.app_commands.Command[Any, [], None] = discord.app_commands.Command(
        name="own", description="of this guild", callback=empty
    )
    bot.tree.add_command(command, guild=guild)
    assert [c.name for c in await bot.tree.sync(guild=guild)] == ["own"]
    command.description = "x" * 101
    with pytest.raises(discord.app_commands.CommandSyncFailure):
        await bot.tree.sync(guild=guild)


async def test_a_wrong_token_is_refused(server: LoopbackServer) -> None:
    client = discord.Client(intents=discord.Intents(guilds=True))
    with pytest.raises(discord.LoginFailure):
        await client.login("another")
    await client.close()


async def test_an_intent_that_was_not_granted_is_refused(server: LoopbackServer) -> None:
    client = discord.Client(intents=discord.Intents(guilds=True, members=True))
    with pytest.raises(discord.PrivilegedIntentsRequired):
        await client.start(server.token)
    await client.close()


async def test_without_the_intent_no_text_of_others_arrives(server: LoopbackServer, start: Start) -> None:
    heard: list[str] = []
    bot = await start(discord.Intents(guilds=True, guild_messages=True))

    @bot.event
    async def on_message(message: discord.Message) -> None:
        heard.append(message.content)

    ann = server.person("Ann")
    ann.say("table", "psst")
    ann.say("table", f"hey <@{seed.BOT_ID}>")
    bot_channel = bot.get_channel(seed.TABLE_ID)
    assert isinstance(bot_channel, discord.TextChannel)
    await bot_channel.send("own words")
    assert await server.world.until(lambda: True)
    await ann.slash("table", "menu")
    assert heard[:3] == ["", f"hey <@{seed.BOT_ID}>", "own words"]


async def test_buttons_outside_the_limits_are_refused(channel: discord.TextChannel) -> None:
    double = discord.ui.View(timeout=None).add_item(PassButton(1)).add_item(PassButton(1))
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send("twins", view=double)
    assert refused.value.code == 50035


@pytest.mark.parametrize(
    ("bit", "act", "code"),
    [
        (permissions.VIEW_CHANNEL, lambda channel: channel.send("x"), 50001),
        (permissions.SEND_MESSAGES, lambda channel: channel.send("x"), 50013),
        (permissions.ATTACH_FILES, lambda channel: channel.send(file=picture()), 50013),
        (permissions.EMBED_LINKS, lambda channel: channel.send(embed=discord.Embed(title="x")), 50013),
    ],
)
async def test_what_is_not_permitted_is_refused(
    server: LoopbackServer, channel: discord.TextChannel, bit: int, act: Any, code: int
) -> None:
    server.world.withheld = bit
    with pytest.raises(discord.Forbidden) as caught:
        await act(channel)
    assert caught.value.code == code


async def test_threads_and_pins_need_permissions_of_their_own(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    message = await channel.send("x")
    server.world.withheld = permissions.CREATE_THREADS | permissions.PIN_MESSAGES
    for refused in (message.create_thread(name="x"), message.pin()):
        with pytest.raises(discord.Forbidden):
            await refused
    server.world.withheld = permissions.SEND_IN_THREADS
    thread = await message.create_thread(name="x")
    with pytest.raises(discord.Forbidden):
        await thread.send("x")
    server.world.withheld = permissions.READ_HISTORY
    assert [m async for m in channel.history()] == []


async def test_one_of_a_threads_people_is_found(channel: discord.TextChannel) -> None:
    thread = await channel.create_thread(name="Game", type=discord.ChannelType.public_thread)
    dee, eve = (discord.Object(seed.OWNER_ID + number) for number in (3, 4))
    await thread.add_user(dee)
    assert (await thread.fetch_member(dee.id)).id == dee.id
    with pytest.raises(discord.NotFound) as refused:
        await thread.fetch_member(eve.id)
    assert refused.value.code == 10007


async def test_a_guild_is_fetched_with_roles_members_and_channels(bot: Toy) -> None:
    guild = await bot.fetch_guild(seed.GUILD_ID, with_counts=False)
    member = await guild.fetch_member(seed.OWNER_ID)
    [channel] = [one for one in await guild.fetch_channels() if one.id == seed.TABLE_ID]
    assert [role.name for role in guild.roles] == ["@everyone", "Stationmaster", "Players"]
    assert channel.permissions_for(member).view_channel
