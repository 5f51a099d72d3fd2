"""A second statement of the stock turn: who may sell, buy and pass, and when the turn ends automatically.

Written from the printed rules (18Chesapeake 10.1-10.4, 18AL and 18TN 3.2-3.5). It reads where a game stands
and what the titles' tables print, and shares no rule code with the engine.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.core.actions import Action, BuyShare, Par, SellShares
from engine.core.offers import Cursor, IntRange
from engine.core.state import Company, Private, State, Stock
from engine.game import Game

Move = tuple[str | int, ...]
KINDS = ("par", "buy_share", "sell_shares", "buy_private", "sell_private", "pass")
SALES = {"sell_shares", "sell_private"}


@dataclass
class Turn:
    """What the player on turn has done in it, in order, and what each player has sold in the round."""

    done: list[str] = field(default_factory=list)
    sold: set[tuple[str, str]] = field(default_factory=set)

    @property
    def bought(self) -> bool:
        return any(kind not in SALES for kind in self.done)

    @property
    def sold_before_buying(self) -> bool:
        return self.bought and self.done[0] in SALES


class StockRules:
    """What the player may do in a position of a regular stock round."""

    def __init__(self, game: Game, player: str, turn: Turn) -> None:
        self.spec = game.rules.spec
        self.state: State = game.table.state
        self.player = player
        self.turn = turn
        self.site = game.profile == "18xx.games"
        self.cells = [[_cell(word) for word in row.split()] for row in self.spec.market.rows]

    # --- limits (18Chesapeake 10.1; 18AL, 18TN 3.3) ---------------------------------------------------------------

    def counted(self, player: str, *, company: Company | None = None) -> int:
        """Certificates that count for the limit, of one company or of all with the privates."""
        if company is not None:
            return 0 if self._zone(company) in {"y", "g"} else company.certificates(player)
        privates = sum(p.owner == player and not p.closed for p in self.state.privates.values())
        return privates + sum(self.counted(player, company=c) for c in self.state.companies.values())

    def room(self, player: str) -> bool:
        return self.counted(player) < self._limit

    def too_many(self) -> bool:
        return self.counted(self.player) > self._limit

    def too_much(self, company: Company) -> bool:
        return company.percent(self.player) > 60 and self._zone(company) != "g"

    def over(self) -> bool:
        return self.too_many() or any(map(self.too_much, self.state.companies.values()))

    def helps(self, company: Company, shares: int) -> bool:
        if self.too_much(company):
            return True
        held = {p.id: company.percent(p.id) for p in self.state.players}
        held[self.player] -= 10 * shares
        heads = self._president(company, held) == self.player
        left = (held[self.player] - heads * company.certificate) // 10 + heads
        row, column = self.fallen(company, shares)
        free = self.cells[row][column][1] in {"y", "g"}
        return self.too_many() and (0 if free else left) < self.counted(self.player, company=company)

    # --- the legal set --------------------------------------------------------------------------------------------

    def moves(self) -> set[Move]:
        """All that the player may do, passing included."""
        return set(self.actions()) | ({("pass",)} if self.may_pass() else set())

    def actions(self) -> Iterator[Move]:
        """Sales and purchases."""
        if self._may_sell:
            yield from self.sales()
            yield from self.private_sales()
        if self._may_buy:
            yield from self.purchases()
            yield from self.private_purchases()

    def may_pass(self) -> bool:
        """A player over a limit must sell what brings them below it, as long as they can."""
        if not (self._may_sell and self.over()):
            return True
        return not any(self.helps(self.state.companies[str(name)], int(n)) for _, name, n in self.sales())

    @property
    def _may_sell(self) -> bool:
        if self.spec.buy_then_sell:
            return not self.turn.sold_before_buying
        return not self.turn.bought

    @property
    def _may_buy(self) -> bool:
        if self.turn.bought:
            return False
        # Where a purchase may come before all sales, what is due can still be sold after it (18AL, 18TN 3.2, 3.3).
        # 18xx.games has it sold first all the same (D-AL-22, D-TN-19).
        return self.may_pass() or (self.spec.buy_then_sell and not self.turn.done and not self.site)

    def sales(self) -> Iterator[Move]:
        """Blocks of shares to the bank: never in stock round 1, at most 50 % of a company there."""
        assert isinstance(self.state.round, Stock)
        if self.state.round.number == 1:
            return
        for company in self.state.companies.values():
            for shares in range(1, 11):
                if company.cell is not None and self._may_drop(company, 10 * shares):
                    yield ("sell_shares", company.id, shares)

    def _may_drop(self, company: Company, percent: int) -> bool:
        held, pool = company.percent(self.player), company.percent("market")
        if percent > held or pool + percent > 50:
            return False
        if percent <= company.shares.get(self.player, 0):
            return True
        others = [company.percent(p.id) for p in self.state.players if p.id != self.player]
        return max(others) >= company.certificate and max(others) > held - percent

    def purchases(self) -> Iterator[Move]:
        """One certificate: a president's, or a share of a company that has one, from offering or market."""
        cash = self.state.player(self.player).cash
        for company in self.state.companies.values():
            if company.cell is None and company.certificate_holder == "offering" and self.room(self.player):
                for par in self._pars():
                    if par * company.certificate // 10 <= cash:
                        yield ("par", company.id, par)
            elif company.cell is not None:
                for source in ("offering", "market"):
                    if company.shares.get(source, 0) and self._may_take(company, source, cash):
                        yield ("buy_share", company.id, source)

    def _may_take(self, company: Company, source: str, cash: int) -> bool:
        zone = self._zone(company)
        if (self.player, company.id) in self.turn.sold:
            return False
        if company.percent(self.player) >= 60 and zone != "g":
            return False
        if not self.room(self.player) and zone not in {"y", "g"}:
            return False
        return cash >= self._asked(company, source)

    def _asked(self, company: Company, source: str) -> int:
        if source == "offering":
            return company.par or 0
        two = len(self.state.players) == 2 and company.president != self.player
        # 18Chesapeake 14.3: the only share of the pool leaves the game, and nothing is paid.
        return 0 if two and company.percent("market") == 10 else self.price(company)

    def private_sales(self) -> Iterator[Move]:
        """To any player with room and a dollar, any price they can pay (18AL, 18TN 3.2(b)); none on 18xx.games."""
        if self.site:
            return
        for private in self._tradable(self.player):
            for buyer in self.state.players:
                if buyer.id != self.player and buyer.cash > 0 and self.room(buyer.id):
                    yield ("sell_private", private.id, buyer.id, 1, buyer.cash)

    def private_purchases(self) -> Iterator[Move]:
        """From any other player, as the purchase of the turn (18AL, 18TN 3.2(c)(4))."""
        cash = self.state.player(self.player).cash
        if cash == 0 or not (self.room(self.player) or self.site):
            return
        for seller in self.state.players:
            if seller.id != self.player:
                yield from (("buy_private", private.id, 1, cash) for private in self._tradable(seller.id))

    def _tradable(self, owner: str) -> Iterator[Private]:
        if self.spec.id in {"18al", "18tn"}:
            yield from (p for p in self.state.privates.values() if p.owner == owner and not p.closed)

    # --- afterwards -----------------------------------------------------------------------------------------------

    def outcome(self, action: Action) -> dict[str, object]:
        assert isinstance(action, Par | BuyShare | SellShares)
        company = self.state.companies[action.company]
        pool, cell, change, paid = company.percent("market"), company.cell, 0, 0
        if isinstance(action, SellShares):
            change, paid = -10 * action.shares, -action.shares * self.price(company)
            pool, cell = pool + 10 * action.shares, self.fallen(company, action.shares)
        elif isinstance(action, Par):
            change, paid = company.certificate, action.price * company.certificate // 10
        elif action.source == "market" and len(self.state.players) == 2 and company.president != self.player:
            paid, change = self._asked(company, "market"), 10 if pool > 10 else 0
            pool = max(pool - 20, 0)
        else:
            paid, change = self._asked(company, action.source), 10
            pool -= 10 if action.source == "market" else 0
        held = {p.id: company.percent(p.id) for p in self.state.players}
        held[self.player] += change
        president = self.player if isinstance(action, Par) else self._president(company, held)
        cash = self.state.player(self.player).cash - paid
        seen: dict[str, object] = {
            "cash": cash,
            "held": held[self.player],
            "pool": pool,
            "president": president,
        }
        return seen if isinstance(action, Par) else {**seen, "cell": cell}

    def _president(self, company: Company, held: dict[str, int]) -> str | None:
        old = company.president
        if old is None:
            return None
        seats = [p.id for p in self.state.players]
        start = seats.index(old)
        around = seats[start:] + seats[:start]
        able = [p for p in around if held[p] > held[old] and held[p] >= company.certificate]
        return max(able, key=lambda p: held[p], default=old)

    # --- the market -----------------------------------------------------------------------------------------------

    def price(self, company: Company) -> int:
        """Dollars for a share."""
        assert company.cell is not None
        return self.cells[company.cell[0]][company.cell[1]][0]

    def fallen(self, company: Company, rows: int) -> tuple[int, int]:
        """The cell after a sale: down a row for each share, as long as there is one."""
        assert company.cell is not None
        row, column = company.cell
        while rows and row + 1 < len(self.cells) and column < len(self.cells[row + 1]):
            row, rows = row + 1, rows - 1
        return row, column

    def _zone(self, company: Company) -> str:
        return "" if company.cell is None else self.cells[company.cell[0]][company.cell[1]][1]

    def _pars(self) -> list[int]:
        return [price for row in self.cells for price, mark in row if mark == "P"]

    @property
    def _limit(self) -> int:
        return self.spec.players[len(self.state.players)].certificates


def offered(game: Game, player: str) -> set[Move]:
    offers = (offer for offer in game.offers(player) if offer.kind in KINDS)
    return {move for offer in offers for move in _walk(offer.kind, Cursor(offer))}


def _walk(kind: str, here: Cursor) -> Iterator[Move]:
    if here.slot is None:
        yield (kind, *here.chosen.values())
    elif isinstance(here.domain, IntRange):
        yield (kind, *here.chosen.values(), here.domain.low, here.domain.high)
    else:
        for choice in here.domain.choices():
            yield from _walk(kind, here.pick(choice.value))


def _cell(word: str) -> tuple[int, str]:
    found = re.fullmatch(r"(\d+)([A-Za-z]?)", word)
    assert found is not None
    return int(found[1]), found[2]
