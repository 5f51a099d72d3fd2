"""The order to run a company's trains."""

from collections.abc import Sequence
from typing import Final

from engine.core.cursor import Cursor
from engine.core.events import Event
from engine.core.facts import Fact, fact
from engine.core.offers import Offer
from engine.orders.concerns import concerns
from engine.orders.kinds import RunBest
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


def _best(offer: Offer) -> Cursor | Fact:
    """The suggested routes, if no others earn more."""
    found = next((one for one in offer.suggest() if one.label.name == BEST), None)
    if found is None:
        return fact("order.not_proven", company=offer.entity)
    return Cursor(offer).take(found.chosen)
