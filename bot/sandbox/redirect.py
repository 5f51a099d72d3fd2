"""Redirects discord.py from Discord to the sandbox. The settings forbid to combine this with a real bot token."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route


def redirect_discord_to(url: str) -> None:
    """Send all requests of this process for Discord to ``url``, such as ``http://127.0.0.1:1830``.

    This includes REST, webhooks, gateway and avatars. Two bots with different URLs need two processes (docs/discord.md,
    client).
    """
    address = yarl.URL(url)
    if address.scheme != "http" or address.host not in ("127.0.0.1", "localhost", "::1"):
        raise ValueError(f"{url!r} is not an http address of this machine.")
    origin = str(address.origin())
    Route.BASE = f"{origin}/api/v10"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(origin.replace("http://", "ws://") + "/gateway")
    discord.Asset.BASE = f"{origin}/cdn"


@contextmanager
def discord_redirected_to(url: str) -> Iterator[None]:
    """Context manager: this process's requests for Discord are sent to ``url``."""
    old_addresses = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE
    redirect_discord_to(url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY, discord.Asset.BASE = old_addresses
