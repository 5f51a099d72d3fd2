"""The unchanged client against the loopback server, over real sockets."""

import discord
import pytest

from bot.sandbox.refusal import SandboxError
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.guild import code_of
from tests.bot.sandbox.toy import Toy


async def test_ephemeral_is_private(server: LoopbackServer, bot: Toy, channel: discord.TextChannel) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    secret = (await ann.slash("table", "turn", first=bob, second=ann)).ephemeral[0]
    assert secret in ann.messages("table")
    assert secret not in bob.messages("table")
    with pytest.raises(SandboxError, match="does not see"):
        await bob.press(secret, "anything")
    assert secret.id not in [m.id async for m in channel.history()]
    assert await code_of(channel.get_partial_message(secret.id).edit(content="x")) == 10008


async def test_late_answer_is_refused(server: LoopbackServer, bot: Toy) -> None:
    server.world.answer_seconds = 0.05
    result = await server.person("Ann").slash("table", "late", seconds=0.15)
    assert result.failure_text == "The application did not respond"
    assert await server.world.wait_until(lambda: bool(bot.errors) or bool(result.interaction.refusals))
    assert [r.code for r in result.interaction.refusals] == [10062]
    assert result.messages == []


async def test_second_answer_is_refused(server: LoopbackServer, bot: Toy) -> None:
    result = await server.person("Ann").slash("table", "twice")
    await server.world.wait_until(lambda: bool(result.interaction.refusals))
    assert [r.code for r in result.interaction.refusals] == [40060]
    assert [m.content for m in result.messages] == ["once"]


OVERSIZE = {
    "text": "400 50035",
    "file": "413 40005",
    "embed": "400 50035",
    "embeds": "400 50035",
    "attachment": "400 50035",
    "empty": "400 50006",
    "message": "404 10008",
}


async def test_oversize_is_refused(server: LoopbackServer, bot: Toy) -> None:
    ann = server.person("Ann")
    answers = {what: (await ann.slash("table", "oversize", what=what)).text for what in OVERSIZE}
    assert answers == OVERSIZE
    assert server.world.history(ann.channel("table").id) == []
    assert (await ann.slash("table", "oversize", what="files")).text == "accepted"
    assert len(server.world.history(ann.channel("table").id)) == 1
