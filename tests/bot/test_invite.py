"""The way in: the link that invites the bot."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.client.problems import TABLE
from bot.sandbox import seed
from bot.sandbox.point import pointed_at
from bot.sandbox.server import LoopbackServer
from bot.sandbox.world import World
from bot.tools.invite import invitation, link
from bot.tools.settings import SettingsError, read_settings


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
    [asked] = parse_qs(urlsplit(link(1)).query)["permissions"]
    granted = discord.Permissions(int(asked))
    assert all(getattr(granted, name) for name in TABLE)
    assert granted.pin_messages
    assert not granted.administrator
    assert not granted.manage_messages


def test_the_sandbox_grants_what_the_link_asks_for_and_no_more() -> None:
    [asked] = parse_qs(urlsplit(link(1)).query)["permissions"]
    assert int(asked) == seed.INVITED
    world = World()
    assert world.permissions(seed.BOT_ID, world.channel(seed.TABLE_ID)) == int(asked)
