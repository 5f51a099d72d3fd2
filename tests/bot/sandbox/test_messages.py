"""Messages as the service keeps them: trimmed, and pinging only those they may."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.sandbox.guild import messages, permissions, seed
from bot.sandbox.guild.mentions import read_mentions
from bot.sandbox.guild.world import World
from bot.sandbox.model import Message, Role
from bot.sandbox.refusal import Refusal
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import grant, guild
from tests.bot.sandbox.toy import Toy, picture
from tests.bot.support import changes

ANN, BOB, CY = (seed.OWNER_ID + number for number in range(3))
BOT = messages.Origin(seed.BOT_ID)
MODERATORS = 900_000_000_000_000_001


def say(world: World, text: str, **more: Any) -> Message:
    return messages.post(world, world.channel(seed.TABLE_ID), {"content": text, **more}, [], BOT)


# --- trimming --------------------------------------------------------------------------------------------------------


def test_texts_are_trimmed_at_both_ends(world: World) -> None:
    embed = {
        "title": " t ",
        "description": "\n d\n",
        "footer": {"text": " f "},
        "author": {"name": " a "},
        "fields": [{"name": " n ", "value": " v\n"}],
    }
    message = say(world, " \n hello \n", embeds=[embed])
    assert message.content == "hello"
    assert message.embeds == [
        {
            "title": "t",
            "description": "d",
            "footer": {"text": "f"},
            "author": {"name": "a"},
            "fields": [{"name": "n", "value": "v"}],
        }
    ]
    messages.edit(world, message, {"content": "  later "}, [])
    assert message.content == "later"


def test_length_counts_after_trimming(world: World) -> None:
    assert len(say(world, "x" * 2000 + "   ").content) == 2000
    with pytest.raises(Refusal) as refused:
        say(world, "  \n ")
    assert refused.value.code == 50006


# --- who is pinged --------------------------------------------------------------------------------------------------


def test_who_has_left_or_does_not_see_the_channel_is_not_pinged(world: World) -> None:
    changes.leave(world, guild(world), BOB)
    changes.overwrite(world, world.channel(seed.TABLE_ID), CY, deny=permissions.VIEW_CHANNEL)
    assert say(world, f"<@{ANN}> <@{BOB}> <@{CY}>").pinged == [ANN]


def test_everyone_is_pinged_only_by_who_may(world: World) -> None:
    called = say(world, "@everyone", allowed_mentions={"parse": ["everyone"]})
    assert (called.mention_everyone, called.pinged) == (False, [])
    grant(world, permissions.MENTION_EVERYONE)
    assert say(world, "@everyone").mention_everyone
    assert say(world, "@everyone", allowed_mentions={"parse": []}).pinged == []


def test_a_role_is_pinged_where_it_may_be_mentioned(world: World) -> None:
    role = Role(MODERATORS, "Moderators", 0)
    guild(world).roles[MODERATORS] = role
    changes.give(world, guild(world), BOB, [*guild(world).members[BOB], MODERATORS])
    text = f"<@&{MODERATORS}>"
    assert say(world, text).pinged == []
    role.mentionable = True
    assert say(world, text).pinged == [BOB]
    assert say(world, text, allowed_mentions={"parse": []}).pinged == []
    assert say(world, text, allowed_mentions={"roles": [str(MODERATORS)]}).mention_roles == [MODERATORS]


def test_mentions_in_code_and_in_edits_ping_nobody(world: World) -> None:
    message = say(world, f"`<@{ANN}>` ```\n<@{BOB}>\n``` <@{CY}>")
    assert message.pinged == [CY]
    messages.edit(world, message, {"content": f"<@{ANN}>"}, [])
    assert message.pinged == [CY]
    assert message.mentions == [ANN]


@pytest.mark.parametrize(
    "allowed",
    [
        {"parse": ["people"]},
        {"parse": ["roles"], "roles": ["1"]},
        {"users": [str(number) for number in range(101)]},
        {"roles": [str(number) for number in range(101)]},
    ],
)
def test_allowed_mentions_that_make_no_sense_are_refused(allowed: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        read_mentions("", allowed, [])


# --- what needs the right to ------------------------------------------------------------------------------------------


async def test_a_look_at_a_message_needs_the_right_to_read_the_history(
    server: LoopbackServer, bot: Toy
) -> None:
    channel = bot.get_channel(seed.TABLE_ID)
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send("x")
    server.world.withheld = permissions.READ_HISTORY
    with pytest.raises(discord.Forbidden):
        await channel.fetch_message(message.id)
    await message.edit(content="z")


async def test_a_permission_that_is_taken_away_in_the_middle_is_missed_at_the_next_request(
    server: LoopbackServer, bot: Toy
) -> None:
    channel = bot.get_channel(seed.TABLE_ID)
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send("x")
    changes.overwrite(
        server.world, server.world.channel(seed.TABLE_ID), seed.BOT_ID, deny=permissions.ATTACH_FILES
    )
    await message.edit(content="y")
    with pytest.raises(discord.Forbidden):
        await message.edit(attachments=[picture()])
