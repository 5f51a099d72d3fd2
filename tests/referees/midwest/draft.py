"""A second statement of the draft of 1846: cards taken in secret, paid at the end."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.referees.classic.model import Move
from tests.referees.midwest.model import INDEPENDENTS, Midwest

DEAR = {"MSP": (140, 80), "B4P": (100, 60)}
"""Price, and its floor, of the cards that bring an independent (R-1846-023, R-1846-024)."""


@dataclass
class Draft:
    """Privates and a pass card for each player (R-1846-020 to R-1846-026)."""

    world: Midwest
    deck: list[str]
    shuffled: Callable[[], list[str]]
    """The deck after the others of a draw were shuffled to its bottom."""
    player: int
    chosen: dict[int, list[str]] = field(default_factory=dict)
    cheaper: int = 0
    step: str = "draft"

    @property
    def actor(self) -> int:
        return self.player

    @property
    def on_offer(self) -> list[str]:
        return self.deck[: len(self.world.seats) + 2]

    @property
    def over(self) -> bool:
        few = len(self.deck) < len(self.world.seats) + 2
        return not self.deck or (few and not any(map(self._is_private, self.deck)))

    @property
    def alone(self) -> bool:
        """True if one private is left, which all see."""
        return len(self.deck) == 1

    def _is_private(self, card: str) -> bool:
        return card in self.world.privates

    def price(self, card: str) -> int:
        """Dollars for a card; a pass card is free."""
        if not self._is_private(card):
            return 0
        return DEAR.get(card, (self.world.title.privates[card][0], 0))[0] - self.cheaper

    def _left(self, player: int) -> int:
        """A card must be payable beside those chosen before (R-1846-025)."""
        return self.world.seats[player].cash - sum(map(self._full_price, self.chosen.get(player, [])))

    def _full_price(self, card: str) -> int:
        return self.price(card) + self.cheaper * self._is_private(card)

    def moves(self) -> set[Move]:
        """Cards with their price; the last may be refused until it is at its floor."""
        found = set(self._takes())
        if self.alone and (self.price(self.deck[0]) > DEAR.get(self.deck[0], (0, 0))[1] or not found):
            found.add(("pass",))
        return found

    def _takes(self) -> Iterator[Move]:
        for card in self.on_offer:
            if self.price(card) <= self._left(self.player):
                price = self.price(card)
                yield ("take", card, ((price, price),))

    def play(self, move: Move) -> None:
        match move:
            case ("pass",):
                self.cheaper += 10 * (self.price(self.deck[0]) > DEAR.get(self.deck[0], (0, 0))[1])
            case ("take", str(card), int(price)):
                self._take(card, price)
        self.player = (self.player - 1) % len(self.world.seats)
        if self.over:
            self._pay()

    def _take(self, card: str, price: int) -> None:
        others = sorted(set(self.on_offer) - {card})
        below = self.deck[len(self.on_offer) :]
        self.chosen.setdefault(self.player, []).append(card)
        if self._is_private(card):
            self.world.privates[card].price = price
        self.deck = below + others
        if self.over:
            return
        found = self.shuffled()
        assert (found[: len(below)], sorted(found[len(below) :])) == (below, others)
        self.deck = found

    def _pay(self) -> None:
        """All at the end; independents get their cash (R-1846-024)."""
        world = self.world
        for player, cards in self.chosen.items():
            for name in filter(self._is_private, cards):
                private = world.privates[name]
                private.owner = player
                world.seats[player].cash -= private.price
                world.pay(-private.price)
        for name, (of, _, cash) in INDEPENDENTS.items():
            world.corporations[name].president = world.privates[of].owner  # type: ignore[assignment]
            world.corporations[name].cash = world.pay(cash)

    def skip(self) -> bool:
        """Somebody must always choose."""
        return False
