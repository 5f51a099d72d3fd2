"""A random player who makes games of 18C2C eventful: mergers, nationals, bull tokens, privatizations, ruin."""

from random import Random
from typing import Any

from engine.core.actions import Action
from engine.core.offers import Domain, Offer, Routes
from engine.game import Game
from tests.support.players.newengland_player import Speculator

EVENTFUL = {
    "bid": 8,
    "par": 6,
    "buy_share": 24,
    "sell_shares": 1,
    "privatize": 4,
    "redeem_share": 4,
    "reissue": 4,
    "buy_private": 0.3,
    "sell_private": 0.2,
    "buy_train": 30,
    "lay_tile": 30,
    "place_token": 8,
    "place_bull": 3,
    "place_marker": 4,
    "close_private": 2,
    "buy_marker": 4,
    "propose_merger": 12,
    "shuffle": 4,
    "run_destination": 12,
    "declare_bankruptcy": 1,
}
TO_CORPORATIONS = 6
LONG_ROUND = 300
"""After this many actions without a run players of a stock round pass more and more often: it ends when all do."""


class Magnate(Speculator):
    """Plays all seats; each game has its own temper, from thrifty to ruinous."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        temper = Random(seed)
        self._bulls = temper.choice([0.2, 0.5, 0.9])
        self._sells = temper.choice([0.2, 0.5, 2])
        self._passes = temper.choice([2, 6, 12])
        self._since_a_run = 0

    def choose(self, game: Game) -> Action:
        action = super().choose(game)
        self._since_a_run = 0 if action.kind == "run_routes" else self._since_a_run + 1
        return action

    def _weight(self, offer: Offer) -> float:
        weight = EVENTFUL.get(offer.kind)
        if offer.kind == "pass" and offer.entity == offer.actor:
            return self._passes * max(1.0, self._since_a_run / LONG_ROUND) ** 3
        if weight is None:
            return super()._weight(offer)
        if offer.kind == "buy_private" and offer.entity != offer.actor:
            return TO_CORPORATIONS
        return weight * (self._sells if offer.kind == "sell_shares" else 1)

    def _pick(self, offer: Offer, domain: Domain) -> Any:
        values = (
            [choice.value for choice in domain.choices()] if offer.kind in {"buy_tokens", "answer"} else []
        )
        if offer.kind == "buy_tokens" and self._random.random() < self._bulls:
            return max(values, key=lambda value: len(str(value)))
        if "agree" in values:
            return self._random.choices(["agree", "refuse"], [4, 1])[0]
        picked = super()._pick(offer, domain)
        return (
            offer.suggest()[0].chosen["routes"]
            if isinstance(domain, Routes) and picked not in domain
            else picked
        )
