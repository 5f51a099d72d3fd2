"""Undo: one's own last moves freely; undos by moderators or by agreement go the same way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.games.redoable import those
from bot.table.live import LiveGame
from bot.table.orders import automatic
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.past.history import ended_by
from bot.table.style import MARKDOWN, sentence_list, strong
from bot.table.tables import Outcome, Tables
from bot.table.undo import secrecy
from engine.core.actions import BuyShare, read_action
from engine.core.ids import PlayerId
from engine.game import Game
from engine.tell.differences import hexes, prices
from engine.tell.teller import tell
from storage import log
from storage.log import Entry, Row
from storage.orders import TIME_UP
from storage.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Loss:
    """What is lost when a game goes back to where it stood after a move."""

    to: int
    rows: tuple[Row, ...]
    """The moves that no longer count, oldest first."""
    others: tuple[PlayerId, ...]
    """The other players who have decided some of them, by hand or by an order."""
    own: bool
    """Whether nobody else has acted in them, by hand or by buying as ordered, and the first is the player's own."""
    shown: tuple[str, ...]
    """What others had kept secret and is known by these moves, a sentence each."""


async def undo(tables: Tables, game_id: int, user_id: int, expected_seq: int | None = None) -> Outcome:
    """Undo the user's own last move while nobody else has acted since; raises Refused."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        last = undoable(live, tables.seat_of(live, user_id))
        kept = live.counting[live.counting.index(last) - 1]
        text = await _take_back(tables, live, user_id, kept.seq)
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


async def undo_to(
    tables: Tables, game_id: int, user_id: int, to: int, expected_seq: int | None = None
) -> Outcome:
    """Undo the user's own moves after the row `to`, where nobody else has acted since; raises Refused."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
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
    proposal: Proposal | None = None,
) -> None:
    """Let only the rows up to `to` count, in a game that is being written; `player` undoes, if any does.

    Those who agreed stand in the log, and the proposal that led to it is accepted.
    """
    kept = [row for row in live.counting if row.seq <= to]
    before, earlier = notices.Before.of(live.game), await loading.back_to(tables.db, live, kept)
    over = notices.hand_over(before.actors, earlier.actors(), player)
    if proposal is not None:
        # The proposer does not wait there until the last one has agreed.
        over = notices.hand_over((), earlier.actors(), None)
    over = replace(over, passes=before.passes(earlier, player))
    ended = [notices.ended()] if live.game.over else []
    if ended:
        text = f"{text} The game continues: the score above is no longer the end."
    line = Line(f"`{live.seq + 1}` {text}", back=to)
    pending = [line.notice(), notices.board(), over.notice(), *ended]
    consent = {"agreed": list(agreed)} if agreed else {}
    entry = Entry("undo", log.undo_payload(to, **consent), earlier.digest(), player or "", user_id)
    changes = await automatic.taken_back(tables.db, live, earlier, player, to)
    live.game = earlier
    await tables.commit(live, [entry], pending, kept, proposal, changes)


async def loss(tables: Tables, live: LiveGame, to: int, player: PlayerId | None = None) -> Loss:
    """What is lost, for a player or (None) for a moderator, when the game goes back to `to`; raises Refused."""
    rows = lost_by(live, to)
    shown = await secrecy.revealed(tables.db, live, rows, player)
    others = tuple(dict.fromkeys(row.actor for row in rows if row.actor != player and _is_decided(live, row)))
    if player is not None and not others and all(row.actor != player for row in rows):
        raise Refused(
            "None of it is yours, nor has anybody decided it: a moderator goes back so, with `/mod undo`."
        )
    acts = [row for row in rows if row.seq not in live.automatic or _is_ordered_purchase(live, row)]
    mine = rows[0].actor == player and not _is_forced(live, rows[0])
    own = not others or (mine and all(row.actor == player for row in acts))
    return Loss(to, tuple(rows), others, own, tuple(shown))


def lost_by(live: LiveGame, to: int) -> list[Row]:
    """The moves that no longer count when a game goes back to where it stood after the row `to`; raises Refused."""
    if live.row.status == "abandoned":
        raise Refused(f"Game {live.id} was abandoned.")
    if live.waits is not None:
        raise Refused(live.waits)
    if all(row.seq != to for row in live.counting):
        raise Refused(f"Move {to} is none of those that count in game {live.id}.")
    lost = [row for row in live.counting if row.seq > to]
    if not lost:
        raise Refused(f"Move {to} is the last one: there is nothing to undo after it.")
    accepted = next((row.seq for row in lost if row.kind == "accept"), None)
    if accepted is not None:
        raise Refused(
            f"The game continues from the position that was accepted with move {accepted}; "
            "nothing before it can be undone."
        )
    return lost


def undoable(live: LiveGame, player: PlayerId) -> Row:
    """The player's own last move, which can be undone with the automatic moves after it; raises Refused."""
    last = _last_decided(live, player)
    if last.kind == "start":
        raise Refused("There is no move to undo.")
    if last.kind == "accept":
        raise Refused(
            f"The game continues from the position that was accepted with move {last.seq}; "
            "nothing before it can be undone."
        )
    if last.actor != player:
        raise Refused(
            f"The last move, number {last.seq}, is {live.name_of(last.actor)}'s; "
            f"you can undo your own move only until somebody else acts. {_further(live)}"
        )
    return last


def _further(live: LiveGame) -> str:
    """How to go back further than one's own last move."""
    if live.game.over:
        return "Now that the game has ended only a moderator goes back further, with `/mod undo`."
    return "`/undo to:` shows what would be lost further back, and asks those concerned."


async def _take_back(tables: Tables, live: LiveGame, user_id: int, to: int) -> str:
    player = tables.seat_of(live, user_id)
    if live.game.over and ended_by(live) is not None:
        raise Refused("A moderator has ended this game: only a moderator takes that back, with `/mod undo`.")
    found = await loss(tables, live, to, player)
    if not found.own:
        lost = f"{those(found.rows).capitalize()} {'is' if len(found.rows) == 1 else 'are'} not yours alone"
        raise Refused(f"{lost}: others must agree. `/undo to:{to}` asks them.")
    secrecy.require_nothing(found.shown)
    text = f"{strong(live.name_of(player))} undoes {those(found.rows)}."
    await go_back(tables, live, to, player, user_id, text)
    return text


def _is_decided(live: LiveGame, row: Row) -> bool:
    """Whether a player decided a move, by hand or by an order; else it was forced, or their time was up."""
    return row.seq not in live.automatic or live.automatic[row.seq] not in (None, TIME_UP)


def _is_forced(live: LiveGame, row: Row) -> bool:
    """Whether nothing was left to choose."""
    alone = row.seq in live.automatic and live.automatic[row.seq] is None
    return alone and not _is_caretakers(live, row)


def _is_caretakers(live: LiveGame, row: Row) -> bool:
    """Whether a caretaker played the seat when this move was made."""
    sat = (
        one
        for one in reversed(live.seat_history)
        if (one.player_id, one.since < row.seq) == (row.actor, True)
    )
    return next((one.role == "caretaker" for one in sat), False)


def _is_ordered_purchase(live: LiveGame, row: Row) -> bool:
    """Whether an order has bought a share: to know of it, take one's own move back and be faster is no own matter."""
    ordered = live.automatic.get(row.seq) is not None
    return ordered and isinstance(read_action(row.payload), BuyShare)


def _last_decided(live: LiveGame, player: PlayerId) -> Row:
    """The last move made by hand; if it is somebody else's, what an order of the player has done after it.

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


def changes(now: Game, earlier: Game) -> Iterator[str]:
    """What is different on map and market in an earlier position, a sentence each."""
    track, stations = hexes(now, earlier)
    moved = [tell(earlier, MARKDOWN).say(one) for one in prices(now, earlier)]
    if track:
        yield f"Track changes back on {sentence_list(track)}."
    if stations:
        yield f"Stations change back on {sentence_list(stations)}."
    if moved:
        yield f"Share prices change back: {', '.join(moved)}."
