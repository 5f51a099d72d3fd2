"""What is chosen anywhere: passing, privates between two sides, answers, stopping."""

from typing import Literal

from engine.core.actions.base import Choices
from engine.core.ids import PlayerId, PrivateId


class Pass(Choices):
    """Do nothing, or nothing more, in the present step."""

    kind: Literal["pass"] = "pass"


class BuyPrivate(Choices):
    """A company, or in a stock round a player, buys a private from a player, at a price in dollars."""

    kind: Literal["buy_private"] = "buy_private"
    private: PrivateId
    price: int


class SellPrivate(Choices):
    """A player sells a private to another one in a stock round, at a price in dollars."""

    kind: Literal["sell_private"] = "sell_private"
    private: PrivateId
    buyer: PlayerId
    price: int


class Answer(Choices):
    """Agree to what another president proposed, or refuse; the proposer may withdraw it."""

    kind: Literal["answer"] = "answer"
    reply: Literal["agree", "refuse", "withdraw"]


class EndGame(Choices):
    """Agree to stop the game here; it ends when all agree."""

    kind: Literal["end_game"] = "end_game"
