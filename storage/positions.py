"""Positions of a game, as text: the state after its last row, and positions kept on the way there.

With the first a game is taken up again without replaying it. All others, and what the moves between them did, can be
made again from the log: one stands after a row that counts, and is believed only while that row has the same digest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from zlib import compress, decompress
from zlib import error as Torn  # noqa: N812 - the module has no better name for it

from storage import games
from storage.contract import Cells, Database, Question, Transaction, query
from storage.errors import ConstraintBroken, StateDamaged


@dataclass(frozen=True, slots=True)
class StoredState:
    """The state, as text, after row `seq`, the last of its game; `digest` is the one in that row."""

    seq: int
    digest: str
    state: str


async def replace_last(tx: Transaction, game_id: int, kept: StoredState | None) -> None:
    """Keep this state instead of the one before, or, for None, no state at all; within a transaction.

    Raises ConstraintBroken for what is no text: PostgreSQL would make one of it.
    """
    if kept is not None and type(kept.state) is not str:
        raise ConstraintBroken(f"The state of game {game_id} is no text; nothing was changed.")
    await tx.put("DELETE FROM states WHERE game_id = ?", game_id)
    if kept is not None:
        await tx.put(
            "INSERT INTO states (game_id, seq, digest, state) VALUES (?, ?, ?, ?)",
            *(game_id, kept.seq, kept.digest, kept.state),
        )


def last_question(game_id: int) -> Question[StoredState | None]:
    """Ask for the state kept for a game, None if there is none; the answer raises StateDamaged."""

    def read(rows: list[Cells]) -> StoredState | None:
        if not rows:
            return None
        kept, last = rows[0][:3], rows[0][3:]
        if last != kept[:2]:
            raise StateDamaged(game_id)
        return StoredState(*kept)

    return Question(
        query(
            "SELECT states.seq, states.digest, state, log.seq, log.digest FROM states LEFT JOIN log "
            "ON log.game_id = states.game_id AND log.seq = (SELECT MAX(seq) FROM log WHERE game_id = ?) "
            "WHERE states.game_id = ?",
            *(game_id, game_id),
        ),
        read,
    )


EVERY: Final = 8
"""Rows from one kept position to the next: a move takes about half a millisecond to make again, and to read a position
takes some, so that any is reached in some 10 ms; kept twice as often they would take twice the room.
"""
OFTEN: Final = 2
"""The same where the map is large: there a move may take 20 ms to make again, and to read a position takes 10."""
MOST: Final = 2_500
"""Positions of a game, some 5 KB each on a large map and 2 KB on others: all of the longest recorded game."""


@dataclass(frozen=True, slots=True)
class PositionMark:
    """A position kept after row `seq`, without its texts; `digest` is that of the row when it was kept.

    The chapter, if there is one, has the rows after `since`, and is written in this `form`.
    """

    seq: int
    digest: str
    has_state: bool
    since: int | None
    form: str | None


@dataclass(frozen=True, slots=True)
class Position:
    """A position and the chapter that ends with it, to be kept; without a state where none could be reached."""

    seq: int
    digest: str
    state: str | None
    since: int
    form: str
    chapter: str


@dataclass(frozen=True, slots=True)
class AddPosition:
    """Keeps the position after the last of the rows it is stored with."""

    digest: str
    state: str

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        """Store it, unless the game has as many as it may have."""
        await tx.put(
            "INSERT INTO positions (game_id, seq, digest, state) SELECT ?, ?, ?, ? "
            "WHERE (SELECT COUNT(*) FROM positions WHERE game_id = ?) < ?",
            *(game_id, seq, self.digest, _packed(self.state), game_id, MOST),
        )


@dataclass(frozen=True, slots=True)
class DropPositions:
    """Drops the positions after row `to`, with the undo that goes back there."""

    to: int

    async def write(self, tx: Transaction, game_id: int, seq: int) -> None:
        del seq
        await tx.put("DELETE FROM positions WHERE game_id = ? AND seq > ?", game_id, self.to)


async def marks(db: Database, game_id: int) -> list[PositionMark]:
    """Return what is kept of a game, in order, without its texts."""
    found = await db.rows(
        "SELECT seq, digest, state IS NOT NULL, since, form FROM positions WHERE game_id = ? ORDER BY seq",
        game_id,
    )
    return [
        PositionMark(seq, digest, bool(has_state), since, form)
        for seq, digest, has_state, since, form in found
    ]


async def state(db: Database, game_id: int, seq: int) -> str | None:
    """Return the position kept after a row, as text; None where there is none, or it is torn."""
    found = await db.row("SELECT state FROM positions WHERE game_id = ? AND seq = ?", game_id, seq)
    return None if found is None else _unpacked(found[0])


async def nearest(db: Database, game_id: int, seq: int) -> StoredState | None:
    """Return the last position kept up to a row; None where there is none, or it is torn."""
    found = await db.row(
        "SELECT seq, digest, state FROM positions WHERE game_id = ? AND seq <= ? AND state IS NOT NULL "
        "ORDER BY seq DESC LIMIT 1",
        *(game_id, seq),
    )
    text = None if found is None else _unpacked(found[2])
    return None if found is None or text is None else StoredState(found[0], found[1], text)


async def chapters(db: Database, game_id: int, seqs: Sequence[int]) -> dict[int, str]:
    """Return the chapters that end with these rows, as texts, without those that are torn."""
    if not seqs:
        return {}
    wanted = set(seqs)
    rows = await db.rows(
        "SELECT seq, chapter FROM positions WHERE game_id = ? AND seq BETWEEN ? AND ? ORDER BY seq",
        *(game_id, min(wanted), max(wanted)),
    )
    found = [row for row in rows if row[0] in wanted]
    return {seq: text for seq, packed in found if (text := _unpacked(packed)) is not None}


async def add(db: Database, game_id: int, last: int, made: Sequence[Position]) -> bool:
    """Keep what was made from a log that ended with row `last`; False where a later undo may have struck its rows.

    Raises NoSuchGame, StorageError.
    """

    async def change(tx: Transaction) -> bool:
        await games.lock_and_read(tx, game_id)
        if await tx.row(
            "SELECT 1 FROM log WHERE game_id = ? AND seq > ? AND kind = 'undo' LIMIT 1", game_id, last
        ):
            return False
        await tx.run_many(
            "INSERT INTO positions (game_id, seq, digest, state, since, form, chapter) VALUES (?, ?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (game_id, seq) DO UPDATE SET digest = excluded.digest, "
            "state = COALESCE(excluded.state, positions.state), since = excluded.since, "
            "form = excluded.form, chapter = excluded.chapter",
            [_row(game_id, one) for one in made],
        )
        return True

    return await db.write(change)


async def drop(db: Database, game_id: int, seqs: Sequence[int]) -> None:
    """Throw away what is kept after these rows of a game."""
    await db.write(
        lambda tx: tx.run_many(
            "DELETE FROM positions WHERE game_id = ? AND seq = ?", [(game_id, seq) for seq in seqs]
        )
    )


async def forget(tx: Transaction, game_id: int) -> None:
    """Throw away all that is kept of a game on its way, within a transaction: it has names of players."""
    await tx.put("DELETE FROM positions WHERE game_id = ?", game_id)


def _row(game_id: int, one: Position) -> tuple[object, ...]:
    packed = None if one.state is None else _packed(one.state)
    return (game_id, one.seq, one.digest, packed, one.since, one.form, _packed(one.chapter))


def _packed(text: str) -> bytes:
    return compress(text.encode())


def _unpacked(packed: bytes | None) -> str | None:
    """The text, None where there is none, or what is stored is not what was."""
    if packed is None:
        return None
    try:
        return decompress(packed).decode()
    except (Torn, UnicodeDecodeError):
        return None
