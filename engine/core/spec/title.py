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
"""Use of a company's revenue: to the shares, half of it (the rest to the treasury), to the treasury."""

ForcedSales: TypeAlias = Literal["last_share", "smallest_share", "as_needed", "in_reach"]
Bankruptcy: TypeAlias = Literal["ends", "eliminates", "never"]

SaleMoves: TypeAlias = Literal["down", "presidents_left", "presidents_one_left"]
"""A share sold moves the price a row down; or, where the president sells it, a cell to the left; or so does a block."""

MustOwn: TypeAlias = Literal["with_route", "always", "or_liquidated", "never"]
"""When a company must own a train: where it has a route; in any case; or else it leaves the game; or never."""


class PlayerCount(Spec):
    """Cash in dollars each player starts with and the certificate limit, for one number of players."""

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
    """One of the tile lays of a company's turn."""

    upgrade: bool = True
    """True if the lay may be an upgrade."""
    after_upgrade: bool = True
    """True if the lay may follow an upgrade."""
    cost: int = Field(default=0, ge=0)
    """Dollars that the lay costs, terrain apart."""


class TilePointsSpec(Spec):
    """Tile points of lays; the phase says how many a company has each turn."""

    costs: dict[Colour, int]
    """Points by the colour of the tile."""
    open_zones: tuple[str, ...] = ()
    """Zones in which a turn has more points if all its tiles lie there."""
    first_turn: int = 0
    """Extra points in the first turn of a company based there."""
    once_a_hex: bool = True
    """True if a hex takes only one tile a turn."""


EndsAfter: TypeAlias = Literal["round", "set"]
"""The game ends after the current operating round (from a stock round: the first one after it), or after the set."""


class EndSpec(Spec):
    """Rounds still played once the bank is broken, or a price has reached the end of the market."""

    bank: EndsAfter = "set"
    """Rounds still played once the bank is broken."""
    price: EndsAfter = "round"
    """Rounds still played once a price has reached the end of the market."""
    price_in_stock_round: bool = False
    """True if a stock round in which a price reaches the end is the last round, without an operating round after it."""
    one_round_after_stock: bool = False
    """True if only one operating round is played when the bank breaks outside operating rounds."""
    passed_out: bool = False
    """True if a stock round without actions ends it once all privates are sold and no company is started or can be."""


class DrawSpec(Spec):
    """Chance picks the companies of one kind that are available from the start; a phase brings the others."""

    kind: str
    """The kind of companies."""
    count: int
    """Number of companies drawn for the start."""
    until: PhaseName
    """The phase that brings the others."""


class ExtraTokensSpec(Spec):
    """The tokens that a company may buy once, when it floats, at most one of each price.

    One is reserved for its destination.
    """

    prices: dict[int, tuple[int, ...]] = Field(default_factory=dict)
    """Prices in dollars of the tokens on offer, by par price of the company."""
    bull_at: int | None = None
    """Par price at which a bull token comes with all of them."""


class OwnSharesSpec(Spec):
    """A company redeems one share of its own, or reissues what it has redeemed, once in a stock round."""

    left: int = 60
    """Percent that players and market must still have after a redemption."""
    reissued_at: Literal["present", "par_at_least"] = "par_at_least"
    """The price of reissued shares: the present one, or par if that is higher."""


class CoastsSpec(Spec):
    """A company may prove once that a train could run between the coasts; its share price then goes right."""

    west: tuple[Coord, ...]
    """Hexes of the places on the western coast."""
    east: tuple[str, ...]
    """Zones of the board whose cities are the eastern coast."""


class ZoneSpec(Spec):
    """Meaning of the coloured cells of the stock market; `letter` marks them in the grid."""

    letter: str
    """The letter behind the price of its cells."""
    name: str
    """Name of the zone."""
    legend: str
    """The zone's line in the legend of the picture."""
    counts_for_limit: bool = True
    """True if shares of companies in the zone count for the certificate limit."""
    over_holding_limit: bool = False
    """True if a player may hold more than `holding_limit` of a company in it."""
    several_purchases: bool = False
    """True if several certificates of a company in the zone may be bought in one turn."""
    ends_game: bool = False
    """True if a share price that reaches the zone ends the game."""
    from_phase: PhaseName | None = None
    """Phase from which on a company may be started in the zone."""


class MarketSpec(Spec):
    """The stock market, top row first; a cell is `95P` (par), `55y` (zone letter y) or `80`, a gap is `.`.

    `140^` turns a marker that would go right up, `120_` has the ledge below it, and `-` closes the company that
    comes there.
    """

    rows: tuple[str, ...]
    """The cells of each row, with spaces between them."""
    split: int | None = None
    """Price in the top row to which a marker moves from the upper right corner; its shares double."""
    diagonal: bool = False
    """True if a marker that rises from the top row goes down and to the right."""
    spaces: int = 0
    """Number of rows from the top that are spaces: a marker there never moves, and no two share one."""
    zones: tuple[ZoneSpec, ...] = ()
    """Meanings of the coloured cells."""


class MergersSpec(Spec):
    """Small companies merge or convert into large ones, in a round after each operating round from a phase on."""

    small: str
    """The kind of companies that merge."""
    large: str
    """The kind of companies they become."""
    from_phase: PhaseName
    """The first phase with such a round."""


class UnionsSpec(Spec):
    """Players propose in turn, after each stock round from a phase on, that two companies become one."""

    kind: str
    """The kind of companies that may merge."""
    from_phase: PhaseName
    """The first phase with such proposals."""
    consent: Literal["both", "own"] = "both"
    """Consent needed: of both presidents, or the proposing player must be president of both."""


class NationalsSpec(Spec):
    """Companies that form when a phase begins and take over others that have lost their last train."""

    forms: dict[PhaseName, CompanyId]
    """The company that each phase forms."""
    least_price: int
    """The lowest share price in dollars at which a national company starts."""
    absorbs: Literal["lost_train", "all_trainless"] = "lost_train"
    """Companies that are absorbed: those that lost their train, or all that have none."""


class TitleSpec(Spec, CachesResults):
    """All data of a title; the fields are the keys at the top of its file."""

    id: str
    """The id stored with games: short, never changed."""
    name: str
    """The printed name."""
    note: str = ""
    """A warning for players who choose the title."""
    special: tuple[str, ...] = ()
    """Special rules of the title that players should know, a line each with its section."""
    designer: str
    """Designer of the game."""
    publisher: str
    """Publisher of the game."""
    currency: str = "$"
    """The sign before an amount of money."""
    bank: int
    """Dollars in the bank before cash is dealt."""
    players: dict[int, PlayerCount]
    """Cash and certificate limit by number of players."""
    revenue_steps: tuple[str, ...]
    """Name of each revenue column, in order: the colour whose tiles have appeared."""
    pool_limit: int
    """Percent of a company the market may hold."""
    holding_limit: int
    """Percent of a company a player may hold."""
    sale_moves: SaleMoves = "down"
    """Move of the share price when shares are sold."""
    sales_open: Literal["second_round", "operated"] = "second_round"
    """When shares are sold: from the second stock round on; or by the president always, by others once the company
    has operated.
    """
    offering_price: Literal["par", "present"] = "par"
    """Price of a share from the IPO, however much the company gets for it."""
    treasury_sells: bool = False
    """True if players may buy a company's treasury shares at the market price, paid to the company."""
    must_own: dict[str, MustOwn] = Field(default_factory=dict)
    """When companies of a kind must own a train; the others must where they have a route."""
    auction: AuctionSpec = AuctionSpec()
    """Sale of the privates."""
    draw: DrawSpec | None = None
    """Companies drawn at the start; None: all are available from the start."""
    coasts: CoastsSpec | None = None
    """Proofs of coast-to-coast runs; None: there are none."""
    mergers: MergersSpec | None = None
    """Mergers and conversions into larger companies; None: there are none."""
    unions: UnionsSpec | None = None
    """Unions of two companies; None: there are none."""
    nationals: NationalsSpec | None = None
    """National companies, which take over others; None: there are none."""
    forced_private_sales: bool = False
    """True if a president may also sell privates to other players to pay for a train."""
    forced_sales: ForcedSales = "last_share"
    """Limit of a president's sales: the last share of a block, or the smallest amount any share brought.

    As needed: also the last share of a block, but no later purchase need use it. In reach: also the last share of
    a block, and the remaining sales must still pay for the train.
    """
    forced_sales_keep: Literal["own", "all"] = "own"
    """Presidencies that a president's sales may not end: that of the company that buys, or all of theirs."""
    forced_trains: Literal["cheapest", "faces", "any"] = "cheapest"
    """New trains that a president's money may buy in a forced purchase. Faces: either face of the cheapest card, but
    none that money raised by the last sale was not needed for. Any: with it, sales have no limit.
    """
    president_pays_companies: bool = True
    """True if in a forced purchase the president's money may buy another company's train."""
    bankruptcy: Bankruptcy = "ends"
    """A bankruptcy ends the game, or eliminates the president. Never: presidents borrow instead."""
    sells_before_bankruptcy: bool = False
    """True if presidents must sell all they may before they can go bankrupt; else the rest is lost with them."""
    pool_takes_trains: bool = True
    """True if trains given up or traded in go to the pool; if not, they leave the game."""
    event_trains: tuple[TrainName, ...] = ()
    """Types of which one is drawn at the start: its first new train brings an event of the title."""
    event_note: str = ""
    """The event, in a few words."""
    exported: tuple[TrainName, ...] = ()
    """Trains that are exported: one leaves the game after each set of operating rounds."""
    dividends: tuple[DividendKind, ...] = ("pay", "withhold")
    """Possible uses of a company's revenue."""
    lays: tuple[LaySpec, ...] = (LaySpec(),)
    """Tile lays of a company's turn, in order, those of privates apart."""
    tile_points: TilePointsSpec | None = None
    """Tile points that lays cost; None: `lays` gives the number of lays."""
    ends: EndSpec = EndSpec()
    """Rounds still played at the end."""
    buy_then_sell: bool = False
    """True if the purchase of a stock turn may also come before all its sales."""
    sell_buy_sell: bool = False
    """True if a stock turn may have sales both before and after its purchase."""
    one_block: bool = False
    """True if the shares of a company that a player sells in a stock turn are sold in one block, at one price."""
    homes_at: Literal["first_turn", "round", "float"] = "first_turn"
    """When home tokens are placed: in a company's first turn; those of all floated companies as a round begins; or when
    the company floats.
    """
    private_trades: bool = False
    """True if players may sell each other privates in stock rounds, at any price they agree on."""
    private_trades_from: int = 1
    """The first stock round in which they may."""
    private_trade_counts: bool = True
    """True if such a sale is the buyer's purchase and an action of the turn; if not, the price may also be 0."""
    secret_cash: bool = False
    """True if cash is secret: a player's is known only to them, a company's only to its president."""
    buys_what_was_sold: bool = False
    """True if players may buy shares of a company in the stock round in which they sold some."""
    several_from_market: bool = False
    """True if the several certificates that some zones allow in a turn come from the market; without a sale between
    them, unless the title is `sell_buy_sell`.
    """
    extra_tokens: ExtraTokensSpec | None = None
    """Tokens that a company may buy when it floats; None: it has the tokens in its own table."""
    own_shares: OwnSharesSpec | None = None
    """Redeeming and reissuing of companies' own shares in stock rounds; None: not possible."""
    privatize_least: int = 100
    """Percent of a company its president must hold to take a share of it from another player."""
    tiles: dict[TileId, TileSpec]
    """Tiles that only this title has, by number; `tile_counts` gives the number of each."""
    map: MapSpec
    """The board."""
    companies: dict[CompanyId, CompanySpec]
    """Public companies by abbreviation."""
    privates: dict[PrivateId, PrivateSpec] = Field(default_factory=dict)
    """Private companies by abbreviation, cheapest first; none: the first stock round begins the game."""
    trains: tuple[TrainSpec, ...]
    """Trains in the order in which they are sold."""
    phases: tuple[PhaseSpec, ...]
    """Phases in order."""
    market: MarketSpec
    """The stock market."""
    colours_repeat: bool = False
    """True if companies of one kind may have the same colour."""
    icons: dict[str, str] = Field(default_factory=dict)
    """Meanings of printed icons that belong to no private, by the icon's name."""
    sections: dict[str, str] = Field(default_factory=dict)
    """Section of the rulebook by the topic of a fact, or by the fact's whole name."""
    settled: dict[str, str] = Field(default_factory=dict)
    """Readings of an unclear or contradictory text that the rules follow, each with its reason."""
    house: dict[str, HouseRule] = Field(default_factory=dict)
    """House rules by name."""
    certificates_per_company: int = 0
    """Certificates for each company in play, divided among the players; 0: the limit is that of `players`."""
    profiles: dict[str, tuple[str, ...]]
    """Flags that are switched on in each profile."""
    on_18xx_games: bool = True
    """True if 18xx.games has the title, so that a game can be written as one of its logs."""
    fewest_on_18xx_games: int = 2
    """The fewest players on 18xx.games."""
    extra_tiles_there: str = ""
    """What the numbers of some tiles begin with on that site, although they are tiles of the common numbers."""
    exclusive_options: tuple[str, ...] = ()
    """Options that exclude each other."""
    only_here: tuple[str, ...] = ()
    """Optional rules that 18xx.games does not know."""

    def money(self, amount: int) -> str:
        """An amount as text: `$70`."""
        return f"{self.currency}{amount}"

    def private_in_log(self, private: PrivateId) -> str:
        """The abbreviation of a private in logs of 18xx.games."""
        spec = self.privates.get(private)
        return private if spec is None else spec.on_18xx_games or private

    def private_of_log(self, name: str) -> PrivateId:
        """The private with this abbreviation in logs of 18xx.games; the name itself if there is none."""
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
        """The value of this house rule; raises KeyError."""
        return self.house[name].value

    def train(self, name: TrainName) -> TrainSpec:
        """The train type of this name; raises TitleError."""
        for train in self.trains:
            if train.name == name:
                return train
        raise TitleError(f"{self.name} has no {name}-train")

    def train_count(self, name: TrainName, players: int) -> int | None:
        """Number of new trains of a type in a game of so many players; None: unlimited."""
        card = self.train(name).face_of or name
        return self.players[players].trains.get(card, self.train(name).count)

    def faces(self, name: TrainName) -> tuple[TrainName, ...]:
        """The names on the card of a train: its own, and that of the other face."""
        card = self.train(name).face_of or name
        return tuple(train.name for train in self.trains if card in (train.name, train.face_of))

    def phase(self, name: PhaseName) -> PhaseSpec:
        """The phase of this name; raises TitleError."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise TitleError(f"{self.name} has no phase {name}")
