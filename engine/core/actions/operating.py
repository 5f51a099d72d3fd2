"""What presidents choose in the turn of their company."""

from typing import Literal

from pydantic import Field

from engine.core.actions.base import OneAction
from engine.core.ids import Coord, PlayerId, PrivateId, TileId, TrainName


class LayTile(OneAction):
    """Lay or upgrade a tile; rotation in steps of 60 degrees clockwise (0-5)."""

    kind: Literal["lay_tile"] = "lay_tile"
    hex: Coord
    tile: TileId
    rotation: int


class PlaceToken(OneAction):
    """Place a station in the city with this index in the hex."""

    kind: Literal["place_token"] = "place_token"
    hex: Coord
    city: int


class RunRoutes(OneAction):
    """Run trains: each route as `engine.routes.model.Route` writes it, `3:H4.a-0 H6.3-a`."""

    kind: Literal["run_routes"] = "run_routes"
    routes: tuple[str, ...] = Field(strict=False)


class ProveRun(OneAction):
    """Prove that a train of the company could run from coast to coast."""

    kind: Literal["prove_run"] = "prove_run"


class Dividend(OneAction):
    """Pay out or withhold the revenue of the run."""

    kind: Literal["dividend"] = "dividend"
    option: Literal["pay", "withhold", "half"]


class BuyTrain(OneAction):
    """Buy a train from `bank`, `pool` or a company, at a price in dollars, maybe handing in a train (else empty)."""

    kind: Literal["buy_train"] = "buy_train"
    train: TrainName
    source: str
    trade_in: str
    price: int


class DiscardTrain(OneAction):
    """Give up a train above the limit."""

    kind: Literal["discard_train"] = "discard_train"
    train: TrainName


class BuyPrivate(OneAction):
    """A company, or in a stock round a player, buys a private from a player, at a price in dollars."""

    kind: Literal["buy_private"] = "buy_private"
    private: PrivateId
    price: int


class SellPrivate(OneAction):
    """A player sells a private to another one in a stock round, at a price in dollars."""

    kind: Literal["sell_private"] = "sell_private"
    private: PrivateId
    buyer: PlayerId
    price: int


class PlaceMarker(OneAction):
    """Put the token of a private's power into a hex."""

    kind: Literal["place_marker"] = "place_marker"
    hex: Coord


class PlaceBull(OneAction):
    """Place the bull token in the city with this index in the hex."""

    kind: Literal["place_bull"] = "place_bull"
    hex: Coord
    city: int


class ClosePrivate(OneAction):
    """A company closes a private that it owns, for what that brings."""

    kind: Literal["close_private"] = "close_private"


class BuyMarker(OneAction):
    """A company buys one of a private's markers from the `bank` or a company."""

    kind: Literal["buy_marker"] = "buy_marker"
    private: PrivateId
    source: str
