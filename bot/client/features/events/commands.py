"""`/event`: opening and entering seasons and tournaments, standings, games, late players, and the panel."""

from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.buttons import ID_NUMBER_PATTERN, link_button, view_with_items
from bot.client.component import Component
from bot.client.entry.replies import defer, is_private, reply, reply_after_storing
from bot.client.entry.rights import needs, server_id_here
from bot.client.features.board_link import NO_BOARD_PAGE_TEXT
from bot.client.features.events.panel import require_moderator, show_panel
from bot.client.features.events.posts import advance_event_safely, shortened_post
from bot.client.features.setup.menus import require_announcement_channel, usable_channel_id
from bot.client.parameters import Completions, Name, Number, matching_choices
from bot.client.places.game_channels import new_game_venue, require_permissions
from bot.client.places.who_may_see import may_see_channel
from bot.client.which_game import new_game_title_choices
from bot.table.errors import Refused
from bot.table.events.event_settings import EventSettings, post_channel
from bot.table.events.event_standings import standings_text
from bot.table.events.event_upkeep import late_players
from bot.table.events.event_views import EventView
from bot.table.events.events import Organiser
from bot.table.games.page_links import page_link
from bot.table.markdown import discord_time, sentence_list, strong
from bot.table.moves.completions import MenuItem
from bot.table.settings.game_rules import read_title
from bot.table.settings.server_settings import ServerSettings, server_settings
from storage import EventRow, PageId, events

event_group = app_commands.Group(
    name="event", description="Seasons and tournaments of this server.", guild_only=True
)
KIND_CHOICES: Final = [
    app_commands.Choice(name="Season: groups in which everybody plays several games", value="season"),
    app_commands.Choice(name="Tournament: heats, then a final", value="tournament"),
]
MAX_LISTED_ENTRIES: Final = 20
"""Number of events or late players in a list."""
EVENT_STATUS_WORDS: Final = {
    "open": "open for entrants",
    "drawn": "drawn",
    "running": "running",
    "ended": "over",
    "cancelled": "cancelled",
}
"""Descriptions of an event's state, by its stored status."""


async def event_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete: events of this server, newest first."""
    rows = await events.events_of_server(interaction.client.tables.db, server_id_here(interaction))
    return matching_choices(
        (MenuItem(row.id, f"{row.name}: {EVENT_STATUS_WORDS[row.status]}") for row in rows), typed_text
    )


@event_group.command(name="new", extras=needs("moderate"))
@app_commands.describe(
    name="The event's name, such as Spring League",
    title="The game's title; add more titles with Manage",
    kind="A season or a tournament",
    places="Maximum number of entrants; later ones become reserves",
    days_open="Days until sign-up closes and the bot draws the tables; default: you draw them",
    entry_role="Only members with this role can enter",
    pinged_role="The role to ping once, when the event opens",
    channel="Channel for its posts; default: the announcements channel, else the games channel",
)
@app_commands.choices(kind=KIND_CHOICES)
@app_commands.autocomplete(title=new_game_title_choices)
async def create_event(
    interaction: BotInteraction,
    name: Name,
    title: Name,
    kind: str = "season",
    places: app_commands.Range[int, 2, 210] | None = None,
    days_open: app_commands.Range[int, 1, 90] | None = None,
    entry_role: discord.Role | None = None,
    pinged_role: discord.Role | None = None,
    channel: discord.TextChannel | discord.ForumChannel | None = None,
) -> None:
    """Open a season or tournament that members can enter."""
    await defer(interaction)
    bot = interaction.client
    venue = await new_game_venue(interaction, bot.tables.db)
    require_permissions(interaction, venue, "The event was not opened.")
    defaults = await server_settings(bot.tables.db, venue.guild.id)
    post_channel_id = _find_post_channel(interaction, channel, defaults)
    settings = new_settings(title, kind, places).model_copy(
        update={
            "entry_role": None if entry_role is None else entry_role.id,
            "pinged_role": None if pinged_role is None else pinged_role.id,
            "post_channel": post_channel_id,
            "table_settings": defaults.settings_of_new_game(read_title(title).spec),
        }
    )
    organiser = Organiser(interaction.user.id, venue.id)
    row = await bot.events.open_event(venue.guild.id, organiser, name, settings, days_open)
    await advance_event_safely(bot, row.id)
    done_text = f"{row.name} is open in <#{post_channel_id or venue.id}>."
    await show_panel(interaction, await bot.events.view(row.id), done_text)


def _find_post_channel(
    interaction: BotInteraction,
    chosen_channel: discord.TextChannel | discord.ForumChannel | None,
    defaults: ServerSettings,
) -> int | None:
    """The id of the channel for an event's posts; None if it is the channel for games. Raises Refused."""
    channel_id = defaults.announcement_channel_id if chosen_channel is None else chosen_channel.id
    if channel_id is None or interaction.guild is None:
        return None
    channel = interaction.guild.get_channel(channel_id)
    if isinstance(channel, discord.ForumChannel):
        return usable_channel_id(channel)
    require_announcement_channel(channel)
    return channel_id


def new_settings(title: str, kind: str, places: int | None) -> EventSettings:
    """The settings of a new event; raises Refused for an unknown title."""
    spec = read_title(title).spec
    players_per_table = min(max(spec.players), max(min(spec.players), 4))
    is_season = kind == "season"
    return EventSettings(
        kind="season" if is_season else "tournament",
        titles=(read_title(title).id,),
        table_size=players_per_table,
        games_each=players_per_table if is_season else 1,
        group_size=7 if players_per_table == 4 else 2 * players_per_table - 1,
        places=places,
    )


@event_group.command(name="list", extras=needs("ask"))
async def list_events(interaction: BotInteraction) -> None:
    """List the events of this server."""
    await defer(interaction)
    rows = await events.events_of_server(interaction.client.tables.db, server_id_here(interaction))
    lines = [await _event_line(interaction, row) for row in rows[:MAX_LISTED_ENTRIES]]
    if len(rows) > MAX_LISTED_ENTRIES:
        lines.append(f"-# and {len(rows) - MAX_LISTED_ENTRIES} earlier ones")
    await reply(
        interaction, shortened_post(lines or ["There are no events on this server. `/event new` opens one."])
    )


async def _event_line(interaction: BotInteraction, row: EventRow) -> str:
    """A line with an event's name and state and, if it has ended, the winner."""
    text = f"- {strong(row.name)} (event {row.id}): {EVENT_STATUS_WORDS[row.status]}"
    if row.status != "ended":
        return text
    view = await interaction.client.events.view(row.id)
    first_group_standings = list(view.standings.values())[:1]
    winners = [
        view.names[standing.entrant_number]
        for rows in first_group_standings
        for standing in rows
        if standing.rank == 1
    ]
    return f"{text}; {sentence_list(winners)} won" if winners else text


@event_group.command(name="standings", extras=needs("ask"))
@app_commands.describe(event="Which event; default: the newest")
@app_commands.autocomplete(event=event_choices)
async def standings(interaction: BotInteraction, event: Number | None = None) -> None:
    """Show the standings of an event."""
    await defer(interaction)
    await _show_standings(interaction, await chosen_event(interaction, event))


@event_group.command(name="games", extras=needs("ask"))
@app_commands.describe(event="Which event; default: the newest")
@app_commands.autocomplete(event=event_choices)
async def games(interaction: BotInteraction, event: Number | None = None) -> None:
    """List your games in an event, or all its games if you are not in it."""
    await defer(interaction)
    await _show_games(interaction, await chosen_event(interaction, event))


@event_group.command(name="late", extras=needs("ask"))
@app_commands.describe(event="Which event; default: the newest")
@app_commands.autocomplete(event=event_choices)
async def list_late_players(interaction: BotInteraction, event: Number | None = None) -> None:
    """List the players that an event's games are waiting for, and since when."""
    await defer(interaction)
    await _show_late_players(interaction, await chosen_event(interaction, event))


@event_group.command(name="manage", extras=needs("moderate"))
@app_commands.describe(event="Which event; default: the newest")
@app_commands.autocomplete(event=event_choices)
async def manage(interaction: BotInteraction, event: Number | None = None) -> None:
    """Change, draw, start or end an event."""
    await defer(interaction)
    row = await chosen_event(interaction, event)
    await show_panel(interaction, await interaction.client.events.view(row.id))


async def chosen_event(interaction: BotInteraction, number: int | None) -> EventRow:
    """The event with this number or else the newest unfinished event or else the newest one. Raises Refused."""
    server_id = server_id_here(interaction)
    if number is not None:
        return await interaction.client.events.event_of_server(server_id, number)
    rows = await events.events_of_server(interaction.client.tables.db, server_id)
    if not rows:
        raise Refused("There are no events on this server. `/event new` opens one.")
    return next((row for row in rows if row.status in events.UNFINISHED_STATUSES), rows[0])


# --- replies of commands and buttons ---------------------------------------------------------------------------------


async def _show_standings(interaction: BotInteraction, row: EventRow) -> None:
    view = await interaction.client.events.view(row.id)
    await reply(interaction, shortened_post([strong(row.name), standings_text(view)]))


async def _show_games(interaction: BotInteraction, row: EventRow) -> None:
    view = await interaction.client.events.view(row.id)
    entrant_number_of_user = next(
        (entrant.number for entrant in view.present_entrants if entrant.user_id == interaction.user.id), None
    )
    lines = [
        _game_line(view, game.game_id)
        for game in view.games
        if entrant_number_of_user is None or entrant_number_of_user in game.event_table.entrants
    ]
    heading_text = "All games" if entrant_number_of_user is None else "Your games"
    await reply(
        interaction, shortened_post([f"{heading_text} of {strong(row.name)}:", *(lines or ["none yet"])])
    )


def _game_line(view: EventView, game_id: int) -> str:
    """A line about a game of an event: its players, and a link to its thread or the result."""
    game = next(game for game in view.games if game.game_id == game_id)
    table = game.event_table
    names = ", ".join(view.names[number] for number in table.entrants)
    if game.places:
        names = ", ".join(f"{place}. {view.names[number]} {total}" for number, place, total in game.places)
    thread = f"game {game_id}" if game.thread_id is None else f"<#{game.thread_id}>"
    return f"- {thread}: {names}"


async def _show_late_players(interaction: BotInteraction, row: EventRow) -> None:
    players = await late_players(interaction.client.tables, row.id)
    lines = [
        f"- {strong(player.name)}: "
        + ", ".join(
            f"game {game.game_id} {discord_time(game.since, 'R')}"
            + ("" if game.thread_id is None else f" <#{game.thread_id}>")
            for game in player.games
        )
        for player in players[:MAX_LISTED_ENTRIES]
    ]
    heading = f"{strong(row.name)} is waiting for these players, the longest wait first:"
    await reply(
        interaction,
        shortened_post([heading, *lines] if lines else [f"{strong(row.name)} is not waiting for anybody."]),
    )


class EventButton(Component):
    """A button below an event's post: *Join*, *Leave*, *Standings*, *My games* or another action."""

    id_pattern = (
        rf"ev:(?P<number>{ID_NUMBER_PATTERN}):(?P<choice>join|leave|standings|games|late|page|manage|next)"
    )
    user_right = "ask"

    async def act(self, interaction: BotInteraction) -> None:
        """Enter or leave the event, or show its standings, games, late players, web page or panel."""
        bot = interaction.client
        row = await bot.events.event_of_server(server_id_here(interaction), self.number)
        if self.choice in ("join", "leave"):
            await _join_or_leave(interaction, row, self.choice)
        elif self.choice == "games":
            await _show_games(interaction, row)
        elif self.choice == "late":
            await _show_late_players(interaction, row)
        elif self.choice == "standings":
            await _show_standings(interaction, row)
        elif self.choice == "page":
            await _give_page_link(interaction, row)
        else:
            await require_moderator(interaction)
            if self.choice == "next":
                row = await _open_next_event(interaction, row)
            await show_panel(interaction, await bot.events.view(row.id), is_edit=is_private(interaction))


async def _give_page_link(interaction: BotInteraction, row: EventRow) -> None:
    bot, user = interaction.client, interaction.user
    if not await may_see_channel(bot, row.guild_id, post_channel(row), user.id):
        raise Refused(f"Only members who can see the channel of {row.name} can open its page.")
    url = await page_link(bot.tables, PageId("event", row.id), user.id)
    if url is None:
        raise Refused(NO_BOARD_PAGE_TEXT)
    text = f"The page of {strong(row.name)}: this link works once, within an hour."
    await reply(interaction, text, view=view_with_items([link_button("Open the page", url)]))


async def _join_or_leave(interaction: BotInteraction, row: EventRow, choice: str) -> None:
    bot, user = interaction.client, interaction.user
    if choice == "join":
        role_ids = [role.id for role in getattr(user, "roles", ())]
        entrant = await bot.events.enter(row.id, user.id, user.display_name, role_ids)
        done_text = (
            f"You have entered {row.name}."
            if entrant.status == "entered"
            else f"All places in {row.name} are taken: you are on the reserve list."
        )
    else:
        promoted_entrant = await bot.events.leave(row.id, user.id)
        done_text = f"You have left {row.name}."
        if promoted_entrant is not None:
            done_text += f" {promoted_entrant.display_name} takes your place."
    await advance_event_safely(bot, row.id)
    await reply_after_storing(interaction, done_text)


async def _open_next_event(interaction: BotInteraction, row: EventRow) -> EventRow:
    bot = interaction.client
    organiser = Organiser(interaction.user.id, row.channel_id)
    next_event_row = await bot.events.open_next_season(row.id, organiser, next_event_name(row.name))
    await advance_event_safely(bot, next_event_row.id)
    return next_event_row


def next_event_name(name: str) -> str:
    """The name of the next season: `League 3` after `League 2`, `Cup 2` after `Cup`."""
    base_name, _, last_word = name.rpartition(" ")
    return f"{base_name} {int(last_word) + 1}" if base_name and last_word.isdigit() else f"{name} 2"
