"""A service in trouble, as the real client meets it; and that no user of the sandbox can bring it about."""

import ast
import asyncio
import tomllib
from pathlib import Path

import pytest

from tests.bot.sandbox.faults import FaultyServer
from tests.bot.sandbox.toy import Toy

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("way", ["cut", "drop", "ask_to_reconnect"])
async def test_lost_socket_is_resumed(server: FaultyServer, bot: Toy, way: str) -> None:
    sockets = server.faults.sockets
    if way == "cut":
        sockets.cut()
    else:
        await (server.gateway.drop() if way == "drop" else sockets.ask_to_reconnect())
    assert (await server.person("Ann").slash("table", "menu")).text == "choose"
    assert (server.gateway.resumes, bot.resumed) == (1, 1)


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
