"""Turn messages: reads their current content, computes the desired posts, and applies them."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord

from bot.client import turn_panel, turn_texts
from bot.client.buttons import MAX_BUTTONS, mute_button, view_with_items
from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.client.requests.old_edits import is_old_message
from bot.client.requests.permission_problems import DISCORD_ERRORS
from bot.client.thread.apply import Applier, MessageDeleted
from bot.client.thread.desired import (
    LINE_ROLE,
    TURN_ROLE,
    Post,
    TurnDraft,
    WaitingRows,
    ended_turn_post,
    posts_with_undone_lines,
    turn_post,
    turn_posts,
    unshown_turn_changes,
)
from bot.client.thread.doubts import UnconfirmedMessages
from bot.client.thread.pictures_of_posts import (
    CLOSE_UP_PREFIX,
    close_up_pictures,
    picture_names,
    sale_pictures,
)
from bot.client.thread.turn_lines import TurnLog, leading_line_rows, move_lines_in
from bot.client.turn_texts import missed_lines, seq_before_missed_lines
from bot.table.bounded_caches import BoundedDict
from bot.table.clocks import deadlines
from bot.table.game_cache import GameLocks
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import Buttons, with_menus
from bot.table.orders.player_orders import quick_orders_of_turn
from bot.table.orders.sealed_auction import KINDS_WITHOUT_SEALING_BUTTON, SEAL_HINT, is_sealing
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, offer_outcome
from bot.table.outbox.sender import MarkSent
from bot.table.pings import TurnPings, has_silent_pings, pings_of_turn
from bot.table.tables import Tables
from engine.views import sale_view
from storage import Posting, ThreadMessage, fetch, messages, pings

_log = logging.getLogger("stationmaster.announce")

NO_PINGS: Final = TurnPings()
MAX_CACHED_PANELS: Final = 100
"""Number of games whose turn buttons are cached, between the response to a click and the later post of the move."""
TURN_KINDS: Final = (notices.LINE_KIND, notices.TURN_KIND)
"""Kinds of notices (outbox rows) that turn messages show."""


class TurnMessages:
    """Keeps each game's turn message up to date. The response to a click already shows the next buttons."""

    def __init__(self, tables: Tables, applier: Applier, ping_delay: timedelta, buttons: Buttons) -> None:
        self._tables, self._applier = tables, applier
        self._ping_delay, self._buttons = ping_delay, buttons
        self._locks = GameLocks()
        self._panels: BoundedDict[int, tuple[object, discord.ui.View]] = BoundedDict(MAX_CACHED_PANELS)

    async def show(
        self, game_id: int, waiting_rows: WaitingRows, unconfirmed: UnconfirmedMessages, mark_sent: MarkSent
    ) -> Sequence[Posting] | None:
        """Show new lines, and whose turn it is, in a game's turn message.

        Returns the outbox rows that the caller must mark as sent. Returns None, and does nothing, if another move was
        stored meanwhile.
        """
        await self._buttons.search_routes(game_id)
        async with self._locks.lock_of(game_id):
            while True:
                try:
                    return await self._show(game_id, waiting_rows, unconfirmed, mark_sent)
                except MessageDeleted:  # its row is deleted, so the posts must be computed again
                    continue

    async def _show(
        self, game_id: int, waiting_rows: WaitingRows, unconfirmed: UnconfirmedMessages, mark_sent: MarkSent
    ) -> Sequence[Posting] | None:
        async with self._tables.reading(game_id) as live:
            if live.seq != waiting_rows.turns[-1].seq:
                return None
            shown_turns, pending_pings = await self._read_shown_and_pending(live)
            waiting_ids = {row.id for row in shown_turns.lines if row.is_unposted}
            waiting_rows = waiting_rows._replace(
                lines=[row for row in waiting_rows.lines if row.id in waiting_ids]
            )
            turn_pings = await pings_of_turn(self._tables, live, pending_pings, self._ping_delay)
            outcome = offer_outcome(unshown_turn_changes(waiting_rows.turns, shown_turns.turns))
            draft = await self._draft_turn(live, shown_turns, turn_pings)
            undone_posts = await self._posts_with_undone_lines(live, waiting_rows, shown_turns)
            posts = turn_posts(live, shown_turns, waiting_rows, draft, outcome)
        await self._apply_posts(game_id, [*undone_posts, *posts], unconfirmed, mark_sent)
        kept_ids = {post.message.id for post in posts if post.message is not None}
        for turn_row in shown_turns.turns:
            if turn_row.id not in kept_ids:
                await self._applier.delete(game_id, turn_row)
        return [row for row in waiting_rows.turns if all(row not in post.rows for post in posts)]

    async def _apply_posts(
        self, game_id: int, posts: Sequence[Post], unconfirmed: UnconfirmedMessages, mark_sent: MarkSent
    ) -> None:
        row_by_message_id = dict[int | None, ThreadMessage]()
        for number, post in enumerate(posts):
            if not post.text and post.message is None:
                await mark_sent(post.rows, None, ())
            elif post.message is None and post.role != TURN_ROLE:
                await self._applier.send(game_id, post, unconfirmed, mark_sent)
            elif post.message is None:
                later_ids = {post.message.message_id for post in posts[number:] if post.message is not None}
                ended_turns = [
                    row for shown_row, row in row_by_message_id.items() if shown_row not in later_ids
                ]
                await self._applier.send(game_id, post, unconfirmed, mark_sent, ended_turns)
                row_by_message_id = {
                    shown_row: row for shown_row, row in row_by_message_id.items() if shown_row in later_ids
                }
            else:
                shown_row = row_by_message_id.get(post.message.message_id, post.message)
                edited_row = await self._edit_post(
                    game_id, replace(post, message=replace(shown_row, role=post.message.role))
                )
                if edited_row is not None:
                    row_by_message_id[shown_row.message_id] = replace(edited_row, role=post.role)
                    if post.rows:
                        await mark_sent(post.rows, shown_row.message_id, ())
        await self._applier.record_ended_turns(
            game_id, [row for row in row_by_message_id.values() if row.role != TURN_ROLE]
        )

    async def _edit_post(self, game_id: int, post: Post) -> ThreadMessage | None:
        """Edit a post and return its row; None if it was about an earlier turn and its message was deleted."""
        assert post.message is not None
        try:
            return await self._applier.edit(game_id, post)
        except MessageDeleted:
            if post.message.role == TURN_ROLE:
                raise
            return None

    async def _posts_with_undone_lines(
        self, live: LiveGame, waiting_rows: WaitingRows, shown_turns: messages.ShownTurns
    ) -> list[Post]:
        """Earlier posts that need an edit because these outbox rows report that their moves were undone."""
        undone_seqs = [
            undone_seq
            for row in waiting_rows.lines
            if (undone_seq := Line.read(row.payload).undo_target) is not None
        ]
        if not undone_seqs:
            return []
        lines, rounds = [
            await messages.notices_sharing_messages(self._tables.db, live.id, kind, min(undone_seqs))
            for kind in (notices.LINE_KIND, notices.ROUND_START_KIND)
        ]
        return posts_with_undone_lines(live, lines, rounds, shown_turns.turns)

    async def show_next(self, interaction: discord.Interaction, game_id: int) -> None:
        """After a move, show the next buttons at once as the response to the click, if it is still the player's turn.

        Otherwise show the end of the turn. If this fails, the move's later post corrects it.
        """
        try:
            await self._buttons.search_routes(game_id)
            async with self._locks.lock_of(game_id):
                post = await self._next_turn_post(interaction, game_id)
                if post is None or post.message is None or post.message.message_id is None:
                    return
                if interaction.message is not None and interaction.message.id == post.message.message_id:
                    await self._applier.show_post_as_response(interaction, post)
                elif post.role == TURN_ROLE and not is_old_message(post.message.message_id):
                    await self._applier.edit(game_id, post)
        except (*DISCORD_ERRORS, MessageDeleted) as error:
            _log.info("game %s: the turn message will be edited later: %r", game_id, error)

    async def _next_turn_post(self, interaction: discord.Interaction, game_id: int) -> Post | None:
        """The turn message after a move that is not posted yet; None if it needs more than an edit of that message."""
        async with self._tables.reading(game_id) as live:
            shown_turns = await self._read_shown(live)
            changes = unshown_turn_changes(shown_turns.unposted_turns, shown_turns.turns)
            has_offer = live.game.proposal is not None or any(
                change.has_open_offer or change.outcome for change in changes
            )
            if not changes or not shown_turns.turns or live.game.is_over or has_offer:
                return None
            current_turn, has_turn_passed = (
                shown_turns.turns[-1],
                any(change.is_new_turn for change in changes),
            )
            next_turn_rows = leading_line_rows(shown_turns.lines) if has_turn_passed else ()
            current_turn_rows = [row for row in shown_turns.lines if row not in next_turn_rows]
            turn_log = TurnLog.of_message(live, current_turn_rows, current_turn.message_id)
            close_ups, old_pictures = (
                close_up_pictures(turn_log.pictured_row_ids, turn_log.hexes),
                picture_names(current_turn, CLOSE_UP_PREFIX),
            )
            is_command = interaction.type is discord.InteractionType.application_command
            if turn_log.must_show_at_once or (
                is_command and [picture.name for picture in close_ups] != old_pictures
            ):
                return None  # the edit with the new picture will show the buttons, too
            if has_turn_passed:
                return ended_turn_post(turn_log, current_turn) if turn_log.text else None
            if live.game.actors() != (live.player_of(interaction.user.id),):
                return None
            draft = await self._draft_turn(live, shown_turns)
            # The post of the move brings the new picture of the map.
            post = turn_post(turn_log, draft, current_turn, current_turn.key)
            return post and replace(post, pictures=sale_pictures(draft.sale) or None)

    async def remove_buttons(self, game_id: int) -> None:
        """Remove the buttons of a game's turn messages, for when nobody can move. The lines stay."""
        for turn_row in await messages.open_turn_messages(self._tables.db, game_id):
            message = await self._applier.fetch(game_id, turn_row)
            move_lines = message and move_lines_in(message.content, has_buttons=bool(message.components))
            if move_lines:
                ended_post = Post(LINE_ROLE, move_lines, message=replace(turn_row, shows="", files="[]"))
                edited_row = await self._applier.edit(game_id, ended_post)
                await self._applier.record_ended_turns(game_id, [replace(edited_row, role=LINE_ROLE)])
            else:
                await self._applier.delete(game_id, turn_row)

    async def _read_shown(self, live: LiveGame) -> messages.ShownTurns:
        """Read a game's open turn messages, with the lines and changes of turn that they should show."""
        return self._with_current_rows(
            await messages.shown_turns(self._tables.db, live.id, *TURN_KINDS, seq_before_missed_lines(live))
        )

    async def _read_shown_and_pending(
        self, live: LiveGame
    ) -> tuple[messages.ShownTurns, pings.NotificationsAndPings]:
        """Read, in one database request, open turn messages with their lines, and pending notifications and pings."""
        turns, lines, unposted_turns, notifications, current_pings = await fetch(
            self._tables.db,
            *messages.shown_turns_queries(live.id, *TURN_KINDS, seq_before_missed_lines(live)),
            pings.notifications_query(live.id),
            pings.pings_query(live.id),
        )
        shown_turns = messages.ShownTurns(turns, lines, unposted_turns)
        return self._with_current_rows(shown_turns), (notifications, current_pings)

    def _with_current_rows(self, shown_turns: messages.ShownTurns) -> messages.ShownTurns:
        return shown_turns._replace(
            turns=[self._applier.current_content(turn) or turn for turn in shown_turns.turns]
        )

    async def _draft_turn(
        self,
        live: LiveGame,
        shown_turns: messages.ShownTurns,
        turn_pings: TurnPings = NO_PINGS,
    ) -> TurnDraft:
        """The lower part of a turn message: text and buttons for the players whose turn it is."""
        content = turn_texts.turn_text(live, turn_pings.shown_pings, missed_lines(live, shown_turns.lines))
        content += await deadlines.turn_time_line(self._tables, live)
        has_sealed_bids = await is_sealing(self._tables.db, live)
        if has_sealed_bids and len(content) + len(SEAL_HINT) < MAX_MESSAGE_LENGTH:
            content = f"{content}\n{SEAL_HINT}"
        view = await self._make_turn_panel(live, has_sealed_bids=has_sealed_bids)
        if any(ping.stage for ping in turn_pings.shown_pings) and len(view.children) < MAX_BUTTONS:
            view = view_with_items([*view.children, mute_button(live.id, "Mute for this turn")])
        is_silent = not turn_pings.now or await has_silent_pings(self._tables.db, live.row.guild_id)
        return TurnDraft(content, view, live.view(sale_view), turn_pings.now, is_silent)

    async def _make_turn_panel(self, live: LiveGame, *, has_sealed_bids: bool) -> discord.ui.View:
        has_page = self._tables.board_links.address is not None
        key = (live.position_key, has_sealed_bids, has_page)
        cached_key, view = self._panels.get(live.id, (None, None))
        if view is None or cached_key != key:
            buttons = await self._buttons.buttons_of(live)
            buttons = (
                with_menus(live.game, buttons, KINDS_WITHOUT_SEALING_BUTTON) if has_sealed_bids else buttons
            )
            quick_orders = quick_orders_of_turn(live, is_sealing=has_sealed_bids)
            view = turn_panel.turn_panel(live, buttons, quick_orders, has_board_page=has_page)
            self._panels[live.id] = (key, view)
        return view
