"""A player who picks among the offers by chance, weighted so that games come to their end."""

from random import Random
from typing import Any

from engine.core.actions import Action, build_action
from engine.core.offers import Domain, IntRange, Offer, Routes
from engine.game import Game

WEIGHTS = {
    "pass": 4,
    "bid": 3,
    "par": 6,
    "buy_share": 10,
    "sell_shares": 1,
    "lay_tile": 30,
    "place_token": 6,
    "buy_train": 12,
    "buy_private": 1,
    "sell_private": 0.3,
    "place_marker": 20,
    "declare_bankruptcy": 1,
    "liquidate": 0.1,
    "merge": 12,
    "end_game": 0,
}


class RandomPlayer:
    """Plays all seats of a game; the same seed plays the same game."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, game: Game) -> Action:
        offers = [offer for offer in game.offers() if offer.kind != "end_game"]
        weights = [self._weight(offer) for offer in offers]
        offer = self._random.choices(offers, weights)[0]
        return offer.fill(**self._fill(offer))

    def wild(self, game: Game) -> Action:
        """An action whose last value is not among the legal ones, or one that nobody was offered."""
        offer = self._random.choice(game.offers())
        chosen = self._fill(offer)
        if not chosen:
            stranger = self._random.choice(["nobody", "PRR", *(player for player, _ in game.players)])
            return build_action(offer.kind, stranger, offer.entity + "?")
        name, value = list(chosen.items())[-1]
        chosen[name] = self._outside(value)
        return offer.fill(**chosen)

    def _weight(self, offer: Offer) -> float:
        weight = WEIGHTS.get(offer.kind, 5)
        return weight if offer.blocking else weight / 4

    def _fill(self, offer: Offer) -> dict[str, Any]:
        chosen: dict[str, Any] = {}
        for slot in offer.slots:
            chosen[slot.name] = self._pick(offer, slot.domain(chosen))
        return chosen

    def _pick(self, offer: Offer, domain: Domain) -> Any:
        if isinstance(domain, Routes):
            best = self._random.random() < 0.9 or () not in domain
            return offer.suggest()[0].chosen["routes"] if best else ()
        if isinstance(domain, IntRange):
            spread = (domain.high - domain.low) // domain.step
            steps = self._random.choice([0, 0, 0, spread, self._random.randint(0, spread)])
            return domain.low + steps * domain.step
        values = [choice.value for choice in domain.choices()]
        if values == ["pay", "withhold"]:
            return self._random.choices(values, [3, 1])[0]
        return self._random.choice(values)

    def _outside(self, value: Any) -> Any:
        if isinstance(value, int):
            return self._random.choice([-1, -value - 7, value + 100_000])
        if isinstance(value, tuple):
            return ("2:Z9.a-0 Z8.3-a",)
        return self._random.choice(["", "nothing", "?", "9999"])
