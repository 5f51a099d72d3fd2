"""The private companies: how they are sold, and the powers they bring."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from engine.core.ids import CompanyId, Coord, PhaseName, PrivateId, TileId, TrainName
from engine.core.spec.component_specs import Spec, Terrain


class TileLayPower(Spec):
    """These tiles may be laid in these hexes, connected or not: by the owning company in its track step, or else."""

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
    """True if terrain costs nothing."""
    extra: bool = True
    """True if this lay is additional to the company's own lay; otherwise it replaces it."""
    by: Literal["company", "player", "seller"] = "company"
    """Who lays: the company; a player who owns it, in stock rounds, between turns and in their companies' track steps;
    or the player who sells it to a company, at once.
    """
    token: bool = False
    """True if the company may at once place its next token there, free, as its token of the turn."""
    anytime: bool = False
    """True if the company lays it at any moment of its turn, not in its track step alone."""


class SharePower(Spec):
    """The buyer gets a certificate at once, and with the president's also sets the par price."""

    kind: Literal["share"]
    company: CompanyId | Literal["random"]
    """The company; `random`: drawn at the start."""
    among: tuple[CompanyId, ...] = ()
    """The companies among which it is drawn; none: all."""
    president: bool = False
    """True if it is the president's certificate."""
    closes: bool = False
    """True if the private closes as soon as it has brought the certificate."""


class ClosesOnTrainPower(Spec):
    """The private closes when the company whose share it brought buys its first train."""

    kind: Literal["closes_on_train"]


class CityBonusPower(Spec):
    """The owning company may put a named token in one of these hexes: its trains earn `bonus` dollars more there."""

    kind: Literal["city_bonus"]
    name: str
    """Name of the token."""
    hexes: tuple[Coord, ...]
    """Hexes where it may lie."""
    bonus: int
    """Dollars that a train earns more there."""
    until: PhaseName
    """Phase whose start removes the token."""


class RouteBonusPower(Spec):
    """A company that buys the private gets a named marker.

    One train a turn earns `bonus` dollars if its route visits all the hexes.
    """

    kind: Literal["route_bonus"]
    name: str
    """Name of the marker."""
    hexes: tuple[Coord, ...]
    """Hexes that the route must visit."""
    bonus: int
    """Dollars that the train earns more."""


class TrainDiscountPower(Spec):
    """The owning company may buy one of these new trains for less, which closes the private."""

    kind: Literal["train_discount"]
    trains: tuple[TrainName, ...]
    """The trains."""
    percent: int = 100
    """Percent of the price that is left to pay."""
    amount: int = 0
    """Dollars off the price."""

    def reduced(self, price: int) -> int:
        """Dollars that are left to pay of a price."""
        return max(0, price * self.percent // 100 - self.amount)


class TerrainDiscountPower(Spec):
    """The owning company pays `amount` less for the terrain of a tile or of a whole turn; the private closes."""

    kind: Literal["terrain_discount"]
    amount: int
    """Dollars off the terrain cost."""
    zone: str
    """The part of the board where it applies."""
    terrain: Terrain | None = None
    """The only terrain it applies to; None: any."""
    scope: Literal["tile", "turn"] = "tile"
    """Scope: one tile, or all tiles of a turn."""


class IconTokenPower(Spec):
    """The owning company may put its token on a city with the icon: dollars more there, for itself and for others."""

    kind: Literal["icon_token"]
    icon: str
    """The printed icon."""
    owner: int
    """Dollars for the owner of the token."""
    others: int = 0
    """Dollars for other companies."""
    alone: int = 0
    """Dollars for the owner alone, once it has closed the private to get them; 0: not possible."""
    until: PhaseName
    """Phase whose start removes the token."""


class FreeTokensPower(Spec):
    """A company that buys the private gets some of its unbought tokens of these prices free."""

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
    """Dollars for each."""
    halves: Terrain | None = None
    """Terrain that costs half for a company with a marker."""
    points: int = 0
    """Extra tile points for a company with a marker."""
    zones: tuple[str, ...] = ()
    """Zones where the markers work; none: everywhere."""
    bank_from: PhaseName | None = None
    """Phase from which the bank sells them while no company owns the private."""
    until: PhaseName | None = None
    """Phase whose start removes the markers."""
    usable_at_once: bool = True
    """True if a new marker may be used in the operating round in which it is bought."""


class RelabelPower(Spec):
    """The owning company may give one city of a zone another label, instead of the private's other power."""

    kind: Literal["relabel"]
    label: str
    """The label it gives."""
    zone: str
    """The part of the board where the city is."""
    of: tuple[str, ...] = ("",)
    """Labels the city may have before."""


class BridgePower(Spec):
    """Bridge: no company crosses the river until a company owns it; the owner crosses once for less, or with one
    more tile.
    """

    kind: Literal["bridge"]
    discount: int
    """Dollars off the terrain of the crossing."""


class ExchangePower(Spec):
    """A player who owns it may exchange the private for a share of the company."""

    kind: Literal["exchange"]
    company: CompanyId
    """The company."""
    sources: tuple[Literal["offering", "market"], ...] = ("offering", "market")
    """Where the share comes from."""
    anytime: bool = False
    """True if that is possible at any moment of stock and operating rounds, before the company is started, too; else
    in the owner's own stock turn.
    """


class StationPower(Spec):
    """The owning company may once place its next token in one of these hexes, free and without connection.

    It is the token of the turn.
    """

    kind: Literal["station"]
    hexes: tuple[Coord, ...]
    """The hexes."""


class TrainPower(Spec):
    """A company that buys the private gets a train that was put aside at the start, and may not sell it."""

    kind: Literal["train"]
    train: TrainName
    """The train."""
    until: PhaseName | None = None
    """Phase from which there is none any more."""
    closes: bool = False
    """True if the private closes as soon as it has brought the train."""


class ExtraLaysPower(Spec):
    """The owning company may lay additional tiles in any hexes that it reaches, free of terrain costs, in one turn."""

    kind: Literal["extra_lays"]
    lays: int = 1
    """The most tiles."""
    anytime: bool = False
    """True if the company lays them at any moment of its turn, not in its track step alone."""


class TokenDiscountPower(Spec):
    """The owning company may once place its next token for `percent` of its price, as its token of the turn."""

    kind: Literal["token_discount"]
    percent: int
    """Percent of the price that is left to pay."""


class FreeTerrainPower(Spec):
    """The owning company pays nothing for hexes whose terrain is just this."""

    kind: Literal["free_terrain"]
    terrain: Terrain
    """The terrain."""


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
    """A private company: face value and income in dollars, hexes it blocks while a player owns it."""

    name: str
    """Full name; the key of the table is its abbreviation."""
    number: str
    """Printed number of the private."""
    value: int
    """Face value in dollars."""
    draft_price: int | None = None
    """Dollars that it costs in a draft, if that is not its value."""
    income: int
    """Dollars it pays at the start of each operating round."""
    on_18xx_games: str = ""
    """Its abbreviation there, if that is another one."""
    players: tuple[int, ...] = ()
    """Numbers of players with which it is in play; none: all."""
    stays_with_player: bool = False
    """True if it stays open, as long as a player owns it, when the privates close."""
    stays_with_company: bool = False
    """True if it stays open, as long as a company owns it, when the privates close."""
    closes_in: PhaseName | None = None
    """The phase whose start closes it; None: that which closes the privates."""
    later_income: dict[PhaseName, int] = Field(default_factory=dict)
    """Dollars that it pays from a phase on."""
    blocks: tuple[Coord, ...] = ()
    """Hexes in which no track is laid while a player owns it."""
    powers: tuple[Power, ...] = ()
    """Powers of its owner."""
    power_note: str = ""
    """A power that is played by the title's own rules, in a few words."""
    sold_to_companies: bool = True
    """True if companies may ever buy the private."""
    sold_to_players: bool = True
    """True if players may buy it from another player, where the title lets them trade privates."""
    early: tuple[int, int] | None = None
    """Percent of face value, from and to, at which companies may buy it before they may buy all privates."""
    early_for: str = ""
    """The only companies that may buy it early: those based in a zone, or at home on the `river`; empty: all."""
    kept: bool = False
    """True if no player may remove it from the packet."""


class AuctionSpec(Spec):
    """Sale of the privates at the start."""

    dealt: bool = False
    """True if each player gets one by chance and pays its value, and nothing is sold."""
    drafted: bool = False
    """True if players draft the privates, the last seat first, as the title has it."""
    in_stock_rounds: bool = False
    """True if privates are sold in the stock rounds, before any shares, instead of in a round of their own."""
    contest: Literal["lowest_bidder", "clockwise", "clockwise_once"] = "lowest_bidder"
    """How several bidders contend for a private: the lowest bidder acts and a pass is final; or bidders act in turn
    until all others pass in a row; or they act in turn and a pass is final.
    """
    multiple: int = 5
    """Bids rise by multiples of this, in dollars, above the lowest bid."""
    all_bids_bind: bool = False
    """True if the money of outbid bids stays bound, too, until the private is sold."""
    columns: tuple[tuple[PrivateId, ...], ...] = ()
    """The packet: privates of each column from the top; none: they lie in one row by price."""
    eliminations: int = 0
    """Number of privates that the players remove from the packet before the first bid."""
    eliminations_may_pass: bool = False
    """True if a player may pass instead of removing one."""
    cheaper: Literal["first", "top"] = "first"
    """Privates that get cheaper when all have passed: the very first one, or the top of each column."""
    sales_wait: bool = False
    """True if the stock round in which the last private is bought counts as the first for shares, without sales."""
