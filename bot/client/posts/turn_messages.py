"""The turn message of each game: who acts, pinged once, with the buttons of the moment. There is only one at a time."""

import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

import discord

from bot.client.components import panel
from bot.client.components.buttons import BUTTONS, mute_button
from bot.client.entry.acknowledging import edit_pressed
from bot.client.pictures import Pictures
from bot.client.places.messages import Test, delete, picture_file, turn_of
from bot.client.places.threads import Threads, sweep
from bot.client.requests.old_edits import is_old
from bot.client.requests.permission_problems import Problem
from bot.client.texts import turn_texts
from bot.client.texts.alt_texts import of_sale
from bot.client.texts.game_texts import LONGEST_MESSAGE
from bot.client.texts.missed import missed
from bot.table.bounded import BoundedDict
from bot.table.clocks import clock_words
from bot.table.game_cache import Locks
from bot.table.live import LiveGame
from bot.table.moves.button_cache import Buttons
from bot.table.orders.quick_orders import taps
from bot.table.orders.sealed import ASKS, is_sealing
from bot.table.outbox.notices import TurnChange, end_of_offer
from bot.table.pings.pinging import Pinging, Pings
from bot.table.settings.server_settings import pings_quietly
from bot.table.style import plain
from bot.table.tables import Tables
from engine.core.actions import read_action
from engine.core.ids import PlayerId
from engine.core.state import Proposal
from engine.tell.view_builders import sale_view
from engine.tell.views import SaleView
from render import render_sale
from storage import games
from storage.posts import pings
from storage.posts.outbox import Posting

_log = logging.getLogger("stationmaster.announce")

DOUBTFUL: Final = 1_000
"""How many games are swept after a crash: those looked at last."""
STANDING: Final = 1_000
"""Of how many games it is known what their turn message shows; in another one it is posted anew."""
NEAR: Final = 4
"""At most this many lines may stand below a turn message that is edited; further up nobody would see its buttons."""
PICTURED: Final = frozenset({"lay_tile", "place_token"})
"""Kinds of moves whose line has a picture, which moves a turn message as far up as many lines."""


class _Draft(NamedTuple):
    """A turn message to be shown, how to know it again, the one before, and after which move it is right."""

    content: str
    view: discord.ui.View
    pending: Pings
    same: Test
    old: int | None
    sale: SaleView | None
    """What is for sale, while there is an auction or a draft."""
    server: int
    seq: int
    actors: tuple[PlayerId, ...]


class _Standing(NamedTuple):
    """The turn message that a game has: whom it names, in which round or about which offer of a player to another.

    Posted after which move, and which it shows.
    """

    message: int
    actors: tuple[PlayerId, ...]
    round: str
    offer: Proposal | None
    posted: int
    shown: int


class Turns:
    """Posts a turn message for each hand-over and deletes the one before; while a player keeps moving, it is edited."""

    def __init__(
        self, tables: Tables, threads: Threads, pictures: Pictures, pinging: Pinging, buttons: Buttons
    ) -> None:
        self._tables = tables
        self._buttons = buttons
        self._pinging = pinging
        self._threads = threads
        self._pictures = pictures
        self._locks = Locks()
        self._standing: BoundedDict[int, _Standing] = BoundedDict(STANDING)
        self._doubtful: BoundedDict[int, list[discord.Message]] = BoundedDict(DOUBTFUL)
        """By game, what was found after a crash and has not been compared with a turn message yet."""

    async def go_on(self, interaction: discord.Interaction, game_id: int) -> None:
        """Show the player who has just moved, and moves next, the next buttons at once: in the answer to their press.

        What fails here is done when the move is posted.
        """
        try:
            await self._buttons.search(game_id)
            async with self._locks.of(game_id):
                await self._go_on(interaction, game_id)
        except Problem as error:
            _log.info("game %s: the turn message is not edited at once: %r", game_id, error)

    async def _go_on(self, interaction: discord.Interaction, game_id: int) -> None:
        async with self._tables.reading(game_id) as live:
            standing, mine = self._near(live), (live.player_of(interaction.user.id),)
            if standing is None or not standing.actors == live.game.actors() == mine:
                return
            draft = await self._drafted(live, Pings())
        if interaction.message is not None and interaction.message.id == standing.message:
            cards = await self._cards(draft)
            await edit_pressed(interaction, content=draft.content, view=draft.view, attachments=cards)
            self._standing[game_id] = standing._replace(shown=draft.seq)
        elif not is_old(standing.message):
            await self._edit(game_id, standing, draft)

    async def show(self, game_id: int, postings: Sequence[Posting], found: Sequence[discord.Message]) -> bool:
        """Tell these hand-overs at once; `found` is what was posted since, as far as that is not known.

        False, and nothing is done, where the game has moved on meanwhile.
        """
        await self._buttons.search(game_id)
        async with self._locks.of(game_id):
            return await self._show(game_id, postings, [*self._doubtful.pop(game_id, ()), *found])

    async def _show(
        self, game_id: int, postings: Sequence[Posting], found: Sequence[discord.Message]
    ) -> bool:
        async with self._tables.reading(game_id) as live:
            if live.seq != postings[-1].seq:
                if found:
                    self._doubtful[game_id] = list(found)
                return False
            overs = [TurnChange.read(posting.payload) for posting in postings]
            pending = await self._pinging.pending(live)
            standing = None if pending.now or found else self._near(live)
            as_it_is = not any(over.renewed for over in overs)
            if standing is not None and standing.shown == live.seq and as_it_is:
                return True
            draft, new = await self._drafted(live, pending), None if live.game.over else _standing(live)
        # An old message is rather posted anew: Discord takes few edits of it, and the board needs them.
        kept = standing is not None and not is_old(standing.message)
        if standing is None or not kept or not await self._edited(game_id, standing, draft):
            await self._renew(game_id, draft, new, found, overs, postings[-1].id)
        return True

    async def _renew(
        self,
        game_id: int,
        draft: _Draft,
        new: _Standing | None,
        found: Sequence[discord.Message],
        overs: Sequence[TurnChange],
        posting_id: int,
    ) -> None:
        """Post the turn message anew, or none when the game is over, and delete the one before."""
        thread = await self._threads.of(game_id)
        turn = None if new is None else await self._post(thread, draft, found, posting_id)
        self._standing.pop(game_id, None)
        await pings.mark_pinged(self._tables.db, game_id, draft.pending.now)
        if draft.old is not None and draft.old != turn:
            await _done_with(thread.get_partial_message(draft.old), end_of_offer(overs))
        await sweep([message for message in found if message.id != draft.old], turn)
        if new is not None and turn is not None:
            # Last: after a crash everything since the turn message that was noted is looked through.
            await self._tables.posted(game_id, turn=turn)
            self._standing[game_id] = new._replace(message=turn)

    def doubt(self, game_id: int) -> None:
        """The turn message may not be there any more: the next one is posted anew."""
        self._standing.pop(game_id, None)

    async def remove(self, game_id: int) -> None:
        """Take the turn message away from a game in which no move is possible."""
        thread = await self._threads.of(game_id)
        row = await games.get_game(self._tables.db, game_id)
        self._standing.pop(game_id, None)
        if row.turn_message_id is not None:
            await delete(thread.get_partial_message(row.turn_message_id))

    def _near(self, live: LiveGame) -> _Standing | None:
        """The turn message if it is of this round, and still near the newest lines; who acts may be somebody else."""
        old, new = self._standing.get(live.id), _standing(live)
        if old is None or live.game.over:
            return None
        same = (old.message, old.round, old.offer) == (new.message, new.round, new.offer)
        return old if same and _is_near(live, old.posted) else None

    async def _edited(self, game_id: int, standing: _Standing, draft: _Draft) -> bool:
        """Edit the turn message; False where somebody has deleted it."""
        try:
            await self._edit(game_id, standing, draft)
        except discord.NotFound:
            return False
        return True

    async def _edit(self, game_id: int, standing: _Standing, draft: _Draft) -> None:
        thread = await self._threads.of(game_id)
        post = thread.get_partial_message(standing.message)
        await post.edit(content=draft.content, view=draft.view, attachments=await self._cards(draft))
        self._standing[game_id] = standing._replace(shown=draft.seq, actors=draft.actors)

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
            pinged = [discord.Object(one.user_id) for one in draft.pending.now]
            only = discord.AllowedMentions(everyone=False, roles=False, users=pinged, replied_user=False)
            nonce = f"turn.{posting_id}"
            quiet = not pinged or await pings_quietly(self._tables.db, draft.server)
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
        """The cards of what is for sale."""
        if draft.sale is None:
            return []
        picture = await self._pictures.in_server(draft.server).drawn(render_sale, draft.sale)
        return [picture_file(picture, "sale.png", of_sale(draft.sale))]

    async def _drafted(self, live: LiveGame, pending: Pings) -> _Draft:
        content = turn_texts.turn_text(live, pending.named, await missed(self._tables.db, live))
        content += await clock_words.of_turn(self._tables, live)
        sealing = await is_sealing(self._tables.db, live)
        if sealing and len(content) + len(ASKS) < LONGEST_MESSAGE:
            content = f"{content}\n{ASKS}"
        has_page = self._tables.board.address is not None
        found = await self._buttons.of(live)
        view = panel.turn_panel(live, found, taps(live, sealing=sealing), board=has_page)
        if any(one.stage for one in pending.named) and len(view.children) < BUTTONS:
            view.add_item(mute_button(live.id, "Mute for this turn"))
        same, old = turn_of(live, content), live.row.turn_message_id
        return _Draft(
            content,
            view,
            pending,
            same,
            old,
            sale_view(live.game),
            live.row.guild_id,
            live.seq,
            live.game.actors(),
        )


def _is_near(live: LiveGame, posted: int) -> bool:
    """Whether what was posted after this row is still seen near the newest line."""
    since = [read_action(row.payload) for row in live.counting if row.seq > posted and row.kind == "action"]
    return live.seq - posted <= NEAR and not any(action.kind in PICTURED for action in since)


def _standing(live: LiveGame) -> _Standing:
    """What a turn message would be that is posted now."""
    message = live.row.turn_message_id or 0
    game = live.game
    return _Standing(message, game.actors(), plain(game).round_name(), game.proposal, live.seq, live.seq)


async def _done_with(old: discord.PartialMessage, end_of_offer: str) -> None:
    """Delete a turn message; one with an offer between players stays, without buttons, and says what became of it."""
    if not end_of_offer:
        await delete(old)
        return
    try:
        await old.edit(view=None, embeds=[discord.Embed(description=end_of_offer)])
    except discord.NotFound:
        return  # somebody has deleted it
