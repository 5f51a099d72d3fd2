"""What a title's table says: the printed facts of a game, checked on loading, without any rule code."""

from engine.core.spec.companies import Capital, CompanySpec, HomeSpec, ObjectiveSpec
from engine.core.spec.map import Colour, HexSpec, MapSpec, TileSpec
from engine.core.spec.privates import (
    AuctionSpec,
    CityBonusPower,
    ClosesOnTrainPower,
    Power,
    PrivateSpec,
    RouteBonusPower,
    SharePower,
    TileLayPower,
    TrainDiscountPower,
)
from engine.core.spec.title import (
    DividendKind,
    DrawSpec,
    EndsAfter,
    EndSpec,
    ForcedSales,
    LaySpec,
    MarketSpec,
    MustOwn,
    PlayerCount,
    TitleSpec,
    ZoneSpec,
)
from engine.core.spec.trains import PhaseSpec, TradeIn, TrainSpec

__all__ = [
    "AuctionSpec",
    "Capital",
    "CityBonusPower",
    "ClosesOnTrainPower",
    "Colour",
    "CompanySpec",
    "DividendKind",
    "DrawSpec",
    "EndSpec",
    "EndsAfter",
    "ForcedSales",
    "HexSpec",
    "HomeSpec",
    "LaySpec",
    "MapSpec",
    "MarketSpec",
    "MustOwn",
    "ObjectiveSpec",
    "PhaseSpec",
    "PlayerCount",
    "Power",
    "PrivateSpec",
    "RouteBonusPower",
    "SharePower",
    "TileLayPower",
    "TileSpec",
    "TitleSpec",
    "TradeIn",
    "TrainDiscountPower",
    "TrainSpec",
    "ZoneSpec",
]
