"""Which failures of a call to Discord pass by themselves."""

import aiohttp
import discord


def is_passing(error: Exception) -> bool:
    """Whether this says nothing about what was to be posted: the network is down, or Discord as a whole."""
    network = (OSError, TimeoutError, aiohttp.ClientError, discord.RateLimited, discord.GatewayNotFound)
    return isinstance(error, (discord.DiscordServerError, *network)) or (
        isinstance(error, discord.HTTPException) and error.status == 429
    )
