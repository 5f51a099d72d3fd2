"""What a choice would lead to, for the picture beside its menu."""

from typing import Final

from bot.table.menus import Question, next_step
from engine.core.offers import Offer
from engine.game import Game
from engine.tell.viewing import market_view
from engine.tell.views import MarketView

SHOWN: Final = frozenset({"merge", "convert"})
"""Kinds of offers whose last question has the market beside it, as it would be with the first of the answers."""


def market_after(game: Game, offer: Offer, question: Question) -> MarketView | None:
    """The market as the first answer to an offer's last question would make it; None for what is not shown."""
    if offer.kind not in SHOWN or len(question.picked) + 1 < len(offer.slots):
        return None
    walk = next_step(game, offer, [*question.picked, str(question.choices[0].value)])
    assert not isinstance(walk, Question)
    copy = Game.load(game.dump())
    copy.apply(walk.action())
    return market_view(copy)
