"""The state after the last row of each log, so that a game can be taken up again without replaying it."""

from dataclasses import dataclass

from storage.contract import Cells, Transaction, query
from storage.errors import ConstraintBroken, StateDamaged
from storage.questions import Question


@dataclass(frozen=True, slots=True)
class KeptState:
    """The state, as text, after row `seq`, the last of its game; `digest` is the one in that row."""

    seq: int
    digest: str
    state: str


async def replace(tx: Transaction, game_id: int, kept: KeptState | None) -> None:
    """Keep this state instead of the one before, or, for None, no state at all; within a transaction.

    Raises ConstraintBroken for what is no text: PostgreSQL would make one of it.
    """
    if kept is not None and type(kept.state) is not str:
        raise ConstraintBroken(f"The state of game {game_id} is no text; nothing was changed.")
    await tx.put("DELETE FROM states WHERE game_id = ?", game_id)
    if kept is not None:
        await tx.put(
            "INSERT INTO states (game_id, seq, digest, state) VALUES (?, ?, ?, ?)",
            game_id,
            kept.seq,
            kept.digest,
            kept.state,
        )


def question(game_id: int) -> Question[KeptState | None]:
    """Ask for the state kept for a game, None if there is none; the answer raises StateDamaged."""

    def read(rows: list[Cells]) -> KeptState | None:
        if not rows:
            return None
        kept, last = rows[0][:3], rows[0][3:]
        if last != kept[:2]:
            raise StateDamaged(game_id)
        return KeptState(*kept)

    return Question(
        query(
            "SELECT states.seq, states.digest, state, log.seq, log.digest FROM states LEFT JOIN log "
            "ON log.game_id = states.game_id AND log.seq = (SELECT MAX(seq) FROM log WHERE game_id = ?) "
            "WHERE states.game_id = ?",
            *(game_id, game_id),
        ),
        read,
    )
