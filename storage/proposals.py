"""Proposals to the players of a game, with deadlines and votes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from storage import games, outbox
from storage.contract import Database, Transaction, query
from storage.outbox import OutboxMessage
from storage.shards import ALL_SHARDS, ShardSet

ProposalState = Literal["open", "accepted", "refused", "expired"]


@dataclass(frozen=True, slots=True)
class StoredProposal:
    """A proposal to the players of a game, such as an undo.

    The bot defines `kind` and the content of `payload`. `until` is the deadline. If the proposal expired early, `why`
    is the reason in words. Times are ISO 8601 in UTC.
    """

    game_id: int
    number: int
    kind: str
    payload: str
    by_user: int
    at: str
    until: str
    state: ProposalState
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """A user's vote on a proposal."""

    user_id: int
    agrees: bool


_COLUMNS = "game_id, number, kind, payload, by_user, at, until, state, why"
_QUALIFIED_COLUMNS = ", ".join(f"proposals.{column}" for column in _COLUMNS.split(", "))


async def propose(
    db: Database,
    game_id: int,
    kind: str,
    payload: str,
    *,
    by_user: int,
    now: str,
    until: str,
    seq: int,
    build_notice: Callable[[int], OutboxMessage] | None = None,
    replaced_numbers: Sequence[int] = (),
) -> StoredProposal:
    """Store a proposal in a running game and return it.

    `build_notice` is a function that builds the notice to post from the proposal's number. Open proposals with numbers
    in `replaced_numbers` become expired. Raises NoSuchGame, WrongStatus.
    """

    async def in_transaction(tx: Transaction) -> StoredProposal:
        games.require_status(await games.lock_and_read(tx, game_id), ("running",))
        inserted_row = await tx.row(
            f"INSERT INTO proposals ({_COLUMNS}) SELECT ?, 1 + COALESCE(MAX(number), 0), ?, ?, ?, ?, ?, 'open', NULL "
            f"FROM proposals WHERE game_id = ? RETURNING {_COLUMNS}",
            *(game_id, kind, payload, by_user, now, until, game_id),
        )
        assert inserted_row is not None
        proposal = StoredProposal(*inserted_row)
        await tx.run_many(
            _EXPIRE_PROPOSAL_SQL,
            [(_replaced_by_text(proposal.number), game_id, old_number) for old_number in replaced_numbers],
        )
        if build_notice is not None:
            await outbox.add_notices(tx, game_id, seq, [build_notice(proposal.number)], now)
        return proposal

    return await db.write(in_transaction)


_EXPIRE_PROPOSAL_SQL = (
    "UPDATE proposals SET state = 'expired', why = ? WHERE game_id = ? AND number = ? AND state = 'open'"
)


async def find_proposal(db: Database, game_id: int, number: int) -> tuple[StoredProposal, list[Vote]] | None:
    """Return the proposal with this number and its votes, oldest first; None if there is none."""

    votes_sql = "SELECT user_id, agrees FROM votes WHERE game_id = ? AND number = ? ORDER BY at, user_id"
    proposal_rows, vote_rows = await db.fetch(
        query(f"SELECT {_COLUMNS} FROM proposals WHERE game_id = ? AND number = ?", game_id, number),
        query(votes_sql, game_id, number),
    )
    if not proposal_rows:
        return None
    return StoredProposal(*proposal_rows[0]), [Vote(user_id, bool(agrees)) for user_id, agrees in vote_rows]


async def open_proposals(
    db: Database, game_id: int, now: str, kind: str | None = None
) -> list[StoredProposal]:
    """Return a game's open proposals of one kind, or of all kinds, oldest first.

    Proposals whose deadline has passed at the time `now` are left out.
    """
    rows = await db.rows(
        f"SELECT {_COLUMNS} FROM proposals WHERE game_id = ? AND kind = COALESCE(?, kind) AND state = 'open' "
        "AND until > ? ORDER BY number",
        *(game_id, kind, now),
    )
    return [StoredProposal(*row) for row in rows]


async def open_proposals_with_votes(
    db: Database, game_id: int, now: str
) -> list[tuple[StoredProposal, list[Vote]]]:
    """Return a game's open proposals, oldest first, each with its votes."""
    condition = "game_id = ? AND state = 'open' AND until > ?"
    proposal_rows, vote_rows = await db.fetch(
        query(f"SELECT {_COLUMNS} FROM proposals WHERE {condition} ORDER BY number", game_id, now),
        query(
            "SELECT number, user_id, agrees FROM votes WHERE game_id = ? AND number IN "
            f"(SELECT number FROM proposals WHERE {condition}) ORDER BY at, user_id",
            *(game_id, game_id, now),
        ),
    )
    votes = [(number, Vote(user_id, bool(agrees))) for number, user_id, agrees in vote_rows]
    return [
        (proposal, [vote for number, vote in votes if number == proposal.number])
        for proposal in (StoredProposal(*row) for row in proposal_rows)
    ]


async def expired_proposals(db: Database, now: str, shards: ShardSet = ALL_SHARDS) -> list[StoredProposal]:
    """Return the open proposals of these shards that must be closed, oldest first.

    Their deadline has passed, or their game has ended.
    """
    rows = await db.rows(
        f"SELECT {_QUALIFIED_COLUMNS} FROM proposals JOIN games ON games.id = game_id WHERE state = 'open' "
        f"AND (until <= ? OR games.status <> 'running') AND {shards.sql_condition()} ORDER BY until, game_id, number",
        now,
    )
    return [StoredProposal(*row) for row in rows]


async def proposals_replaced_by(db: Database, game_id: int, number: int) -> list[StoredProposal]:
    """Return the proposals that proposal `number` replaced, oldest first."""
    sql = f"SELECT {_COLUMNS} FROM proposals WHERE game_id = ? AND why = ? ORDER BY number"
    return [StoredProposal(*row) for row in await db.rows(sql, game_id, _replaced_by_text(number))]


def _replaced_by_text(number: int) -> str:
    return f"was replaced by proposal {number}"


async def open_proposals_with_last_seq(
    db: Database, now: str, shards: ShardSet = ALL_SHARDS, game_id: int | None = None
) -> list[tuple[StoredProposal, int]]:
    """Return open proposals in running games, each with the number of the game's last log row.

    Reads the games of these shards, or only `game_id` if given.
    """
    rows = await db.rows(
        f"SELECT {_QUALIFIED_COLUMNS}, (SELECT MAX(seq) FROM log WHERE log.game_id = games.id) FROM proposals "
        "JOIN games ON games.id = game_id WHERE state = 'open' AND until > ? AND games.status = 'running' "
        f"AND {shards.sql_condition()} AND games.id = COALESCE(?, games.id) ORDER BY game_id, number",
        *(now, game_id),
    )
    return [(StoredProposal(*proposal), int(last_seq)) for *proposal, last_seq in rows]


async def cast_vote(db: Database, proposal: StoredProposal, vote: Vote, now: str) -> None:
    """Store a user's vote; it replaces the user's earlier vote."""
    statement = (
        "INSERT INTO votes (game_id, number, user_id, agrees, at) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (game_id, number, user_id) DO UPDATE SET agrees = excluded.agrees, at = excluded.at"
    )
    values = (proposal.game_id, proposal.number, vote.user_id, int(vote.agrees), now)
    await db.write(lambda tx: tx.put(statement, *values))


async def close_proposal(
    db: Database,
    proposal: StoredProposal,
    state: ProposalState,
    *,
    seq: int,
    notices: Sequence[OutboxMessage] = (),
    now: str,
    why: str | None = None,
) -> bool:
    """Close an open proposal with the new state and a reason, and queue notices; return False if it is not open."""

    async def in_transaction(tx: Transaction) -> bool:
        await games.lock_and_read(tx, proposal.game_id)
        was_closed = await close_in_transaction(tx, proposal, state, why)
        if was_closed:
            await outbox.add_notices(tx, proposal.game_id, seq, notices, now)
        return was_closed

    return await db.write(in_transaction)


async def close_in_transaction(
    tx: Transaction, proposal: StoredProposal, state: ProposalState, why: str | None = None
) -> bool:
    """Close an open proposal within a transaction; return False if it is not open."""
    statement = "UPDATE proposals SET state = ?, why = ? WHERE game_id = ? AND number = ? AND state = 'open'"
    return await tx.run(statement, state, why, proposal.game_id, proposal.number) > 0


async def users_pinged_since(db: Database, game_id: int, since: str) -> frozenset[int]:
    """Return the users who were pinged about proposals of a game after the time `since`."""
    sql = "SELECT user_id FROM proposal_pings WHERE game_id = ? AND at > ?"
    return frozenset(await db.numbers(sql, game_id, since))


async def mark_pinged(db: Database, game_id: int, users: Sequence[int], now: str) -> None:
    """Record that these users were pinged about a proposal at the time `now`."""
    statement = (
        "INSERT INTO proposal_pings (game_id, user_id, at) VALUES (?, ?, ?) "
        "ON CONFLICT (game_id, user_id) DO UPDATE SET at = excluded.at"
    )
    await db.write(lambda tx: tx.run_many(statement, [(game_id, user_id, now) for user_id in users]))
