"""What companies choose in their turns, trains apart."""

from typing import Literal

from pydantic import Field

from engine.core.actions.base import Choices
from engine.core.ids import Coord, PrivateId, TileId


class LayTile(Choices):
    """Lay or upgrade a tile; rotation in steps of 60 degrees clockwise (0-5)."""

    kind: Literal["lay_tile"] = "lay_tile"
    hex: Coord
    tile: TileId
    rotation: int


class PlaceToken(Choices):
    """Place a station in the city with this index in the hex."""

    kind: Literal["place_token"] = "place_token"
    hex: Coord
    city: int


class RunRoutes(Choices):
    """Run trains: each route as `engine.routes.model.Route` writes it, `3:H4.a-0 H6.3-a`."""

    kind: Literal["run_routes"] = "run_routes"
    routes: tuple[str, ...] = Field(strict=False)


class ProveRun(Choices):
    """Prove that a train of the company could run from coast to coast."""

    kind: Literal["prove_run"] = "prove_run"


class Dividend(Choices):
    """Pay out or withhold the revenue of the run."""

    kind: Literal["dividend"] = "dividend"
    option: Literal["pay", "withhold", "half"]


class PlaceMarker(Choices):
    """Put the token of a private's power into a hex."""

    kind: Literal["place_marker"] = "place_marker"
    hex: Coord


class PlaceBull(Choices):
    """Place the bull token in the city with this index in the hex."""

    kind: Literal["place_bull"] = "place_bull"
    hex: Coord
    city: int


class ClosePrivate(Choices):
    """A company closes a private that it owns, for what that brings."""

    kind: Literal["close_private"] = "close_private"


class BuyMarker(Choices):
    """A company buys one of a private's markers from the `bank` or a company."""

    kind: Literal["buy_marker"] = "buy_marker"
    private: PrivateId
    source: str
