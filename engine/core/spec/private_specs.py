"""The private companies: how they are sold, and their powers."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from engine.core.ids import CompanyId, Coord, PhaseName, PrivateId, TileId, TrainName
from engine.core.spec.component_specs import Spec, Terrain


class TileLayPower(Spec):
    """Lay these tiles in these hexes, connected or not. By default the owning company lays them in its track step."""

    kind: Literal["tile_lay"]
    hexes: tuple[Coord, ...]
    """Hexes where it applies."""
    tiles: tuple[TileId, ...]
    """Tiles that may be laid."""
    lays: int = 1
    """Number of tiles that belong together, joined by track over the common edge."""
    fewest: int | None = None
    """Number of them that may be laid without the others; None: all or none."""
    upgrades: bool = False
    """True if the tiles are laid on others, as the usual upgrades, instead of in hexes without a tile."""
    free: bool = False
    """True if the company pays no terrain costs."""
    extra: bool = True
    """True if this lay is additional to the company's own lay; otherwise it replaces it."""
    by: Literal["company", "player", "seller"] = "company"
    """The one who lays the tile: the owning company; a player who owns the private, in stock rounds, between turns and
    in the track steps of their companies; or the player who sells it to a company, at the moment of the sale.
    """
    token: bool = False
    """True if the company may also place its next token there at once, free; it counts as its token of the turn."""
    anytime: bool = False
    """True if the company can lay it at any moment of its turn, not only in its track step."""


class SharePower(Spec):
    """The buyer gets a certificate at once. With the president's certificate they also set the par price."""

    kind: Literal["share"]
    company: CompanyId | Literal["random"]
    """The company; `random` means drawn at the start."""
    among: tuple[CompanyId, ...] = ()
    """Companies that can be drawn; empty: all."""
    president: bool = False
    """True if it is the president's certificate."""
    closes: bool = False
    """True if the private closes once it has brought the certificate."""


class ClosesOnTrainPower(Spec):
    """The private closes when the company whose share it brought buys its first train."""

    kind: Literal["closes_on_train"]


class CityBonusPower(Spec):
    """The owning company may put a named token in one of these hexes; its trains earn `bonus` dollars more there."""

    kind: Literal["city_bonus"]
    name: str
    """Name of the token."""
    hexes: tuple[Coord, ...]
    """Hexes where it may lie."""
    bonus: int
    """Extra dollars for a train that stops there."""
    until: PhaseName
    """Phase whose start removes the token."""


class RouteBonusPower(Spec):
    """A company that buys the private gets a named marker.

    One of its trains each turn earns `bonus` dollars more if its route visits all the hexes.
    """

    kind: Literal["route_bonus"]
    name: str
    """Name of the marker."""
    hexes: tuple[Coord, ...]
    """Hexes that the route must visit."""
    bonus: int
    """Extra dollars for the train."""


class TrainDiscountPower(Spec):
    """The owning company may buy one of these new trains at a discount, which closes the private."""

    kind: Literal["train_discount"]
    trains: tuple[TrainName, ...]
    """Trains with the discount."""
    percent: int = 100
    """Percent of the price that the company still pays."""
    amount: int = 0
    """Dollars off the price."""

    def reduced(self, price: int) -> int:
        """A price in dollars after the discount."""
        return max(0, price * self.percent // 100 - self.amount)


class TerrainDiscountPower(Spec):
    """The owning company pays `amount` dollars less for the terrain of one tile or one turn; the private closes."""

    kind: Literal["terrain_discount"]
    amount: int
    """Dollars off the terrain cost."""
    zone: str
    """The part of the board where the discount applies."""
    terrain: Terrain | None = None
    """The only kind of terrain with the discount; None: any."""
    scope: Literal["tile", "turn"] = "tile"
    """The scope of the discount: one tile, or all tiles of a turn."""


class IconTokenPower(Spec):
    """The owning company may put a token on a city with the icon; it pays more, to its owner and to others."""

    kind: Literal["icon_token"]
    icon: str
    """The printed icon."""
    owner: int
    """Extra dollars for the token's owner."""
    others: int = 0
    """Extra dollars for other companies."""
    alone: int = 0
    """Extra dollars for the owner alone after closing the private; 0: the owner cannot do so."""
    until: PhaseName
    """Phase whose start removes the token."""


class FreeTokensPower(Spec):
    """A company that buys the private gets some of its unbought tokens with these prices free."""

    kind: Literal["free_tokens"]
    prices: tuple[int, ...]
    """Prices of the tokens to choose from."""
    choose: int
    """Number of tokens that the company gets."""


class MarkersPower(Spec):
    """Markers: one for the company that buys the private, the others for sale."""

    kind: Literal["markers"]
    name: str
    """Name of the markers."""
    count: int
    """Number of markers."""
    price: int
    """Price of a marker in dollars."""
    halves: Terrain | None = None
    """Terrain that costs a company with a marker half."""
    points: int = 0
    """Extra tile points for a company with a marker."""
    zones: tuple[str, ...] = ()
    """Zones where the markers work; empty: everywhere."""
    bank_from: PhaseName | None = None
    """Phase from which the bank sells markers, if no company owns the private."""
    until: PhaseName | None = None
    """Phase whose start removes the markers."""
    usable_at_once: bool = True
    """True if a marker works in the operating round in which it is bought."""


class RelabelPower(Spec):
    """The owning company may give one city of a zone another label, instead of using the private's other power."""

    kind: Literal["relabel"]
    label: str
    """The new label."""
    zone: str
    """The part of the board where the city is."""
    of: tuple[str, ...] = ("",)
    """Labels that the city may have before the change."""


class BridgePower(Spec):
    """Bridge: no company may cross the river before a company owns the private. The owner crosses once at a discount,
    or with one more tile.
    """

    kind: Literal["bridge"]
    discount: int
    """Dollars off the terrain cost of the crossing."""


class ExchangePower(Spec):
    """A player who owns the private may exchange it for a share of the company."""

    kind: Literal["exchange"]
    company: CompanyId
    """The company."""
    sources: tuple[Literal["offering", "market"], ...] = ("offering", "market")
    """Places from which the share may come."""
    anytime: bool = False
    """True if the exchange is possible at any moment of stock and operating rounds, even before the company has
    started; else only in the owner's stock turn.
    """


class StationPower(Spec):
    """The owning company may once place its next token in one of these hexes, free and unconnected.

    It counts as the token of the turn.
    """

    kind: Literal["station"]
    hexes: tuple[Coord, ...]
    """Hexes where the token may be placed."""


class TrainPower(Spec):
    """A company that buys the private gets a train that was set aside at the start; it may not sell this train."""

    kind: Literal["train"]
    train: TrainName
    """The train."""
    until: PhaseName | None = None
    """Phase from which the train is no longer available."""
    closes: bool = False
    """True if the private closes once it has brought the train."""


class ExtraLaysPower(Spec):
    """The owning company may lay extra tiles in hexes that it reaches, without terrain costs, all in one turn."""

    kind: Literal["extra_lays"]
    lays: int = 1
    """Maximum number of tiles."""
    anytime: bool = False
    """True if the company can lay them at any moment of its turn, not only in its track step."""


class TokenDiscountPower(Spec):
    """The owning company may once place its next token for `percent` of its price, as its token of the turn."""

    kind: Literal["token_discount"]
    percent: int
    """Percent of the price that the company still pays."""


class FreeTerrainPower(Spec):
    """The owning company pays nothing for hexes that have only this kind of terrain."""

    kind: Literal["free_terrain"]
    terrain: Terrain
    """The kind of terrain."""


class MovingMarkerPower(Spec):
    """A named marker lies in one of these hexes: trains of the company that it serves earn `bonus` dollars more there
    for each printed icon.

    Its player names hex and company before each operating round; a company that buys the private is served for good,
    and moves it once a round.
    """

    kind: Literal["moving_marker"]
    name: str
    """Name of the marker."""
    hexes: tuple[Coord, ...]
    """Hexes where it may lie."""
    icon: str
    """The printed icon."""
    bonus: int
    """Dollars that a train earns more there for each icon."""


Power: TypeAlias = Annotated[
    TileLayPower
    | SharePower
    | ClosesOnTrainPower
    | CityBonusPower
    | MovingMarkerPower
    | RouteBonusPower
    | TrainDiscountPower
    | TerrainDiscountPower
    | IconTokenPower
    | FreeTokensPower
    | MarkersPower
    | RelabelPower
    | BridgePower
    | ExchangePower
    | FreeTerrainPower
    | StationPower
    | TrainPower
    | ExtraLaysPower
    | TokenDiscountPower,
    Field(discriminator="kind"),
]


class PrivateSpec(Spec):
    """A private company: face value and income in dollars, and the hexes it blocks while a player owns it."""

    name: str
    """Full name; the table is keyed by abbreviation."""
    number: str
    """Printed number of the private."""
    value: int
    """Face value in dollars."""
    draft_price: int | None = None
    """Dollars that it costs in a draft, if that is not its value."""
    income: int
    """Dollars it pays at the start of each operating round."""
    on_18xx_games: str = ""
    """Its abbreviation on 18xx.games, if it differs."""
    players: tuple[int, ...] = ()
    """Player counts with which the private is in play; empty: all."""
    stays_with_player: bool = False
    """True if it stays open, as long as a player owns it, when the privates close."""
    stays_with_company: bool = False
    """True if it stays open, as long as a company owns it, when the privates close."""
    closes_in: PhaseName | None = None
    """The phase that closes it; None: the phase that closes all privates."""
    later_income: dict[PhaseName, int] = Field(default_factory=dict)
    """Income in dollars from a phase on, by phase."""
    blocks: tuple[Coord, ...] = ()
    """Hexes where no track may be laid while a player owns the private."""
    powers: tuple[Power, ...] = ()
    """Powers of the owner."""
    power_note: str = ""
    """A power coded in the title's own rules, described in a few words."""
    sold_to_companies: bool = True
    """True if companies may buy the private."""
    sold_to_players: bool = True
    """True if players may buy it from another player, in titles that let players trade privates."""
    early: tuple[int, int] | None = None
    """Lowest and highest price in percent of face value before companies may buy all privates; None: no early purchase.
    """
    early_for: str = ""
    """Companies that may buy it early: those based in this zone, or with a home on the `river`; empty: all."""
    kept: bool = False
    """True if players may not remove it from the packet."""


class AuctionSpec(Spec):
    """The initial sale of the privates."""

    dealt: bool = False
    """True if each player is dealt one at random and pays its face value; no auction follows."""
    drafted: bool = False
    """True if players draft the privates, the last seat first, as the title has it."""
    in_stock_rounds: bool = False
    """True if privates are sold in the stock rounds, before any shares, and not in a round of their own."""
    contest: Literal["lowest_bidder", "clockwise", "clockwise_once"] = "lowest_bidder"
    """The form of the contest for a private: the lowest bidder acts and a pass is final; or bidders act in turn until
    all others pass in a row; or bidders act in turn and a pass is final.
    """
    multiple: int = 5
    """Dollars: a bid exceeds the minimum bid by a multiple of this."""
    all_bids_bind: bool = False
    """True if the money of outbid bids also stays committed until the private is sold."""
    columns: tuple[tuple[PrivateId, ...], ...] = ()
    """The packet: the privates of each column from the top; empty: one row in order of price."""
    eliminations: int = 0
    """Number of privates that players remove from the packet before the first bid."""
    eliminations_may_pass: bool = False
    """True if a player may pass instead of removing a private."""
    cheaper: Literal["first", "top"] = "first"
    """Privates that get cheaper when all players pass: the first of all, or the top of each column."""
    sales_wait: bool = False
    """True if the stock round that sells the last private counts as the first one for shares: nobody sells in it."""
