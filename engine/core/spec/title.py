"""Data model of a title: money, limits, market, tile lays, mergers, the end of the game, and all components."""

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
"""Kind of dividend: pay out all revenue, split it half and half with the treasury, or withhold it all."""

ForcedSalesLimit: TypeAlias = Literal["last_share", "smallest_share", "as_needed", "in_reach"]
BankruptcyEffect: TypeAlias = Literal["ends", "eliminates", "never"]

SalePriceMoves: TypeAlias = Literal["down", "presidents_left", "presidents_one_left"]
"""Movement of the share price when shares are sold.

`down`: one row down for each share. `presidents_left`: one cell to the left for each share that the president sells.
`presidents_one_left`: one cell to the left for each block that the president sells.
"""

TrainObligation: TypeAlias = Literal["with_route", "always", "or_liquidated", "never"]
"""When a company is under the obligation to own a train.

`with_route`: if it has a route. `always`: even without a route. `or_liquidated`: as `always`, and a company that gets
no train is liquidated. `never`: it may do without.
"""


class PlayerCountSpec(Spec):
    """Values for one number of players: each player's starting cash in dollars, the certificate limit and others."""

    cash: int
    """Starting cash of each player in dollars."""
    certificate_limit: int
    """The certificate limit with this number of players."""
    limit_by_company_count: dict[int, int] = Field(default_factory=dict)
    """Certificate limit by number of companies still in the game; the lowest entry also applies to fewer companies."""
    bank: int | None = None
    """Dollars in the bank before the starting cash is dealt; None: the title's usual amount."""
    trains: dict[TrainName, int] = Field(default_factory=dict)
    """Number of new trains by type, where it differs from the title's list of trains."""


class LaySpec(Spec):
    """One of the tile lays that a company has in a turn, with its cost and limits."""

    may_upgrade: bool = True
    """True if this tile lay of the turn can be an upgrade."""
    may_follow_upgrade: bool = True
    """True if this tile lay can follow an upgrade in the same turn."""
    cost: int = Field(default=0, ge=0)
    """Dollars that this tile lay costs, in addition to terrain."""


class TilePointsSpec(Spec):
    """Tile points: each lay costs points, and the phase gives the number of points per turn."""

    costs: dict[Colour, int]
    """Tile points that a lay costs, by the colour of the tile."""
    open_zones: tuple[str, ...] = ()
    """Open zones: a turn gets more points if all its tiles are laid in these zones."""
    first_turn_extra: int = 0
    """Extra points in the first turn of a company that is based in one of the `open_zones`."""
    once_a_hex: bool = True
    """True if a company may lay only one tile per hex in a turn."""


EndTiming: TypeAlias = Literal["round", "set"]
"""When the game ends once its end is triggered.

`round`: after the current operating round; during a stock round, after the operating round that follows. `set`: after
the current set of operating rounds.
"""


class EndSpec(Spec):
    """For each event that triggers the end of the game, when the game then ends."""

    after_bank_breaks: EndTiming = "set"
    """When the game ends after the bank breaks."""
    after_top_price: EndTiming = "round"
    """When the game ends after a share price reaches the end of the market."""
    may_end_with_stock_round: bool = False
    """True if a stock round in which a share price reaches the end of the market is the last round of the game."""
    one_round_after_stock: bool = False
    """True if only one more operating round is played when the bank breaks outside operating rounds."""
    last_set: int | None = None
    """Number of the last set of operating rounds, which ends the game; None: the game has no fixed length."""
    ends_when_all_pass: bool = False
    """True if a passed-out stock round ends the game, once all privates are sold and no company can start."""


class DrawSpec(Spec):
    """Random draw during set-up: some companies of a kind are available at once, the others from a later phase."""

    kind: str
    """The kind of companies that are drawn."""
    count: int
    """Number of companies drawn to be available from the start."""
    others_from_phase: PhaseName
    """The companies that were not drawn are unavailable until this phase starts."""


class ExtraTokensSpec(Spec):
    """Extra tokens that a company may buy when it floats: at most one at each price.

    One of them is reserved for the company's destination.
    """

    prices_by_par: dict[int, tuple[int, ...]] = Field(default_factory=dict)
    """Prices in dollars of the tokens that a company may buy, by its par price."""
    bull_token_at_par: int | None = None
    """Par price at which a company that buys all tokens also gets a bull token (18C2C); None: no bull tokens."""


class OwnSharesSpec(Spec):
    """Rules for own shares: once per stock round, a company may redeem a share or reissue its redeemed shares."""

    min_percent_left: int = 60
    """Minimum percent that must be left with players and the market together after a redemption."""
    reissue_price: Literal["present", "par_at_least"] = "par_at_least"
    """The price of reissued shares: the current price (`present`), or the par price if that is higher
    (`par_at_least`).
    """


class CoastsSpec(Spec):
    """Coast-to-coast runs (18C2C): a company may prove one such run, which raises its share price."""

    west_hexes: tuple[Coord, ...]
    """Hexes of the western coast, where a coast-to-coast run can end."""
    east_zones: tuple[str, ...]
    """Zones whose cities form the eastern coast, where a coast-to-coast run can end."""


class ZoneSpec(Spec):
    """A zone of the stock market: the coloured cells marked with `letter`, and their special rules."""

    letter: str
    """The letter that marks the zone's cells in the market data, after the price."""
    name: str
    """Name of the market zone."""
    legend: str
    """Text for the zone in the legend of the market picture."""
    counts_for_limit: bool = True
    """True if shares of companies in the zone count towards the certificate limit."""
    over_holding_limit: bool = False
    """True if a player may hold more than `holding_limit` of a company in the zone."""
    several_purchases: bool = False
    """True if a player may make several purchases in one turn of a company in the zone."""
    ends_game: bool = False
    """True if a share price that reaches the zone ends the game."""
    from_phase: PhaseName | None = None
    """Phase from which companies can start in the zone; None: from the beginning."""


class MarketSpec(Spec):
    """The stock market, top row first. A cell is `95P` (par), `55y` (zone y) or `80`; a gap is `.`.

    `140^`: a marker that would move right moves up instead. `120_`: a marker that would fall to the cell directly below
    stays here (ledge). `-`: a company whose marker arrives here closes.
    """

    rows: tuple[str, ...]
    """The cells of each market row, separated by spaces."""
    split_price: int | None = None
    """Price of the top-row cell where shares split; a marker moves to it from the upper right corner.

    The company's shares then count double.
    """
    top_row_moves_diagonally: bool = False
    """True if a marker that would rise above the top row moves diagonally, down and to the right."""
    space_row_count: int = 0
    """Number of rows of separate spaces, from the top; each space holds one marker, which never moves."""
    zones: tuple[ZoneSpec, ...] = ()
    """Zones of the market: coloured cells with special rules."""


class MergersSpec(Spec):
    """Merger rounds after operating rounds, from a phase on: small companies merge or convert into large ones."""

    small_kind: str
    """The kind of companies that merge or convert."""
    large_kind: str
    """The kind of companies that mergers and conversions create."""
    from_phase: PhaseName
    """The first phase with merger rounds."""


class UnionsSpec(Spec):
    """Unions: mergers that players in turn propose after each stock round, from a phase on."""

    kind: str
    """The kind of companies that may merge."""
    from_phase: PhaseName
    """The first phase in which players propose mergers."""
    consent: Literal["both", "own"] = "both"
    """The presidents whose consent a merger needs: both; or only one, who must be president of both companies."""


class NationalsSpec(Spec):
    """National companies, which form at the start of certain phases and absorb companies without trains."""

    national_by_phase: dict[PhaseName, CompanyId]
    """The national company that forms at the start of each of these phases."""
    least_price: int
    """The lowest share price, in dollars, at which a national company can start."""
    absorbs: Literal["lost_train", "all_trainless"] = "lost_train"
    """Companies that a national absorbs: those that have just lost their last train, or all without a train."""


class TitleSpec(Spec, CachesResults):
    """All data of a title; its fields are the top-level keys of the title's TOML file."""

    id: str
    """The title's id, which is stored with games: short, never changed."""
    name: str
    """The printed name of the game."""
    note: str = ""
    """A note of warning, shown to players who choose the title."""
    special_rules: tuple[str, ...] = ()
    """Special rules that players of the title should know, one per line, each with its rulebook section."""
    designer: str
    """Designer of the game."""
    publisher: str = ""
    """Publisher of the game; empty: not known."""
    currency: str = "$"
    """The currency sign before an amount."""
    bank: int
    """Dollars in the bank before the players' starting cash is dealt."""
    players: dict[int, PlayerCountSpec]
    """Starting cash, certificate limit and other values by number of players."""
    revenue_steps: tuple[str, ...]
    """Names of the revenue steps in order, such as the tile colour that becomes available with each."""
    pool_limit: int
    """Limit for the market (bank pool): the highest percent of a company that it can hold."""
    holding_limit: int
    """Limit for a player's holding: the highest percent of a company that they can hold."""
    sale_moves: SalePriceMoves = "down"
    """Movement of the share price when shares are sold."""
    sales_open: Literal["second_round", "operated"] = "second_round"
    """When shares can be sold.

    Either from the second stock round on; or by the president always, and by other players once the company has
    operated.
    """
    offering_price: Literal["par", "present"] = "par"
    """Price that players pay for a share from the offering (IPO); the company may receive another amount."""
    treasury_sells: bool = False
    """True if players can buy a company's treasury shares at the market price, paid to the company."""
    must_own_train: dict[str, TrainObligation] = Field(default_factory=dict)
    """When a company must own a train, by kind of company. Kinds not listed must own one if they have a route."""
    auction: AuctionSpec = AuctionSpec()
    """The initial sale of the privates: auction, draft or deal."""
    company_draw: DrawSpec | None = None
    """Random draw of the companies that are available from the start; None: all are available."""
    coast_to_coast: CoastsSpec | None = None
    """Rules for coast-to-coast runs that a company can prove (18C2C); None: not in this title."""
    mergers: MergersSpec | None = None
    """Rules for mergers and conversions into larger companies; None: not in this title."""
    unions: UnionsSpec | None = None
    """Rules for unions (mergers of two companies that players propose); None: not in this title."""
    nationals: NationalsSpec | None = None
    """Rules for national companies, which absorb other companies; None: not in this title."""
    forced_private_sales: bool = False
    """True if forced sales can include privates, which the president sells to other players."""
    forced_sales: ForcedSalesLimit = "last_share"
    """Limit on a president's forced sales of shares, for a train that the company must buy.

    `last_share`: without the last share of a block, the money raised must not pay for the train. `smallest_share`: the
    money left over must be less than the cheapest share sold. `as_needed`: as `last_share`, but later purchases need
    not use the money. `in_reach`: as `last_share`, and after each sale the remaining sales must still be able to pay
    for the train.
    """
    forced_sales_keep: Literal["own", "all"] = "own"
    """Presidencies that forced sales must keep unchanged: that of the buying company, or all."""
    forced_trains: Literal["cheapest", "faces", "any"] = "cheapest"
    """New trains that a president may help to buy in a forced purchase.

    `cheapest`: only the cheapest. `faces`: either side of the cheapest two-sided card, but not a side that was
    affordable before the last sale if the more expensive side is affordable now. `any`: every train, and share sales
    have no limit.
    """
    president_pays_companies: bool = True
    """True if, in a forced purchase, the president can help to pay for another company's train."""
    bankruptcy: BankruptcyEffect = "ends"
    """Effect of a bankruptcy.

    `ends`: it ends the game. `eliminates`: only the president is out. `never`: presidents borrow money instead.
    """
    sells_before_bankruptcy: bool = False
    """True if presidents must sell all they can before going bankrupt; else their unsold holdings are lost."""
    pool_takes_trains: bool = True
    """True if trains discarded or traded in go to the pool; otherwise they leave the game."""
    event_trains: tuple[TrainName, ...] = ()
    """Train types from which one is drawn during set-up; its first new train triggers the title's event."""
    event_note: str = ""
    """Note on the event that the drawn train of `event_trains` triggers, as a short text."""
    exported_trains: tuple[TrainName, ...] = ()
    """Train types that are exported: one train leaves the game after each set of operating rounds."""
    dividends: tuple[DividendKind, ...] = ("pay", "withhold")
    """Kinds of dividends that the title allows, such as paying out or withholding."""
    tile_lays: tuple[LaySpec, ...] = (LaySpec(),)
    """Tile lays of a company's turn, in order; lays by privates are not included."""
    tile_points: TilePointsSpec | None = None
    """Tile points that lays cost; None: `tile_lays` limits the number of lays instead."""
    game_end: EndSpec = EndSpec()
    """For each event that triggers the end of the game, when the game then ends."""
    buy_then_sell: bool = False
    """True if a player can buy before selling in a stock turn."""
    sell_buy_sell: bool = False
    """True if a player can sell both before and after the purchase in a stock turn."""
    one_sale_per_company: bool = False
    """True if a player may sell only one block of each company's shares in a stock turn, at one price."""
    home_token_timing: Literal["first_turn", "round", "float"] = "first_turn"
    """When home tokens are placed.

    Either in a company's first turn; or at the start of a round, for all floated companies; or when the company floats.
    """
    private_trades: bool = False
    """True if players can trade privates with each other in stock rounds, at any agreed price."""
    private_trades_from: int = 1
    """The first stock round in which players can trade privates."""
    private_trade_counts: bool = True
    """True if buying a private in a trade counts as the turn's purchase. If False, the price can also be $0."""
    secret_cash: bool = False
    """True if cash is secret: players see only their own, and only its president sees a company's."""
    buys_what_was_sold: bool = False
    """True if players can buy shares of a company that they sold in the same stock round."""
    further_buys_from_market: bool = False
    """True if second and later purchases in zones with `several_purchases` must come from the market.

    They must also follow one another directly, unless the title is `sell_buy_sell`.
    """
    extra_tokens: ExtraTokensSpec | None = None
    """Tokens that a company can buy when it floats; None: each company has its printed tokens."""
    own_shares: OwnSharesSpec | None = None
    """Rules for companies that redeem and reissue their own shares in stock rounds; None: not possible."""
    privatize_min_percent: int = 100
    """Minimum percent that a president must hold to privatize (buy another player's share without consent)."""
    tiles: dict[TileId, TileSpec]
    """Tiles that only this title has, by number; `tile_counts` has the number of copies."""
    map: MapSpec
    """The board of the game."""
    companies: dict[CompanyId, CompanySpec]
    """Public companies by abbreviation."""
    privates: dict[PrivateId, PrivateSpec] = Field(default_factory=dict)
    """Private companies by abbreviation, cheapest first; empty: the game begins with a stock round."""
    trains: tuple[TrainSpec, ...]
    """Train types in the order of sale."""
    phases: tuple[PhaseSpec, ...]
    """The phases of the game in order."""
    market: MarketSpec
    """The stock market of the game."""
    colours_repeat: bool = False
    """True if colours may repeat: two companies of one kind may have the same one."""
    icons: dict[str, str] = Field(default_factory=dict)
    """Meaning of each printed icon that no private's power explains, by icon name.

    An icon named like a private or company is drawn as letters.
    """
    sections: dict[str, str] = Field(default_factory=dict)
    """Rulebook section to cite in messages, by topic or full name of the message (`Fact`)."""
    settled_questions: dict[str, str] = Field(default_factory=dict)
    """Unclear or contradictory rules, settled by an interpretation that the engine follows; each with its reason."""
    house: dict[str, HouseRule] = Field(default_factory=dict)
    """House rules of the title by name: decisions on questions that its rulebook leaves open."""
    certificates_per_company: int = 0
    """The certificate limit is this number times companies in play, divided by players; 0: see `players`."""
    profiles: dict[str, tuple[str, ...]]
    """Rule flags that each profile (set of rule variants) switches on."""
    is_on_18xx_games: bool = True
    """True if 18xx.games has the title, so that games can be exported as its logs."""
    min_players_on_18xx_games: int = 2
    """The fewest players with whom 18xx.games has the title."""
    tile_prefix_on_18xx_games: str = ""
    """Prefix that 18xx.games puts before the numbers of some tiles; this program leaves it out."""
    exclusive_options: tuple[str, ...] = ()
    """Game options that exclude each other."""
    options_not_on_18xx_games: tuple[str, ...] = ()
    """Optional rules of this title that only this program has, not 18xx.games."""

    def money(self, amount: int) -> str:
        """An amount with the title's currency sign, such as `$70`."""
        return f"{self.currency}{amount}"

    def private_log_name(self, private: PrivateId) -> str:
        """The abbreviation of a private in 18xx.games logs."""
        spec = self.privates.get(private)
        return private if spec is None else spec.name_on_18xx_games or private

    def private_with_log_name(self, name: str) -> PrivateId:
        """The id of the private with this abbreviation in 18xx.games logs; `name` itself if there is none."""
        return next((private for private in self.privates if self.private_log_name(private) == name), name)

    def clashing_options(self, options: Collection[str]) -> tuple[str, ...]:
        """Chosen options that exclude each other: the title says so, or they change the same house rule."""
        chosen_exclusive_options = tuple(name for name in self.exclusive_options if name in options)
        if len(chosen_exclusive_options) > 1:
            return chosen_exclusive_options
        for rule in self.house.values():
            conflicting_options = tuple(name for name in rule.value_by_option if name in options)
            if len(conflicting_options) > 1:
                return conflicting_options
        return ()

    @model_validator(mode="after")
    def _check_kinds(self) -> Self:
        named_kinds = {*self.must_own_train, *(kind for phase in self.phases for kind in phase.train_limits)}
        if self.company_draw is not None:
            named_kinds.add(self.company_draw.kind)
        if self.mergers is not None:
            named_kinds |= {self.mergers.small_kind, self.mergers.large_kind}
        if self.unions is not None:
            named_kinds.add(self.unions.kind)
        unknown_kinds = named_kinds - {company.kind for company in self.companies.values()}
        if unknown_kinds:
            raise ValueError(f"there are no companies of kind {', '.join(sorted(unknown_kinds))}")
        return self

    def house_rule(self, name: str) -> Any:
        """The value of the house rule with this name. Raises KeyError if there is none."""
        return self.house[name].value

    def train(self, name: TrainName) -> TrainSpec:
        """The train type with this name. Raises TitleError if there is none."""
        for train in self.trains:
            if train.name == name:
                return train
        raise TitleError(f"{self.name} has no {name}-train")

    def train_count(self, name: TrainName, players: int) -> int | None:
        """Number of new trains of a type in a game with this number of players; None: unlimited."""
        card = self.train(name).face_of or name
        return self.players[players].trains.get(card, self.train(name).count)

    def faces(self, name: TrainName) -> tuple[TrainName, ...]:
        """The names of the trains on both sides of this train's card."""
        return self.cached(_faces_of_same_card)[name]

    def phase(self, name: PhaseName) -> PhaseSpec:
        """The phase with this name. Raises TitleError if there is none."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise TitleError(f"{self.name} has no phase {name}")


def _faces_of_same_card(spec: TitleSpec) -> dict[TrainName, tuple[TrainName, ...]]:
    card_by_train = {train.name: train.face_of or train.name for train in spec.trains}
    return {
        name: tuple(face for face in card_by_train if card_by_train[face] == card)
        for name, card in card_by_train.items()
    }
