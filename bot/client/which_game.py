"""Finds the game that a command is about. Autocomplete for games, titles, rules profiles and options."""

from collections.abc import Sequence

from bot.client.bot_client import BotInteraction
from bot.client.entry.rights import server_id_here
from bot.client.parameters import Completions, autocomplete_choices, known_titles, matching_choices
from bot.table.errors import Refused
from bot.table.moves.completions import MAX_ITEM_LABEL_LENGTH, MAX_ITEMS, MenuItem
from bot.table.moves.slot_values import EMPTY_VALUE_WORD
from bot.table.rights import not_on_server_text
from bot.table.settings.game_rules import PROFILE_MEANINGS, option_completions
from bot.table.settings.server_settings import server_settings
from engine import TITLES, Title
from storage import GameRow, NoSuchGame, games


async def new_game_title_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for a new game's title. Titles preferred by the server come first."""
    settings = await server_settings(interaction.client.tables.db, server_id_here(interaction))
    rank_by_title = {title: rank for rank, title in enumerate(settings.titles)}
    items = sorted(known_titles(), key=lambda item: rank_by_title.get(str(item.value), len(rank_by_title)))
    return matching_choices(items, typed_text)


async def title_profile_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for a new game's rules profile (`rulebook` or `18xx.games`)."""
    return _profile_choices(TITLES.get(str(interaction.namespace.title)), typed_text)


async def title_option_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for a new game's optional rules."""
    return _option_choices(TITLES.get(str(interaction.namespace.title)), typed_text)


def _profile_choices(title: Title | None, typed_text: str) -> Completions:
    profiles = title.spec.profiles if title else ()
    return matching_choices(
        (MenuItem(name, f"{name}: {PROFILE_MEANINGS[name]}") for name in profiles), typed_text
    )


def _option_choices(title: Title | None, typed_text: str) -> Completions:
    options = (
        (label[:MAX_ITEM_LABEL_LENGTH], text)
        for label, text in (option_completions(title, typed_text) if title else ())
    )
    return autocomplete_choices(
        MenuItem(text, label) for label, text in options if len(text) <= MAX_ITEM_LABEL_LENGTH
    )


async def lobby_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for the number of a game that has not started."""
    rows = await games.list_games(interaction.client.tables.db, server_id_here(interaction), "lobby")
    return _game_choices(rows, typed_text)


def _game_choices(rows: Sequence[GameRow], typed_text: str) -> Completions:
    items = [MenuItem(row.id, f"{row.id}: {row.name}") for row in rows]
    return matching_choices(items if str(typed_text).strip() else items[-MAX_ITEMS:], str(typed_text))


async def running_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for the number of a running game."""
    rows = await games.list_games(interaction.client.tables.db, server_id_here(interaction), "running")
    return _game_choices(rows, typed_text)


async def lobby_profile_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for the rules profile of a game that has not started."""
    return _profile_choices(await _lobby_title(interaction), typed_text)


async def lobby_option_choices(interaction: BotInteraction, typed_text: str) -> Completions:
    """Autocomplete for the optional rules of a game that has not started."""
    title = await _lobby_title(interaction)
    no_options = matching_choices([MenuItem(EMPTY_VALUE_WORD, "No optional rules")], typed_text)
    return [*no_options, *_option_choices(title, typed_text)][:MAX_ITEMS] if title else []


async def _lobby_title(interaction: BotInteraction) -> Title | None:
    """The title of the lobby that the command is about; None if that is unclear."""
    try:
        row = await games.get_game(
            interaction.client.tables.db, await chosen_lobby(interaction, interaction.namespace.number)
        )
    except (Refused, NoSuchGame):
        return None
    return TITLES.get(row.title)


def read_option_names(typed_names: str | None) -> list[str] | None:
    """The typed names of optional rules; an empty list for `none`, None if nothing was typed."""
    if typed_names is None:
        return None
    return [] if typed_names.strip() == EMPTY_VALUE_WORD else typed_names.split(",")


async def chosen_game(interaction: BotInteraction, number: int | None) -> int:
    """The id of a command's game: the given number, or else this thread's game, or else this channel's newest lobby."""
    shown_game_id = interaction.client.tables.game_shown_in(interaction.channel_id)
    if number is None and shown_game_id is not None:
        return shown_game_id
    return await chosen_lobby(interaction, number)


async def game_in_this_server(interaction: BotInteraction, number: int) -> GameRow:
    """The game with this number. Raises NoSuchGame, or Refused if it belongs to another server."""
    row = await games.get_game(interaction.client.tables.db, number)
    if row.guild_id != interaction.guild_id:
        raise Refused(not_on_server_text(number))
    return row


async def chosen_lobby(interaction: BotInteraction, number: int | None) -> int:
    """The id of a command's lobby: the given number, or else this channel's newest lobby. Raises Refused."""
    if number is not None:
        return (await game_in_this_server(interaction, number)).id
    rows = await games.list_games(interaction.client.tables.db, server_id_here(interaction), "lobby")
    # In a forum, a lobby has a post of its own, where the command is used.
    rows = [row for row in rows if interaction.channel_id in (row.channel_id, row.thread_id)]
    if not rows:
        raise Refused("No game is open in this channel. `/game new` opens one.")
    return rows[-1].id
