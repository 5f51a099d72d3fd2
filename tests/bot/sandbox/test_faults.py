"""A service in trouble, as the real client meets it; and that no user of the sandbox can bring it about."""

import ast
import asyncio
import tomllib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiohttp
import discord
import pytest

from bot.sandbox.guild import messages, person, seed
from bot.sandbox.http.page_api import ACTS
from bot.tools.environment import Environment
from tests.bot.sandbox.faults import Faults, FaultyServer
from tests.bot.sandbox.toy import PassButton, Toy

ROOT = Path(__file__).parents[3]
POST = f"POST /api/v10/channels/{seed.TABLE_ID}/messages"
Order = Callable[[Faults], object]


def texts(server: FaultyServer) -> list[str]:
    return [message.content for message in server.world.history(seed.TABLE_ID)]


AGAIN: dict[str, Order] = {
    "500": lambda faults: faults.fail(POST, status=500, code=0, message="in trouble", times=2),
    "502": lambda faults: faults.fail(POST, status=502, code=0, message="in trouble", times=2),
    "429": lambda faults: faults.rate_limit(POST, retry_after=0.02, times=2),
}


@pytest.mark.parametrize("order", AGAIN.values(), ids=AGAIN)
async def test_client_tries_again(
    server: FaultyServer, channel: discord.TextChannel, order: Order, hasty: None
) -> None:
    order(server.faults)
    await channel.send("in the end")
    assert (texts(server), server.faults.served) == (["in the end"], 2)


LOST: dict[str, tuple[Order, type[Exception], list[str]]] = {
    "forbidden": (lambda faults: faults.fail("POST"), discord.Forbidden, []),
    "503": (lambda faults: faults.fail(POST, status=503, code=0), discord.DiscordServerError, []),
    "a lost request": (lambda faults: faults.lose_request(POST), aiohttp.ClientError, []),
    "a lost answer": (lambda faults: faults.lose_answer(POST), aiohttp.ClientError, ["x"]),
}


@pytest.mark.parametrize(("order", "raised", "posted"), LOST.values(), ids=LOST)
async def test_client_gives_up(
    server: FaultyServer,
    channel: discord.TextChannel,
    order: Order,
    raised: type[Exception],
    posted: list[str],
) -> None:
    """With a nonce, a second try makes no second message."""
    order(server.faults)
    with pytest.raises(raised):
        await channel.send("x", nonce="n1")
    assert texts(server) == posted
    await channel.send("x", nonce="n1")
    assert texts(server) == ["x"]


@pytest.mark.parametrize("way", ["cut", "drop", "ask_to_reconnect"])
async def test_lost_socket_is_resumed(server: FaultyServer, bot: Toy, way: str) -> None:
    sockets = server.faults.sockets
    if way == "cut":
        sockets.cut()
    else:
        await (server.gateway.drop() if way == "drop" else sockets.ask_to_reconnect())
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"
    assert (server.gateway.resumes, bot.resumed) == (1, 1)


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


async def test_half_open_socket_is_noticed(server: FaultyServer, impatient: Toy) -> None:
    server.faults.sockets.silent = True
    pressed = asyncio.create_task(server.person("Ann").slash("table", "menu"))
    await asyncio.sleep(0.4)
    assert not pressed.done()
    server.faults.sockets.silent = False
    assert (await pressed).text == "choose"
    assert server.gateway.resumes >= 1


async def test_invalid_session_is_replaced(server: FaultyServer, bot: Toy) -> None:
    ready: list[int] = []

    @bot.event
    async def on_ready() -> None:
        ready.append(len(bot.guilds))

    await server.faults.sockets.forget()
    async with asyncio.timeout(20):
        while not ready:  # noqa: ASYNC110 - the client tells nobody
            await asyncio.sleep(0.02)
    assert (ready, server.gateway.resumes) == ([1], 0)
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"


async def test_server_in_an_outage_is_not_left(server: FaultyServer, bot: Toy) -> None:
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
    assert ([guild.unavailable for guild in bot.guilds], left) == ([False], [])


async def test_late_interaction(server: FaultyServer, bot: Toy) -> None:
    server.world.answer_limit = 0.1
    server.faults.sockets.late = 0.2
    result = await server.person("Ann").slash("table", "menu")
    assert result.failed is not None
    assert await server.world.wait_until(lambda: bool(result.interaction.refused))
    assert [refusal.code for refusal in result.interaction.refused] == [10062]


async def test_doubled_interaction(server: FaultyServer, bot: Toy) -> None:
    server.faults.sockets.copies = 2
    result = await server.person("Ann").slash("table", "menu")
    assert await server.world.wait_until(lambda: bool(result.interaction.refused))
    assert [refusal.code for refusal in result.interaction.refused] == [40060]
    assert [message.content for message in result.messages] == ["choose"]


async def test_press_on_a_deleted_message(
    server: FaultyServer, channel: discord.TextChannel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(person, "PATIENCE", 0.2)  # time
    message = await channel.send("x", view=discord.ui.View(timeout=None).add_item(PassButton(1)))
    late = server.person("Ann").prepare_press(server.world.messages[message.id], "Pass")
    messages.delete(server.world, server.world.messages[message.id])
    result = await late()
    assert result.interaction.message_id == message.id
    assert await server.world.wait_until(lambda: bool(server.world.refusals))
    assert server.world.refusals[0].code == 10008


WORDS = ("fault", "trouble", "inject", "chaos")


async def test_no_route_orders_a_fault(server: FaultyServer) -> None:
    headers = {"Origin": server.url, "Authorization": f"Bot {seed.DUMMY_TOKEN}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        for path in ("/faults", "/sandbox/faults", "/sandbox/act/fail", "/api/v10/faults"):
            url = f"{server.url}{path}?person={seed.OWNER_ID}"
            async with session.post(url, json={}) as reply:
                assert reply.status in (400, 404)
    named = [*ACTS, *Environment.model_fields]
    assert not [name for name in named if any(word in name for word in WORDS)]


def test_package_starts_no_faults() -> None:
    """Only tests say what stands around the server, and nothing of the tests is installed."""
    found = 0
    for path in (ROOT / "bot").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
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
