"""Messages as the service keeps them: trimmed, pinging only those they may, edited, listed and deleted."""

from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.guild import messages, permissions, seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import Message, Role
from bot.sandbox.refusal import Refusal
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import code_of, grant, guild
from tests.bot.sandbox.toy import picture
from tests.bot.support import changes

ANN, BOB, CY = (seed.OWNER_ID + number for number in range(3))
MODERATORS = 900_000_000_000_000_001


def say(world: World, text: str, **more: Any) -> Message:
    origin = messages.MessageOrigin(seed.BOT_ID)
    return messages.post(world, world.channel(seed.TABLE_CHANNEL_ID), {"content": text, **more}, [], origin)


def embed(blank: str) -> dict[str, Any]:
    title, text, foot, author, name, value = (f"{blank}{letter}{blank}" for letter in "tdfanv")
    fields = [{"name": name, "value": value}]
    return {"title": title, "description": text, "footer": {"text": foot}, "author": {"name": author},
            "fields": fields}  # fmt: skip


def test_texts_are_trimmed(world: World) -> None:
    message = say(world, " \n hello \n", embeds=[embed(" \n")])
    assert (message.content, message.embeds) == ("hello", [embed("")])
    messages.edit(world, message, {"content": "  later "}, [])
    assert message.content == "later"
    assert len(say(world, "x" * 2000 + "   ").content) == 2000
    with pytest.raises(Refusal) as refused:
        say(world, "  \n ")
    assert refused.value.code == 50006


def test_only_who_sees_the_channel_is_pinged(world: World) -> None:
    changes.leave(world, guild(world), BOB)
    changes.overwrite(world, world.channel(seed.TABLE_CHANNEL_ID), CY, deny=permissions.VIEW_CHANNEL)
    assert say(world, f"<@{ANN}> <@{BOB}> <@{CY}>").pinged == [ANN]


def test_everyone_is_pinged_by_who_may(world: World) -> None:
    called = say(world, "@everyone", allowed_mentions={"parse": ["everyone"]})
    assert (called.mention_everyone, called.pinged) == (False, [])
    grant(world, permissions.MENTION_EVERYONE)
    assert say(world, "@everyone").mention_everyone
    assert say(world, "@everyone", allowed_mentions={"parse": []}).pinged == []


def test_role_is_pinged_if_mentionable(world: World) -> None:
    role = Role(MODERATORS, "Moderators", 0)
    guild(world).roles[MODERATORS] = role
    changes.give(world, guild(world), BOB, [*guild(world).members[BOB], MODERATORS])
    text = f"<@&{MODERATORS}>"
    assert say(world, text).pinged == []
    role.mentionable = True
    assert say(world, text).pinged == [BOB]
    assert say(world, text, allowed_mentions={"parse": []}).pinged == []
    assert say(world, text, allowed_mentions={"roles": [str(MODERATORS)]}).mention_roles == [MODERATORS]


def test_code_and_edits_ping_nobody(world: World) -> None:
    message = say(world, f"`<@{ANN}>` ```\n<@{BOB}>\n``` <@{CY}>")
    assert message.pinged == [CY]
    messages.edit(world, message, {"content": f"<@{ANN}>"}, [])
    assert (message.pinged, message.mentions) == ([CY], [ANN])


async def test_history_pages_both_ways(channel: discord.TextChannel) -> None:
    sent = [await channel.send(f"{n}") for n in range(5)]
    assert [m.content async for m in channel.history(limit=2)] == ["4", "3"]
    assert [m.content async for m in channel.history(after=sent[2], oldest_first=True)] == ["3", "4"]
    assert [m.content async for m in channel.history(before=sent[1])] == ["0"]


async def test_message_edited_and_deleted(server: LoopbackServer, channel: discord.TextChannel) -> None:
    message = await channel.send("first", file=picture())
    url = message.attachments[0].url
    await message.edit(content="second")
    again = await channel.fetch_message(message.id)
    assert (again.content, [a.filename for a in again.attachments]) == ("second", ["map.png"])
    assert again.edited_at is not None
    await again.edit(attachments=[*again.attachments, picture("two.png")])
    kept = await channel.fetch_message(message.id)
    assert [a.filename for a in kept.attachments] == ["map.png", "two.png"]
    async with aiohttp.ClientSession() as session:
        async with session.get(url) as reply:
            assert (reply.status, reply.content_type) == (200, "image/png")
        await message.delete()
        async with session.get(url) as reply:
            assert reply.status == 404
    assert await code_of(channel.fetch_message(message.id)) == 10008
    assert await code_of(message.edit(content="y")) == 10008
    assert server.world.history(channel.id) == []


async def test_embedded_file_survives_edits(channel: discord.TextChannel) -> None:
    shown = discord.Embed(title="map").set_image(url="attachment://map.png")
    message = await channel.send(embed=shown, file=picture())
    assert message.attachments == []
    for change in ({"content": "text only"}, {"embed": message.embeds[0]}):
        edited = await message.edit(attachments=[], **change)
        assert edited.embeds[0].image.url == message.embeds[0].image.url
    gone = discord.Embed(title="x").set_image(url="attachment://gone.png")
    assert await code_of(message.edit(embed=gone, attachments=[])) == 50035


async def test_pin_is_announced(server: LoopbackServer, channel: discord.TextChannel) -> None:
    message = await channel.send("board")
    await message.pin()
    assert server.world.channel(channel.id).pins == [message.id]
    assert [m.kind for m in server.world.history(channel.id)] == [0, 6]


async def test_nonce_is_the_same_message(server: LoopbackServer, channel: discord.TextChannel) -> None:
    first, second = [await channel.send("once", nonce="out-7") for _ in range(2)]
    assert first.id == second.id
    assert len(server.world.history(channel.id)) == 1


async def test_messages_of_others(server: LoopbackServer, channel: discord.TextChannel) -> None:
    message = channel.get_partial_message(server.person("Bob").say("table", "mine").id)
    assert await code_of(message.edit(content="yours")) == 50005
    assert await code_of(message.delete()) == 50013
    grant(server.world, permissions.MANAGE_MESSAGES)
    assert await code_of(message.edit(content="yours")) == 50005
    await message.delete()
