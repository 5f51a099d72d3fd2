"""The whole table, posted as each round begins."""

from collections.abc import Sequence

import discord

from bot.client.pictures import Pictures
from bot.client.places.messages import picture_file
from bot.client.places.threads import Threads
from bot.client.texts.alt_texts import of_table
from bot.table.outbox.notices import RoundBegun
from bot.table.style import strong
from bot.table.tables import Tables
from engine.tell.viewing import table_view
from render import render_table
from storage.posts.outbox import Posting


class RoundPosts:
    """Posts what everybody has when a round begins; of several rounds at once the last."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures) -> None:
        self._tables = tables
        self._threads = threads
        self._pictures = pictures

    async def show(self, game_id: int, postings: Sequence[Posting], found: Sequence[discord.Message]) -> None:
        """Post the table, unless it was posted just before a crash (`found` is what was posted since)."""
        text = f"{strong(RoundBegun.read(postings[-1].payload).name)}: the table."
        if any(message.content == text for message in found):
            return
        thread = await self._threads.of(game_id)
        async with self._tables.reading(game_id) as live:
            view, pictures = table_view(live.game), self._pictures.in_server(live.row.guild_id)
        picture = await pictures.drawn(render_table, view)
        files = [picture_file(picture, "table.png", of_table(view))]
        await thread.send(text, files=files, silent=True, nonce=f"table.{postings[-1].id}")
