"""What is chosen about trains, and where one cannot be paid."""

from typing import Literal

from engine.core.actions.base import Choices
from engine.core.ids import TrainName


class BuyTrain(Choices):
    """Buy a train from `bank`, `pool` or a company, at a price in dollars, maybe handing in a train (else empty)."""

    kind: Literal["buy_train"] = "buy_train"
    train: TrainName
    source: str
    trade_in: str
    price: int


class DiscardTrain(Choices):
    """Give up a train above the limit."""

    kind: Literal["discard_train"] = "discard_train"
    train: TrainName


class DeclareBankruptcy(Choices):
    """Give up a forced train purchase that cannot be paid."""

    kind: Literal["declare_bankruptcy"] = "declare_bankruptcy"


class Shuffle(Choices):
    """Share out a company's trains between its shells: those on the first, with spaces between them."""

    kind: Literal["shuffle"] = "shuffle"
    first: str
