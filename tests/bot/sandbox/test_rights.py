"""What each request of the bot needs: with that right it is done, without it is refused as 50013 (50001 unseen)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord
import pytest

from bot.sandbox.guild import permissions as p
from bot.sandbox.guild import seed
from bot.sandbox.refusal import SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import guild, send_away
from tests.bot.sandbox.toy import Toy, picture
from tests.bot.support import changes

BOB = seed.OWNER_ID + 1
PUBLIC: Final = discord.ChannelType.public_thread
Call = Callable[[discord.TextChannel, discord.Message, discord.Thread], Awaitable[Any]]


NEEDS: Final[dict[str, tuple[int, Call]]] = {
    "a message": (p.SEND_MESSAGES, lambda c, m, t: c.send("x")),
    "an embed": (p.EMBED_LINKS, lambda c, m, t: c.send(embed=discord.Embed(title="x"))),
    "a file": (p.ATTACH_FILES, lambda c, m, t: c.send(file=picture())),
    "a new file": (p.ATTACH_FILES, lambda c, m, t: m.edit(attachments=[picture()])),
    "a look at a message": (p.READ_HISTORY, lambda c, m, t: c.fetch_message(m.id)),
    "a pin": (p.PIN_MESSAGES, lambda c, m, t: m.pin()),
    "a thread below a message": (p.CREATE_THREADS, lambda c, m, t: m.create_thread(name="x")),
    "a thread by itself": (p.CREATE_THREADS, lambda c, m, t: c.create_thread(name="x", type=PUBLIC)),
    "a message in a thread": (p.SEND_IN_THREADS, lambda c, m, t: t.send("x")),
    "a file in a thread": (p.ATTACH_FILES, lambda c, m, t: t.send(file=picture())),
    "somebody more in a thread": (p.SEND_IN_THREADS, lambda c, m, t: t.add_user(discord.Object(BOB))),
}


@pytest.fixture
async def place(bot: Toy) -> tuple[discord.TextChannel, discord.Message, discord.Thread]:
    channel = bot.get_channel(seed.TABLE_ID)
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send("here")
    return channel, message, await channel.create_thread(name="there", type=PUBLIC)


@pytest.mark.parametrize(("needed", "call"), NEEDS.values(), ids=NEEDS)
async def test_it_is_refused_without_the_right_and_done_with_it(
    server: LoopbackServer,
    place: tuple[discord.TextChannel, discord.Message, discord.Thread],
    needed: int,
    call: Call,
) -> None:
    for withheld, code in ((p.VIEW_CHANNEL, 50001), (needed, 50013)):
        server.world.withheld = withheld
        with pytest.raises(discord.Forbidden) as refused:
            await call(*place)
        assert refused.value.code == code
    server.world.withheld = 0
    await call(*place)


async def test_a_text_is_edited_without_any_right_but_to_see_it(
    server: LoopbackServer, place: tuple[discord.TextChannel, discord.Message, discord.Thread]
) -> None:
    server.world.withheld = seed.INVITED & ~p.VIEW_CHANNEL
    await place[1].edit(content="x", embed=discord.Embed(title="y"))
    await place[1].delete()


async def test_an_answer_to_a_command_needs_no_right_at_all(server: LoopbackServer, bot: Toy) -> None:
    server.world.withheld = seed.INVITED
    result = await server.person("Ann").slash("table", "menu")
    assert result.text == "choose"
    assert server.world.refusals == []


async def test_commands_are_offered_to_those_who_may_use_them_there(server: LoopbackServer, bot: Toy) -> None:
    table = server.world.channel(seed.TABLE_ID)
    changes.overwrite(server.world, table, guild(server.world).id + seed.PLAYERS_ROLE, deny=p.USE_COMMANDS)
    with pytest.raises(SandboxError, match="not offered"):
        await server.person("Bob").slash("table", "menu")
    assert (await server.person("Bob").slash("second-table", "menu")).text == "choose"
    send_away(server.world, BOB)
    with pytest.raises(SandboxError, match="cannot see"):
        await server.person("Bob").slash("second-table", "menu")
