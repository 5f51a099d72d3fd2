"""Redo, until the next move: the same moves as new rows, each with its former digest.

A move that leads elsewhere is refused.
"""

import asyncio
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.table.clocks import deadlines
from bot.table.errors import NotYours, Refused
from bot.table.games.game_log import UndoneMoves, moves_text
from bot.table.games.loading import is_earlier, require_same_position
from bot.table.live import LiveGame, standing_orders
from bot.table.markdown import MARKDOWN, strong
from bot.table.move_lines import play_and_describe, with_mark
from bot.table.orders.automatic import CARED, MARK, AutomaticMoves, caretaker_players
from bot.table.outbox import notices
from bot.table.outbox.notices import Line
from bot.table.tables import Outcome, Tables
from engine import EngineError, Event, PlayerId, Request, describe_error, interchange, narrate, read_action
from storage import Entry, OutboxMessage, Row, StoredProposal, log, orders


async def redo(
    tables: Tables, game_id: int, user_id: int, expected_seq: int | None = None, *, moderates: bool
) -> Outcome:
    """Redo the last undo, for a user who needs no consent; raises Refused."""
    async with tables.writing(game_id) as live:
        tables.require_seq(live, expected_seq)
        tables.require_playable(live)
        taken = redoable(live)
        player = require_whose(live, taken, user_id, moderates=moderates)
        if asks_others(live, taken, user_id):
            raise Refused("The players agreed to that undo, so they must also agree to redo it.")
        who = f"<@{user_id}> as a moderator" if player is None else strong(live.name_of(player))
        text = await put_back(tables, live, taken, player, who)
    tables.on_notice(game_id)
    return Outcome(live.seq, (text,))


def redoable(live: LiveGame) -> UndoneMoves:
    """The moves of a redo; raises Refused without any, or after a new move."""
    taken = live.undo_history.redoable()
    if taken is not None:
        return taken
    moved = live.undo_history.forgotten_since()
    if moved is None:
        raise Refused("There is nothing to redo.")
    who = f"{live.name_of(moved.actor)} has made move" if moved.actor else "The game continues from move"
    raise Refused(f"{who} {moved.seq} since, so nothing before it can be redone.")


def require_whose(live: LiveGame, taken: UndoneMoves, user_id: int, *, moderates: bool) -> PlayerId | None:
    """The player for whom a user may redo, None as a moderator; raises NotYours."""
    player, by = live.player_of(user_id), taken.undo.actor
    if player is not None and player in (by, *taken.agreed):
        return player
    if moderates and (taken.agreed or not by):
        return None
    if not by:
        raise NotYours("A moderator undid that; only a moderator can redo it.")
    raise NotYours(f"{live.name_of(by)} undid that and decides whether to redo it.")


def asks_others(live: LiveGame, taken: UndoneMoves, user_id: int) -> bool:
    """True if a redo needs consent: the undo was agreed, and the user is one of those who agreed."""
    return bool(taken.agreed) and live.player_of(user_id) in (taken.undo.actor, *taken.agreed)


async def put_back(
    tables: Tables,
    live: LiveGame,
    taken: UndoneMoves,
    player: PlayerId | None,
    name: str,
    proposal: StoredProposal | None = None,
) -> str:
    """Make these moves again in a locked game, and store them; returns the public line.

    Raises Refused where they do not lead where they led; nothing is changed then.
    """
    before, mover = notices.PositionBefore.of(live.game), player
    if proposal is not None:
        # The proposer does not wait there until the last one has agreed.
        before, mover = before._replace(actors=()), None
    stood = await orders.states_before_undo(tables.db, live.id, taken.undo.seq)
    old = {order.number for order in stood}
    since = [order for order in await standing_orders(tables.db, live) if order.number not in old]
    try:
        made = _RedoneMoves(live, AutomaticMoves(live, since))
        for row in taken.rows:
            await asyncio.sleep(0)  # the event loop must run meanwhile
            await made.redo_row(row)
        numbers = moves_text(live.rows_of(made.entries, "")).partition(" ")[2]
        text = f"{name} redoes {moves_text(taken.rows)} as {numbers}."
        pending = _pending(live, made, mover, before, text)
        await tables.commit(live, made.entries, pending, live.counting, proposal, made.changes(taken, stood))
    except EngineError as error:
        tables.forget(live.id)
        raise Refused(f"It cannot be redone: {describe_error(error)}") from error
    except BaseException:
        tables.forget(live.id)
        raise
    return text


@dataclass(slots=True)
class _RedoneMoves:
    """Redone moves: rows, events, and changes of orders."""

    live: LiveGame
    following: AutomaticMoves
    entries: list[Entry] = field(default_factory=list)
    posted_lines: list[tuple[str, ...]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    automatic: list[tuple[int, int | None]] = field(default_factory=list)

    async def redo_row(self, row: Row) -> None:
        """Redo one move; raises EngineError unless it leads to the same position."""
        live = self.live
        events, lines = self._play(row)
        require_same_position(live.game, row)
        self.entries.append(Entry("action", row.payload, row.digest, row.actor, row.user_id))
        number = live.seq + len(self.entries)
        if row.seq in live.automatic:
            self.automatic.append((number, live.automatic[row.seq]))
            mark = _mark(live, row)
            lines = with_mark(tuple(map(str, lines)) if mark == deadlines.TIME_UP_MARK else lines, mark)
        self.events.extend(events)
        self.posted_lines.append(lines)
        await self.following.retrace(events)

    def changes(
        self, taken: UndoneMoves, standing_orders: Sequence[orders.FormerState]
    ) -> orders.OrderChanges:
        """Side effects: orders return to their states, unless given since."""
        numbers = [row.seq for row in taken.rows]
        return orders.OrderChanges(
            ended=tuple(self.following.result.ended),
            automatic=tuple(self.automatic),
            stand=tuple(
                replace(order, ended_seq=self._number(numbers, order.ended_seq)) for order in standing_orders
            ),
        )

    def _number(self, numbers: Sequence[int], old: int | None) -> int | None:
        """The new number of an old row, or of the last one before it; None for none."""
        if old is None:
            return None
        place = bisect_right(numbers, old)
        return self.live.seq + place if place else old

    def _play(self, row: Row) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        game, action = self.live.game, read_action(row.payload)
        if not is_earlier(log.to_replay(self.live.counting)[0]):
            return play_and_describe(game, game.walk(Request.of_action(action)))
        events = interchange.EarlierMoves(game).apply(action)
        return events, tuple(narrate.sentences(events, game, MARKDOWN)) or (
            f"{strong(self.live.name_of(row.actor))}.",
        )


def _mark(live: LiveGame, row: Row) -> str:
    if live.automatic[row.seq] == orders.TIME_UP:
        return deadlines.TIME_UP_MARK
    return CARED if row.actor in caretaker_players(live) else MARK


def _pending(
    live: LiveGame, made: _RedoneMoves, mover: PlayerId | None, before: notices.PositionBefore, text: str
) -> list[OutboxMessage]:
    """The notices of a redo."""
    found = notices.move_notices(live, mover, made.events, made.posted_lines, before)
    lines = [Line.read(notice.payload) for notice in found if notice.kind == notices.LINE]
    whole = "\n".join([*(line.text for line in lines), f"-# {text}"])
    rest = [notice for notice in found if notice.kind not in (notices.LINE, notices.TABLE)]
    return [Line(whole, lines[0].hexes, lines[0].new_post).notice(), *rest]
