"""A player with plain good sense, for games that look like games: builds towards revenue, runs the best, pays out."""

from copy import deepcopy
from random import Random
from typing import Any

from engine.core.actions import Action
from engine.core.offers import Cursor, Offer
from engine.core.state import Company
from engine.game import Game
from engine.play.table import Table
from engine.play.trains.forced_purchase import cheapest_price
from engine.routes.search import best_routes

LAYS_LOOKED_AT = 24


class SteadyPlayer:
    """Plays all seats; the same seed plays the same game."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def choose(self, game: Game) -> Action:
        """The action of the first matter of importance."""
        offers = {offer.kind: offer for offer in game.offers() if offer.blocking and offer.kind != "end_game"}
        for kind in ("answer", "discard_train", "declare_bankruptcy", "run_routes", "dividend", "lay_tile"):
            if kind in offers:
                important: Action = getattr(self, f"_{kind}")(game, offers[kind])
                return important
        for kind in ("place_token", "buy_train", "bid", "sell_shares", "par", "buy_share", "buy_private"):
            if kind in offers:
                action: Action | None = getattr(self, f"_{kind}")(game, offers[kind])
                if action is not None or "pass" not in offers:
                    return action or self._anything(list(offers.values()))
        return self._anything(
            [offer for kind, offer in offers.items() if kind == "pass"] or list(offers.values())
        )

    def _anything(self, offers: list[Offer]) -> Action:
        offer = self._random.choice(offers)
        chosen: dict[str, Any] = {}
        for slot in offer.slots:
            chosen[slot.name] = next(iter(slot.domain(chosen).choices())).value
        return offer.fill(**chosen)

    def _suggested(self, offer: Offer, index: int = 0) -> Action:
        return offer.fill(**offer.suggest()[index].chosen)

    def _answer(self, game: Game, offer: Offer) -> Action:
        return self._suggested(offer)

    def _discard_train(self, game: Game, offer: Offer) -> Action:
        return self._suggested(offer)

    def _declare_bankruptcy(self, game: Game, offer: Offer) -> Action:
        return offer.fill()

    def _run_routes(self, game: Game, offer: Offer) -> Action:
        return self._suggested(offer)

    def _dividend(self, game: Game, offer: Offer) -> Action:
        t = game.table
        price = cheapest_price(t) or 0
        saving = len(t.company.trains) < 2 and t.company.cash < price <= t.company.cash + 2 * t.turn.revenue
        return self._suggested(offer, 1 if saving and self._random.random() < 0.6 else 0)

    def _lay_tile(self, game: Game, offer: Offer) -> Action:
        lays = [
            dict(walk.chosen)
            for _, in_hex in Cursor(offer).choices_and_walks()
            for _, tile in in_hex.choices_and_walks()
            for _, walk in tile.choices_and_walks()
        ]
        looked = self._random.sample(lays, min(LAYS_LOOKED_AT, len(lays)))
        return offer.fill(**max(looked, key=lambda lay: self._worth(game.table, lay)))

    def _worth(self, t: Table, lay: dict[str, Any]) -> float:
        board = deepcopy(t.map)
        board.lay(lay["hex"], lay["tile"], lay["rotation"])
        trains = t.company.trains or ["3"]
        found = best_routes(board, t.company.id, trains, t.rules.terms(t))
        return found.value - t.map.cost(lay["hex"]) / 4 + self._random.random()

    def _place_token(self, game: Game, offer: Offer) -> Action | None:
        t = game.table
        rich = t.company.cash > t.company.tokens[0] + (cheapest_price(t) or 0)
        return self._suggested(offer) if rich and self._random.random() < 0.5 else None

    def _buy_train(self, game: Game, offer: Offer) -> Action | None:
        bank = [s for s in offer.suggest() if not s.chosen["trade_in"]]
        if not game.table.company.trains or (bank and self._random.random() < 0.8):
            return offer.fill(**(bank or offer.suggest())[0].chosen) if offer.suggest() else None
        return None

    def _bid(self, game: Game, offer: Offer) -> Action | None:
        wanted = [s for s in offer.suggest() if self._random.random() < 0.35]
        return offer.fill(**wanted[0].chosen) if wanted else None

    def _sell_shares(self, game: Game, offer: Offer) -> Action | None:
        forced = not any(o.kind in {"buy_share", "par", "pass"} for o in game.offers(offer.actor))
        if forced or offer.entity != offer.actor or self._random.random() < 0.04:
            return self._anything([offer])
        rest = {o.kind: o for o in game.offers(offer.actor)}
        for kind in ("par", "buy_share"):
            if kind in rest:
                action: Action | None = getattr(self, f"_{kind}")(game, rest[kind])
                if action is not None:
                    return action
        return None

    def _par(self, game: Game, offer: Offer) -> Action | None:
        if Cursor(offer).take({}).domain and any(self._unfloated(game, offer.actor)):
            buy = next((o for o in game.offers(offer.actor) if o.kind == "buy_share"), None)
            return self._buy_share(game, buy) if buy else None
        company = self._random.choice([c.value for c in Cursor(offer).take({}).domain.choices()])
        prices = [c.value for c in Cursor(offer).take({"company": company}).domain.choices()]
        affordable = [p for p in prices if isinstance(p, int) and p * 6 <= game.table.cash(offer.actor) * 2]
        return offer.fill(company=company, price=max(affordable)) if affordable else None

    def _unfloated(self, game: Game, player: str) -> list[Company]:
        companies = game.table.state.companies.values()
        return [c for c in companies if c.president == player and not c.floated]

    def _buy_share(self, game: Game, offer: Offer) -> Action | None:
        names = [choice.value for choice in Cursor(offer).take({}).domain.choices()]
        own = [company.id for company in self._unfloated(game, offer.actor) if company.id in names]
        companies = game.table.state.companies
        name = (
            own[0]
            if own
            else max(names, key=lambda n: (game.table.price(companies[str(n)]), self._random.random()))
        )
        source = next(iter(Cursor(offer).take({"company": name}).domain.choices())).value
        return offer.fill(company=name, source=source)

    def _buy_private(self, game: Game, offer: Offer) -> Action | None:
        own = [
            s for s in offer.suggest() if game.table.state.privates[s.chosen["private"]].owner == offer.actor
        ]
        return offer.fill(**own[0].chosen) if own else None
