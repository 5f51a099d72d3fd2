"""Rounds: who acts in which order. A round asks the first of its steps that has something to offer."""

from engine.rounds.auction import AuctionRound
from engine.rounds.base import Round
from engine.rounds.operating import OperatingRound
from engine.rounds.stock import StockRound

ROUNDS: dict[str, Round] = {
    "auction": AuctionRound(),
    "stock": StockRound(),
    "operating": OperatingRound(),
}
"""The rules of each kind of round."""

__all__ = ["ROUNDS", "Round"]
