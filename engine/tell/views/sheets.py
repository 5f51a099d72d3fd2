"""Views of companies and players, of the turn, of offers and sales, and of a game's history."""

from typing import Literal, TypeAlias

from engine.core.ids import CompanyId, Coord, PhaseName, PlayerId, PrivateId, TrainName
from engine.tell.views.board import Badge, MoneyView, View


class HoldingView(MoneyView):
    """Shares of one company: percent held, price, value, presidency."""

    badge: Badge
    percent: int
    price: int
    value: int
    president: bool
    share: int = 10
    """Percent of one share."""
    certificate: int = 20
    """Percent of the president's certificate."""

    @property
    def shares(self) -> float:
        """The number of shares."""
        return self.percent / self.share


class PlayerView(MoneyView):
    """A player's sheet; money in dollars."""

    player: PlayerId
    name: str
    cash: int | None
    """None: secret from the viewer, like every value that would reveal it."""
    available: int | None
    """Cash not tied up in bids."""
    certificates: int
    certificate_limit: int
    priority: bool
    holdings: tuple[HoldingView, ...]
    privates: tuple[tuple[PrivateId, str, int, int], ...]
    """Abbreviation, name, face value, income."""
    value: int | None
    """Net worth: cash, shares at the present price, privates at face."""
    bankrupt: bool = False
    liquidity: int | None = 0
    """Cash, and what the largest block of every company that may be sold would bring at its present price."""


class LastRunView(MoneyView):
    """A company's last run: revenue in dollars, withheld or not, and the dividend in words."""

    revenue: int
    kept: bool
    words: str


class CompanyView(MoneyView):
    """A company's charter; money in dollars, shares in percent."""

    badge: Badge
    name: str
    president: str | None
    par: int | None
    price: int | None
    zone: str
    floated: bool
    treasury: int | None
    """None: secret from the viewer."""
    trains: tuple[tuple[TrainName, str], ...]
    """Train and how it leaves the game; empty if it stays."""
    tokens_left: tuple[int, ...]
    tokens_placed: tuple[Coord, ...]
    home: Coord | None
    privates: tuple[PrivateId, ...]
    offering: int
    market: int
    removed: int
    holders: tuple[tuple[str, int, bool], ...]
    """Player's name, percent, whether president."""
    last_run: LastRunView | None
    float_percent: int
    share: int = 10
    """Percent of one share."""
    certificate: int = 20
    """Percent of the president's certificate."""
    own: int = 0
    """Percent in its treasury."""
    reissued: tuple[int, ...] = ()
    """Prices of the shares that it has redeemed and sells again, cheapest first."""
    kept: tuple[str, ...] = ()
    """Special tokens on its charter, in words: for destinations, and bull tokens."""
    fixed: bool = False
    """True if its value never moves: it was started on a space of the market."""
    reserved_by: str = ""
    """Name of the player who has reserved it, to start it."""
    waits_for: str = ""
    """Phase from which it can be started."""
    closed: bool = False
    """True if it has left the game for good."""
    obsolete: tuple[TrainName, ...] = ()
    """Trains that run once more and then leave."""
    shells: str = ""
    """The trains on each shell, of a company that has two."""
    parts: tuple[CompanyId, ...] = ()
    """Companies it was made of."""
    markers: tuple[str, ...] = ()
    """Names of markers it carries, with the hex of one that lies on the map."""


class TrainsView(MoneyView):
    """Trains as (name, number left or None, price, stops or None, how they leave the game); the pool with prices."""

    bank: tuple[tuple[TrainName, int | None, int, int | None, str], ...]
    pool: tuple[tuple[TrainName, int], ...]
    phase: str
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """Other train limits: kind of company, limit."""


class ComingView(MoneyView):
    """Trains of one type in the bank: number (None: unlimited), price, changes that buying them brings, and the end of
    those that leave by the calendar.
    """

    train: TrainName
    left: int | None
    price: int
    brings: tuple[str, ...]


class PhaseView(View):
    """A row of the phase chart."""

    name: PhaseName
    started_by: str
    """`first 3-train`; empty for the phase in which the game begins."""
    tiles: tuple[str, ...]
    train_limit: int
    operating_rounds: int
    changes: tuple[str, ...]
    """Events at its start, and new possibilities."""
    reached: bool
    current: bool


class PhasesView(View):
    """The phase chart of a title, with the current phase."""

    title: str
    caption: str
    phases: tuple[PhaseView, ...]


class TableView(MoneyView):
    """The whole table: all holdings, and companies in operating order, then those not started."""

    title: str
    caption: str
    companies: tuple[CompanyView, ...]
    players: tuple[PlayerView, ...]
    actors: tuple[str, ...]
    """Players who must act now."""
    trains: tuple[ComingView, ...]
    pool: tuple[tuple[TrainName, int], ...]
    """Trains of the bank pool, with prices in dollars."""
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """Other train limits: kind of company, limit."""


class ScoreRow(MoneyView):
    """One player's final standing; ties share a rank."""

    rank: int
    player: PlayerId
    name: str
    cash: int
    shares: tuple[HoldingView, ...]
    privates: int
    total: int


class ScoreView(View):
    """The final standings, best first, with a sentence about the end."""

    title: str
    ending: str
    rows: tuple[ScoreRow, ...]


class StandingView(View):
    """A player's row in the standings of an event; ties share a rank."""

    rank: int
    name: str
    points: str
    played: int
    due: int
    """Games that they will have played at the end."""
    wins: int
    mean_share: str
    """The mean of their totals in percent of the winner's; empty before their first result."""
    move: Literal["up", "down", ""] = ""
    """The group of the next season, if it is another one."""
    has_withdrawn: bool = False


class StandingsGroupView(View):
    """A group of an event, or a part of a large one, best first."""

    name: str
    rows: tuple[StandingView, ...]


class StandingsView(View):
    """Standings of an event, as much as one picture shows."""

    title: str
    caption: str
    groups: tuple[StandingsGroupView, ...]


class TurnView(View):
    """The turn: players on turn, and steps as (words, done, current)."""

    round_name: str
    """`SR 2`, `OR 2.1`, `Auction`."""
    phase: str
    bank: str
    """`$5210`."""
    actors: tuple[PlayerId, ...]
    actor_names: tuple[str, ...]
    entity: str
    """The company or player that acts, as shown."""
    facts: str
    """`treasury $210, trains 2 2, token $60`."""
    duty: tuple[str, ...]
    """Lines below the heading: the train that must be paid for and cannot be yet, what each player has reserved in
    a draft, whom a company may merge with."""
    steps: tuple[tuple[str, bool, bool], ...]
    ending: str
    """Reason for the coming end of the game, and the rounds still played; empty before that, and after the end."""
    over: bool


class PartyView(View):
    """A player or company that a deal changes, with the changes in words."""

    name: str
    changes: tuple[str, ...]


class OfferView(View):
    """A proposed deal: both sides, payments, and everybody's changes."""

    asker: str
    asked: str
    what: str
    parties: tuple[PartyView, ...]
    lines: tuple[str, ...] = ()
    """The lines that the move would post, where nothing changes hands at once."""


LotState: TypeAlias = Literal["now", "open", "taken", "gone"]
"""`now`: bought, or fought for, at this moment; `open`: to be had; `taken`: somebody's; `gone`: out of the game."""


class ClaimView(MoneyView):
    """A bid in dollars, or (None) a reservation; `leads`: the highest."""

    player: str
    amount: int | None
    leads: bool


class LotView(MoneyView):
    """A card in a sale: letters, name, value and income in dollars (None: not applicable), powers in a few words."""

    badge: Badge
    """Letters of the card; the colour is empty for a private."""
    name: str
    value: int | None
    income: int | None
    does: tuple[str, ...]
    state: LotState
    status: str
    """`buy for $20`, `bids from $45`, `Ann's`."""
    claims: tuple[ClaimView, ...] = ()
    """Bids on the card, highest first, or its reservation."""


class SeatView(MoneyView):
    """A player beside the cards: cash, dollars committed to bids, free dollars, and purchases so far.

    Cash and free dollars are None where they are secret.
    """

    name: str
    cash: int | None
    committed: int
    free: int | None
    acting: bool
    owns: tuple[str, ...]
    note: str = ""
    """`spaces up to $80 can be paid`."""


class SaleView(View):
    """The cards of a sale by column, everybody's money, and upcoming events.

    Without `seats` nothing is for sale: the cards say whose they are.
    """

    title: str
    caption: str
    columns: tuple[tuple[LotView, ...], ...]
    seats: tuple[SeatView, ...] = ()
    coming: tuple[str, ...] = ()
    name: str = "Privates"
    """`Auction` or `Draft` while something is for sale."""


class MomentView(View):
    """Net worths and prices at the start of a round or the end of the game (None: not started)."""

    name: str
    """`OR 2.1`."""
    worth: tuple[int, ...]
    prices: tuple[int | None, ...]


class HistoryView(MoneyView):
    """The history so far: players (none where net worth is secret), companies, and values by moment."""

    title: str
    caption: str
    players: tuple[str, ...]
    companies: tuple[Badge, ...]
    moments: tuple[MomentView, ...]
