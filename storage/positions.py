"""Stored game states: after the last log row, to load a game quickly, and after some earlier rows, to replay it.

The bot uses an earlier state only if its digest still equals the digest of its log row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zlib import compress, decompress
from zlib import error as DamagedData  # noqa: N812 - zlib has no better name for this error

from storage.contract import Database, ParsedQuery, RowValues, Transaction, query
from storage.errors import ConstraintBroken, StateDamaged


@dataclass(frozen=True, slots=True)
class StoredState:
    """A game state as text after log row `seq`. It is valid only if `digest` equals that row's digest."""

    seq: int
    digest: str
    state: str


async def replace_last_state(tx: Transaction, game_id: int, state: StoredState | None) -> None:
    """Replace the state stored after a game's last log row (None: delete it), within a transaction.

    Raises ConstraintBroken if the state is not a string, since PostgreSQL would convert it.
    """
    if state is not None and type(state.state) is not str:
        raise ConstraintBroken(f"The state of game {game_id} is not text. Nothing was changed.")
    if state is None:
        await tx.put("DELETE FROM states WHERE game_id = ?", game_id)
        return
    await tx.put(
        "INSERT INTO states (game_id, seq, digest, state) VALUES (?, ?, ?, ?) ON CONFLICT (game_id) "
        "DO UPDATE SET seq = excluded.seq, digest = excluded.digest, state = excluded.state",
        *(game_id, state.seq, state.digest, state.state),
    )


def last_state_query(game_id: int) -> ParsedQuery[StoredState | None]:
    """Return the query for the state after a game's last log row (None if not stored); run it with `fetch`.

    `fetch` raises StateDamaged if the stored state belongs to another row.
    """

    def read(rows: list[RowValues]) -> StoredState | None:
        if not rows:
            return None
        stored_cells, last_row_cells = rows[0][:3], rows[0][3:]
        if last_row_cells != stored_cells[:2]:
            raise StateDamaged(game_id)
        return StoredState(*stored_cells)

    return ParsedQuery(
        query(
            "SELECT states.seq, states.digest, state, log.seq, log.digest FROM states LEFT JOIN log "
            "ON log.game_id = states.game_id AND log.seq = (SELECT MAX(seq) FROM log WHERE game_id = ?) "
            "WHERE states.game_id = ?",
            *(game_id, game_id),
        ),
        read,
    )


MAX_POSITIONS: Final = 2_500
"""Maximum number of earlier positions (game states) stored for one game; no game reaches it in practice."""


@dataclass(frozen=True, slots=True)
class AddPosition:
    """Stores the position (game state) after a move's last log row, as a side effect of the move."""

    digest: str
    state: str

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store the position (game state), unless the game already has MAX_POSITIONS."""
        await tx.put(
            "INSERT INTO positions (game_id, seq, digest, state) SELECT ?, ?, ?, ? "
            "WHERE (SELECT COUNT(*) FROM positions WHERE game_id = ?) < ?",
            *(game_id, seq, self.digest, _compress(self.state), game_id, MAX_POSITIONS),
        )


@dataclass(frozen=True, slots=True)
class DropPositions:
    """Deletes the stored positions (game states) after log row `target_seq`, as a side effect of an undo."""

    target_seq: int

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        del seq
        await tx.put("DELETE FROM positions WHERE game_id = ? AND seq > ?", game_id, self.target_seq)


async def last_position_up_to(db: Database, game_id: int, seq: int) -> StoredState | None:
    """Return the last position (game state) stored at or before a log row, None if there is none.

    Its text is empty if the stored data is damaged.
    """
    return await _single_position(db, "seq <= ? ORDER BY seq DESC", game_id, seq)


async def first_position_from(db: Database, game_id: int, seq: int) -> StoredState | None:
    """Return the first position (game state) stored at or after a log row, None if there is none.

    Its text is empty if the stored data is damaged.
    """
    return await _single_position(db, "seq >= ? ORDER BY seq", game_id, seq)


async def _single_position(db: Database, condition: str, game_id: int, seq: int) -> StoredState | None:
    row = await db.row(
        f"SELECT seq, digest, state FROM positions WHERE game_id = ? AND {condition} LIMIT 1", game_id, seq
    )
    return None if row is None else StoredState(row[0], row[1], _decompress(row[2]))


async def add_positions(db: Database, game_id: int, positions: Sequence[StoredState]) -> None:
    """Store earlier positions (game states) of an imported game, whose log rows are already stored."""
    rows = [
        (game_id, position.seq, position.digest, _compress(position.state))
        for position in positions[:MAX_POSITIONS]
    ]
    await db.write(
        lambda tx: tx.run_many(
            "INSERT INTO positions (game_id, seq, digest, state) VALUES (?, ?, ?, ?)", rows
        )
    )


async def drop_position(db: Database, game_id: int, seq: int) -> None:
    """Delete the position (game state) stored after a log row."""
    await db.write(lambda tx: tx.put("DELETE FROM positions WHERE game_id = ? AND seq = ?", game_id, seq))


async def drop_positions(tx: Transaction, game_id: int) -> None:
    """Delete all earlier positions (game states) of a game within a transaction, because they contain player names."""
    await tx.put("DELETE FROM positions WHERE game_id = ?", game_id)


def _compress(text: str) -> bytes:
    return compress(text.encode())


def _decompress(data: bytes) -> str:
    """The decompressed text; empty if the data is damaged."""
    try:
        return decompress(data).decode()
    except (DamagedData, UnicodeDecodeError):
        return ""
