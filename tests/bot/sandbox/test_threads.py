"""Threads: archived, locked, deleted, idle; who owns one, who is in one."""

from pathlib import Path

import discord
import pytest

from bot.sandbox import message_limits
from bot.sandbox.guild import messages, permissions, seed, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind, MessageKind
from bot.sandbox.refusal import Refusal, SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import code_of, grant
from tests.bot.sandbox.toy import PassButton, Toy
from tests.bot.support import changes

BOB = seed.OWNER_ID + 1
BOBS = discord.Object(BOB)
PUBLIC = threads.ThreadRequest("game", 60, ChannelKind.PUBLIC_THREAD)


async def opened(channel: discord.TextChannel) -> discord.Thread:
    return await channel.create_thread(name="game", type=discord.ChannelType.public_thread)


@pytest.fixture
async def thread(channel: discord.TextChannel) -> discord.Thread:
    return await opened(channel)


@pytest.fixture
def stored(server: LoopbackServer, thread: discord.Thread) -> Channel:
    return server.world.channel(thread.id)


async def test_archived_thread_refuses_changes(
    server: LoopbackServer, thread: discord.Thread, stored: Channel
) -> None:
    grant(server.world, permissions.MANAGE_THREADS)
    message = await thread.send("x")
    await thread.edit(archived=True)
    for call in (
        message.edit(content="y"),
        message.pin(),
        thread.edit(name="other"),
        thread.edit(locked=True),
        thread.add_user(BOBS),
    ):
        assert await code_of(call) == 50083
    await thread.send("posting opens it again")
    await thread.edit(name="other")
    assert (stored.name, stored.archived) == ("other", False)


async def test_press_opens_an_archived_thread(
    server: LoopbackServer, thread: discord.Thread, stored: Channel
) -> None:
    await thread.add_user(BOBS)
    message = await thread.send("x", view=discord.ui.View(timeout=None).add_item(PassButton(1)))
    await thread.edit(archived=True)
    posted = server.world.messages[message.id]
    with pytest.raises(SandboxError, match="not in that thread"):
        await server.person("Cy").press(posted, "Pass")
    assert (await server.person("Bob").press(posted, "Pass")).text == "Bob passed at 1"
    assert not stored.archived


async def test_locked_thread(server: LoopbackServer, thread: discord.Thread, stored: Channel) -> None:
    threads.change_channel(server.world, stored, {"locked": True})
    assert await code_of(thread.send("x")) == 50013
    with pytest.raises(SandboxError, match="may not write"):
        server.person("Bob").say(thread.id, "x")
    server.person("Ann").say(thread.id, "as owner of the server")
    threads.change_channel(server.world, stored, {"archived": True, "locked": True})
    assert await code_of(thread.send("x")) == 50083
    assert await code_of(thread.edit(archived=False)) == 50013
    grant(server.world, permissions.MANAGE_THREADS)
    await thread.edit(archived=False)
    await thread.send("x")
    await thread.edit(archived=True, locked=True)
    assert await code_of(thread.send("x")) == 50083


async def test_creator_renames_and_archives(thread: discord.Thread, stored: Channel) -> None:
    await thread.edit(name="other", auto_archive_duration=1440)
    assert await code_of(thread.edit(locked=True)) == 50013
    assert await code_of(thread.edit(archived=True, locked=True)) == 50013
    await thread.edit(archived=True)
    assert (stored.name, stored.archive_minutes, stored.archived) == ("other", 1440, True)


async def test_threads_of_others(server: LoopbackServer, bot: Toy, channel: discord.TextChannel) -> None:
    kept = threads.open_without_message(server.world, server.world.channel(channel.id), PUBLIC, BOB)
    thread = await bot.fetch_channel(kept.id)
    assert isinstance(thread, discord.Thread)
    assert await code_of(thread.edit(name="other")) == 50013
    assert await code_of(thread.edit(archived=True)) == 50013
    threads.change_channel(server.world, kept, {"archived": True})
    await thread.edit(archived=False)  # who may write there may open it
    grant(server.world, permissions.MANAGE_THREADS)
    await thread.edit(name="other", archived=True)


async def test_people_of_a_thread(server: LoopbackServer, thread: discord.Thread) -> None:
    await thread.add_user(BOBS)
    assert (await thread.fetch_member(BOB)).id == BOB
    assert await code_of(thread.fetch_member(BOB + 1)) == 10007
    await thread.edit(name="other")
    notes = [(message.kind, message.content, message.mentions) for message in server.world.history(thread.id)]
    assert notes == [(MessageKind.MEMBER_ADDED, "", [BOB]), (MessageKind.THREAD_RENAMED, "other", [])]
    assert server.world.unseen_pings(BOB) == []


async def test_adding_needs_sight(server: LoopbackServer, thread: discord.Thread, stored: Channel) -> None:
    changes.overwrite(
        server.world, server.world.channel(seed.TABLE_CHANNEL_ID), BOB, deny=permissions.VIEW_CHANNEL
    )
    assert await code_of(thread.add_user(BOBS)) == 50001
    await thread.send(f"<@{BOB}>", allowed_mentions=discord.AllowedMentions(users=True))
    assert BOB not in stored.people
    assert server.world.unseen_pings(BOB) == []


async def test_private_thread(server: LoopbackServer, channel: discord.TextChannel) -> None:
    """Ann owns the server."""
    assert await code_of(channel.create_thread(name="secret")) == 50013
    grant(server.world, permissions.CREATE_PRIVATE_THREADS)
    thread = await channel.create_thread(name="secret")
    await thread.add_user(BOBS)
    kept = server.world.channel(thread.id)
    assert kept.people == [seed.BOT_ID, BOB]
    seen = [name for name in ("Ann", "Bob", "Cy") if server.world.may_see(server.person(name).id, kept)]
    assert seen == ["Ann", "Bob"]


def test_thread_has_room_for_a_thousand(world: World) -> None:
    thread = threads.open_without_message(world, world.channel(seed.TABLE_CHANNEL_ID), PUBLIC, seed.BOT_ID)
    thread.people += range(message_limits.MAX_THREAD_MEMBERS)
    with pytest.raises(Refusal) as refused:
        threads.add_person(world, thread, BOB)
    assert refused.value.code == 30033


def test_server_has_room_for_open_threads(world: World) -> None:
    table = world.channel(seed.TABLE_CHANNEL_ID)
    first, *_ = [
        threads.open_without_message(world, table, PUBLIC, seed.BOT_ID)
        for _ in range(message_limits.MAX_ACTIVE_THREADS)
    ]
    with pytest.raises(Refusal) as refused:
        threads.open_without_message(world, table, PUBLIC, seed.BOT_ID)
    assert refused.value.code == 160006
    threads.change_channel(world, first, {"archived": True})
    threads.open_without_message(world, table, PUBLIC, seed.BOT_ID)
    with pytest.raises(Refusal):
        threads.change_channel(world, first, {"archived": False})


async def test_deleted_thread_is_unknown(
    server: LoopbackServer, bot: Toy, thread: discord.Thread, stored: Channel
) -> None:
    gone: list[int] = []

    @bot.event
    async def on_raw_thread_delete(event: discord.RawThreadDeleteEvent) -> None:
        gone.append(event.thread_id)

    message = await thread.send("x")
    threads.delete_channel(server.world, stored)
    for call in (thread.send("y"), message.edit(content="y"), bot.fetch_channel(thread.id)):
        assert await code_of(call) == 10003
    assert gone == [thread.id]


async def test_deleted_channel_takes_its_threads(
    server: LoopbackServer, bot: Toy, channel: discord.TextChannel, thread: discord.Thread
) -> None:
    threads.delete_channel(server.world, server.world.channel(channel.id))
    for place in (channel, thread):
        assert await code_of(place.send("x")) == 10003
    assert (bot.get_channel(channel.id), channel.guild.get_thread(thread.id)) == (None, None)


async def test_message_has_one_thread(server: LoopbackServer, channel: discord.TextChannel) -> None:
    message = await channel.send("start")
    thread = await message.create_thread(name="one")
    assert thread.id == message.id
    assert await code_of(message.create_thread(name="two")) == 160004
    threads.delete_channel(server.world, server.world.channel(thread.id))
    assert await code_of(message.create_thread(name="two")) == 160004


async def test_answer_in_a_deleted_channel(server: LoopbackServer, bot: Toy) -> None:
    server.world.answer_seconds = 0.2
    second = server.world.channel(seed.SECOND_CHANNEL_ID)

    @bot.event
    async def on_interaction(_: discord.Interaction) -> None:
        threads.delete_channel(server.world, second)

    result = await server.person("Ann").slash(second, "late", seconds=0.05)
    assert [refusal.code for refusal in result.interaction.refusals] == [10003]


def test_deleted_thread_stays_deleted(tmp_path: Path) -> None:
    before = World(tmp_path / "world.jsonl")
    thread = threads.open_without_message(before, before.channel(seed.TABLE_CHANNEL_ID), PUBLIC, seed.BOT_ID)
    messages.post(before, thread, {"content": "x"}, [], messages.MessageOrigin(seed.BOT_ID))
    threads.delete_channel(before, thread)
    after = World(tmp_path / "world.jsonl")
    assert thread.id not in after.channels
    assert after.messages.keys() == before.messages.keys()
