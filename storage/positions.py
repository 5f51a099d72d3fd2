"""Positions of a game, as text: after the last row, to load the game, and after some earlier rows, to replay it.

Without them, loading and replaying would start from the first move. An earlier position is used only while its row in
the log has the same digest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zlib import compress, decompress
from zlib import error as DamagedData  # noqa: N812 - zlib has no better name for this error

from storage.contract import Cells, Database, Question, Transaction, query
from storage.errors import ConstraintBroken, StateDamaged


@dataclass(frozen=True, slots=True)
class StoredState:
    """A state, as text, after row `seq` of the log; `digest` must be the digest of that row."""

    seq: int
    digest: str
    state: str


async def replace_last_state(tx: Transaction, game_id: int, state: StoredState | None) -> None:
    """Replace the state stored after a game's last row (None: delete it), within a transaction.

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


def last_question(game_id: int) -> Question[StoredState | None]:
    """Return a Question for the state after a game's last row, None if not stored.

    The answer raises StateDamaged if the stored state belongs to another row.
    """

    def read(rows: list[Cells]) -> StoredState | None:
        if not rows:
            return None
        stored_cells, last_row_cells = rows[0][:3], rows[0][3:]
        if last_row_cells != stored_cells[:2]:
            raise StateDamaged(game_id)
        return StoredState(*stored_cells)

    return Question(
        query(
            "SELECT states.seq, states.digest, state, log.seq, log.digest FROM states LEFT JOIN log "
            "ON log.game_id = states.game_id AND log.seq = (SELECT MAX(seq) FROM log WHERE game_id = ?) "
            "WHERE states.game_id = ?",
            *(game_id, game_id),
        ),
        read,
    )


MAX_POSITIONS: Final = 2_500
"""The most stored positions of a game, 2 to 5 KB each; more than any recorded game needs."""


@dataclass(frozen=True, slots=True)
class AddPosition:
    """Side effect that stores the position after the last new row."""

    digest: str
    state: str

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store the position, unless the game has MAX_POSITIONS already."""
        await tx.put(
            "INSERT INTO positions (game_id, seq, digest, state) SELECT ?, ?, ?, ? "
            "WHERE (SELECT COUNT(*) FROM positions WHERE game_id = ?) < ?",
            *(game_id, seq, self.digest, _compressed(self.state), game_id, MAX_POSITIONS),
        )


@dataclass(frozen=True, slots=True)
class DropPositions:
    """Side effect of an undo that deletes the positions after row `target_seq`."""

    target_seq: int

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        del seq
        await tx.put("DELETE FROM positions WHERE game_id = ? AND seq > ?", game_id, self.target_seq)


async def last_position_up_to(db: Database, game_id: int, seq: int) -> StoredState | None:
    """Return the last position at or before a row, None if there is none; its text is empty if damaged."""
    return await _single_position(db, "seq <= ? ORDER BY seq DESC", game_id, seq)


async def first_position_from(db: Database, game_id: int, seq: int) -> StoredState | None:
    """Return the first position at or after a row, None if there is none; its text is empty if damaged."""
    return await _single_position(db, "seq >= ? ORDER BY seq", game_id, seq)


async def _single_position(db: Database, condition: str, game_id: int, seq: int) -> StoredState | None:
    row = await db.row(
        f"SELECT seq, digest, state FROM positions WHERE game_id = ? AND {condition} LIMIT 1", game_id, seq
    )
    return None if row is None else StoredState(row[0], row[1], _decompressed(row[2]))


async def add_positions(db: Database, game_id: int, positions: Sequence[StoredState]) -> None:
    """Store positions of an imported game after its rows are stored."""
    rows = [
        (game_id, position.seq, position.digest, _compressed(position.state))
        for position in positions[:MAX_POSITIONS]
    ]
    await db.write(
        lambda tx: tx.run_many(
            "INSERT INTO positions (game_id, seq, digest, state) VALUES (?, ?, ?, ?)", rows
        )
    )


async def drop_position(db: Database, game_id: int, seq: int) -> None:
    """Delete the position after a row."""
    await db.write(lambda tx: tx.put("DELETE FROM positions WHERE game_id = ? AND seq = ?", game_id, seq))


async def drop_positions(tx: Transaction, game_id: int) -> None:
    """Delete all positions of a game, within a transaction, since they contain player names."""
    await tx.put("DELETE FROM positions WHERE game_id = ?", game_id)


def _compressed(text: str) -> bytes:
    return compress(text.encode())


def _decompressed(data: bytes) -> str:
    """The decompressed text, empty if the stored data is damaged."""
    try:
        return decompress(data).decode()
    except (DamagedData, UnicodeDecodeError):
        return ""
