"""Data models of private companies: how they are sold, and their powers."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from engine.core.ids import CompanyId, Coord, PhaseName, PrivateId, TileId, TrainName
from engine.core.spec.component_specs import Spec, Terrain


class TileLayPower(Spec):
    """Power: lay these tiles in these hexes, connected or not.

    By default the owning company does so in its track step.
    """

    kind: Literal["tile_lay"]
    hexes: tuple[Coord, ...]
    """Hexes in which the power can lay tiles."""
    tiles: tuple[TileId, ...]
    """Tiles that the power can lay."""
    tile_count: int = 1
    """Number of tiles in the set that the power lays; their track must join at the common edge."""
    min_tile_count: int | None = None
    """The fewest tiles of the power's set that must be laid; None: all or none."""
    may_upgrade: bool = False
    """True if the tiles upgrade existing tiles by the usual rules; False if they need hexes without a tile."""
    is_free_of_terrain_cost: bool = False
    """True if the private's tile is free of terrain costs."""
    is_extra: bool = True
    """True if the lay is extra, on top of the company's own lays; False if it replaces one of them."""
    laid_by: Literal["company", "player", "seller"] = "company"
    """The company or player who lays the private's tile.

    Either the owning company; or the player who owns the private, in stock rounds, between turns and in the track steps
    of their companies; or the player who sells it to a company, at the time of the sale.
    """
    may_place_token: bool = False
    """True if the company can also place its next token on the private's tile at once, free.

    It counts as the turn's token.
    """
    anytime: bool = False
    """True if the company can lay the tile at any time of its turn, not only in its track step."""


class SharePower(Spec):
    """Power: the private's buyer gets a certificate at once.

    With the president's certificate, they also set the par price.
    """

    kind: Literal["share"]
    company: CompanyId | Literal["random"]
    """The company whose certificate comes with the private; `random` means that it is drawn during set-up."""
    random_companies: tuple[CompanyId, ...] = ()
    """Companies among which the private's random company is drawn; empty: all."""
    is_president_certificate: bool = False
    """True if the president's certificate comes with the private."""
    closes_private: bool = False
    """True if the private closes when its owner gets the certificate."""


class ClosesOnTrainPower(Spec):
    """The private closes when the company whose certificate came with it buys its first train."""

    kind: Literal["closes_on_train"]


class CityBonusPower(Spec):
    """Power: the owning company can put a named token in one hex, where its trains then earn `bonus` dollars more."""

    kind: Literal["city_bonus"]
    name: str
    """Name of the token that raises a city's revenue."""
    hexes: tuple[Coord, ...]
    """Hexes where the private's token can be placed."""
    bonus: int
    """Bonus in dollars for a train that stops at the private's token."""
    until_phase: PhaseName
    """The private's token stays on the map until this phase starts."""


class RouteBonusPower(Spec):
    """Power: a company that buys the private gets a named marker.

    Each turn, one of its trains earns `bonus` dollars more if its route visits all the hexes.
    """

    kind: Literal["route_bonus"]
    name: str
    """Name of the marker that gives the bonus."""
    hexes: tuple[Coord, ...]
    """Hexes that a route must visit to earn the bonus."""
    bonus: int
    """Bonus in dollars for a train whose route visits the hexes."""


class TrainDiscountPower(Spec):
    """Power: the owning company can buy one of these new trains at a discount, which closes the private."""

    kind: Literal["train_discount"]
    trains: tuple[TrainName, ...]
    """Train types that get the discount."""
    price_percent: int = 100
    """Percent of the price that the company still has to pay."""
    amount: int = 0
    """Amount in dollars that the private takes off the train's price."""

    def reduced_price(self, price: int) -> int:
        """The discounted price in dollars for this full price."""
        return max(0, price * self.price_percent // 100 - self.amount)


class TerrainDiscountPower(Spec):
    """Power: the owning company pays `amount` dollars less for the terrain of one tile or one turn.

    This closes the private.
    """

    kind: Literal["terrain_discount"]
    amount: int
    """Amount in dollars that the private takes off the terrain cost."""
    zone: str
    """The zone (part of the board) in which the discount applies."""
    terrain: Terrain | None = None
    """The only kind of terrain that gets the discount; None: any."""
    scope: Literal["tile", "turn"] = "tile"
    """Scope of the discount: one tile, or all tiles of a turn."""


class IconTokenPower(Spec):
    """Power: the owning company can put a token on a city with a printed icon.

    The city then pays extra dollars: one amount to the token's owner, another to other companies.
    """

    kind: Literal["icon_token"]
    icon: str
    """The printed icon that a city must have for the private's token."""
    owner_bonus: int
    """Extra dollars in the token's city for the company that owns the token."""
    others_bonus: int = 0
    """Extra dollars in the token's city for all other companies."""
    sole_bonus: int = 0
    """Extra dollars for the token's owner alone, if the owner closes the private for this; 0: not possible."""
    until_phase: PhaseName
    """The private's token stays on the map until this phase starts."""


class FreeTokensPower(Spec):
    """Power: a company that buys the private gets tokens with these prices free, from those it has not bought yet."""

    kind: Literal["free_tokens"]
    prices: tuple[int, ...]
    """Prices of the company's tokens from which the free ones are taken."""
    token_count: int
    """Number of tokens that the company gets free."""


class MarkersPower(Spec):
    """Power: a company that buys the private gets a marker; further markers are for sale to other companies."""

    kind: Literal["markers"]
    name: str
    """Name of the markers that the private sells."""
    count: int
    """Number of the private's markers (count of all, sold or not)."""
    price: int
    """Price of a marker in dollars."""
    halved_terrain: Terrain | None = None
    """Kind of terrain whose cost a marker halves for its company; None: none."""
    extra_tile_points: int = 0
    """Extra tile points for a company with a marker."""
    zones: tuple[str, ...] = ()
    """Zones where the markers have an effect; empty: everywhere."""
    bank_sells_from: PhaseName | None = None
    """Phase from which the bank sells markers if no company owns the private."""
    until_phase: PhaseName | None = None
    """The private's markers stay in the game until this phase starts."""
    usable_at_once: bool = True
    """True if a marker is usable at once, in the operating round in which it is bought."""


class RelabelPower(Spec):
    """Power: the owning company can change the label of one city instead of using the private's other power."""

    kind: Literal["relabel"]
    new_label: str
    """The new label of the city."""
    zone: str
    """The zone (part of the board) in which the city must be."""
    old_labels: tuple[str, ...] = ("",)
    """Labels that the city may have before the change."""


class BridgePower(Spec):
    """Power: a bridge. No company may cross the river until a company owns this private.

    The owner crosses once at a discount, or with one additional tile.
    """

    kind: Literal["bridge"]
    discount: int
    """Discount in dollars on the terrain cost of the tile that crosses the river."""


class ExchangePower(Spec):
    """Power: a player who owns the private can exchange it for a share of the company."""

    kind: Literal["exchange"]
    company: CompanyId
    """The company whose share the owner gets."""
    sources: tuple[Literal["offering", "market"], ...] = ("offering", "market")
    """Holders from which the share can come, such as the IPO or the market."""
    anytime: bool = False
    """True if the exchange is possible at any time in stock and operating rounds, even before the company has started.

    False if it is possible only in the owner's stock turn.
    """


class StationPower(Spec):
    """Power, usable one time: the owning company places its next token in one of these hexes, free and unconnected.

    It counts as the token of the turn.
    """

    kind: Literal["station"]
    hexes: tuple[Coord, ...]
    """Hexes where the private's token may be placed."""


class TrainPower(Spec):
    """Power: a company that buys the private gets a train that was set aside during set-up.

    It cannot sell this train.
    """

    kind: Literal["train"]
    train: TrainName
    """The type of the train that comes with the private."""
    until_phase: PhaseName | None = None
    """The private's train is available until this phase starts."""
    closes_private: bool = False
    """True if the private closes when the company gets the train."""


class ExtraLaysPower(Spec):
    """Power: the owning company can lay extra tiles in hexes that it reaches, free of terrain costs, in one turn."""

    kind: Literal["extra_lays"]
    max_tile_count: int = 1
    """Maximum number of extra tiles that the private lays."""
    anytime: bool = False
    """True if the company can lay the tiles at any time of its turn, not only in its track step."""


class TokenDiscountPower(Spec):
    """Power, usable one time: the owning company places its next token for `price_percent` of its price.

    It counts as the token of the turn.
    """

    kind: Literal["token_discount"]
    price_percent: int
    """Percent of the price that the company still has to pay."""


class FreeTerrainPower(Spec):
    """Power: the owning company pays nothing for hexes whose only terrain is of this kind."""

    kind: Literal["free_terrain"]
    terrain: Terrain
    """The kind of terrain that the owning company does not pay for."""


class MovingMarkerPower(Spec):
    """Power: a movable marker in one of these hexes, such as the Steamboat Company's in 1846.

    Trains of the assigned company earn `bonus` dollars more in the marker's hex for each printed icon. A player who
    owns the private chooses hex and company before each operating round. A company that buys the private becomes the
    assigned company for good, and may move the marker once a round.
    """

    kind: Literal["moving_marker"]
    name: str
    """Name of the movable marker."""
    hexes: tuple[Coord, ...]
    """Hexes where the movable marker may lie."""
    icon: str
    """The printed icon that multiplies the bonus."""
    bonus: int
    """Bonus in dollars for each printed icon in the marker's hex."""


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
    """Full name of the private; the title's table of privates is keyed by abbreviation."""
    number: str
    """Number printed on the private."""
    face_value: int
    """Face value of the private in dollars."""
    draft_price: int | None = None
    """Price of the private in dollars in a draft, if it differs from the face value."""
    income: int
    """The private's income in dollars at the start of each operating round."""
    name_on_18xx_games: str = ""
    """The private's abbreviation on 18xx.games, if it differs from ours."""
    player_counts: tuple[int, ...] = ()
    """Player counts with which the private is in play; empty: all."""
    stays_with_player: bool = False
    """True if this private stays open while a player owns it, even after the phase that closes the others."""
    stays_with_company: bool = False
    """True if this private stays open while a company owns it, even after the phase that closes the others."""
    closes_in: PhaseName | None = None
    """The phase that closes this private; None: the phase that closes all privates."""
    later_income_by_phase: dict[PhaseName, int] = Field(default_factory=dict)
    """Later income of the private in dollars, by the phase from which it is paid."""
    blocked_hexes: tuple[Coord, ...] = ()
    """Hexes that the private blocks while a player owns it: no track may be laid there."""
    powers: tuple[Power, ...] = ()
    """Powers that the private gives its owner."""
    power_note: str = ""
    """Note on a power that is coded in the title's own rules, as a short text."""
    sold_to_companies: bool = True
    """True if companies may buy the private."""
    sold_to_players: bool = True
    """True if players may buy the private from another player, in titles with private trades between players."""
    early_price_percents: tuple[int, int] | None = None
    """Lowest and highest price of the private, in percent of face value, before companies may buy all privates.

    None: no early purchase.
    """
    early_buyers: str = ""
    """Companies that may buy the private early.

    Either those based in this zone; or, for `river`, those with a home on the river; empty: all.
    """
    is_never_eliminated: bool = False
    """True if the private is always kept: players may not remove it from the packet before the auction."""


class AuctionSpec(Spec):
    """The initial sale of the privates: auction, draft or deal."""

    is_dealt: bool = False
    """True if each player is dealt one private at random and pays its face value, without an auction."""
    is_drafted: bool = False
    """True if players draft the privates by the title's own rules; the last seat picks first."""
    in_stock_rounds: bool = False
    """True if privates are sold at the start of the stock rounds, before shares, and not in a separate round."""
    contest: Literal["lowest_bidder", "clockwise", "clockwise_once"] = "lowest_bidder"
    """Rule for a contest, in which several bidders compete for a private.

    Either the lowest bidder acts and a pass is final; or bidders act in turn until all others pass in a row; or bidders
    act in turn and a pass is final.
    """
    bid_multiple: int = 5
    """Raises above a private's minimum bid must be multiples of this many dollars."""
    all_bids_bind: bool = False
    """True if all bids bind: outbid bids, too, commit their money until the private is sold. Else only high bids."""
    columns: tuple[tuple[PrivateId, ...], ...] = ()
    """The packet as columns of privates, each from the top; empty: one row in order of price."""
    eliminations: int = 0
    """Number of privates that players eliminate from the packet before the first bid."""
    eliminations_may_pass: bool = False
    """True if a player may pass instead of eliminating a private from the packet."""
    cheaper_when_all_pass: Literal["first", "top"] = "first"
    """Privates that get cheaper when all players pass: only the very first, or the top one of each column."""
    share_sales_wait: bool = False
    """True if sales of shares must wait until the round after the one in which the last private is sold.

    That round then counts as the first stock round for shares.
    """
