"""Redo: undone moves are made again as new log rows, if no other move was made after the undo.

A redo is refused if a move now leads to another position.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.table.clocks import deadlines
from bot.table.errors import NotPermitted, Refused
from bot.table.games.game_log import UndoneMoves, moves_text
from bot.table.games.loading import began_under_first_rules, require_same_position
from bot.table.live import LiveGame, standing_orders
from bot.table.markdown import MARKDOWN, strong
from bot.table.move_lines import play_and_describe, with_mark
from bot.table.orders.automatic import AUTOMATIC_MARK, CARETAKER_MARK, AutomaticMoves, caretaker_players
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.tables import Outcome, Tables
from engine import EngineError, Event, PlayerId, Request, describe_error, interchange, narrate, read_action
from storage import LogRow, NewLogRow, OutboxMessage, StoredProposal, log, orders


async def redo(
    tables: Tables, game_id: int, user_id: int, expected_seq: int | None = None, *, is_moderator: bool
) -> Outcome:
    """Redo the moves of the last undo for a user who needs nobody's consent; raises Refused."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        undone_moves = moves_to_redo(live)
        player = player_who_redoes(live, undone_moves, user_id, is_moderator=is_moderator)
        if redo_needs_consent(live, undone_moves, user_id):
            raise Refused("The players agreed to that undo, so they must also agree to redo it.")
        actor_text = f"<@{user_id}> as a moderator" if player is None else strong(live.name_of(player))
        text = await redo_moves(tables, live, undone_moves, player, actor_text)
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


def moves_to_redo(live: LiveGame) -> UndoneMoves:
    """The last undo, with the moves that it undid; raises Refused if no redo is possible."""
    undone_moves = live.undo_history.next_redo()
    if undone_moves is not None:
        return undone_moves
    ending_row = live.undo_history.move_that_ended_redo()
    if ending_row is None:
        raise Refused("There is nothing to redo.")
    sentence_start = (
        f"{live.name_of(ending_row.actor)} has made move"
        if ending_row.actor
        else "The game continues from move"
    )
    raise Refused(f"{sentence_start} {ending_row.seq} since, so nothing before it can be redone.")


def player_who_redoes(
    live: LiveGame, undone_moves: UndoneMoves, user_id: int, *, is_moderator: bool
) -> PlayerId | None:
    """The player for whom this user may redo moves; None for a moderator. Raises NotPermitted."""
    player, undoing_player = live.player_of(user_id), undone_moves.undo.actor
    if player is not None and player in (undoing_player, *undone_moves.players_who_agreed):
        return player
    if is_moderator and (undone_moves.players_who_agreed or not undoing_player):
        return None
    if not undoing_player:
        raise NotPermitted("A moderator undid that; only a moderator can redo it.")
    raise NotPermitted(f"{live.name_of(undoing_player)} undid that and decides whether to redo it.")


def redo_needs_consent(live: LiveGame, undone_moves: UndoneMoves, user_id: int) -> bool:
    """True if other players must agree to this redo, because they had to agree to the undo."""
    return bool(undone_moves.players_who_agreed) and live.player_of(user_id) in (
        undone_moves.undo.actor,
        *undone_moves.players_who_agreed,
    )


async def redo_moves(
    tables: Tables,
    live: LiveGame,
    undone_moves: UndoneMoves,
    player: PlayerId | None,
    user_name: str,
    proposal: StoredProposal | None = None,
) -> str:
    """Make undone moves again in a locked game and store them; returns the public line.

    `player` is the player who redoes them (None for a moderator); `user_name` is the start of the line. Raises
    Refused, and changes nothing, if a move now leads to another position.
    """
    position_before, mover = notices.PositionBeforeMove.of(live.game), player
    if proposal is not None:
        # The proposer has not waited for the last vote, so they are pinged like the others.
        position_before, mover = position_before._replace(actors=()), None
    former_orders = await orders.states_before_undo(tables.db, live.id, undone_moves.undo.seq)
    order_numbers_before_undo = {order.number for order in former_orders}
    newer_orders = [
        order
        for order in await standing_orders(tables.db, live)
        if order.number not in order_numbers_before_undo
    ]
    try:
        redone_moves = _RedoneMoves(live, AutomaticMoves(live, newer_orders))
        for row in undone_moves.rows:
            await asyncio.sleep(0)  # lets the event loop run
            await redone_moves.redo_row(row)
        new_numbers_text = moves_text(live.rows_of(redone_moves.entries, "")).partition(" ")[2]
        text = f"{user_name} redoes {moves_text(undone_moves.rows)} as {new_numbers_text}."
        pending_notices = _redo_notices(live, redone_moves, mover, position_before, text)
        await tables.commit(
            live,
            redone_moves.entries,
            pending_notices,
            live.effective_rows,
            proposal,
            redone_moves.order_changes(undone_moves, former_orders),
        )
    except EngineError as error:
        tables.forget(live.id)
        raise Refused(f"It cannot be redone: {describe_error(error)}") from error
    except BaseException:
        tables.forget(live.id)
        raise
    return text


@dataclass(slots=True)
class _RedoneMoves:
    """Redone moves and their effects. `automatic` lists the automatic ones, each as (log row, order number)."""

    live: LiveGame
    automatic_moves: AutomaticMoves
    entries: list[NewLogRow] = field(default_factory=list)
    posted_lines: list[tuple[str, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    automatic: list[tuple[int, int | None]] = field(default_factory=list)

    async def redo_row(self, row: LogRow) -> None:
        live = self.live
        events, lines = self._play_row(row)
        require_same_position(live.game, row)
        self.entries.append(NewLogRow("action", row.payload, row.digest, row.actor, row.user_id))
        number = live.seq + len(self.entries)
        if row.seq in live.automatic_rows:
            self.automatic.append((number, live.automatic_rows[row.seq]))
            mark = _mark_of_row(live, row)
            lines = with_mark(tuple(map(str, lines)) if mark == deadlines.TIME_UP_MARK else lines, mark)
        self.events.extend(events)
        self.posted_lines.append(lines)
        await self.automatic_moves.follow_redone_move(events)

    def order_changes(
        self, undone_moves: UndoneMoves, former_orders: Sequence[orders.EarlierOrderState]
    ) -> orders.OrderChanges:
        """Changes that restore standing orders to their state before the undo. Orders given after the undo stay."""
        undone_seqs = [row.seq for row in undone_moves.rows]
        return orders.OrderChanges(
            ended_orders=tuple(self.automatic_moves.result.ended_orders),
            automatic_moves=tuple(self.automatic),
            earlier_states=tuple(
                replace(order, ended_seq=self._new_row_number(undone_seqs, order.ended_seq))
                for order in former_orders
            ),
        )

    def _new_row_number(self, undone_seqs: Sequence[int], old_number: int | None) -> int | None:
        if old_number is None:
            return None
        earlier_count = bisect_right(undone_seqs, old_number)
        return self.live.seq + earlier_count if earlier_count else old_number

    def _play_row(self, row: LogRow) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        game, action = self.live.game, read_action(row.payload)
        if not began_under_first_rules(log.rows_to_replay(self.live.effective_rows)[0]):
            return play_and_describe(game, game.cursor_for(Request.of_action(action)))
        events = interchange.OldRulesReplay(game).apply(action)
        return events, tuple(narrate.sentences(events, game, MARKDOWN)) or (
            f"{strong(self.live.name_of(row.actor))}.",
        )


def _mark_of_row(live: LiveGame, row: LogRow) -> str:
    if live.automatic_rows[row.seq] == orders.TIME_UP_ORDER_NUMBER:
        return deadlines.TIME_UP_MARK
    return CARETAKER_MARK if row.actor in caretaker_players(live) else AUTOMATIC_MARK


def _redo_notices(
    live: LiveGame,
    redone_moves: _RedoneMoves,
    mover: PlayerId | None,
    position_before: notices.PositionBeforeMove,
    text: str,
) -> list[OutboxMessage]:
    """The notices of a redo: one post with the lines of all moves, and `text` as its last line."""
    move_notices = notices.move_notices(
        live, mover, redone_moves.events, redone_moves.posted_lines, position_before
    )
    lines = [Line.read(notice.payload) for notice in move_notices if notice.kind == notices.LINE_KIND]
    lines_and_note = "\n".join([*(line.text for line in lines), f"-# {text}"])
    other_notices = [notice for notice in move_notices if notice.kind != notices.LINE_KIND]
    return [Line(lines_and_note, lines[0].hexes, lines[0].is_new_post).notice(), *other_notices]
