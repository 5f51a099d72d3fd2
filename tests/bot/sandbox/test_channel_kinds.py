"""Voice channels, stages, announcements and forums: what can be posted and opened in each."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.sandbox.guild import permissions, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import REQUIRE_TAG, Channel, ChannelKind
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import grant, guild
from tests.bot.sandbox.toy import Toy, picture
from tests.bot.support import changes

TAGS = ({"id": "701", "name": "18Chesapeake"}, {"id": "702", "name": "staff", "moderated": True})


def add(world: World, kind: ChannelKind) -> Channel:
    return changes.add_channel(world, guild(world), kind, kind.name.lower())


@pytest.fixture
def forum(world: World) -> Channel:
    found = add(world, ChannelKind.FORUM)
    return threads.change(world, found, {"available_tags": TAGS})


async def known(server: LoopbackServer, bot: Toy, channel: Channel) -> Any:
    """The channel as the client has it."""
    return await bot.fetch_channel(channel.id)


async def code_of(call: Any) -> int:
    with pytest.raises(discord.HTTPException) as refused:
        await call
    return refused.value.code


@pytest.mark.parametrize("kind", [ChannelKind.VOICE, ChannelKind.STAGE])
async def test_in_a_voice_chat_no_thread_is_opened_and_only_who_connects_posts(
    server: LoopbackServer, bot: Toy, kind: ChannelKind
) -> None:
    place = add(server.world, kind)
    assert await code_of(bot.get_partial_messageable(place.id).send("x")) == 50001
    grant(server.world, permissions.CONNECT)
    chat = await known(server, bot, place)
    message = await chat.send("x")
    assert await code_of(message.create_thread(name="game")) == 50024


async def test_a_thread_below_an_announcement_is_one_of_announcements(
    server: LoopbackServer, bot: Toy
) -> None:
    news = await known(server, bot, add(server.world, ChannelKind.ANNOUNCEMENT))
    message = await news.send("x")
    thread = await message.create_thread(name="game")
    assert thread.type is discord.ChannelType.news_thread
    await thread.send("y")


@pytest.mark.parametrize("kind", [ChannelKind.FORUM, ChannelKind.CATEGORY])
async def test_in_a_forum_itself_and_in_a_category_nothing_is_posted(
    server: LoopbackServer, bot: Toy, kind: ChannelKind
) -> None:
    place = add(server.world, kind)
    assert await code_of(bot.get_partial_messageable(place.id).send("x")) == 50008


async def test_a_post_is_a_thread_with_tags_whose_first_message_has_its_number(
    server: LoopbackServer, bot: Toy, forum: Channel
) -> None:
    place = await known(server, bot, forum)
    thread, message = await place.create_thread(
        name="game", content="board", file=picture(), applied_tags=[place.available_tags[0]]
    )
    assert message.id == thread.id
    assert [tag.name for tag in thread.applied_tags] == ["18Chesapeake"]
    assert [a.filename for a in message.attachments] == ["map.png"]
    await message.edit(content="board, later")
    await thread.send("a line")
    assert [m.content for m in server.world.history(thread.id)] == ["board, later", "a line"]


async def test_a_post_needs_the_right_to_send_not_that_to_make_threads(
    server: LoopbackServer, bot: Toy, forum: Channel
) -> None:
    place = await known(server, bot, forum)
    server.world.withheld = permissions.CREATE_THREADS
    await place.create_thread(name="game", content="x")
    server.world.withheld = permissions.SEND_MESSAGES
    assert await code_of(place.create_thread(name="game", content="x")) == 50013


async def test_a_forum_that_demands_a_tag_takes_no_post_without(
    server: LoopbackServer, bot: Toy, forum: Channel
) -> None:
    forum.flags = REQUIRE_TAG
    place = await known(server, bot, forum)
    assert await code_of(place.create_thread(name="game", content="x")) == 40067
    await place.create_thread(name="game", content="x", applied_tags=[place.available_tags[0]])


async def test_tags_are_known_few_and_some_for_those_who_manage_threads_only(
    server: LoopbackServer, bot: Toy, forum: Channel
) -> None:
    place = await known(server, bot, forum)
    thread, _ = await place.create_thread(name="game", content="x")
    state, staff = place.available_tags
    assert await code_of(thread.edit(applied_tags=[discord.Object(9)])) == 10087
    assert await code_of(thread.edit(applied_tags=[discord.Object(701)] * 6)) == 50035
    assert await code_of(thread.edit(applied_tags=[staff])) == 50013
    changed = await thread.edit(applied_tags=[state])
    assert [tag.name for tag in changed.applied_tags] == ["18Chesapeake"]


async def test_of_a_post_whose_message_is_refused_nothing_is_left(
    server: LoopbackServer, bot: Toy, forum: Channel
) -> None:
    place = await known(server, bot, forum)
    before = set(server.world.channels)
    assert await code_of(place.create_thread(name="game", content="x" * 2001)) == 50035
    assert set(server.world.channels) == before


async def test_new_tags_of_a_forum_need_the_right_to_manage_channels(
    server: LoopbackServer, bot: Toy, forum: Channel
) -> None:
    place = await known(server, bot, forum)
    assert await code_of(place.create_tag(name="new")) == 50013
    grant(server.world, permissions.MANAGE_CHANNELS)
    await place.create_tag(name="new")
    assert [tag["name"] for tag in forum.tags] == ["18Chesapeake", "staff", "new"]
