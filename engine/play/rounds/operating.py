"""The operating round (rulebook 11)."""

from collections.abc import Iterator

from engine.play.flow import next_company
from engine.play.rounds.base import Round
from engine.play.steps.bankruptcy import BankruptcyStep
from engine.play.steps.base import CompanyStep, Step
from engine.play.steps.companies import BuyPrivateStep, LastChanceStep
from engine.play.steps.consent import ConsentStep
from engine.play.steps.discard import DiscardStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_vote import EndVoteStep
from engine.play.steps.free_token import FreeTokenStep
from engine.play.steps.run import RunStep
from engine.play.steps.token import TokenStep
from engine.play.steps.track import TrackStep
from engine.play.steps.trains import TrainsStep
from engine.play.table import Table

TURN: tuple[CompanyStep, ...] = (
    TrackStep(),
    TokenStep(),
    RunStep(),
    DividendStep(),
    TrainsStep(),
    LastChanceStep(),
)
"""A company's turn as most titles have it (11.2), in order."""

ANYTIME: tuple[Step, ...] = (BuyPrivateStep(), BankruptcyStep())
"""What a company may do at any time of its turn: buy privates, give up."""


class OperatingRound(Round):
    """Privates pay, then every floated company operates once, highest price first."""

    def name(self, t: Table) -> str:
        """As players call it."""
        return f"OR {t.operating.set}.{t.operating.number}"

    def steps(self, t: Table) -> Iterator[Step]:
        """What others must settle first, then the company's turn."""
        yield ConsentStep()
        yield DiscardStep()
        if t.operating.turn is not None:
            yield FreeTokenStep()
            yield from (step for step in t.rules.operating_steps(t) if step.name not in t.turn.done)

    def anytime(self, t: Table) -> Iterator[Step]:
        """What the company may do at any time of its turn; agreeing to stop."""
        if t.operating.turn is not None:
            yield from t.rules.operating_anytime(t)
        yield EndVoteStep()

    def advance(self, t: Table) -> None:
        """The next company, the next round, or the end of the set."""
        next_company(t)
