"""The turn message of each game: who acts, pinged once, with the buttons of the moment. There is only one at a time."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

import discord

from bot.client import panel, texts
from bot.client.posts import Test, delete, turn_of
from bot.client.threads import Threads
from bot.table.live import Live
from bot.table.notices import HandOver, still_to_ping
from bot.table.offered import offered
from bot.table.recent import Recent
from bot.table.service import Tables
from storage.outbox import Posting


class _Draft(NamedTuple):
    """A turn message to be posted, how to know it again, and the one before."""

    content: str
    view: discord.ui.View
    called: list[discord.Object]
    same: Test
    old: int | None


DOUBTFUL: Final = 1_000
"""How many games are swept after a crash: those looked at last."""


class Turns:
    """Posts a turn message for each hand-over and deletes the one before."""

    def __init__(self, tables: Tables, threads: Threads) -> None:
        self._tables = tables
        self._threads = threads
        self._doubtful: Recent[int, None] = Recent(DOUBTFUL)
        """Games whose thread may hold a turn message that was not written down before a crash."""

    async def show(self, game_id: int, postings: Sequence[Posting], unsure: bool) -> bool:
        """Tell these hand-overs at once; False, and nothing is done, where the game has moved on meanwhile."""
        if unsure:
            self._doubtful[game_id] = None
        async with self._tables.reading(game_id) as live:
            if live.seq != postings[-1].seq:
                return False
            draft, over = await _drafted(live, postings), live.game.over
        thread, _ = await self._threads.of(game_id)
        kept = None if over else await self._posted(thread, game_id, draft)
        if draft.old not in (None, kept):
            await delete(thread.get_partial_message(draft.old))
        if game_id in self._doubtful:
            await self._threads.sweep(thread, kept)
            self._doubtful.pop(game_id, None)
        return True

    async def _posted(self, thread: discord.PartialMessageable, game_id: int, draft: _Draft) -> int:
        """Post the message, unless it was just before a crash; its number."""
        sent = await self._threads.own(thread, draft.same) if game_id in self._doubtful else None
        if sent is None:
            only = discord.AllowedMentions(
                everyone=False, roles=False, users=draft.called, replied_user=False
            )
            sent = await thread.send(
                draft.content, view=draft.view, allowed_mentions=only, silent=not draft.called
            )
        await self._tables.posted(game_id, turn=sent.id)
        return sent.id


async def _drafted(live: Live, postings: Sequence[Posting]) -> _Draft:
    overs = [HandOver.read(posting.payload) for posting in postings]
    pinged = still_to_ping(overs, live.game.actors())
    content = texts.turn_text(live, pinged)
    # The best routes are worked out here; the event loop must go on meanwhile.
    entries = () if live.game.over else await asyncio.to_thread(offered, live)
    called = [discord.Object(live.user_of(player)) for player in pinged]
    view = panel.turn_panel(live, entries)
    return _Draft(content, view, called, turn_of(live, content), live.row.turn_message_id)
