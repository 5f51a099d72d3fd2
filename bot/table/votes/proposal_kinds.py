"""The common parts of all kinds of proposals: voters, the result of their votes, and texts."""

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
    """The users who vote on a proposal, by Discord ids."""

    must_agree: tuple[int, ...] = ()
    """Users who must all agree; each of them can refuse the proposal."""
    voters: tuple[int, ...] = ()
    """Users of whom `votes_needed` must agree."""
    votes_needed: int = 0
    may_refuse: tuple[int, ...] = ()
    """Users who can refuse the proposal but need not agree."""
    needs_moderator: bool = False
    """True if a moderator must agree, since no second player can vote."""
    proposer: int = field(kw_only=True)
    """The user who made the proposal; they cannot vote as a moderator."""

    @property
    def asked(self) -> tuple[int, ...]:
        """All users whom the proposal mentions."""
        return tuple(dict.fromkeys((*self.must_agree, *self.may_refuse, *self.voters)))

    def may_answer(self, user: int, *, is_moderator: bool) -> bool:
        """True if a user may vote: as one of these users, or as a moderator if one must agree."""
        return user in self.asked or (is_moderator and self.needs_moderator and user != self.proposer)

    def verdict(self, votes: Sequence[proposals.Vote]) -> proposals.ProposalState:
        """The state of the proposal that these votes lead to."""
        agreeing = {vote.user_id for vote in votes if vote.agrees}
        refusing = {vote.user_id for vote in votes if not vote.agrees}
        # A vote of a user whose seat has a new holder counts neither as a player's nor as a moderator's.
        moderator_votes = [
            vote
            for vote in votes
            if self.needs_moderator and vote.user_id not in (self.proposer, *self.asked)
        ]
        votes_possible = len(self.voters) - sum(user in refusing for user in self.voters)
        is_refused = not refusing.isdisjoint((*self.must_agree, *self.may_refuse)) or not all(
            v.agrees for v in moderator_votes
        )
        if is_refused or votes_possible < self.votes_needed:
            return "refused"
        has_enough = agreeing.issuperset(self.must_agree) and self.agreed_count(votes) >= self.votes_needed
        return "accepted" if has_enough and (moderator_votes or not self.needs_moderator) else "open"

    def agreed_count(self, votes: Sequence[proposals.Vote]) -> int:
        """The number of `voters` who agreed."""
        return sum(vote.agrees for vote in votes if vote.user_id in self.voters)


@dataclass(frozen=True, slots=True)
class Subject(ABC):
    """The subject of a proposal. Its fields are stored as JSON in the proposal's payload."""

    kind: ClassVar[str]
    changes_position: ClassVar[bool] = False
    """True if it changes the position, so that the game must accept moves."""

    @classmethod
    def read(cls, payload: str) -> Self:
        """The subject stored in a payload."""
        return cls(**json.loads(payload))

    def payload(self) -> str:
        """The payload that stores this subject."""
        return json.dumps(asdict(self))

    @abstractmethod
    def describe(self) -> str:
        """The proposal in words: `<@5> takes over the seat of **Ann**`."""

    @abstractmethod
    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The users who vote on a proposal made by `by_user`."""

    @abstractmethod
    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal is void; None if it is not."""

    def is_overtaken(self, seq: int) -> bool:
        """True if it was made for an earlier position than the one after row `seq`."""
        del seq
        return False

    def absent_user(self) -> int | None:
        """The absent user about whose seat the proposal is; it ends if they act. None if it is not about a seat."""
        return None

    async def require_allowed(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused if `by_user` may not propose this now, or nobody may accept it now."""
        del tables, live, by_user

    @abstractmethod
    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Do what was proposed, in a locked game, and accept the proposal in the same transaction."""


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal with its subject, its voters and their votes."""

    proposal: StoredProposal
    subject: Subject
    electorate: Electorate
    votes: Sequence[proposals.Vote]

    def state(self) -> proposals.ProposalState:
        """The state that these votes lead to."""
        return self.electorate.verdict(self.votes)


def proposal_title(proposal: StoredProposal, subject: Subject) -> str:
    """The title of a proposal: `Proposal 3: <@5> takes over the seat of **Ann**`."""
    return f"Proposal {proposal.number}: {subject.describe()}"


def open_proposal_text(open_proposal: OpenProposal) -> str:
    """The text of an open proposal: subject, proposer, voters, and deadline."""
    proposal, electorate, votes = open_proposal.proposal, open_proposal.electorate, open_proposal.votes
    lines = [f"{proposal_title(proposal, open_proposal.subject)}, proposed by <@{proposal.by_user}>."]
    agreed = [vote.user_id for vote in votes if vote.agrees]
    lines += _required_votes_lines(electorate, agreed)
    if electorate.voters:
        lines.append(
            f"Votes so far: {electorate.agreed_count(votes)} of the {electorate.votes_needed} needed. "
            f"{_mentions(electorate.voters)} can vote."
        )
    if electorate.needs_moderator:
        lines.append("A moderator must also agree.")
    if electorate.may_refuse:
        lines.append(f"{_mentions(electorate.may_refuse)} can also refuse it.")
    ends = parse_timestamp(proposal.until)
    return "\n".join([*lines, f"-# It expires {discord_time(ends, 'R')}, at {discord_time(ends)}."])


def closed_proposal_text(proposal: StoredProposal, subject: Subject) -> str:
    """The text of a closed proposal."""
    outcome_text = proposal.why or ("has expired" if proposal.state == "expired" else f"was {proposal.state}")
    return f"{proposal_title(proposal, subject)}, proposed by <@{proposal.by_user}>.\n-# It {outcome_text}."


def _required_votes_lines(electorate: Electorate, agreed: Sequence[int]) -> list[str]:
    agreed_users = [user for user in electorate.must_agree if user in agreed]
    waiting_users = [user for user in electorate.must_agree if user not in agreed]
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


def more_than_half(people: tuple[int, ...]) -> int:
    """The smallest number that is more than half of these users; 0 if there are none."""
    return len(people) // 2 + 1 if people else 0
