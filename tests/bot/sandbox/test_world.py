"""A sandbox that is kept in a file, and the client that is pointed at it."""

import asyncio
from pathlib import Path

import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.sandbox.guild import messages, registered_commands, seed, threads
from bot.sandbox.guild.world import World
from bot.sandbox.model import Upload
from bot.sandbox.redirect import discord_redirected_to, redirect_discord_to
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import Toy, png

BOT = messages.MessageOrigin(seed.BOT_ID)
ROW = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Pass", "custom_id": "g:1:pass"}]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sandbox.jsonl"


@pytest.fixture
def before(path: Path) -> World:
    """A world with a pinned board, a thread and a command."""
    world = World(path)
    table = world.channel(seed.TABLE_CHANNEL_ID)
    payload = {"content": f"<@{seed.OWNER_ID}>", "components": [ROW]}
    board = messages.post(world, table, payload, [Upload("map.png", png(2, 3, 9))], BOT)
    messages.pin(world, board)
    thread = threads.open_from_message(world, board, threads.ThreadRequest("game", 1440), seed.BOT_ID)
    messages.post(world, thread, {"content": "inside"}, [], BOT)
    messages.delete(world, messages.post(world, table, {"content": "gone"}, [], BOT))
    registered_commands.sync(world, 0, [{"name": "pass", "description": "Pass"}])
    return world


def test_world_is_stored(before: World, path: Path) -> None:
    with path.open("a") as lines:
        lines.write('["message", "12')
    after = World(path)
    assert (after.messages, after.channels, after.commands) == (
        before.messages,
        before.channels,
        before.commands,
    )
    board = next(iter(after.messages.values()))
    assert after.picture(board.attachments[0]) == png(2, 3, 9)
    assert [b.label for b in board.buttons] == ["Pass"]
    assert after.new_id() > max(before.messages)
    assert path.read_text().endswith("\n")


def test_seen_pings_stay_seen(before: World, path: Path) -> None:
    assert len(before.unseen_pings(seed.OWNER_ID)) == 1
    before.mark_seen(seed.OWNER_ID, seed.TABLE_CHANNEL_ID)
    assert World(path).unseen_pings(seed.OWNER_ID) == []


@pytest.mark.usefixtures("before")
async def test_buttons_survive_both_restarts(path: Path) -> None:
    async with LoopbackServer(world=World(path)) as server:
        with discord_redirected_to(server.url):
            async with Toy() as bot:
                task = asyncio.create_task(bot.start(server.token))
                await server.wait_until_ready()
                ann = server.person("Ann")
                post = next(m for m in ann.messages("table") if m.buttons)
                assert (await ann.press(post, "Pass")).text == "Ann passed at 1"
            await task


def test_client_is_pointed_at_this_machine() -> None:
    before = Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY), discord.Asset.BASE
    with discord_redirected_to("http://127.0.0.1:1830/"):
        assert Route.BASE == "http://127.0.0.1:1830/api/v10"
        assert str(DiscordWebSocket.DEFAULT_GATEWAY) == "ws://127.0.0.1:1830/gateway"
    assert (Route.BASE, str(DiscordWebSocket.DEFAULT_GATEWAY), discord.Asset.BASE) == before
    for url in ("https://discord.com", "http://example.org:1830", "127.0.0.1"):
        with pytest.raises(ValueError, match="not an http address of this machine"):
            redirect_discord_to(url)
