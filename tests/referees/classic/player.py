"""A random player who makes games of the classic titles eventful, and seldom gives up."""

from random import Random
from typing import Any

from engine.core.actions import Action
from engine.core.offers import Domain, IntRange, Offer
from engine.game import Game
from tests.support.players.newengland_player import Speculator

EVENTFUL = {"bid": 8, "exchange_private": 0.3, "declare_bankruptcy": 0.02, "lay_tile": 30, "buy_train": 20}
LONG_ROUND = 200
"""After this many actions without a run players of a stock round pass more and more often: it ends when all do."""


class Financier(Speculator):
    """Plays all seats; each game has its own temper."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        temper = Random(seed)
        self._sells = temper.choice([0.1, 0.5, 2])
        self._deals = temper.choice([0.1, 0.5, 2])
        self._since_a_run = 0

    def choose(self, game: Game) -> Action:
        action = super().choose(game)
        self._since_a_run = 0 if action.kind == "run_routes" else self._since_a_run + 1
        return action

    def _weight(self, offer: Offer) -> float:
        if offer.kind == "sell_shares":
            return self._sells
        if offer.kind == "buy_private":
            return self._deals
        if offer.kind == "pass" and offer.entity == offer.actor:
            return 4 * max(1.0, self._since_a_run / LONG_ROUND) ** 3
        ruin = offer.kind == "declare_bankruptcy" and offer.blocking
        weight = None if ruin else EVENTFUL.get(offer.kind)
        return super()._weight(offer) if weight is None else weight

    def _pick(self, offer: Offer, domain: Domain) -> Any:
        if offer.kind == "bid" and isinstance(domain, IntRange):
            steps = self._random.choice([0, 0, 1, 5, 40])
            return domain.low + domain.step * min((domain.high - domain.low) // domain.step, steps)
        return super()._pick(offer, domain)
