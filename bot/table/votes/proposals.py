"""The life of a proposal, from its creation until it is accepted, refused, withdrawn or expired."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Final

from bot.table.errors import NotPermitted, Refused
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.outbox import notices
from bot.table.outbox.notices import note_notices
from bot.table.tables import Tables
from bot.table.votes.absent_seats import AbsenceProposal, MoveProposal, holder_return
from bot.table.votes.moderation import EndProposal
from bot.table.votes.pauses import PauseProposal
from bot.table.votes.proposal_kinds import ProposalSubject, ProposalWithVotes
from bot.table.votes.seat_proposals import SeatProposal
from bot.table.votes.undo_proposals import RedoProposal, UndoProposal
from storage import (
    Database,
    StoredProposal,
    format_timestamp,
    later_timestamp,
    log,
    messages,
    parse_timestamp,
    proposals,
    seats,
)

PROPOSAL_LIFETIME: Final = timedelta(days=7)
"""Time for which a proposal stays open.

Players look at their games at least once a week, and a vote should not decide about a position weeks later.
"""
MIN_TIME_BETWEEN_PINGS: Final = timedelta(minutes=10)
"""Minimum time between two pings of one user about different proposals of a game."""
WITHDRAW_CHOICE: Final = "withdraw"
"""The `choice` of the button with which a proposer withdraws their proposal."""
OUTDATED_TEXT: Final = "has expired, because the game has moved on"
"""Outcome shown for a proposal that is void because the game moved on: a move or undo was made after it."""
SUBJECT_BY_KIND: Final[dict[str, type[ProposalSubject]]] = {
    subject.kind: subject
    for subject in (
        SeatProposal,
        AbsenceProposal,
        MoveProposal,
        EndProposal,
        UndoProposal,
        RedoProposal,
        PauseProposal,
    )
}
"""The class for each kind of proposal."""
SubjectBuilder = Callable[[LiveGame], ProposalSubject]
"""A function that returns the subject of a proposal in the current position; raises Refused."""

DepartedCheck = Callable[[int], Awaitable[None]]
"""A function that checks if players who left the server have come back. Its argument is the game id."""


async def skip_departed_check(game_id: int) -> None:
    """A DepartedCheck that checks nothing; the default."""


class Proposals:
    """Creates proposals, counts votes, and carries out accepted proposals. Methods raise Refused or StorageError."""

    def __init__(self, tables: Tables, check_departed: DepartedCheck = skip_departed_check) -> None:
        """`check_departed` runs before each proposal and yes vote.

        A player who has left the server counts as absent, unless the check finds that they have come back.
        """
        self._tables = tables
        self._db = tables.db
        self._check_departed = check_departed
        self._games_with_position_proposals: set[int] = set()
        """Games that may have open proposals for the current position, which become void with the next move."""

    async def propose(self, game_id: int, by_user: int, build_subject: SubjectBuilder) -> StoredProposal:
        """Store a new proposal. If the proposer is among the voters, a yes is stored for them."""
        await self._check_departed(game_id)
        async with self._tables.reading(game_id) as live:
            proposal = await self._store_proposal(live, by_user, build_subject(live))
        self._tables.on_notice(game_id)
        return proposal

    async def propose_or_vote(
        self, game_id: int, by_user: int, build_subject: SubjectBuilder
    ) -> ProposalWithVotes:
        """Store a new proposal. If one of the same kind is already open, vote yes on it instead."""
        async with self._tables.reading(game_id) as live:
            subject = build_subject(live)
            earlier_proposals = await proposals.open_proposals(
                self._db, game_id, self._tables.clock(), subject.kind
            )
            proposal = (
                earlier_proposals[-1]
                if earlier_proposals
                else await self._store_proposal(live, by_user, subject)
            )
            open_proposal = await self._proposal_with_votes(live, proposal.number)
        self._tables.on_notice(game_id)
        # If no other user votes, the proposal is accepted at once.
        votes_now = bool(earlier_proposals) or open_proposal.state() == "accepted"
        return await self.vote(game_id, proposal.number, by_user, "yes") if votes_now else open_proposal

    async def proposal_with_votes(self, game_id: int, number: int) -> ProposalWithVotes:
        """The proposal with this number, with its votes."""
        async with self._tables.reading(game_id) as live:
            return await self._proposal_with_votes(live, number)

    async def open_proposals_of(self, live: LiveGame) -> list[ProposalWithVotes]:
        """Open proposals of a game, oldest first. Proposals for an earlier position are left out."""
        stored_proposals = await proposals.open_proposals_with_votes(self._db, live.id, self._tables.clock())
        open_proposals = [
            _proposal_with_electorate(live, proposal, votes) for proposal, votes in stored_proposals
        ]
        return [
            open_proposal
            for open_proposal in open_proposals
            if not open_proposal.subject.is_outdated(live.seq)
        ]

    async def proposal_of_unloaded_game(
        self, game_id: int, number: int
    ) -> tuple[StoredProposal, ProposalSubject]:
        """A proposal and its subject, read without loading the game, which may be damaged."""
        proposal = await proposals.find_proposal(self._db, game_id, number)
        if proposal is None:
            raise _no_such_proposal(game_id, number)
        return proposal[0], _subject_of(proposal[0])

    async def vote(
        self, game_id: int, number: int, user_id: int, choice: str, *, is_moderator: bool = False
    ) -> ProposalWithVotes:
        """Store a vote (`yes` or `no`), or withdraw the proposal (`withdraw`).

        If the proposal is accepted, it is carried out at once.
        """
        if choice == "yes":
            await self._check_departed(game_id)
        async with self._tables.writing(game_id) as live:
            open_proposal = await self._proposal_with_votes(live, number)
            await self._require_open(live, open_proposal)
            if choice == WITHDRAW_CHOICE:
                return await self._withdraw(live, open_proposal, user_id)
            if not open_proposal.electorate.may_answer(user_id, is_moderator=is_moderator):
                raise NotPermitted("You cannot answer this proposal.")
            if choice == "yes":
                await open_proposal.subject.require_allowed(
                    self._tables, live, open_proposal.proposal.by_user
                )
            if choice == "yes" and open_proposal.subject.changes_position:
                self._tables.require_playable(live)
            now = self._tables.clock()
            await proposals.cast_vote(
                self._db, open_proposal.proposal, proposals.Vote(user_id, agrees=choice == "yes"), now
            )
            open_proposal = await self._proposal_with_votes(live, number)
            if open_proposal.state() == "accepted":
                await open_proposal.subject.carry_out(self._tables, live, open_proposal.proposal)
            elif open_proposal.state() == "refused":
                await self._close_proposal(
                    live,
                    open_proposal,
                    "refused",
                    f"<@{user_id}> has refused proposal {number}: {open_proposal.subject.describe()}.",
                )
            open_proposal = await self._proposal_with_votes(live, number)
        if open_proposal.proposal.state == "accepted":
            self._tables.forget(game_id)
        self._tables.on_notice(game_id)
        return open_proposal

    async def expire(self, proposal: StoredProposal) -> None:
        """Close a proposal whose time is over, and announce its end in the game's thread."""
        subject = _subject_of(proposal)
        async with self._tables.lock(proposal.game_id):
            (row, seq), now = await log.game_and_last_seq(self._db, proposal.game_id), self._tables.clock()
            text = (
                f"Proposal {proposal.number} has expired, because not enough players agreed in time: "
                f"{subject.describe()}."
            )
            # The proposal's own message tells that the game has moved on, so no line is needed.
            is_outdated = subject.is_outdated(seq)
            posts = note_notices(text) if row.status == "running" and not is_outdated else []
            outcome_text = OUTDATED_TEXT if is_outdated else None
            await proposals.close_proposal(
                self._db, proposal, "expired", seq=seq, notices=posts, now=now, why=outcome_text
            )
        if posts:
            self._tables.on_notice(proposal.game_id)

    async def outdated_proposals(self, game_id: int | None = None) -> list[StoredProposal]:
        """Open proposals for an earlier position: in one game or, if `game_id` is None, in all of this process."""
        open_proposals = await proposals.open_proposals_with_last_seq(
            self._db, self._tables.clock(), self._tables.shards, game_id
        )
        game_ids = {
            proposal.game_id
            for proposal, _ in open_proposals
            if SUBJECT_BY_KIND[proposal.kind].changes_position
        }
        self._games_with_position_proposals = (
            game_ids if game_id is None else (self._games_with_position_proposals - {game_id}) | game_ids
        )
        return [proposal for proposal, seq in open_proposals if _subject_of(proposal).is_outdated(seq)]

    def may_have_outdated_proposal(self, game_id: int) -> bool:
        """True if the game may have an open proposal that becomes void with the next move."""
        return game_id in self._games_with_position_proposals

    async def record_activity(self, game_id: int, user_id: int) -> list[StoredProposal]:
        """Record that a seat's holder acts again, which ends their absence; returns the proposals that this closes.

        If the other players or a computer player played the seat, the holder gets it back. Proposals about the seat are
        closed.
        """
        cached_game = self._tables.cached_game(game_id)
        if cached_game is not None and not (
            cached_game.may_have_seat_proposals or cached_game.group_players or cached_game.caretaker_players
        ):
            return []  # nearly always
        now = self._tables.clock()
        async with self._tables.reading(game_id) as live:
            player = next((seat.player_id for seat in live.seats if seat.user_id == user_id), None)
            if player is None:
                return []
            is_back = player in live.group_players | live.caretaker_players
            if is_back:
                seat_entry, posts = await holder_return(self._db, live, player, now)
                await seats.record_seat_change(self._db, game_id, seat_entry, notices=posts)
            seat_proposals = await self._open_proposals_about_seat(live, user_id, now)
            for proposal in seat_proposals:
                text = (
                    f"Proposal {proposal.number} has ended, because {strong(live.name_of(player))} is back."
                )
                await proposals.close_proposal(
                    self._db, proposal, "refused", seq=live.seq, notices=note_notices(text), now=now
                )
        if is_back:
            self._tables.forget(game_id)
        if is_back or seat_proposals:
            self._tables.on_notice(game_id)
        return seat_proposals

    async def _open_proposals_about_seat(self, live: LiveGame, holder: int, now: str) -> list[StoredProposal]:
        """Open proposals about the seat of this holder because of their absence."""
        if self._tables.cached_game(live.id) is not None and not live.may_have_seat_proposals:
            return []  # nearly always
        open_proposals = await proposals.open_proposals(self._db, live.id, now)
        proposals_and_absent_users = [
            (proposal, _subject_of(proposal).absent_user()) for proposal in open_proposals
        ]
        live.may_have_seat_proposals = any(
            absent_user is not None for _, absent_user in proposals_and_absent_users
        )
        return [
            open_proposal
            for open_proposal, absent_user in proposals_and_absent_users
            if absent_user == holder
        ]

    async def _store_proposal(self, live: LiveGame, by_user: int, subject: ProposalSubject) -> StoredProposal:
        live.require_running()
        await subject.require_allowed(self._tables, live, by_user)
        now = self._tables.clock()
        earlier_proposals = await proposals.open_proposals(self._db, live.id, now, subject.kind)
        live.may_have_seat_proposals |= subject.absent_user() is not None
        proposal = await proposals.propose(
            self._db,
            live.id,
            subject.kind,
            subject.payload(),
            by_user=by_user,
            now=now,
            until=later_timestamp(now, PROPOSAL_LIFETIME),
            seq=live.seq,
            build_notice=notices.proposal_notice,
            replaced_numbers=[
                earlier_proposal.number
                for earlier_proposal in earlier_proposals
                if earlier_proposal.by_user == by_user
            ],
        )
        if subject.changes_position:
            self._games_with_position_proposals.add(live.id)
        electorate = subject.electorate(live, by_user)
        if by_user in (*electorate.users_who_must_agree, *electorate.voters):
            await proposals.cast_vote(self._db, proposal, proposals.Vote(by_user, agrees=True), now)
        return proposal

    async def _withdraw(
        self, live: LiveGame, open_proposal: ProposalWithVotes, user_id: int
    ) -> ProposalWithVotes:
        proposal, now = open_proposal.proposal, self._tables.clock()
        if proposal.by_user != user_id:
            raise NotPermitted("Only the player who made this proposal can withdraw it.")
        await proposals.close_proposal(
            self._db, proposal, "expired", seq=live.seq, now=now, why="was withdrawn"
        )
        self._tables.on_notice(live.id)
        return await self._proposal_with_votes(live, proposal.number)

    async def _proposal_with_votes(self, live: LiveGame, number: int) -> ProposalWithVotes:
        proposal = await proposals.find_proposal(self._db, live.id, number)
        if proposal is None:
            raise _no_such_proposal(live.id, number)
        return _proposal_with_electorate(live, *proposal)

    async def _require_open(self, live: LiveGame, open_proposal: ProposalWithVotes) -> None:
        """Raise Refused if the proposal is no longer open. If it is void or has expired, it is closed first."""
        if open_proposal.proposal.state != "open":
            raise Refused("This proposal has already been decided.")
        if open_proposal.proposal.until <= self._tables.clock():
            outcome_text = "has expired, because not everybody answered in time. You can make it again"
            await self._close_proposal(
                live, open_proposal, "expired", f"Proposal {open_proposal.proposal.number} {outcome_text}."
            )
            raise Refused(f"This proposal {outcome_text}.")
        if open_proposal.subject.is_outdated(live.seq):
            now = self._tables.clock()
            await proposals.close_proposal(
                self._db, open_proposal.proposal, "expired", seq=live.seq, now=now, why=OUTDATED_TEXT
            )
        expiry_reason = open_proposal.subject.expiry_reason(live)
        if expiry_reason is not None:
            await self._close_proposal(
                live,
                open_proposal,
                "expired",
                f"Proposal {open_proposal.proposal.number} has expired: {expiry_reason}",
            )
            raise Refused(expiry_reason)

    async def _close_proposal(
        self, live: LiveGame, open_proposal: ProposalWithVotes, state: proposals.ProposalState, text: str
    ) -> None:
        posts, now = note_notices(text), self._tables.clock()
        await proposals.close_proposal(
            self._db, open_proposal.proposal, state, seq=live.seq, notices=posts, now=now
        )
        self._tables.on_notice(live.id)


def _subject_of(proposal: StoredProposal) -> ProposalSubject:
    return SUBJECT_BY_KIND[proposal.kind].read(proposal.payload)


def _proposal_with_electorate(
    live: LiveGame, proposal: StoredProposal, votes: Sequence[proposals.Vote]
) -> ProposalWithVotes:
    subject = _subject_of(proposal)
    return ProposalWithVotes(proposal, subject, subject.electorate(live, proposal.by_user), votes)


def _no_such_proposal(game_id: int, number: int) -> Refused:
    return Refused(f"There is no proposal {number} in game {game_id}.")


async def proposal_message_id(db: Database, proposal: StoredProposal) -> int | None:
    """The Discord id of a proposal's message; None if the message has not been posted."""
    message = await messages.newest_message_of_role(db, proposal.game_id, "proposal", str(proposal.number))
    return None if message is None else message.message_id


async def users_to_ping_about(db: Database, open_proposal: ProposalWithVotes, now: str) -> list[int]:
    """Users to ping about an open proposal. Users who were pinged recently about another one are left out."""
    if open_proposal.proposal.state != "open":
        return []
    earliest_ping_time = format_timestamp(parse_timestamp(now) - MIN_TIME_BETWEEN_PINGS)
    recently_pinged_users = await proposals.users_pinged_since(
        db, open_proposal.proposal.game_id, earliest_ping_time
    )
    other_users = [
        user for user in open_proposal.electorate.possible_voters if user != open_proposal.proposal.by_user
    ]
    return [user for user in other_users if user not in recently_pinged_users]
