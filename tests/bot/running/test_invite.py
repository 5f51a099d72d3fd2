"""The way in: the link that invites the bot."""

import asyncio
import socket
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.client.requests.permissions_and_invitation import TABLE, invite_link
from bot.sandbox.guild import seed
from bot.sandbox.guild.world import World
from bot.sandbox.redirect import pointed_at
from bot.sandbox.server import LoopbackServer
from bot.table.errors import Refused
from bot.tools.environment import SettingsError, read_settings
from bot.tools.login import invitation


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where no settings lie about."""
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)


async def test_the_link_is_that_of_the_bot_whose_token_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    async with LoopbackServer() as server:
        with pointed_at(server.url):
            monkeypatch.setenv("DISCORD_TOKEN", server.token)
            asked = parse_qs(urlsplit(await invitation(read_settings())).query)
    assert asked["client_id"] == [str(seed.APPLICATION_ID)]
    assert asked["scope"] == ["bot applications.commands"]


async def test_without_a_token_it_says_what_to_set() -> None:
    with pytest.raises(SettingsError, match="DISCORD_TOKEN is not set"):
        await invitation(read_settings())


def test_the_link_asks_for_what_a_table_needs_and_never_for_everything() -> None:
    [asked] = parse_qs(urlsplit(invite_link(1)).query)["permissions"]
    granted = discord.Permissions(int(asked))
    assert all(getattr(granted, name) for name in TABLE)
    assert granted.pin_messages
    assert not granted.administrator
    assert not granted.manage_messages


def test_the_sandbox_grants_what_the_link_asks_for_and_no_more() -> None:
    [asked] = parse_qs(urlsplit(invite_link(1)).query)["permissions"]
    assert int(asked) == seed.INVITED
    world = World()
    assert world.permissions(seed.BOT_ID, world.channel(seed.TABLE_ID)) == int(asked)


async def test_a_discord_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listens_only(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        await writer.wait_closed()

    silent = await asyncio.start_server(listens_only, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    monkeypatch.setenv("DISCORD_TOKEN", "token")
    async with silent:
        with pointed_at(f"http://127.0.0.1:{port}"), pytest.raises(Refused, match="did not answer within"):
            await invitation(read_settings(), patience=0.2)


async def test_a_name_that_is_not_found_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> None:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr("bot.tools.login.socket.getaddrinfo", lost)
    monkeypatch.setenv("DISCORD_TOKEN", "token")
    with pytest.raises(Refused, match="cannot be reached: Temporary failure"):
        await invitation(read_settings())


async def test_a_look_up_that_hangs_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread runs until the system gives up; neither the answer nor the end of the process waits for it."""
    hanging, over = threading.Event(), threading.Event()

    def hangs(*_: object) -> None:
        hanging.set()
        over.wait()

    monkeypatch.setattr("bot.tools.login.socket.getaddrinfo", hangs)
    monkeypatch.setenv("DISCORD_TOKEN", "token")
    with pytest.raises(Refused, match="did not answer within"):
        await invitation(read_settings(), patience=0.05)
    assert hanging.is_set()
    [thread] = [thread for thread in threading.enumerate() if thread.name.endswith("(look)")]
    assert thread.daemon
    over.set()
