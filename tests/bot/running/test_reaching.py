"""Discord that cannot be reached is waited for, a token that it refuses is not; and the link that invites the bot."""

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.client.app import Stationmaster
from bot.client.requests.permissions_and_invitation import GAME_PERMISSIONS, invite_link
from bot.sandbox.guild import seed
from bot.sandbox.redirect import discord_redirected_to
from bot.table.errors import Refused
from bot.table.rate_limits import RateLimiter
from bot.tools.environment import Environment
from bot.tools.login import (
    TokenRefused,
    connect,
    invitation_link,
    log_in,
    login_retry_delays,
    wait_until_closed,
)
from storage import open_database
from tests.bot.sandbox.faults import FaultyServer


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Stationmaster]:
    async with (
        await open_database(tmp_path / "games.db") as db,
        Stationmaster(db, rate_limiter=RateLimiter(), sync_always=True, guild_ready_timeout=0.02) as opened,
    ):
        yield opened


@pytest.fixture
async def server() -> AsyncIterator[FaultyServer]:
    async with FaultyServer(port=0) as server:
        with discord_redirected_to(server.url):
            yield server


async def test_missing_server_is_waited_for(client: Stationmaster, caplog: pytest.LogCaptureFixture) -> None:
    """Refused connections at first; then the same port answers, and the bot connects and works."""
    async with FaultyServer(port=0) as server:
        port = int(server.url.rsplit(":", 1)[1])
    caplog.set_level(logging.WARNING, "stationmaster")
    with discord_redirected_to(f"http://127.0.0.1:{port}"):
        reached = asyncio.create_task(log_in(client, server.token, itertools.repeat(0.02)))
        async with asyncio.timeout(20):
            while "cannot reach Discord" not in caplog.text:  # noqa: ASYNC110 - the log tells nobody
                await asyncio.sleep(0.01)
        async with FaultyServer(port=port):
            await asyncio.wait_for(reached, 20)
            connected = asyncio.create_task(client.connect())
            await asyncio.wait_for(client.wait_until_ready(), 20)
            await client.close()
            await connected


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("part", ["/users/@me", "/oauth2/applications/@me", "/commands"])
async def test_failing_service_is_tried_again(client: Stationmaster, server: FaultyServer, part: str) -> None:
    """discord.py itself tries five times; the sixth answer is ours to wait for."""
    server.faults.fail(part, status=502, code=0, message="Bad gateway", times=7)
    await asyncio.wait_for(log_in(client, server.token, itertools.repeat(0.0)), 20)
    assert server.faults.served == 7
    assert client.user is not None


async def test_where_to_connect_is_asked_again(client: Stationmaster, server: FaultyServer) -> None:
    server.faults.fail("/gateway/bot", status=503, code=0, message="in trouble", times=3)
    await log_in(client, server.token, login_retry_delays())
    connected = asyncio.create_task(connect(client, itertools.repeat(0.0)))
    await asyncio.wait_for(client.wait_until_ready(), 20)
    assert server.faults.served == 3
    await client.close()
    await asyncio.wait_for(connected, 20)


@pytest.mark.parametrize(
    ("blocked", "why"), [(False, "does not accept DISCORD_TOKEN"), (True, "verify your account")]
)
async def test_refused_token_is_not_tried_again(
    client: Stationmaster, server: FaultyServer, blocked: bool, why: str
) -> None:
    if blocked:
        server.faults.fail("/users/@me", status=403, code=40002, message="You need to verify your account")
    with pytest.raises(TokenRefused, match=why):
        await log_in(client, server.token if blocked else "not the token", login_retry_delays())
    assert len(server.requests) == 1


async def test_reset_token_ends_the_connection(client: Stationmaster, server: FaultyServer) -> None:
    await log_in(client, server.token, login_retry_delays())
    client.http.token = "reset since"
    with pytest.raises(TokenRefused, match="does not accept DISCORD_TOKEN"):
        await asyncio.wait_for(wait_until_closed(asyncio.ensure_future(client.connect())), 20)


OURS = Environment(DISCORD_TOKEN=seed.DUMMY_TOKEN)


async def test_link_is_that_of_the_token(server: FaultyServer) -> None:
    asked = parse_qs(urlsplit(await invitation_link(OURS)).query)
    assert asked["client_id"] == [str(seed.APPLICATION_ID)]
    assert asked["scope"] == ["bot applications.commands"]


def test_link_asks_for_what_a_table_needs() -> None:
    """The sandbox grants as much, and no more."""
    [asked] = parse_qs(urlsplit(invite_link(1)).query)["permissions"]
    assert int(asked) == seed.INVITED_PERMISSIONS
    granted = discord.Permissions(int(asked))
    assert all(getattr(granted, name) for name in (*GAME_PERMISSIONS, "pin_messages"))
    assert (granted.administrator, granted.manage_messages) == (False, False)


async def test_silent_discord_is_given_up() -> None:
    async def listens_only(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()

    silent = await asyncio.start_server(listens_only, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{silent.sockets[0].getsockname()[1]}"
    async with silent:
        with discord_redirected_to(url), pytest.raises(Refused, match="did not answer within"):
            await invitation_link(OURS, answer_seconds=0.2)
