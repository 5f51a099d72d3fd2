"""The turn message of each game: who acts, pinged once, with the buttons of the moment. There is only one at a time."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

import discord

from bot.client import panel, turn_texts
from bot.client.alternatives import of_sale
from bot.client.pictures import Pictures
from bot.client.posts import Test, delete, picture_file, turn_of
from bot.client.threads import Threads, sweep
from bot.table.live import Live
from bot.table.notices import LINE, HandOver, Line, end_of_offer, still_to_ping
from bot.table.offered import offered
from bot.table.recent import Recent
from bot.table.service import Tables
from engine.tell.viewing import sale_view
from engine.tell.views import SaleView
from render import render_sale
from storage import games, outbox
from storage.outbox import Posting


class _Draft(NamedTuple):
    """A turn message to be posted, how to know it again, and the one before."""

    content: str
    view: discord.ui.View
    called: list[discord.Object]
    same: Test
    old: int | None
    sale: SaleView | None
    server: int
    end_of_offer: str
    """What became of the offer in the message before; empty where there was none."""


DOUBTFUL: Final = 1_000
"""How many games are swept after a crash: those looked at last."""


class Turns:
    """Posts a turn message for each hand-over and deletes the one before."""

    def __init__(self, tables: Tables, threads: Threads, pictures: Pictures) -> None:
        self._tables = tables
        self._threads = threads
        self._pictures = pictures
        self._doubtful: Recent[int, list[discord.Message]] = Recent(DOUBTFUL)
        """By game, what was found after a crash and has not been compared with a turn message yet."""

    async def show(self, game_id: int, postings: Sequence[Posting], found: Sequence[discord.Message]) -> bool:
        """Tell these hand-overs at once; `found` is what was posted since, as far as that is not known.

        False, and nothing is done, where the game has moved on meanwhile.
        """
        found = [*self._doubtful.pop(game_id, ()), *found]
        async with self._tables.reading(game_id) as live:
            if live.seq != postings[-1].seq:
                if found:
                    self._doubtful[game_id] = found
                return False
            draft, over = await self._drafted(live, postings), live.game.over
        thread = await self._threads.of(game_id)
        turn = None if over else await self._post(thread, draft, found, postings[-1].id)
        if draft.old is not None and draft.old != turn:
            await _done_with(thread.get_partial_message(draft.old), draft.end_of_offer)
        await sweep([message for message in found if message.id != draft.old], turn)
        if turn is not None:
            # Last: after a crash everything since the turn message that was noted is looked through.
            await self._tables.posted(game_id, turn=turn)
        return True

    async def remove(self, game_id: int) -> None:
        """Take the turn message away from a game in which no move is possible."""
        thread = await self._threads.of(game_id)
        row = await games.get_game(self._tables.db, game_id)
        if row.turn_message_id is not None:
            await delete(thread.get_partial_message(row.turn_message_id))

    async def _post(
        self,
        thread: discord.PartialMessageable,
        draft: _Draft,
        found: Sequence[discord.Message],
        posting_id: int,
    ) -> int:
        """Post the message, unless it was just before a crash; its number."""
        sent = next(filter(draft.same, reversed(found)), None)
        if sent is None:
            only = discord.AllowedMentions(
                everyone=False, roles=False, users=draft.called, replied_user=False
            )
            nonce, quiet = f"turn.{posting_id}", not draft.called
            sent = await thread.send(
                draft.content,
                view=draft.view,
                files=await self._cards(draft),
                allowed_mentions=only,
                silent=quiet,
                nonce=nonce,
            )
        return sent.id

    async def _cards(self, draft: _Draft) -> list[discord.File]:
        """What is for sale, while there is an auction or a draft."""
        if draft.sale is None:
            return []
        picture = await self._pictures.in_server(draft.server).drawn(render_sale, draft.sale)
        return [picture_file(picture, "sale.png", of_sale(draft.sale))]

    async def _drafted(self, live: Live, postings: Sequence[Posting]) -> _Draft:
        overs = [HandOver.read(posting.payload) for posting in postings]
        pinged = still_to_ping(overs, live.game.actors())
        content = turn_texts.turn_text(live, pinged, await self._missed(live))
        # The best routes are worked out here; the event loop must go on meanwhile.
        entries = () if live.game.over else await asyncio.to_thread(offered, live)
        called = [discord.Object(live.user_of(player)) for player in pinged]
        view = panel.turn_panel(live, entries)
        return _Draft(
            content,
            view,
            called,
            turn_of(live, content),
            live.row.turn_message_id,
            sale_view(live.game),
            live.row.guild_id,
            end_of_offer(overs),
        )

    async def _missed(self, live: Live) -> list[str]:
        """The lines since the last move of whoever acts, without what was taken back; of several people none."""
        actors = live.game.actors()
        if len(actors) != 1:
            return []
        own = max((row.seq for row in live.counting if row.actor == actors[0]), default=0)
        counting = {row.seq for row in live.counting if row.seq > own}
        told = await outbox.told(self._tables.db, live.id, LINE, own)
        return [Line.read(payload).text for seq, payload in told if seq in counting]


async def _done_with(old: discord.PartialMessage, end_of_offer: str) -> None:
    """Delete a turn message; one with an offer between players stays, without buttons, and says what became of it."""
    if not end_of_offer:
        await delete(old)
        return
    try:
        await old.edit(view=None, embeds=[discord.Embed(description=end_of_offer)])
    except discord.NotFound:
        return  # somebody has deleted it
