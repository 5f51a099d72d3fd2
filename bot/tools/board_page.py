"""The board page attached to a client: changes are shown in its threads."""

from functools import partial

import discord

from bot.client.bot_client import BotClient
from bot.client.features.proposals import renew
from bot.client.places.who_may_see import may_see
from bot.client.requests.permission_problems import Problem
from bot.table.errors import Refused
from bot.web.context import PageServices
from bot.web.entry.login_and_sessions import FAILED
from storage import GameRow


def behind_page(client: BotClient) -> PageServices:
    """The page's access to a client."""
    return PageServices(
        client.tables,
        client.buttons,
        client.proposals,
        acts=client.note_activity,
        answered=lambda game, number: _later(client, game, number),
        require_shown=client.showable.require,
        may_see=partial(sees_thread, client),
    )


async def sees_thread(client: discord.Client, row: GameRow, user_id: int) -> bool:
    """True if a user may see a game's thread; raises Refused if Discord does not say."""
    try:
        return await may_see(client, row, user_id)
    except (*Problem, discord.InvalidData) as error:
        raise Refused(FAILED) from error


def _later(client: BotClient, game: int, number: int) -> None:
    client.run_in_background(renew(client, game, number))
