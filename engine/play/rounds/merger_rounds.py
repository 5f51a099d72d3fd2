"""Merger rounds: small companies in operating order, or players who propose in turn."""

from collections.abc import Iterator

from engine.core.ids import PlayerId
from engine.play.flow import next_round
from engine.play.mergers.merger_proposals import all_passed
from engine.play.mergers.pairs import formed, merger, small, waiting
from engine.play.rounds.base import Round
from engine.play.steps.base import Request, Step
from engine.play.steps.mergers.merge import MergeStep
from engine.play.steps.mergers.merge_shares import MergeSharesStep
from engine.play.steps.mergers.merge_token import ReturnTokenStep
from engine.play.steps.mergers.propose_merger import ProposeMergerStep
from engine.play.steps.mergers.redistribute import FirstShuffleStep
from engine.play.table import Table


class MergerRound(Round):
    """Small companies in operating order: each merges, converts or stays; who formed a large one completes it first.

    Rules: R-NE-120, R-NE-127.
    """

    def __init__(self, merge: MergeStep) -> None:
        self._own: tuple[Step, ...] = (ReturnTokenStep(), MergeSharesStep(), merge)
        super().__init__(self._own)

    def own(self, t: Table) -> Iterator[Step]:
        """A company just formed comes first."""
        return iter(self._own)

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """The turn of the player's next company, unless one just formed comes first."""
        own = [company.id for company in small(t) if company.president == player]
        if own and formed(t) is None:
            merger(t).done = [one for one in merger(t).done if one not in own]
            merger(t).done += [one.id for one in small(t) if one.id not in own]
        return bool(own) and formed(t) is None

    def advance(self, t: Table) -> None:
        """A president with nothing to decide is passed over; after the last one the next round begins."""
        company = waiting(t)
        if company is None:
            next_round(t)
        else:
            merger(t).done.append(company.id)


class ProposalRound(Round):
    """Turns clockwise from the priority deal until all pass one after the other.

    Rules: R-C2C-220.
    """

    def __init__(self) -> None:
        self._own: tuple[Step, ...] = (FirstShuffleStep(), ProposeMergerStep())
        super().__init__(self._own)

    def own(self, t: Table) -> Iterator[Step]:
        """A company just merged comes first."""
        return iter(self._own)

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """The player's turn to propose, unless a company just merged comes first."""
        merger(t).turn = t.state.seat(player)
        return merger(t).formed is None

    def may_mean(self, t: Table, request: Request) -> bool:
        """Players propose for nobody else."""
        return False

    def advance(self, t: Table) -> None:
        """After the last pass the next round begins."""
        if all_passed(t) and merger(t).formed is None:
            next_round(t)
