"""Proposals: created, voted on, accepted, or expired."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import Final

from bot.table.errors import NotYours, Refused
from bot.table.live import LiveGame
from bot.table.markdown import strong
from bot.table.outbox import notices
from bot.table.outbox.notices import table_note
from bot.table.tables import Tables
from bot.table.votes.absent_seats import AbsenceProposal, MoveProposal, coming_back
from bot.table.votes.moderation import EndProposal
from bot.table.votes.pauses import PauseProposal
from bot.table.votes.proposal_kinds import OpenProposal, Subject
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

OPEN_FOR: Final = timedelta(days=7)
"""Time that a proposal stays open: players look in at least once a week, and a vote given to a position of weeks
ago should not end a game, or give a seat away, that has gone on since.
"""
QUIET_FOR: Final = timedelta(minutes=10)
"""For this long after a ping for a proposal of a game nobody is pinged for another one."""
WITHDRAW: Final = "withdraw"
"""The choice of a proposer who takes a proposal back."""
OVERTAKEN: Final = "has expired, because the game has moved on"
"""The end of a proposal about a position that the game has left."""
SUBJECTS: Final[dict[str, type[Subject]]] = {
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
"""Every kind of matter."""
SubjectBuilder = Callable[[LiveGame], Subject]
"""Makes a matter of the game as it stands; raises Refused."""

Look = Callable[[int], Awaitable[None]]
"""Looks at the players of a game."""


async def nobody_looks(game_id: int) -> None:
    """Find out nothing about a game."""


class Proposals:
    """The proposals of all games; each method raises Refused or StorageError."""

    def __init__(self, tables: Tables, look_again: Look = nobody_looks) -> None:
        """`look_again` checks which departed players are members again."""
        self._tables = tables
        self._db = tables.db
        self._look_again = look_again
        self._bound: set[int] = set()
        """Games with open proposals about their position, as far as this process has seen them."""

    async def propose(self, game_id: int, by_user: int, build_subject: SubjectBuilder) -> StoredProposal:
        """Propose something; the proposer's vote is yes."""
        await self._look_again(game_id)
        async with self._tables.reading(game_id) as live:
            proposal = await self._store_proposal(live, by_user, build_subject(live))
        self._tables.on_notice(game_id)
        return proposal

    async def propose_or_vote(
        self, game_id: int, by_user: int, build_subject: SubjectBuilder
    ) -> OpenProposal:
        """Propose something that can be open only once, or vote yes if it is open."""
        async with self._tables.reading(game_id) as live:
            subject = build_subject(live)
            standing = await proposals.open_proposals(self._db, game_id, self._tables.clock(), subject.kind)
            proposal = standing[-1] if standing else await self._store_proposal(live, by_user, subject)
            asking = await self._asking(live, proposal.number)
        self._tables.on_notice(game_id)
        # Where nobody else is asked, the proposer's word is enough.
        decided = bool(standing) or asking.state() == "accepted"
        return await self.vote(game_id, proposal.number, by_user, "yes") if decided else asking

    async def asking(self, game_id: int, number: int) -> OpenProposal:
        """A proposal with its votes."""
        async with self._tables.reading(game_id) as live:
            return await self._asking(live, number)

    async def open_in(self, live: LiveGame) -> list[OpenProposal]:
        """The open proposals of a game, oldest first."""
        found = await proposals.open_proposals_with_votes(self._db, live.id, self._tables.clock())
        asked = [_asking(live, proposal, votes) for proposal, votes in found]
        return [asking for asking in asked if not asking.subject.is_overtaken(live.seq)]

    async def closed_proposal(self, game_id: int, number: int) -> tuple[StoredProposal, Subject]:
        """A proposal without its game, which may be damaged."""
        proposal = await proposals.find_proposal(self._db, game_id, number)
        if proposal is None:
            raise _unknown(game_id, number)
        return proposal[0], _subject(proposal[0])

    async def vote(
        self, game_id: int, number: int, user_id: int, choice: str, *, moderates: bool = False
    ) -> OpenProposal:
        """Store a vote (`yes` or `no`), and carry out an accepted proposal; or `withdraw` it."""
        if choice == "yes":
            await self._look_again(game_id)
        async with self._tables.writing(game_id) as live:
            asking = await self._asking(live, number)
            await self._require_open(live, asking)
            if choice == WITHDRAW:
                return await self._withdrawn(live, asking, user_id)
            if not asking.electorate.may_answer(user_id, moderates=moderates):
                raise NotYours("You cannot answer this proposal.")
            if choice == "yes":
                await asking.subject.require(self._tables, live, asking.proposal.by_user)
            if choice == "yes" and asking.subject.acts:
                self._tables.require_playable(live)
            now = self._tables.clock()
            await proposals.cast_vote(
                self._db, asking.proposal, proposals.Vote(user_id, agrees=choice == "yes"), now
            )
            asking = await self._asking(live, number)
            if asking.state() == "accepted":
                await asking.subject.carry_out(self._tables, live, asking.proposal)
            elif asking.state() == "refused":
                await self._close_proposal(
                    live,
                    asking,
                    "refused",
                    f"<@{user_id}> has refused proposal {number}: {asking.subject.says()}.",
                )
            asking = await self._asking(live, number)
        if asking.proposal.state == "accepted":
            self._tables.forget(game_id)
        self._tables.on_notice(game_id)
        return asking

    async def expire(self, proposal: StoredProposal) -> None:
        """Close an expired proposal, and post that; nothing if it is closed."""
        subject = _subject(proposal)
        async with self._tables.lock(proposal.game_id):
            (row, seq), now = await log.last_row(self._db, proposal.game_id), self._tables.clock()
            text = (
                f"Proposal {proposal.number} has expired, because not enough players agreed in time: "
                f"{subject.says()}."
            )
            # Its message says that the game has moved on; nobody needs another line.
            overtaken = subject.is_overtaken(seq)
            posts = table_note(text) if row.status == "running" and not overtaken else []
            why = OVERTAKEN if overtaken else None
            await proposals.close_proposal(
                self._db, proposal, "expired", seq=seq, notices=posts, now=now, why=why
            )
        if posts:
            self._tables.on_notice(proposal.game_id)

    async def obsolete(self, game_id: int | None = None) -> list[StoredProposal]:
        """The open proposals about positions that games, or one game, have left."""
        overtaken = await proposals.open_with_last_row(
            self._db, self._tables.clock(), self._tables.share, game_id
        )
        bound = {one.game_id for one, _ in overtaken if SUBJECTS[one.kind].acts}
        self._bound = bound if game_id is None else (self._bound - {game_id}) | bound
        return [one for one, seq in overtaken if _subject(one).is_overtaken(seq)]

    def may_be_overtaken(self, game_id: int) -> bool:
        """True if a game may have open proposals about its position."""
        return game_id in self._bound

    async def note_activity(self, game_id: int, user_id: int) -> list[StoredProposal]:
        """Return a seat to a user who acts, and close proposals about it; returns the closed ones."""
        now = self._tables.clock()
        async with self._tables.reading(game_id) as live:
            player = next((seat.player_id for seat in live.seats if seat.user_id == user_id), None)
            if player is None:
                return []
            is_back = player in live.by_group | live.by_caretaker
            if is_back:
                seat_entry, posts = await coming_back(self._db, live, player, now)
                await seats.assign(self._db, game_id, seat_entry, notices=posts)
            asked = await self._open_about_seat(live, user_id, now)
            for proposal in asked:
                text = (
                    f"Proposal {proposal.number} has ended, because {strong(live.name_of(player))} is back."
                )
                await proposals.close_proposal(
                    self._db, proposal, "refused", seq=live.seq, notices=table_note(text), now=now
                )
        if is_back:
            self._tables.forget(game_id)
        if is_back or asked:
            self._tables.on_notice(game_id)
        return asked

    async def _open_about_seat(self, live: LiveGame, holder: int, now: str) -> list[StoredProposal]:
        """The open proposals about an absent player's seat."""
        if self._tables.cached_game(live.id) is not None and not live.seats_voted_on:
            return []  # as nearly always
        standing = await proposals.open_proposals(self._db, live.id, now)
        seats_of = [(vote, _subject(vote).absent_user()) for vote in standing]
        live.seats_voted_on = any(user is not None for _, user in seats_of)
        return [one for one, user in seats_of if user == holder]

    async def _store_proposal(self, live: LiveGame, by_user: int, subject: Subject) -> StoredProposal:
        live.require_running()
        await subject.require(self._tables, live, by_user)
        now = self._tables.clock()
        standing = await proposals.open_proposals(self._db, live.id, now, subject.kind)
        live.seats_voted_on |= subject.absent_user() is not None
        proposal = await proposals.propose(
            self._db,
            live.id,
            subject.kind,
            subject.payload(),
            by_user=by_user,
            now=now,
            until=later_timestamp(now, OPEN_FOR),
            seq=live.seq,
            notice=notices.proposal_notice,
            replaces=[vote.number for vote in standing if vote.by_user == by_user],
        )
        if subject.acts:
            self._bound.add(live.id)
        asked = subject.electorate(live, by_user)
        if by_user in (*asked.must, *asked.voters):
            await proposals.cast_vote(self._db, proposal, proposals.Vote(by_user, agrees=True), now)
        return proposal

    async def _withdrawn(self, live: LiveGame, asking: OpenProposal, user_id: int) -> OpenProposal:
        """Close a proposal for its proposer, without a line in the thread."""
        proposal, now = asking.proposal, self._tables.clock()
        if proposal.by_user != user_id:
            raise NotYours("Only the player who made this proposal can withdraw it.")
        await proposals.close_proposal(
            self._db, proposal, "expired", seq=live.seq, now=now, why="was withdrawn"
        )
        self._tables.on_notice(live.id)
        return await self._asking(live, proposal.number)

    async def _asking(self, live: LiveGame, number: int) -> OpenProposal:
        proposal = await proposals.find_proposal(self._db, live.id, number)
        if proposal is None:
            raise _unknown(live.id, number)
        return _asking(live, *proposal)

    async def _require_open(self, live: LiveGame, asking: OpenProposal) -> None:
        """Raise Refused if the proposal is closed; one without a purpose is closed now."""
        if asking.proposal.state != "open":
            raise Refused("This proposal has already been decided.")
        if asking.proposal.until <= self._tables.clock():
            why = "has expired, because not everybody answered in time. You can make it again"
            await self._close_proposal(live, asking, "expired", f"Proposal {asking.proposal.number} {why}.")
            raise Refused(f"This proposal {why}.")
        if asking.subject.is_overtaken(live.seq):
            now = self._tables.clock()
            await proposals.close_proposal(
                self._db, asking.proposal, "expired", seq=live.seq, now=now, why=OVERTAKEN
            )
        gone = asking.subject.expiry_reason(live)
        if gone is not None:
            await self._close_proposal(
                live, asking, "expired", f"Proposal {asking.proposal.number} has expired: {gone}"
            )
            raise Refused(gone)

    async def _close_proposal(
        self, live: LiveGame, asking: OpenProposal, state: proposals.State, text: str
    ) -> None:
        posts, now = table_note(text), self._tables.clock()
        await proposals.close_proposal(self._db, asking.proposal, state, seq=live.seq, notices=posts, now=now)
        self._tables.on_notice(live.id)


def _subject(proposal: StoredProposal) -> Subject:
    return SUBJECTS[proposal.kind].read(proposal.payload)


def _asking(live: LiveGame, proposal: StoredProposal, votes: Sequence[proposals.Vote]) -> OpenProposal:
    subject = _subject(proposal)
    return OpenProposal(proposal, subject, subject.electorate(live, proposal.by_user), votes)


def _unknown(game_id: int, number: int) -> Refused:
    return Refused(f"There is no proposal {number} in game {game_id}.")


async def message_of(db: Database, proposal: StoredProposal) -> int | None:
    """A proposal's message in its game's thread, if posted."""
    there = await messages.newest_of_role(db, proposal.game_id, "proposal", str(proposal.number))
    return None if there is None else there.message_id


async def pinged_for(db: Database, asking: OpenProposal, now: str) -> list[int]:
    """The users whom an open proposal pings, without those pinged recently for another one."""
    if asking.proposal.state != "open":
        return []
    since = format_timestamp(parse_timestamp(now) - QUIET_FOR)
    lately = await proposals.pinged_since(db, asking.proposal.game_id, since)
    others = [user for user in asking.electorate.asked if user != asking.proposal.by_user]
    return [user for user in others if user not in lately]
