"""Undo: lost moves, revealed secrets, effects; the player's own last moves need no consent.

An undo is one row that names the row to go back to; rows after that no longer count. Undos by moderators or
by agreement go the same way.
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
from bot.table.moves.verbs import typed_form
from bot.table.orders import automatic
from bot.table.outbox import notices
from bot.table.outbox.notices import LINE, Line
from bot.table.past.game_record import ended_by
from bot.table.tables import Outcome, Tables
from engine import Game, PlayerId, Unreadable, actions, differences, read_action, teller_of
from storage import Database, Entry, Order, Row, StoredProposal, log, orders, outbox

SECRET_ORDERS: Final = frozenset({"bid_up_to", "seal"})
"""Kinds of orders that keep a number to which others would answer. A sealed maximum shows of it, by each move it makes,
that it is no lower, and by a pass, that it is: an undo after that would reveal it, bid by bid.
The moves of other orders show no more than a hand would have.

Chance is no such limit: it is drawn as a game begins, before the first move, and never after.
"""


async def revealed_secrets(
    db: Database, live: LiveGame, lost: Sequence[Row], player: PlayerId | None = None
) -> list[str]:
    """Secrets of other players revealed by these moves, a sentence each, the last first."""
    acted = any(live.automatic.get(row.seq) for row in lost)
    given = {order.number: order for order in await orders.all_orders(db, live.id)} if acted else {}
    said: dict[str, str] = {}
    if live.game.over and live.game.rules.spec.secret_cash:
        said[""] = f"The game ended with move {lost[-1].seq} and has shown everybody's money."
    for row in reversed(lost):
        number = live.automatic.get(row.seq)
        what = _sealed(given[number]) if number in given and row.actor != player else None
        if what is not None:
            secret = f"{live.name_of(row.actor)}'s sealed bid on {what}"
            said.setdefault(secret, f"Move {row.seq} has shown {secret}.")
    return list(said.values())


def require_no_secrets(shown: Sequence[str]) -> None:
    """Raise Refused if secrets were revealed."""
    if shown:
        raise Refused(f"{shown[0]} Only a moderator can undo that, with `/mod undo`.")


def _sealed(order: Order) -> str | None:
    """The subject of a sealed order; None for others."""
    content: dict[str, Any] = json.loads(order.payload)
    return str(content.get("private", "the privates")) if content.get("kind") in SECRET_ORDERS else None


@dataclass(frozen=True, slots=True)
class UndoLoss:
    """The loss by an undo to a move."""

    target: int
    rows: tuple[Row, ...]
    """The moves that no longer count, oldest first."""
    other_players: tuple[PlayerId, ...]
    """The other players who have decided some of them, by hand or by an order."""
    is_own: bool
    """True if nobody else has acted in them, by hand or by buying as ordered, and the first is the player's own."""
    revealed: tuple[str, ...]
    """Others' secrets that these moves have shown, a sentence each."""


async def undo(
    tables: Tables, game_id: int, user_id: int, expected_seq: int | None = None, to: int | None = None
) -> Outcome:
    """Undo the user's own moves after row `to` (None: the last) while nobody else acted since; raises Refused."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        if to is None:
            last = undoable(live, tables.seat_of(live, user_id))
            to = live.counting[live.counting.index(last) - 1].seq
        text = await _take_back(tables, live, user_id, to)
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


async def go_back(
    tables: Tables,
    live: LiveGame,
    to: int,
    player: PlayerId | None,
    user_id: int,
    text: str,
    agreed: Sequence[PlayerId] = (),
    proposal: StoredProposal | None = None,
) -> None:
    """Undo to row `to` in a locked game; `player` undoes, if any.

    Those who agreed stand in the log, and the proposal that led to it is accepted.
    """
    kept = [row for row in live.counting if row.seq <= to]
    before, earlier = (
        notices.PositionBefore.of(live.game),
        await loading.position_after(tables.db, live, kept),
    )
    over = notices.newly_on_turn(before.actors, earlier.actors(), player)
    if proposal is not None:
        # The proposer does not wait there until the last one has agreed.
        over = notices.newly_on_turn((), earlier.actors(), None)
    over = replace(over, passes=before.passes(earlier, player))
    ended = [notices.END_NOTICE] if live.game.over else []
    if ended:
        text = f"{text} The game continues, so the score above no longer counts."
    line = Line(f"`{live.seq + 1}` {text}", back=to)
    pending = [line.notice(), notices.board_notice(), over.notice(), *ended]
    consent = {"agreed": list(agreed)} if agreed else {}
    entry = Entry("undo", log.undo_payload(to, **consent), earlier.digest(), player or "", user_id)
    changes = await automatic.orders_after_undo(tables.db, live, earlier, player, to)
    live.game = earlier
    await tables.commit(live, [entry], pending, kept, proposal, changes)


async def loss_of(tables: Tables, live: LiveGame, to: int, player: PlayerId | None = None) -> UndoLoss:
    """The loss for a player or (None) moderator by an undo to `to`; raises Refused."""
    rows = lost_by(live, to)
    shown = await revealed_secrets(tables.db, live, rows, player)
    others = tuple(dict.fromkeys(row.actor for row in rows if row.actor != player and _is_decided(live, row)))
    if player is not None and not others and all(row.actor != player for row in rows):
        raise Refused("None of these moves is yours. Ask a moderator to use `/mod undo`.")
    acts = [row for row in rows if row.seq not in live.automatic or _is_ordered_purchase(live, row)]
    mine = rows[0].actor == player and not _is_forced(live, rows[0])
    own = not others or (mine and all(row.actor == player for row in acts))
    return UndoLoss(to, tuple(rows), others, own, tuple(shown))


def lost_by(live: LiveGame, to: int) -> list[Row]:
    """The moves lost by an undo to row `to`; raises Refused."""
    if live.row.status == "abandoned":
        raise Refused(f"Game {live.id} was abandoned.")
    if live.hold_reason is not None:
        raise Refused(live.hold_reason)
    if all(row.seq != to for row in live.counting):
        raise Refused(f"Game {live.id} has no move {to} that counts: it was undone or does not exist.")
    lost = [row for row in live.counting if row.seq > to]
    if not lost:
        raise Refused(f"Move {to} is the last one, so there is nothing to undo after it.")
    accepted = next((row.seq for row in lost if row.kind == "accept"), None)
    if accepted is not None:
        raise Refused(
            f"A moderator accepted the position at move {accepted}, so nothing before it can be undone."
        )
    return lost


def undoable(live: LiveGame, player: PlayerId) -> Row:
    """The player's own last move with the automatic moves after it; raises Refused if it cannot be undone."""
    last = _last_decided(live, player)
    if last.kind == "start":
        raise Refused("There is no move to undo.")
    if last.kind == "accept":
        raise Refused(
            f"A moderator accepted the position at move {last.seq}, so nothing before it can be undone."
        )
    if last.actor != player:
        raise Refused(
            f"The last move, number {last.seq}, is {live.name_of(last.actor)}'s: you can undo your "
            f"own move only until somebody else acts. {_further(live)}"
        )
    return last


def _further(live: LiveGame) -> str:
    if live.game.over:
        return "The game has ended, so only a moderator can undo more, with `/mod undo`."
    return "`/undo to:` goes further back, if the players whose moves would be lost agree."


async def _take_back(tables: Tables, live: LiveGame, user_id: int, to: int) -> str:
    player = tables.seat_of(live, user_id)
    if live.game.over and ended_by(live) is not None:
        raise Refused("A moderator has ended this game, so only a moderator can undo that, with `/mod undo`.")
    loss = await loss_of(tables, live, to, player)
    if not loss.is_own:
        lost = (
            f"{moves_text(loss.rows).capitalize()} {'is' if len(loss.rows) == 1 else 'are'} not yours alone"
        )
        raise Refused(f"{lost}: others must agree. `/undo to:{to}` asks them.")
    require_no_secrets(loss.revealed)
    text = f"{strong(live.name_of(player))} undoes {moves_text(loss.rows)}."
    await go_back(tables, live, to, player, user_id, text)
    return text


def _is_decided(live: LiveGame, row: Row) -> bool:
    return row.seq not in live.automatic or live.automatic[row.seq] not in (None, orders.TIME_UP)


def _is_forced(live: LiveGame, row: Row) -> bool:
    alone = row.seq in live.automatic and live.automatic[row.seq] is None
    return alone and not _is_caretakers(live, row)


def _is_caretakers(live: LiveGame, row: Row) -> bool:
    sat = (
        entry
        for entry in reversed(live.seat_history)
        if (entry.player_id, entry.since < row.seq) == (row.actor, True)
    )
    return next((entry.role == "caretaker" for entry in sat), False)


def _is_ordered_purchase(live: LiveGame, row: Row) -> bool:
    """True if an order bought a share: undoing a move to be faster needs consent."""
    ordered = live.automatic.get(row.seq) is not None
    return ordered and isinstance(read_action(row.payload), actions.BuyShare)


def _last_decided(live: LiveGame, player: PlayerId) -> Row:
    """The last move by hand; if another player's, the player's ordered moves after it.

    What a caretaker has played for a player who is back counts as made by their hand.
    """
    by_hand = next(
        row
        for row in reversed(live.counting)
        if row.seq not in live.automatic or (row.actor == player and _is_caretakers(live, row))
    )
    after = live.counting[live.counting.index(by_hand) + 1 :]
    ordered = (row for row in reversed(after) if row.actor == player and live.automatic[row.seq] is not None)
    return by_hand if by_hand.actor == player else next(ordered, by_hand)


def changes_back(now: Game, earlier: Game) -> Iterator[str]:
    """Differences of map and market from an earlier position, a sentence each."""
    track, stations = differences.hex_changes(now, earlier)
    moved = [teller_of(earlier, MARKDOWN).say(price) for price in differences.price_changes(now, earlier)]
    if track:
        yield f"Track restored on {sentence_list(track)}."
    if stations:
        yield f"Tokens restored on {sentence_list(stations)}."
    if moved:
        yield f"Share prices restored: {', '.join(moved)}."


SHOWN: Final = 12
"""At most this many of the moves that would be lost are listed; of more, the last ones."""
LONGEST: Final = 110
"""Characters of each of them."""
_NUMBERED: Final = re.compile(r"`([0-9]+)` ")
"""Beginning of the line of a move."""


async def loss_text(db: Database, live: LiveGame, loss: UndoLoss) -> str:
    """The text of a loss: moves, effects, and revealed secrets."""
    lines = await first_lines(db, live, loss.rows)
    more = len(lines) - SHOWN
    earlier = [f"{more} earlier, and"] if more > 0 else []
    shown = [f"> {line}" for line in (*earlier, *lines[-SHOWN:])]
    kept = [row for row in live.counting if row.seq <= loss.target]
    changed = changes_back(live.game, await loading.position_after(db, live, kept))
    return "\n".join([*shown, *changed, *(f"{strong('Already seen:')} {one}" for one in loss.revealed)])


async def first_lines(db: Database, live: LiveGame, rows: Sequence[Row]) -> list[str]:
    """The first line of each of these moves, by number; of a deleted line the player."""
    after_all = rows[0].seq - 1 if rows else live.seq
    lines: dict[int, str] = {}
    for one in await outbox.notices_of_kind(db, live.id, LINE, after_all):
        for line in Line.read(one.payload).text.split("\n"):
            number = _NUMBERED.match(line)
            if number is not None:
                lines.setdefault(int(number[1]), line)
    return [shorten(lines.get(row.seq) or _silent(live, row), LONGEST, placeholder=" ...") for row in rows]


def _silent(live: LiveGame, row: Row) -> str:
    who = f"{live.name_of(row.actor)}: " if row.actor else ""
    try:
        what = typed_form(read_action(row.payload))
    except Unreadable:
        what = "a move"
    return f"`{row.seq}` {who}{what}"
