"""The state after the last row of each log, so that a game can be taken up again without replaying it."""

from dataclasses import dataclass

from storage.contract import Transaction
from storage.errors import StateDamaged


@dataclass(frozen=True, slots=True)
class KeptState:
    """The state, as text, after row `seq`, the last of its game; `digest` is the one in that row."""

    seq: int
    digest: str
    state: str


async def replace(tx: Transaction, game_id: int, kept: KeptState | None) -> None:
    """Keep this state instead of the one before, or, for None, no state at all; within a transaction."""
    await tx.run("DELETE FROM states WHERE game_id = ?", game_id)
    if kept is not None:
        await tx.run(
            "INSERT INTO states (game_id, seq, digest, state) VALUES (?, ?, ?, ?)",
            game_id,
            kept.seq,
            kept.digest,
            kept.state,
        )


async def find(tx: Transaction, game_id: int) -> KeptState | None:
    """Return the state kept for a game, None if there is none, within a transaction; raises StateDamaged."""
    kept = await tx.row("SELECT seq, digest, state FROM states WHERE game_id = ?", game_id)
    if kept is None:
        return None
    last = await tx.row("SELECT seq, digest FROM log WHERE game_id = ? ORDER BY seq DESC LIMIT 1", game_id)
    if last != kept[:2]:
        raise StateDamaged(game_id)
    return KeptState(*kept)
