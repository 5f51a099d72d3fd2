"""Links to the board page: each user's own, as private answers; for spectators; browsers to be confirmed."""

from collections.abc import Sequence
from typing import Final

import discord

from bot.client.components import turn_buttons
from bot.client.components.buttons import Button
from bot.client.components.view_buttons import board_link, confirm_board_button
from bot.client.entry.acknowledging import edit_pressed
from bot.client.entry.replies import say, think
from bot.client.entry.rights import moderates
from bot.table.board.links import BoardLinks
from bot.table.errors import NotYours, Refused
from bot.table.tables import Tables
from storage import games

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
        url = await self._links.personal_url(game_id, interaction.user.id, moderates=officer)
        return [board_link(url)]

    async def say_games(
        self, interaction: discord.Interaction, text: str, found: Sequence[tuple[int, str]]
    ) -> None:
        """A text about these games, by number and name, with the ways to one's own boards of the first of them."""
        there = found[:MOST] if self._links.address is not None else ()
        person = interaction.user.id
        links = [
            board_link(
                await self._links.personal_url(number, person, moderates=False),
                f"Board of {name}, game {number}",
            )
            for number, name in there
        ]
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
