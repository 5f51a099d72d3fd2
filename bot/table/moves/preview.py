"""Whether a move is possible and what it would lead to. Slow, so workers answer."""

from typing import Final

from bot.table.moves.moves import Quick, Typed
from bot.table.moves.walk import open_slot
from bot.table.style import marked, strong
from engine.core.errors import IllegalAction, NotYourTurn
from engine.core.ids import PlayerId
from engine.game import Game
from engine.tell.view_builders import market_view
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


def possible(game: Game, player: PlayerId, move: Typed) -> str:
    """That a move is possible as far as typed, and what is still to be said; raises IllegalAction with the reason.

    Off turn: the same as if it were the player's turn and all else stood as it does.
    """
    try:
        return f"That is possible now.{_rest(game, player, move)}"
    except NotYourTurn:
        there = game.on_turn_of(player, move.kind)
        if there is None:
            raise
    try:
        return f"On your turn this would be possible.{_rest(there, player, move)}"
    except IllegalAction as problem:
        return f"On your turn this would be refused: {marked(there).refusal(problem)}"


def _rest(game: Game, player: PlayerId, move: Typed) -> str:
    found = move.walk(game, player)
    return "" if found.slot is None else f" {open_slot(game, found)}"
