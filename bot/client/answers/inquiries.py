"""Answers to questions: pictures, sheets, why something is not possible. Nothing changes a game."""

from typing import Final

import discord

from bot.client.answers.board_links import BoardAnswers
from bot.client.components import turn_buttons
from bot.client.entry.replies import say, think
from bot.client.pictures import Pictures
from bot.client.places.messages import board_of, picture_file
from bot.client.question_queue import answering, question_of
from bot.client.texts.sheets import company_sheet, player_sheet
from bot.table.clocks.clock_words import of_status
from bot.table.clocks.pausing import pauses_now
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.moves.moves import Typed
from bot.table.moves.position_questions import ask
from bot.table.moves.preview import possible
from bot.table.moves.verbs import verbs_of
from bot.table.settings.readings import read_title, rules_text, title_of, topics_of
from bot.table.style import strong
from bot.table.tables import Tables
from engine.core.ids import Coord
from engine.tell.view_builders import (
    company_hexes,
    company_view,
    map_view,
    market_view,
    part_in_play,
    part_of,
    player_view,
    zone_hexes,
)
from engine.tell.views import MapView
from engine.titles import TITLES, Title
from storage import games

HELP_ON_RULES: Final = f"{strong('Rules')} of a title in a few lines: `/rules title:`."
"""The end of `/help` where no game is played."""


ONE_COMMAND: Final = "`/why` checks one command: choose it from the list, e.g. `move:buy details:{}`."
"""The answer of `/why` to anything else; with a company of the title."""
WHOLE_MAP: Final = "all"
"""What is typed for a whole map, where only a part would be shown."""


class Inquiries:
    """What people ask for, each answered privately."""

    def __init__(self, tables: Tables, pictures: Pictures, boards: BoardAnswers) -> None:
        self._tables = tables
        self._boards = boards
        self._pictures = pictures

    async def status(self, interaction: discord.Interaction, game_id: int) -> None:
        """Whose turn it is, with map and market."""
        await think(interaction)
        board = await board_of(self._tables, self._pictures.asked().seen_by(interaction.user.id), game_id)
        async with self._tables.reading(game_id) as live:
            time = await of_status(self._tables, live)
            pauses = pauses_now(live.pause, self._tables.clock())
        paused = f"The game {pauses}; `/game resume` ends the pause." if pauses else ""
        text = "\n".join(filter(None, (board.text, paused, time)))
        view = turn_buttons.rows_of(await self._boards.buttons(interaction, game_id))
        await say(interaction, text, embeds=board.embeds(), files=board.files(), view=view)

    async def map(self, interaction: discord.Interaction, game_id: int, around: str | None) -> None:
        """The map, what a company reaches, a part of the board, or a close-up around a hex."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            view, close_up = _map_part(live, (around or "").strip())
        picture = await answering(interaction, self._pictures).map(view, close_up)
        files = [picture_file(picture, "map.png", view.caption)]
        buttons = turn_buttons.rows_of(await self._boards.buttons(interaction, game_id))
        await say(interaction, view.caption, files=files, view=buttons)

    async def market(self, interaction: discord.Interaction, game_id: int) -> None:
        """The stock market."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            view = market_view(live.game)
        await say(
            interaction,
            view.caption,
            files=[
                picture_file(
                    await answering(interaction, self._pictures).market(view), "market.png", view.caption
                )
            ],
        )

    async def company(self, interaction: discord.Interaction, game_id: int, company: str) -> None:
        """A company's charter, in words and as a picture."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            looker = live.player_of(interaction.user.id)
            view = company_view(live.game, _company(live, company), looker)
        picture = picture_file(
            await answering(interaction, self._pictures).company(view),
            "company.png",
            f"The charter of {view.name}",
        )
        await say(interaction, company_sheet(view), files=[picture])

    async def player(self, interaction: discord.Interaction, game_id: int, player: str | None) -> None:
        """A player's sheet, in words and as a picture; the person's own if nobody is named."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            wanted = _player(live, player) if player else self._tables.seat_of(live, interaction.user.id)
            view = player_view(live.game, wanted, live.player_of(interaction.user.id))
        drawn = await answering(interaction, self._pictures).player(view)
        picture = picture_file(drawn, "player.png", f"The sheet of {view.name}")
        await say(interaction, player_sheet(view), files=[picture])

    async def rules(self, interaction: discord.Interaction, topic: str | None, named: str | None) -> None:
        """A topic of a title's rules, or which there are."""
        await think(interaction)
        title, row = await self.title_meant(interaction, named)
        await say(interaction, rules_text(title, row, topic))

    async def title_meant(
        self, interaction: discord.Interaction, named: str | None
    ) -> tuple[Title, games.Game | None]:
        """The title named, else that of this thread's game, and the game; raises Refused."""
        game_id = self._tables.game_in(interaction.channel_id)
        row = None if game_id is None else await games.get_game(self._tables.db, game_id)
        if named:
            title = read_title(named)
            return title, row if row is not None and row.title == title.id else None
        if row is None:
            raise Refused(f"Say which title: {', '.join(TITLES)}. In the thread of a game it is the game's.")
        return title_of(row), row

    async def title_help(self, interaction: discord.Interaction) -> str:
        """What can be asked about the rules of this thread's game, or elsewhere of any title."""
        try:
            title, _ = await self.title_meant(interaction, None)
        except Refused:
            return HELP_ON_RULES
        about = strong(f"Rules of {title.name}")
        return f"{about} in a few lines: `/rules` with one of {', '.join(topics_of(title))}."

    async def why(self, interaction: discord.Interaction, game_id: int, verb: str, details: str) -> None:
        """Why a move is not possible, in the referee's words."""
        await think(interaction)
        verb, _, rest = f"{verb} {details}".strip().partition(" ")
        async with self._tables.reading(game_id) as live:
            player = self._tables.seat_of(live, interaction.user.id)
            known = verbs_of(live.game).get(verb)
            position = live.game.dump()
        if known is None:
            raise Refused(ONE_COMMAND.format(next(iter(live.game.title.spec.companies))))
        move = Typed(known.kind, known.given(rest))
        queue = question_of(interaction, game_id)
        await say(interaction, await ask(self._tables.workers, queue, position, possible, player, move))


def _company(live: LiveGame, text: str) -> str:
    for company, facts in live.game.title.spec.companies.items():
        if text.strip().casefold() in (company.casefold(), facts.name.casefold()):
            return company
    raise Refused(f"There is no company {text}. Companies: {', '.join(live.game.title.spec.companies)}.")


def _map_part(live: LiveGame, wanted: str) -> tuple[MapView, tuple[Coord, ...]]:
    """The map or a part of it, and the hex of a close-up; raises Refused."""
    game, whole = live.game, map_view(live.game)
    if not wanted:
        return part_in_play(game, whole), ()
    if wanted.casefold() == WHOLE_MAP:
        return whole, ()
    if any(wanted.upper() == on_map.coord for on_map in whole.hexes):
        return whole, (wanted.upper(),)
    company = {name.casefold(): name for name in game.title.spec.companies}.get(wanted.casefold())
    hexes = company_hexes(game, company) if company else zone_hexes(game, wanted)
    if not hexes:
        raise Refused(f"There is no {wanted} on this map: name a hex, a company, or `{WHOLE_MAP}`.")
    return part_of(whole, hexes), ()


def _player(live: LiveGame, text: str) -> str:
    for seat in live.seats:
        if text.strip().casefold() in (seat.player_id, seat.display_name.casefold()):
            return seat.player_id
    raise Refused(
        f"There is no player {text}. Players: {', '.join(seat.display_name for seat in live.seats)}."
    )
