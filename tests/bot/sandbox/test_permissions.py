"""What somebody may do in a channel: roles, overwrites in their order, and what a denial takes along."""

from __future__ import annotations

import discord
import pytest

from bot.sandbox.guild import permissions as p
from bot.sandbox.guild import seed, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import Channel, ChannelKind, Guild, Role
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import BOT_ROLE, grant
from tests.bot.sandbox.toy import Toy
from tests.bot.support import changes

HERE, ROLE, OTHER, ANN, BOB = 1, 2, 3, 11, 12
BASE = p.VIEW_CHANNEL | p.SEND_MESSAGES | p.SEND_IN_THREADS | p.EMBED_LINKS | p.ATTACH_FILES


def server(base: int = BASE, role: int = 0) -> Guild:
    """A server of Ann's, in which Bob has two roles."""
    roles = {ROLE: Role(ROLE, "one", role), OTHER: Role(OTHER, "two", 0), HERE: Role(HERE, "everyone", base)}
    return Guild(HERE, "here", ANN, roles, {ANN: [], BOB: [ROLE, OTHER]})


def channel(kind: int = ChannelKind.TEXT, **overwrites: list[int]) -> Channel:
    """A channel with overwrites by the id behind the first letter of a name."""
    return Channel(5, kind, "c", HERE, overwrites={key[1:]: value for key, value in overwrites.items()})


def held(guild: Guild, where: Channel, parent: Channel | None = None) -> int:
    return p.in_channel(guild, BOB, where, parent)


def test_the_owner_and_administrators_may_do_everything_whatever_a_channel_denies() -> None:
    shut = channel(r1=[0, p.VIEW_CHANNEL])
    assert p.in_channel(server(), ANN, shut) == p.ALL
    assert held(server(role=p.ADMINISTRATOR), shut) == p.ALL
    assert held(server(), shut) == 0


def test_who_is_no_member_may_do_nothing() -> None:
    assert p.in_channel(server(), 99, channel()) == 0


@pytest.mark.parametrize(
    ("overwrites", "sends"),
    [
        ({"r1": [0, p.SEND_MESSAGES]}, False),
        ({"r1": [0, p.SEND_MESSAGES], "r2": [p.SEND_MESSAGES, 0]}, True),
        ({"r2": [0, p.SEND_MESSAGES], "r3": [p.SEND_MESSAGES, 0]}, True),
        ({"r2": [p.SEND_MESSAGES, 0], "m12": [0, p.SEND_MESSAGES]}, False),
        ({"r1": [0, p.SEND_MESSAGES], "r2": [0, p.SEND_MESSAGES], "m12": [p.SEND_MESSAGES, 0]}, True),
    ],
)
def test_overwrites_count_in_the_order_of_everyone_roles_and_member(
    overwrites: dict[str, list[int]], sends: bool
) -> None:
    """Among roles, an allowance stands over a denial."""
    assert bool(held(server(), channel(ChannelKind.TEXT, **overwrites)) & p.SEND_MESSAGES) is sends


def test_who_cannot_see_a_channel_can_do_nothing_in_it() -> None:
    assert held(server(), channel(m12=[0, p.VIEW_CHANNEL])) == 0


def test_who_cannot_send_can_neither_embed_nor_attach_nor_ping_everyone() -> None:
    found = held(server(BASE | p.MENTION_EVERYONE), channel(m12=[0, p.SEND_MESSAGES]))
    assert found == p.VIEW_CHANNEL | p.SEND_IN_THREADS


def test_in_a_thread_counts_the_right_to_send_in_threads_of_its_channel() -> None:
    thread = Channel(6, ChannelKind.PUBLIC_THREAD, "t", HERE, 5)
    assert held(server(), thread, channel(m12=[0, p.SEND_MESSAGES])) & p.ATTACH_FILES
    muted = held(server(), thread, channel(m12=[0, p.SEND_IN_THREADS]))
    assert muted == p.VIEW_CHANNEL | p.SEND_MESSAGES


def test_a_locked_thread_takes_nothing_from_who_may_not_manage_threads() -> None:
    thread = Channel(6, ChannelKind.PUBLIC_THREAD, "t", HERE, 5, locked=True)
    assert not held(server(), thread, channel()) & p.SEND_IN_THREADS
    assert held(server(role=p.MANAGE_THREADS), thread, channel()) & p.SEND_IN_THREADS


def test_a_private_thread_is_seen_by_its_people_and_by_who_may_manage_threads() -> None:
    thread = Channel(6, ChannelKind.PRIVATE_THREAD, "t", HERE, 5)
    assert held(server(), thread, channel()) == 0
    assert held(server(role=p.MANAGE_THREADS), thread, channel()) & p.VIEW_CHANNEL
    thread.people.append(BOB)
    assert held(server(), thread, channel()) & p.VIEW_CHANNEL


@pytest.mark.parametrize("kind", [ChannelKind.VOICE, ChannelKind.STAGE])
def test_in_a_voice_chat_may_do_nothing_who_may_not_connect(kind: ChannelKind) -> None:
    assert held(server(), channel(kind)) == 0
    assert held(server(role=p.CONNECT), channel(kind)) & p.SEND_MESSAGES


def test_the_bot_has_what_its_invitation_grants_and_no_more(world: World) -> None:
    assert world.permissions(seed.BOT_ID, world.channel(seed.TABLE_ID)) == seed.INVITED


async def test_the_client_computes_the_same(server: LoopbackServer, bot: Toy) -> None:
    """What discord.py makes of the roles and overwrites that it receives."""
    world = server.world
    table = world.channel(seed.TABLE_ID)
    changes.overwrite(world, table, seed.GUILD_ID, deny=p.ATTACH_FILES | p.SEND_IN_THREADS)
    changes.overwrite(world, table, BOT_ROLE, allow=p.ATTACH_FILES)
    changes.overwrite(world, table, seed.BOT_ID, deny=p.PIN_MESSAGES)
    grant(world, p.MANAGE_THREADS)
    await server.person("Ann").slash("table", "menu")  # what was sent before has arrived
    known = bot.get_channel(seed.TABLE_ID)
    assert isinstance(known, discord.TextChannel)
    assert known.permissions_for(known.guild.me).value == world.permissions(seed.BOT_ID, table)
    assert not known.permissions_for(known.guild.me).pin_messages


async def test_an_interaction_says_what_the_bot_may_do_in_that_channel(
    server: LoopbackServer, bot: Toy
) -> None:
    seen: list[discord.Permissions] = []

    @bot.event
    async def on_interaction(interaction: discord.Interaction) -> None:
        seen.append(interaction.app_permissions)

    world = server.world
    changes.overwrite(world, world.channel(seed.SECOND_ID), BOT_ROLE, deny=p.EMBED_LINKS)
    changes.overwrite(world, world.channel(seed.SECOND_ID), seed.GUILD_ID, deny=p.EMBED_LINKS)
    for place in ("table", "second-table"):
        await server.person("Ann").slash(place, "menu")
    await server.person("Ann").slash("table", "whisper", to="Bob")
    await server.person("Bob").slash(server.person("Bob").direct()[0].channel_id, "menu")
    assert [found.embed_links for found in seen] == [True, False, True, True]
    assert seen[0].value == seed.INVITED
    assert seen[3].value == p.DIRECT


async def test_a_channel_that_is_not_seen_refuses_requests(server: LoopbackServer, bot: Toy) -> None:
    world = server.world
    table = world.channel(seed.TABLE_ID)
    changes.overwrite(world, table, seed.BOT_ID, deny=p.VIEW_CHANNEL)
    for asked in (bot.fetch_channel(seed.TABLE_ID), bot.get_partial_messageable(seed.TABLE_ID).send("x")):
        with pytest.raises(discord.Forbidden) as refused:
            await asked
        assert refused.value.code == 50001
    result = await server.person("Bob").slash("table", "menu")  # its commands work, and so do their answers
    assert result.text == "choose"
    threads.open_alone(world, table, threads.ThreadRequest("t", 60, ChannelKind.PUBLIC_THREAD), seed.OWNER_ID)
    await server.person("Bob").slash("table", "menu")
    assert list(bot.guilds[0].threads) == []
