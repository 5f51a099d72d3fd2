"""The post of each turn: the lines of its moves, and who acts, pinged once, with the buttons of the moment."""

import logging
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from typing import Final, NamedTuple

import discord

from bot.client import turn_panel, turn_texts
from bot.client.alt_texts import of_sale
from bot.client.buttons import BUTTONS, mute_button
from bot.client.entry.replies import edit_pressed
from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.pictures import Pictures
from bot.client.places.messages import (
    TABLE,
    Files,
    KeptFile,
    delete,
    files_of,
    listed,
    picture_file,
    turn_of,
)
from bot.client.places.threads import Threads, sweep
from bot.client.posts.line_posts import close_up, post_lines, post_round, table_pictures
from bot.client.posts.turn_records import (
    TurnRecord,
    TurnRows,
    done_with,
    has_another,
    leading,
    record_in,
    said,
    shortest,
    struck_text,
)
from bot.client.requests.problems import Problem
from bot.client.requests.request_limits import OldEdits, is_old
from bot.client.turn_texts import missed_lines, missed_since
from bot.table.bounded import BoundedDict
from bot.table.clocks import deadlines
from bot.table.game_cache import Locks
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import Buttons, stepwise
from bot.table.orders.player_orders import quick_orders
from bot.table.orders.sealed_auction import ASKS, OPEN, is_sealing
from bot.table.outbox.notices import LINE, Line, TurnChange, end_of_offer
from bot.table.pings import Pings, pings_of_turn
from bot.table.settings.server_settings import pings_quietly
from bot.table.tables import Tables
from engine import Proposal
from engine.views import SaleView, sale_view, turn_key
from render import render_sale
from storage import Posting, games, outbox, pings

_log = logging.getLogger("stationmaster.announce")

DOUBTFUL: Final = 1_000
"""How many games are swept after a crash: those looked at last."""
STANDING: Final = 1_000
"""Of how many games it is known what their turn message shows; in another one it is edited once more."""
STRUCK: Final = 10
"""At most N earlier posts, the newest, in which an undo strikes lines out."""


class _Draft(NamedTuple):
    """A turn message to be shown, how to know it again, the one before, and after which move it is right."""

    content: str
    view: discord.ui.View
    pending: Pings
    old: int | None
    sale: SaleView | None
    """What is for sale, while there is an auction or a draft."""
    server: int
    seq: int
    record: TurnRecord
    """What the one before shows of the moves, with those that wait."""
    leads: TurnRecord
    """What begins this one, where it is a new post, and does not stand in the one before."""
    ended: TurnRecord
    """What the one before shows then."""


class _Standing(NamedTuple):
    """The turn message that a game has: of which turn, with which offer of a player to another, and what it shows."""

    message: int
    turn: tuple[str, ...]
    offer: Proposal | None
    seq: int
    content: str
    closed: bool = False
    """Whether it shows nothing but its lines any more."""
    pictured: tuple[int, ...] = ()
    """The rows of the outbox after which the map is shown in it."""
    sale: SaleView | None = None
    """What is shown as for sale."""
    files: tuple[KeptFile, ...] = ()
    """Those pictures, where they are known."""


class Turns:
    """Posts a message for each turn, which is edited while the turn continues and keeps its lines afterwards."""

    def __init__(
        self,
        tables: Tables,
        threads: Threads,
        pictures: Pictures,
        ping_after: timedelta,
        buttons: Buttons,
        old_edits: OldEdits,
    ) -> None:
        self._tables, self._threads, self._pictures = tables, threads, pictures
        self._ping_after, self._buttons = ping_after, buttons
        self._close_up = partial(close_up, tables, pictures)
        self._table_pictures = partial(table_pictures, tables, pictures)
        self._old_edits = old_edits
        self._locks = Locks()
        self._standing: BoundedDict[int, _Standing] = BoundedDict(STANDING)
        self._gone: set[int] = set()
        """Games whose turn message may not be there any more."""
        self._doubtful: BoundedDict[int, list[discord.Message]] = BoundedDict(DOUBTFUL)
        """By game, what was found after a crash and has not been compared with a turn message yet."""

    async def show_next(self, interaction: discord.Interaction, game_id: int) -> None:
        """Show the player who has just moved, and moves next, the next buttons at once: in the answer to their press.

        Where their turn is over, its post shows that. What fails here is done when the move is posted.
        """
        try:
            await self._buttons.search(game_id)
            async with self._locks.of(game_id):
                await self._show_next(interaction, game_id)
        except Problem as error:
            _log.info("game %s: the turn message is not edited at once: %r", game_id, error)

    async def _show_next(self, interaction: discord.Interaction, game_id: int) -> None:
        pressed = 0 if interaction.message is None else interaction.message.id
        async with self._tables.reading(game_id) as live:
            standing = self._known(live)
            if standing is None or live.seq == standing.seq:
                return
            if standing.turn != turn_key(live.game):
                if pressed != standing.message:
                    return
                record, draft = TurnRecord.of(live, await self._lines_posted(live), standing.message), None
            elif live.game.actors() == (live.player_of(interaction.user.id),):
                draft = await self._drafted(live, Pings())
                record = draft.record
            else:
                return
            seq = live.seq
        typed = interaction.type is discord.InteractionType.application_command
        if record.loud or (typed and record.pictured != standing.pictured):
            return  # the edit that shows the map shows the buttons, too: a command has its answer
        if draft is not None:
            await self._shown_at_once(interaction, game_id, standing, draft)
        elif record.text:
            await self._closed_at_once(interaction, game_id, standing._replace(seq=seq), record)

    async def _closed_at_once(
        self, interaction: discord.Interaction, game_id: int, standing: _Standing, record: TurnRecord
    ) -> None:
        """Let the post of a turn that a press has ended show its lines alone: Discord counts no answer as an edit."""
        same = standing.sale is None and record.pictured == standing.pictured
        kept = standing.files if same else ()
        files = listed(kept) or await self._close_up(game_id, record.hexes)
        await edit_pressed(interaction, content=record.text, view=None, attachments=files)
        self._standing[game_id] = standing._replace(
            content=record.text, closed=True, pictured=record.pictured, sale=None, files=kept
        )

    async def _shown_at_once(
        self, interaction: discord.Interaction, game_id: int, standing: _Standing, draft: _Draft
    ) -> None:
        whole = draft.record.above(draft.content)
        if whole is None:
            return
        # A new picture of the map comes with the move.
        same = draft.sale is None or (standing.files and draft.sale == standing.sale)
        files = listed(standing.files) if same else await self._cards(draft)
        if interaction.message is not None and interaction.message.id == standing.message:
            await edit_pressed(interaction, content=whole, view=draft.view, attachments=files)
        elif not is_old(standing.message):
            thread = await self._threads.of(game_id)
            post = thread.get_partial_message(standing.message)
            await post.edit(content=whole, view=draft.view, attachments=files)
        else:
            return
        kept = standing.files if same else ()
        self._standing[game_id] = standing._replace(seq=draft.seq, content=whole, sale=draft.sale, files=kept)

    async def show(self, game_id: int, rows: TurnRows) -> bool:
        """Show the lines of moves in the post of their turn, and who acts now, in the same post or in the next.

        False, and nothing is done, where the game has moved on meanwhile.
        """
        await self._buttons.search(game_id)
        async with self._locks.of(game_id):
            return await self._show(
                game_id, rows._replace(found=[*self._doubtful.pop(game_id, ()), *rows.found])
            )

    async def _show(self, game_id: int, rows: TurnRows) -> bool:
        async with self._tables.reading(game_id) as live:
            if live.seq != rows.turns[-1].seq:
                if rows.found:
                    self._doubtful[game_id] = list(rows.found)
                return False
            overs = [TurnChange.read(posting.payload) for posting in rows.turns]
            settled = end_of_offer(overs)
            pending = await pings_of_turn(self._tables, live, self._ping_after)
            draft = await self._drafted(live, pending, leads=bool(settled))
            new = None if live.game.over else _standing(live)
            struck = await self._struck(live, rows.lines)
        for message, text in struck:
            await self._strike(game_id, message, text)
        again = game_id in self._gone or has_another(rows.found, draft.old)
        begins = draft.pending.now or draft.record.loud or any(over.passes for over in overs)
        renewed = any(over.renewed for over in overs)
        if (
            begins
            or again
            or new is None
            or not await self._edited(game_id, draft, new, rows, renewed=renewed)
        ):
            await self._renew(game_id, draft, new, rows, settled)
        return True

    async def _edited(
        self, game_id: int, draft: _Draft, new: _Standing, rows: TurnRows, *, renewed: bool
    ) -> bool:
        """Let the turn continue in its post; False where that is gone, or has no room."""
        whole = draft.record.above(draft.content)
        if draft.old is None or whole is None or _left(rows.lines, draft.record):
            return False
        new = new._replace(content=whole, pictured=draft.record.pictured)
        shown = self._shown(game_id, draft.old)
        # The answer to a press has shown the same without a mention, unless the map is new.
        if renewed or shown is None or shown._replace(content=whole) != new:
            try:
                edited = await self._edit(game_id, draft, whole, draft.view)
            except discord.NotFound:
                return False
            self._standing[game_id] = new._replace(files=files_of(edited))
        await rows.mark(rows.lines, draft.old)
        return True

    async def _renew(
        self, game_id: int, draft: _Draft, new: _Standing | None, rows: TurnRows, settled: str
    ) -> None:
        """Post the turn message anew, or none when the game is over; the one before keeps its lines, if it has any.

        An offer between players keeps its words; the lines of its end are the first of the turn that follows.
        """
        thread = await self._threads.of(game_id)
        leads = draft.record if settled else draft.leads
        whole = None if new is None or not (settled or leads.new) else leads.above(draft.content)
        # An edit that only adds the table need not be waited for.
        late = rows.rounds if self._is_closed(game_id, draft) else []
        kept = not settled and await self._keeps_lines(
            game_id, draft, rows._replace(rounds=[] if late else rows.rounds)
        )
        if rows.rounds and not kept:
            await post_round(thread, rows.rounds, rows.found, partial(self._table_pictures, game_id))
            await rows.mark(rows.rounds)
        left = _left(rows.lines, *([draft.ended] if kept else []), *([leads] if whole is not None else []))
        silent = [row for row in left if Line.read(row.payload).silent]
        if silent:
            await rows.mark(silent)
        left = [row for row in left if row not in silent]
        if left:
            await post_lines(thread, left, rows.mark, rows.found, partial(self._close_up, game_id))
        shown = draft.content if whole is None else whole
        pictured = () if whole is None else leads.pictured
        sent = None if new is None else await self._post(game_id, draft, shown, rows, pictured)
        turn = None if sent is None else sent.id
        if kept and late:
            await self._keeps_lines(game_id, draft, rows._replace(lines=()))
        self._standing.pop(game_id, None)
        await pings.mark_pinged(self._tables.db, game_id, draft.pending.now)
        if draft.old is not None and draft.old != turn and not kept:
            await done_with(thread.get_partial_message(draft.old), settled)
        await sweep([message for message in rows.found if message.id != draft.old], turn)
        if new is not None and sent is not None:
            # Last: after a crash everything since the turn message that was noted is looked through.
            await self._tables.posted(game_id, turn=sent.id)
            self._standing[game_id] = new._replace(
                message=sent.id, content=shown, pictured=pictured, files=files_of(sent)
            )
            self._gone.discard(game_id)
            # Until then they are lines of no message, so that the same post is found again.
            lead = [] if whole is None else [row for row in rows.lines if row.id in leads.new]
            if lead:
                await rows.mark(lead, sent.id)

    async def _keeps_lines(self, game_id: int, draft: _Draft, rows: TurnRows) -> bool:
        """Let the post of a turn that is over show its lines and nothing else; False where it has none, or is gone."""
        record, old = draft.ended, draft.old
        if old is None or not record.text:
            return False
        if rows.rounds or not self._is_closed(game_id, draft):
            try:
                is_known = self._shown(game_id, old) is not None
                more = await self._table(game_id, old, rows, is_known=is_known)
                await self._edit(game_id, draft._replace(sale=None, record=record), record.text, None, more)
            except discord.NotFound:
                return False
        new = [*(row for row in rows.lines if row.id in record.new), *rows.rounds]
        if new:
            await rows.mark(new, old)
        return True

    def _is_closed(self, game_id: int, draft: _Draft) -> bool:
        """Whether the post of the turn that is over shows its lines and nothing else already."""
        shown = None if draft.old is None else self._shown(game_id, draft.old)
        ends = draft.ended.text, draft.ended.pictured
        return shown is not None and shown.closed and (shown.content, shown.pictured) == ends

    async def _table(
        self, game_id: int, message: int, rows: TurnRows, *, is_known: bool
    ) -> list[KeptFile | discord.File]:
        """The picture of the table where a round begins; before a crash the message may have been given it."""
        if rows.rounds:
            return [*await self._table_pictures(game_id)]
        if is_known:
            return []
        found = await (await self._threads.of(game_id)).fetch_message(message)
        return [KeptFile(file.id) for file in found.attachments if file.filename.startswith(TABLE)]

    async def _struck(self, live: LiveGame, lines: Sequence[Posting]) -> list[tuple[int, str]]:
        """Earlier posts with lines that an undo among these takes away, and what they say now."""
        undone = [back for row in lines if (back := Line.read(row.payload).back) is not None]
        if not undone:
            return []
        posts: dict[int, list[str]] = {}
        for row in await outbox.with_neighbours(self._tables.db, live.id, LINE, min(undone)):
            if row.message_id is not None and row.message_id != live.row.turn_message_id:
                posts.setdefault(row.message_id, []).append(said(Line.read(row.payload)))
        found = []
        for message, texts in sorted(posts.items())[-STRUCK:]:
            struck = [struck_text(live, text) for text in texts]
            if struck != texts and len("\n".join(texts)) <= LONGEST_MESSAGE:
                found.append((message, shortest(struck, texts)))
        return found

    async def _strike(self, game_id: int, message: int, text: str) -> None:
        """Strike out the lines of an earlier post that no longer count."""
        thread = await self._threads.of(game_id)
        try:
            async with self._old_edits.place(thread.id, message):
                await thread.get_partial_message(message).edit(content=text)
        except discord.NotFound:
            return  # somebody has deleted it

    def doubt(self, game_id: int) -> None:
        """The turn message may not be there any more: the next one is posted anew."""
        self._standing.pop(game_id, None)
        self._gone.add(game_id)

    async def remove(self, game_id: int) -> None:
        """Take the buttons away from a game in which no move is possible; lines of moves stay."""
        thread = await self._threads.of(game_id)
        row = await games.get_game(self._tables.db, game_id)
        self._standing.pop(game_id, None)
        if row.turn_message_id is None:
            return
        try:
            message = await thread.fetch_message(row.turn_message_id)
        except discord.NotFound:
            return
        lines = record_in(message.content, has_buttons=bool(message.components))
        if lines:
            await message.edit(content=lines, view=None, attachments=[])
        else:
            await delete(message)

    def _known(self, live: LiveGame) -> _Standing | None:
        """The turn message, if it is known what it shows, and no offer between players is in it."""
        standing = self._standing.get(live.id)
        if standing is None or live.game.over or standing.message != live.row.turn_message_id:
            return None
        return standing if standing.offer is None and live.game.proposal is None else None

    def _shown(self, game_id: int, message: int) -> _Standing | None:
        """What is known of this message, but for the files it has."""
        standing = self._standing.get(game_id)
        return None if standing is None or standing.message != message else standing._replace(files=())

    async def _edit(
        self,
        game_id: int,
        draft: _Draft,
        whole: str,
        view: discord.ui.View | None,
        more: Sequence[KeptFile | discord.File] = (),
    ) -> discord.Message:
        assert draft.old is not None
        thread = await self._threads.of(game_id)
        files = [*await self._files(game_id, draft), *listed(more)]
        async with self._old_edits.place(thread.id, draft.old):
            post = thread.get_partial_message(draft.old)
            return await post.edit(content=whole, view=view, attachments=files)

    async def _files(self, game_id: int, draft: _Draft) -> Files:
        """What is for sale, or the map where it has changed in this turn; what the post has is not uploaded again."""
        standing, record = self._standing.get(game_id), draft.record
        shows = (draft.old, record.pictured, draft.sale)
        known = None if standing is None else (standing.message, standing.pictured, standing.sale)
        if standing is not None and known == shows and standing.files:
            return listed(standing.files)
        if draft.sale is not None:
            return await self._cards(draft)
        return await self._close_up(game_id, record.hexes)

    async def _post(
        self, game_id: int, draft: _Draft, whole: str, rows: TurnRows, pictured: Sequence[int]
    ) -> discord.Message:
        """Post the message, unless it was just before a crash; with the map where its lines have changed it."""
        found = next(filter(turn_of(game_id, draft.seq, whole), reversed(rows.found)), None)
        if found is not None:
            return found
        thread = await self._threads.of(game_id)
        pinged = [discord.Object(one.user_id) for one in draft.pending.now]
        only = discord.AllowedMentions(users=pinged)
        quiet = not pinged or await pings_quietly(self._tables.db, draft.server)
        files = await self._cards(draft)
        if pictured and not files:
            files = await self._close_up(game_id, draft.record.hexes)
        return await thread.send(
            whole,
            view=draft.view,
            files=files,
            allowed_mentions=only,
            silent=quiet,
            nonce=f"turn.{rows.turns[-1].id}",
        )

    async def _cards(self, draft: _Draft) -> list[discord.File]:
        if draft.sale is None:
            return []
        picture = await self._pictures.in_server(draft.server).drawn(render_sale, draft.sale)
        return [picture_file(picture, "sale.png", of_sale(draft.sale))]

    async def _lines_posted(self, live: LiveGame) -> list[outbox.StoredNotice]:
        """The lines that the turn message may show or repeat."""
        message = live.row.turn_message_id
        return await outbox.to_show(self._tables.db, live.id, LINE, missed_since(live), message)

    async def _drafted(self, live: LiveGame, pending: Pings, *, leads: bool = False) -> _Draft:
        """The turn message of the moment; where it begins with lines (`leads`), they are not repeated below."""
        old, posted = live.row.turn_message_id, await self._lines_posted(live)
        elsewhere = [row for row in posted if not leads or not (row.waits or row.message_id == old)]
        content = turn_texts.turn_text(live, pending.named, missed_lines(live, elsewhere))
        content += await deadlines.turn_time_line(self._tables, live)
        sealing = await is_sealing(self._tables.db, live)
        if sealing and len(content) + len(ASKS) < LONGEST_MESSAGE:
            content = f"{content}\n{ASKS}"
        has_page = self._tables.board.address is not None
        found = await self._buttons.of(live)
        found = stepwise(live.game, found, OPEN) if sealing else found
        view = turn_panel.turn_panel(live, found, quick_orders(live, sealing=sealing), board=has_page)
        aside = leading(posted)
        if any(one.stage for one in pending.named) and len(view.children) < BUTTONS:
            view.add_item(mute_button(live.id, "Mute for this turn"))
        return _Draft(
            content,
            view,
            pending,
            old,
            sale_view(live.game),
            live.row.guild_id,
            live.seq,
            TurnRecord.of(live, posted, old),
            TurnRecord.of(live, aside, old),
            TurnRecord.of(live, [row for row in posted if row not in aside], old),
        )


def _left(lines: Sequence[Posting], *records: TurnRecord) -> list[Posting]:
    """Those of these lines for which the posts of their turns have no room."""
    shown = {number for record in records for number in record.new}
    return [row for row in lines if row.id not in shown]


def _standing(live: LiveGame) -> _Standing:
    """What a turn message would be that is shown now."""
    game = live.game
    turn, sale = turn_key(game), sale_view(game)
    return _Standing(live.row.turn_message_id or 0, turn, game.proposal, live.seq, "", sale=sale)
