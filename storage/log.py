"""The move log of a game.

Rows are only appended, in one transaction with notices, state and other changes. A row of kind "accept" holds a whole
game state. A moderator adds it when corrected rules would lead to another position, and the game continues from the
stored state.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, Protocol

from storage import games, orders, outbox, positions, proposals, results, seats
from storage.contract import Database, ParsedQuery, RowValues, Transaction, fetch, query
from storage.errors import BadEntry, StaleSequence
from storage.outbox import OutboxMessage
from storage.positions import StoredState
from storage.proposals import StoredProposal
from storage.results import GameResult


class SideEffects(Protocol):
    """A change that is stored in the same transaction as new log rows."""

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store the change within the transaction; `seq` is the number of the last new log row."""


class CombinedEffects(tuple[SideEffects, ...]):
    """Several side effects, stored in order."""

    __slots__ = ()

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        for side_effect in self:
            await side_effect.write(tx, game_id, seq)


NO_SIDE_EFFECTS: Final = CombinedEffects()
"""CombinedEffects that change nothing."""

LogRowKind = Literal["start", "action", "undo", "accept"]
"""The kind of a log row.

The first row of a game is a "start"; no other row is. An "accept" holds a state from which the game continues.
"""
PlayedStatus = Literal["running", "finished"]
"""The status that a game gets from new log rows: running or finished."""


@dataclass(frozen=True, slots=True)
class NewLogRow:
    """A log row to append; `digest` identifies the game state after it.

    `actor` is the player; `user_id` is the user who moved for this player (None if automatic). `undo_payload` and
    `accept_payload` build the payloads of undo and accept rows.
    """

    kind: LogRowKind
    payload: str
    digest: str
    actor: str
    user_id: int | None = None


class LogRow(NamedTuple):
    """A stored log row; `seq` counts from 1 in each game, `created_at` is ISO 8601 in UTC."""

    game_id: int
    seq: int
    kind: LogRowKind
    payload: str
    digest: str
    actor: str
    user_id: int | None
    created_at: str


def undo_payload(target: int, **more_fields: object) -> str:
    """Return the payload of an undo row that goes back to row `target`, with these additional fields."""
    return json.dumps({"to": target, **more_fields})


def undo_target(seq: int, payload: str) -> int:
    """Return the row to which the undo in row `seq` goes back; raises BadEntry unless it is an earlier row."""
    try:
        content = json.loads(payload)
    except ValueError as error:
        raise BadEntry(f"Cannot read the undo at move {seq}: {payload!r}.") from error
    target = content.get("to") if isinstance(content, dict) else None
    # A bool is an int to Python. The first row, which starts the game, cannot be undone.
    if type(target) is not int or not 1 <= target < seq:
        raise BadEntry(
            f"The undo at move {seq} must go back to a move from 1 to {seq - 1}, not to {target!r}."
        )
    return target


@dataclass(frozen=True, slots=True)
class AcceptedState:
    """The content of an accept row: the game state as text, and the version of the rules that produced it."""

    rules: str
    state: str


def accept_payload(rules: str, state: str) -> str:
    """Return the payload of an accept row (see AcceptedState)."""
    return json.dumps({"rules": rules, "state": state})


def accepted_state(seq: int, payload: str) -> AcceptedState:
    """Parse the payload of the accept row `seq`; raises BadEntry if it is incomplete."""
    try:
        content = json.loads(payload)
    except ValueError as error:
        raise BadEntry(f"Cannot read the accept at move {seq}.") from error
    match content:
        case {"rules": str(rules), "state": str(state)}:
            return AcceptedState(rules, state)
    raise BadEntry(f"The accept at move {seq} must hold a version of the rules and a state, both as text.")


@dataclass(frozen=True, slots=True)
class _UndoChecks:
    """Checks of new log rows before they are stored.

    `targets` maps the row of each new undo to its target row. `uncrossable_rows` are the rows that limit how far an
    undo can go back: undos with their payloads, and accept rows with None. No undo goes back behind an accept row, or
    to a row that was undone.
    """

    targets: dict[int, int]
    uncrossable_rows: dict[int, str | None]

    def check(self, seq: int, entry: NewLogRow) -> None:
        if (seq == 1) != (entry.kind == "start"):
            raise BadEntry("A game's log must begin with a start row and have no other.")
        if entry.kind == "accept":
            accepted_state(seq, entry.payload)
            self.uncrossable_rows[seq] = None
        if entry.kind == "undo":
            self._require_reachable(seq, self.targets[seq])
            self.uncrossable_rows[seq] = entry.payload

    def _require_reachable(self, last_effective_seq: int, target: int) -> None:
        for seq, payload in reversed(self.uncrossable_rows.items()):
            if seq <= target:
                break
            if seq > last_effective_seq:
                continue
            if payload is None:
                raise _undo_behind_accept_error(seq, target)
            last_effective_seq = undo_target(seq, payload)
            # `target` itself was undone. An undo does not bring it back, so the game would be at another position.
            if last_effective_seq < target:
                raise BadEntry(f"Move {target} has been undone itself; the game cannot go back to it.")


def effective_rows(rows: Iterable[LogRow]) -> list[LogRow]:
    """Return the rows in effect, in order, without undo rows and undone rows; raises BadEntry.

    An undo removes the rows after its target permanently. Accept rows are never removed.
    """
    rows_in_effect: list[LogRow] = []
    for row in rows:
        if row.kind != "undo":
            rows_in_effect.append(row)
            continue
        target = undo_target(row.seq, row.payload)
        while rows_in_effect and rows_in_effect[-1].seq > target:
            if rows_in_effect[-1].kind == "accept":
                raise _undo_behind_accept_error(rows_in_effect[-1].seq, target)
            rows_in_effect.pop()
    return rows_in_effect


def rows_to_replay(rows_in_effect: Sequence[LogRow]) -> list[LogRow]:
    """Return the rows in effect that lead to the current position, from the last start or accept row on.

    Earlier rows are not replayed, because the current rules may refuse them.
    """
    start_indexes = [number for number, row in enumerate(rows_in_effect) if row.kind in ("start", "accept")]
    return list(rows_in_effect[start_indexes[-1] :]) if start_indexes else []


async def read_rows(db: Database, game_id: int, *, after_seq: int = 0) -> list[LogRow]:
    """Return all log rows of a game after row `after_seq`, including undos; raises NoSuchGame."""

    _, rows = await fetch(db, games.game_query(game_id), log_rows_query(game_id, after_seq=after_seq))
    return rows


def log_rows_query(game_id: int, *, after_seq: int = 0) -> ParsedQuery[list[LogRow]]:
    """Return the query for all log rows of a game after row `after_seq`, including undos; run it with `fetch`."""
    select_sql = (
        "SELECT game_id, seq, kind, payload, digest, actor, user_id, created_at FROM log "
        "WHERE game_id = ? AND seq > ? ORDER BY seq"
    )
    return ParsedQuery(query(select_sql, game_id, after_seq), _read_log_rows)


def _read_log_rows(found_rows: Iterable[RowValues]) -> list[LogRow]:
    """Log rows parsed from a query's result; equal strings share memory."""
    shared_strings: dict[Any, Any] = {}

    def shared_string(text: Any) -> Any:
        return shared_strings.setdefault(text, text)

    return [
        LogRow(
            game_id,
            seq,
            shared_string(kind),
            payload,
            digest,
            shared_string(actor),
            user_id,
            shared_string(created_at),
        )
        for game_id, seq, kind, payload, digest, actor, user_id, created_at in found_rows
    ]


async def last_seq(db: Database, game_id: int) -> int:
    """Return the number of a game's last log row, 0 if it has not started; raises NoSuchGame."""
    return (await game_and_last_seq(db, game_id))[1]


async def game_and_last_seq(db: Database, game_id: int) -> tuple[games.GameRow, int]:
    """Return a game and the number of its last log row (0 before the start); raises NoSuchGame."""

    return await fetch(db, games.game_query(game_id), newest_seq_query(game_id))


async def stored_state(db: Database, game_id: int) -> StoredState | None:
    """Return the state stored after a game's last log row; None if there is none.

    Raises NoSuchGame, and StateDamaged if the stored state belongs to another row.
    """

    _, state = await fetch(db, games.game_query(game_id), positions.last_state_query(game_id))
    return state


async def store_state(db: Database, game_id: int, state: StoredState) -> None:
    """Replace the state stored after a game's last log row.

    Does nothing if rows have been added meanwhile. Raises NoSuchGame.
    """

    async def in_transaction(tx: Transaction) -> None:
        _, seq = await lock_and_read(tx, game_id)
        if seq == state.seq:
            await positions.replace_last_state(tx, game_id, state)

    await db.write(in_transaction)


async def commit_start(
    db: Database,
    game_id: int,
    entries: Sequence[NewLogRow],
    notices: Sequence[OutboxMessage] = (),
    *,
    now: str,
    state: str | None = None,
    thread_id: int | None = None,
    results_of_game: Sequence[GameResult] = (),
) -> int:
    """Start a game that is in the lobby: store its first log rows, queue notices, and return the last row's number.

    `state` is the game state after these rows (None: not stored). `thread_id` is the game's thread, if known.
    `results_of_game` are the results if these rows end the game. Raises NoSuchGame, WrongStatus if the game has already
    started, BadEntry, StorageError; nothing is changed then.
    """

    async def in_transaction(tx: Transaction) -> int:
        await games.start_game(tx, game_id, thread_id)
        await seats.record_start(tx, game_id, now)
        seq = await _store_rows(
            tx, game_id, 0, entries, notices, state, now, _UndoChecks(_undo_targets(0, entries), {})
        )
        if results_of_game:
            await results.set_status(tx, await games.get_game(tx, game_id), "finished", results_of_game)
        return seq

    return await db.write(in_transaction)


async def commit_move(
    db: Database,
    game_id: int,
    expected_seq: int,
    entries: Sequence[NewLogRow],
    notices: Sequence[OutboxMessage] = (),
    *,
    now: str,
    status: PlayedStatus | None = None,
    state: str | None = None,
    proposal: StoredProposal | None = None,
    changes: SideEffects = orders.NO_ORDER_CHANGES,
    results_of_game: Sequence[GameResult] = (),
) -> int:
    """Append log rows to a running game, queue notices, and return the last row's number.

    `expected_seq` is the last row that the caller knows. `status`, if given, is the new status: "finished" ends the
    game with `results_of_game`, "running" resumes a finished game. `state` is the game state after these rows (None:
    not stored). `proposal`, if given, becomes accepted, and `changes` are stored. Raises NoSuchGame, WrongStatus,
    StaleSequence, BadEntry, StorageError, and StillSeated if a finished game with an anonymised player is resumed;
    nothing is changed then.
    """

    undo_targets = _undo_targets(expected_seq, entries)

    async def in_transaction(tx: Transaction) -> int:
        await games.lock_game(tx, game_id)
        game, actual_seq, uncrossable_rows = await fetch(
            tx,
            games.game_query(game_id),
            newest_seq_query(game_id),
            _uncrossable_rows_query(game_id, expected_seq, undo_targets),
        )
        await results.set_status(tx, game, status, results_of_game)
        if proposal is not None:
            await proposals.close_in_transaction(tx, proposal, "accepted")
        if actual_seq != expected_seq:
            raise StaleSequence(expected_seq, actual_seq)
        seq = await _store_rows(
            tx, game_id, actual_seq, entries, notices, state, now, _UndoChecks(undo_targets, uncrossable_rows)
        )
        await changes.write(tx, game_id, seq)
        return seq

    return await db.write(in_transaction)


async def commit_abandon(
    db: Database, game_id: int, *, seq: int, notices: Sequence[OutboxMessage], now: str
) -> None:
    """Mark a running game as abandoned and queue notices; raises NoSuchGame, WrongStatus."""

    async def in_transaction(tx: Transaction) -> None:
        await games.change_status(tx, game_id, ("running",), "abandoned")
        await outbox.add_notices(tx, game_id, seq, notices, now)

    await db.write(in_transaction)


async def move_to_thread(
    db: Database,
    game: games.GameRow,
    *,
    channel_id: int,
    thread_id: int,
    notices: Sequence[OutboxMessage],
    now: str,
) -> bool:
    """Move a game to another, empty thread, in which the bot posts its messages again.

    Returns False if the game's thread has changed since `game` was read. Raises NoSuchGame.
    """

    async def in_transaction(tx: Transaction) -> bool:
        if (await games.lock_and_read(tx, game.id)).thread_id != game.thread_id:
            return False
        await tx.put(
            "UPDATE games SET channel_id = ?, thread_id = ? WHERE id = ?", channel_id, thread_id, game.id
        )
        await tx.put("DELETE FROM messages WHERE game_id = ?", game.id)
        # The posts of the moves stay in the old thread, to which nothing links any more.
        await tx.put("UPDATE outbox SET message_id = NULL WHERE game_id = ?", game.id)
        await outbox.add_notices(tx, game.id, await newest_seq(tx, game.id), notices, now)
        return True

    return await db.write(in_transaction)


async def _append_rows(
    tx: Transaction,
    game_id: int,
    last_seq_before: int,
    entries: Sequence[NewLogRow],
    now: str,
    undo_checks: _UndoChecks,
) -> int:
    for seq, entry in enumerate(entries, start=last_seq_before + 1):
        undo_checks.check(seq, entry)
        await tx.put(
            "INSERT INTO log (game_id, seq, kind, payload, digest, actor, user_id, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(game_id, seq, entry.kind, entry.payload, entry.digest, entry.actor, entry.user_id, now),
        )
    return last_seq_before + len(entries)


async def _store_rows(
    tx: Transaction,
    game_id: int,
    last_seq_before: int,
    entries: Sequence[NewLogRow],
    notices: Sequence[OutboxMessage],
    state: str | None,
    now: str,
    undo_checks: _UndoChecks,
) -> int:
    if not entries:
        raise BadEntry("There are no rows to store.")
    seq = await _append_rows(tx, game_id, last_seq_before, entries, now, undo_checks)
    await outbox.add_notices(tx, game_id, seq, notices, now)
    await positions.replace_last_state(
        tx, game_id, None if state is None else StoredState(seq, entries[-1].digest, state)
    )
    return seq


def _undo_targets(last_seq_before: int, entries: Sequence[NewLogRow]) -> dict[int, int]:
    """The target row of each undo among these new rows, by the undo's row number; raises BadEntry."""
    numbered_entries = enumerate(entries, start=last_seq_before + 1)
    return {seq: undo_target(seq, entry.payload) for seq, entry in numbered_entries if entry.kind == "undo"}


def _uncrossable_rows_query(
    game_id: int, last_seq_before: int, undo_targets: Mapping[int, int]
) -> ParsedQuery[dict[int, str | None]]:
    uncrossable_rows_sql = (
        "SELECT seq, CASE WHEN kind = 'undo' THEN payload END FROM log WHERE game_id = ? AND seq > ? AND seq <= ? "
        "AND kind IN ('undo', 'accept') ORDER BY seq"
    )
    earliest_target = min(undo_targets.values(), default=last_seq_before)
    return ParsedQuery(query(uncrossable_rows_sql, game_id, earliest_target, last_seq_before), dict)


def _undo_behind_accept_error(accept_seq: int, target: int) -> BadEntry:
    return BadEntry(
        f"A moderator accepted the position at move {accept_seq}, so the game cannot go back to move {target}."
    )


async def newest_seq(tx: Transaction, game_id: int) -> int:
    """Return the number of a game's last log row (0 if there is none), within a transaction."""
    return await fetch(tx, newest_seq_query(game_id))


def newest_seq_query(game_id: int) -> ParsedQuery[int]:
    """Return the query for the number of a game's last log row, 0 if there is none; run it with `fetch`."""
    last_seq_sql = "SELECT COALESCE(MAX(seq), 0) FROM log WHERE game_id = ?"
    return ParsedQuery(query(last_seq_sql, game_id), lambda rows: int(rows[0][0]))


async def lock_and_read(tx: Transaction, game_id: int) -> tuple[games.GameRow, int]:
    """Lock a game until the transaction ends; return it and the number of its last log row. Raises NoSuchGame."""
    await games.lock_game(tx, game_id)
    return await fetch(tx, games.game_query(game_id), newest_seq_query(game_id))
