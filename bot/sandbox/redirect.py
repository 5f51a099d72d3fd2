"""Redirects the unchanged Discord client to another address; settings refuse a real token with one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def point_discord_at(url: str) -> None:
    """Send this process's REST requests, webhooks, gateway and avatars to ``url``, as ``http://127.0.0.1:1830``.

    Process-wide: two bots with different targets need two processes (docs/discord.md, client).
    """
    address = yarl.URL(url)
    if address.scheme != "http" or address.host not in ("127.0.0.1", "localhost", "::1"):
        raise ValueError(f"{url!r} is not an http address of this machine.")
    origin = str(address.origin())
    Route.BASE = f"{origin}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(origin.replace("http://", "ws://") + "/gateway")
    discord.Asset.BASE = f"{origin}/cdn"


@contextmanager
def discord_pointed_at(url: str) -> Iterator[None]:
    """Redirect the client within this block."""
    old_addresses = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE
    point_discord_at(url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE = old_addresses
