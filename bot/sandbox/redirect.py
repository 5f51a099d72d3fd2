"""Redirecting discord.py to another address than Discord; the settings refuse a real token with it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def point_discord_at(url: str) -> None:
    """Send all requests of this process for Discord to ``url``, such as ``http://127.0.0.1:1830``.

    This includes REST, webhooks, gateway and avatars. It affects the whole process, so two bots with different
    addresses need two processes (docs/discord.md, client).
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
    """Redirect discord.py within the context."""
    old_addresses = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE
    point_discord_at(url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE = old_addresses
