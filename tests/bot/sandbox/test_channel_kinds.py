"""Voice channels, stages, announcements and forums: what can be posted and opened in each."""

from typing import Any

import discord
import pytest

from bot.sandbox.guild import permissions, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import REQUIRE_TAG_FLAG, Channel, ChannelKind
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import code_of, grant, guild
from tests.bot.sandbox.toy import Toy, picture
from tests.bot.support import changes

TAGS = ({"id": "701", "name": "18Chesapeake"}, {"id": "702", "name": "staff", "moderated": True})


def add(world: World, kind: ChannelKind) -> Channel:
    return changes.add_channel(world, guild(world), kind, kind.name.lower())


@pytest.fixture
def forum(world: World) -> Channel:
    return threads.change_channel(world, add(world, ChannelKind.FORUM), {"available_tags": TAGS})


@pytest.fixture
async def place(bot: Toy, forum: Channel) -> Any:
    """The forum as the client has it."""
    return await bot.fetch_channel(forum.id)


@pytest.mark.parametrize("kind", [ChannelKind.VOICE, ChannelKind.STAGE])
async def test_voice_chat_has_no_threads(server: LoopbackServer, bot: Toy, kind: ChannelKind) -> None:
    place = add(server.world, kind)
    assert await code_of(bot.get_partial_messageable(place.id).send("x")) == 50001
    grant(server.world, permissions.CONNECT)
    chat = await bot.fetch_channel(place.id)
    assert isinstance(chat, discord.abc.Messageable)
    message = await chat.send("x")
    assert await code_of(message.create_thread(name="game")) == 50024


async def test_announcement_thread(server: LoopbackServer, bot: Toy) -> None:
    news = await bot.fetch_channel(add(server.world, ChannelKind.ANNOUNCEMENT).id)
    assert isinstance(news, discord.TextChannel)
    thread = await (await news.send("x")).create_thread(name="game")
    assert thread.type is discord.ChannelType.news_thread
    await thread.send("y")


@pytest.mark.parametrize("kind", [ChannelKind.FORUM, ChannelKind.CATEGORY])
async def test_no_posts_outside_of_threads(server: LoopbackServer, bot: Toy, kind: ChannelKind) -> None:
    assert await code_of(bot.get_partial_messageable(add(server.world, kind).id).send("x")) == 50008


async def test_forum_post_is_a_thread(server: LoopbackServer, place: Any) -> None:
    tag, _ = place.available_tags
    thread, message = await place.create_thread(
        name="game", content="board", file=picture(), applied_tags=[tag]
    )
    assert message.id == thread.id
    assert [tag.name for tag in thread.applied_tags] == ["18Chesapeake"]
    assert [a.filename for a in message.attachments] == ["map.png"]
    await message.edit(content="board, later")
    await thread.send("a line")
    assert [m.content for m in server.world.history(thread.id)] == ["board, later", "a line"]


async def test_forum_post_refused(server: LoopbackServer, place: Any, forum: Channel) -> None:
    before = set(server.world.channels)
    server.world.withheld_permissions = permissions.SEND_MESSAGES
    assert await code_of(place.create_thread(name="game", content="x")) == 50013
    server.world.withheld_permissions = permissions.CREATE_THREADS
    assert await code_of(place.create_thread(name="game", content="x" * 2001)) == 50035
    forum.flags = REQUIRE_TAG_FLAG
    assert await code_of(place.create_thread(name="game", content="x")) == 40067
    assert set(server.world.channels) == before
    await place.create_thread(name="game", content="x", applied_tags=[place.available_tags[0]])


async def test_forum_tags(server: LoopbackServer, place: Any, forum: Channel) -> None:
    thread, _ = await place.create_thread(name="game", content="x")
    state, staff = place.available_tags
    unknown, many = [discord.Object(9)], [discord.Object(701)] * 6
    codes = [await code_of(thread.edit(applied_tags=tags)) for tags in (unknown, many, [staff])]
    assert codes == [10087, 50035, 50013]
    assert [tag.name for tag in (await thread.edit(applied_tags=[state])).applied_tags] == ["18Chesapeake"]
    assert await code_of(place.create_tag(name="new")) == 50013
    grant(server.world, permissions.MANAGE_CHANNELS)
    await place.create_tag(name="new")
    assert [tag["name"] for tag in forum.tags] == ["18Chesapeake", "staff", "new"]
