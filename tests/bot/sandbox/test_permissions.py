"""Permissions in a channel, and those that each request of the bot needs."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord
import pytest

from bot.sandbox.guild import permissions as p
from bot.sandbox.guild import seed, threads
from bot.sandbox.model import Channel, ChannelKind, Guild, Role
from bot.sandbox.refusal import SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import BOT_ROLE, code_of, grant, guild, send_away
from tests.bot.sandbox.toy import Toy, picture
from tests.bot.support import changes

HERE, ROLE, OTHER, ANN, BOB = 1, 2, 3, 11, 12
BASE = p.VIEW_CHANNEL | p.SEND_MESSAGES | p.SEND_IN_THREADS | p.EMBED_LINKS | p.ATTACH_FILES
SEND = p.SEND_MESSAGES


def of(base: int = BASE, role: int = 0) -> Guild:
    """A server of Ann's, in which Bob has two roles."""
    roles = {ROLE: Role(ROLE, "one", role), OTHER: Role(OTHER, "two", 0), HERE: Role(HERE, "everyone", base)}
    return Guild(HERE, "here", ANN, roles, {ANN: [], BOB: [ROLE, OTHER]})


def place(kind: int = ChannelKind.TEXT, **overwrites: list[int]) -> Channel:
    """A channel with overwrites by the id behind the first letter of a name."""
    return Channel(5, kind, "c", HERE, overwrites={key[1:]: value for key, value in overwrites.items()})


def thread(kind: int = ChannelKind.PUBLIC_THREAD, *, locked: bool = False) -> Channel:
    return Channel(6, kind, "t", HERE, 5, locked=locked)


def held(server: Guild, where: Channel, parent: Channel | None = None) -> int:
    return p.channel_permissions(server, BOB, where, parent)


MANAGES = of(role=p.MANAGE_THREADS)
PRIVATE, LOCKED = thread(ChannelKind.PRIVATE_THREAD), thread(locked=True)
HELD: Final[dict[str, tuple[int, int]]] = {
    "an owner": (p.channel_permissions(of(), ANN, place(r1=[0, p.VIEW_CHANNEL])), p.ALL_PERMISSIONS),
    "an administrator": (held(of(role=p.ADMINISTRATOR), place(r1=[0, p.VIEW_CHANNEL])), p.ALL_PERMISSIONS),
    "no member": (p.channel_permissions(of(), 99, place()), 0),
    "who cannot see": (held(of(), place(m12=[0, p.VIEW_CHANNEL])), 0),
    "who cannot send": (held(of(BASE | p.MENTION_EVERYONE), place(m12=[0, SEND])), p.VIEW_CHANNEL | p.SEND_IN_THREADS),
    "muted in threads": (held(of(), thread(), place(m12=[0, p.SEND_IN_THREADS])), p.VIEW_CHANNEL | SEND),
    "muted in the channel": (held(of(), thread(), place(m12=[0, SEND])) & p.ATTACH_FILES, p.ATTACH_FILES),
    "a locked thread": (held(of(), LOCKED, place()) & p.SEND_IN_THREADS, 0),
    "a locked thread, managed": (held(MANAGES, LOCKED, place()) & p.SEND_IN_THREADS, p.SEND_IN_THREADS),
    "a private thread": (held(of(), PRIVATE, place()), 0),
    "a private thread, managed": (held(MANAGES, PRIVATE, place()) & p.VIEW_CHANNEL, p.VIEW_CHANNEL),
    "voice": (held(of(), place(ChannelKind.VOICE)), 0),
    "a stage": (held(of(), place(ChannelKind.STAGE)), 0),
    "voice, connected": (held(of(role=p.CONNECT), place(ChannelKind.VOICE)) & SEND, SEND),
}  # fmt: skip


@pytest.mark.parametrize(("found", "expected"), HELD.values(), ids=HELD)
def test_permissions_held(found: int, expected: int) -> None:
    assert found == expected


def test_private_thread_is_seen_by_its_people() -> None:
    joined = thread(ChannelKind.PRIVATE_THREAD)
    joined.people.append(BOB)
    assert held(of(), joined, place()) & p.VIEW_CHANNEL


@pytest.mark.parametrize(
    ("overwrites", "sends"),
    [
        ({"r1": [0, SEND]}, False),
        ({"r1": [0, SEND], "r2": [SEND, 0]}, True),
        ({"r2": [0, SEND], "r3": [SEND, 0]}, True),
        ({"r2": [SEND, 0], "m12": [0, SEND]}, False),
        ({"r1": [0, SEND], "r2": [0, SEND], "m12": [SEND, 0]}, True),
    ],
)
def test_order_of_overwrites(overwrites: dict[str, list[int]], sends: bool) -> None:
    """Everyone, roles, member; among roles, an allowance stands over a denial."""
    assert bool(held(of(), place(ChannelKind.TEXT, **overwrites)) & SEND) is sends


async def test_client_computes_the_same(server: LoopbackServer, channel: discord.TextChannel) -> None:
    world = server.world
    table = world.channel(seed.TABLE_CHANNEL_ID)
    changes.overwrite(world, table, seed.GUILD_ID, deny=p.ATTACH_FILES | p.SEND_IN_THREADS)
    changes.overwrite(world, table, BOT_ROLE, allow=p.ATTACH_FILES)
    changes.overwrite(world, table, seed.BOT_ID, deny=p.PIN_MESSAGES)
    grant(world, p.MANAGE_THREADS)
    await server.person("Ann").slash("table", "menu")  # what was sent before has arrived
    assert channel.permissions_for(channel.guild.me).value == world.permissions(seed.BOT_ID, table)
    assert not channel.permissions_for(channel.guild.me).pin_messages


async def test_interactions_name_permissions(server: LoopbackServer, bot: Toy) -> None:
    seen: list[discord.Permissions] = []

    @bot.event
    async def on_interaction(interaction: discord.Interaction) -> None:
        seen.append(interaction.app_permissions)

    for role in (BOT_ROLE, seed.GUILD_ID):
        changes.overwrite(
            server.world, server.world.channel(seed.SECOND_CHANNEL_ID), role, deny=p.EMBED_LINKS
        )
    for name in ("table", "second-table"):
        await server.person("Ann").slash(name, "menu")
    await server.person("Ann").slash("table", "whisper", to="Bob")
    await server.person("Bob").slash(server.person("Bob").direct_messages()[0].channel_id, "menu")
    assert [found.embed_links for found in seen] == [True, False, True, True]
    assert (seen[0].value, seen[3].value) == (seed.INVITED_PERMISSIONS, p.DM_PERMISSIONS)


async def test_hidden_channel_refuses_requests(server: LoopbackServer, bot: Toy) -> None:
    world = server.world
    table = world.channel(seed.TABLE_CHANNEL_ID)
    changes.overwrite(world, table, seed.BOT_ID, deny=p.VIEW_CHANNEL)
    for asked in (
        bot.fetch_channel(seed.TABLE_CHANNEL_ID),
        bot.get_partial_messageable(seed.TABLE_CHANNEL_ID).send("x"),
    ):
        assert await code_of(asked) == 50001
    result = await server.person("Bob").slash("table", "menu")  # its commands work, and so do their answers
    assert result.text == "choose"
    threads.open_without_message(
        world, table, threads.ThreadRequest("t", 60, ChannelKind.PUBLIC_THREAD), seed.OWNER_ID
    )
    await server.person("Bob").slash("table", "menu")
    assert list(bot.guilds[0].threads) == []


PUBLIC: Final = discord.ChannelType.public_thread
BOBS_ID = seed.OWNER_ID + 1
Call = Callable[[discord.TextChannel, discord.Message, discord.Thread], Awaitable[Any]]
NEEDS: Final[dict[str, tuple[int, Call]]] = {
    "a message": (p.SEND_MESSAGES, lambda c, m, t: c.send("x")),
    "an embed": (p.EMBED_LINKS, lambda c, m, t: c.send(embed=discord.Embed(title="x"))),
    "a file": (p.ATTACH_FILES, lambda c, m, t: c.send(file=picture())),
    "a new file": (p.ATTACH_FILES, lambda c, m, t: m.edit(attachments=[picture()])),
    "a look at a message": (p.READ_HISTORY, lambda c, m, t: c.fetch_message(m.id)),
    "a pin": (p.PIN_MESSAGES, lambda c, m, t: m.pin()),
    "a thread of a message": (p.CREATE_THREADS, lambda c, m, t: m.create_thread(name="x")),
    "a thread": (p.CREATE_THREADS, lambda c, m, t: c.create_thread(name="x", type=PUBLIC)),
    "a message in a thread": (p.SEND_IN_THREADS, lambda c, m, t: t.send("x")),
    "a file in a thread": (p.ATTACH_FILES, lambda c, m, t: t.send(file=picture())),
    "a person in a thread": (p.SEND_IN_THREADS, lambda c, m, t: t.add_user(discord.Object(BOBS_ID))),
}


async def test_each_request_needs_a_permission(server: LoopbackServer, channel: discord.TextChannel) -> None:
    message = await channel.send("here")
    there = channel, message, await channel.create_thread(name="there", type=PUBLIC)
    for name, (needed, call) in NEEDS.items():
        for withheld_permissions, code in ((p.VIEW_CHANNEL, 50001), (needed, 50013)):
            server.world.withheld_permissions = withheld_permissions
            assert await code_of(call(*there)) == code, name
        server.world.withheld_permissions = 0
        await call(*there)
    server.world.withheld_permissions = p.READ_HISTORY
    assert [m async for m in channel.history()] == []
    server.world.withheld_permissions = seed.INVITED_PERMISSIONS & ~p.VIEW_CHANNEL
    await message.edit(content="x", embed=discord.Embed(title="y"))
    await message.delete()


async def test_answers_need_no_permission(server: LoopbackServer, bot: Toy) -> None:
    server.world.withheld_permissions = seed.INVITED_PERMISSIONS
    result = await server.person("Ann").slash("table", "menu")
    assert (result.text, server.world.refusals) == ("choose", [])


async def test_commands_need_permission(server: LoopbackServer, bot: Toy) -> None:
    table, bob = server.world.channel(seed.TABLE_CHANNEL_ID), server.person("Bob")
    changes.overwrite(
        server.world, table, guild(server.world).id + seed.PLAYERS_ROLE_OFFSET, deny=p.USE_COMMANDS
    )
    with pytest.raises(SandboxError, match="cannot use"):
        await bob.slash("table", "menu")
    assert (await bob.slash("second-table", "menu")).text == "choose"
    send_away(server.world, bob.id)
    with pytest.raises(SandboxError, match="cannot see"):
        await bob.slash("second-table", "menu")
