"""What a move would lead to, for the picture beside the button that makes it."""

from typing import Final

from bot.table.moves import Quick
from engine.game import Game
from engine.tell.viewing import market_view
from engine.tell.views import MarketView

SHOWN: Final = frozenset({"merge", "convert"})
"""Kinds of moves that are shown with the market as they would leave it."""


def market_after(game: Game, quick: Quick) -> MarketView | None:
    """The market as a move would leave it; None for moves that are not shown so."""
    if quick.offer.kind not in SHOWN:
        return None
    copy = Game.load(game.dump())
    copy.apply(quick.offer.fill(**quick.chosen))
    return market_view(copy)
