"""Rate limits of the sandbox: kept where that is wanted, sent in headers, and heeded by the real client."""

import time

import aiohttp
import discord
import pytest

from bot.sandbox.guild import seed, threads
from bot.sandbox.http import rate_limits
from bot.sandbox.http.rate_limits import RateLimits, rate_limit_line
from bot.sandbox.model import EPOCH_MS, ChannelKind
from bot.sandbox.refusal import Json
from bot.sandbox.server import LoopbackServer

POST = "POST /api/v10/channels/7/messages"
CALLBACK = "POST /api/v10/interactions/1/token/callback"
ORIGINAL = "PATCH /api/v10/webhooks/1/token/messages/@original"
RENAMED, ARCHIVED, DESCRIBED = (
    rate_limit_line("PATCH /api/v10/channels/7", body)
    for body in ({"name": "x"}, {"archived": False}, {"topic": "x"})
)


def edit_of(age: float) -> str:
    """An edit of a message that was posted this many seconds ago."""
    snowflake = int((time.time() - age) * 1000 - EPOCH_MS) << 22
    return rate_limit_line(f"PATCH /api/v10/channels/7/messages/{snowflake}", {})


OLD, YOUNG = edit_of(3700), edit_of(3500)
LIMITS: dict[str, tuple[str, int, tuple[float, float], tuple[str, ...]]] = {
    "five posts in five seconds": (POST, 5, (0, 5), (POST.replace("7", "8"), "PATCH /api/v10/channels/7/messages/1")),
    "five edits of an answer": (ORIGINAL, 5, (0, 5), (ORIGINAL.replace("token", "other"), CALLBACK)),
    "three edits of old messages in six seconds": (OLD, 3, (5, 6), (YOUNG, OLD.replace("/7/", "/8/"))),
    "two names in ten minutes": (RENAMED, 2, (590, 600), (ARCHIVED,) * 10),
}  # fmt: skip


@pytest.mark.parametrize(("line", "most", "wait", "free"), LIMITS.values(), ids=LIMITS)
def test_limit_holds(line: str, most: int, wait: tuple[float, float], free: tuple[str, ...]) -> None:
    kept = RateLimits(is_enforced=True)
    assert [kept.refuse_or_count(line) for _ in range(most)] == [None] * most
    refusal = kept.refuse_or_count(line)
    assert refusal is not None
    assert wait[0] < refusal["retry_after"] <= wait[1]
    assert (refusal["global"], refusal.get("code", 0)) == (False, 30046 if line == OLD else 0)
    assert [kept.refuse_or_count(other) for other in free] == [None] * len(free)
    assert kept.refused_count == 1
    without = RateLimits()
    assert [without.refuse_or_count(line) for _ in range(100)] == [None] * 100
    assert without.headers(line) == {}


def test_headers_of_a_limit() -> None:
    kept = RateLimits(is_enforced=True)
    for line, left in ((POST, "4"), (OLD, "4"), (RENAMED, None)):
        kept.refuse_or_count(line)
        assert kept.headers(line).get("X-RateLimit-Remaining") == left
    kept.refuse_or_count(RENAMED)
    assert kept.refuse_or_count(DESCRIBED) is not None


def test_fifty_requests_a_second_in_all() -> None:
    kept = RateLimits(is_enforced=True)
    assert [kept.refuse_or_count(CALLBACK) for _ in range(100)] == [None] * 100
    refusals = [kept.refuse_or_count(f"POST /api/v10/channels/{number}/messages") for number in range(51)]
    assert refusals[:50] == [None] * 50
    assert refusals[50] is not None
    assert refusals[50]["global"] is True


def test_ten_thousand_refusals_are_a_ban() -> None:
    kept, free = RateLimits(is_enforced=True), RateLimits()
    for _ in range(rate_limits.INVALID_LIMIT.max_requests):
        assert not kept.is_banned
        kept.count_status(403)
        free.count_status(403)
    assert (kept.is_banned, free.is_banned) == (True, False)


async def test_headers_of_a_refusal(server: LoopbackServer) -> None:
    server.rates.is_enforced = True
    url = f"{server.url}/api/v10/channels/{seed.TABLE_CHANNEL_ID}"
    text: Json = {"content": "x"}
    async with aiohttp.ClientSession(headers={"Authorization": f"Bot {seed.DUMMY_TOKEN}"}) as session:
        for _ in range(5):
            async with session.post(f"{url}/messages", json=text) as reply:
                found = {name for name in reply.headers if name.startswith("X-RateLimit")}
                assert reply.headers["X-RateLimit-Limit"] == "5"
                assert {f"X-RateLimit-{name}" for name in ("Bucket", "Reset", "Reset-After")} <= found
        async with session.post(f"{url}/messages", json=text) as reply:
            headers = reply.headers
            assert (reply.status, headers["X-RateLimit-Scope"], headers["X-RateLimit-Remaining"]) == (
                429,
                "user",
                "0",
            )
            assert "Via" in headers
            assert float(headers["Retry-After"]) <= 5
        for _ in range(rate_limits.INVALID_LIMIT.max_requests):
            server.rates.count_status(401)
        async with session.get(url) as reply:
            assert (reply.status, "Via" in reply.headers) == (429, False)


async def test_client_gives_up_a_third_name(server: LoopbackServer) -> None:
    """Where it is given a time to wait; else it waits those minutes."""
    server.rates.is_enforced = True
    async with discord.Client(intents=discord.Intents.none(), max_ratelimit_timeout=30.0) as client:
        await client.login(server.token)
        request = threads.ThreadRequest("t", 60, ChannelKind.PUBLIC_THREAD)
        table = server.world.channel(seed.TABLE_CHANNEL_ID)
        thread = threads.open_without_message(server.world, table, request, seed.BOT_ID)
        for name in ("a", "b"):
            await client.http.edit_channel(thread.id, name=name)
        with pytest.raises(discord.RateLimited):
            await client.http.edit_channel(thread.id, name="c")
    assert thread.name == "b"
