"""The operating round (rulebook 11)."""

from collections.abc import Iterator, Sequence

from engine.core.facts import Fact
from engine.play.flow import next_company
from engine.play.rounds.base import Round
from engine.play.steps.base import CompanyStep, Step, Wish
from engine.play.table import Table


class OperatingRound(Round):
    """Privates pay, then every floated company operates once, highest price first."""

    def __init__(
        self, *turn: CompanyStep, anytime: Sequence[Step] = (), at_once: Sequence[Step] = ()
    ) -> None:
        """`turn` in order; `anytime` beside any step of it; `at_once` before the turn goes on."""
        super().__init__((*turn, *anytime, *at_once))
        self.turn = turn
        self._anytime = tuple(anytime)
        self._at_once = tuple(at_once)

    def own(self, t: Table) -> Iterator[Step]:
        """The company's turn."""
        if t.operating.turn is not None:
            yield from self._at_once
            yield from (step for step in self.turn if step.name not in t.turn.done)

    def anytime(self, t: Table) -> Iterator[Step]:
        """What the company may do at any time of its turn; agreeing to stop."""
        if t.operating.turn is not None:
            yield from self._anytime
        yield from super().anytime(t)

    def advance(self, t: Table) -> None:
        """The next company, the next round, or the end of the set."""
        next_company(t)

    def out_of_place(self, t: Table, wish: Wish) -> Fact | str | None:
        """The order of the turn (11)."""
        if t.operating.turn is None:
            return None
        found = next((step for step in self.turn if wish.kind in step.kinds), None)
        return None if found is None else found.why_not_now(t, wish)
