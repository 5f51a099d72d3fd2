"""`/mine`, `/game list` and `/stats`: games of a user and a server, and statistics.

A damaged game is listed with the reason, and keeps no other from being listed.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction
from bot.client.command_groups import game
from bot.client.entry.replies import defer, reply
from bot.client.entry.rights import needs, server_here
from bot.client.features.board_link import say_games
from bot.client.parameters import Name, titles
from bot.client.requests.permission_problems import DeliveryProblems
from bot.table.errors import Refused
from bot.table.markdown import sentence_list, strong
from bot.table.orders.sealed_auction import SEALED
from bot.table.past.statistics import head_to_head, statistics
from bot.table.rate_limits import Kind
from bot.table.settings.game_rules import damage_of, read_title
from bot.table.tables import Tables
from bot.table.votes.pauses import pauses_now
from storage import GAMES, GUILDS, GameRow, StorageError, overviews, settings

_log = logging.getLogger("stationmaster")

LOOKED_AT: Final = 50
"""Positions that are loaded for one list; further games show what the database knows."""

ODD: Final = "Its database row was changed; the game keeps the rules it started with."
"""Remark about a running game whose row cannot be read."""


@app_commands.command(name="mine", extras=needs("ask", Kind.QUESTION))
async def mine(interaction: BotInteraction) -> None:
    """List your games, those that wait for you first."""
    await defer(interaction)
    bot, user_id = interaction.client, interaction.user.id
    text = await games_of_person(bot.tables, bot.delivery_problems, user_id)
    await say_games(interaction, text, await running_of(bot.tables, user_id))


@game.command(name="list", extras=needs("ask", Kind.QUESTION))
async def list_(interaction: BotInteraction) -> None:
    """List the games of this server."""
    await defer(interaction)
    bot = interaction.client
    await reply(
        interaction, await games_of_server(bot.tables, bot.delivery_problems, server_here(interaction))
    )


async def games_of_person(tables: Tables, delivery_problems: DeliveryProblems, user_id: int) -> str:
    """The user's games, those that wait for them first."""
    waiting: list[str] = []
    others: list[str] = []
    left = set(await GUILDS.having(tables.db, settings.LEFT))
    found = await overviews.overviews_of_user(tables.db, user_id, tables.clock())
    looked_at = await _looked_at(tables, found)
    for one in found:
        await asyncio.sleep(0)  # others have their turn between a thousand games
        row = one.row
        if row.guild_id in left:
            others.append(f"{row.id}. {row.name}: on hold, because the bot is no longer on that server")
        elif row.status == "lobby":
            others.append(
                f"{row.id}. {row.name}: not started, in <#{row.channel_id}>{_noted(damage_of(row))}"
            )
        else:
            mine, line = await _running(tables, delivery_problems, one, user_id, look=row.id in looked_at)
            (waiting if mine else others).append(strong(line) if mine else line)
    return "\n".join(waiting + others) or "You have no games. `/game list` shows games you can join."


async def running_of(tables: Tables, user_id: int) -> list[tuple[int, str]]:
    """The user's running games by number and name, those that wait for them first."""
    found = await overviews.overviews_of_user(tables.db, user_id, tables.clock())
    running = [one for one in found if one.row.status == "running"]

    def waits(overview: overviews.Overview) -> bool:
        return any(overview.users[player] == user_id for player in overview.waited_for)

    return [(one.row.id, one.row.name) for one in sorted(running, key=lambda one: not waits(one))]


async def games_of_server(tables: Tables, delivery_problems: DeliveryProblems, guild_id: int) -> str:
    """The open and running games of a server."""
    found = await overviews.overviews_of_server(tables.db, guild_id, tables.clock())
    looked_at = await _looked_at(tables, found)
    lines = [await _game_line(tables, delivery_problems, one, look=one.row.id in looked_at) for one in found]
    return "\n".join(lines) or "No game is open or running here. `/game new` opens one."


async def _looked_at(tables: Tables, found: Iterable[overviews.Overview]) -> frozenset[int]:
    """The games whose positions must be loaded for a list.

    While a table seals it waits for others than those who act, and before all games were looked at after
    the start nobody knows which are damaged.
    """
    sealed = set(await GAMES.with_value(tables.db, SEALED, "on"))
    running = [one for one in found if one.row.status == "running"]
    unclear = [
        overview.row.id
        for overview in running
        if not tables.reviewed or overview.row.id in sealed or not overview.waited_for
    ]
    return frozenset(unclear[:LOOKED_AT])


async def _game_line(
    tables: Tables, delivery_problems: DeliveryProblems, overview: overviews.Overview, *, look: bool
) -> str:
    await asyncio.sleep(0)  # as above
    row = overview.row
    status = "open" if row.status == "lobby" else "running"
    place = f"<#{row.thread_id}>" if row.board_message_id else f"in <#{row.channel_id}>"
    start = f"{row.id}. {row.name}, {status}"
    line = f"{start}: {place}" if row.board_message_id else f"{start}, {place}"
    if row.status == "lobby":
        return f"{line}{_noted(damage_of(row))}"
    problem = await _problem(tables, row, look=look)
    if problem is not None:
        return f"{line}{_noted(problem)}"
    acting = await _acting(tables, overview, look=look)
    parts = [
        part for part in (pauses_now(overview.pause, tables.clock()), _turn_line(overview, acting)) if part
    ]
    turn = f": {'; '.join(parts)}" if parts else ""
    return f"{line}{turn}{_noted(_remark(delivery_problems, row))}"


async def _running(
    tables: Tables,
    delivery_problems: DeliveryProblems,
    overview: overviews.Overview,
    user_id: int,
    *,
    look: bool,
) -> tuple[bool, str]:
    """True if a game waits for the user, and its line in the list."""
    row = overview.row
    place = f"{row.id}. {row.name} in <#{row.thread_id}>"
    problem = await _problem(tables, row, look=look)
    if problem is not None:
        return False, f"{place}: {problem}"
    acting, paused = await _acting(tables, overview, look=look), pauses_now(overview.pause, tables.clock())
    own = {player for player, user in overview.users.items() if user == user_id}
    mine = not own.isdisjoint(overview.waited_for)
    yours = "your turn" if not own.isdisjoint(acting) else "your sealed bids are missing"
    parts = [part for part in (paused, yours if mine else _turn_line(overview, acting)) if part]
    line = f"{place}: {'; '.join(parts)}{_noted(_remark(delivery_problems, row))}"
    return mine and not paused, line


async def _acting(tables: Tables, overview: overviews.Overview, *, look: bool) -> Sequence[str]:
    if not look:
        return overview.waited_for
    async with tables.reading(overview.row.id) as live:
        return live.game.actors()


def _remark(delivery_problems: DeliveryProblems, row: GameRow) -> str | None:
    """A remark about a playable running game."""
    return delivery_problems.problem_of(row.id) or (None if damage_of(row) is None else ODD)


async def _problem(tables: Tables, row: GameRow, *, look: bool) -> str | None:
    """The problem of a running game, as far as known; None if it can be played."""
    if not look:
        return tables.known_damage(row.id)
    try:
        return await tables.damage(row.id)
    except (Refused, StorageError) as error:
        return str(error)
    except Exception:  # noqa: BLE001 - the other games are listed all the same
        _log.exception("cannot list game %s", row.id)
        return "it cannot be loaded right now."


def _turn_line(overview: overviews.Overview, acting: Sequence[str]) -> str:
    return f"{sentence_list(overview.names[player] for player in acting)}'s turn" if acting else ""


def _noted(problem: str | None) -> str:
    return "" if problem is None else f". {problem}"


# --- statistics ------------------------------------------------------------------------------------------------------


@app_commands.command(name="stats", extras=needs("ask", Kind.QUESTION))
@app_commands.describe(
    player="One player; default: everybody",
    title="Which game; default: all",
    against="Their games against this player; without player: yours",
)
@app_commands.autocomplete(title=titles)
@app_commands.guild_only()
async def stats(
    interaction: BotInteraction,
    player: discord.User | None = None,
    title: Name | None = None,
    against: discord.User | None = None,
) -> None:
    """Show games, wins and thinking times on this server, only to you."""
    await defer(interaction)
    wanted = None if title is None else read_title(title).id
    person = None if player is None else player.id
    server = server_here(interaction)
    if against is not None:
        one = interaction.user.id if person is None else person
        text = await head_to_head(interaction.client.tables, server, (one, against.id), wanted)
    else:
        text = await statistics(interaction.client.tables, server, person, wanted)
    await reply(interaction, text)
