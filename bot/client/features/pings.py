"""`/pings`, `/away` and *Mute*: how and when a user is pinged."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final, Literal
from zoneinfo import ZoneInfo

from discord import app_commands

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck
from bot.client.buttons import MUTE_ID
from bot.client.component import Component
from bot.client.entry.replies import defer, reply, reply_stored
from bot.client.entry.rights import needs
from bot.client.parameters import Completed, Name, matches_of
from bot.table.clocks.away import away_status, set_absence
from bot.table.digests import plan_digest
from bot.table.errors import Refused
from bot.table.moves.completions import MenuItem
from bot.table.pings import take_due_steps
from bot.table.rate_limits import Kind
from bot.table.settings.durations_and_zones import UTC_ZONE, matching_zones
from bot.table.settings.person_settings import OFF, PersonSettings, choose_all, is_off, person_settings
from storage import parse_timestamp
from storage import pings as stored_pings

SECONDS: Final = 5.0
"""Between two looks for due pings."""
PLACES: Final = {
    "thread": "in the game's thread",
    "direct": "by a direct message",
    "both": "in the game's thread and by a direct message",
}
"""Places of pings, in words."""


async def _zones(interaction: BotInteraction, typed_text: str) -> Completed:
    del interaction
    return matches_of(
        (MenuItem(zone, zone) for zone in matching_zones("")), typed_text.strip().replace(" ", "_")
    )


@app_commands.command(name="pings", extras=needs("ask", Kind.QUESTION))
@app_commands.describe(
    how="Where the bot pings you",
    quiet_from="When quiet hours start, such as 22:30; off for none",
    quiet_to="When quiet hours end, such as 7:00",
    zone="Your time zone, by city, such as Berlin",
    digest="When you get a daily list of games that wait for you, such as 18:00; off for none",
    reminders="Remind you of games that wait for you, or not",
)
@app_commands.autocomplete(zone=_zones)
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
    tables, person = interaction.client.tables, interaction.user.id
    wanted = {
        "how": how,
        "quiet_from": quiet_from,
        "quiet_to": quiet_to,
        "zone": zone,
        "digest": digest,
        "reminders": reminders,
    }
    if any(is_off(typed) for typed in (quiet_from, quiet_to) if typed is not None):
        wanted |= {"quiet_from": OFF, "quiet_to": OFF}
    chosen = {key: value for key, value in wanted.items() if value is not None}
    if chosen:
        await choose_all(tables.db, person, chosen)
        await plan_digest(tables, person)
        await tables.db.write(lambda tx: stored_pings.make_due_for_user(tx, person, tables.clock()))
    await reply(
        interaction, pings_text(await person_settings(tables.db, person), parse_timestamp(tables.clock()))
    )


def pings_text(person: PersonSettings, now: datetime) -> str:
    """A user's ping settings in words, with the time in their zone."""
    quiet = person.quiet
    hours = "none" if quiet is None else f"{quiet.begins:%H:%M} to {quiet.ends:%H:%M}"
    digest = "none" if person.digest is None else f"at {person.digest:%H:%M}"
    zone = f"{person.zone}, where it is {now.astimezone(ZoneInfo(person.zone)):%H:%M} now"
    zone += "; choose your city" if person.zone == UTC_ZONE else ""
    back = person.away_until
    away = "" if back is None else f" Not before <t:{int(back.timestamp())}:f>: you are away until then."
    return "\n".join(
        (
            f"The bot pings you {PLACES[person.how]}.{away}",
            f"Quiet hours: {hours}. Daily digest: {digest}. Time zone: {zone}.",
            f"Reminders: {'on' if person.reminders else 'off'}.",
        )
    )


@app_commands.command(name="away", extras=needs("ask"))
@app_commands.describe(
    until="Days (10), hours (36 hours), a date (YYYY-MM-DD), or: back; default: show your status"
)
async def away(interaction: BotInteraction, until: Name | None = None) -> None:
    """Be away for a while: no pings and no deadlines in all your games."""
    await defer(interaction)
    bot, user_id = interaction.client, interaction.user.id
    if until is None:
        await reply(interaction, await away_status(bot.tables, user_id))
        return
    done = await set_absence(bot.tables, user_id, until)
    await reply_stored(interaction, done)


class MuteButton(Component):
    """The button that mutes a game until the user acts; also in direct messages."""

    template = MUTE_ID
    # In a direct message there is no server; without a ping there is nothing to mute.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Mute the game, and reply privately."""
        await reply(interaction, await mute(interaction.client, self.game, interaction.user.id))


async def mute(client: BotClient, game_id: int, user_id: int) -> str:
    """Mute a game for a user until they act; returns the answer. Raises Refused."""
    if not await stored_pings.mute(client.tables.db, game_id, user_id):
        raise Refused(f"Game {game_id} is not waiting for you.")
    return f"You get no more reminders of game {game_id} this turn."


# --- what is due -----------------------------------------------------------------------------------------------------


async def ping_due(client: BotClient) -> None:
    """Ping all due users of these shards, send due messages, and delete stale ones."""
    for loop in (PINGS, DIRECT_MESSAGES, STALE_DIRECT_MESSAGES):
        await loop.check(client)


def _periodic_check(name: str, work: Callable[[BotClient], Awaitable[None]]) -> PeriodicCheck:
    """A periodic check that is skipped while Discord fails."""

    async def look(client: BotClient) -> None:
        if not client.breaker.is_open:
            await work(client)

    return PeriodicCheck(name, look, SECONDS)


# Each on its own: a message that takes long delays no other ping.
PINGS: Final = _periodic_check(
    "due pings",
    lambda client: take_due_steps(client.tables, client.ping_after, client.showable.can_show),
)
DIRECT_MESSAGES: Final = _periodic_check("direct messages", lambda client: client.direct_messages.send())
STALE_DIRECT_MESSAGES: Final = _periodic_check(
    "old direct messages", lambda client: client.expired_direct_messages.delete_stale()
)
