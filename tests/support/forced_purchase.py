"""A second statement of the forced train purchase, from the printed rules; it shares no rule code with the engine.

18Chesapeake 11.8 and 10.2, 18AL and 18TN 4.2.5.2 and 3.2(a). Read from a game are only who has what. Everything that
could be sold is tried: all blocks, one after another, of every company. Companies do not touch one another, so what
each can bring is tried apart and then put together.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.board.network import has_route
from engine.core.spec import TitleSpec
from engine.core.state import Operating, State, TrainDeal
from engine.game import Game
from tests.support.share_sales import ANY, Line, Way, lines, ways


@dataclass
class Case:
    """A train step: who pays, what there is, and what has been sold for the train so far."""

    spec: TitleSpec
    state: State
    company: str
    must: bool
    president: str
    seller_before: int = ANY
    """The smallest amount that a certificate sold before brought."""
    before_last: int | None = None
    deal: TrainDeal | None = None
    """A train of another company that has been agreed on."""
    lines: dict[str, Line] = field(default_factory=dict)

    @property
    def own_rule(self) -> bool:
        return self.spec.id.startswith("18chesapeake")

    @property
    def treasury(self) -> int:
        return self.state.companies[self.company].cash

    @property
    def funds(self) -> int:
        return self.treasury + self.state.player(self.president).cash

    def describe(self) -> str:
        seats = {seat.id: seat.cash for seat in self.state.players}
        return (
            f"{self.spec.id} {self.company} {self.treasury} president {self.president} {seats} must {self.must} "
            f"bank {sorted(self.bank())} missing {self.missing} sold {self.seller_before} {self.before_last} "
            f"lines {self.lines}"
        )

    # --- trains -------------------------------------------------------------------------------------------------

    def bank(self) -> set[tuple[str, str, str, int]]:
        names = [phase.name for phase in self.spec.phases]
        reached = names.index(self.state.phase)
        left = [train for train in self.spec.trains if self.state.depot.get(train.name, 0) != 0]
        new = left[:1] + [
            train
            for train in left[1:]
            if train.available_from and names.index(train.available_from) <= reached
        ]
        found = {(self.company, train.name, "bank", train.price) for train in new}
        found |= {(self.company, name, "pool", self.spec.train(name).price) for name in self.state.pool}
        yards = self.state.privates.get("NDY") if self.spec.id == "18al" else None
        if yards and yards.owner == self.company and not yards.closed:
            halves = [train for train in new if train.name in {"3", "4", "5"}]
            found |= {("NDY", train.name, "bank", train.price // 2) for train in halves}
        return found

    @property
    def least(self) -> int:
        return min((price for *_, price in self.bank()), default=ANY)

    @property
    def forced(self) -> bool:
        return self.must and self.treasury < self.least

    @property
    def missing(self) -> int:
        """Dollars to raise by sales; an agreed train's price is what counts then."""
        return (self.deal.price if self.deal else self.least) - self.funds

    def purchases(self) -> set[tuple[str, str, str, int, int]]:
        if self.deal:
            return set()  # it is paid as soon as the money is there
        most = self.funds if self.forced else self.treasury
        bank = {
            (by, train, source, price, price)
            for by, train, source, price in self.bank()
            if price <= most and (not self.forced or price == self.least)
        }
        return bank | set(self._of_others())

    def _of_others(self) -> Iterator[tuple[str, str, str, int, int]]:
        for other in self.state.companies.values():
            for train in set(other.trains) if other.id != self.company else ():
                low, high = 1, self.treasury
                if self.forced and self.own_rule:
                    face = self.spec.train(train).price
                    line = self.lines.get(other.id)
                    found = self.all_ways(other.id, line and replace(line, kept=True))
                    raised = self.funds + max(total for total, _ in found)
                    high = max(high, min(face, raised))
                    low = 1 if self.before_last is None else self.before_last + 1
                elif self.seller_before != ANY:
                    continue  # what was sold would be left over
                if low <= high:
                    yield self.company, train, other.id, low, high

    # --- sales --------------------------------------------------------------------------------------------------

    def all_ways(self, but: str = "", other: Line | None = None) -> set[Way]:
        found: set[Way] = {(0, ANY)}
        for name, line in self.lines.items():
            more = ways(other if other is not None and name == but else line, self.president)
            found = {(total + t, min(least, s)) for total, least in found for t, s in more}
        return found

    def pays(self, found: set[Way], missing: int, smallest: int) -> bool:
        if self.own_rule:  # whatever is above the sum can be left away, share by share
            return any(total >= missing for total, _ in found)
        return any(total >= missing and total - missing < min(least, smallest) for total, least in found)

    def can_pay(self) -> bool:
        return any(total >= self.missing for total, _ in self.all_ways())

    def sales(self) -> set[tuple[str, int]]:
        """Company and number of shares: those after which all can end well; where none can, those that are needed.

        None can where too little can be raised, or after a private was sold for so little that whatever share
        follows leaves more.
        """
        if not self.forced or self.missing <= 0:
            return set()
        needed = {
            (name, shares)
            for name, line in self.lines.items()
            for shares in range(1, 11)
            if line.after(self.president, shares) and line.prices[0] * (shares - 1) < self.missing
        }
        if self.own_rule and not self.deal:
            return needed  # which shares, and in which order, is the player's own choice
        return {sale for sale in needed if self.ends_well(*sale)} or needed

    def ends_well(self, name: str, shares: int) -> bool:
        line = self.lines[name]
        after, price = line.after(self.president, shares), line.prices[0]
        missing, smallest = self.missing - price * shares, min(price, self.seller_before)
        return self.pays(self.all_ways(name, after), missing, smallest)

    def bankrupt(self) -> bool:
        return self.forced and self.missing > 0 and not self.can_pay()

    def passes(self) -> bool:
        return not self.must

    # --- privates (18AL) ----------------------------------------------------------------------------------------

    def private_sales(self) -> set[tuple[str, str, int]]:
        if self.spec.id != "18al" or not self.forced or self.missing <= 0:
            return set()
        own = [p.id for p in self.state.privates.values() if p.owner == self.president and not p.closed]
        purses = {seat.id: seat.cash for seat in self.state.players if self._may_buy_a_private(seat.id)}
        found, fits = self.all_ways(), set()
        for buyer, purse in purses.items():
            for price in range(1, purse + 1):
                rest = sorted(({**purses, buyer: purse - price}).values(), reverse=True)
                if self._fits(price, found, sum(rest[: len(own) - 1]), len(own) - 1):
                    fits |= {(name, buyer, price) for name in own}
        return fits

    def _may_buy_a_private(self, player: str) -> bool:
        """3.3(b): a player at the certificate limit buys nothing but stock of the yellow section."""
        stock = sum(
            company.certificates(player)
            for company in self.state.companies.values()
            if company.cell is None or not self.words[company.cell[0]][company.cell[1]].endswith("y")
        )
        privates = sum(p.owner == player and not p.closed for p in self.state.privates.values())
        limit = self.spec.players[len(self.state.players)].certificate_limit
        return player != self.president and stock + privates < limit

    @property
    def words(self) -> list[list[str]]:
        return [row.split() for row in self.spec.market.rows]

    def _fits(self, price: int, found: set[Way], purses: int, more: int) -> bool:
        missing, smallest = self.missing - price, min(price, self.seller_before)
        if missing <= 0:
            return -missing < smallest
        if more and any(1 <= missing - total <= purses for total, _ in found):
            return True
        return self.pays(found, missing, smallest)


def case(game: Game, seller_before: int = ANY, before_last: int | None = None) -> Case:
    state, spec = game.table.state, game.rules.spec
    assert isinstance(state.round, Operating)
    assert state.round.turn is not None
    name = state.round.turn.company
    company = state.companies[name]
    president = str(company.certificate_holder)
    found = Case(spec, state, name, False, president, seller_before, before_last)
    found.must = not company.runnable_trains and has_route(game.table.map, name) and bool(found.bank())
    found.deal = state.round.turn.deal
    found.lines = dict(lines(game, president, {name, found.deal.source if found.deal else name}))
    return found
