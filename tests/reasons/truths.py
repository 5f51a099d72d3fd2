"""What is so in a position, read from plain facts: cash, shares, holdings, tables; no rule code of the engine."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

from engine.core.facts import Fact
from engine.core.state import Company, CompanyTurn, Operating
from engine.game import Game
from engine.play.steps.base import Request


@dataclass
class Seen:
    """A position, a request in it, and the values of the reason that was given."""

    game: Game
    request: Request
    values: Mapping[str, Any]

    @classmethod
    def of(cls, game: Game, request: Request, reason: Fact) -> "Seen":
        """What is to be looked at to judge the reason."""
        return cls(game, request, reason.values)

    def __post_init__(self) -> None:
        self.t = self.game.table
        self.state = self.t.state
        self.spec = self.t.spec
        self.given = self.request.given

    @property
    def title(self) -> str:
        """The title; variants share most of what is printed."""
        return "18chesapeake" if self.spec.id.startswith("18chesapeake") else self.spec.id

    # --- who and where --------------------------------------------------------------------------------------------

    @property
    def step(self) -> str:
        """The step that waits."""
        step = self.game.step()
        assert step is not None
        return step.name

    @property
    def turn(self) -> CompanyTurn:
        """The turn of the operating company."""
        now = self.state.round
        assert isinstance(now, Operating)
        assert now.turn is not None
        return now.turn

    @cached_property
    def mine(self) -> Company:
        """The operating company."""
        return self.state.companies[self.turn.company]

    @property
    def company(self) -> Company:
        """The company that the reason names."""
        return self.state.companies[self.values["company"]]

    def is_minor(self, name: str) -> bool:
        """Whether a company of 18NewEngland is a minor."""
        return self.spec.companies[name].kind == "minor"

    # --- money and shares -----------------------------------------------------------------------------------------

    def cash(self, name: str) -> int:
        """What a player or company has, in dollars."""
        if name in self.state.companies:
            return self.state.companies[name].cash
        return next(player.cash for player in self.state.players if player.id == name)

    def held(self, player: str, company: Company) -> int:
        """Percent of a company in somebody's hands."""
        own = company.certificate if company.certificate_holder == player else 0
        return own + company.shares.get(player, 0)

    def price(self, company: Company) -> int:
        """The number on its square of the market, in dollars."""
        assert company.cell is not None
        square = self.t.grid.rows[company.cell[0]][company.cell[1]]
        assert square is not None
        return square.price

    def places(self, company: Company) -> Iterator[tuple[str, int]]:
        """Where its shares are on sale, with the price of one."""
        assert company.par is not None
        at_present = self.spec.id == "18newengland"
        places = ("offering", "market", company.id) if at_present else ("offering", "market")
        for place in places:
            if company.shares.get(place):
                par = place == "offering" and not at_present
                yield place, company.par if par else self.price(company)

    def certificates(self, player: str) -> int:
        """Certificates that count for the limit of a player."""
        found = sum(one.owner == player and not one.closed for one in self.state.privates.values())
        for company in self.state.companies.values():
            zone = self.t.grid.zone(company.cell) if company.cell else None
            if zone is None or zone.counts_for_limit:
                found += company.shares.get(player, 0) // company.share + (
                    company.certificate_holder == player
                )
        return found

    # --- trains -----------------------------------------------------------------------------------------------------

    @property
    def new_trains(self) -> list[str]:
        """What the bank sells: the first kind that is left, and those that the phase opens."""
        left = [name for name, count in self.state.depot.items() if count is None or count > 0]
        early = ["D"] if self.title == "18chesapeake" and self.state.phase in {"6", "D"} else []
        return list(dict.fromkeys([*left[:1], *[name for name in early if name in left]]))

    def face(self, train: str) -> int:
        """The price on a train in dollars."""
        return next(one.price for one in self.spec.trains if one.name == train)

    def owners(self, train: str) -> list[str]:
        """Other companies that have such a train."""
        others = (one for one in self.state.companies.values() if one is not self.mine)
        return [one.id for one in others if train in one.trains]

    @property
    def cheapest(self) -> int:
        """The lowest price on a train of bank and pool, in dollars."""
        return min(map(self.face, [*self.new_trains, *self.state.pool]), default=10**9)

    @property
    def funds(self) -> int:
        """Treasury and president's cash in dollars."""
        return self.mine.cash + self.cash(self.mine.certificate_holder)

    @property
    def at_limit(self) -> bool:
        """Whether the operating company has as many trains as the phase allows."""
        limit = self.t.phase.train_limit
        limits = self.t.phase.train_limits
        kind = self.spec.companies[self.mine.id].kind
        count = len(self.mine.trains) + len(self.mine.obsolete)
        return count >= limits.get(kind, limit)


Truth: TypeAlias = Callable[[Seen], bool]
TRUTHS: Final[dict[str, Truth]] = {}


def truth(*keys: str) -> Callable[[Truth], Truth]:
    """Say when the reasons of these keys are so."""

    def note(one: Truth) -> Truth:
        TRUTHS.update(dict.fromkeys(keys, one))
        return one

    return note


UNJUDGED: Final = {
    "auction.unpaid": "it stops a log, and no request: bids above the cash that is free are none of those offered",
    "routes.more_than_trains": "it refuses routes that are typed, before there is a request",
    "routes.best_required": "an option asks for it; what the best run earns has an exact solver in `engine/routes`",
}
"""Reasons whose truth no plain facts show, and where it is judged."""
