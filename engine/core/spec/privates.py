"""The private companies: how they are sold, and the powers they bring."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from engine.core.ids import CompanyId, Coord, PhaseName, PrivateId, TileId, TrainName
from engine.core.spec.base import Spec


class TileLayPower(Spec):
    """The owning company may lay these tiles in these hexes, in its track step."""

    kind: Literal["tile_lay"]
    hexes: tuple[Coord, ...]
    tiles: tuple[TileId, ...]
    lays: int = 1
    """How many tiles belong together: all of them or none, joined by track over the common edge."""
    free: bool = False
    """Whether terrain costs nothing."""
    extra: bool = True
    """Whether it comes on top of the company's normal lay (else it replaces it)."""
    token: bool = False
    """Whether the company may at once place its next token there, free, as its token of the turn."""


class SharePower(Spec):
    """Whoever buys this private gets a certificate at once (president: and sets the par price)."""

    kind: Literal["share"]
    company: CompanyId | Literal["random"]
    president: bool = False
    closes: bool = False
    """Whether the private is gone as soon as it has brought the certificate."""


class ClosesOnTrainPower(Spec):
    """The private closes when the company whose share it brought buys its first train."""

    kind: Literal["closes_on_train"]


class CityBonusPower(Spec):
    """The owning company may put a named token in one of these hexes: its trains earn `bonus` dollars more there."""

    kind: Literal["city_bonus"]
    name: str
    hexes: tuple[Coord, ...]
    bonus: int
    until: PhaseName
    """Phase whose start removes the token."""


class RouteBonusPower(Spec):
    """A company that buys the private gets a named marker.

    One train a turn earns `bonus` dollars if its route visits all the hexes.
    """

    kind: Literal["route_bonus"]
    name: str
    hexes: tuple[Coord, ...]
    bonus: int


class TrainDiscountPower(Spec):
    """The owning company may buy one of these new trains for `percent` of its price, which closes the private."""

    kind: Literal["train_discount"]
    trains: tuple[TrainName, ...]
    percent: int


Power: TypeAlias = Annotated[
    TileLayPower | SharePower | ClosesOnTrainPower | CityBonusPower | RouteBonusPower | TrainDiscountPower,
    Field(discriminator="kind"),
]


class PrivateSpec(Spec):
    """A private company: face value and income in dollars, hexes it blocks while a player owns it."""

    name: str
    number: str
    value: int
    income: int
    blocks: tuple[Coord, ...] = ()
    powers: tuple[Power, ...] = ()
    sold_to_companies: bool = True
    kept: bool = False
    """Whether no player may remove it from the packet."""


class AuctionSpec(Spec):
    """How the privates are sold at the start."""

    in_stock_rounds: bool = False
    """Whether privates are sold in the stock rounds, before any shares, instead of in a round of their own."""
    contest: Literal["lowest_bidder", "clockwise"] = "lowest_bidder"
    """Among several bidders the lowest acts and a pass is final, or they go round until all others pass in a row."""
    multiple: int = 5
    """Bids are multiples of so many dollars above the least one."""
    all_bids_bind: bool = False
    """Whether money of outbid bids stays set aside, too, until the private is sold."""
    columns: tuple[tuple[PrivateId, ...], ...] = ()
    """The packet: privates of each column from the top; none: they lie in one row by price."""
    eliminations: int = 0
    """How many privates the players remove from the packet before the first bid."""
    cheaper: Literal["first", "top"] = "first"
    """What gets cheaper when all have passed: the very first private, or whatever is on top of a column."""
    sales_wait: bool = False
    """Whether the stock round in which the last one goes is the first for shares, in which none is sold."""
