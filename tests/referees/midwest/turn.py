"""A second statement of 1846's operating rounds; what the map allows is asked of `Map`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.referees.classic.auction import pay_privates
from tests.referees.classic.model import Move
from tests.referees.midwest import trains
from tests.referees.midwest.model import INDEPENDENTS, MARKERS, PORTS, SYMBOLS, Line, Midwest
from tests.referees.midwest.stock import sell
from tests.referees.midwest.trains import Purchase, issue_limit
from tests.referees.walk import Turns

STEPS = ("track", "run", "dividend", "trains", "last_chance")
FINANCED = STEPS[:3]
"""Steps in which a company may issue or redeem (R-1846-052)."""
PAIRS = {"MC", "O&I", "LM"}
"""Privates that lay two tiles."""


@dataclass
class Map:
    asked: Callable[[tuple[int, int, str, str]], bool]
    """True if a step has something to decide: its set, its round, the company, its name."""
    has_room: Callable[[str], bool]
    """True if a private of the company in turn could lay or place."""
    has_route: Callable[[str], bool]
    deck: Callable[[], list[str]]
    """The cards of the draft, from the top."""


@dataclass
class Turn:
    """The acts of a company or an independent in its turn."""

    line: Line
    steps: list[str] = field(default_factory=lambda: list(STEPS))
    revenue: int = 0
    financed: bool = False
    """True if it has issued or redeemed (R-1846-060)."""
    issued: bool = False
    """True if it has issued for a train."""
    sold: set[str] = field(default_factory=set)
    before: int = 0
    pair: str = ""
    """A private of which the first of two tiles is laid."""
    first: str = ""
    """The hex of that tile."""
    laid: list[str] = field(default_factory=list)
    """The company's own lays, each `tile` or `upgrade`."""
    placed: bool = False
    """True if its token of the turn is placed."""
    has_run: list[str] = field(default_factory=list)
    """Trains that came with an independent in this turn (R-1846-097, bankrupt #24)."""

    @property
    def able(self) -> list[str]:
        """Trains that may run."""
        trains = self.line.trains + self.line.retired
        for train in self.has_run:
            trains.remove(train)
        return trains


@dataclass
class OperatingRound(Turns[Turn]):
    """One of the two operating rounds of a set (R-1846-050)."""

    world: Midwest
    map: Map
    stock_round: int
    number: int
    waiting: list[str] = field(default_factory=list)
    turn: Turn | None = None
    named: set[str] = field(default_factory=set)
    """The parts of the player's SC that were used in this round, or `done`."""
    moved: set[str] = field(default_factory=set)
    """Privates whose marker a company has moved in this round."""

    def __post_init__(self) -> None:
        """Privates pay; independents that players own and companies that have started operate (R-1846-051)."""
        pay_privates(self.world)
        self.waiting = [*INDEPENDENTS, *self.world.order()]
        if not self.steamboat:
            self._next()

    @property
    def steamboat(self) -> bool:
        """True if the player with the SC has something to choose (R-1846-153)."""
        private = self.world.privates["SC"]
        unused = not ({"done"} & self.named or {"port", "company"} <= self.named)
        return isinstance(private.owner, int) and not private.closed and unused and self.turn is None

    @property
    def over(self) -> bool:
        return self.turn is None and not self.steamboat

    @property
    def crowded(self) -> Line | None:
        """The first company with too many trains; retired ones do not count (R-1846-114)."""
        limit = self.world.train_limit
        return next((line for line in self.world.companies if len(line.trains) > limit), None)

    @property
    def deciding(self) -> str:
        return "" if self.steamboat else (self.crowded or self.now.line).name

    @property
    def step(self) -> str:
        if self.steamboat:
            return "steamboat"
        if self.crowded:
            return "discard"
        return "second_tile" if self.now.pair else self.now.steps[0]

    @property
    def actor(self) -> int | None:
        if self.steamboat:
            owner = self.world.privates["SC"].owner
            assert isinstance(owner, int)
            return owner
        return (self.crowded or self.now.line).president

    @property
    def purchase(self) -> Purchase:
        turn = self.now
        return Purchase(self.world, turn.line, turn.issued, turn.sold, turn.before)

    # --- what may be done -----------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        """Everything but moves on the map."""
        if self.steamboat:
            return {("pass",), *self._steamboat_moves()}
        if self.crowded:
            return {("discard", self.crowded.name, train) for train in self.crowded.trains}
        if self.now.pair:
            return set() if self.now.pair == "LM" else {("pass",)}
        found = set(self._step_moves())
        if self.now.line.president is not None and not self.now.line.independent:
            found |= {*self._finance(), *self.private_purchases(), *self._markers()}
        return found

    def _steamboat_moves(self) -> Iterator[Move]:
        if "port" not in self.named:
            yield from (("mark", "SC", coord) for coord in PORTS if coord != self.world.port)
        if "company" not in self.named:
            lines = [line for line in self.world.corporations.values() if self._runs(line)]
            yield from (("give", line.name) for line in lines if line.name != self.world.served)

    def _runs(self, line: Line) -> bool:
        return not line.closed and (line.floated or line.president is not None)

    def _step_moves(self) -> Iterator[Move]:
        match self.step:
            case "track" | "last_chance":
                yield ("pass",)
            case "dividend":
                yield from (("dividend", option) for option in ("withhold", "half", "pay"))
            case "trains":
                purchase = self.purchase
                yield from purchase.trains()
                yield from purchase.sales()
                yield from (("issue", self.now.line.name, count) for count in purchase.issues())
                yield from [("pass",)] * (not purchase.must)
                yield from [("bankrupt",)] * purchase.hopeless

    def _finance(self) -> Iterator[Move]:
        """Issue at the next lower price, or redeem at the next higher one (R-1846-060, R-1846-061)."""
        line, world = self.now.line, self.world
        if self.now.financed or self.step not in FINANCED:
            return
        yield from (("issue", line.name, count) for count in range(1, issue_limit(line) + 1))
        most = min(line.pool, line.cash // world.price_at(line, 1))
        yield from (("redeem", line.name, count) for count in range(1, most + 1))

    def private_purchases(self) -> Iterator[Move]:
        """From any player for $1 up to the value; an independent needs room for its train (R-1846-150)."""
        line, world = self.now.line, self.world
        if world.reached("III"):
            return
        for private in world.open_privates():
            most = min(line.cash, world.title.privates[private.name][0])
            crowds = len(line.trains) >= world.train_limit and private.name in ("MSP", "B4P")
            if isinstance(private.owner, int) and most and not crowds:
                yield ("private", private.name, ((1, most),))

    def _markers(self) -> Iterator[Move]:
        """Bonus markers of the company's privates (R-1846-094, R-1846-153)."""
        line = self.now.line
        for name in MARKERS:
            private = self.world.privates[name]
            if private.owner != line.name or private.closed:
                continue
            if name != "SC" and not private.spent:
                yield from (("mark", name, coord) for coord in SYMBOLS[name])
            elif name == "SC" and name not in self.moved and self.step in ("track", "run"):
                yield from (("mark", name, coord) for coord in PORTS if coord != self.world.port)

    def due(self) -> bool:
        """True if the step has something to decide."""
        turn = self.now
        if self.step in ("discard", "second_tile"):
            return True
        if self.step in ("track", "run"):
            if self.step == "track" and turn.line.president is None:
                return False
            return self.map.asked((self.stock_round, self.number, turn.line.name, self.step))
        if self.step == "dividend":
            return turn.revenue > 0
        if self.step == "trains":
            return self.purchase.must or any(self.purchase.trains())
        return any(self.private_purchases()) or self._power_left()

    def _power_left(self) -> bool:
        mine = (p for p in self.world.open_privates() if p.owner == self.now.line.name and not p.spent)
        marks = any(self._markers())
        return marks or any(self.map.has_room(p.name) for p in mine if p.name not in MARKERS)

    def skip(self) -> bool:
        """Pass over a step with nothing to decide; true if there was one."""
        idle = self.turn is not None and not self.due()
        if idle:
            self._end_step()
        return idle

    # --- what happens ---------------------------------------------------------------------------------------------

    def play(self, move: Move) -> None:
        if self.steamboat:
            self._name(move)
            return
        match move:
            case ("pass",) if self.now.pair:
                self.world.privates[self.now.pair].spent = True
                self.now.pair = self.now.first = ""
            case ("pass",):
                self._end_step()
            case ("lay", str(entity), str(coord), str(kind), int(cost)):
                self._lay(entity, coord, kind, cost)
            case ("station", str(entity), str(coord), int(price)):
                self._station(entity, coord, price)
            case ("mark", str(name), str(coord)):
                self.now.line.bonuses[MARKERS[name]] = coord
                self.world.privates[name].spent = True
                self.moved.add(name)
                if name == "SC":
                    self.world.port = coord
            case ("run", int(revenue)):
                self.now.revenue = revenue
                self._end_step()
            case ("dividend", str(option)):
                self._pay(option)
            case ("private", str(name), int(price)):
                self._buy_private(name, price)
            case _:
                self._play_money(move)
        self._leave_closed()

    def _play_money(self, move: Move) -> None:
        turn, world = self.now, self.world
        match move:
            case ("issue", _, int(count)) if self.step == "trains":
                turn.issued = True
                turn.before = turn.line.cash + (count - 1) * world.price_at(turn.line, -(count + 1))
                trains.issue_for_train(world, turn.line, count)
            case ("issue", _, int(count)):
                turn.financed = True
                self._shift(count, world.price_at(turn.line, -1))
            case ("redeem", _, int(count)):
                turn.financed = True
                self._shift(-count, world.price_at(turn.line, 1))
            case ("train", str(name), str(source), _, int(price)):
                trains.take_train(world, turn.line, name, source, price)
                turn.before = 0
            case ("sell", str(name), int(count)):
                line, player = world.corporations[name], self.purchase.president
                turn.before = self.purchase.funds + (count - 1) * world.price(line)
                sell(world, player, line, count)
                turn.sold.add(name)
            case ("discard", str(name), str(train)):
                world.corporations[name].trains.remove(train)
                world.junk.append(train)
            case ("bankrupt",):
                trains.bankrupt(world, self.purchase)
                turn.sold, turn.before = set(), 0
                if turn.line.president is None:
                    trains.buy_in_receivership(world, turn.line)
                    self._next()

    def _shift(self, count: int, price: int) -> None:
        """Shares from the treasury to the pool, or back below 0; the marker stays."""
        line = self.now.line
        line.cash += self.world.pay(count * price)
        line.offering -= count
        line.pool += count

    def _name(self, move: Move) -> None:
        """A port and a company for the SC of a player."""
        world = self.world
        match move:
            case ("pass",):
                self.named.add("done")
            case ("mark", _, str(coord)):
                self.named.add("port")
                world.port = coord
            case ("give", str(name)):
                self.named.add("company")
                if world.served:
                    world.corporations[world.served].bonuses.pop("steamboat", None)
                world.served = name
        if world.port and world.served:
            world.corporations[world.served].bonuses["steamboat"] = world.port
        if not self.steamboat:
            self._next()

    def _lay(self, entity: str, coord: str, kind: str, cost: int) -> None:
        """The first of two tiles of a private is followed by the second at once."""
        turn = self.now
        turn.line.cash -= cost
        self.world.pay(-cost)
        if entity == turn.line.name:
            turn.laid.append(kind)
            return
        is_legal_upgrade = entity in PAIRS and not turn.pair
        turn.first = coord if is_legal_upgrade else ""
        turn.pair = entity if is_legal_upgrade and self.map.has_room(entity) else ""
        turn.first = turn.first if turn.pair else ""
        self.world.privates[entity].spent = not turn.pair

    def _station(self, entity: str, coord: str, price: int) -> None:
        """The C&WI brings an extra token (R-1846-082)."""
        line = self.now.line
        if entity == line.name:
            self.now.placed = True
            line.charter.pop(0)
        else:
            self.world.privates[entity].spent = True
        line.stands.add(coord)
        line.cash -= price
        self.world.pay(-price)

    def _buy_private(self, name: str, price: int) -> None:
        line, world, private = self.now.line, self.world, self.world.privates[name]
        assert isinstance(private.owner, int)
        world.seats[private.owner].cash += price
        line.cash -= price
        private.owner = line.name
        if name == "SC":
            private.spent = True
            if world.served:
                world.corporations[world.served].bonuses.pop("steamboat", None)
            line.bonuses |= {"steamboat": world.port} if world.port else {}
            world.served = ""
        for independent, (of, home, _) in INDEPENDENTS.items():
            if of == name:
                taken = world.corporations[independent]
                line.cash, taken.cash = line.cash + taken.cash, 0
                line.trains += taken.trains
                self.now.has_run += taken.trains
                line.stands.add(home)
                world.close(taken)

    # --- dividends ------------------------------------------------------------------------------------------------

    def _pay(self, option: str) -> None:
        """R-1846-100 to R-1846-104."""
        line, world, revenue = self.now.line, self.world, self.now.revenue
        kept = {"pay": 0, "withhold": revenue, "half": revenue // 20 * 10}[option]
        paid = revenue - kept
        for player, count in line.shares.items():
            world.seats[player].cash += world.pay(-(-count * paid // 10))
        line.cash += world.pay(kept) + world.pay(-(-line.offering * paid // 10))
        without = line.in_receivership and not line.trains and not line.retired
        line.retired = []
        self.now.steps.remove("dividend")
        world.move(line, self._places(world.price(line), paid) - without)

    def _places(self, price: int, paid: int) -> int:
        if paid == 0 or paid < price // 2:
            return -1
        times = paid // price
        return min(times, 3 if price >= 165 else 2)

    def _pay_half(self) -> None:
        """An independent: half to the owner, half to itself (R-1846-103)."""
        line, world, revenue = self.now.line, self.world, self.now.revenue
        assert line.president is not None
        world.seats[line.president].cash += world.pay(revenue - revenue // 2)
        line.cash += world.pay(revenue // 2)

    # --- turns ----------------------------------------------------------------------------------------------------

    def _end_step(self) -> None:
        """The step ends; a run of nothing is withheld, an independent pays, a receivership buys."""
        turn = self.now
        step = turn.steps.pop(0)
        if step == "run" and turn.line.independent:
            self._pay_half()
            turn.steps = []
        elif step == "run" and (turn.revenue == 0 or turn.line.president is None):
            self._pay("withhold")
            if turn.line.president is None and not turn.line.closed:
                trains.buy_in_receivership(self.world, turn.line)
                turn.steps = []
        if not turn.steps or turn.line.closed:
            self._next()

    def _leave_closed(self) -> None:
        if self.turn is not None and self.turn.line.closed:
            self._next()

    def _next(self) -> None:
        """The very first round goes by price upwards (R-1846-051)."""
        order = self.world.order()
        if (self.stock_round, self.number) == (1, 1):
            order.sort(key=lambda name: self.world.price(self.world.corporations[name]))
        if self.turn is not None:
            self.waiting.remove(self.turn.line.name)
        independents = [name for name in INDEPENDENTS if self._runs(self.world.corporations[name])]
        name = next((name for name in [*independents, *order] if name in self.waiting), None)
        self.turn = None if name is None else Turn(self.world.corporations[name])
        if self.turn is None:
            self.named.add("done")
        else:
            self.turn.line.operated = True
