"""The kinds of proposals: who is asked, when votes are enough, and texts."""

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
    """The users asked about a proposal, by Discord ids."""

    must: tuple[int, ...] = ()
    """Each of these has to agree, and can refuse it alone."""
    voters: tuple[int, ...] = ()
    """Of these `needed` have to agree."""
    needed: int = 0
    may_refuse: tuple[int, ...] = ()
    """These can refuse it, and are not asked."""
    moderator: bool = False
    """True if a moderator must agree: where there are two players, in place of the second vote."""
    by: int = field(kw_only=True)
    """The proposer, whose vote is not a second one."""

    @property
    def asked(self) -> tuple[int, ...]:
        """Everybody asked, for mentions."""
        return tuple(dict.fromkeys((*self.must, *self.may_refuse, *self.voters)))

    def may_answer(self, user: int, *, moderates: bool) -> bool:
        """True if a user may vote: one who is asked, or a moderator where one must agree."""
        return user in self.asked or (moderates and self.moderator and user != self.by)

    def verdict(self, votes: Sequence[proposals.Vote]) -> proposals.State:
        """The proposal's state by the votes."""
        for_it = {vote.user_id for vote in votes if vote.agrees}
        against = {vote.user_id for vote in votes if not vote.agrees}
        # A user who is asked no more, since the seat has a new holder, has no vote.
        beside = [vote for vote in votes if self.moderator and vote.user_id not in (self.by, *self.asked)]
        left = len(self.voters) - sum(user in against for user in self.voters)
        vetoed = not against.isdisjoint((*self.must, *self.may_refuse)) or not all(v.agrees for v in beside)
        if vetoed or left < self.needed:
            return "refused"
        enough = for_it.issuperset(self.must) and self.agreed_count(votes) >= self.needed
        return "accepted" if enough and (beside or not self.moderator) else "open"

    def agreed_count(self, votes: Sequence[proposals.Vote]) -> int:
        """Number of voters who agreed."""
        return sum(vote.agrees for vote in votes if vote.user_id in self.voters)


@dataclass(frozen=True, slots=True)
class Subject(ABC):
    """The subject of a proposal, stored as its payload."""

    kind: ClassVar[str]
    acts: ClassVar[bool] = False
    """True if it changes the position, and needs a running game."""

    @classmethod
    def read(cls, payload: str) -> Self:
        """The subject in a payload."""
        return cls(**json.loads(payload))

    def payload(self) -> str:
        """The subject as a payload."""
        return json.dumps(asdict(self))

    @abstractmethod
    def says(self) -> str:
        """The proposal in words: `<@5> takes over the seat of **Ann**`."""

    @abstractmethod
    def electorate(self, live: LiveGame, by_user: int) -> Electorate:
        """The users asked about a proposal of `by_user`."""

    @abstractmethod
    def expiry_reason(self, live: LiveGame) -> str | None:
        """The reason why the proposal has lost its purpose; None if it has not."""

    def is_overtaken(self, seq: int) -> bool:
        """True if the proposal concerns a position that the game has left."""
        del seq
        return False

    def absent_user(self) -> int | None:
        """The user whose seat is concerned, and who ends the proposal by acting; None otherwise."""
        return None

    async def require(self, tables: Tables, live: LiveGame, by_user: int) -> None:
        """Raise Refused while `by_user` may not propose it, or it may not be accepted."""
        del tables, live, by_user

    @abstractmethod
    async def carry_out(self, tables: Tables, live: LiveGame, proposal: StoredProposal) -> None:
        """Carry the proposal out in a locked game, and close it in the same transaction."""


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal with its subject and votes."""

    proposal: StoredProposal
    subject: Subject
    electorate: Electorate
    votes: Sequence[proposals.Vote]

    def state(self) -> proposals.State:
        """The state by the votes."""
        return self.electorate.verdict(self.votes)


def titled(proposal: StoredProposal, subject: Subject) -> str:
    """A proposal's title: `Proposal 3: <@5> takes over the seat of **Ann**`."""
    return f"Proposal {proposal.number}: {subject.says()}"


def asking_text(asking: OpenProposal) -> str:
    """The text of an open proposal: subject, proposer, voters, and deadline."""
    proposal, asked, votes = asking.proposal, asking.electorate, asking.votes
    lines = [f"{titled(proposal, asking.subject)}, proposed by <@{proposal.by_user}>."]
    agreed = [vote.user_id for vote in votes if vote.agrees]
    lines += _each(asked, agreed)
    if asked.voters:
        lines.append(
            f"{asked.agreed_count(votes)} of {asked.needed} needed so far; {_people(asked.voters)} can vote."
        )
    if asked.moderator:
        lines.append("A moderator must also agree.")
    if asked.may_refuse:
        lines.append(f"{_people(asked.may_refuse)} can also refuse it.")
    ends = parse_timestamp(proposal.until)
    return "\n".join([*lines, f"-# It expires {discord_time(ends, 'R')}, at {discord_time(ends)}."])


def settled_text(proposal: StoredProposal, subject: Subject) -> str:
    """The text of a closed proposal."""
    fate = proposal.why or ("has expired" if proposal.state == "expired" else f"was {proposal.state}")
    return f"{titled(proposal, subject)}, proposed by <@{proposal.by_user}>.\n-# It {fate}."


def _each(asked: Electorate, agreed: Sequence[int]) -> list[str]:
    done = [user for user in asked.must if user in agreed]
    waiting = [user for user in asked.must if user not in agreed]
    have = [f"{_people(done)} {'has' if len(done) == 1 else 'have'} agreed."] if done else []
    return have + ([f"{_people(waiting)}, do you agree?"] if waiting else [])


def _people(users: Sequence[Any]) -> str:
    return ", ".join(f"<@{user}>" for user in users)


def made_text(proposal: StoredProposal) -> str:
    """The answer to the proposer."""
    return f"You have made proposal {proposal.number}. The thread asks the players who must agree."


def more_than_half(people: tuple[int, ...]) -> int:
    """More than half of a number, in words; `none` for zero."""
    return len(people) // 2 + 1 if people else 0
