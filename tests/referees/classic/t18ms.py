"""18MS, as printed, and how it differs from its relatives."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from tests.referees.classic import shares
from tests.referees.classic.auction import Auction
from tests.referees.classic.model import Corporation, Move, World
from tests.referees.classic.money import Purchase
from tests.referees.classic.printed import Phase, Title, Train
from tests.referees.classic.rounds import Play
from tests.referees.classic.turn import OperatingRound
from tests.referees.holdings import heir, left_after

LEAVE = {2: ("2+", 20), 3: ("3+", 30), 4: ("4+", 60)}
"""Trains that leave after a set of operating rounds, and dollars for each (R-18MS-006)."""
LAST_SET = 5
FEE = 50

T18MS = Title(
    name="18ms",
    bank=10_000,
    cash={2: 900, 3: 625, 4: 525},
    certificates={2: 20, 3: 14, 4: 10},
    rows=(
        "65y 70 75 80 90P 100 110 130 150 170 200 230 265 300",
        "60y 65y 70P 75P 80P 90 100 110 130 150 170 200 230 265",
        "50y 60y 65y 70 75 80 90 100 110 130 150",
        "45y 50y 60y 65y 70 75 80",
        "40y 45y 50y 60y",
    ),
    homes={"GMO": "H6", "IC": "A1", "L&N": "C9", "Fr": "E1", "WRA": "E11"},
    tokens={"GMO": (0, 40, 100, 100), **dict.fromkeys(("IC", "L&N", "Fr", "WRA"), (0, 40, 100))},
    privates={"AGS": (30, 15), "BS": (40, 10), "M&M": (50, 15), "MC": (60, 5), "M&O": (70, 5)},
    trains={
        "2+": Train(80, 4),
        "3+": Train(180, 4),
        "4+": Train(300, 3),
        "5": Train(500, 2),
        "6": Train(550, 2),
        "2D": Train(500, 4),
        "4D": Train(750, 4),
        "5D": Train(850, 1),
    },
    phases={"2": Phase(3, 2), "3": Phase(3, 2), "6": Phase(3, 2), "D": Phase(3, 2)},
    most_held=7,
    sold_until="6",
    most_percent=150,
    closes="6",
    begins=dict.fromkeys(("2D", "4D", "5D"), "D"),
    late_trains=("2D", "4D", "5D"),
    powers={"AGS": "any moment, unawaited", "BS": "track", "M&M": "token"},
    bank_ends="never",
    options={"or_11": {"last_rounds": 3}, "allow_buy_rusting": {"sells_leaving": True}},
)


@dataclass
class Mississippi(World):
    """The position, with what pays once in the game."""

    paid_way: bool = False
    """True if the way to Chattanooga has been paid for (R-18MS-043)."""

    def take_new(self, corporation: Corporation, name: str) -> None:
        """2D and 4D are two faces of a card (R-18MS-005)."""
        super().take_new(corporation, name)
        if name in ("2D", "4D"):
            self.depot["2D"] = self.depot["4D"] = self.depot[name]

    def begin(self, phase: str) -> None:
        """The first 6 ends the bonus of New Orleans (R-18MS-044)."""
        super().begin(phase)
        if phase == "6":
            for corporation in self.corporations.values():
                corporation.marks = [mark for mark in corporation.marks if mark != "New Orleans"]


class Draft(Auction):
    """Each player takes one private, the last seat first (R-18MS-020)."""

    def __init__(self, world: World, unsold: list[str]) -> None:
        super().__init__(world, unsold, player=len(world.seats) - 1)

    @property
    def step(self) -> str:
        return "draft"

    def moves(self) -> set[Move]:
        first, *others = self.unsold
        return {("take", first)} | {("bid", name, ((self._price(name),) * 2,)) for name in others}

    def play(self, move: Move) -> None:
        name = str(move[1])
        self.world.privates[name].owner = self.player
        self.world.seats[self.player].cash -= self._price(name)
        self.world.pay(-self._price(name))
        self.unsold.remove(name)
        self.player -= 1
        if self.player < 0:
            for left in self.unsold:
                self.world.privates[left].closed = True
            self.unsold = []


@dataclass
class Help(Purchase):
    """Purchases of trains with the president's help or on credit."""

    leaving: str = ""
    """The kind of train that leaves after this round."""
    ran: dict[str, list[str]] = field(default_factory=dict)
    """Trains that companies have run in this round."""

    @property
    def funds(self) -> int:
        """A president in debt has none."""
        return self.company.cash + max(0, self.world.seats[self.president].cash)

    @property
    def discount(self) -> bool:
        """True if the M&O makes a 3+ or 4+ cheaper (R-18MS-064)."""
        private = self.world.privates["M&O"]
        return not private.closed and private.owner == self.company.name

    def prices_of_bank(self) -> Iterator[tuple[str, str, int]]:
        for name, source in self.on_sale():
            price = self.world.title.trains[name].price
            yield name, source, price
            if self.discount and source == "bank" and name in ("3+", "4+"):
                yield name, source, price - 100

    @property
    def cheapest(self) -> int:
        return min((price for _, _, price in self.prices_of_bank()), default=0)

    def _of_the_bank(self) -> Iterator[Move]:
        for name, source, price in self.prices_of_bank():
            own, forced = price <= self.company.cash, self.must and price <= self.funds
            if own or forced or price <= self._with_help(name) or self._on_credit(price):
                yield ("train", name, source, "", ((price, price),))

    def _with_help(self, name: str) -> int:
        """The most dollars with the president's help: half from the treasury, and a fee (R-18MS-071)."""
        cash, purse = self.company.cash, self.world.seats[self.president].cash
        if not (self.company.trains and cash) or name.endswith("+"):
            return cash
        return max(cash, min(2 * cash + 1, cash + purse - FEE))

    def _on_credit(self, price: int) -> bool:
        """The cheapest train, if nothing is left to sell (R-18MS-073)."""
        return self.must and price == self.cheapest > self.funds and not any(self.blocks())

    def _prices(self, face: int) -> tuple[tuple[int, int], ...]:
        name = next(name for name, train in self.world.title.trains.items() if train.price == face)
        if not self.company.trains:
            return super()._prices(face)
        bound = self.last_price is not None and face > self.company.cash
        low = max(1, self.funds - (self.last_price or 0) + 1) if bound else 1
        most = self._with_help(name)
        return ((low, most),) if low <= most else ()

    def _of_others(self) -> Iterator[Move]:
        """No train that leaves after this round and has run (R-18MS-070)."""
        for move in super()._of_others():
            seller = self.world.corporations[str(move[2])]
            left = seller.trains.count(str(move[1])) - seller.given.count(str(move[1]))
            if move[1] != self.leaving or left > self.ran.get(seller.name, []).count(self.leaving):
                yield move

    def sales(self) -> Iterator[Move]:
        """Any blocks that change no presidency (R-18MS-072)."""
        if self.asks:
            yield from (("sell", name, count) for name, count in self.blocks())

    def blocks(self) -> Iterator[tuple[str, int]]:
        for name, count in shares.sales(self.world, self.president):
            corporation = self.world.corporations[name]
            held = left_after(corporation, self.president, count)
            if heir(self.world, corporation, held) == corporation.president:
                yield name, count

    @property
    def hopeless(self) -> bool:
        """Nobody goes bankrupt (R-18MS-073)."""
        return False


class MississippiRound(OperatingRound):
    """An operating round; what leaves after it, once it has run, is not sold."""

    world: Mississippi
    buys: ClassVar = Help

    def __post_init__(self) -> None:
        self.ran: dict[str, list[str]] = {}
        super().__post_init__()

    @property
    def purchase(self) -> Help:
        title = self.world.title
        last = self.number == 2 and not title.sells_leaving
        leaving, _ = LEAVE.get(self.stock_round, ("", 0)) if last else ("", 0)
        found = super().purchase
        assert isinstance(found, Help)
        return replace(found, leaving=leaving, ran=self.ran)

    def private_purchases(self) -> Iterator[Move]:
        """Only from the own president; in the first round AGS and BS at their value (R-18MS-060)."""
        company, world = self.now.company, self.world
        for private in world.open_privates():
            if private.owner != company.president or world.reached("6"):
                continue
            value, early = private.price, not world.reached("3")
            least, most = (value, value) if early else (-(-value // 2), value * 3 // 2)
            most = min(most, company.cash)
            if least <= most and self._is_for_sale(private.name, early):
                yield ("private", private.name, ((least, most),))

    def _is_for_sale(self, name: str, early: bool) -> bool:
        """The MC needs room for its train, and can be bought up to the second set (R-18MS-063)."""
        room = len(self.now.company.trains) < self.world.train_limit
        return name in ("AGS", "BS") or not (early or (name == "MC" and (self.stock_round > 2 or not room)))

    def due(self) -> bool:
        """Purchases of the first round hold no step; one of the M&O may make a train payable."""
        if self.step == "last_chance":
            return self.world.reached("3") and super().due()
        return super().due() or (self.step == "trains" and self._discount_is_near())

    def _discount_is_near(self) -> bool:
        spare = len(self.now.company.trains) < self.world.train_limit
        prices = [
            self.world.title.trains[name].price for name in self.world.new_trains() if name in ("3+", "4+")
        ]
        buys = any(move[1] == "M&O" for move in self.private_purchases()) and self.world.reached("3")
        return spare and buys and any(price - 100 <= self.now.company.cash - 35 for price in prices)

    def play(self, move: Move) -> None:
        company = self.now.company
        match move:
            case ("run", int(), *trains):
                self.ran[company.name] = [str(train) for train in trains]
            case ("train", _, _, _, int(price)):
                self._pay_fees(price)
                if self.purchase.discount and price in (80, 200) and move[2] == "bank" and move[1] != "2+":
                    self.world.privates["M&O"].closed = True
        super().play(move)

    def _pay_fees(self, price: int) -> None:
        """$50 for help, and for a loan (R-18MS-071, R-18MS-073)."""
        company, purchase = self.now.company, self.purchase
        if price > company.cash and (company.trains or price > purchase.funds):
            self.world.seats[purchase.president].cash -= FEE
            self.world.pay(-FEE)

    def _buy_private(self, name: str, price: int) -> None:
        """The MC turns into a train (R-18MS-063)."""
        super()._buy_private(name, price)
        if name == "MC":
            self.world.privates[name].closed = True
            self.now.company.trains.append("2+")
            self.now.company.given.append("2+")

    def _lay(self, entity: str, coord: str, cost: int) -> None:
        """The BS may lay a second time in the same turn (R-18MS-061)."""
        first = entity == "BS" and not self.world.privates["BS"].spent
        if entity == "BS":
            self.again = "BS" if first else ""
        super()._lay(entity, coord, cost)

    def _next(self) -> None:
        self.again = ""
        super()._next()

    def _reward(self, coord: str, met: int) -> None:
        if coord == "B10" and met and not self.world.paid_way:
            self.world.paid_way = True
            self.now.company.marks.append("Chattanooga")
            self.now.company.cash += self.world.pay(50)

    def _station(self, entity: str, coord: str) -> None:
        """Half price with the M&M; $100 in New Orleans, and more for its routes (R-18MS-044, R-18MS-062)."""
        company = self.now.company
        price = company.charter[0] // 2 if entity == "M&M" else 0
        super()._station(entity, coord)
        company.cash += self.world.pay(-price)
        if coord == "I1":
            company.cash += self.world.pay(100)
            company.marks += ["New Orleans"] * (self.world.phase != "6")


class MississippiPlay(Play):
    """A game of 18MS: the calendar rules."""

    worlds: ClassVar = Mississippi
    auctions: ClassVar = Draft
    operating_rounds: ClassVar = MississippiRound

    def _next_round(self) -> None:
        """Trains leave, green tiles come, debts grow, the last set begins (R-18MS-003, 004, 006, 073)."""
        ended = self.round
        if isinstance(ended, MississippiRound):
            if ended.number == self.rounds and ended.stock_round in LEAVE:
                self._leave(*LEAVE[ended.stock_round])
            elif (ended.stock_round, ended.number) == (1, 1):
                self.world.begin("3")
        elif not isinstance(ended, Auction):
            for seat in self.world.seats:
                seat.cash += self.world.pay(min(0, seat.cash // 2))
            if ended.number == LAST_SET:
                self.world.ending = "last_round"
        super()._next_round()
        if isinstance(self.round, OperatingRound) and self.round.stock_round == LAST_SET:
            self.rounds = self.world.title.last_rounds

    def _leave(self, train: str, dollars: int) -> None:
        for corporation in self.world.corporations.values():
            corporation.cash += self.world.pay(dollars * corporation.trains.count(train))
        self.world.depot[train] = 0
        self.world.rust({train})
