"""`/mine`, `/game list` and `/stats`: lists of a user's or server's games, and statistics.

A damaged game is listed with the problem, and does not prevent the list.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.buttons import link_button, view_with_items
from bot.client.command_groups import game
from bot.client.entry.replies import defer, reply
from bot.client.entry.rights import needs, server_id_here
from bot.client.features.board_link import reply_with_games
from bot.client.parameters import Name, complete_title
from bot.client.requests.permission_problems import DeliveryProblems
from bot.table.errors import Refused
from bot.table.games.page_links import page_link
from bot.table.markdown import sentence_list, strong
from bot.table.orders.sealed_auction import SEALED_SETTING
from bot.table.past.statistics import head_to_head, statistics
from bot.table.rate_limits import RequestKind
from bot.table.settings.game_rules import read_title, row_damage
from bot.table.tables import Tables
from bot.table.votes.pauses import current_pause_text
from storage import GAME_SETTINGS, GUILD_SETTINGS, GameRow, PageId, StorageError, overviews, settings

_log = logging.getLogger("stationmaster")

MAX_POSITIONS_LOADED: Final = 50
"""Number of games loaded into memory for one list. Lines about other games use only stored facts."""

ALTERED_ROW_REMARK: Final = "Somebody changed its database row; the game keeps the rules it started with."
"""Remark in a list about a running game whose database row was altered."""


@app_commands.command(name="mine", extras=needs("ask", RequestKind.QUESTION))
async def list_own_games(interaction: BotInteraction) -> None:
    """List your games, those that wait for you first."""
    await defer(interaction)
    bot, user_id = interaction.client, interaction.user.id
    text = await user_games_text(bot.tables, bot.delivery_problems, user_id)
    await reply_with_games(interaction, text, await running_games_of(bot.tables, user_id))


@game.command(name="list", extras=needs("ask", RequestKind.QUESTION))
async def list_server_games(interaction: BotInteraction) -> None:
    """List the games of this server."""
    await defer(interaction)
    bot, guild_id = interaction.client, server_id_here(interaction)
    page_url = await page_link(bot.tables, PageId("server", guild_id), interaction.user.id)
    view = None if page_url is None else view_with_items([link_button("Games in your browser", page_url)])
    text = await server_games_text(bot.tables, bot.delivery_problems, guild_id)
    await reply(interaction, text, view=view)


async def user_games_text(tables: Tables, delivery_problems: DeliveryProblems, user_id: int) -> str:
    """The reply to `/mine`: the user's games, one line each; those that wait for the user come first."""
    lines_waiting_for_user: list[str] = []
    other_lines: list[str] = []
    ids_of_left_servers = set(await GUILD_SETTINGS.owners_with_setting(tables.db, settings.LEFT_SERVER_KEY))
    overviews_found = await overviews.overviews_of_user(tables.db, user_id, tables.clock())
    games_to_load = await _games_to_load(tables, overviews_found)
    for overview in overviews_found:
        await asyncio.sleep(0)  # a list of a thousand games must not block others
        row = overview.row
        if row.guild_id in ids_of_left_servers:
            other_lines.append(f"{row.id}. {row.name}: on hold, because the bot is no longer on that server")
        elif row.status == "lobby":
            other_lines.append(
                f"{row.id}. {row.name}: not started, in <#{row.channel_id}>{_remark_suffix(row_damage(row))}"
            )
        else:
            is_waiting_for_user, line = await _running_game_line(
                tables, delivery_problems, overview, user_id, load_position=row.id in games_to_load
            )
            (lines_waiting_for_user if is_waiting_for_user else other_lines).append(
                strong(line) if is_waiting_for_user else line
            )
    return (
        "\n".join(lines_waiting_for_user + other_lines)
        or "You have no games. `/game list` shows games you can join."
    )


async def running_games_of(tables: Tables, user_id: int) -> list[tuple[int, str]]:
    """Id and name of each running game of a user; those that wait for the user come first."""
    overviews_found = await overviews.overviews_of_user(tables.db, user_id, tables.clock())
    running_games = [running_game for running_game in overviews_found if running_game.row.status == "running"]

    def is_waiting_for_user(overview: overviews.Overview) -> bool:
        return any(overview.user_by_player[player] == user_id for player in overview.players_to_act)

    return [
        (running_game.row.id, running_game.row.name)
        for running_game in sorted(
            running_games, key=lambda running_game: not is_waiting_for_user(running_game)
        )
    ]


async def server_games_text(tables: Tables, delivery_problems: DeliveryProblems, guild_id: int) -> str:
    """The reply to `/game list`: a server's open and running games, one line each."""
    overviews_found = await overviews.overviews_of_server(tables.db, guild_id, tables.clock())
    games_to_load = await _games_to_load(tables, overviews_found)
    lines = [
        await _game_line(tables, delivery_problems, overview, load_position=overview.row.id in games_to_load)
        for overview in overviews_found
    ]
    return "\n".join(lines) or "No game is open or running here. `/game new` opens one."


async def _games_to_load(tables: Tables, overviews_found: Iterable[overviews.Overview]) -> frozenset[int]:
    """Ids of the listed games whose positions must be loaded, because stored facts do not suffice for their lines."""
    games_with_sealed_bids = set(await GAME_SETTINGS.owners_with_value(tables.db, SEALED_SETTING, "on"))
    running_games = [candidate for candidate in overviews_found if candidate.row.status == "running"]
    games_to_replay = [
        overview.row.id
        for overview in running_games
        if not tables.are_games_checked
        or overview.row.id in games_with_sealed_bids
        or not overview.players_to_act
    ]
    return frozenset(games_to_replay[:MAX_POSITIONS_LOADED])


async def _game_line(
    tables: Tables, delivery_problems: DeliveryProblems, overview: overviews.Overview, *, load_position: bool
) -> str:
    await asyncio.sleep(0)  # a long list must not block others
    row = overview.row
    status = "open" if row.status == "lobby" else "running"
    channel_id = row.thread_id if row.board_message_id else row.channel_id
    line = f"{row.id}. {row.name}, {status}, in <#{channel_id}>"
    if row.status == "lobby":
        return f"{line}{_remark_suffix(row_damage(row))}"
    problem = await _game_problem(tables, row, load_position=load_position)
    if problem is not None:
        return f"{line}{_remark_suffix(problem)}"
    acting_players = await _acting_players(tables, overview, load_position=load_position)
    line_parts = [
        part
        for part in (current_pause_text(overview.pause, tables.clock()), _turn_line(overview, acting_players))
        if part
    ]
    turn_text = f": {'; '.join(line_parts)}" if line_parts else ""
    return f"{line}{turn_text}{_remark_suffix(_problem_remark(delivery_problems, row))}"


async def _running_game_line(
    tables: Tables,
    delivery_problems: DeliveryProblems,
    overview: overviews.Overview,
    user_id: int,
    *,
    load_position: bool,
) -> tuple[bool, str]:
    """A pair: True if a running game waits for the user, and the game's line in the user's list."""
    row = overview.row
    line_start = f"{row.id}. {row.name} in <#{row.thread_id}>"
    problem = await _game_problem(tables, row, load_position=load_position)
    if problem is not None:
        return False, f"{line_start}: {problem}"
    acting_players, pause_text = (
        await _acting_players(tables, overview, load_position=load_position),
        current_pause_text(overview.pause, tables.clock()),
    )
    own_seats = {player for player, user in overview.user_by_player.items() if user == user_id}
    is_waiting_for_user = not own_seats.isdisjoint(overview.players_to_act)
    own_turn_text = (
        "your turn" if not own_seats.isdisjoint(acting_players) else "your sealed bids are missing"
    )
    line_parts = [
        part
        for part in (
            pause_text,
            own_turn_text if is_waiting_for_user else _turn_line(overview, acting_players),
        )
        if part
    ]
    line = f"{line_start}: {'; '.join(line_parts)}{_remark_suffix(_problem_remark(delivery_problems, row))}"
    return is_waiting_for_user and not pause_text, line


async def _acting_players(
    tables: Tables, overview: overviews.Overview, *, load_position: bool
) -> Sequence[str]:
    if not load_position:
        return overview.players_to_act
    async with tables.reading(overview.row.id) as live:
        return live.game.actors()


def _problem_remark(delivery_problems: DeliveryProblems, row: GameRow) -> str | None:
    return delivery_problems.problem_of(row.id) or (None if row_damage(row) is None else ALTERED_ROW_REMARK)


async def _game_problem(tables: Tables, row: GameRow, *, load_position: bool) -> str | None:
    if not load_position:
        return tables.known_damage(row.id)
    try:
        return await tables.damage(row.id)
    except (Refused, StorageError) as error:
        return str(error)
    except Exception:  # noqa: BLE001 - the other games must be listed
        _log.exception("cannot list game %s", row.id)
        return "it cannot be loaded right now."


def _turn_line(overview: overviews.Overview, acting_players: Sequence[str]) -> str:
    return (
        f"{sentence_list(overview.names[player] for player in acting_players)}'s turn"
        if acting_players
        else ""
    )


def _remark_suffix(problem: str | None) -> str:
    return "" if problem is None else f". {problem}"


# --- statistics ------------------------------------------------------------------------------------------------------


@app_commands.command(name="stats", extras=needs("ask", RequestKind.QUESTION))
@app_commands.describe(
    player="Only this player; default: all players",
    title="Only this title; default: all titles",
    against="Only games against this opponent; without `player:`, your own games",
)
@app_commands.autocomplete(title=complete_title)
@app_commands.guild_only()
async def stats(
    interaction: BotInteraction,
    player: discord.User | None = None,
    title: Name | None = None,
    against: discord.User | None = None,
) -> None:
    """Show games, wins and thinking times on this server, only to you."""
    await defer(interaction)
    title_id = None if title is None else read_title(title).id
    player_id = None if player is None else player.id
    server_id = server_id_here(interaction)
    if against is not None:
        first_user_id = interaction.user.id if player_id is None else player_id
        text = await head_to_head(interaction.client.tables, server_id, (first_user_id, against.id), title_id)
    else:
        text = await statistics(interaction.client.tables, server_id, player_id, title_id)
    await reply(interaction, text)
