"""A greedy player that makes the legal move with the highest expected value.

The value is the player's net worth, plus what their shares will pay until the game ends if each company continues to
earn what it earns now. The player looks one move ahead and does not know that trains rust.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from engine.board.network import network_of
from engine.caretaker.railway import best_revenue, hypothetical_table
from engine.caretaker.weighed_move import completed_moves
from engine.core.actions import Action
from engine.core.ids import PlayerId
from engine.core.offers import IntRange, Offer, OfferCursor
from engine.core.state import Company, Operating
from engine.game import Game
from engine.play.shares.holdings import net_worth, percent_sold_from_offering
from engine.play.table import Table
from engine.play.trains.phases import next_new_train
from engine.routes.search import KnownSolutions

ROUNDS: Final = 10.0
"""The most future operating rounds that the player counts on."""
GROWTH: Final = 1.5
"""Assumed growth of the payments from the bank, from one set of operating rounds to the next."""
GUESS: Final = 0.1
"""Assumed dividend of a company that has not run yet, as a fraction of the share price."""
STOP: Final = 2.0
"""Value in dollars of a stop that the operating company can reach.

Without it, the player would never lay track that does not extend a route at once.
"""
FIRST: Final = 10.0
"""Dollars per run added for having a train, since a company without a train cannot earn anything."""
WANTED: Final = 0.5
"""Fraction of a run's revenue that counts for a company that has no train yet."""
MOST: Final = 300
"""The most ways to fill in one offer (open decision) that the player tries."""
REFUSED: Final = frozenset({"end_game", "declare_bankruptcy"})
"""Moves that the player makes only if there is no other."""


class Greedy:
    """A greedy player for any seat, without randomness."""

    def __init__(self) -> None:
        self._known: KnownSolutions = {}

    def choose(self, game: Game) -> Action:
        """The action with the highest expected value for the player who must act; of equals the first."""
        player = game.actors()[0]
        offers = [offer for offer in game.offers(player) if offer.kind != "end_game"]
        best, most = None, float("-inf")
        for cursor in self._walks(offers):
            expected = self._after(game, cursor, player)
            if expected > most:
                best, most = cursor, expected
        if best is None:
            best = next(completed_moves(next(offer for offer in offers if offer.blocking)))
        return best.action()

    def _walks(self, offers: list[Offer]) -> Iterator[OfferCursor]:
        """Complete moves to try, passing first; a price is also tried at its highest."""
        for offer in sorted(offers, key=lambda one: (one.kind in REFUSED, one.kind != "pass")):
            for cursor in islice(completed_moves(offer), 1 if offer.kind == "run_routes" else MOST):
                yield cursor
                if offer.slots and offer.slots[-1].name == "price":
                    yield from _highest_price(cursor)

    def _after(self, game: Game, cursor: OfferCursor, player: PlayerId) -> float:
        """The player's expected value after a move; minus infinity if the move needs others' consent."""
        table = game.table_after(cursor)
        if cursor.offer.kind == "pass":
            return self._expected(table, player)
        if table.state.proposal is not None and game.proposal is None:
            return float("-inf")
        return self._expected(table, player) - (1e6 if cursor.offer.kind in REFUSED else 0.01)

    def _expected(self, t: Table, player: PlayerId) -> float:
        """Dollars that the player is expected to have at the end: net worth and future income."""
        companies = [c for c in t.state.companies.values() if c.is_started and not c.closed]
        rounds = _rounds_left(t, companies)
        whole = float(net_worth(t, t.state.player(player)))
        for company in companies:
            whole += company.percent(player) / 100 * self._income(t, company) * rounds
            if company.president == player and _operates(t, company):
                whole += len(network_of(t.map, company.id).stops) * STOP
        if t.state.ending is None:
            whole += sum(
                t.spec.privates[private.id].income * min(rounds, 4)
                for private in t.state.privates.values()
                if private.owner == player and not private.closed
            )
        return whole

    def _income(self, t: Table, company: Company) -> int | float:
        """Dollars that a company is expected to earn in one run."""
        if _operates(t, company):
            coming = next_new_train(t)
            if company.runnable_trains or coming is None:
                return best_revenue(t, self._known) + FIRST
            return best_revenue(hypothetical_table(t, trains=[coming]), self._known) * WANTED
        if company.last_run is None:
            return t.price(company) * GUESS * 100 / company.share * _float_chance(t, company)
        return company.last_run.revenue if company.runnable_trains else 0


def _highest_price(cursor: OfferCursor) -> Iterator[OfferCursor]:
    chosen = {name: value for name, value in cursor.chosen.items() if name != "price"}
    prices = cursor.offer.slots[-1].domain(chosen)
    if isinstance(prices, IntRange) and prices.high > prices.low:
        yield OfferCursor(cursor.offer, {**chosen, "price": prices.high})


def _operates(t: Table, company: Company) -> bool:
    now = t.state.round
    return isinstance(now, Operating) and now.turn is not None and now.turn.company == company.id


def _float_chance(t: Table, company: Company) -> float:
    """Probability (0-1), as a guess, that a company floats: how much of the missing shares its president can pay."""
    if company.floated or company.president is None:
        return 1.0
    missing = t.spec.companies[company.id].float_percent - percent_sold_from_offering(company)
    cost = max(1, missing // company.share * t.price(company))
    return min(1.0, t.cash(company.president) / cost) ** 2


def _rounds_left(t: Table, companies: list[Company]) -> float:
    if t.state.ending is not None:
        now = t.state.round
        return now.of - now.number + 0.5 if isinstance(now, Operating) else 2.0
    paid = sum(company.last_run.revenue for company in companies if company.last_run)
    return min(ROUNDS, max(0.5, t.state.bank / (paid * GROWTH))) if paid else ROUNDS
