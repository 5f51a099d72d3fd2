"""`/board` and *Board* buttons: personal links to the board page, links for spectators, and browser sessions."""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands

from bot.client.bot_client import BotInteraction, game_id_here
from bot.client.buttons import (
    BOARD_BUTTON_PATTERN,
    BOARD_LABEL,
    ID_NUMBER_PATTERN,
    Button,
    Menu,
    button,
    link_button,
    shortened_label,
    view_with_items,
)
from bot.client.component import Component
from bot.client.entry.replies import defer, edit_clicked_message, reply
from bot.client.entry.rights import moderates, needs
from bot.table.errors import NotPermitted, Refused
from bot.table.markdown import count_noun
from bot.table.rate_limits import RequestKind
from bot.table.rights import not_on_server_text
from bot.table.tables import Tables
from storage import games, parse_timestamp

NO_BOARD_PAGE_TEXT: Final = "This bot has no board page. Its operator can turn it on with STATIONMASTER_WEB."
PERSONAL_LINK_TEXT: Final = (
    "Your board of game {}: this link works once, within an hour. Keep it to yourself: anybody who "
    "opens it can play as you."
)
UNCONFIRMED_BROWSER_TEXT: Final = (
    "Somebody opened your link a second time. If your browser shows this code, confirm it here. If "
    "not, ignore this: that browser sees only what spectators see."
)
SPECTATOR_LINK_TEXT: Final = "Anybody with this link sees the board of game {} as a spectator, for a week: {}"
BROWSER_CONFIRMED_TEXT: Final = "Browser confirmed. You can play on the board there now."
SESSIONS_HEADING: Final = "You have {} on the board page:"
NO_SESSIONS_TEXT: Final = "You have no sessions on the board page."
SESSIONS_ENDED_TEXT: Final = (
    "All your sessions on the board page have ended. Links that you have not opened no longer work."
)
UNKNOWN_DEVICE_TEXT: Final = "unknown browser"
MAX_SESSIONS_LISTED: Final = 25
"""Maximum number of browser sessions listed; a Discord menu has no more options."""
MAX_BOARD_LINKS: Final = 5
"""Maximum number of games with a board link in one reply."""

# --- the commands ----------------------------------------------------------------------------------------------------

board = app_commands.Group(name="board", description="The board page of this game.", guild_only=True)


@board.command(name="open", extras=needs("look", RequestKind.QUESTION))
async def open_board(interaction: BotInteraction) -> None:
    """Get your own link to play on the board page."""
    await answer_with_board_link(interaction, game_id_here(interaction))


@board.command(name="share", extras=needs("play", RequestKind.QUESTION))
async def share_board(interaction: BotInteraction) -> None:
    """Get a link for spectators of this game."""
    game_id, tables = game_id_here(interaction), interaction.client.tables
    await defer(interaction)
    _require_board_page(tables)
    await _require_game_started(tables, game_id)
    url = await tables.board_links.spectator_url(game_id)
    await reply(interaction, SPECTATOR_LINK_TEXT.format(game_id, f"<{url}>"))


@board.command(name="sessions", extras=needs("ask", RequestKind.QUESTION))
async def list_sessions(interaction: BotInteraction) -> None:
    """Show or end your sessions on the board page."""
    await defer(interaction)
    _require_board_page(interaction.client.tables)
    text, view = await _sessions_reply(interaction)
    await reply(interaction, text, view=view)


# --- the buttons -----------------------------------------------------------------------------------------------------


class BoardButton(Component):
    """The *Board* button below the turn message and in direct messages."""

    id_pattern = BOARD_BUTTON_PATTERN
    # A direct message belongs to no server, so the reply checks for a seat.
    user_right = "ask"
    request_kind = RequestKind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """Reply with the user's personal link to the board page."""
        await answer_with_board_link(interaction, self.game)


class ConfirmBoardButton(Component):
    """A *Yes* button: users click it to confirm that the browser showing a code is theirs."""

    id_pattern = rf"boardok:(?P<game>{ID_NUMBER_PATTERN}):(?P<number>[0-9]{{4}})"
    # A user can confirm only their own browsers.
    user_right = "ask"
    request_kind = RequestKind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        links, user = interaction.client.tables.board_links, interaction.user.id
        await links.confirm(self.game, user, f"{self.number:04}")
        await edit_clicked_message(interaction, content=BROWSER_CONFIRMED_TEXT, view=None)


class EndSessionSelect(Component):
    """The select menu that ends one of the user's browser sessions on the board page."""

    id_pattern = "boardend"
    user_right = "ask"
    request_kind = RequestKind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        """End the chosen browser session and update the list."""
        await interaction.client.tables.board_links.end_session(self.values[0], interaction.user.id)
        text, view = await _sessions_reply(interaction)
        await edit_clicked_message(interaction, content=text, view=view)


class EndAllSessionsButton(Component):
    """The button that ends all of the user's browser sessions and invalidates unused links."""

    id_pattern = "boardend:all"
    user_right = "ask"
    request_kind = RequestKind.QUESTION

    async def act(self, interaction: BotInteraction) -> None:
        await interaction.client.tables.board_links.end_sessions(interaction.user.id)
        await edit_clicked_message(interaction, content=SESSIONS_ENDED_TEXT, view=None)


# --- the replies -----------------------------------------------------------------------------------------------------


async def answer_with_board_link(interaction: BotInteraction, game_id: int) -> None:
    """Reply with a personal board link.

    If another browser has opened an earlier link, the reply also has a button to confirm that browser.
    """
    tables, user_id = interaction.client.tables, interaction.user.id
    await defer(interaction)
    _require_board_page(tables)
    await _require_game_started(tables, game_id)
    await _require_game_access(interaction, game_id)
    board_buttons = await board_link_buttons(interaction, game_id)
    browser_codes = await tables.board_links.codes_to_confirm(game_id, user_id)
    text = PERSONAL_LINK_TEXT.format(game_id)
    if browser_codes:
        text = f"{text}\n{UNCONFIRMED_BROWSER_TEXT}"
    button_style = discord.ButtonStyle.primary
    board_buttons += [
        button(f"boardok:{game_id}:{code}", f"Yes, {code} is my browser", button_style)
        for code in browser_codes
    ]
    await reply(interaction, text, view=view_with_items(board_buttons))


async def board_link_buttons(interaction: BotInteraction, game_id: int) -> list[Button]:
    """A button with the user's personal link to a game's board; empty if the bot serves no board page."""
    tables, user = interaction.client.tables, interaction.user
    if tables.board_links.address is None:
        return []
    row = await games.get_game(tables.db, game_id)
    is_moderator = interaction.guild_id == row.guild_id and await moderates(interaction)
    url = await tables.board_links.personal_url(
        game_id, user.id, moderates=is_moderator, name=user.display_name
    )
    return [link_button(BOARD_LABEL, url)]


async def reply_with_games(
    interaction: BotInteraction, text: str, numbers_and_names: Sequence[tuple[int, str]]
) -> None:
    """Reply with a text about games, and with links to the boards of the first MAX_BOARD_LINKS of them."""
    board_page, user = interaction.client.tables.board_links, interaction.user
    buttons = []
    for number, name in numbers_and_names[:MAX_BOARD_LINKS] if board_page.address is not None else ():
        url = await board_page.personal_url(number, user.id, moderates=False, name=user.display_name)
        buttons.append(link_button(f"Board of {name}, game {number}", url))
    await reply(interaction, text, view=view_with_items(buttons))


async def _sessions_reply(interaction: BotInteraction) -> tuple[str, discord.ui.View | None]:
    tables = interaction.client.tables
    browser_sessions = await tables.board_links.sessions_of(interaction.user.id)
    if not browser_sessions:
        return NO_SESSIONS_TEXT, None
    lines, options = [SESSIONS_HEADING.format(count_noun(len(browser_sessions), "session"))], []
    for number, session in enumerate(browser_sessions[:MAX_SESSIONS_LISTED], 1):
        game = await games.get_game(tables.db, session.game_id)
        description = f"game {game.id} ({game.name}), {session.device or UNKNOWN_DEVICE_TEXT}"
        opened_at = int(parse_timestamp(session.created_at).timestamp())
        lines.append(f"{number}. {description}, opened <t:{opened_at}:f>")
        options.append(
            discord.SelectOption(label=shortened_label(f"{number}. {description}"), value=session.digest)
        )
    if len(browser_sessions) > MAX_SESSIONS_LISTED:
        lines.append(f"And {len(browser_sessions) - MAX_SESSIONS_LISTED} older ones.")
    menu: Menu = discord.ui.Select(custom_id="boardend", placeholder="End a session", options=options)
    end_all_button = button("boardend:all", "End all sessions", discord.ButtonStyle.danger)
    return "\n".join(lines), view_with_items([menu, end_all_button])


async def _require_game_access(interaction: BotInteraction, game_id: int) -> None:
    """Raise NotPermitted unless the game belongs to this server or the user has a seat in it."""
    async with interaction.client.tables.reading(game_id) as live:
        is_game_here = interaction.guild_id == live.row.guild_id
        if not is_game_here and live.player_of(interaction.user.id) is None:
            raise NotPermitted(not_on_server_text(game_id))


def _require_board_page(tables: Tables) -> None:
    if tables.board_links.address is None:
        raise Refused(NO_BOARD_PAGE_TEXT)


async def _require_game_started(tables: Tables, game_id: int) -> None:
    if (await games.get_game(tables.db, game_id)).status == "lobby":
        raise Refused(f"Game {game_id} has not started, so it has no board yet.")
