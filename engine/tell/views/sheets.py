"""Views of companies, players, the turn, proposals, sales, standings, and a game's history."""

from typing import Literal, TypeAlias

from engine.core.ids import CompanyId, Coord, PhaseName, PlayerId, PrivateId, TrainName
from engine.tell.views.board import Badge, MoneyView, View


class HoldingView(MoneyView):
    """A player's shares in one company: percent held, price and value in dollars, True if president."""

    badge: Badge
    percent: int
    price: int
    value: int
    is_president: bool
    share_percent: int = 10
    """Percent of the company in one share."""
    president_share_percent: int = 20
    """Percent of the company in the president's certificate."""

    @property
    def shares(self) -> float:
        """The number of shares held."""
        return self.percent / self.share_percent


class PlayerView(MoneyView):
    """A player's sheet; amounts are in dollars, or None if they are secret from the viewer."""

    player: PlayerId
    name: str
    cash: int | None
    """The player's cash; None if it is secret from the viewer."""
    available_cash: int | None
    """Available cash, which is not committed to bids; None if it is secret from the viewer."""
    certificates: int
    certificate_limit: int
    has_priority_deal: bool
    holdings: tuple[HoldingView, ...]
    privates: tuple[tuple[PrivateId, str, int, int], ...]
    """(abbreviation, name, face value, income) of each private."""
    net_worth: int | None
    """Net worth in dollars: cash, shares at current prices, privates at face value; None if secret."""
    is_bankrupt: bool = False
    liquidity: int | None = 0
    """The player's liquidity: cash plus the proceeds of the largest sale in each company, in dollars; None: secret."""


class LastRunView(MoneyView):
    """A company's last run: revenue in dollars, True if it was withheld, and the use of the revenue as text."""

    revenue: int
    is_withheld: bool
    use_text: str


class CompanyView(MoneyView):
    """A company's charter as a view; money in dollars, shares in percent."""

    badge: Badge
    name: str
    president: str | None
    par: int | None
    price: int | None
    zone: str
    is_floated: bool
    treasury: int | None
    """The company's treasury in dollars; None if it is secret from the viewer."""
    trains: tuple[tuple[TrainName, str], ...]
    """(train, how it leaves the game as text; empty if it stays) for each train."""
    tokens_left: tuple[int, ...]
    tokens_placed: tuple[Coord, ...]
    home: Coord | None
    privates: tuple[PrivateId, ...]
    offering_percent: int
    market_percent: int
    removed_percent: int
    holders: tuple[tuple[str, int, bool], ...]
    """(name, percent held, True if president) for each player with shares."""
    last_run: LastRunView | None
    float_percent: int
    share_percent: int = 10
    """Percent of the company in one share."""
    president_share_percent: int = 20
    """Percent of the company in the president's certificate."""
    treasury_percent: int = 0
    """Percent of the company in its own treasury."""
    reissued: tuple[int, ...] = ()
    """Prices of the company's reissued shares, cheapest first."""
    reserved_token_texts: tuple[str, ...] = ()
    """Reserved tokens on the charter, as texts: tokens for destinations, and bull tokens (18C2C)."""
    is_price_fixed: bool = False
    """True if the company's share price never moves, because it started on a fixed market space."""
    reserved_by: str = ""
    """Name of the player who has reserved the company."""
    waits_for_phase: str = ""
    """The phase for which the company waits before it can start; empty if it can start now."""
    is_closed: bool = False
    """True if the company has closed and left the game for good."""
    obsolete_trains: tuple[TrainName, ...] = ()
    """The company's obsolete trains, which run once more before they leave the game."""
    shells_text: str = ""
    """The trains on each charter (shell) of a merged company (18C2C), as text."""
    merged_companies: tuple[CompanyId, ...] = ()
    """Names of the companies that were merged into this one."""
    markers: tuple[str, ...] = ()
    """Names of the company's markers, with the hexes of those on the map."""


class TrainsView(MoneyView):
    """The trains in the bank and in the pool.

    A bank train is (name, number left, price, stops, how it leaves the game); None stands for an unlimited number or
    any number of stops. A pool train has its price.
    """

    bank: tuple[tuple[TrainName, int | None, int, int | None, str], ...]
    pool: tuple[tuple[TrainName, int], ...]
    phase: str
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """(kind, limit) for kinds of companies with a special train limit."""


class UpcomingTrainView(MoneyView):
    """Trains of one type in the bank: number left (None: unlimited), price, and changes after the first purchase."""

    train: TrainName
    number_left: int | None
    price: int
    purchase_changes: tuple[str, ...]


class PhaseView(View):
    """One row of the phase chart."""

    name: PhaseName
    started_by: str
    """The event that starts the phase, such as `first 3-train`; empty for the first phase."""
    tile_colours: tuple[str, ...]
    train_limit: int
    operating_rounds: int
    changes: tuple[str, ...]
    """Events at the start of the phase, and new possibilities, as texts."""
    is_reached: bool
    is_current: bool


class PhasesView(View):
    """The phase chart of a title, and the current phase."""

    title: str
    caption: str
    phases: tuple[PhaseView, ...]


class TableView(MoneyView):
    """The whole table: the players' holdings and the companies.

    Companies are in operating order; those that have not started come last.
    """

    title: str
    caption: str
    companies: tuple[CompanyView, ...]
    players: tuple[PlayerView, ...]
    actor_names: tuple[str, ...]
    """Names of the players who must act now."""
    trains: tuple[UpcomingTrainView, ...]
    pool: tuple[tuple[TrainName, int], ...]
    """Trains in the bank pool, as (train, price in dollars)."""
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """(kind, limit) for kinds of companies with a special train limit."""


class ScoreRow(MoneyView):
    """A player's line in the standings of a game; players with equal net worth share a rank."""

    rank: int
    player: PlayerId
    name: str
    cash: int
    shares: tuple[HoldingView, ...]
    privates: int
    total: int


class ScoreView(View):
    """The standings of a game, best player first, with a sentence about the game's end."""

    title: str
    ending: str
    rows: tuple[ScoreRow, ...]


class StandingView(View):
    """A player's line in the standings of an event, such as a league; players with equal results share a rank."""

    rank: int
    name: str
    points: str
    played: int
    due: int
    """Number of games due: those that the player will have played at the end of the event."""
    wins: int
    mean_result_percent: str
    """Mean of the player's results in percent of the winner's; empty before the first result."""
    move: Literal["up", "down", ""] = ""
    """Promotion (`up`) or relegation (`down`) to another group next season; empty if the player stays."""
    has_withdrawn: bool = False


class StandingsGroupView(View):
    """One group of an event's standings, or a part of a large group, best player first."""

    name: str
    rows: tuple[StandingView, ...]


class StandingsView(View):
    """The standings of an event, or the part of them that fits into one picture."""

    title: str
    caption: str
    groups: tuple[StandingsGroupView, ...]


class TurnView(View):
    """The current turn: players who must act, and steps as (name, True if done, True if current)."""

    round_name: str
    """Short name of the round, such as `SR 2`, `OR 2.1` or `Auction`."""
    phase: str
    bank: str
    """The bank's balance as text, such as `$5210`."""
    actors: tuple[PlayerId, ...]
    actor_names: tuple[str, ...]
    entity_name: str
    """The acting company or player, as shown to players."""
    facts_text: str
    """Facts about the acting company or player, such as `treasury $210, trains 2 2, token $60`."""
    duty_lines: tuple[str, ...]
    """Lines below the heading about what the player has to do or decide.

    They tell of a train that must be bought but cannot be paid yet, each player's reservations in a draft,
    or possible merger partners.
    """
    steps: tuple[tuple[str, bool, bool], ...]
    ending: str
    """The ending ahead: its reason, and the rounds left; empty if no end is triggered or the game is over."""
    is_over: bool


class PartyView(View):
    """A player or company affected by a proposed deal, with its changes as texts."""

    name: str
    changes: tuple[str, ...]


class ProposedDealView(View):
    """A proposed deal: proposer, player asked, the deal as text, and its effects."""

    proposer: str
    asked_player: str
    deal_text: str
    parties: tuple[PartyView, ...]
    lines: tuple[str, ...] = ()
    """The lines that would be posted after the deal; used for deals in which nothing changes hands at once."""


SaleCardState: TypeAlias = Literal["now", "open", "taken", "gone"]
"""State of a card in a sale.

`now`: for sale at a fixed price, or players are bidding for it. `open`: open to bids or reservations. `taken`: owned or
reserved. `gone`: out of the game.
"""


class ClaimView(MoneyView):
    """A player's bid on a card (`amount` in dollars), or their reservation (`amount` None).

    `is_leading` is True for the highest bid.
    """

    player: str
    amount: int | None
    is_leading: bool


class SaleCardView(MoneyView):
    """A card in the initial sale: badge, name, value and income in dollars (None: not applicable), powers as texts."""

    badge: Badge
    """Disc with the abbreviation on the card; its colour is empty for a private."""
    name: str
    value: int | None
    income: int | None
    rule_texts: tuple[str, ...]
    state: SaleCardState
    status: str
    """Status of the card in the sale, such as `buy for $20`, `bids from $45`, `Ann's`."""
    claims: tuple[ClaimView, ...] = ()
    """Bids on the card, highest first, or its reservation."""


class SeatView(MoneyView):
    """A player's line in the view of a sale: cash, dollars committed to bids, dollars left, and purchases so far.

    Cash and dollars left are None if they are secret.
    """

    name: str
    cash: int | None
    committed_cash: int
    free_cash: int | None
    is_acting: bool
    owned_ids: tuple[str, ...]
    note: str = ""
    """Note on the player in the sale, such as `spaces up to $80 can be paid`."""


class SaleView(View):
    """The cards of a sale by column, the money of all players, and upcoming events.

    If `seats` is empty, nothing is for sale, and each card shows its owner.
    """

    title: str
    caption: str
    columns: tuple[tuple[SaleCardView, ...], ...]
    seats: tuple[SeatView, ...] = ()
    upcoming_texts: tuple[str, ...] = ()
    name: str = "Privates"
    """`Auction` or `Draft`; empty if nothing is for sale."""


class RoundValuesView(View):
    """Net worths and share prices at the start of a round or at the end of the game.

    The price of a company that has not started is None.
    """

    name: str
    """Short name of the round, such as `OR 2.1`."""
    net_worths: tuple[int, ...]
    prices: tuple[int | None, ...]


class HistoryView(MoneyView):
    """Net worths and share prices by round.

    `players` is empty if net worths are secret.
    """

    title: str
    caption: str
    players: tuple[str, ...]
    companies: tuple[Badge, ...]
    rounds: tuple[RoundValuesView, ...]


class PayoutView(View):
    """The effects of one dividend decision: dollars per share and per player, in seat order."""

    outcome: Literal["paid", "half", "withheld", "lost"]
    per_share: int | None
    """Dollars that the dividend pays per share; None if the title pays no amount per share."""
    player_amounts: tuple[int, ...]
    treasury_amount: int
    """Dollars that the company's treasury gets from the revenue."""
    price: int | None
    """Share price after the dividend; None if the company closes or has no share price."""


class PayoutsView(View):
    """A table of a company's possible dividends at several revenues."""

    price: int | None
    players: tuple[str, ...]
    rows: tuple[tuple[int, tuple[PayoutView, ...]], ...]
    """(revenue, the effects of each dividend that is possible at this revenue)."""
