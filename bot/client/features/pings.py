"""`/pings`, `/away` and *Mute*: where and when the bot pings a user."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final, Literal
from zoneinfo import ZoneInfo

from discord import app_commands

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck
from bot.client.buttons import MUTE_BUTTON_PATTERN
from bot.client.component import Component
from bot.client.entry.replies import defer, reply, reply_after_storing
from bot.client.entry.rights import needs, server_id_here
from bot.client.parameters import Completions, Name, matching_choices
from bot.table.clocks.away import away_status, set_absence
from bot.table.digests import schedule_digest
from bot.table.errors import Refused
from bot.table.moves.completions import MenuItem
from bot.table.pings import send_due_pings
from bot.table.rate_limits import RequestKind
from bot.table.settings.durations_and_zones import UTC_ZONE, matching_zones
from bot.table.settings.person_settings import (
    QUIET_HOURS_KEYS,
    PersonSettings,
    choose_user_settings,
    person_settings,
    word_for_quiet_hours,
)
from storage import parse_timestamp
from storage import pings as stored_pings

PING_CHECK_SECONDS: Final = 5.0
"""Seconds between two checks for pings that must be sent."""
TEXT_BY_PING_PLACE: Final = {
    "thread": "in the game's thread",
    "direct": "by direct message",
    "both": "in the game's thread and by direct message",
}
"""Descriptions of the places for pings, by value of the setting."""


async def _complete_zone(interaction: BotInteraction, typed_text: str) -> Completions:
    del interaction
    return matching_choices(
        (MenuItem(zone, zone) for zone in matching_zones("")), typed_text.strip().replace(" ", "_")
    )


@app_commands.command(name="pings", extras=needs("ask", RequestKind.QUESTION))
@app_commands.describe(
    how="Where the bot pings you",
    quiet_from="When quiet hours start, such as 22:30; off for none, server for each server's own",
    quiet_to="When quiet hours end, such as 7:00",
    zone="Your time zone, by city, such as Berlin",
    digest="When you get a daily list of games that wait for you, such as 18:00; off for none",
    reminders="Reminders of games that wait for you, on or off",
)
@app_commands.autocomplete(zone=_complete_zone)
async def pings(
    interaction: BotInteraction,
    how: Literal["thread", "direct", "both"] | None = None,
    quiet_from: Name | None = None,
    quiet_to: Name | None = None,
    zone: Name | None = None,
    digest: Name | None = None,
    reminders: Literal["on", "off"] | None = None,
) -> None:
    """Choose how you are pinged when it is your move."""
    await defer(interaction)
    tables, user_id = interaction.client.tables, interaction.user.id
    new_settings = {
        "how": how,
        "quiet_from": quiet_from,
        "quiet_to": quiet_to,
        "zone": zone,
        "digest": digest,
        "reminders": reminders,
    }
    quiet_hours_word = next(filter(None, map(word_for_quiet_hours, (quiet_from, quiet_to))), None)
    if quiet_hours_word is not None:
        new_settings |= dict.fromkeys(QUIET_HOURS_KEYS, quiet_hours_word)
    chosen_settings = {key: value for key, value in new_settings.items() if value is not None}
    if chosen_settings:
        await choose_user_settings(tables.db, user_id, chosen_settings)
        await schedule_digest(tables, user_id)
        await tables.db.write(lambda tx: stored_pings.make_due_for_user(tx, user_id, tables.clock()))
    user_settings = await person_settings(tables.db, user_id, server_id_here(interaction))
    await reply(interaction, pings_text(user_settings, parse_timestamp(tables.clock())))


def pings_text(user_settings: PersonSettings, now: datetime) -> str:
    """The reply to `/pings`: a user's ping settings, with the current time (`now`) in their time zone."""
    quiet_hours = user_settings.quiet_hours
    quiet_hours_text = (
        "none" if quiet_hours is None else f"{quiet_hours.start_time:%H:%M} to {quiet_hours.end_time:%H:%M}"
    )
    if quiet_hours is not None and user_settings.uses_server_quiet_hours:
        quiet_hours_text += f" ({quiet_hours.zone}), as this server has chosen; `quiet_from:` sets your own"
    digest_text = "none" if user_settings.digest is None else f"at {user_settings.digest:%H:%M}"
    time_zone_text = (
        f"{user_settings.zone}, where it is {now.astimezone(ZoneInfo(user_settings.zone)):%H:%M} now"
    )
    time_zone_text += "; choose your city" if user_settings.zone == UTC_ZONE else ""
    absence_end = user_settings.away_until
    absence_text = (
        ""
        if absence_end is None
        else f" Not before <t:{int(absence_end.timestamp())}:f>: you are away until then."
    )
    return "\n".join(
        (
            f"The bot pings you {TEXT_BY_PING_PLACE[user_settings.ping_place]}.{absence_text}",
            f"Quiet hours: {quiet_hours_text}. Daily digest: {digest_text}. Time zone: {time_zone_text}.",
            f"Reminders: {'on' if user_settings.wants_reminders else 'off'}.",
        )
    )


@app_commands.command(name="away", extras=needs("ask"))
@app_commands.describe(
    until="Days (10), hours (36 hours), a date (YYYY-MM-DD), or: back; default: show your status"
)
async def away(interaction: BotInteraction, until: Name | None = None) -> None:
    """Go away for a while: no pings and no deadlines in any of your games."""
    await defer(interaction)
    bot, user_id = interaction.client, interaction.user.id
    if until is None:
        await reply(interaction, await away_status(bot.tables, user_id))
        return
    done_text = await set_absence(bot.tables, user_id, until)
    await reply_after_storing(interaction, done_text)


class MuteButton(Component):
    """A button, also of direct messages, that mutes a game's pings until the user acts in the game."""

    id_pattern = MUTE_BUTTON_PATTERN
    # A direct message belongs to no server. Without a ping the button has no effect.
    user_right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Mute the game's pings for the user, and reply privately."""
        await reply(interaction, await mute_game(interaction.client, self.game, interaction.user.id))


async def mute_game(client: BotClient, game_id: int, user_id: int) -> str:
    """Mute a game's pings for a user until they act in the game; returns the text of the reply. Raises Refused."""
    if not await stored_pings.mute_game(client.tables.db, game_id, user_id):
        raise Refused(f"Game {game_id} is not waiting for you.")
    return f"You get no more reminders of game {game_id} this turn."


# --- pings that are due ----------------------------------------------------------------------------------------------


async def ping_due_users(client: BotClient) -> None:
    """Send all pings that are due, in threads and by direct message. Also deletes stale direct messages."""
    for periodic_check in (DUE_PINGS_CHECK, DIRECT_MESSAGES_CHECK, STALE_MESSAGES_CHECK):
        await periodic_check.check(client)


def _periodic_check(name: str, check: Callable[[BotClient], Awaitable[None]]) -> PeriodicCheck:
    """A periodic check that pauses during an outage of Discord."""

    async def check_unless_outage(client: BotClient) -> None:
        if not client.breaker.is_open:
            await check(client)

    return PeriodicCheck(name, check_unless_outage, PING_CHECK_SECONDS)


# Separate checks, so that slow direct messages delay no pings.
DUE_PINGS_CHECK: Final = _periodic_check(
    "due pings",
    lambda client: send_due_pings(client.tables, client.ping_delay, client.thread_visibility.can_show_moves),
)
DIRECT_MESSAGES_CHECK: Final = _periodic_check(
    "direct messages", lambda client: client.direct_messages.send()
)
STALE_MESSAGES_CHECK: Final = _periodic_check(
    "old direct messages", lambda client: client.expired_direct_messages.delete_stale()
)
