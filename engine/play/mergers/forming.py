"""Forming a large company of small ones: price, certificate, and what it takes over."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.board.map import StopId
from engine.core.events import Formed, TokenReturned
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, TrainName
from engine.core.state import Company, Fresh
from engine.play.shares import holdings
from engine.play.shares.closing import close_company
from engine.play.shares.founding import set_par
from engine.play.table import Table


@dataclass(frozen=True, slots=True)
class Plan:
    """What small companies of one president would become: the par price, and what they pay the new company for it."""

    minors: tuple[CompanyId, ...]
    """The one on turn first."""
    par: int
    paid: int = 0

    def treasury(self, t: Table) -> int:
        """Dollars the new company begins with."""
        return self.paid + sum(t.cash(minor) for minor in self.minors)

    def trains(self, t: Table) -> list[TrainName]:
        """Trains it begins with."""
        return [train for minor in self.minors for train in t.state.companies[minor].trains]

    def tokens(self, t: Table) -> list[StopId]:
        """Where the tokens lie that it takes over."""
        return [stop for minor in self.minors for stop in t.map.tokens_of(minor)]


def outlook(t: Table, plan: Plan, major: Company) -> Fact:
    """What the new company begins with, for menus."""
    tokens = plan.tokens(t)
    hexes = tuple(dict.fromkeys(coord for coord, _ in tokens))
    name = "merger.tokens" if len(hexes) == len(tokens) else "merger.token_goes_back"
    trains = tuple(plan.trains(t))
    return fact(
        "choice.major",
        major=major.id,
        treasury=plan.treasury(t),
        trains=fact("sheet.trains", trains=" ".join(trains)) if trains else fact("sheet.no_trains"),
        tokens=fact(name, hexes=hexes, left=prices(major.tokens[len(hexes) :])),
    )


def prices(amounts: Sequence[int]) -> tuple[Fact, ...]:
    """Dollars, each as a fact."""
    return tuple(fact("choice.dollars", amount=amount) for amount in amounts)


def form(t: Table, plan: Plan, major: Company) -> None:
    """The president gets the certificate, the new company all that the small ones had; they close.

    Rules: R-NE-121, R-NE-123, R-NE-126.
    """
    player = t.president(plan.minors[0]).id
    event = Formed(
        player=player,
        company=major.id,
        minors=plan.minors,
        par=plan.par,
        percent=major.certificate,
        paid=plan.paid,
        treasury=plan.treasury(t),
        trains=tuple(plan.trains(t)),
        tokens=tuple(coord for coord, _ in plan.tokens(t)),
    )
    set_par(t, major, plan.par)
    holdings.give_certificate(major, player)
    t.pay(player, major.id, plan.paid)
    _take_over(t, plan, major)
    major.floated = major.operated = True
    t.state.fresh = Fresh(major.id, tokens=t.map.tokens_of(major.id))
    t.emit(event)
    for minor in plan.minors:
        close_company(t, t.state.companies[minor])


def _take_over(t: Table, plan: Plan, major: Company) -> None:
    """Treasuries, trains and tokens of the small companies; each token takes the next place of the charter.

    Rules: R-NE-124.
    """
    for name in plan.minors:
        minor = t.state.companies[name]
        t.pay(name, major.id, minor.cash)
        major.trains += minor.trains
        minor.trains = []
        for coord, stop in t.map.tokens_of(name):
            t.map.replace_token(coord, stop, name, major.id)
            major.tokens.pop(0)


def doubled(t: Table, company: Company) -> list[StopId]:
    """Stops of a hex where the company has two tokens and returns one; a stop with both counts once."""
    tokens = t.map.tokens_of(company.id)
    found = {coord: [stop for stop in tokens if stop[0] == coord] for coord, _ in tokens}
    several = (stops for coord, stops in found.items() if len(stops) > 1 or _twice(t, company, *stops[0]))
    return next(several, [])


def _twice(t: Table, company: Company, coord: str, stop: int) -> bool:
    return t.map.slots(coord, stop).count(company.id) > 1


def take_back(t: Table, company: Company, coord: str, stop: int) -> None:
    """A token goes back to the place of the charter that was used last.

    Rules: R-NE-124.
    """
    charter = t.spec.companies[company.id].tokens
    price = charter[-1 - len(company.tokens)]
    t.map.remove_token(coord, stop, company.id)
    company.tokens.insert(0, price)
    t.emit(TokenReturned(company.id, coord, price))
