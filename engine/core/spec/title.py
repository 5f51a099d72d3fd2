"""A title as a whole: money, limits, market, lays, mergers, the end of the game, and all its parts."""

from collections.abc import Collection
from typing import Any, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from engine.core.errors import TitleError
from engine.core.ids import CompanyId, Coord, PhaseName, PrivateId, TileId, TrainName
from engine.core.memory import CachesResults
from engine.core.spec.component_specs import (
    Colour,
    CompanySpec,
    MapSpec,
    PhaseSpec,
    Spec,
    TileSpec,
    TrainSpec,
)
from engine.core.spec.house_rule_specs import HouseRule
from engine.core.spec.private_specs import AuctionSpec, PrivateSpec

DividendKind: TypeAlias = Literal["pay", "half", "withhold"]
"""Use of a company's revenue: all to the shareholders; half to them and half to the treasury; all to the treasury."""

ForcedSales: TypeAlias = Literal["last_share", "smallest_share", "as_needed", "in_reach"]
Bankruptcy: TypeAlias = Literal["ends", "eliminates", "never"]

SaleMoves: TypeAlias = Literal["down", "presidents_left", "presidents_one_left"]
"""A share sold moves the price a row down; or, where the president sells it, a cell to the left; or so does a block."""

TrainObligation: TypeAlias = Literal["with_route", "always", "or_liquidated", "never"]
"""When a company must own a train: if it has a route; always; always, or else it leaves the game; never."""


class PlayerCount(Spec):
    """Starting cash of each player, in dollars, and the certificate limit, for one number of players."""

    cash: int
    """Dollars each player starts with."""
    certificates: int
    """The certificate limit."""
    limits: dict[int, int] = Field(default_factory=dict)
    """Certificate limit by number of companies that have not left the game; the lowest entry also holds for fewer."""
    bank: int | None = None
    """Dollars in the bank before cash is dealt; None: those of the title."""
    trains: dict[TrainName, int] = Field(default_factory=dict)
    """Numbers of new trains by type, where they differ from the list of trains."""


class LaySpec(Spec):
    """One of the tile lays in a company's turn."""

    upgrade: bool = True
    """True if the lay can be an upgrade."""
    after_upgrade: bool = True
    """True if the lay can follow an upgrade in the same turn."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the lay costs, in addition to the terrain."""


class TilePointsSpec(Spec):
    """Tile points that lays cost; the phase gives the number of points that a company has each turn."""

    costs: dict[Colour, int]
    """Points that a lay costs, by the colour of the tile."""
    open_zones: tuple[str, ...] = ()
    """Zones with more points: for turns in which all tiles are laid there."""
    first_turn: int = 0
    """Extra points in the first turn of a company that is based in such a zone."""
    once_a_hex: bool = True
    """True if only one tile can be laid in the same hex in a turn."""


EndsAfter: TypeAlias = Literal["round", "set"]
"""When the game ends: after the current (or, during a stock round, the next) operating round, or after the set."""


class EndSpec(Spec):
    """Rounds still played after the bank breaks or a share price reaches the end of the market."""

    bank: EndsAfter = "set"
    """Rounds still played after the bank breaks."""
    price: EndsAfter = "round"
    """Rounds still played after a share price reaches the end of the market."""
    price_in_stock_round: bool = False
    """True if a stock round in which a share price reaches the end is the last round, with no operating round after it.
    """
    one_round_after_stock: bool = False
    """True if only one operating round is played when the bank breaks outside operating rounds."""
    last_set: int | None = None
    """Number of the set of operating rounds that ends the game; None: it has no fixed length."""
    passed_out: bool = False
    """True if a stock round without actions ends the game, once all privates are sold and no company can start."""


class DrawSpec(Spec):
    """Companies of one kind drawn by chance to be available from the start; a phase makes the others available."""

    kind: str
    """The kind of companies."""
    count: int
    """Number of companies drawn for the start."""
    until: PhaseName
    """The phase that makes the others available."""


class ExtraTokensSpec(Spec):
    """The tokens that a company may buy once, when it floats: at most one at each price.

    One of them is reserved for its destination.
    """

    prices: dict[int, tuple[int, ...]] = Field(default_factory=dict)
    """Token prices in dollars, by par price of the company."""
    bull_at: int | None = None
    """Par price at which a company that buys all tokens also gets a bull token; None: no bull tokens."""


class OwnSharesSpec(Spec):
    """A company may redeem one of its own shares, or reissue its redeemed shares, once in a stock round."""

    left: int = 60
    """Percent that players and market together must still hold after a redemption."""
    reissued_at: Literal["present", "par_at_least"] = "par_at_least"
    """The price of reissued shares: the current price, or the par price if that is higher."""


class CoastsSpec(Spec):
    """A company may prove once that a train could run from coast to coast; its share price then moves right."""

    west: tuple[Coord, ...]
    """Hexes of the western coast."""
    east: tuple[str, ...]
    """Zones whose cities form the eastern coast."""


class ZoneSpec(Spec):
    """Meaning of the coloured cells of the stock market that carry `letter`."""

    letter: str
    """The letter after the price of each cell of the zone."""
    name: str
    """Name of the zone."""
    legend: str
    """The zone's line in the legend of the picture of the market."""
    counts_for_limit: bool = True
    """True if shares of companies in the zone count towards the certificate limit."""
    over_holding_limit: bool = False
    """True if a player may hold more than `holding_limit` of a company in the zone."""
    several_purchases: bool = False
    """True if a player may buy several certificates of a company in the zone in one turn."""
    ends_game: bool = False
    """True if a share price that reaches the zone ends the game."""
    from_phase: PhaseName | None = None
    """Phase from which a company can start in the zone; None: from the beginning."""


class MarketSpec(Spec):
    """The stock market, top row first. A cell is `95P` (par), `55y` (zone y) or `80`; a gap is `.`.

    `140^` sends a marker that would move right up instead, `120_` has the ledge below it, and a company whose marker
    reaches `-` closes.
    """

    rows: tuple[str, ...]
    """The cells of each row, separated by spaces."""
    split: int | None = None
    """Price in the top row to which a marker moves from the upper right corner; the company's shares then count double.
    """
    diagonal: bool = False
    """True if a marker that would rise from the top row moves down and to the right."""
    spaces: int = 0
    """Number of rows, from the top, that consist of spaces: each holds one marker, which never moves."""
    zones: tuple[ZoneSpec, ...] = ()
    """Meanings of the coloured cells."""


class MergersSpec(Spec):
    """From a phase on, small companies merge or convert into large ones, in merger rounds after operating rounds."""

    small: str
    """The kind of companies that merge."""
    large: str
    """The kind of companies they become."""
    from_phase: PhaseName
    """The first phase with merger rounds."""


class UnionsSpec(Spec):
    """Players propose mergers of two companies, in turn, after each stock round from a phase on."""

    kind: str
    """The kind of companies that may merge."""
    from_phase: PhaseName
    """The first phase with such proposals."""
    consent: Literal["both", "own"] = "both"
    """Consent to a merger: both presidents must agree, or the proposing player must be president of both companies."""


class NationalsSpec(Spec):
    """National companies: they form when a phase begins and absorb companies that have lost their last train."""

    forms: dict[PhaseName, CompanyId]
    """The national company that forms in each phase."""
    least_price: int
    """The lowest starting share price of a national company, in dollars."""
    absorbs: Literal["lost_train", "all_trainless"] = "lost_train"
    """Companies that are absorbed: those that have just lost their last train, or all that have no train."""


class TitleSpec(Spec, CachesResults):
    """All data of a title; the fields are the top-level keys of its file."""

    id: str
    """The id stored with games: short, never changes."""
    name: str
    """The printed name."""
    note: str = ""
    """A warning for players who choose the title."""
    special: tuple[str, ...] = ()
    """Special rules of the title that players should know, one per line, each with its rulebook section."""
    designer: str
    """Designer of the game."""
    publisher: str = ""
    """Publisher of the game; empty: not known."""
    currency: str = "$"
    """The sign before an amount of money."""
    bank: int
    """Dollars in the bank before the starting cash is dealt."""
    players: dict[int, PlayerCount]
    """Cash and certificate limit by number of players."""
    revenue_steps: tuple[str, ...]
    """Name of each revenue column, in order: the colour of the tiles that have become available."""
    pool_limit: int
    """Highest percentage of a company that the market can hold."""
    holding_limit: int
    """Highest percentage of a company that a player can hold."""
    sale_moves: SaleMoves = "down"
    """Move of the share price when shares are sold."""
    sales_open: Literal["second_round", "operated"] = "second_round"
    """When shares are sold: from the second stock round on; or by the president always, by others once the company
    has operated.
    """
    offering_price: Literal["par", "present"] = "par"
    """Price of a share from the IPO; the company may receive another amount."""
    treasury_sells: bool = False
    """True if players can buy a company's treasury shares at the market price, paid to the company."""
    must_own: dict[str, TrainObligation] = Field(default_factory=dict)
    """When a company must own a train, by kind of company; other kinds must if they have a route."""
    auction: AuctionSpec = AuctionSpec()
    """The initial sale of the privates."""
    draw: DrawSpec | None = None
    """Draw of the companies available from the start; None: all are available."""
    coasts: CoastsSpec | None = None
    """Coast-to-coast runs that a company can prove; None: not in this title."""
    mergers: MergersSpec | None = None
    """Mergers and conversions into larger companies; None: not in this title."""
    unions: UnionsSpec | None = None
    """Mergers of two companies proposed by players; None: not in this title."""
    nationals: NationalsSpec | None = None
    """National companies, which absorb others; None: not in this title."""
    forced_private_sales: bool = False
    """True if a president may also sell privates to other players to pay for a train."""
    forced_sales: ForcedSales = "last_share"
    """Limit of a president's sales for a forced train purchase.

    `last_share`: the money raised without the last share of a block must not pay for the train. `smallest_share`: the
    money left over must be less than the cheapest share sold. `as_needed`: as `last_share`, but no later purchase has
    to use the money. `in_reach`: as `last_share`, and the remaining sales must still pay for the train.
    """
    forced_sales_keep: Literal["own", "all"] = "own"
    """Presidencies that a president's sales may not end: that of the company that buys, or all of theirs."""
    forced_trains: Literal["cheapest", "faces", "any"] = "cheapest"
    """New trains that a president's money may buy in a forced purchase. Faces: either face of the cheapest card, but
    none that money raised by the last sale was not needed for. Any: with it, sales have no limit.
    """
    president_pays_companies: bool = True
    """True if, in a forced purchase, the president's money can buy another company's train."""
    bankruptcy: Bankruptcy = "ends"
    """Effect of a bankruptcy: it ends the game, or eliminates the president. `never`: presidents borrow money instead.
    """
    sells_before_bankruptcy: bool = False
    """True if presidents must sell everything they can before they can go bankrupt; else they lose the rest."""
    pool_takes_trains: bool = True
    """True if trains discarded or traded in go to the pool; otherwise they leave the game."""
    event_trains: tuple[TrainName, ...] = ()
    """Train types from which one is drawn at the start; its first new train triggers an event of the title."""
    event_note: str = ""
    """The event of `event_trains`, in a few words."""
    exported: tuple[TrainName, ...] = ()
    """Trains to export: one leaves the game after each set of operating rounds."""
    dividends: tuple[DividendKind, ...] = ("pay", "withhold")
    """Possible uses of a company's revenue."""
    lays: tuple[LaySpec, ...] = (LaySpec(),)
    """Tile lays of a company's turn, in order, without the lays of privates."""
    tile_points: TilePointsSpec | None = None
    """Tile points that lays cost; None: `lays` gives the number of lays instead."""
    ends: EndSpec = EndSpec()
    """Rounds still played once the end of the game is triggered."""
    buy_then_sell: bool = False
    """True if a player can buy before selling in a stock turn."""
    sell_buy_sell: bool = False
    """True if a player can sell both before and after the purchase in a stock turn."""
    one_block: bool = False
    """True if the shares of a company that a player sells in a stock turn are sold in one block, at one price."""
    homes_at: Literal["first_turn", "round", "float"] = "first_turn"
    """When home tokens are placed: in a company's first turn; those of all floated companies as a round begins; or when
    the company floats.
    """
    private_trades: bool = False
    """True if players can sell each other privates in stock rounds, at any agreed price."""
    private_trades_from: int = 1
    """The first stock round in which players can trade privates."""
    private_trade_counts: bool = True
    """True if buying a private counts as the purchase of the buyer's turn; if not, the price can also be 0."""
    secret_cash: bool = False
    """True if cash is secret: only players know their own, and only its president knows a company's."""
    buys_what_was_sold: bool = False
    """True if players can buy shares of a company that they sold in the same stock round."""
    several_from_market: bool = False
    """True if extra purchases in the zones with `several_purchases` must come from the market, and one after another
    unless the title is `sell_buy_sell`.
    """
    extra_tokens: ExtraTokensSpec | None = None
    """Tokens that a company can buy when it floats; None: it has the tokens of its own table."""
    own_shares: OwnSharesSpec | None = None
    """Rules for redeeming and reissuing a company's own shares in stock rounds; None: not possible."""
    privatize_least: int = 100
    """Percent of a company that its president must hold to take a share from another player."""
    tiles: dict[TileId, TileSpec]
    """Tiles that only this title has, by number; `tile_counts` gives the number of copies."""
    map: MapSpec
    """The board."""
    companies: dict[CompanyId, CompanySpec]
    """Public companies by abbreviation."""
    privates: dict[PrivateId, PrivateSpec] = Field(default_factory=dict)
    """Private companies by abbreviation, cheapest first; empty: the game begins with a stock round."""
    trains: tuple[TrainSpec, ...]
    """Trains in the order in which they are sold."""
    phases: tuple[PhaseSpec, ...]
    """Phases in order."""
    market: MarketSpec
    """The stock market."""
    colours_repeat: bool = False
    """True if companies of one kind may have the same colour."""
    icons: dict[str, str] = Field(default_factory=dict)
    """Meanings of printed icons that no power of a private explains, by name; an id is drawn as letters."""
    sections: dict[str, str] = Field(default_factory=dict)
    """Section of the rulebook, by topic or full name of a fact."""
    settled: dict[str, str] = Field(default_factory=dict)
    """Interpretations of unclear or contradictory rules that the engine follows, each with its reason."""
    house: dict[str, HouseRule] = Field(default_factory=dict)
    """House rules by name."""
    certificates_per_company: int = 0
    """Certificates per company in play, divided among the players; 0: `players` gives the certificate limit."""
    profiles: dict[str, tuple[str, ...]]
    """Flags that each profile switches on."""
    on_18xx_games: bool = True
    """True if 18xx.games has the title, so that games can be exported as its logs."""
    fewest_on_18xx_games: int = 2
    """The fewest players that 18xx.games allows."""
    extra_tiles_there: str = ""
    """What the numbers of some tiles begin with on that site, although they are tiles of the common numbers."""
    exclusive_options: tuple[str, ...] = ()
    """Options that exclude each other."""
    only_here: tuple[str, ...] = ()
    """Optional rules that 18xx.games does not have."""

    def money(self, amount: int) -> str:
        """An amount as text, such as `$70`."""
        return f"{self.currency}{amount}"

    def private_in_log(self, private: PrivateId) -> str:
        """The abbreviation of a private in 18xx.games logs."""
        spec = self.privates.get(private)
        return private if spec is None else spec.on_18xx_games or private

    def private_of_log(self, name: str) -> PrivateId:
        """The private with this abbreviation in 18xx.games logs; the name itself if there is none."""
        return next((private for private in self.privates if self.private_in_log(private) == name), name)

    def clashing_options(self, options: Collection[str]) -> tuple[str, ...]:
        """Options that exclude each other, because the title says so or because they change the same house rule."""
        exclusive = tuple(name for name in self.exclusive_options if name in options)
        if len(exclusive) > 1:
            return exclusive
        for rule in self.house.values():
            conflicting_options = tuple(name for name in rule.options if name in options)
            if len(conflicting_options) > 1:
                return conflicting_options
        return ()

    @model_validator(mode="after")
    def _check_kinds(self) -> Self:
        named_kinds = {*self.must_own, *(kind for phase in self.phases for kind in phase.train_limits)}
        if self.draw is not None:
            named_kinds.add(self.draw.kind)
        if self.mergers is not None:
            named_kinds |= {self.mergers.small, self.mergers.large}
        if self.unions is not None:
            named_kinds.add(self.unions.kind)
        unknown_kinds = named_kinds - {company.kind for company in self.companies.values()}
        if unknown_kinds:
            raise ValueError(f"there are no companies of kind {', '.join(sorted(unknown_kinds))}")
        return self

    def house_rule(self, name: str) -> Any:
        """The value of this house rule. Raises KeyError if there is none."""
        return self.house[name].value

    def train(self, name: TrainName) -> TrainSpec:
        """The train type with this name. Raises TitleError if there is none."""
        for train in self.trains:
            if train.name == name:
                return train
        raise TitleError(f"{self.name} has no {name}-train")

    def train_count(self, name: TrainName, players: int) -> int | None:
        """Number of new trains of a type in a game of so many players; None: unlimited."""
        card = self.train(name).face_of or name
        return self.players[players].trains.get(card, self.train(name).count)

    def faces(self, name: TrainName) -> tuple[TrainName, ...]:
        """The names on both sides of the card of a train."""
        return self.cached(_faces_by_train)[name]

    def phase(self, name: PhaseName) -> PhaseSpec:
        """The phase with this name. Raises TitleError if there is none."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise TitleError(f"{self.name} has no phase {name}")


def _faces_by_train(spec: TitleSpec) -> dict[TrainName, tuple[TrainName, ...]]:
    cards = {train.name: train.face_of or train.name for train in spec.trains}
    return {name: tuple(face for face in cards if cards[face] == card) for name, card in cards.items()}
