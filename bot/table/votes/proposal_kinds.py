"""Base classes and texts for all kinds of proposals: subject, voters, and outcome of the vote."""

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Self

from bot.table.live import LiveGame
from bot.table.markdown import discord_time
from bot.table.tables import Tables
from storage import (
    StoredProposal,
    parse_timestamp,
    proposals,
)


@dataclass(frozen=True, slots=True)
class Electorate:
    """The users who may vote on a proposal, and how many must agree."""

    users_who_must_agree: tuple[int, ...] = ()
    """Users who must all agree; a no from any of them refuses the proposal."""
    voters: tuple[int, ...] = ()
    """Users of whom at least `votes_needed` must agree."""
    votes_needed: int = 0
    users_who_may_refuse: tuple[int, ...] = ()
    """Users who need not agree, but can refuse the proposal with a no."""
    needs_moderator: bool = False
    """True if a moderator must agree, since no second player can vote."""
    proposer: int = field(kw_only=True)
    """The user who made the proposal. A moderator who must agree must be somebody else."""

    @property
    def possible_voters(self) -> tuple[int, ...]:
        """All users who may vote. Moderators are not among them, unless they play."""
        return tuple(dict.fromkeys((*self.users_who_must_agree, *self.users_who_may_refuse, *self.voters)))

    def may_answer(self, user: int, *, is_moderator: bool) -> bool:
        """True if this user may vote."""
        return user in self.possible_voters or (
            is_moderator and self.needs_moderator and user != self.proposer
        )

    def verdict(self, votes: Sequence[proposals.Vote]) -> proposals.ProposalState:
        """The state of the proposal after these votes: open, accepted or refused."""
        agreeing_users = {vote.user_id for vote in votes if vote.agrees}
        refusing_users = {vote.user_id for vote in votes if not vote.agrees}
        # A vote of a user whose seat has a new holder counts neither as a player's nor as a moderator's.
        moderator_votes = [
            vote
            for vote in votes
            if self.needs_moderator and vote.user_id not in (self.proposer, *self.possible_voters)
        ]
        possible_vote_count = len(self.voters) - sum(user in refusing_users for user in self.voters)
        is_refused = not refusing_users.isdisjoint(
            (*self.users_who_must_agree, *self.users_who_may_refuse)
        ) or not all(v.agrees for v in moderator_votes)
        if is_refused or possible_vote_count < self.votes_needed:
            return "refused"
        has_enough_votes = (
            agreeing_users.issuperset(self.users_who_must_agree)
            and self.agreed_count(votes) >= self.votes_needed
        )
        return "accepted" if has_enough_votes and (moderator_votes or not self.needs_moderator) else "open"

    def agreed_count(self, votes: Sequence[proposals.Vote]) -> int:
        """The number of users among `voters` who have agreed."""
        return sum(vote.agrees for vote in votes if vote.user_id in self.voters)


@dataclass(frozen=True, slots=True)
class ProposalSubject(ABC):
    """The content of a proposal: what would be done, such as an undo. Each kind of proposal has a subclass.

    Its fields are stored as JSON with the proposal.
    """

    kind: ClassVar[str]
    changes_position: ClassVar[bool] = False
    """True if the proposal changes the game's position. It is possible only while moves are possible."""

    @classmethod
    def read(cls, payload: str) -> Self:
        """The subject parsed from a payload (JSON)."""
        return cls(**json.loads(payload))

    def payload(self) -> str:
        """The subject as JSON, to be stored with the proposal."""
        return json.dumps(asdict(self))

    @abstractmethod
    def describe(self) -> str:
        """The proposal in words: `<@5> takes over the seat of **Ann**`."""

    @abstractmethod
    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The users who may vote if `by_user` makes the proposal."""

    @abstractmethod
    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void now; None if it is valid."""

    def is_outdated(self, seq: int) -> bool:
        """True if the game has moved on, so that the proposal is for an earlier position; `seq` is the last log row."""
        del seq
        return False

    def absent_user(self) -> int | None:
        """The absent user whose seat the proposal would give away; None for other kinds of proposals.

        If this user acts, the proposal is closed.
        """
        return None

    async def require_allowed(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused if `by_user` may not propose this now, or if nobody may accept it now."""
        del tables, live, by_user

    @abstractmethod
    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Do what was proposed, in a locked game, and mark the proposal as accepted in the same transaction."""


@dataclass(frozen=True, slots=True)
class ProposalWithVotes:
    """A proposal with its subject, voters and votes so far."""

    proposal: StoredProposal
    subject: ProposalSubject
    electorate: Electorate
    votes: Sequence[proposals.Vote]

    def state(self) -> proposals.ProposalState:
        """The state of the proposal according to its votes: open, accepted or refused."""
        return self.electorate.verdict(self.votes)


def proposal_title(proposal: StoredProposal, subject: ProposalSubject) -> str:
    """The title line of a proposal: `Proposal 3: <@5> takes over the seat of **Ann**`."""
    return f"Proposal {proposal.number}: {subject.describe()}"


def open_proposal_text(open_proposal: ProposalWithVotes) -> str:
    """The message of an open proposal: title, proposer, voters, and deadline."""
    proposal, electorate, votes = open_proposal.proposal, open_proposal.electorate, open_proposal.votes
    lines = [f"{proposal_title(proposal, open_proposal.subject)}, proposed by <@{proposal.by_user}>."]
    users_who_agreed = [vote.user_id for vote in votes if vote.agrees]
    lines += _required_votes_lines(electorate, users_who_agreed)
    if electorate.voters:
        lines.append(
            f"Votes so far: {electorate.agreed_count(votes)} of the {electorate.votes_needed} needed. "
            f"{_mentions(electorate.voters)} can vote."
        )
    if electorate.needs_moderator:
        lines.append("A moderator must also agree.")
    if electorate.users_who_may_refuse:
        lines.append(f"{_mentions(electorate.users_who_may_refuse)} can also refuse it.")
    expiry_time = parse_timestamp(proposal.until)
    return "\n".join(
        [*lines, f"-# It expires {discord_time(expiry_time, 'R')}, at {discord_time(expiry_time)}."]
    )


def closed_proposal_text(proposal: StoredProposal, subject: ProposalSubject) -> str:
    """The message of a closed proposal: title, proposer, and outcome."""
    outcome_text = proposal.why or ("has expired" if proposal.state == "expired" else f"was {proposal.state}")
    return f"{proposal_title(proposal, subject)}, proposed by <@{proposal.by_user}>.\n-# It {outcome_text}."


def _required_votes_lines(electorate: Electorate, users_who_agreed: Sequence[int]) -> list[str]:
    agreed_users = [user for user in electorate.users_who_must_agree if user in users_who_agreed]
    waiting_users = [user for user in electorate.users_who_must_agree if user not in users_who_agreed]
    lines = (
        [f"{_mentions(agreed_users)} {'has' if len(agreed_users) == 1 else 'have'} agreed."]
        if agreed_users
        else []
    )
    return lines + ([f"{_mentions(waiting_users)}, do you agree?"] if waiting_users else [])


def _mentions(users: Sequence[Any]) -> str:
    return ", ".join(f"<@{user}>" for user in users)


def proposal_made_text(proposal: StoredProposal) -> str:
    """The private reply to the user who made the proposal."""
    return f"You have made proposal {proposal.number}. The thread asks the players who must agree."


def more_than_half(users: tuple[int, ...]) -> int:
    """The least number of these users that is more than half of them; 0 if there are no users."""
    return len(users) // 2 + 1 if users else 0
