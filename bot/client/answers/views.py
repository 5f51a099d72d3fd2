"""Looking at what is on the table: holdings, tiles, phases and courses as pictures, each answered privately."""

from dataclasses import replace

import discord

from bot.client.entry.replies import say, think
from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file, table_files
from bot.client.question_queue import answering, question_of
from bot.client.texts.alt_texts import of_history, of_phases, of_sale, of_table, of_tiles
from bot.client.texts.sheets import trains_sheet
from bot.table.errors import Refused
from bot.table.past.asked import PastGame
from bot.table.past.chronicle import Work
from bot.table.past.timelines import at_present, chart
from bot.table.tables import Tables
from engine.tell.view_builders import phases_view, privates_view, table_view, tiles_view, trains_view
from engine.tell.views import SaleView
from render import render_chart, render_phases, render_sale, render_tiles


class Looks:
    """Pictures of the whole table for a user."""

    def __init__(self, tables: Tables, pictures: Pictures) -> None:
        self._tables = tables
        self._pictures = pictures

    async def whole(self, interaction: discord.Interaction, game_id: int) -> None:
        """Everybody's holdings, every company, the trains to come."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            view = table_view(live.game, live.player_of(interaction.user.id))
        pictures = await answering(interaction, self._pictures).whole_table(view)
        await say(interaction, "", files=table_files(pictures, of_table(view)))

    async def privates(self, interaction: discord.Interaction, game_id: int, named: str | None) -> None:
        """The cards of the privates, or one of them: whose they are, and while they are sold who bids what."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            view = privates_view(live.game)
            if view is None:
                raise Refused(f"{live.game.title.name} has no private companies.")
            view = view if named is None else _card(view, named)
        picture = await answering(interaction, self._pictures).drawn(render_sale, view)
        await say(interaction, "", files=[picture_file(picture, "privates.png", of_sale(view))])

    async def tiles(self, interaction: discord.Interaction, game_id: int) -> None:
        """The tiles that are left."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            view = tiles_view(live.game)
        picture = await answering(interaction, self._pictures).drawn(render_tiles, view)
        await say(interaction, "", files=[picture_file(picture, "tiles.png", of_tiles(view))])

    async def trains(self, interaction: discord.Interaction, game_id: int) -> None:
        """Which trains are left, and what each phase changes."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            text, view = trains_sheet(trains_view(live.game)), phases_view(live.game)
        picture = await answering(interaction, self._pictures).drawn(render_phases, view)
        await say(interaction, text, files=[picture_file(picture, "phases.png", of_phases(view))])

    async def chart(self, interaction: discord.Interaction, game_id: int) -> None:
        """What everybody was worth and what shares cost, round by round."""
        await think(interaction)
        async with self._tables.reading(game_id) as live:
            game, now = PastGame.of(live), at_present(live.game)
        work = Work(self._tables.workers, question_of(interaction))
        course = chart(await self._tables.chronicle.chapters(game, work), now)
        picture = await answering(interaction, self._pictures).drawn(render_chart, course)
        await say(interaction, "", files=[picture_file(picture, "chart.png", of_history(course))])


def _card(view: SaleView, named: str) -> SaleView:
    """One card alone, by its abbreviation or its name; raises Refused."""
    lots = [lot for column in view.columns for lot in column]
    for lot in lots:
        if named.strip().casefold() in (lot.badge.company.casefold(), lot.name.casefold()):
            return replace(view, columns=((lot,),), seats=(), coming=())
    raise Refused(f"There is no private {named}. Privates: {', '.join(lot.badge.company for lot in lots)}.")
