"""Connects the board page (a game's web page) with a Discord client, and checks what users may see on the page."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import discord

from bot.client.bot_client import BotClient
from bot.client.features.proposals import update_message_after_vote
from bot.client.places.who_may_see import may_see, may_see_channel, visible_games
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.errors import Refused
from bot.table.events.event_settings import post_channel
from bot.web.context import PageServices
from bot.web.entry.login_and_sessions import LOGIN_FAILED
from storage import GameRow, events

DISCORD_SILENT_TEXT: Final = "Discord does not say which games you may see. Please try again in a moment."


def page_services(client: BotClient) -> PageServices:
    """The services of a Discord client that the board page uses."""
    return PageServices(
        client.tables,
        client.buttons,
        client.proposals,
        on_activity=client.record_activity,
        on_vote=lambda game_id, proposal_number: _update_proposal_later(client, game_id, proposal_number),
        require_visible_thread=client.thread_visibility.require_can_show_moves,
        may_see=partial(may_see_thread, client),
        may_see_event=partial(may_see_event, client),
        visible_games=partial(games_that_user_may_see, client),
    )


async def may_see_thread(client: discord.Client, row: GameRow, user_id: int) -> bool:
    """True if a user may see a game's thread. Raises Refused if Discord does not answer."""
    try:
        return await may_see(client, row, user_id)
    except (*DISCORD_ERRORS, discord.InvalidData) as error:
        raise Refused(LOGIN_FAILED) from error


async def games_that_user_may_see(
    client: discord.Client, rows: Sequence[GameRow], user_id: int
) -> frozenset[int]:
    """Ids of the games in `rows` (of one server) that a user may see. Raises Refused if Discord does not answer."""
    if client.application_id is None:  # a standby whose login has failed
        raise Refused(DISCORD_SILENT_TEXT)
    try:
        return await visible_games(client, rows, user_id)
    except (*DISCORD_ERRORS, discord.InvalidData) as error:
        raise Refused(DISCORD_SILENT_TEXT) from error


async def may_see_event(client: discord.Client, event: events.EventRow, user_id: int) -> bool:
    """True if a user may see an event's channel. Raises Refused if Discord does not answer."""
    try:
        return await may_see_channel(client, event.guild_id, post_channel(event), user_id)
    except (*DISCORD_ERRORS, discord.InvalidData) as error:
        raise Refused(LOGIN_FAILED) from error


def _update_proposal_later(client: BotClient, game_id: int, proposal_number: int) -> None:
    client.run_in_background(update_message_after_vote(client, game_id, proposal_number))
