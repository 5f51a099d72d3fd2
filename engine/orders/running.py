"""Orders for the turns of a company: running its trains, and skipping its track or tokens."""

from collections.abc import Sequence
from typing import Final

from engine.core.cursor import Cursor
from engine.core.events import Event
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.orders.concerns import concerns
from engine.orders.kinds import RunBest, SkipStep
from engine.play.steps.revenue.dividend import DividendStep
from engine.play.steps.revenue.run import RunStep
from engine.seat import Seat

BEST: Final = "choice.best_run"
"""The name of a suggested run that is proven best."""
TRAINS_GO: Final = frozenset({"order.rusted", "order.obsolete"})
"""What concerns a president whose trains are affected."""


def run_best(here: Seat, order: RunBest) -> Cursor | Fact | None:
    """To run the best routes, and to pay or keep what they earn.

    Anything but the ordinary run, or that may be done in addition to it, is the president's decision.
    """
    step = here.game.step()
    if step is None or [offer.entity for offer in here.asked] != [order.company]:
        return None
    if step.name == RunStep.name:
        return _best(here.asked[0])
    return here.walk("dividend", {"option": order.dividend}) if step.name == DividendStep.name else None


def run_best_ends(here: Seat, order: RunBest, events: Sequence[Event]) -> Fact | None:
    """The company has another president or is no more, or trains of it have rusted."""
    if not here.presides(order.company):
        return fact("order.not_president", company=order.company)
    found = concerns(here, events)
    return next((why for about, why in found if about == order.company and why.name in TRAINS_GO), None)


def skip_step(here: Seat, order: SkipStep) -> Cursor | None:
    """To decline the step; the president decides while a private is theirs that was bought for this turn's track."""
    step = here.game.step()
    if step is None or step.name != order.step or here.table.turn.company != order.company:
        return None
    return None if here.table.turn.at_once else here.decline()


def skip_step_ends(here: Seat, order: SkipStep) -> Fact | None:
    """The company has another president or is no more, or the phase is over that the order was given for."""
    if not here.presides(order.company):
        return fact("order.not_president", company=order.company)
    over = order.phase not in (None, here.table.phase.name)
    return fact("order.phase_over", phase=order.phase) if over else None


def _best(offer: Offer) -> Cursor | Fact:
    """The suggested routes, if no others earn more."""
    found = next((one for one in offer.suggest() if one.label.name == BEST), None)
    if found is None:
        return fact("order.not_proven", company=offer.entity)
    return Cursor(offer).take(found.chosen)
