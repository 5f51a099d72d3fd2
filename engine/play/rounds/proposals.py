"""The merger round in which players propose in turn."""

from collections.abc import Iterator

from engine.core.ids import PlayerId
from engine.play.flow import next_round
from engine.play.mergers.pairs import merger
from engine.play.mergers.proposals import all_passed
from engine.play.rounds.base import Round
from engine.play.steps.base import Request, Step
from engine.play.steps.mergers.propose_merger import ProposeMergerStep
from engine.play.steps.mergers.redistribute import FirstShuffleStep
from engine.play.table import Table


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
