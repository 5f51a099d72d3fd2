"""`/privacy`: a user's stored data as a file, and the removal of their name and number.

Of a server that the bot has left all data waits for a while, then everything except the games is deleted.
"""

import io
import json
import logging
from datetime import timedelta
from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotClient, BotInteraction, Loop
from bot.client.buttons import Button, button, rows_of
from bot.client.component import Component
from bot.client.entry.replies import edit_pressed, reply, stored_but_not_shown
from bot.client.entry.rights import needs
from bot.client.requests.retries import HOUR
from bot.table.markdown import strong
from bot.table.past.anonymise import anonymised
from bot.table.rate_limits import Kind
from storage import (
    GUILDS,
    StillSeated,
    direct_messages,
    games,
    moving,
    outbox,
    parse_timestamp,
    personal_data,
    settings,
)

_log = logging.getLogger("stationmaster.departures")

KEPT: Final = timedelta(days=90)
"""How long all that a server has is kept after the bot has left it."""
FORGOTTEN: Final = "forgotten"
"""What replaces the data of a deleted server."""
ABOUT: Final = f"""{strong("What the bot stores")}
About each player: Discord account number, display name at the time, seats, moves, proposals and votes with their \
times, results, ratings, standing orders, direct messages from this bot, ping settings and theme. It does not read \
messages of members, and shares nothing.
{strong("Who sees it")}
Names and moves: everybody who sees the game's thread. Results, ratings and thinking time: this server, by `/stats`. \
All of it: the operator of this bot.
{strong("How long")}
Games stay. Copies of posted lines and messages are deleted after 30 days, backups within four weeks. Messages on \
Discord stay until they are deleted there.
{strong("What you can do")}
Get a file with everything stored about you, or have your name and number removed: your games stay whole, with \
"{personal_data.FORMER}" in your place."""
"""The short form of `docs/privacy.md`."""
REALLY: Final = (
    f"Really? In every game, on every server, your name becomes {personal_data.FORMER!r} and your number is removed; "
    "your theme, orders, ratings and ping settings are deleted. Your finished games can be viewed, but not resumed. "
    "This cannot be undone."
)
GIVE_UP: Final = (
    "Others wait for you there, so give up your seat first: `/game leave` before the start, later `/game replace`, "
    "or `/game abandon` with the others; a moderator can do both."
)
"""What to do where somebody still has a seat."""
HANDED_OUT: Final = "This is everything the bot stores about you, except the lines of your moves."
FILE: Final = "what-is-kept.json"


@app_commands.command(name="privacy", extras=needs("ask", Kind.QUESTION))
async def privacy(interaction: BotInteraction) -> None:
    """The data stored about you, as a file, and how to remove it."""
    offered = [
        privacy_button("export", "My data", discord.ButtonStyle.primary),
        privacy_button("remove", "Remove my name", discord.ButtonStyle.secondary),
    ]
    await reply(interaction, ABOUT, view=rows_of(offered))


def privacy_button(choice: str, label: str, style: discord.ButtonStyle) -> Button:
    """Asks for the user's stored data (`export`), or for its removal (`remove`, then `sure`)."""
    return button(f"q:{choice}", label, style)


class PrivacyButton(Component):
    """The user's stored data, and its removal; belongs to no game."""

    template = r"q:(?P<choice>export|remove|sure)"
    # Users ask about themselves.
    right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Do what is chosen: a file, the question before the removal, or the removal."""
        choices = {"export": _export, "remove": _ask, "sure": _remove}
        await choices[self.choice](interaction)


async def _export(interaction: BotInteraction) -> None:
    person = interaction.user.id
    stored = {"user_id": person, **await personal_data.rows_about(interaction.client.tables.db, person)}
    text = json.dumps(stored, ensure_ascii=False, indent=1)
    file = discord.File(io.BytesIO(text.encode()), FILE, description="Everything stored about you")
    await reply(interaction, HANDED_OUT, files=[file])


async def _ask(interaction: BotInteraction) -> None:
    playing = await personal_data.seated(interaction.client.tables.db, interaction.user.id)
    if playing:
        raise StillSeated(playing, f"{StillSeated(playing)} {GIVE_UP}")
    sure = [privacy_button("sure", "Remove my name for good", discord.ButtonStyle.danger)]
    await reply(interaction, REALLY, view=rows_of(sure))


async def _remove(interaction: BotInteraction) -> None:
    numbers = await anonymise(interaction.client, interaction.user.id)
    await interaction.client.tables.db.vacuum()
    where = "nothing was kept" if not numbers else f"games with you until now: {', '.join(map(str, numbers))}"
    done = f"Your name and number are removed; {where}."
    with stored_but_not_shown(done):
        await edit_pressed(interaction, content=done, view=None)


async def anonymise(client: BotClient, user_id: int, guild_id: int | None = None) -> list[int]:
    """Anonymise a user in the games of a server, or everywhere; the games they were in. Raises StillSeated.

    The caller sweeps the file afterwards.
    """
    tables = client.tables
    # Once their numbers are removed, nothing would delete the messages that still ping them.
    posted = await direct_messages.posted_to(tables.db, user_id, guild_id)
    numbers = await personal_data.anonymise(tables.db, user_id, anonymised, guild_id=guild_id)
    await client.expired_direct_messages.take(posted)
    for game_id in numbers:
        tables.forget(game_id)
    return numbers


# --- servers that the bot has left -----------------------------------------------------------------------------------


async def guild_removed(client: BotClient, guild_id: int) -> None:
    """The bot is not on a server any more: note since when, if there is anything of it."""
    if guild_id in await moving.guilds(client.tables.db):
        await _is_gone(client, guild_id)


async def guild_is_back(client: BotClient, guild_id: int) -> None:
    """The bot is on a server: what waited there since it was left is posted."""
    tables = client.tables
    if await GUILDS.get(tables.db, guild_id, settings.LEFT) is None:
        return
    await GUILDS.forget(tables.db, guild_id, settings.LEFT)
    for row in await games.list_games(tables.db, guild_id, "running"):
        tables.on_notice(row.id)


async def _compare(client: BotClient) -> None:
    """Compare the servers of this share that have games or settings with those that the bot is on.

    It may have been sent away, or invited again, while it was not running.
    """
    present = {guild.id for guild in client.guilds}
    for guild_id in await moving.guilds(client.tables.db):
        if guild_id and client.tables.share.holds(guild_id):
            await (guild_is_back if guild_id in present else _is_gone)(client, guild_id)


REMOVALS: Final = Loop("servers that were left", _compare, HOUR)


async def _is_gone(client: BotClient, guild_id: int) -> None:
    """Note since when, or forget the server when that is long enough ago."""
    db, now = client.tables.db, client.tables.clock()
    left = await GUILDS.get(db, guild_id, settings.LEFT)
    if left is None:
        await GUILDS.put(db, guild_id, settings.LEFT, now)
        _log.info("server %s was left; it is kept for %s days", guild_id, KEPT.days)
    elif left != FORGOTTEN and parse_timestamp(left) + KEPT <= parse_timestamp(now):
        await _forget(client, guild_id)


async def _forget(client: BotClient, guild_id: int) -> None:
    db = client.tables.db
    for row in await games.list_games(db, guild_id):
        if row.status in ("lobby", "running"):
            await games.abandon(db, row.id)
        client.tables.forget(row.id)
    for person in await personal_data.of_guild(db, guild_id):
        await anonymise(client, person, guild_id)
    await outbox.drop(db, guild_id)
    await GUILDS.forget_all(db, guild_id)
    await GUILDS.put(db, guild_id, settings.LEFT, FORGOTTEN)
    await db.vacuum()
    _log.info("server %s was left %s days ago; its games stay, with anonymised players", guild_id, KEPT.days)
