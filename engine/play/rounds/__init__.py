"""Rounds: who acts in which order. A round asks the first of its steps that has something to offer."""

from engine.play.rounds.auction import AuctionRound
from engine.play.rounds.base import Round
from engine.play.rounds.operating import OperatingRound
from engine.play.rounds.stock import StockRound

ROUNDS: dict[str, Round] = {
    "auction": AuctionRound(),
    "stock": StockRound(),
    "operating": OperatingRound(),
}
"""The rules of each kind of round."""

__all__ = ["ROUNDS", "Round"]
