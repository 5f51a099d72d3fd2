"""A second statement of what a company could still do in a step of its turn, or in what is left of the turn.

Written from the printed rules (18Chesapeake 7.1, 11, 11.7; 18AL and 18TN 4.2, 4.2.5, 4.2.6, Table III). It reads where
a game stands and what the titles' tables print, and shares no rule code with the engine.
"""

from collections.abc import Iterator

from engine.core.spec import CityBonusPower, TrainDiscountPower
from engine.core.state import Operating, Private
from engine.play.table import Table
from tests.referees.track_referee import Board, Node, Reach, TrackRules


class TurnRules:
    """What the operating company could do."""

    def __init__(self, t: Table) -> None:
        self.t = t
        self.state = t.state
        self.company = t.company

    def use(self, step: str) -> str:
        if step == "last_chance":
            return self.leftover()
        uses = {"track": self.track, "token": self.token, "run": self.run, "trains": self.trains}
        return uses[step]() or self._by_purchase(step)

    def _by_purchase(self, step: str) -> str:
        for private, price in self.for_sale():
            if step == "trains" and self._cheaper(private, self.company.cash - price):
                return f"train by {private.id}, once bought"
            if step == "track" and self._lay_by(private, price):
                return f"tile by {private.id}, once bought"
        return ""

    def _lay_by(self, private: Private, price: int) -> bool:
        owner, self.company.cash = private.owner, self.company.cash - price
        private.owner = self.company.id
        rules = TrackRules(self.t)
        found = rules.power_lays(private) or next(rules.lays(), None) is not None
        private.owner, self.company.cash = owner, self.company.cash + price
        return found

    # --- steps ----------------------------------------------------------------------------------------------------

    def track(self) -> str:
        """A lay of its own, or by a private it owns."""
        rules = TrackRules(self.t)
        if self.t.turn.pair is not None:
            return "second tile"  # both or none (18Chesapeake 7.1)
        if next(rules.lays(), None) is not None:
            return "lay"
        mine = (p for p in self.state.privates.values() if p.owner == self.company.id)
        return next((f"tile by {p.id}" for p in mine if rules.power_lays(p)), "")

    def token(self) -> str:
        """A station."""
        return "station" if next(TrackRules(self.t).stations(), None) is not None else ""

    def trains(self) -> str:
        """A train of bank, pool or another company that the treasury can pay."""
        cash = self.company.cash
        if self.must_buy():
            return "forced purchase"
        if self._room():
            if self._bank_sells() and any(price <= cash for _, price in self._bank_trains()):
                return "train of the bank"
            others = (c for c in self.state.companies.values() if c is not self.company and c.president)
            if cash and any(other.trains for other in others):
                return "train of another company"
            mine = (p for p in self.state.privates.values() if p.owner == self.company.id)
            return next((f"train by {p.id}" for p in mine if self._cheaper(p, cash)), "")
        return "trade-in" if self._trade_in() <= cash else ""

    def must_buy(self) -> bool:
        return not self.company.running and any(self._bank_trains()) and self._has_route()

    def run(self) -> str:
        """A train and a route."""
        return "run" if self.company.running and self._has_route() else ""

    def _has_route(self) -> bool:
        board = Board(self.t)
        return any(
            Reach(board, self.company.id, station).stops - {station}
            for station in board.stations(self.company.id)
        )

    def leftover(self) -> str:
        """At the end of the turn: a private to buy, a coal token to place."""
        private = next(self.for_sale(), None)
        if private is not None:
            return f"purchase of {private[0].id}"
        return "coal token" if self.coal() else ""

    # --- privates -------------------------------------------------------------------------------------------------

    def for_sale(self) -> Iterator[tuple[Private, int]]:
        """Privates of players that the treasury can pay, with the least price."""
        low = self.least()
        if low is None:
            return
        here = self.state.round
        assert isinstance(here, Operating)
        for private in self.state.privates.values():
            printed = self.t.spec.privates[private.id]
            price = -(-printed.value * low // 100)
            if private.closed or private.owner is None or not self.state.is_player(private.owner):
                continue
            if private.id in {"CV", "LNR"} or price > self.company.cash:
                continue
            if low == 100 and (private.owner in here.private_sellers or self._has_bought):
                continue
            yield private, price

    def least(self) -> int | None:
        """The least price in percent of face value; None when companies may not buy."""
        if self.state.phase in {"3", "3½", "3.5", "4"}:
            return 50
        here = self.state.round
        assert isinstance(here, Operating)
        first = self.t.spec.id == "18tn" and here.set == 1 and here.number == 1
        return 100 if first else None

    @property
    def _has_bought(self) -> bool:
        """In the first operating round any private of a company is one it has just bought (18TN 4.2.6)."""
        return any(p.owner == self.company.id for p in self.state.privates.values())

    def coal(self) -> bool:
        for private in self.state.privates.values():
            for power in self.t.spec.privates[private.id].powers:
                if (
                    isinstance(power, CityBonusPower)
                    and private.owner == self.company.id
                    and not private.closed
                ):
                    return not private.power_used and any(map(self.reached_by_train, power.hexes))
        return False

    def reached_by_train(self, coord: str) -> bool:
        most = max((self.t.spec.train(name).stops or 0 for name in self.company.running), default=0)
        return most > 1 and self._distance(coord, most)

    def _distance(self, coord: str, most: int) -> bool:
        board = Board(self.t)
        stations = board.stations(self.company.id)
        todo: list[tuple[tuple[Node, ...], int, Node]] = [((node,), 1, node) for node in sorted(stations)]
        while todo:
            trail, cities, (at, end) = todo.pop()
            if end >= 6 and at == coord and len(trail) > 1:
                return True
            if end >= 6 and len(trail) > 1:
                if (at, end) in stations and any(a == coord and e >= 6 for a, e in trail):
                    return True
                full = board.full_of_others((at, end), self.company.id)
                if board.hexes[at].colour == "red" or full:
                    continue
            for piece in board.topology(at).pieces:
                if end not in piece.ends():
                    continue
                far = piece.b if piece.a == end else piece.a
                if (at, far) in trail:
                    continue
                if far >= 6:
                    counts = board.topology(at).stops[far - 6].kind != "town"
                    if cities + counts <= most:
                        todo.append(((*trail, (at, far)), cities + counts, (at, far)))
                elif (there := board.beyond(at, far)) is not None:
                    across = (there, (far + 3) % 6)
                    todo.append(((*trail, (at, far), across), cities, across))
        return any(at == coord for at, _ in stations) and self._leaves(board, coord)

    def _leaves(self, board: Board, coord: str) -> bool:
        return any(at != coord for at, _ in Reach(board, self.company.id).stops)

    # --- trains ---------------------------------------------------------------------------------------------------

    def _room(self) -> bool:
        return len(self.company.running) < self.t.phase.train_limit

    def _bank_sells(self) -> bool:
        """18AL, 18TN 4.2.5(f): one train of the bank in a turn before the first 4-train."""
        early = self.t.spec.id != "18chesapeake" and self.state.phase in {"2", "3", "3½", "3.5", "1"}
        return not (early and self.t.turn.bought_from_bank)

    def _bank_trains(self) -> Iterator[tuple[str, int]]:
        prices = {train.name: train.price for train in self.t.spec.trains}
        yield from ((name, prices[name]) for name in self.state.pool)
        left = [name for name, count in self.state.depot.items() if count is None or count > 0]
        yield from ((name, prices[name]) for name in left[:1])
        if self.t.spec.id == "18chesapeake" and self.state.phase in {"6", "D"}:
            yield ("D", prices["D"])

    def _trade_in(self) -> int:
        """The price of a D for which a 4, 5 or 6 is handed in (18Chesapeake 11.7)."""
        able = self.t.spec.id == "18chesapeake" and self.state.phase in {"6", "D"}
        return 700 if able and {"4", "5", "6"} & set(self.company.trains) else 10**9

    def _cheaper(self, private: Private, cash: int) -> bool:
        powers = self.t.spec.privates[private.id].powers
        if private.closed or not any(isinstance(power, TrainDiscountPower) for power in powers):
            return False
        new = next((name for name, count in self.state.depot.items() if count is None or count > 0), "")
        price = {"3": 90, "4": 150, "5": 225}.get(new, 10**9)
        return self._room() and self._bank_sells() and price <= cash
