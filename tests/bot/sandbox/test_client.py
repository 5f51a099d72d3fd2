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


async def test_button_replaces_the_picture(server: LoopbackServer, bot: Toy) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    await ann.slash("table", "game new", title="18AL")
    post = next(m for m in bob.messages("table") if m.buttons)
    before = [a.id for a in post.attachments]
    late = ann.prepare_press(post, "Pass")
    result = await bob.press(post, "Pass")
    assert (result.text, result.ephemeral[0].only_for) == ("Bob passed at 1", bob.id)
    assert [a.filename for a in post.attachments] == ["new.png"]
    assert all(server.world.store.file(ident) is None for ident in before)
    assert [b.custom_id for b in post.buttons] == ["g:2:pass"]
    with pytest.raises(SandboxError, match="No button"):
        await bob.press(post, "g:1:pass")
    assert (await late()).text == "Ann passed at 1"


async def test_select_and_modal(server: LoopbackServer, bot: Toy) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    message = (await ann.slash("table", "menu")).public[0]
    opened = await bob.press(message, "Bid")
    assert opened.modal is not None
    assert (opened.modal.title, opened.modal.fields[0]["label"]) == ("Your bid", "Amount")
    with pytest.raises(SandboxError, match="characters"):
        await bob.submit(opened.modal, amount="1000000")
    assert (await bob.submit(opened.modal, amount="120")).text == "bid 120"
    with pytest.raises(SandboxError, match="offers"):
        await ann.select(message, "company", ["NYC"])
    await ann.select(message, "company", ["PRR", "C&O"])
    assert (message.content, message.selects) == ("chosen C&O PRR", [])


async def test_autocomplete(server: LoopbackServer, bot: Toy) -> None:
    ann = server.person("Ann")
    found = await ann.autocomplete("table", "game new", focused="title", title="ches", seats=5)
    assert found == [("18Chesapeake for 5", "18Chesapeake for 5")]
    for refused in ("many", "long"):
        assert await ann.autocomplete("table", "game new", focused="title", title=refused) == []
    assert [r.code for r in server.world.refusals] == [50035, 50035]


async def test_late_answer_is_refused(server: LoopbackServer, bot: Toy) -> None:
    server.world.answer_limit = 0.05
    result = await server.person("Ann").slash("table", "late", seconds=0.15)
    assert result.failed == "The application did not respond"
    assert await server.world.wait_until(lambda: bool(bot.errors) or bool(result.interaction.refused))
    assert [r.code for r in result.interaction.refused] == [10062]
    assert result.messages == []


async def test_second_answer_is_refused(server: LoopbackServer, bot: Toy) -> None:
    result = await server.person("Ann").slash("table", "twice")
    await server.world.wait_until(lambda: bool(result.interaction.refused))
    assert [r.code for r in result.interaction.refused] == [40060]
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
