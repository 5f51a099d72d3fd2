"""Positions of 1846."""

from collections.abc import Iterable
from typing import Self

from engine.core.ids import OFFERING, Cell
from engine.core.state import Auction
from tests.titles.builders import Position, TitleGame, new_game

TITLE, PROFILE = "1846", "18xx.games"


class Midwest(Position):
    """A position of 1846; of five players, so that no company is left out."""

    def __init__(self, players: int = 5, options: Iterable[str] = ()) -> None:
        super().__init__(players, profile=PROFILE, title=TITLE, options=options)
        for independent in ("MS", "BIG4"):
            self.state.companies[independent].trains = []

    def start(
        self,
        company: str,
        par: int,
        *,
        at: Cell | None = None,
        market: int = 0,
        removed: int = 0,
        **percents: int,
    ) -> Self:
        """A started company with its home token; what nobody holds lies in its treasury."""
        super().start(company, par, at=at, market=market, removed=removed, **percents)
        found = self.state.companies[company]
        left = found.shares.pop(OFFERING, 0)
        if left:
            found.shares[company] = left
        found.floated = True
        self._set_cash(found, 0)
        home = self.t.map.homes[company]
        found.tokens.pop(0)
        self.t.map.place_token(*home, company)
        return self

    def tiles(self, text: str) -> Self:
        for word in text.split():
            coord, tile, turns = word.split(":")
            self.tile(coord, tile, int(turns))
        return self


def first_position(players: int = 3, *options: str, seed: int = 0) -> TitleGame:
    return new_game(players, seed, PROFILE, TITLE, options)


def drafted(game: TitleGame) -> None:
    """Play the draft to its end: everybody takes the cheapest card."""
    while isinstance(game.table.state.round, Auction):
        offer = game.offers()[0]
        cheapest = min(offer.suggest(), key=lambda one: int(one.chosen["amount"]))
        game.apply(offer.fill(**cheapest.chosen))
