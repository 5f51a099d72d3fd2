"""18C2C's stock rounds: the packet, tokens at float, own shares, privatization."""

from collections.abc import Mapping
from typing import Final

from engine.core.spec import TitleSpec
from engine.play.rounds.stock import StockRound
from engine.play.steps.auction.bid import BidStep
from engine.play.steps.auction.packet import RemovePrivateStep
from engine.play.steps.stock.end_of_turn import EndOfTurnStep
from engine.play.steps.stock.exchange import ExchangeStep
from engine.play.steps.stock.float_tokens import FloatTokensStep
from engine.play.steps.stock.own_share_trades import RedeemShareStep, ReissueStep
from engine.play.steps.stock.par_due import ParDueStep
from engine.play.steps.stock.privatize import PrivatizeStep
from engine.play.steps.stock.trade import TradeStep

BESIDE: Final = (RedeemShareStep(), ReissueStep(), PrivatizeStep(), ExchangeStep())

STOCK: Final = StockRound(
    FloatTokensStep(),
    TradeStep(),
    EndOfTurnStep(*BESIDE),
    auction=(RemovePrivateStep(), ParDueStep(), BidStep()),
    anytime=BESIDE,
)
"""The packet comes before all shares (R-C2C-029); who floats a corporation buys its tokens at once (R-C2C-061)."""


SETTLED: Final[Mapping[str, str]] = {
    "The president of a corporation that floats buys its tokens": (
        "Not always the player whose purchase floated it; the president after that purchase decides."
    ),
    "Of several reissued shares the cheapest is bought": (
        "Shares reissued in different rounds have different prices; nobody would choose the higher price."
    ),
    "After a round of the packet in which all pass the same player opens again": (
        "Nobody has acted, so the priority deal stays; removing a private is no act."
    ),
    "Players trade no privates while the packet lies": (
        "A turn of the packet buys, bids or passes; trading belongs to the turns in which shares are bought and sold."
    ),
    "The Mohawk & Hudson is exchanged in its owner's turn of a stock round": (
        "The text does not say when: in addition to a purchase, for a share of the offering or the pool; it counts as "
        "an action."
    ),
}
"""Readings where no text decides, each with its reason."""


def with_house_rules(spec: TitleSpec) -> TitleSpec:
    """The table with what its house rules say of packet, tokens and privatization."""
    auction = {
        "eliminations_may_pass": spec.house_rule("elimination_pass"),
        "cheaper": spec.house_rule("packet_discount_scope"),
    }
    prices = {int(par): tuple(row) for par, row in spec.house_rule("table_a").items()}
    assert spec.extra_tokens is not None
    changes: dict[str, object] = {
        "auction": spec.auction.model_copy(update=auction),
        "extra_tokens": spec.extra_tokens.model_copy(update={"prices": prices}),
        "privatize_least": spec.house_rule("privatization_min_percent"),
    }
    if not spec.house_rule("privatization"):
        changes["phases"] = tuple(phase.model_copy(update={"privatize": None}) for phase in spec.phases)
    return spec.model_copy(update=changes)
