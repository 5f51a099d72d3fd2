"""`/board` and *Board* buttons: personal links to the board page, spectator links, and sessions."""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_here
from bot.client.buttons import BOARD, BOARD_ID, NUMBER, Button, Menu, button, link_button, shortened, view_of
from bot.client.component import Component
from bot.client.entry.replies import defer, edit_pressed, reply
from bot.client.entry.rights import moderates, needs
from bot.table.errors import NotYours, Refused
from bot.table.markdown import count_noun
from bot.table.rate_limits import Kind
from bot.table.rights import not_on_this_server
from bot.table.tables import Tables
from storage import games, parse_timestamp

NO_PAGE: Final = "This bot has no board page. Its operator can turn it on with STATIONMASTER_WEB."
YOURS: Final = (
    "Your board of game {}: this link works once, within an hour. Keep it to yourself: anybody who "
    "opens it can play as you."
)
WAITING: Final = (
    "Somebody opened your link a second time. If your browser shows this code, confirm it here. If "
    "not, ignore this: that browser sees only what spectators see."
)
SHARED: Final = "Anybody with this link sees the board of game {} as a spectator, for a week: {}"
CONFIRMED: Final = "Browser confirmed. Its board is yours now."
SESSIONS: Final = "You have {} at the board page:"
NO_SESSIONS: Final = "You have no sessions at the board page."
ENDED: Final = (
    "All your sessions at the board page have ended. Links that you have not opened no longer work."
)
UNKNOWN_DEVICE: Final = "unknown browser"
LISTED: Final = 25
"""Sessions in a list: as many as a menu of Discord has entries."""
MOST: Final = 5
"""Games to whose boards one answer leads."""

# --- the commands ----------------------------------------------------------------------------------------------------

board = app_commands.Group(name="board", description="The board page of this game.", guild_only=True)


@board.command(name="open", extras=needs("look", Kind.QUESTION))
async def open_(interaction: BotInteraction) -> None:
    """Get your own link to play on the board page."""
    await show(interaction, game_here(interaction))


@board.command(name="share", extras=needs("play", Kind.QUESTION))
async def share(interaction: BotInteraction) -> None:
    """Get a link for spectators of this game."""
    game_id, tables = game_here(interaction), interaction.client.tables
    await defer(interaction)
    _require_page(tables)
    await _require_begun(tables, game_id)
    url = await tables.board.shared_url(game_id)
    await reply(interaction, SHARED.format(game_id, f"<{url}>"))


@board.command(name="sessions", extras=needs("ask", Kind.QUESTION))
async def sessions(interaction: BotInteraction) -> None:
    """Show or end your sessions on the board page."""
    await defer(interaction)
    _require_page(interaction.client.tables)
    text, view = await _sessions_of(interaction)
    await reply(interaction, text, view=view)


# --- the buttons -----------------------------------------------------------------------------------------------------


class BoardButton(Component):
    """The *Board* button below the turn message and in direct messages."""

    template = BOARD_ID
    # In a direct message there is no server; the answer looks for a seat then.
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """Answer with a personal link."""
        await show(interaction, self.game)


class ConfirmBoardButton(Component):
    """The *Yes* button for a browser that shows a code."""

    template = rf"boardok:(?P<game>{NUMBER}):(?P<number>[0-9]{{4}})"
    # Nobody confirms the browser of another user.
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        links, user = interaction.client.tables.board, interaction.user.id
        await links.confirm(self.game, user, f"{self.number:04}")
        await edit_pressed(interaction, content=CONFIRMED, view=None)


class EndBoardSelect(Component):
    """A select menu of board page sessions to end."""

    template = "boardend"
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """End the user's session and update the list."""
        await interaction.client.tables.board.end_session(self.values[0], interaction.user.id)
        text, view = await _sessions_of(interaction)
        await edit_pressed(interaction, content=text, view=view)


class EndBoardsButton(Component):
    """The button that ends all of its user's sessions and unused links."""

    template = "boardend:all"
    right = "ask"
    cost = Kind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        await interaction.client.tables.board.end(interaction.user.id)
        await edit_pressed(interaction, content=ENDED, view=None)


# --- the answers -----------------------------------------------------------------------------------------------------


async def show(interaction: BotInteraction, game_id: int) -> None:
    """Answer with a personal link, and codes to confirm."""
    tables, user = interaction.client.tables, interaction.user.id
    await defer(interaction)
    _require_page(tables)
    await _require_begun(tables, game_id)
    await _require_theirs(interaction, game_id)
    items = await board_links(interaction, game_id)
    codes = await tables.board.waiting(game_id, user)
    text = YOURS.format(game_id)
    if codes:
        text = f"{text}\n{WAITING}"
    style = discord.ButtonStyle.primary
    items += [button(f"boardok:{game_id}:{code}", f"Yes, {code} is my browser", style) for code in codes]
    await reply(interaction, text, view=view_of(items))


async def board_links(interaction: BotInteraction, game_id: int) -> list[Button]:
    """Personal board links of a game; none without a page."""
    tables, user = interaction.client.tables, interaction.user
    if tables.board.address is None:
        return []
    row = await games.get_game(tables.db, game_id)
    officer = interaction.guild_id == row.guild_id and await moderates(interaction)
    url = await tables.board.personal_url(game_id, user.id, moderates=officer, name=user.display_name)
    return [link_button(BOARD, url)]


async def say_games(interaction: BotInteraction, text: str, listed: Sequence[tuple[int, str]]) -> None:
    """A text about these games, with board links to the first ones."""
    links, user = interaction.client.tables.board, interaction.user
    buttons = []
    for number, name in listed[:MOST] if links.address is not None else ():
        url = await links.personal_url(number, user.id, moderates=False, name=user.display_name)
        buttons.append(link_button(f"Board of {name}, game {number}", url))
    await reply(interaction, text, view=view_of(buttons))


async def _sessions_of(interaction: BotInteraction) -> tuple[str, discord.ui.View | None]:
    tables = interaction.client.tables
    opened = await tables.board.sessions(interaction.user.id)
    if not opened:
        return NO_SESSIONS, None
    lines, options = [SESSIONS.format(count_noun(len(opened), "session"))], []
    for number, session in enumerate(opened[:LISTED], 1):
        game = await games.get_game(tables.db, session.game_id)
        what = f"game {game.id} ({game.name}), {session.device or UNKNOWN_DEVICE}"
        since = int(parse_timestamp(session.created_at).timestamp())
        lines.append(f"{number}. {what}, opened <t:{since}:f>")
        options.append(discord.SelectOption(label=shortened(f"{number}. {what}"), value=session.digest))
    if len(opened) > LISTED:
        lines.append(f"And {len(opened) - LISTED} older ones.")
    menu: Menu = discord.ui.Select(custom_id="boardend", placeholder="End a session", options=options)
    all_of_them = button("boardend:all", "End all sessions", discord.ButtonStyle.danger)
    return "\n".join(lines), view_of([menu, all_of_them])


async def _require_theirs(interaction: BotInteraction, game_id: int) -> None:
    """Raise NotYours unless the game is on this server, or the user plays in it."""
    async with interaction.client.tables.reading(game_id) as live:
        here = interaction.guild_id == live.row.guild_id
        if not here and live.player_of(interaction.user.id) is None:
            raise NotYours(not_on_this_server(game_id))


def _require_page(tables: Tables) -> None:
    if tables.board.address is None:
        raise Refused(NO_PAGE)


async def _require_begun(tables: Tables, game_id: int) -> None:
    if (await games.get_game(tables.db, game_id)).status == "lobby":
        raise Refused(f"Game {game_id} has not started, so it has no board yet.")
