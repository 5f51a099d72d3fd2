"""What a move would lead to, for the picture next to the button that makes it, and for the question before it."""

from typing import Final

from bot.table.moves.moves import Quick
from bot.table.style import strong
from engine.game import Game
from engine.tell.viewing import market_view
from engine.tell.views import MarketView

SHOWN: Final = frozenset({"merge", "convert"})
"""Kinds of moves that are shown with the market as they would leave it."""


def market_after(game: Game, quick: Quick) -> MarketView | None:
    """The market as a move would leave it; None for moves that are not shown so."""
    if quick.action.kind not in SHOWN:
        return None
    return market_view(_after(game, quick))


def sure_of(game: Game, quick: Quick) -> str:
    """The question before a move that gives up more than money, and how far an undo could help."""
    after = _after(game, quick)
    # The score at the end has shown everybody's money.
    final = after.over and game.rules.spec.secret_cash
    undo = "This can't be undone." if final else "You can undo it only until another player acts."
    return f"Confirm {strong(quick.label)}? {undo}"


def _after(game: Game, quick: Quick) -> Game:
    copy = Game.load(game.dump())
    copy.apply(quick.action)
    return copy
