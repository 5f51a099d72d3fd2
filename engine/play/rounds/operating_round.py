"""The operating round (18Chesapeake 11)."""

from collections.abc import Iterator, Sequence

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.play.flow import next_company, start_company_turn
from engine.play.rounds.base import Round
from engine.play.steps.base import CompanyStep, Request, Step
from engine.play.table import Table


class OperatingRound(Round):
    """Privates pay, then every floated company operates once, highest price first."""

    def __init__(
        self, *turn: CompanyStep, anytime: Sequence[Step] = (), at_once: Sequence[Step] = ()
    ) -> None:
        """`turn` in order; `anytime` during any step of it; `at_once` before the turn continues."""
        super().__init__((*turn, *anytime, *at_once))
        self.turn = turn
        self._anytime = tuple(anytime)
        self._at_once = tuple(at_once)

    def own(self, t: Table) -> Iterator[Step]:
        """The company's turn."""
        now = t.operating
        if now.turn is not None:
            yield from self._at_once
        for step in self.turn:
            if now.turn is None:
                return  # it has left the game
            if step.name not in now.turn.done:
                yield step

    def anytime(self, t: Table) -> Iterator[Step]:
        """What the company may do at any time of its turn; agreeing to stop."""
        if t.operating.turn is not None:
            yield from self._anytime
        yield from super().anytime(t)

    def advance(self, t: Table) -> None:
        """The next company, the next round, or the end of the set."""
        next_company(t)

    def why_not(self, t: Table, waiting: Step, request: Request) -> Fact | None:
        """What is done at once comes before everything else of the turn; other companies are not asked in it."""
        if waiting in self._at_once and not any(request.kind in step.kinds for step in self.anytime(t)):
            return waiting.why_not(t, request)
        if not waiting.exclusive and request.entity in t.state.companies and request.entity != t.company.id:
            return fact("turn.of_another", company=t.company.id, entity=request.entity)
        return super().why_not(t, waiting, request)

    def hand_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """The turn of the player's next company (of the first one again, where all have operated) at that step."""
        own = [c for c in t.operating_order() if c.floated and c.president == player]
        ahead = [c for c in own if c.id not in t.operating.done] or own
        if not ahead:
            return False
        start_company_turn(t, ahead[0])
        names = [step.name for step in self.turn]
        wanted = next((step.name for step in self.turn if kind in step.kinds), names[0])
        t.turn.done = names[: names.index(wanted)] if kind != "pass" else []
        return True

    def may_mean(self, t: Table, request: Request) -> bool:
        """Presidents act for a company, or by one of its privates."""
        if request.entity in t.state.companies:
            return True
        turn, private = t.operating.turn, t.state.privates.get(request.entity or "")
        return turn is not None and private is not None and private.owner == turn.company

    def out_of_place(self, t: Table, request: Request) -> Fact | None:
        """The order of the turn (18Chesapeake 11): where the action belongs next. Passing has no place of its own."""
        if t.operating.turn is None or request.kind == "pass":
            return None
        found = [step for step in self.turn if request.kind in step.kinds]
        ahead = [step for step in found if step.name not in t.turn.done] or found[-1:]
        return ahead[0].why_not_now(t, request) if ahead else None
