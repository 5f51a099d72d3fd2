"""Refusals of rooms that 1830 opens first: a home that is chosen, and trades of privates."""

from typing import Final

from tests.titles.builders import TitleGame
from tests.titles.refusals.table import Refusal, row
from tests.titles.t1830.classic import Classic


def erie_chooses() -> TitleGame:
    """The ERIE has just laid track in E11, and chooses its city."""
    game = Classic().start("ERIE", 100, b=60).phase("3").operating("ERIE").game()
    game.lay("ERIE", "E11", "59")
    return game


def privates_of_b(number: int = 2) -> Classic:
    position = Classic().cash(a=200).owns("b", "CS", "BO").start("PRR", 67, c=60)
    return position.stock("a", number)


ROWS: Final[list[Refusal]] = [
    row("home.chosen_first", erie_chooses, "run_routes", "ERIE", routes=()),
    row("home.in_these_cities", erie_chooses, "place_token", "ERIE", hex="E11", city=2),
    row("home.in_this_hex", erie_chooses, "place_token", "ERIE", hex="D10", city=0),
    row("private_trade.never_this", privates_of_b, "buy_private", "a", private="BO", price=50),
    row("private_trade.not_yet", lambda: privates_of_b(1), "buy_private", "a", private="CS", price=50),
]
