"""Threads: archived, locked, deleted, idle; who owns one, who is in one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest

from bot.sandbox import message_limits
from bot.sandbox.guild import messages, permissions, seed, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind, MessageKind
from bot.sandbox.refusal import Refusal, SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.conftest import Start
from tests.bot.sandbox.guild import grant
from tests.bot.sandbox.toy import PassButton, Toy
from tests.bot.support import changes

BOB = seed.OWNER_ID + 1
PUBLIC = threads.ThreadRequest("game", 60, ChannelKind.PUBLIC_THREAD)


@pytest.fixture
def channel(bot: Toy) -> discord.TextChannel:
    found = bot.get_channel(seed.TABLE_ID)
    assert isinstance(found, discord.TextChannel)
    return found


async def opened(channel: discord.TextChannel) -> discord.Thread:
    return await channel.create_thread(name="game", type=discord.ChannelType.public_thread)


def stored(server: LoopbackServer, thread: discord.Thread) -> Channel:
    return server.world.channel(thread.id)


async def code_of(call: Any) -> int:
    """The code with which a call is refused."""
    with pytest.raises(discord.HTTPException) as refused:
        await call
    return refused.value.code


# --- archived --------------------------------------------------------------------------------------------------------


async def test_a_message_opens_an_archived_thread_again(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    thread = await opened(channel)
    await thread.edit(archived=True)
    await thread.send("x")
    assert not stored(server, thread).archived


async def test_in_an_archived_thread_nothing_is_edited_pinned_renamed_locked_nor_anybody_added(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    grant(server.world, permissions.MANAGE_THREADS)
    thread = await opened(channel)
    message = await thread.send("x")
    await thread.edit(archived=True)
    assert await code_of(message.edit(content="y")) == 50083
    assert await code_of(message.pin()) == 50083
    assert await code_of(thread.edit(name="other")) == 50083
    assert await code_of(thread.edit(locked=True)) == 50083
    assert await code_of(thread.add_user(discord.Object(BOB))) == 50083
    await thread.edit(archived=False, name="other")
    assert stored(server, thread).name == "other"


async def test_a_press_in_an_archived_thread_opens_it_for_those_who_are_in_it(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    bob, cy = server.person("Bob"), server.person("Cy")
    thread = await opened(channel)
    await thread.add_user(discord.Object(BOB))
    message = await thread.send("x", view=discord.ui.View(timeout=None).add_item(PassButton(1)))
    await thread.edit(archived=True)
    posted = server.world.messages[message.id]
    with pytest.raises(SandboxError, match="not in that thread"):
        await cy.press(posted, "Pass")
    assert (await bob.press(posted, "Pass")).text == "Bob passed at 1"
    assert not stored(server, thread).archived


def test_an_idle_thread_is_archived_after_its_time_and_activity_counts(world: World) -> None:
    table, now = world.channel(seed.TABLE_ID), datetime.now(UTC)
    quiet, spoken = (threads.open_alone(world, table, PUBLIC, seed.BOT_ID) for _ in range(2))
    assert changes.archive_idle(world, now + timedelta(minutes=59)) == []
    spoken.archive_changed = (now + timedelta(minutes=30)).isoformat()
    assert changes.archive_idle(world, now + timedelta(minutes=61)) == [quiet]
    assert (quiet.archived, spoken.archived) == (True, False)


# --- locked ----------------------------------------------------------------------------------------------------------


async def test_a_locked_thread_takes_posts_only_of_those_who_may_manage_threads(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    thread = await opened(channel)
    threads.change(server.world, stored(server, thread), {"locked": True})
    assert await code_of(thread.send("x")) == 50013
    with pytest.raises(SandboxError, match="may not write"):
        server.person("Bob").say(thread.id, "x")
    server.person("Ann").say(thread.id, "as owner of the server")
    grant(server.world, permissions.MANAGE_THREADS)
    await thread.send("x")


async def test_a_thread_that_is_locked_and_archived_is_not_opened_by_a_message(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    thread = await opened(channel)
    threads.change(server.world, stored(server, thread), {"archived": True, "locked": True})
    assert await code_of(thread.send("x")) == 50083
    assert await code_of(thread.edit(archived=False)) == 50013
    grant(server.world, permissions.MANAGE_THREADS)
    await thread.edit(archived=False, locked=False)
    await thread.send("x")


# --- whose it is -----------------------------------------------------------------------------------------------------


async def test_its_creator_may_rename_and_archive_a_thread_but_not_lock_it(
    channel: discord.TextChannel,
) -> None:
    thread = await opened(channel)
    await thread.edit(name="other", auto_archive_duration=60)
    assert await code_of(thread.edit(locked=True)) == 50013
    await thread.edit(archived=True)


async def test_threads_of_others_are_renamed_and_archived_by_those_who_may_manage_threads(
    server: LoopbackServer, bot: Toy, channel: discord.TextChannel
) -> None:
    kept = threads.open_alone(server.world, server.world.channel(channel.id), PUBLIC, BOB)
    thread = await bot.fetch_channel(kept.id)
    assert isinstance(thread, discord.Thread)
    assert await code_of(thread.edit(name="other")) == 50013
    assert await code_of(thread.edit(archived=True)) == 50013
    threads.change(server.world, kept, {"archived": True})
    await thread.edit(archived=False)  # who may write there may open it
    grant(server.world, permissions.MANAGE_THREADS)
    await thread.edit(name="other", archived=True)


async def test_the_bot_edits_its_own_messages_only_and_deletes_others_where_it_may_manage_messages(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    said = server.person("Bob").say("table", "mine")
    message = channel.get_partial_message(said.id)
    assert await code_of(message.edit(content="yours")) == 50005
    assert await code_of(message.delete()) == 50013
    grant(server.world, permissions.MANAGE_MESSAGES)
    assert await code_of(message.edit(content="yours")) == 50005
    await message.delete()


# --- who is in it ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("intents", [None, discord.Intents(guilds=True, members=True)])
async def test_a_member_who_joins_a_thread_is_an_event_with_the_intent_only(
    server: LoopbackServer, start: Start, intents: discord.Intents | None
) -> None:
    joined: list[int] = []
    bot = await start(intents)

    @bot.event
    async def on_thread_member_join(member: discord.ThreadMember) -> None:
        joined.append(member.id)

    found = bot.get_channel(seed.TABLE_ID)
    assert isinstance(found, discord.TextChannel)
    thread = await opened(found)
    await thread.add_user(discord.Object(BOB))
    await server.person("Ann").slash("table", "menu")
    assert joined == ([] if intents is None else [BOB])


async def test_who_may_not_see_the_channel_cannot_be_added_and_is_not_pinged(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    thread = await opened(channel)
    changes.overwrite(server.world, server.world.channel(seed.TABLE_ID), BOB, deny=permissions.VIEW_CHANNEL)
    assert await code_of(thread.add_user(discord.Object(BOB))) == 50001
    await thread.send(f"<@{BOB}>", allowed_mentions=discord.AllowedMentions(users=True))
    assert BOB not in stored(server, thread).people
    assert server.world.waiting(BOB) == []


async def test_a_thread_notes_its_new_name_and_who_was_added_and_nobody_is_pinged_by_it(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    thread = await opened(channel)
    await thread.edit(name="other")
    await thread.add_user(discord.Object(BOB))
    notes = [(message.kind, message.content, message.mentions) for message in server.world.history(thread.id)]
    assert notes == [(MessageKind.NAMED, "other", []), (MessageKind.ADDED, "", [BOB])]
    assert server.world.waiting(BOB) == []


def test_a_thread_has_room_for_a_thousand_people(world: World) -> None:
    thread = threads.open_alone(world, world.channel(seed.TABLE_ID), PUBLIC, seed.BOT_ID)
    thread.people += range(message_limits.THREAD_PEOPLE)
    with pytest.raises(Refusal) as refused:
        threads.add_person(world, thread, BOB)
    assert refused.value.code == 30033


def test_a_server_has_room_for_a_thousand_open_threads(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_limits, "ACTIVE_THREADS", 2)
    table = world.channel(seed.TABLE_ID)
    first = threads.open_alone(world, table, PUBLIC, seed.BOT_ID)
    threads.open_alone(world, table, PUBLIC, seed.BOT_ID)
    with pytest.raises(Refusal) as refused:
        threads.open_alone(world, table, PUBLIC, seed.BOT_ID)
    assert refused.value.code == 160006
    threads.change(world, first, {"archived": True})
    threads.open_alone(world, table, PUBLIC, seed.BOT_ID)
    with pytest.raises(Refusal):
        threads.change(world, first, {"archived": False})


# --- gone ------------------------------------------------------------------------------------------------------------


async def test_a_deleted_thread_is_an_event_and_unknown_afterwards(
    server: LoopbackServer, bot: Toy, channel: discord.TextChannel
) -> None:
    gone: list[int] = []

    @bot.event
    async def on_raw_thread_delete(event: discord.RawThreadDeleteEvent) -> None:
        gone.append(event.thread_id)

    thread = await opened(channel)
    message = await thread.send("x")
    threads.remove(server.world, stored(server, thread))
    for call in (thread.send("y"), message.edit(content="y"), bot.fetch_channel(thread.id)):
        assert await code_of(call) == 10003
    assert gone == [thread.id]


async def test_a_deleted_channel_takes_its_threads_along(
    server: LoopbackServer, bot: Toy, channel: discord.TextChannel
) -> None:
    thread = await opened(channel)
    threads.remove(server.world, server.world.channel(channel.id))
    for place in (channel, thread):
        assert await code_of(place.send("x")) == 10003
    assert bot.get_channel(channel.id) is None
    assert channel.guild.get_thread(thread.id) is None


async def test_a_message_whose_thread_was_deleted_begins_no_other(
    server: LoopbackServer, channel: discord.TextChannel
) -> None:
    message = await channel.send("start")
    thread = await message.create_thread(name="one")
    threads.remove(server.world, stored(server, thread))
    assert await code_of(message.create_thread(name="two")) == 160004


async def test_an_answer_in_a_channel_that_is_gone_is_refused(server: LoopbackServer, bot: Toy) -> None:
    server.world.answer_limit = 1.0
    second = server.world.channel(seed.SECOND_ID)

    @bot.event
    async def on_interaction(_: discord.Interaction) -> None:
        threads.remove(server.world, second)

    result = await server.person("Ann").slash(second, "late", seconds=0.05)
    assert [refusal.code for refusal in result.interaction.refused] == [10003]


def test_what_is_deleted_is_not_there_after_a_restart(tmp_path: Any) -> None:
    before = World(tmp_path / "world.jsonl")
    table = before.channel(seed.TABLE_ID)
    thread = threads.open_alone(before, table, PUBLIC, seed.BOT_ID)
    messages.post(before, thread, {"content": "x"}, [], messages.Origin(seed.BOT_ID))
    threads.remove(before, thread)
    after = World(tmp_path / "world.jsonl")
    assert thread.id not in after.channels
    assert after.messages.keys() == before.messages.keys()
