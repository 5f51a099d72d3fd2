"""Links to the board page: each user's own, as private answers; for spectators; browsers to be confirmed."""

from collections.abc import Sequence
from typing import Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import Button, shortened
from bot.client.components.view_buttons import (
    board_link,
    confirm_board_button,
    end_board_menu,
    end_boards_button,
)
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import say, think
from bot.client.entry.rights import moderates
from bot.table.board.links import BoardLinks
from bot.table.errors import NotYours, Refused
from bot.table.style import counted
from bot.table.tables import Tables
from storage import games
from storage.timestamps import moment

NO_PAGE: Final = "This bot has no board page: its operator has not set STATIONMASTER_WEB."
YOURS: Final = (
    "Your board of game {}: this link opens it once, within an hour. "
    "Keep it to yourself: it lets anybody act as you."
)
WAITING: Final = (
    "A link of yours was opened a second time. If you did that, and a browser shows you this code, confirm it here; "
    "if not, leave it: that browser sees what spectators see."
)
SHARED: Final = "Anybody with this link sees the board of game {} as a spectator, for a week: {}"
CONFIRMED: Final = "That browser is yours now: its board shows your moves from the next look on."
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


class BoardAnswers:
    """Answers with links; without a page nothing leads there."""

    def __init__(self, tables: Tables, links: BoardLinks) -> None:
        self._tables = tables
        self._links = links

    async def buttons(self, interaction: discord.Interaction, game_id: int) -> list[Button]:
        """The way to one's own board of a game here; none without a page."""
        if self._links.address is None:
            return []
        row = await games.get_game(self._tables.db, game_id)
        officer = interaction.guild_id == row.guild_id and await moderates(interaction)
        user = interaction.user
        url = await self._links.personal_url(game_id, user.id, moderates=officer, name=user.display_name)
        return [board_link(url)]

    async def say_games(
        self, interaction: discord.Interaction, text: str, found: Sequence[tuple[int, str]]
    ) -> None:
        """A text about these games, by number and name, with the ways to one's own boards of the first of them."""
        there = found[:MOST] if self._links.address is not None else ()
        user, links = interaction.user, []
        for number, name in there:
            url = await self._links.personal_url(number, user.id, moderates=False, name=user.display_name)
            links.append(board_link(url, f"Board of {name}, game {number}"))
        await say(interaction, text, view=turn_buttons.rows_of(links))

    async def show(self, interaction: discord.Interaction, game_id: int) -> None:
        """A link of one's own, and what waits to be confirmed."""
        await think(interaction)
        self._require_page()
        await self._require_begun(game_id)
        await self._require_theirs(interaction, game_id)
        items = await self.buttons(interaction, game_id)
        codes = await self._links.waiting(game_id, interaction.user.id)
        text = YOURS.format(game_id)
        if codes:
            text = f"{text}\n{WAITING}"
        items += [confirm_board_button(game_id, code) for code in codes]
        await say(interaction, text, view=turn_buttons.rows_of(items))

    async def share(self, interaction: discord.Interaction, game_id: int) -> None:
        """A link for spectators."""
        await think(interaction)
        self._require_page()
        await self._require_begun(game_id)
        url = await self._links.shared_url(game_id)
        await say(interaction, SHARED.format(game_id, f"<{url}>"))

    async def confirm(self, interaction: discord.Interaction, game_id: int, code: str) -> None:
        """The browser that shows this code is the user's own."""
        await self._links.confirm(game_id, interaction.user.id, code)
        await edit_pressed(interaction, content=CONFIRMED, view=None)

    async def sessions(self, interaction: discord.Interaction) -> None:
        """The user's sessions at the boards of all games, each with its device, and what ends them."""
        await think(interaction)
        self._require_page()
        text, view = await self._sessions_of(interaction.user.id)
        await say(interaction, text, view=view)

    async def end_one(self, interaction: discord.Interaction, session: str) -> None:
        """End a session of the user; the list shows those that are left."""
        await self._links.end_one(session, interaction.user.id)
        text, view = await self._sessions_of(interaction.user.id)
        await edit_pressed(interaction, content=text, view=view)

    async def end_all(self, interaction: discord.Interaction) -> None:
        """End every session of the user, and the links that were not opened yet."""
        await self._links.end(interaction.user.id)
        await edit_pressed(interaction, content=ENDED, view=None)

    async def _sessions_of(self, user_id: int) -> tuple[str, discord.ui.View | None]:
        found = await self._links.sessions(user_id)
        if not found:
            return NO_SESSIONS, None
        lines, options = [SESSIONS.format(counted(len(found), "session"))], []
        for number, one in enumerate(found[:LISTED], 1):
            game = await games.get_game(self._tables.db, one.game_id)
            what = f"game {game.id} ({game.name}), {one.device or UNKNOWN_DEVICE}"
            opened = int(moment(one.created_at).timestamp())
            lines.append(f"{number}. {what}, opened <t:{opened}:f>")
            options.append(discord.SelectOption(label=shortened(f"{number}. {what}"), value=one.digest))
        if len(found) > LISTED:
            lines.append(f"And {len(found) - LISTED} older ones.")
        return "\n".join(lines), turn_buttons.rows_of([end_board_menu(options), end_boards_button()])

    async def _require_theirs(self, interaction: discord.Interaction, game_id: int) -> None:
        """Raise NotYours unless the game is of this server, or the user plays it."""
        async with self._tables.reading(game_id) as live:
            here = interaction.guild_id == live.row.guild_id
            if not here and live.player_of(interaction.user.id) is None:
                raise NotYours("That game is not played on this server.")

    def _require_page(self) -> None:
        if self._links.address is None:
            raise Refused(NO_PAGE)

    async def _require_begun(self, game_id: int) -> None:
        if (await games.get_game(self._tables.db, game_id)).status == "lobby":
            raise Refused(f"Game {game_id} has not started yet: there is no board to look at.")
