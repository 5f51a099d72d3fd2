"""What is so in a position, read from plain facts: cash, shares, holdings, tables; no rule code of the engine."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.core.facts import Fact
from engine.core.state import Company, CompanyTurn, Operating, Stock
from engine.game import Game
from engine.play.steps.base import Request
from tests.referees.track_referee import Board, Reach


@dataclass
class Seen:
    """A position, a request in it, and the values of the reason that was given."""

    game: Game
    request: Request
    values: Mapping[str, Any]

    @classmethod
    def of(cls, game: Game, request: Request, reason: Fact) -> "Seen":
        return cls(game, request, reason.values)

    def __post_init__(self) -> None:
        self.t, self.state, self.spec = self.game.table, self.game.table.state, self.game.table.spec
        self.given, self.kind, self.actor = self.request.given, self.request.kind, self.request.actor
        self.title = "18chesapeake" if self.spec.id.startswith("18chesapeake") else self.spec.id
        self.newengland = self.title == "18newengland"

    @property
    def step(self) -> str:
        step = self.game.step()
        assert step is not None
        return step.name

    @property
    def turn(self) -> CompanyTurn:
        now = self.state.round
        assert isinstance(now, Operating)
        assert now.turn is not None
        return now.turn

    @property
    def stock(self) -> Stock:
        assert isinstance(self.state.round, Stock)
        return self.state.round

    @property
    def mine(self) -> Company:
        return self.state.companies[self.turn.company]

    @property
    def company(self) -> Company:
        return self.state.companies[self.values["company"]]

    @property
    def others(self) -> list[str]:
        return [one.id for one in self.state.players if one.id != self.actor and not one.bankrupt]

    def minor(self, name: str) -> bool:
        return self.spec.companies[name].kind == "minor"

    # --- money and shares -----------------------------------------------------------------------------------------

    def cash(self, name: str) -> int:
        if name in self.state.companies:
            return self.state.companies[name].cash
        return next(player.cash for player in self.state.players if player.id == name)

    def held(self, player: str, company: Company) -> int:
        own = company.certificate if company.certificate_holder == player else 0
        return own + company.shares.get(player, 0)

    def price(self, company: Company) -> int:
        assert company.cell is not None
        square = self.t.grid.rows[company.cell[0]][company.cell[1]]
        assert square is not None
        return square.price

    def places(self, company: Company) -> Iterator[tuple[str, int]]:
        """Where its shares are on sale, with the price of one."""
        assert company.par is not None
        at_present = self.newengland
        for place in ("offering", "market", company.id) if at_present else ("offering", "market"):
            if company.shares.get(place):
                par = place == "offering" and not at_present
                yield place, company.par if par else self.price(company)

    @property
    def pars(self) -> list[int]:
        return [price for price, _ in self.t.grid.pars()]

    def successors(self, company: Company, least: int) -> list[str]:
        return [one for one in self.others if company.shares.get(one, 0) >= least]

    def no_successor(self) -> bool:
        """The certificate would have to go, and nobody else has as much as it is worth."""
        company, count = self.company, self.given.get("shares", 1)
        own = company.shares.get(self.actor, 0)
        left = self.held(self.actor, company) - count * company.share
        goes = company.certificate_holder == self.actor and own < max(count, 1) * company.share
        return goes and not self.successors(company, max(company.certificate, left + 1))

    def may_sell_one(self, name: str) -> bool:
        company = self.state.companies[name]
        if company.par is None or company.certificate == 100 or not self.held(self.actor, company):
            return False
        if company.shares.get("market", 0) + company.share > 50:
            return False
        keeps = company.certificate_holder != self.actor or company.shares.get(self.actor, 0) >= company.share
        return keeps or bool(self.successors(company, company.certificate))

    # --- privates ---------------------------------------------------------------------------------------------------

    def privates_of(self, player: str) -> list[str]:
        return [one.id for one in self.state.privates.values() if one.owner == player and not one.closed]

    @property
    def window(self) -> tuple[int, int] | None:
        """Percent of face value at which companies buy privates now."""
        now = self.state.round
        assert isinstance(now, Operating)
        if not self.newengland and self.state.phase in {"3", "3½", "4"}:
            return (50, 200) if self.title == "18chesapeake" else (50, 150)
        return (100, 100) if self.title == "18tn" and (now.set, now.number) == (1, 1) else None

    def outside_the_window(self) -> bool:
        face, price = self.spec.privates[self.values["private"]].value, self.given["price"]
        found = (self.values["low"], self.values["high"])
        legal = face * found[0] <= 100 * price <= face * found[1] and price <= self.mine.cash
        return found == self.window and not legal

    # --- trains -----------------------------------------------------------------------------------------------------

    @property
    def new_trains(self) -> list[str]:
        left = [name for name, count in self.state.depot.items() if count is None or count > 0]
        early = self.title == "18chesapeake" and self.state.phase in {"6", "D"} and "D" in left
        return list(dict.fromkeys([*left[:1], *(["D"] if early else [])]))

    @property
    def for_sale(self) -> list[str]:
        return [*self.new_trains, *self.state.pool]

    def face(self, train: str) -> int:
        return next(one.price for one in self.spec.trains if one.name == train)

    def prices(self, train: str) -> set[int]:
        """By the bank: its face value, half of it by New Decatur Yards, and what a D costs for a train."""
        return {self.face(train), self.face(train) // 2, 700 if self.spec.id == "18chesapeake" else 800}

    def owners(self, train: str) -> list[str]:
        others = (one for one in self.state.companies.values() if one is not self.mine)
        return [one.id for one in others if train in one.trains]

    @property
    def cheapest(self) -> int:
        """The lowest price on a train of bank and pool, with New Decatur Yards."""
        ndy = self.state.privates.get("NDY")
        half = ndy is not None and ndy.owner == self.mine.id and not ndy.closed
        halves = [self.face(one) // 2 for one in self.new_trains if half and one in {"3", "4", "5"}]
        return min([*map(self.face, self.for_sale), *halves], default=10**9)

    @property
    def funds(self) -> int:
        return self.mine.cash + self.cash(self.mine.certificate_holder)

    def sold(self, train: str, source: str) -> bool:
        if source == "bank":
            return train in self.new_trains
        return train in (self.state.pool if source == "pool" else self.state.companies[source].trains)

    @property
    def has_to_buy(self) -> bool:
        return not self.mine.trains and bool(self.for_sale)

    def passes_on(self, name: str) -> bool:
        company = self.state.companies[name]
        left = self.held(self.actor, company) - self.given.get("shares", 1) * company.share
        most = max(self.held(one.id, company) for one in self.state.players if one.id != self.actor)
        return self.given["company"] == name and company.certificate_holder == self.actor and most > left

    # --- the map ----------------------------------------------------------------------------------------------------

    @property
    def has_route(self) -> bool:
        board = Board(self.t)
        return any(Reach(board, self.mine.id, one).stops - {one} for one in board.stations(self.mine.id))

    @property
    def stops(self) -> list[str]:
        return [stop.kind for stop in self.t.map.topology(self.given["hex"]).stops]

    @property
    def next_colour(self) -> str:
        """The colour after that of the hex; nothing follows gray, red or blue."""
        colours = ("white", "yellow", "green", "brown", "gray")
        here = self.t.map.colour(self.given["hex"])
        return colours[colours.index(here) + 1] if here in colours[:4] else ""
