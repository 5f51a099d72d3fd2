"""1889: the sequence of play, in which owners can use privates at any time, and the beginner game."""

from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

from engine.core.ids import PrivateId, TileId
from engine.core.spec import PrivateSpec, TitleSpec
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.exchange_private import ExchangeStep
from engine.play.steps.forced_sales import BankruptcyStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.owner_powers import OwnerLayStep, SellerLayStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options

OWNERS: Final = (OwnerLayStep(), ExchangeStep())
"""Steps for powers that players can use at any moment, even in turns of other players (5): R-1889-027."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(BidStep()),
    "stock": StockRound(TradeStep(), anytime=OWNERS),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE_STEP),
        anytime=(BUY_PRIVATE_STEP, BankruptcyStep(), *OWNERS),
        at_once=(SellerLayStep(),),
    ),
}
"""The auction (2), then alternating stock rounds (3), without trades of privates, and operating rounds (4).

Rules: R-1889-026, R-1889-031, R-1889-060, R-1889-063.
"""


class BeginnersPrivate(NamedTuple):
    """A private in the beginner game: value and income in dollars, and the smallest number of players that uses it."""

    value: int
    income: int
    players: int


BEGINNERS: Final[Mapping[PrivateId, BeginnersPrivate]] = {
    "TE": BeginnersPrivate(20, 5, 5),
    "MF": BeginnersPrivate(40, 15, 6),
    "ER": BeginnersPrivate(40, 15, 3),
    "SMR": BeginnersPrivate(60, 20, 4),
    "DR": BeginnersPrivate(60, 20, 2),
    "SIR": BeginnersPrivate(90, 25, 2),
}
"""Privates of the beginner game (7): R-1889-070."""
MORE_TILES: Final[Mapping[TileId, int]] = {"6": 2, "7": 1, "8": 1, "9": 1, "23": 1, "24": 1}
"""Extra copies of tiles in the beginner game (7): R-1889-072."""


class ShikokuRules(StandardRules):
    """The rules of 1889 that are not in its data."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t1889")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The spec with the changes of the beginner game (7).

        Rules: R-1889-070, R-1889-071, R-1889-072.
        """
        spec = super().adapted_spec(spec)
        if not self.option("beginner_game"):
            return spec
        tiles = {
            number: tile.model_copy(update={"count": (tile.count or 0) + MORE_TILES.get(number, 0)})
            for number, tile in spec.tiles.items()
        }
        privates = {name: _beginners_private(spec, name, private) for name, private in BEGINNERS.items()}
        auction = spec.auction.model_copy(update={"dealt": True})
        return spec.model_copy(update={"tiles": tiles, "privates": privates, "auction": auction})


def _beginners_private(spec: TitleSpec, name: PrivateId, private: BeginnersPrivate) -> PrivateSpec:
    changes = {
        "value": private.value,
        "income": private.income,
        "players": tuple(number for number in spec.players if number >= private.players),
        "blocks": (),
        "powers": (),
        "sold_to_companies": False,
    }
    return spec.privates[name].model_copy(update=changes)
