"""The end of a game of 18NewEngland, and the final scores (13)."""

from engine.core.events import EndTriggered
from engine.core.ids import OFFERING
from engine.core.state import Ending
from tests.titles.builders import TitleGame
from tests.titles.t18newengland.newengland import NewEngland


def last_turn(number: int, *, revenue: int, price: int = 100, bank: int | None = None) -> TitleGame:
    """The only company's dividend, in the first or second operating round of a set."""
    position = NewEngland().phase("2").major("B&A", 100, price=price, a=60).trains("B&A", "2", "2", "2", "2")
    position.operating("B&A", "dividend", number=number, of=2, revenue=revenue)
    if bank is not None:
        position.bank(bank)
    return position.game()


def finish_turn(game: TitleGame) -> None:
    here = game.round_name()
    while not game.is_over and game.round_name() == here and game.kinds():
        game.passes("B&A")


def test_bank_and_price_end_the_game() -> None:
    """A broken bank pays on from money it does not have; or par to a company, before a whole set. At $0 it is
    broken, on that site only below. Example 24: a price of 500, in the first of two rounds (R-NE-130,
    R-NE-131, D-NE-11)."""
    game = last_turn(1, revenue=400, bank=400)
    events = game.do("dividend", "B&A", option="pay")
    assert EndTriggered("bank", "operating", "round", 1) in events
    finish_turn(game)
    assert (game.round_name(), game.is_over) == ("OR 2.2", False)
    game = last_turn(2, revenue=400, bank=400)
    game.do("dividend", "B&A", option="pay")
    assert game.table.state.ending == Ending("bank", "bank")
    position = NewEngland(profile="18xx.games").major("B&A", 100, a=60).trains("B&A", "2", "2", "2", "2")
    there = position.operating("B&A", "dividend", revenue=400).bank(400).game()
    there.do("dividend", "B&A", option="pay")
    assert there.table.state.ending is None
    position = NewEngland().phase("2").cash(a=65, b=0, c=0).major("B&A", 200, price=65, b=20)
    game = position.bank(100).game()
    events = game.do("buy_share", "a", company="B&A", source=OFFERING)
    assert EndTriggered("bank", "stock", "set") in events
    while game.round_name() == "SR 2":
        game.passes(game.on_turn())
    assert game.round_name() in {"OR 2.1", "OR 2.2"} or game.is_over
    assert game.table.state.ending == Ending("bank", "bank")
    game = last_turn(1, revenue=460, price=460)
    game.do("dividend", "B&A", option="pay")
    assert game.price("B&A") == 500
    finish_turn(game)
    assert game.is_over
    assert game.table.state.ending == Ending("price", "B&A")
