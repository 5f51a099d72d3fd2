"""Rate limits of the sandbox: kept where that is wanted, sent in headers, and heeded by the real client."""

import asyncio
import time

import aiohttp
import discord
import pytest

from bot.sandbox.guild import seed, threads
from bot.sandbox.http import rate_limits
from bot.sandbox.http.rate_limits import Rates, marked
from bot.sandbox.model import EPOCH_MS, ChannelKind
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.support.sandbox_bot import SandboxBot

POST = "POST /api/v10/channels/7/messages"


def test_nothing_is_refused_unless_limits_are_on() -> None:
    free = Rates()
    assert [free.too_soon(POST) for _ in range(100)] == [None] * 100
    assert free.headers(POST) == {}


def test_five_posts_in_five_seconds_for_each_channel() -> None:
    kept = Rates(kept=True)
    assert [kept.too_soon(POST) for _ in range(5)] == [None] * 5
    assert kept.headers(POST)["X-RateLimit-Remaining"] == "0"
    refusal = kept.too_soon(POST)
    assert refusal is not None
    assert 0 < refusal["retry_after"] <= 5
    assert refusal["global"] is False
    assert kept.too_soon(POST.replace("7", "8")) is None
    assert kept.too_soon("PATCH /api/v10/channels/7/messages/1") is None
    assert kept.refused == 1


def test_answers_to_interactions_count_for_their_token_alone() -> None:
    kept = Rates(kept=True)
    callback = "POST /api/v10/interactions/1/token/callback"
    assert [kept.too_soon(callback) for _ in range(100)] == [None] * 100
    edit = "PATCH /api/v10/webhooks/1/token/messages/@original"
    assert [kept.too_soon(edit) for _ in range(5)] == [None] * 5
    assert kept.too_soon(edit) is not None
    assert kept.too_soon(edit.replace("token", "other")) is None


def test_fifty_requests_a_second_in_all() -> None:
    kept = Rates(kept=True)
    lines = [f"POST /api/v10/channels/{number}/messages" for number in range(51)]
    refusals = [kept.too_soon(line) for line in lines]
    assert refusals[:50] == [None] * 50
    assert refusals[50] is not None
    assert refusals[50]["global"] is True


def snowflake(age: float) -> int:
    """The number of a message that was posted this many seconds ago."""
    return int((time.time() - age) * 1000 - EPOCH_MS) << 22


def edit_of(age: float) -> str:
    return marked(f"PATCH /api/v10/channels/7/messages/{snowflake(age)}", {})


def test_three_edits_of_old_messages_in_six_seconds() -> None:
    """The headers say nothing of it; younger messages have their own limit."""
    kept = Rates(kept=True)
    old, young = edit_of(3700), edit_of(3500)
    assert [kept.too_soon(old) for _ in range(3)] == [None] * 3
    assert kept.headers(old)["X-RateLimit-Remaining"] == "2"
    refusal = kept.too_soon(old)
    assert refusal is not None
    assert refusal["code"] == 30046
    assert 5 < refusal["retry_after"] <= 6
    assert kept.too_soon(young) is None
    assert kept.too_soon(old.replace("/7/", "/8/")) is None


def test_two_new_names_in_ten_minutes_and_other_changes_as_often_as_one_likes() -> None:
    kept = Rates(kept=True)
    line = "PATCH /api/v10/channels/7"
    named, archived = marked(line, {"name": "x"}), marked(line, {"archived": False})
    assert [kept.too_soon(named) for _ in range(2)] == [None] * 2
    assert kept.headers(named) == {}
    refusal = kept.too_soon(named)
    assert refusal is not None
    assert 590 < refusal["retry_after"] <= 600
    assert [kept.too_soon(archived) for _ in range(10)] == [None] * 10
    assert kept.too_soon(marked(line, {"topic": "x"})) is not None


def test_who_is_refused_ten_thousand_times_in_ten_minutes_is_shut_out() -> None:
    kept = Rates(kept=True)
    for _ in range(rate_limits.INVALID.requests):
        assert not kept.banned
        kept.note(403)
    assert kept.banned
    free = Rates()
    free.note(403)
    assert not free.banned


async def test_a_refusal_says_whom_it_is_for_and_how_long_it_holds(server: FaultyServer) -> None:
    server.rates.kept = True
    headers = {"Authorization": f"Bot {seed.DUMMY_TOKEN}"}
    url = f"{server.url}/api/v10/channels/{seed.TABLE_ID}"
    async with aiohttp.ClientSession(headers=headers) as session:
        for _ in range(5):
            async with session.post(f"{url}/messages", json={"content": "x"}) as reply:
                assert reply.headers["X-RateLimit-Limit"] == "5"
                assert {"X-RateLimit-Bucket", "X-RateLimit-Reset", "X-RateLimit-Reset-After"} <= set(
                    reply.headers
                )
        async with session.post(f"{url}/messages", json={"content": "x"}) as reply:
            assert reply.status == 429
            assert (reply.headers["X-RateLimit-Scope"], reply.headers["X-RateLimit-Remaining"]) == (
                "user",
                "0",
            )
            assert "Via" in reply.headers
            assert float(reply.headers["Retry-After"]) <= 5
        rates_now = server.rates
        for _ in range(rate_limits.INVALID.requests):
            rates_now.note(401)
        async with session.get(url) as reply:
            assert (reply.status, "Via" in reply.headers) == (429, False)


async def test_the_client_gives_up_a_name_that_would_wait_for_minutes(server: FaultyServer) -> None:
    """Where it is given a time to wait; else it waits those minutes."""
    server.rates.kept = True
    async with discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0) as client:
        await client.login(server.token)
        table = server.world.channel(seed.TABLE_ID)
        thread = threads.open_alone(
            server.world, table, threads.ThreadRequest("t", 60, ChannelKind.PUBLIC_THREAD), seed.BOT_ID
        )
        known = await client.http.get_channel(thread.id)
        assert known["id"] == str(thread.id)
        for name in ("a", "b"):
            await client.http.edit_channel(thread.id, name=name)
        with pytest.raises(discord.RateLimited):
            await client.http.edit_channel(thread.id, name="c")
    assert thread.name == "b"


async def test_what_comes_too_soon_is_refused_and_the_client_heeds_the_headers(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = tuple(limit._replace(seconds=limit.seconds / 20) for limit in rate_limits.LIMITS)
    monkeypatch.setattr(rate_limits, "LIMITS", shorter)
    game = await sandbox.game()
    sandbox.server.rates.kept = True
    thread = sandbox.client.get_partial_messageable(game.thread)
    for number in range(8):
        await thread.send(str(number))
    assert sandbox.server.rates.refused == 0
    await asyncio.gather(*(thread.send(str(number)) for number in range(8, 20)))
    assert sorted(int(line) for line in game.lines if line.isdigit()) == list(range(20))
