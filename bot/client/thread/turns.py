"""The turn messages: read their state, compute the desired posts, and apply them."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord

from bot.client import turn_panel, turn_texts
from bot.client.buttons import BUTTONS, mute_button
from bot.client.game_texts import LONGEST_MESSAGE
from bot.client.requests.old_edits import is_old
from bot.client.requests.permission_problems import Problem
from bot.client.thread.apply import Applier, MessageGone
from bot.client.thread.desired import (
    LINE,
    TURN,
    Post,
    PostDraft,
    WaitingRows,
    ended_turn_post,
    struck_posts,
    turn_post,
    turn_posts,
    unshown,
)
from bot.client.thread.doubts import DoubtfulMessages
from bot.client.thread.pictures_of_posts import CLOSE_UP, close_up, for_sale, names_of
from bot.client.thread.turn_lines import TurnLog, log_in
from bot.client.turn_texts import missed_lines, missed_since
from bot.table.clocks import deadlines
from bot.table.game_cache import Locks
from bot.table.live import CachedRows, LiveGame, known_questions
from bot.table.moves.turn_buttons import Buttons, stepwise
from bot.table.orders.player_orders import quick_orders
from bot.table.orders.sealed_auction import ASKS, OPEN, is_sealing
from bot.table.outbox import notices
from bot.table.outbox.notices import Line, end_of_offer
from bot.table.outbox.sender import MarkSent
from bot.table.pings import Pings, pings_of_turn, pings_quietly
from bot.table.tables import Tables
from engine.views import sale_view
from storage import Posting, ShownMessage, ask, messages

_log = logging.getLogger("stationmaster.announce")

NOBODY: Final = Pings()
KINDS: Final = (notices.LINE, notices.TURN)
"""Kinds of rows that turn messages show."""


class TurnMessages:
    """Shows the turns of games; after a press the next buttons come at once, as the response."""

    def __init__(self, tables: Tables, applier: Applier, ping_after: timedelta, buttons: Buttons) -> None:
        self._tables, self._applier = tables, applier
        self._ping_after, self._buttons = ping_after, buttons
        self._locks = Locks()

    async def show(
        self, game_id: int, waiting: WaitingRows, doubts: DoubtfulMessages, mark_sent: MarkSent
    ) -> Sequence[Posting] | None:
        """Show new lines in their turn's post, and who is on turn.

        The rows that are still to be ticked off; None, and nothing is done, where the game has moved on
        meanwhile.
        """
        await self._buttons.search(game_id)
        async with self._locks.of(game_id):
            while True:
                try:
                    return await self._show(game_id, waiting, doubts, mark_sent)
                except MessageGone:  # its row is gone, too: what is to be shown is another thing now
                    continue

    async def _show(
        self, game_id: int, waiting: WaitingRows, doubts: DoubtfulMessages, mark_sent: MarkSent
    ) -> Sequence[Posting] | None:
        async with self._tables.reading(game_id) as live:
            if live.seq != waiting.turns[-1].seq:
                return None
            shown = await self._read_shown_and_cached(live)
            waits = {row.id for row in shown.lines if row.waits}
            waiting = waiting._replace(lines=[row for row in waiting.lines if row.id in waits])
            pending = await pings_of_turn(self._tables, live, self._ping_after)
            settled = end_of_offer(unshown(waiting.turns, shown.turns))
            draft = await self._drawn_up(live, shown, pending, leads=bool(settled))
            struck = await self._struck_posts(live, waiting, shown)
            posts = turn_posts(live, shown, waiting, draft, settled)
        await self._applied(game_id, [*struck, *posts], doubts, mark_sent)
        wanted = {post.message.id for post in posts if post.message is not None}
        for old in shown.turns:
            if old.id not in wanted:
                await self._applier.delete(game_id, old)
        return [row for row in waiting.turns if all(row not in post.rows for post in posts)]

    async def _applied(
        self, game_id: int, posts: Sequence[Post], doubts: DoubtfulMessages, mark_sent: MarkSent
    ) -> None:
        """Apply these posts in order; record their content and ended turns."""
        done = dict[int | None, ShownMessage]()
        for number, post in enumerate(posts):
            if not post.text and post.message is None:
                await mark_sent(post.rows, None, ())
            elif post.message is None and post.role != TURN:
                await self._applier.send(game_id, post, doubts, mark_sent)
            elif post.message is None:
                later = {post.message.message_id for post in posts[number:] if post.message is not None}
                over = [row for at, row in done.items() if at not in later]
                await self._applier.send(game_id, post, doubts, mark_sent, over)
                done = {at: row for at, row in done.items() if at in later}
            else:
                at = done.get(post.message.message_id, post.message)
                shown = await self._edited(
                    game_id, replace(post, message=replace(at, role=post.message.role))
                )
                if shown is not None:
                    done[at.message_id] = replace(shown, role=post.role)
                    if post.rows:
                        await mark_sent(post.rows, at.message_id, ())
        await self._applier.record_ended_turns(game_id, [row for row in done.values() if row.role != TURN])

    async def _edited(self, game_id: int, post: Post) -> ShownMessage | None:
        """Edit a post; one that a user deleted is ignored if it is an earlier one."""
        assert post.message is not None
        try:
            return await self._applier.edit(game_id, post)
        except MessageGone:
            if post.message.role == TURN:
                raise
            return None

    async def _struck_posts(
        self, live: LiveGame, waiting: WaitingRows, shown: messages.ShownTurns
    ) -> list[Post]:
        """Earlier posts with lines undone by these rows."""
        undone = [back for row in waiting.lines if (back := Line.read(row.payload).back) is not None]
        if not undone:
            return []
        rows = await messages.with_neighbours(self._tables.db, live.id, notices.LINE, min(undone))
        return struck_posts(live, rows, shown.turns)

    async def show_next(self, interaction: discord.Interaction, game_id: int) -> None:
        """Show the player who moved, and is on turn again, the next buttons as the response to their press.

        Where their turn is over, its post shows that. What fails here is done when the move is posted.
        """
        try:
            await self._buttons.search(game_id)
            async with self._locks.of(game_id):
                post = await self._next_post(interaction, game_id)
                if post is None or post.message is None or post.message.message_id is None:
                    return
                if interaction.message is not None and interaction.message.id == post.message.message_id:
                    await self._applier.answer(interaction, post)
                elif post.role == TURN and not is_old(post.message.message_id):
                    await self._applier.edit(game_id, post)
        except (*Problem, MessageGone) as error:
            _log.info("game %s: the turn message will be edited later: %r", game_id, error)

    async def _next_post(self, interaction: discord.Interaction, game_id: int) -> Post | None:
        """The turn message after a move not posted yet; None if it must wait."""
        async with self._tables.reading(game_id) as live:
            shown = await self._read_shown(live)
            changes = unshown(shown.overs, shown.turns)
            is_offer = live.game.proposal is not None or any(
                change.asks or change.settled for change in changes
            )
            if not changes or not shown.turns or live.game.over or is_offer:
                return None
            current, is_over = shown.turns[-1], any(change.passes for change in changes)
            record = TurnLog.of_message(live, shown.lines, current.message_id)
            on_map, had = close_up(record.pictured, record.hexes), names_of(current, CLOSE_UP)
            typed = interaction.type is discord.InteractionType.application_command
            if record.loud or (typed and [one.name for one in on_map] != had):
                return None  # the edit that shows the map shows the buttons, too: a command has its answer
            if is_over:
                return ended_turn_post(record, current) if record.text else None
            if live.game.actors() != (live.player_of(interaction.user.id),):
                return None
            draft = await self._drawn_up(live, shown)
            # A new picture of the map comes with the move.
            post = turn_post(record, draft, current, current.key)
            return post and replace(post, pictures=for_sale(draft.sale) or None)

    async def remove(self, game_id: int) -> None:
        """Remove the buttons of a game without possible moves; lines stay."""
        for old in await messages.turns(self._tables.db, game_id):
            message = await self._applier.fetch(game_id, old)
            lines = message and log_in(message.content, has_buttons=bool(message.components))
            if lines:
                unknown = Post(LINE, lines, message=replace(old, shows="", files="[]"))
                edited = await self._applier.edit(game_id, unknown)
                await self._applier.record_ended_turns(game_id, [replace(edited, role=LINE)])
            else:
                await self._applier.delete(game_id, old)

    async def _read_shown(self, live: LiveGame) -> messages.ShownTurns:
        """The turn messages, current and due, with reusable lines."""
        return self._as_they_are(
            await messages.shown_turns(self._tables.db, live.id, *KINDS, missed_since(live))
        )

    async def _read_shown_and_cached(self, live: LiveGame) -> messages.ShownTurns:
        """The turn messages, current and due, read together with data for drafts."""
        shown = messages.shown_questions(live.id, *KINDS, missed_since(live))
        questions = (*shown, *known_questions(live.id))
        answers = await ask(self._tables.db, *questions)
        live.cached_rows = CachedRows(*answers[3:])
        return self._as_they_are(messages.ShownTurns(*answers[:3]))

    def _as_they_are(self, shown: messages.ShownTurns) -> messages.ShownTurns:
        return shown._replace(turns=[self._applier.current_row(turn) or turn for turn in shown.turns])

    async def _drawn_up(
        self, live: LiveGame, shown: messages.ShownTurns, pending: Pings = NOBODY, *, leads: bool = False
    ) -> PostDraft:
        """The draft of players on turn and buttons; `leads`: lines are above and not repeated."""
        current = shown.turns[-1].message_id if shown.turns else None
        elsewhere = [row for row in shown.lines if not leads or not (row.waits or row.message_id == current)]
        content = turn_texts.turn_text(live, pending.named, missed_lines(live, elsewhere))
        content += await deadlines.turn_time_line(self._tables, live)
        sealing = await is_sealing(self._tables.db, live)
        if sealing and len(content) + len(ASKS) < LONGEST_MESSAGE:
            content = f"{content}\n{ASKS}"
        buttons = await self._buttons.of(live)
        buttons = stepwise(live.game, buttons, OPEN) if sealing else buttons
        has_page = self._tables.board.address is not None
        view = turn_panel.turn_panel(live, buttons, quick_orders(live, sealing=sealing), board=has_page)
        if any(one.stage for one in pending.named) and len(view.children) < BUTTONS:
            view.add_item(mute_button(live.id, "Mute for this turn"))
        silent = not pending.now or await pings_quietly(self._tables.db, live.row.guild_id)
        return PostDraft(content, view, sale_view(live.game), pending.now, silent)
