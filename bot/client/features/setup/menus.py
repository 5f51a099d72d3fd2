"""The menu pages of `/setup`: roles, channels, defaults of new games, titles and rules profile."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, cast

import discord

from bot.client.bot_client import BotInteraction
from bot.client.buttons import MAX_FORM_TITLE_LENGTH, Menu, button, shortened_label, view_with_items
from bot.client.component import Component
from bot.client.entry.replies import edit_clicked_message, open_form, wrap_as_stored_but_failed
from bot.client.features.settings import theme_description
from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.client.places.game_channels import missing_permissions_in, permissions_in, suitable_venue
from bot.client.requests.permission_problems import missing_permissions_text
from bot.client.requests.permissions_and_invitation import missing_permissions
from bot.client.setup_texts import new_game_label, quiet_hours_text, server_text, title_names
from bot.table.errors import Refused
from bot.table.markdown import strong
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH, MAX_ITEMS
from bot.table.settings.durations_and_zones import QuietHours
from bot.table.settings.game_rules import PROFILE_MEANINGS, read_title
from bot.table.settings.person_settings import choose_server_quiet_hours, server_quiet_hours
from bot.table.settings.server_settings import (
    NewGameSetting,
    ServerSettingKey,
    ServerSettings,
    choose_new_game_setting,
    choose_server_setting,
    choose_titles,
    server_settings,
)
from bot.table.settings.table_settings import BANK, GRACE, REMINDERS, SEALED, GameSetting
from engine import TITLES
from storage import pings

MenuItems: TypeAlias = list[discord.ui.Item[Any]]
LABEL_BY_PAGE: Final = {
    "server": "Server",
    "defaults": "Defaults of new games",
    "titles": "Titles and rules of new games",
}
"""Names of the pages of `/setup`, by id."""
SAVED_TEXT: Final = "Settings saved."
ANNOUNCEMENT_PERMISSIONS: Final = ("view_channel", "send_messages", "embed_links", "attach_files")
"""Permissions that the bot needs in the channel for announcements."""
NEW_GAME_MENUS: Final = {"defaults": (BANK, GRACE, REMINDERS), "titles": (SEALED,)}
"""By page id: the default settings of new games that have a menu on this page of `/setup`."""
SUGGESTED_QUIET_HOURS: Final = ("22:00", "07:00")
"""Start and end of the quiet hours that the form suggests."""


class SetupPageButton(Component):
    """A button that opens a page of `/setup`, or the form for the server's quiet hours."""

    id_pattern = rf"setup:(?P<subject>{'|'.join(LABEL_BY_PAGE)}|hours)"
    user_right = "manage"

    async def act(self, interaction: BotInteraction) -> None:
        """Show the page in the same message, or open the form for quiet hours."""
        if self.subject == "hours":
            db, server_id = interaction.client.tables.db, guild_of(interaction).id
            await open_form(interaction, quiet_hours_form(await server_quiet_hours(db, server_id)))
        else:
            await _show_page(interaction, self.subject)


class SetupMenu(Component):
    """A select menu on a page of `/setup`."""

    id_pattern = r"setup:(?P<subject>server|defaults|titles):(?P<choice>[a-z_]+)"
    user_right = "manage"

    async def act(self, interaction: BotInteraction) -> None:
        """Store the chosen setting and update the page; raises Refused."""
        await _store_choice(interaction, self.choice, self.values)
        with wrap_as_stored_but_failed(SAVED_TEXT):
            await _show_page(interaction, self.subject)


class QuietHoursForm(Component):
    """The form for a server's quiet hours."""

    id_pattern = r"setup:form:hours"
    user_right = "manage"

    async def act(self, interaction: BotInteraction) -> None:
        """Store the typed quiet hours and update the page; raises Refused."""
        tables, server_id, fields = interaction.client.tables, guild_of(interaction).id, self.fields
        await choose_server_quiet_hours(
            tables.db, server_id, fields["quiet_from"], fields["quiet_to"], fields["zone"]
        )
        await tables.db.write(lambda tx: pings.make_due_for_guild(tx, server_id, tables.clock()))
        with wrap_as_stored_but_failed(SAVED_TEXT):
            await _show_page(interaction, "defaults")


async def _show_page(interaction: BotInteraction, page: str) -> None:
    view = await page_view(interaction, page)
    text = await page_text(interaction, page)
    await edit_clicked_message(interaction, content=text[:MAX_MESSAGE_LENGTH], view=view)


async def _store_choice(interaction: BotInteraction, choice: str, values: Sequence[str]) -> None:
    """Store the value chosen in a menu of `/setup`; an empty choice resets the setting. Raises Refused."""
    db, guild = interaction.client.tables.db, guild_of(interaction)
    if choice in ("bank", "grace", "reminders", "sealed"):
        await choose_new_game_setting(db, guild.id, cast("NewGameSetting", choice), values[0])
    elif choice == "title":
        titles, picked_title = (await server_settings(db, guild.id)).titles, read_title(values[0]).id
        remaining_titles = [title for title in titles if title != picked_title]
        await choose_titles(
            db, guild.id, remaining_titles if picked_title in titles else [*titles, picked_title]
        )
    else:
        value = next(iter(values), None)
        if value is not None and choice == "channel":
            usable_channel_id(guild.get_channel(int(value)))
        elif value is not None and choice == "announcements":
            require_announcement_channel(guild.get_channel(int(value)))
        await choose_server_setting(db, guild.id, cast("ServerSettingKey", choice), value)


def usable_channel_id(channel: object) -> int:
    """The id of a channel. Raises Refused if it is not suitable for games or the bot lacks permissions there."""
    venue = suitable_venue(channel)
    missing_permission_names = missing_permissions_in(venue, permissions_in(venue))
    if missing_permission_names:
        raise Refused(f"Nothing was changed. {missing_permissions_text(missing_permission_names, venue.id)}")
    return venue.id


def require_announcement_channel(channel: object) -> None:
    """Raise Refused unless a channel is a text or announcement channel in which the bot may post."""
    if not isinstance(channel, discord.TextChannel):
        raise Refused("Nothing was changed. I cannot see that channel.")
    missing_permission_names = missing_permissions(
        channel.permissions_for(channel.guild.me), ANNOUNCEMENT_PERMISSIONS
    )
    if missing_permission_names:
        raise Refused(
            f"Nothing was changed. {missing_permissions_text(missing_permission_names, channel.id)}"
        )


def guild_of(interaction: BotInteraction) -> discord.Guild:
    """The server of an interaction; raises Refused in a direct message."""
    if interaction.guild is None:
        raise Refused("Use this command on a server.")
    return interaction.guild


# --- pages -----------------------------------------------------------------------------------------------------------


async def page_text(interaction: BotInteraction, page: str) -> str:
    """The text of a page of `/setup`."""
    db, guild = interaction.client.tables.db, guild_of(interaction)
    settings = await server_settings(db, guild.id)
    quiet_hours = await server_quiet_hours(db, guild.id)
    if page == "server":
        theme = await interaction.client.tables.themes.theme_of(guild.id, None)
        theme_text = "default" if theme is None else theme_description(theme)
        return server_text(settings, quiet_hours, theme_text, interaction.channel, guild)
    if page == "defaults":
        return (
            f"{strong(LABEL_BY_PAGE['defaults'])}\nGames opened with `/game new` begin with these settings. "
            f"Their players can change them in the lobby.\n- quiet hours: {quiet_hours_text(quiet_hours)}"
        )
    return (
        f"{strong(LABEL_BY_PAGE['titles'])}\n"
        f"Titles that `/game new` offers first: {title_names(settings.titles) or 'none'}.\n"
        "-# Choose a title to add it at the end, or to remove it."
    )


async def page_view(interaction: BotInteraction, page: str) -> discord.ui.View:
    """The menus of a page of `/setup`, and buttons for the other pages."""
    guild = guild_of(interaction)
    settings = await server_settings(interaction.client.tables.db, guild.id)
    if page == "server":
        menus = _server_menus(guild, settings)
    else:
        menus = [new_game_menu(page, setting, settings) for setting in NEW_GAME_MENUS[page]]
        if page == "titles":
            menus = [titles_menu(settings.titles), profile_menu(settings), *menus]
    return view_with_items([*menus, *_page_buttons(page, len(menus))])


def _page_buttons(page: str, row: int) -> MenuItems:
    pages = list(LABEL_BY_PAGE)
    page_index = pages.index(page)
    buttons = [
        button(f"setup:{other_page}", f"◂ {LABEL_BY_PAGE[other_page]}")
        for other_page in pages[max(0, page_index - 1) : page_index]
    ]
    if page == "defaults":
        buttons.append(button("setup:hours", "Quiet hours …"))
    buttons += [
        button(f"setup:{other_page}", f"{LABEL_BY_PAGE[other_page]} ▸")
        for other_page in pages[page_index + 1 : page_index + 2]
    ]
    for page_button in buttons:
        page_button.row = row
    return [*buttons]


def _server_menus(guild: discord.Guild, settings: ServerSettings) -> MenuItems:
    game_channels = [discord.ChannelType.text, discord.ChannelType.forum]
    post_channel_types = [discord.ChannelType.text, discord.ChannelType.news]
    return [
        _channel_menu(guild, "channel", "Channel of games", settings.game_channel_id, game_channels),
        _channel_menu(
            guild,
            "announcements",
            "Channel of announcements",
            settings.announcement_channel_id,
            post_channel_types,
        ),
        _role_menu(guild, "moderators", "Role of moderators", settings.moderator_role_id),
        _role_menu(guild, "pinged_role", "Role that new games ping", settings.pinged_role_id),
    ]


def _channel_menu(
    guild: discord.Guild,
    choice: str,
    menu_hint: str,
    current_channel_id: int | None,
    channel_types: list[discord.ChannelType],
) -> discord.ui.ChannelSelect[Any]:
    channel = None if current_channel_id is None else guild.get_channel(current_channel_id)
    defaults = [] if channel is None else [discord.SelectDefaultValue.from_channel(channel)]
    return discord.ui.ChannelSelect(
        custom_id=f"setup:server:{choice}",
        placeholder=menu_hint,
        min_values=0,
        channel_types=channel_types,
        default_values=defaults,
    )


def _role_menu(
    guild: discord.Guild, choice: str, menu_hint: str, current_role_id: int | None
) -> discord.ui.RoleSelect[Any]:
    role = None if current_role_id is None else guild.get_role(current_role_id)
    return discord.ui.RoleSelect(
        custom_id=f"setup:server:{choice}",
        placeholder=menu_hint,
        min_values=0,
        default_values=[] if role is None else [role],
    )


def new_game_menu(page: str, setting: GameSetting, settings: ServerSettings) -> Menu:
    """The menu for one default setting of new games, such as the time bank."""
    current_value = settings.new_games.get(setting.name, setting.default)
    value_meanings = {**setting.values, current_value: setting.meaning_of(current_value)}
    if setting is SEALED:
        value_meanings["on"] += ", if the title has privates and no computer plays"
    options = [
        _option(value, new_game_label(setting, value), meaning, value == current_value)
        for value, meaning in value_meanings.items()
    ]
    return discord.ui.Select(custom_id=f"setup:{page}:{setting.name}", options=options)


def titles_menu(titles: tuple[str, ...]) -> Menu:
    """The menu of titles that `/game new` suggests first. Picking a title adds it to these, or removes it."""
    offered_titles = [title for title in titles if title in TITLES]
    options = [
        _option(title, f"{number}. {TITLES[title].name}", "Remove a title from the list", False)
        for number, title in enumerate(offered_titles, start=1)
    ]
    options += [
        _option(title.id, title.name, "Offer first", False)
        for title in TITLES.values()
        if title.id not in offered_titles
    ]
    return discord.ui.Select(
        custom_id="setup:titles:title", placeholder="Titles offered first", options=options[:MAX_ITEMS]
    )


def profile_menu(settings: ServerSettings) -> Menu:
    """The menu for the rules profile of new games. It has no effect on titles without that profile."""
    options = [
        _option(name, f"Rules: {name}", meaning, name == settings.profile)
        for name, meaning in PROFILE_MEANINGS.items()
    ]
    return discord.ui.Select(
        custom_id="setup:titles:profile",
        placeholder="Profile of rules (default: the first of each title)",
        min_values=0,
        options=options,
    )


def _option(value: str, label: str, description: str, is_chosen: bool) -> discord.SelectOption:
    return discord.SelectOption(
        label=shortened_label(label, MAX_ITEM_LABEL_LENGTH),
        value=value,
        description=shortened_label(description, MAX_ITEM_LABEL_LENGTH),
        default=is_chosen,
    )


def quiet_hours_form(quiet_hours: QuietHours | None) -> discord.ui.Modal:
    """The form for a server's quiet hours."""
    start_text, end_text = SUGGESTED_QUIET_HOURS
    zone = ""
    if quiet_hours is not None:
        start_text, end_text = f"{quiet_hours.start_time:%H:%M}", f"{quiet_hours.end_time:%H:%M}"
        zone = quiet_hours.zone
    form = discord.ui.Modal(title="Quiet hours", custom_id="setup:form:hours")
    form.add_item(
        discord.ui.TextDisplay(
            "For members who have not chosen their own with `/pings`. Leave all empty for none."
        )
    )
    for field_id, label, value in (
        ("quiet_from", "Start, such as 22:00", start_text),
        ("quiet_to", "End, such as 07:00", end_text),
        ("zone", "Time zone, by city, such as Berlin", zone),
    ):
        text_field: discord.ui.TextInput[Any] = discord.ui.TextInput(
            custom_id=field_id, default=value, required=False, max_length=MAX_ITEM_LABEL_LENGTH
        )
        form.add_item(
            discord.ui.Label(text=shortened_label(label, MAX_FORM_TITLE_LENGTH), component=text_field)
        )
    form.stop()
    return form
