"""Examples of reasons that have to do with agreements and limits, in any title."""

from engine.game import Game
from tests.reasons.examples import example
from tests.titles.builders import Position
from tests.titles.t18al.alabama import Alabama


def laying() -> Game:
    """The PRR lays track; nothing is proposed, and no company has too many trains."""
    return Position().start("PRR", 80, a=60).operating("PRR").game()


def trading() -> Game:
    """A stock round of 18AL in which no private is on sale any more."""
    return Alabama().game()


def short_of_cash() -> Game:
    """Ann owns the C-P, with a face value of $40; the PRR has $30."""
    position = Position().phase("3").start("PRR", 80, a=60).treasury("PRR", 30).owns("a", "C-P")
    return position.operating("PRR").game()


example("auction.all_sold", trading, "bid", "a", private="TR", amount=45)
example("consent.nothing_proposed", laying, "answer", "a", reply="agree")
example("privates.more_than_treasury", short_of_cash, "buy_private", "PRR", private="C-P", price=60)
example("train_limit.nobody_above", laying, "discard_train", "PRR", train="2")
