"""A service in trouble, as the real client meets it; and that no user of the sandbox can bring it about."""

from __future__ import annotations

import ast
import asyncio
import tomllib
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox.guild import messages, person, seed
from bot.sandbox.http.page_api import ACTS
from bot.tools.environment import Environment
from tests.bot.sandbox.faults import FaultyServer
from tests.bot.sandbox.toy import PassButton, Toy

ROOT = Path(__file__).parents[3]
POST = f"POST /api/v10/channels/{seed.TABLE_ID}/messages"
Sleep = Callable[[float], Coroutine[Any, Any, None]]


@pytest.fixture
def channel(bot: Toy) -> discord.TextChannel:
    found = bot.get_channel(seed.TABLE_ID)
    assert isinstance(found, discord.TextChannel)
    return found


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client's pauses before it asks again are short."""
    wait: Sleep = asyncio.sleep
    monkeypatch.setattr("discord.http.asyncio.sleep", lambda seconds: wait(min(seconds, 0.01)))


def texts(server: FaultyServer) -> list[str]:
    return [message.content for message in server.world.history(seed.TABLE_ID)]


# --- requests --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("status", [500, 502])
async def test_an_error_of_the_service_is_tried_again(
    server: FaultyServer, channel: discord.TextChannel, status: int
) -> None:
    server.faults.fail(POST, status=status, code=0, message="in trouble", times=2)
    await channel.send("in the end")
    assert texts(server) == ["in the end"]
    assert server.faults.served == 2


async def test_503_is_raised_at_once(server: FaultyServer, channel: discord.TextChannel) -> None:
    """discord.py does not ask again automatically."""
    server.faults.fail(POST, status=503, code=0, message="unavailable")
    with pytest.raises(discord.DiscordServerError):
        await channel.send("x")
    assert texts(server) == []


async def test_a_lost_request_did_nothing(server: FaultyServer, channel: discord.TextChannel) -> None:
    server.faults.lose_request(POST)
    with pytest.raises(aiohttp.ClientError):
        await channel.send("x")
    assert texts(server) == []


async def test_of_a_lost_answer_the_work_is_done(server: FaultyServer, channel: discord.TextChannel) -> None:
    """With a nonce, a second try makes no second message."""
    server.faults.lose_answer(POST)
    with pytest.raises(aiohttp.ClientError):
        await channel.send("x", nonce="n1")
    assert texts(server) == ["x"]
    await channel.send("x", nonce="n1")
    assert texts(server) == ["x"]


async def test_a_request_is_held_up(server: FaultyServer, channel: discord.TextChannel) -> None:
    server.faults.hold_up(POST, 0.1)
    slow = asyncio.create_task(channel.send("late"))
    await asyncio.sleep(0.02)
    assert texts(server) == []
    await slow
    assert texts(server) == ["late"]


async def test_a_message_that_is_deleted_in_the_middle_is_unknown(
    server: FaultyServer, channel: discord.TextChannel
) -> None:
    message = await channel.send("x")
    messages.delete(server.world, server.world.messages[message.id])
    with pytest.raises(discord.NotFound) as refused:
        await message.edit(content="y")
    assert refused.value.code == 10008


# --- event sockets ---------------------------------------------------------------------------------------------------


async def test_a_socket_that_is_cut_is_resumed_and_nothing_is_lost(server: FaultyServer, bot: Toy) -> None:
    server.faults.sockets.cut()
    result = await server.person("Ann").slash("table", "menu")
    assert result.text == "choose"
    assert server.gateway.resumes == 1


@pytest.fixture
async def impatient(server: FaultyServer) -> AsyncIterator[Toy]:
    """A bot that notices soon when nothing comes any more."""
    server.faults.sockets.heartbeat_ms = 50
    bot = Toy(heartbeat_timeout=0.3)
    task = asyncio.create_task(bot.start(server.token))
    await server.ready()
    await bot.wait_until_ready()
    yield bot
    await bot.close()
    await task


async def test_a_half_open_socket_is_noticed_by_its_heartbeats(server: FaultyServer, impatient: Toy) -> None:
    server.faults.sockets.silent = True
    pressed = asyncio.create_task(server.person("Ann").slash("table", "menu"))
    await asyncio.sleep(0.4)
    assert not pressed.done()
    server.faults.sockets.silent = False
    assert (await pressed).text == "choose"
    assert server.gateway.resumes >= 1


async def test_a_client_that_is_asked_to_reconnect_resumes(server: FaultyServer, bot: Toy) -> None:
    await server.faults.sockets.ask_to_reconnect()
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"
    assert (server.gateway.resumes, bot.resumed) == (1, 1)


async def test_after_an_invalid_session_the_client_begins_a_new_one(server: FaultyServer, bot: Toy) -> None:
    """Nothing is resumed; the servers are announced anew."""
    ready: list[int] = []

    @bot.event
    async def on_ready() -> None:
        ready.append(len(bot.guilds))

    await server.faults.sockets.forget()
    async with asyncio.timeout(20):
        while not ready:  # noqa: ASYNC110 - the client tells nobody
            await asyncio.sleep(0.02)
    assert ready == [1]
    assert server.gateway.resumes == 0
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"


async def test_a_server_that_cannot_be_reached_for_a_time_is_not_left(server: FaultyServer, bot: Toy) -> None:
    left: list[int] = []

    @bot.event
    async def on_guild_remove(guild: discord.Guild) -> None:
        left.append(guild.id)

    here = server.world.guilds[seed.GUILD_ID]
    await server.faults.sockets.take_down(here)
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"
    assert [guild.unavailable for guild in bot.guilds] == [True]
    await server.faults.sockets.bring_back(server.world, here)
    await server.person("Ann").slash("table", "menu")
    assert [guild.unavailable for guild in bot.guilds] == [False]
    assert left == []


async def test_a_session_that_is_not_known_is_not_resumed(server: FaultyServer, bot: Toy) -> None:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{server.url}/gateway") as socket:
        await socket.receive_json()
        resume = {"token": seed.DUMMY_TOKEN, "session_id": "unknown", "seq": 0}
        await socket.send_json({"op": 6, "d": resume})
        assert (await socket.receive_json())["op"] == 9


async def test_an_interaction_that_comes_too_late_cannot_be_answered(server: FaultyServer, bot: Toy) -> None:
    server.world.answer_limit = 0.1
    server.faults.sockets.late = 0.2
    result = await server.person("Ann").slash("table", "menu")
    assert result.failed is not None
    assert await server.world.until(lambda: bool(result.interaction.refused))
    assert [refusal.code for refusal in result.interaction.refused] == [10062]


async def test_an_interaction_that_comes_twice_is_answered_once(server: FaultyServer, bot: Toy) -> None:
    server.faults.sockets.copies = 2
    result = await server.person("Ann").slash("table", "menu")
    assert await server.world.until(lambda: bool(result.interaction.refused))
    assert [refusal.code for refusal in result.interaction.refused] == [40060]
    assert [message.content for message in result.messages] == ["choose"]


async def test_a_press_on_a_message_that_was_just_deleted_finds_none(
    server: FaultyServer, bot: Toy, channel: discord.TextChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "PATIENCE", 0.2)
    message = await channel.send("x", view=discord.ui.View(timeout=None).add_item(PassButton(1)))
    late = server.person("Ann").hold(server.world.messages[message.id], "Pass")
    messages.delete(server.world, server.world.messages[message.id])
    result = await late()
    assert result.interaction.message_id == message.id
    assert await server.world.until(lambda: bool(server.world.refusals))
    assert server.world.refusals[0].code == 10008


# --- who can bring it about ------------------------------------------------------------------------------------------

WORDS = ("fault", "trouble", "inject", "chaos")


async def test_no_route_orders_a_fault(server: FaultyServer) -> None:
    """The only routes apart from Discord's own are those of the page."""
    async with aiohttp.ClientSession() as session:
        for path in ("/faults", "/sandbox/faults", "/sandbox/act/fail", "/api/v10/faults"):
            headers = {"Origin": server.url, "Authorization": f"Bot {seed.DUMMY_TOKEN}"}
            url = f"{server.url}{path}?person={seed.OWNER_ID}"
            async with session.post(url, json={}, headers=headers) as reply:
                assert reply.status in (400, 404)
    assert not [act for act in ACTS if any(word in act for word in WORDS)]


def test_no_setting_orders_a_fault() -> None:
    assert not [name for name in Environment.model_fields if any(word in name for word in WORDS)]


def test_the_package_starts_its_server_without_faults_and_without_limits() -> None:
    """Only tests say what stands around it, and nothing of the tests is installed."""
    found = 0
    for path in (ROOT / "bot").rglob("*.py"):
        tree = ast.parse(path.read_text())
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("tests")
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "LoopbackServer":
                found += 1
                assert {word.arg for word in node.keywords} <= {"port", "world"}, path
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                assert node.attr not in ("kept", "withheld") or "sandbox" in path.parts, path
    assert found == 1
    installed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]
    assert "tests*" not in installed["include"]
