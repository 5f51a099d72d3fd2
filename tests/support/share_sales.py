"""What a president can sell, tried out from the printed rules: 18Chesapeake 10.2, 10.3, 18AL and 18TN 3.2(a), 3.5.

It shares no rule code with the engine.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from engine.game import Game

ANY = 10**9
"""More than any certificate ever brings."""


@dataclass(frozen=True)
class Line:
    """A company's shares as its seller sees them, in percent; `prices` are those after each share more is sold."""

    prices: tuple[int, ...]
    certificate: int
    president: str
    held: tuple[tuple[str, int], ...]
    """By player, in seat order."""
    market: int
    kept: bool

    def after(self, seller: str, shares: int) -> "Line | None":
        """The company after a block is sold; None where that is not allowed."""
        held = dict(self.held)
        left, market = held[seller] - 10 * shares, self.market + 10 * shares
        if left < 0 or market > 50:
            return None
        held[seller] = left
        fallen = self.prices[shares:] or self.prices[-1:]
        line = replace(self, prices=fallen, held=tuple(held.items()), market=market)
        return line if self.president != seller else self._led(line, seller, left)

    def _led(self, line: "Line", seller: str, left: int) -> "Line | None":
        seats = [player for player, _ in self.held]
        others = seats[seats.index(seller) + 1 :] + seats[: seats.index(seller)]
        held = dict(self.held)
        heir = max(others, key=held.__getitem__)  # the first of equals: clockwise
        moves = held[heir] > left
        if moves and self.kept:
            return None
        if left < self.certificate and not (moves and held[heir] >= self.certificate):
            return None
        return replace(line, president=heir) if moves else line


Way = tuple[int, int]


@cache
def ways(line: Line, seller: str) -> frozenset[Way]:
    """All that can be made of one company, selling nothing included."""
    found = {(0, ANY)}
    for shares in range(1, 11):
        after = line.after(seller, shares)
        if after is not None:
            price = line.prices[0]
            found |= {(price * shares + more, min(price, least)) for more, least in ways(after, seller)}
    return frozenset(found)


def lines(game: Game, president: str, kept: set[str]) -> Iterator[tuple[str, Line]]:
    """The companies the player holds shares of; those named keep their president."""
    rows = [
        [int(re.match(r"\d+", word)[0]) for word in row.split()]  # type: ignore[index]
        for row in game.rules.spec.market.rows
    ]
    for company in game.table.state.companies.values():
        if company.cell is None or not company.percent(president):
            continue
        row, column = company.cell
        prices = [rows[row][column]]
        while row + 1 < len(rows) and column < len(rows[row + 1]):
            row += 1
            prices.append(rows[row][column])
        held = tuple((seat.id, company.percent(seat.id)) for seat in game.table.state.players)
        yield (
            company.id,
            Line(
                tuple(prices),
                company.certificate,
                str(company.certificate_holder),
                held,
                company.shares.get("market", 0),
                company.id in kept,
            ),
        )
