"""Completing which game is meant, and by which rules it is to be played."""

from collections.abc import Sequence

from bot.client.bot_client import BotInteraction
from bot.client.entry.rights import server_here
from bot.client.parameters import Completed, as_choices, completed, known_titles
from bot.table.errors import Refused
from bot.table.moves.completions import LONGEST, MOST, Item
from bot.table.moves.slot_values import NOTHING
from bot.table.rights import not_on_this_server
from bot.table.settings.game_rules import PROFILES, longer_options
from bot.table.settings.server_settings import server_settings
from engine import TITLES, Title
from storage import GameRow, NoSuchGame, games


async def title_choices(interaction: BotInteraction, typed: str) -> Completed:
    """Completes the title of a game that is to be opened; the one this server plays usually comes first."""
    usual = (await server_settings(interaction.client.tables.db, server_here(interaction))).title
    return completed(sorted(known_titles(), key=lambda item: item.value != usual), typed)


async def title_profiles(interaction: BotInteraction, typed: str) -> Completed:
    """Completes the profile of a game that is to be opened."""
    return _profile_choices(TITLES.get(str(interaction.namespace.title)), typed)


async def title_options(interaction: BotInteraction, typed: str) -> Completed:
    """Completes the options of a game that is to be opened."""
    return _option_choices(TITLES.get(str(interaction.namespace.title)), typed)


def _profile_choices(title: Title | None, typed: str) -> Completed:
    profiles = title.spec.profiles if title else ()
    return completed((Item(name, f"{name}: {PROFILES[name]}") for name in profiles), typed)


def _option_choices(title: Title | None, typed: str) -> Completed:
    """Options typed already, and one more behind them."""
    options = ((label[:LONGEST], text) for label, text in (longer_options(title, typed) if title else ()))
    return as_choices(Item(text, label) for label, text in options if len(text) <= LONGEST)


async def lobby_choices(interaction: BotInteraction, typed: str) -> Completed:
    """Completes the number of a game that has not started."""
    rows = await games.list_games(interaction.client.tables.db, server_here(interaction), "lobby")
    return _numbered(rows, typed)


def _numbered(rows: Sequence[GameRow], typed: str) -> Completed:
    """The newest games, where there are more than Discord lists."""
    items = [Item(row.id, f"{row.id}: {row.name}") for row in rows]
    return completed(items if str(typed).strip() else items[-MOST:], str(typed))


async def running_choices(interaction: BotInteraction, typed: str) -> Completed:
    """Completes the number of a running game."""
    rows = await games.list_games(interaction.client.tables.db, server_here(interaction), "running")
    return _numbered(rows, typed)


async def lobby_profiles(interaction: BotInteraction, typed: str) -> Completed:
    """Completes the profile of a game that has not started."""
    return _profile_choices(await _lobby_title(interaction), typed)


async def lobby_options(interaction: BotInteraction, typed: str) -> Completed:
    """Completes the options of a game that has not started."""
    title = await _lobby_title(interaction)
    none = completed([Item(NOTHING, "No optional rules")], typed)
    return [*none, *_option_choices(title, typed)][:MOST] if title else []


async def _lobby_title(interaction: BotInteraction) -> Title | None:
    """The title of the open game meant by what is typed so far."""
    try:
        row = await games.get_game(
            interaction.client.tables.db, await open_game(interaction, interaction.namespace.number)
        )
    except (Refused, NoSuchGame):
        return None
    return TITLES.get(row.title)


def options_named(typed: str | None) -> list[str] | None:
    """The options that are meant: none of them by the word for nothing; None where nothing was typed."""
    if typed is None:
        return None
    return [] if typed.strip() == NOTHING else typed.split(",")


async def game_meant(interaction: BotInteraction, number: int | None) -> int:
    """The game meant: the one named, else that of this thread, else the newest lobby of the channel."""
    here = interaction.client.tables.game_in(interaction.channel_id)
    if number is None and here is not None:
        return here
    return await open_game(interaction, number)


async def game_of_server(interaction: BotInteraction, number: int) -> GameRow:
    """A game of this server; raises Refused for that of another, and NoSuchGame."""
    row = await games.get_game(interaction.client.tables.db, number)
    if row.guild_id != interaction.guild_id:
        raise Refused(not_on_this_server(number))
    return row


async def open_game(interaction: BotInteraction, number: int | None) -> int:
    """The game meant: the one named, else the newest lobby of the channel."""
    if number is not None:
        return (await game_of_server(interaction, number)).id
    rows = await games.list_games(interaction.client.tables.db, server_here(interaction), "lobby")
    # In a forum the game has its post already, in which people ask.
    rows = [row for row in rows if interaction.channel_id in (row.channel_id, row.thread_id)]
    if not rows:
        raise Refused("No game is open in this channel. `/game new` opens one.")
    return rows[-1].id
