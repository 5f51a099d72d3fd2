"""A random player who makes games of 18NewEngland eventful: trains, mergers, shares moved to and fro, ruin."""

from random import Random
from typing import Any

from engine.core.actions import Action
from engine.core.offers import Domain, Offer, OfferCursor
from engine.game import Game
from tests.support.players.random_play import RandomPlayer

EVENTFUL = {
    "reserve": 8,
    "start_minor": 10,
    "buy_train": 30,
    "merge": 14,
    "convert": 5,
    "issue": 3,
    "redeem": 1.5,
    "sell_shares": 2,
    "buy_share": 14,
    "liquidate": 2,
}


class Speculator(RandomPlayer):
    """Plays all seats; each game has its own temper, from thrifty to ruinous."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        temper = Random(seed)
        self._trades = temper.choice([0.0, 0.1, 0.4])
        self._pays = temper.choice([1, 3, 8])

    def choose(self, game: Game) -> Action:
        offers = [offer for offer in game.offers() if offer.kind != "end_game"]
        offer = self._random.choices(offers, [self._weight(offer) for offer in offers])[0]
        if offer.kind == "buy_train" and self._random.random() >= self._trades:
            return self._new_train(offer)
        return offer.fill(**self._fill(offer))

    def _new_train(self, offer: Offer) -> Action:
        ways = [
            way
            for _, train in OfferCursor(offer).choices_and_cursors()
            for choice, way in train.choices_and_cursors()
            if _is_new(choice.value)
        ]
        if not ways:
            return offer.fill(**self._fill(offer))
        chosen = dict(self._random.choice(ways).chosen)
        for slot in offer.slots[len(chosen) :]:
            chosen[slot.name] = self._pick(offer, slot.domain(chosen))
        return offer.fill(**chosen)

    def _weight(self, offer: Offer) -> float:
        weight = EVENTFUL.get(offer.kind)
        if weight is None:
            return super()._weight(offer)
        return weight if offer.blocking else weight / 4

    def _pick(self, offer: Offer, domain: Domain) -> Any:
        if offer.kind == "dividend":
            options = [choice.value for choice in domain.choices()]
            return self._random.choices(options, [self._pays if o == "pay" else 1 for o in options])[0]
        return super()._pick(offer, domain)


def _is_new(source: str | int) -> bool:
    return source in {"bank", "pool"}
