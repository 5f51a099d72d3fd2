"""The unchanged client against the loopback server, over real sockets."""

from __future__ import annotations

import discord
import pytest

from bot.sandbox.refusal import SandboxError
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.sandbox.toy import Toy


async def test_slash_defer_embed_picture_pin_and_thread(server: FaultyServer, bot: Toy) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    result = await ann.slash("table", "game new", title="18Chesapeake", seats=4)
    assert result.failed is None
    assert result.public == []
    assert "opened <#" in result.text
    assert [a.filename for a in result.ephemeral[0].attachments] == ["own.png"]
    post = next(m for m in bob.messages("table") if m.content == "a new game")
    assert post.pinned
    assert post.embeds[0]["description"] == "4 seats"
    assert post.embedded == {"map.png"}
    assert (post.attachments[0].width, post.attachments[0].height) == (32, 16)
    assert server.world.picture(post.attachments[0]).startswith(b"\x89PNG")
    thread = server.world.channel_named("18Chesapeake game")
    assert thread.id == post.id
    assert thread.archive_minutes == 10080
    assert ann.id in thread.people


async def test_ephemeral_messages_do_not_leak(server: FaultyServer, bot: Toy) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    result = await ann.slash("table", "turn", first=bob, second=ann)
    secret = result.ephemeral[0]
    assert secret in ann.messages("table")
    assert secret not in bob.messages("table")
    with pytest.raises(SandboxError, match="does not see"):
        await bob.press(secret, "anything")
    channel = bot.get_channel(secret.channel_id)
    assert isinstance(channel, discord.TextChannel)
    assert secret.id not in [m.id async for m in channel.history()]
    with pytest.raises(discord.NotFound) as refused:
        await channel.get_partial_message(secret.id).edit(content="by the channel's route")
    assert refused.value.code == 10008


async def test_only_the_allowed_mention_pings(server: FaultyServer, bot: Toy) -> None:
    ann, bob, cy = (server.person(name) for name in ("Ann", "Bob", "Cy"))
    await ann.slash("table", "turn", first=bob, second=cy)
    assert bob.pings() == []
    assert [m.content for m in cy.pings("table")] == [f"{bob.mention} and {cy.mention}"]
    server.world.look(cy.id, cy.channel("table").id)
    assert server.world.waiting(cy.id) == []


async def test_dynamic_button_by_another_user_replaces_the_picture(server: FaultyServer, bot: Toy) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    await ann.slash("table", "game new", title="18AL")
    post = next(m for m in bob.messages("table") if m.buttons)
    before = [a.id for a in post.attachments]
    late = ann.hold(post, "Pass")
    result = await bob.press(post, "Pass")
    assert result.text == "Bob passed at 1"
    assert result.ephemeral[0].only_for == bob.id
    assert [a.filename for a in post.attachments] == ["new.png"]
    assert all(server.world.store.file(ident) is None for ident in before)
    assert [b.custom_id for b in post.buttons] == ["g:2:pass"]
    with pytest.raises(SandboxError, match="No button"):
        await bob.press(post, "g:1:pass")
    assert (await late()).text == "Ann passed at 1"


async def test_old_buttons_work_after_a_restart_of_the_bot(
    server: FaultyServer, start: object, bot: Toy
) -> None:
    ann = server.person("Ann")
    await ann.slash("table", "game new", title="18TN")
    await bot.close()
    await server.world.until(lambda: not server.gateway.connected)
    assert callable(start)
    await start()
    post = next(m for m in ann.messages("table") if m.buttons)
    assert (await ann.press(post, "Pass")).text == "Ann passed at 1"


async def test_direct_messages_are_seen_by_their_person_only(server: FaultyServer, bot: Toy) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    await ann.slash("table", "whisper", to=bob)
    assert [m.content for m in bob.direct()] == ["from Ann"]
    assert bob.pings() == bob.direct()
    assert ann.direct() == []
    with pytest.raises(SandboxError, match="cannot see"):
        ann.channel(bob.direct()[0].channel_id)


async def test_select_and_modal(server: FaultyServer, bot: Toy) -> None:
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
    assert message.content == "chosen C&O PRR"
    assert message.selects == []


async def test_autocomplete_sees_earlier_options(server: FaultyServer, bot: Toy) -> None:
    ann = server.person("Ann")
    found = await ann.autocomplete("table", "game new", focused="title", title="ches", seats=5)
    assert found == [("18Chesapeake for 5", "18Chesapeake for 5")]


@pytest.mark.parametrize("typed", ["many", "long"])
async def test_too_many_or_too_long_suggestions_are_refused(
    server: FaultyServer, bot: Toy, typed: str
) -> None:
    assert await server.person("Ann").autocomplete("table", "game new", focused="title", title=typed) == []
    assert [r.code for r in server.world.refusals] == [50035]


async def test_a_late_answer_is_refused(server: FaultyServer, bot: Toy) -> None:
    server.world.answer_limit = 0.05
    result = await server.person("Ann").slash("table", "late", seconds=0.15)
    assert result.failed == "The application did not respond"
    assert await server.world.until(lambda: bool(bot.errors) or bool(result.interaction.refused))
    assert [r.code for r in result.interaction.refused] == [10062]
    assert result.messages == []


async def test_a_second_answer_is_refused(server: FaultyServer, bot: Toy) -> None:
    result = await server.person("Ann").slash("table", "twice")
    await server.world.until(lambda: bool(result.interaction.refused))
    assert [r.code for r in result.interaction.refused] == [40060]
    assert [m.content for m in result.messages] == ["once"]


@pytest.mark.parametrize(
    ("what", "answer"),
    [
        ("text", "400 50035"),
        ("file", "413 40005"),
        ("files", "accepted"),
        ("embed", "400 50035"),
        ("embeds", "400 50035"),
        ("attachment", "400 50035"),
        ("custom_id", "400 50035"),
        ("empty", "400 50006"),
        ("message", "404 10008"),
    ],
)
async def test_oversize_is_refused(server: FaultyServer, bot: Toy, what: str, answer: str) -> None:
    ann = server.person("Ann")
    result = await ann.slash("table", "oversize", what=what)
    assert result.text == answer
    assert len(server.world.history(ann.channel("table").id)) == (1 if answer == "accepted" else 0)


async def test_rate_limit_is_waited_out(server: FaultyServer, bot: Toy) -> None:
    channel = bot.get_channel(server.person("Ann").channel("table").id)
    assert isinstance(channel, discord.TextChannel)
    server.faults.rate_limit("/messages", retry_after=0.02, times=2)
    message = await channel.send("in the end")
    assert server.faults.served == 2
    assert server.world.messages[message.id].content == "in the end"


async def test_ordered_failure_reaches_the_bot(server: FaultyServer, bot: Toy) -> None:
    channel = bot.get_channel(server.person("Ann").channel("table").id)
    assert isinstance(channel, discord.TextChannel)
    server.faults.fail("POST", status=403, code=50013)
    with pytest.raises(discord.Forbidden):
        await channel.send("never")
    assert server.world.history(channel.id) == []


async def test_dropped_gateway_is_resumed(server: FaultyServer, bot: Toy) -> None:
    await server.gateway.drop()
    result = await server.person("Ann").slash("table", "turn", first="Bob", second="Cy")
    assert result.text == "done"
    assert server.gateway.resumes == 1
    assert bot.resumed == 1
