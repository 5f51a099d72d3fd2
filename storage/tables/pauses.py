"""Pauses: running games in which no move is taken for a while."""

from collections.abc import Sequence
from dataclasses import dataclass

from storage import games
from storage.contract import Cells, Database, Transaction, query
from storage.leases import WHOLE, Share
from storage.posts import outbox
from storage.posts.outbox import OutboxMessage
from storage.questions import Question, ask
from storage.tables import clocks, proposals
from storage.tables.proposals import Proposal


@dataclass(frozen=True, slots=True)
class Pause:
    """A pause: who made it and when, and until when it lasts, if that was said (ISO 8601 in UTC).

    `alone`: a player has begun it without asking the others.
    """

    by_user: int
    until: str | None
    at: str
    alone: bool = False

    def lasts(self, now: str) -> bool:
        """Whether it has not run out."""
        return self.until is None or self.until > now


async def find(db: Database, game_id: int) -> Pause | None:
    """Return the pause of a game, None if there is none; one that has run out is there until it is ended."""
    return await ask(db, question(game_id))


def question(game_id: int) -> Question[Pause | None]:
    """Ask for the pause of a game, None if there is none."""
    columns = "SELECT by_user, until, at, alone FROM pauses WHERE game_id = ?"
    return Question(query(columns, game_id), lambda rows: _read(rows[0]) if rows else None)


def _read(row: Cells) -> Pause:
    return Pause(row[0], row[1], row[2], bool(row[3]))


async def ended_last(db: Database, game_id: int, user_id: int) -> str | None:
    """Return when the last pause was over that a user had begun alone in a game; None if there was none."""
    found = await db.rows(
        "SELECT MAX(ended) FROM past_pauses WHERE game_id = ? AND by_user = ?", game_id, user_id
    )
    return None if found[0][0] is None else str(found[0][0])


async def run_out(db: Database, now: str, share: Share = WHOLE) -> list[int]:
    """Return the running games of a share whose pause has run out and was not ended."""
    found = await db.rows(
        "SELECT game_id FROM pauses JOIN games ON games.id = game_id WHERE until <= ? "
        f"AND games.status = 'running' AND {share.where()} ORDER BY game_id",
        now,
    )
    return [game_id for (game_id,) in found]


async def begin(
    db: Database,
    game_id: int,
    pause: Pause,
    *,
    seq: int,
    notices: Sequence[OutboxMessage],
    proposal: Proposal | None = None,
) -> None:
    """Let a running game pause, in place of any pause before, with the notices that tell of it.

    A proposal that is given is accepted with it. All or nothing. Raises NoSuchGame, WrongStatus.
    """

    async def change(tx: Transaction) -> None:
        games.require(await games.hold(tx, game_id), ("running",))
        await _over(tx, game_id, pause.at)
        await tx.put(
            "INSERT INTO pauses (game_id, by_user, until, at, alone) VALUES (?, ?, ?, ?, ?) ON CONFLICT (game_id) "
            "DO UPDATE SET by_user = excluded.by_user, until = excluded.until, at = excluded.at, "
            "alone = excluded.alone",
            *(game_id, pause.by_user, pause.until, pause.at, int(pause.alone)),
        )
        if proposal is not None:
            await proposals.settle(tx, proposal, "accepted")
        await outbox.add(tx, game_id, seq, notices, pause.at)

    await db.write(change)


async def end(db: Database, game_id: int, *, seq: int, notices: Sequence[OutboxMessage], now: str) -> bool:
    """Resume a game, with the notices about it; False, and nothing, if it does not pause."""

    async def change(tx: Transaction) -> bool:
        await games.hold(tx, game_id)
        await _over(tx, game_id, now)
        ended = await tx.run("DELETE FROM pauses WHERE game_id = ?", game_id)
        if ended:
            await outbox.add(tx, game_id, seq, notices, now)
        return ended > 0

    return await db.write(change)


async def _over(tx: Transaction, game_id: int, now: str) -> None:
    """Keep how long a pause has lasted: clocks stood meanwhile."""
    found = await tx.row("SELECT by_user, until, at, alone FROM pauses WHERE game_id = ?", game_id)
    if found is not None:
        by_user, until, since, alone = found
        ended = now if until is None else min(until, now)
        if alone:
            await tx.put(
                "INSERT INTO past_pauses (game_id, by_user, at, ended) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (game_id, at) DO NOTHING",
                *(game_id, by_user, since, ended),
            )
        await clocks.stand(tx, game_id, clocks.ClockStop(clocks.EVERYBODY, "pause", since, ended))
