"""1889: its rounds and steps, its beginner game, and private powers that players can use at any time."""

from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

from engine.core.ids import PrivateId, TileId
from engine.core.spec import PrivateSpec, TitleSpec
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.exchange_private import ExchangeStep
from engine.play.steps.forced_sales import BankruptcyStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.owner_powers import OwnerLayStep, SellerLayStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options

OWNER_POWER_STEPS: Final = (OwnerLayStep(), ExchangeStep())
"""Steps for private powers that players can use at any time, even in other players' turns (§5, R-1889-027)."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(BidStep()),
    "stock": StockRound(TradeStep(), anytime_steps=OWNER_POWER_STEPS),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, BankruptcyStep(), *OWNER_POWER_STEPS),
        urgent_steps=(SellerLayStep(),),
    ),
}
"""1889's rounds by kind, with steps: private auction (§2), stock round (§3) and operating round (§4).

Rules: R-1889-026, R-1889-031, R-1889-060, R-1889-063.
"""


class BeginnerGamePrivate(NamedTuple):
    """A private of the beginner game. `min_players` is the minimum number of players with which it is in the game."""

    value: int
    income: int
    min_players: int


BEGINNER_PRIVATES: Final[Mapping[PrivateId, BeginnerGamePrivate]] = {
    "TE": BeginnerGamePrivate(20, 5, 5),
    "MF": BeginnerGamePrivate(40, 15, 6),
    "ER": BeginnerGamePrivate(40, 15, 3),
    "SMR": BeginnerGamePrivate(60, 20, 4),
    "DR": BeginnerGamePrivate(60, 20, 2),
    "SIR": BeginnerGamePrivate(90, 25, 2),
}
"""The six privates of the beginner game (§7, R-1889-070)."""
BEGINNER_EXTRA_TILES: Final[Mapping[TileId, int]] = {"6": 2, "7": 1, "8": 1, "9": 1, "23": 1, "24": 1}
"""Extra tiles of the beginner game, as tile and number of copies (§7, R-1889-072)."""


class ShikokuRules(StandardRules):
    """Rules of 1889: the standard rules plus the beginner game."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t1889")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """1889's data, as changed for the beginner game if that option is chosen (§7).

        Rules: R-1889-070, R-1889-071, R-1889-072.
        """
        spec = super().adapted_spec(spec)
        if not self.has_option("beginner_game"):
            return spec
        tiles = {
            number: tile.model_copy(update={"count": (tile.count or 0) + BEGINNER_EXTRA_TILES.get(number, 0)})
            for number, tile in spec.tiles.items()
        }
        privates = {
            name: _beginner_private_spec(spec, name, private) for name, private in BEGINNER_PRIVATES.items()
        }
        auction = spec.auction.model_copy(update={"is_dealt": True})
        return spec.model_copy(update={"tiles": tiles, "privates": privates, "auction": auction})


def _beginner_private_spec(spec: TitleSpec, name: PrivateId, private: BeginnerGamePrivate) -> PrivateSpec:
    changes = {
        "face_value": private.value,
        "income": private.income,
        "player_counts": tuple(number for number in spec.players if number >= private.min_players),
        "blocked_hexes": (),
        "powers": (),
        "sold_to_companies": False,
    }
    return spec.privates[name].model_copy(update=changes)
