"""A second statement of the private auction of 18Chesapeake (section 9), as a small game of its own.

Written from the printed rules; it reads nothing of the engine but the printed table, and plays along on its own.
"""

from dataclasses import dataclass, field

from engine.core.spec import PrivateSpec


@dataclass
class AuctionRules:
    """Where the auction stands; players are numbered from 0, and the first has the priority deal."""

    privates: dict[str, PrivateSpec]
    cash: list[int]
    turn: int = 0
    priority: int = 0
    discount: int = 0
    passed: list[int] = field(default_factory=list)
    owner: dict[str, int] = field(default_factory=dict)
    bids: dict[str, dict[int, int]] = field(default_factory=dict)
    contested: str = ""
    buyer: int = 0

    @property
    def unsold(self) -> list[str]:
        """Privates left, cheapest first."""
        return sorted(self.privates.keys() - self.owner.keys(), key=lambda p: self.privates[p].value)

    @property
    def over(self) -> bool:
        return not self.unsold

    @property
    def actor(self) -> int:
        if self.contested:
            fight = self.bids[self.contested]
            return min(fight, key=lambda player: fight[player])
        return self.turn

    def prices(self) -> dict[str, tuple[int, int]]:
        """Least and highest price of what the player who decides may buy or bid on."""
        found = {}
        for private in [self.contested] if self.contested else self.unsold:
            face = self.privates[private].value
            least = max([face, *self.bids.get(private, {}).values()]) + 5
            most = self._free(private) // 5 * 5
            if private == self.unsold[0] and not self.contested:
                least = most = face if self.owner else face - self.discount
            if least <= min(most, self._free(private)):
                found[private] = (least, most)
        return found

    def _free(self, private: str) -> int:
        """Cash without the player's own highest bids on other privates."""
        others = (bids for name, bids in self.bids.items() if name != private and bids)
        tied = (max(bids.values()) for bids in others if max(bids, key=lambda p: bids[p]) == self.actor)
        return self.cash[self.actor] - sum(tied)

    def bid(self, private: str, amount: int) -> None:
        """Buy the cheapest, or bid on another one."""
        self.passed = []
        if self.contested or private != self.unsold[0]:
            self.bids.setdefault(private, {})[self.actor] = amount
            self.turn = self.turn if self.contested else self._left_of(self.turn)
        else:
            self._buy_at_face(amount)

    def decline(self) -> None:
        """Pass; among bidders: leave for good."""
        if self.contested:
            del self.bids[self.contested][self.actor]
            self._settle()
            return
        self.passed.append(self.turn)
        self.turn = self._left_of(self.turn)
        if len(self.passed) == len(self.cash):
            self._all_passed()

    def _all_passed(self) -> None:
        first, self.passed = self.passed[0], []
        if self.owner:
            for private, player in self.owner.items():
                self.cash[player] += self.privates[private].income
            return
        self.discount += 5
        self.priority = self.turn = first
        if self.privates[self.unsold[0]].value == self.discount:
            self._buy_at_face(0)

    def _buy_at_face(self, price: int) -> None:
        self.buyer = self.turn
        self._sell(self.unsold[0], self.turn, price)
        self.turn = self._left_of(self.turn)
        self._settle()

    def _settle(self) -> None:
        """Sell what has one bidder, until one without bids comes, or several have to fight."""
        self.contested = ""
        while self.unsold and (bids := self.bids.get(self.unsold[0])):
            if len(bids) > 1:
                self.contested = self.unsold[0]
                return
            ((player, amount),) = bids.items()
            del self.bids[self.unsold[0]]
            self._sell(self.unsold[0], player, amount)
        if self.over:
            self.priority = self._left_of(self.buyer)

    def _sell(self, private: str, player: int, price: int) -> None:
        self.cash[player] -= price
        self.owner[private] = player

    def _left_of(self, seat: int) -> int:
        return (seat + 1) % len(self.cash)
