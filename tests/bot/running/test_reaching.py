"""The start: Discord that cannot be reached is waited for, a token that it refuses is not."""

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from bot.client.app import Stationmaster
from bot.client.requests.retries import DAY, LONGEST, OFTEN, SoonAgain
from bot.sandbox.redirect import pointed_at
from bot.table.rate_limits import RateLimiter
from bot.tools.login import LONGEST_PAUSE, TokenRefused, connect, log_in, pauses, until_closed
from storage import open_database
from tests.bot.sandbox.faults import FaultyServer

AT_ONCE = 0.0
HOUR = 3600.0


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Stationmaster]:
    async with (
        await open_database(tmp_path / "games.db") as db,
        Stationmaster(db, rate_limiter=RateLimiter(), sync_always=True, guild_ready_timeout=0.02) as opened,
    ):
        yield opened


def test_pauses_at_the_start_grow_up_to_ten_seconds() -> None:
    found = list(itertools.islice(pauses(), 6))
    assert found == [1, 2, 4, 8, LONGEST_PAUSE, LONGEST_PAUSE]


async def test_a_server_that_is_not_there_is_waited_for(
    client: Stationmaster, caplog: pytest.LogCaptureFixture
) -> None:
    """Refused connections at first; then the same port answers, and the bot connects and works."""
    async with FaultyServer(port=0) as server:
        port = int(server.url.rsplit(":", 1)[1])
    caplog.set_level(logging.WARNING, "stationmaster")
    with pointed_at(f"http://127.0.0.1:{port}"):
        reached = asyncio.create_task(log_in(client, server.token, itertools.repeat(0.02)))
        while "cannot be reached" not in caplog.text:  # noqa: ASYNC110 - the log tells nobody
            await asyncio.sleep(0.01)
        async with FaultyServer(port=port):
            await asyncio.wait_for(reached, 20)
            connected = asyncio.create_task(client.connect())
            await asyncio.wait_for(client.wait_until_ready(), 20)
            await client.close()
            await connected


@pytest.mark.parametrize("part", ["/users/@me", "/oauth2/applications/@me", "/commands"])
async def test_a_service_in_trouble_is_tried_again_wherever_it_fails(
    client: Stationmaster, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """discord.py itself tries five times; the sixth answer is ours to wait for."""
    sleep = asyncio.sleep
    monkeypatch.setattr("discord.http.asyncio.sleep", lambda _: sleep(0))
    async with FaultyServer(port=0) as server:
        server.faults.fail(part, status=502, code=0, message="Bad gateway", times=7)
        with pointed_at(server.url):
            await asyncio.wait_for(log_in(client, server.token, itertools.repeat(AT_ONCE)), 20)
        assert server.faults.served == 7
        assert client.user is not None


async def test_a_service_that_does_not_say_where_to_connect_is_asked_again(client: Stationmaster) -> None:
    async with FaultyServer(port=0) as server:
        server.faults.fail("/gateway/bot", status=503, code=0, message="in trouble", times=3)
        with pointed_at(server.url):
            await log_in(client, server.token, itertools.repeat(AT_ONCE))
            connected = asyncio.create_task(connect(client, itertools.repeat(AT_ONCE)))
            await asyncio.wait_for(client.wait_until_ready(), 20)
            assert server.faults.served == 3
            await client.close()
            await asyncio.wait_for(connected, 20)


async def test_a_name_that_cannot_be_looked_up_is_tried_again(
    client: Stationmaster, monkeypatch: pytest.MonkeyPatch
) -> None:
    problems: list[Exception] = [
        aiohttp.ClientConnectionError("no way there"),
        OSError(-3, "Temporary failure in name resolution"),
        TimeoutError(),
    ]
    tried = []

    async def login(token: str) -> None:
        tried.append(token)
        if problems:
            raise problems.pop()

    monkeypatch.setattr(client, "login", login)
    await log_in(client, "token", itertools.repeat(AT_ONCE))
    assert tried == ["token"] * 4


async def test_a_wrong_token_is_refused_at_once(client: Stationmaster) -> None:
    async with FaultyServer(port=0) as server:
        with pointed_at(server.url), pytest.raises(TokenRefused, match="does not accept DISCORD_TOKEN"):
            await log_in(client, "not the token", pauses())
        assert len(server.requests) == 1


async def test_what_waiting_does_not_repair_is_raised_at_once(client: Stationmaster) -> None:
    async with FaultyServer(port=0) as server:
        server.faults.fail("/users/@me", status=403, code=40002, message="You need to verify your account")
        with pointed_at(server.url), pytest.raises(Exception, match="verify your account"):
            await log_in(client, server.token, pauses())


async def test_a_token_that_was_reset_since_ends_the_connection_with_the_same_refusal(
    client: Stationmaster,
) -> None:
    async with FaultyServer(port=0) as server:
        with pointed_at(server.url):
            await log_in(client, server.token, pauses())
            client.http.token = "reset since"
            with pytest.raises(TokenRefused, match="does not accept DISCORD_TOKEN"):
                await asyncio.wait_for(until_closed(asyncio.ensure_future(client.connect())), 20)


# --- a connection that is lost ------------------------------------------------------------------------------------


def test_a_lost_connection_is_tried_again_within_seconds_for_more_than_an_hour() -> None:
    now, pauses_made = 0.0, list[float]()
    again = SoonAgain(lambda: now)
    while now < HOUR:
        pauses_made.append(again.delay())
        # No attempt takes less than a second or so to fail.
        now += max(1.0, pauses_made[-1])
        assert len(pauses_made) <= OFTEN
    assert max(pauses_made) <= LONGEST


def test_after_many_attempts_in_a_day_pauses_are_long() -> None:
    now = 0.0
    again = SoonAgain(lambda: now)
    made = [again.delay() for _ in range(OFTEN + 100)]
    assert max(made[:OFTEN]) <= LONGEST < max(made[OFTEN:])
    now = DAY + 1
    assert again.delay() <= LONGEST


async def test_every_shard_is_connected_again_so(client: Stationmaster) -> None:
    async with FaultyServer(port=0) as server:
        with pointed_at(server.url):
            await client.login(server.token)
            connected = asyncio.create_task(client.connect())
            await asyncio.wait_for(client.wait_until_ready(), 20)
            assert all(isinstance(one._parent._backoff, SoonAgain) for one in client.shards.values())
            await client.close()
            await connected
