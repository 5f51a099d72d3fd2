"""`stationmaster invite`: the link by which somebody who manages a server lets the bot in."""

import discord

from bot.client.problems import INVITED
from bot.tools.reaching import log_in, pauses
from bot.tools.settings import Settings, SettingsError

SCOPES = ("bot", "applications.commands")
"""To be a member, and to have commands."""


async def invitation(settings: Settings) -> str:
    """The link, with the permissions that a table needs; raises SettingsError without a token, or with a wrong one."""
    if settings.discord_token is None:
        raise SettingsError(
            "DISCORD_TOKEN is not set: the link is that of the bot whose token stands in .env."
        )
    async with discord.Client(intents=discord.Intents.none()) as client:
        await log_in(client, settings.discord_token.get_secret_value(), pauses())
        assert client.application_id is not None
        return link(client.application_id)


def link(application: int) -> str:
    """The link of an application, by its number."""
    permissions = discord.Permissions(**dict.fromkeys(INVITED, True))
    return discord.utils.oauth_url(application, permissions=permissions, scopes=SCOPES)
