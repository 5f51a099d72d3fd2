"""The *Start* menu of a lobby, and automatic starts when the lobby is full or at a date."""

import logging
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

import discord

from bot.client.bot_client import BotClient, BotInteraction, PeriodicCheck
from bot.client.buttons import ID_NUMBER_PATTERN
from bot.client.component import Component
from bot.client.entry.replies import open_form
from bot.client.entry.rights import server_id_here
from bot.client.features.lobby_messages import (
    close_message,
    require_open_lobby,
    update_message,
    update_message_after_change,
)
from bot.client.lobby_panel import START_AT_A_DATE
from bot.client.places.game_channels import require_known_permissions
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.table.errors import NotStored, Refused
from bot.table.game_setting_changes import choose_game_setting
from bot.table.markdown import discord_time
from bot.table.settings.durations_and_zones import UTC_ZONE
from bot.table.settings.lobby_starts import (
    STARTING_KEY,
    forget_missed_start,
    record_missed_start,
    start_value_from_text,
)
from bot.table.settings.person_settings import person_settings, server_quiet_hours
from bot.table.settings.table_settings import START, setting_value, start_time
from storage import GAME_SETTINGS, GameRow, StorageError, games, parse_timestamp, seats

_log = logging.getLogger("stationmaster")

START_CHECK_SECONDS: Final = 15.0
"""Seconds between two checks for lobbies that must be started."""
SUGGESTED_START_TIME: Final = "20:00"
"""Usual time of day for a start; the form for a start date suggests it."""


class StartMenu(Component):
    """The menu of a lobby message in which a user chooses when the game starts."""

    id_pattern = rf"ls:(?P<game>{ID_NUMBER_PATTERN})"
    user_right = "sit"

    async def act(self, interaction: BotInteraction) -> None:
        """Store when the game starts, or open the form for a date; raises Refused."""
        await require_open_lobby(interaction, self.game)
        if self.values[0] == START_AT_A_DATE:
            await open_form(interaction, await _start_form(interaction, self.game))
        else:
            await _choose_start(interaction, self.game, self.values[0])


class StartForm(Component):
    """The form for the date on which a lobby's game starts. The form's id contains the time zone."""

    id_pattern = rf"lf:(?P<game>{ID_NUMBER_PATTERN}):(?P<picked>[A-Za-z0-9_+/-]+)"
    user_right = "sit"

    async def act(self, interaction: BotInteraction) -> None:
        """Store the typed start date; raises Refused."""
        value = start_value_from_text(self.fields["day"], self.fields["time"], self.picked)
        await _choose_start(interaction, self.game, value)


async def _choose_start(interaction: BotInteraction, game_id: int, value: str) -> None:
    client, user_id = interaction.client, interaction.user.id
    line = await choose_game_setting(
        client.tables, client.lobbies, game_id, user_id, START.name, value, is_moderator=False
    )
    await update_message_after_change(client, game_id, line, interaction)


async def _start_form(interaction: BotInteraction, game_id: int) -> discord.ui.Modal:
    tables = interaction.client.tables
    zone = await _time_zone_of_user(interaction)
    chosen_start = start_time(await setting_value(tables.db, game_id, START.name))
    tomorrow = parse_timestamp(tables.clock()).astimezone(ZoneInfo(zone)) + timedelta(days=1)
    suggested_time: datetime = tomorrow if chosen_start is None else chosen_start.astimezone(ZoneInfo(zone))
    form = discord.ui.Modal(title="Start at a date", custom_id=f"lf:{game_id}:{zone}")
    form.add_item(
        discord.ui.TextDisplay(f"Times are in the zone {zone}. `/pings zone:` chooses your time zone.")
    )
    for field_id, label, value in (
        ("day", "Date, such as 2030-12-31", f"{suggested_time:%Y-%m-%d}"),
        (
            "time",
            "Time, such as 20:00",
            SUGGESTED_START_TIME if chosen_start is None else f"{suggested_time:%H:%M}",
        ),
    ):
        text_field: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=field_id, default=value, max_length=len("2030-12-31")
        )
        form.add_item(discord.ui.Label(text=label, component=text_field))
    form.stop()
    return form


async def _time_zone_of_user(interaction: BotInteraction) -> str:
    """The user's time zone or, if unknown, that of the server's quiet hours or else UTC."""
    db, server_id = interaction.client.tables.db, server_id_here(interaction)
    own_zone = (await person_settings(db, interaction.user.id)).zone
    if own_zone != UTC_ZONE:
        return own_zone
    quiet_hours = await server_quiet_hours(db, server_id)
    return UTC_ZONE if quiet_hours is None else quiet_hours.zone


# --- automatic starts ------------------------------------------------------------------------------------------------


async def _start_due_lobbies(client: BotClient) -> None:
    if client.breaker.is_open:
        return
    db, shards = client.tables.db, client.tables.shards
    for row in await games.games_with_setting(db, "running", STARTING_KEY, shards):
        await _mark_started(client, row)
    for row in await games.games_with_setting(db, "lobby", START.name, shards):
        try:
            await _start_if_due(client, row)
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - one lobby must not stop the others
            _log.warning("game %s: cannot start at its set date: %r", row.id, error)


async def _start_if_due(client: BotClient, row: GameRow) -> None:
    """Start a lobby if it is due. If it cannot start, its message shows why, and a player must start it."""
    lobby, db = await client.lobbies.read(row.id), client.tables.db
    guild = client.get_guild(row.guild_id)
    can_update_message = row.thread_id is not None and guild is not None and not guild.unavailable
    if guild is None or not can_update_message or not lobby.is_due(parse_timestamp(client.tables.clock())):
        return
    if lobby.missed_start is None:
        problem = await _try_to_start(client, guild, row)
        if problem is None:
            return
        now = parse_timestamp(client.tables.clock())
        await record_missed_start(db, row.id, lobby.start, f"It did not start {discord_time(now)}: {problem}")
    try:
        await update_message(client, row.id)
    except DISCORD_ERRORS as error:
        _log.info("game %s: its lobby message cannot show yet why it did not start: %r", row.id, error)
    await forget_missed_start(db, row.id)


async def _try_to_start(client: BotClient, guild: discord.Guild, row: GameRow) -> Refused | None:
    """Start a lobby if it is still due. Returns the reason (a Refused error) if it cannot start."""
    db, problem = client.tables.db, None
    try:
        require_known_permissions(guild, row)
        # If the process is killed after the start, the next check updates the message.
        await GAME_SETTINGS.put(db, row.id, STARTING_KEY, "yes")
        if await client.lobbies.start_if_due(row.id):
            await _mark_started(client, row)
            return None
    except NotStored:
        raise  # the next check tries again
    except Refused as refusal:
        problem = refusal
    await GAME_SETTINGS.forget(db, row.id, STARTING_KEY)
    return problem


async def _mark_started(client: BotClient, row: GameRow) -> None:
    player_names = [seat.display_name for seat in await seats.seats(client.tables.db, row.id)]
    try:
        await close_message(client, row, player_names, "has started")
    except DISCORD_ERRORS as error:
        _log.info("game %s: cannot update its lobby message: %r", row.id, error)
    await GAME_SETTINGS.forget(client.tables.db, row.id, STARTING_KEY)


START_CHECK: Final = PeriodicCheck("lobbies to start", _start_due_lobbies, START_CHECK_SECONDS)
