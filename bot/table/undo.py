"""Undo: which moves would be lost, which secrets they revealed, and whose consent is needed.

An undo is a log row that names its target row; rows between them no longer count. Undos by moderators and by agreement
work the same way.

A player needs no consent to undo and redo the steps of their own turn, back to the last decision of another player. A
decision is a move by hand, or a share bought by a standing order: that player reacted to what they saw, and would lose
their move. Passes by standing orders, forced moves and moves of computer players are not decisions, since they are made
again after the undo. If a secret was shown, only a moderator can undo, since nobody can forget the secret.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Any, Final

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.games.game_log import moves_text
from bot.table.live import LiveGame
from bot.table.markdown import MARKDOWN, sentence_list, strong
from bot.table.moves.verbs import action_as_typed
from bot.table.orders import automatic
from bot.table.outbox import notices
from bot.table.outbox.notices import LINE_KIND, Line
from bot.table.past.game_record import moderator_who_ended
from bot.table.tables import Outcome, Tables
from engine import Game, PlayerId, Unreadable, actions, differences, has_hidden_cards, read_action, teller_of
from storage import Database, LogRow, NewLogRow, Order, StoredProposal, log, orders, outbox

SECRET_ORDER_KINDS: Final = frozenset({"bid_up_to", "seal"})
"""Kinds of standing orders that contain a secret number: sealed bids.

Each automatic bid shows that the sealed bid is at least as high, and an automatic pass shows that it is lower. With
repeated undos, other players could find out the sealed bid. Other orders reveal no more than moves by hand. Random
draws reveal nothing, since they are made before the first move.
"""


async def revealed_secrets(
    db: Database, live: LiveGame, lost_rows: Sequence[LogRow], player: PlayerId | None = None
) -> list[str]:
    """Sentences about secrets of other players that these moves revealed, newest first."""
    has_ordered_moves = any(live.automatic_rows.get(row.seq) for row in lost_rows)
    order_by_number = (
        {order.number: order for order in await orders.all_orders(db, live.id)} if has_ordered_moves else {}
    )
    sentence_by_secret: dict[str, str] = {}
    if await _have_shown_cards(db, live, lost_rows):
        sentence_by_secret["cards"] = "The draft is over and has revealed everybody's cards."
    if live.game.is_over and live.game.rules.spec.secret_cash:
        sentence_by_secret[""] = (
            f"The game ended with move {lost_rows[-1].seq} and has revealed everybody's money."
        )
    for row in reversed(lost_rows):
        number = live.automatic_rows.get(row.seq)
        bid_on_private = (
            _private_of_sealed_bid(order_by_number[number])
            if number in order_by_number and row.actor != player
            else None
        )
        if bid_on_private is not None:
            secret = f"{live.name_of(row.actor)}'s sealed bid on {bid_on_private}"
            sentence_by_secret.setdefault(secret, f"Move {row.seq} has revealed {secret}.")
    return list(sentence_by_secret.values())


async def _have_shown_cards(db: Database, live: LiveGame, lost_rows: Sequence[LogRow]) -> bool:
    """True if a draft of hidden cards ended within these moves; its end shows all cards."""
    if has_hidden_cards(live.game) or not live.game.rules.spec.auction.is_drafted:
        return False
    rows_before = [row for row in live.effective_rows if row.seq < lost_rows[0].seq]
    return has_hidden_cards(await loading.position_after(db, live, rows_before))


def require_no_secrets(secrets: Sequence[str]) -> None:
    """Raise Refused if `secrets` is not empty, since only a moderator can undo moves that revealed secrets."""
    if secrets:
        raise Refused(f"{secrets[0]} Only a moderator can undo that, with `/mod undo`.")


def _private_of_sealed_bid(order: Order) -> str | None:
    order_fields: dict[str, Any] = json.loads(order.payload)
    return (
        str(order_fields.get("private", "the privates"))
        if order_fields.get("kind") in SECRET_ORDER_KINDS
        else None
    )


@dataclass(frozen=True, slots=True)
class UndoLoss:
    """The effects of an undo to log row `target_seq`: lost moves, needed consent, and secrets already revealed."""

    target_seq: int
    rows: tuple[LogRow, ...]
    """The log rows of the moves that would be undone, oldest first."""
    other_players: tuple[PlayerId, ...]
    """Other players who made some of these moves by hand or by a standing order."""
    needs_no_consent: bool
    """True if the player may undo without asking, since these moves contain no decision of another player."""
    revealed_secrets: tuple[str, ...]
    """Sentences about secrets of other players that these moves revealed."""


async def undo(
    tables: Tables, game_id: int, user_id: int, expected_seq: int | None = None, target_seq: int | None = None
) -> Outcome:
    """Undo a user's own moves after log row `target_seq` (None: only the last move).

    Raises Refused if another player has acted in the meantime.
    """
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        if target_seq is None:
            last_row = last_undoable_row(live, tables.seat_of(live, user_id))
            target_seq = live.effective_rows[live.effective_rows.index(last_row) - 1].seq
        text = await _undo_own_moves(tables, live, user_id, target_seq)
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


async def undo_to(
    tables: Tables,
    live: LiveGame,
    target_seq: int,
    player: PlayerId | None,
    user_id: int,
    text: str,
    players_who_agreed: Sequence[PlayerId] = (),
    proposal: StoredProposal | None = None,
) -> None:
    """Undo to log row `target_seq` in a locked game, for `player` (None: by a moderator).

    `text` is the public line. `players_who_agreed` is stored in the log. `proposal` is the proposal that led to the
    undo (None: no proposal); it is marked as accepted.
    """
    kept_rows = [row for row in live.effective_rows if row.seq <= target_seq]
    former_position, earlier_game = (
        notices.PositionBeforeMove.of(live.game),
        await loading.position_after(tables.db, live, kept_rows),
    )
    turn_change = notices.turn_change_between(former_position.actors, earlier_game.actors(), player)
    if proposal is not None:
        # The proposer has not waited for the last vote, so they are pinged like the others.
        turn_change = notices.turn_change_between((), earlier_game.actors(), None)
    turn_change = replace(turn_change, is_new_turn=former_position.is_turn_over(earlier_game, player))
    end_notices = [notices.END_NOTICE] if live.game.is_over else []
    if end_notices:
        text = f"{text} The game continues, so the score above no longer counts."
    line = Line(f"`{live.seq + 1}` {text}", undo_target=target_seq)
    pending_notices = [line.notice(), notices.board_notice(), turn_change.notice(), *end_notices]
    agreed_field = {"agreed": list(players_who_agreed)} if players_who_agreed else {}
    entry = NewLogRow(
        "undo", log.undo_payload(target_seq, **agreed_field), earlier_game.digest(), player or "", user_id
    )
    order_changes = await automatic.orders_after_undo(tables.db, live, earlier_game, player, target_seq)
    live.game = earlier_game
    await tables.commit(live, [entry], pending_notices, kept_rows, proposal, order_changes)


async def undo_loss_of(
    tables: Tables, live: LiveGame, target_seq: int, player: PlayerId | None = None
) -> UndoLoss:
    """The effects of an undo to log row `target_seq` by a player (None: by a moderator); raises Refused."""
    rows = rows_lost_by_undo(live, target_seq)
    secrets = await revealed_secrets(tables.db, live, rows, player)
    other_players = tuple(
        dict.fromkeys(row.actor for row in rows if row.actor != player and _is_decision(live, row))
    )
    if player is not None and not other_players and all(row.actor != player for row in rows):
        raise Refused("None of these moves is yours. Ask a moderator to use `/mod undo`.")
    decisions = [row for row in rows if row.seq not in live.automatic_rows or _is_ordered_purchase(live, row)]
    is_first_move_own = rows[0].actor == player and not _is_forced_move(live, rows[0])
    needs_no_consent = not other_players or (
        is_first_move_own and all(row.actor == player for row in decisions)
    )
    return UndoLoss(target_seq, tuple(rows), other_players, needs_no_consent, tuple(secrets))


def rows_lost_by_undo(live: LiveGame, target_seq: int) -> list[LogRow]:
    """The moves that an undo to log row `target_seq` would undo, oldest first.

    Raises Refused if this undo is impossible.
    """
    if live.row.status == "abandoned":
        raise Refused(f"Game {live.id} was abandoned.")
    if live.hold_reason is not None:
        raise Refused(live.hold_reason)
    if all(row.seq != target_seq for row in live.effective_rows):
        raise Refused(f"Move {target_seq} of game {live.id} was undone or does not exist.")
    lost_rows = [row for row in live.effective_rows if row.seq > target_seq]
    if not lost_rows:
        raise Refused(f"Move {target_seq} is the last one, so there is nothing to undo after it.")
    accept_seq = next((row.seq for row in lost_rows if row.kind == "accept"), None)
    if accept_seq is not None:
        raise Refused(
            f"A moderator accepted the position at move {accept_seq}, so nothing before it can be undone."
        )
    return lost_rows


def last_undoable_row(live: LiveGame, player: PlayerId) -> LogRow:
    """The log row of the player's last move; raises Refused if they may not undo it now."""
    last_row = _last_own_decision(live, player)
    if last_row.kind == "start":
        raise Refused("There is no move to undo.")
    if last_row.kind == "accept":
        raise Refused(
            f"A moderator accepted the position at move {last_row.seq}, so nothing before it can be undone."
        )
    if last_row.actor != player:
        raise Refused(
            f"The last move, number {last_row.seq}, is {live.name_of(last_row.actor)}'s: you can undo your "
            f"own move only until somebody else acts. {_further_undo_hint(live)}"
        )
    return last_row


def _further_undo_hint(live: LiveGame) -> str:
    if live.game.is_over:
        return "The game has ended, so only a moderator can undo more, with `/mod undo`."
    return "`/undo to:` goes further back, if the players whose moves would be lost agree."


async def _undo_own_moves(tables: Tables, live: LiveGame, user_id: int, target_seq: int) -> str:
    player = tables.seat_of(live, user_id)
    if live.game.is_over and moderator_who_ended(live) is not None:
        raise Refused("A moderator has ended this game, so only a moderator can undo that, with `/mod undo`.")
    loss = await undo_loss_of(tables, live, target_seq, player)
    if not loss.needs_no_consent:
        moves_lost_text = (
            f"{moves_text(loss.rows).capitalize()} {'is' if len(loss.rows) == 1 else 'are'} not yours alone"
        )
        raise Refused(f"{moves_lost_text}: others must agree. `/undo to:{target_seq}` asks them.")
    require_no_secrets(loss.revealed_secrets)
    text = f"{strong(live.name_of(player))} undoes {moves_text(loss.rows)}."
    await undo_to(tables, live, target_seq, player, user_id, text)
    return text


def _is_decision(live: LiveGame, row: LogRow) -> bool:
    return row.seq not in live.automatic_rows or live.automatic_rows[row.seq] not in (
        None,
        orders.TIME_UP_ORDER_NUMBER,
    )


def _is_forced_move(live: LiveGame, row: LogRow) -> bool:
    was_forced = row.seq in live.automatic_rows and live.automatic_rows[row.seq] is None
    return was_forced and not _is_caretaker_move(live, row)


def _is_caretaker_move(live: LiveGame, row: LogRow) -> bool:
    entries_before = (
        entry
        for entry in reversed(live.seat_history)
        if (entry.player_id, entry.since < row.seq) == (row.actor, True)
    )
    return next((entry.role == "caretaker" for entry in entries_before), False)


def _is_ordered_purchase(live: LiveGame, row: LogRow) -> bool:
    """True if a standing order bought a share in this log row.

    Such a purchase counts as a decision of the buyer, so another player may undo it only with the buyer's consent.
    """
    is_standing_order_move = live.automatic_rows.get(row.seq) is not None
    return is_standing_order_move and isinstance(read_action(row.payload), actions.BuyShare)


def _last_own_decision(live: LiveGame, player: PlayerId) -> LogRow:
    last_move_by_hand = next(
        row
        for row in reversed(live.effective_rows)
        if row.seq not in live.automatic_rows or (row.actor == player and _is_caretaker_move(live, row))
    )
    rows_after_last_decision = live.effective_rows[live.effective_rows.index(last_move_by_hand) + 1 :]
    moves_by_order = (
        row
        for row in reversed(rows_after_last_decision)
        if row.actor == player and live.automatic_rows[row.seq] is not None
    )
    return last_move_by_hand if last_move_by_hand.actor == player else next(moves_by_order, last_move_by_hand)


def changes_by_undo(current_game: Game, earlier_game: Game) -> Iterator[str]:
    """Sentences about what an undo would change on the map and in the market."""
    track_hexes, token_hexes = differences.hex_changes(current_game, earlier_game)
    price_texts = [
        teller_of(earlier_game, MARKDOWN).say(price_change)
        for price_change in differences.price_changes(current_game, earlier_game)
    ]
    if track_hexes:
        yield f"Track restored on {sentence_list(track_hexes)}."
    if token_hexes:
        yield f"Tokens restored on {sentence_list(token_hexes)}."
    if price_texts:
        yield f"Share prices restored: {', '.join(price_texts)}."


MAX_SHOWN_MOVES: Final = 12
"""Maximum number of moves shown in a list of undone moves. Of a longer list, the last moves are shown."""
MAX_LINE_LENGTH: Final = 110
"""Maximum length of the line for each move in a list of undone moves, in characters."""
_LINE_NUMBER_PATTERN: Final = re.compile(r"`([0-9]+)` ")


async def undo_loss_text(db: Database, live: LiveGame, loss: UndoLoss) -> str:
    """The effects of an undo in words: undone moves, changes of map and market, and secrets that players have seen."""
    lines = await first_lines_of_moves(db, live, loss.rows)
    omitted_count = len(lines) - MAX_SHOWN_MOVES
    omitted_line = [f"{omitted_count} earlier, and"] if omitted_count > 0 else []
    shown_lines = [f"> {line}" for line in (*omitted_line, *lines[-MAX_SHOWN_MOVES:])]
    kept_rows = [row for row in live.effective_rows if row.seq <= loss.target_seq]
    changes = changes_by_undo(live.game, await loading.position_after(db, live, kept_rows))
    return "\n".join(
        [
            *shown_lines,
            *changes,
            *(f"{strong('Already seen:')} {sentence}" for sentence in loss.revealed_secrets),
        ]
    )


async def first_lines_of_moves(db: Database, live: LiveGame, rows: Sequence[LogRow]) -> list[str]:
    """The first public line of each of these moves.

    If the line is no longer stored, the player and the action are shown instead.
    """
    seq_before = rows[0].seq - 1 if rows else live.seq
    lines: dict[int, str] = {}
    for notice in await outbox.notices_of_kind(db, live.id, LINE_KIND, seq_before):
        for line in Line.read(notice.payload).text.split("\n"):
            number_match = _LINE_NUMBER_PATTERN.match(line)
            if number_match is not None:
                lines.setdefault(int(number_match[1]), line)
    return [
        shorten(lines.get(row.seq) or _line_from_action(live, row), MAX_LINE_LENGTH, placeholder=" ...")
        for row in rows
    ]


def _line_from_action(live: LiveGame, row: LogRow) -> str:
    player_text = f"{live.name_of(row.actor)}: " if row.actor else ""
    try:
        action_text = (
            "a card, in secret" if has_hidden_cards(live.game) else action_as_typed(read_action(row.payload))
        )
    except Unreadable:
        action_text = "a move"
    return f"`{row.seq}` {player_text}{action_text}"
