"""Views of companies and players, of the turn, of proposals and sales, and of a game's history."""

from typing import Literal, TypeAlias

from engine.core.ids import CompanyId, Coord, PhaseName, PlayerId, PrivateId, TrainName
from engine.tell.views.board import Badge, MoneyView, View


class HoldingView(MoneyView):
    """A player's shares of one company: percent held, price and value in dollars, True if president."""

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
    """A player's sheet; money in dollars (None: secret from the viewer)."""

    player: PlayerId
    name: str
    cash: int | None
    """Cash of the player; None, here and below, if the viewer may not know it."""
    available: int | None
    """Cash that is not committed to bids."""
    certificates: int
    certificate_limit: int
    priority: bool
    holdings: tuple[HoldingView, ...]
    privates: tuple[tuple[PrivateId, str, int, int], ...]
    """Abbreviation, name, face value and income of each private."""
    value: int | None
    """Net worth: cash, shares at current prices, privates at face value."""
    bankrupt: bool = False
    liquidity: int | None = 0
    """Cash plus the proceeds of the largest legal sale of each company at current prices."""


class LastRunView(MoneyView):
    """A company's last run: revenue in dollars, True if withheld, and the use of the revenue as text."""

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
    """Money of the company; None if it is secret from the viewer."""
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
    """Name, percent held, and True if president, of each player with shares."""
    last_run: LastRunView | None
    float_percent: int
    share: int = 10
    """Percent of one share."""
    certificate: int = 20
    """Percent of the president's certificate."""
    own: int = 0
    """Percent in its treasury."""
    reissued: tuple[int, ...] = ()
    """Prices of its redeemed shares that are on sale again, cheapest first."""
    kept: tuple[str, ...] = ()
    """Tokens on its charter for destinations, and bull tokens, as texts."""
    fixed: bool = False
    """True if its price never moves, because it started on a space of the market."""
    reserved_by: str = ""
    """Name of the player who has reserved it."""
    waits_for: str = ""
    """Phase from which it can start; empty if it can start now."""
    closed: bool = False
    """True if it has left the game for good."""
    obsolete: tuple[TrainName, ...] = ()
    """Trains that run once more and then leave."""
    shells: str = ""
    """The trains on each charter of a merged company, as text."""
    parts: tuple[CompanyId, ...] = ()
    """Companies that were merged into it."""
    markers: tuple[str, ...] = ()
    """Names of its markers, with the hexes of placed ones."""


class TrainsView(MoneyView):
    """Trains of the bank as (name, number left or None, price, stops or None, how they leave the game); priced pool."""

    bank: tuple[tuple[TrainName, int | None, int, int | None, str], ...]
    pool: tuple[tuple[TrainName, int], ...]
    phase: str
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """Train limits of other kinds of companies: kind, limit."""


class ComingView(MoneyView):
    """Trains of one type in the bank: number left (None: unlimited), price, and changes that a purchase brings."""

    train: TrainName
    left: int | None
    price: int
    brings: tuple[str, ...]


class PhaseView(View):
    """A row of the phase chart."""

    name: PhaseName
    started_by: str
    """The start of the phase, such as `first 3-train`; empty for the first phase."""
    tiles: tuple[str, ...]
    train_limit: int
    operating_rounds: int
    changes: tuple[str, ...]
    """Events at its start, and new possibilities, as texts."""
    reached: bool
    current: bool


class PhasesView(View):
    """The phase chart of a title, with the current phase."""

    title: str
    caption: str
    phases: tuple[PhaseView, ...]


class TableView(MoneyView):
    """The whole table: all holdings; companies in operating order, followed by those that have not started."""

    title: str
    caption: str
    companies: tuple[CompanyView, ...]
    players: tuple[PlayerView, ...]
    actors: tuple[str, ...]
    """Players who must act now."""
    trains: tuple[ComingView, ...]
    pool: tuple[tuple[TrainName, int], ...]
    """Trains in the bank pool, with prices in dollars."""
    train_limit: int
    train_limits: tuple[tuple[str, int], ...] = ()
    """Train limits of other kinds of companies: kind, limit."""


class ScoreRow(MoneyView):
    """A player's line in the standings of a game; players with equal totals share a rank."""

    rank: int
    player: PlayerId
    name: str
    cash: int
    shares: tuple[HoldingView, ...]
    privates: int
    total: int


class ScoreView(View):
    """The standings of a game, best first, with a sentence about its end."""

    title: str
    ending: str
    rows: tuple[ScoreRow, ...]


class StandingView(View):
    """A player's line in the standings of an event; players with equal results share a rank."""

    rank: int
    name: str
    points: str
    played: int
    due: int
    """Number of games that the player will have played at the end of the event."""
    wins: int
    mean_share: str
    """Mean of their totals in percent of the winner's total; empty before their first result."""
    move: Literal["up", "down", ""] = ""
    """Direction of a move to another group in the next season; empty if they stay."""
    has_withdrawn: bool = False


class StandingsGroupView(View):
    """A group of an event, or part of a large group, best first."""

    name: str
    rows: tuple[StandingView, ...]


class StandingsView(View):
    """Standings of an event, or the part of them that fits in one picture."""

    title: str
    caption: str
    groups: tuple[StandingsGroupView, ...]


class TurnView(View):
    """The current turn: players to act, and steps as (name, True if done, True if current)."""

    round_name: str
    """A round such as `SR 2`, `OR 2.1` or `Auction`."""
    phase: str
    bank: str
    """The bank's balance, such as `$5210`."""
    actors: tuple[PlayerId, ...]
    actor_names: tuple[str, ...]
    entity: str
    """The company or player that acts, as shown to players."""
    facts: str
    """Facts about them, such as `treasury $210, trains 2 2, token $60`."""
    duty: tuple[str, ...]
    """Lines below the heading: a train that must be bought but cannot be paid yet; reservations of each player in a
    draft; possible merger partners.
    """
    steps: tuple[tuple[str, bool, bool], ...]
    ending: str
    """Reason for the coming end of the game and rounds left; empty if no end is triggered or the game is over."""
    over: bool


class PartyView(View):
    """A player or company that a proposed deal changes, with the changes as texts."""

    name: str
    changes: tuple[str, ...]


class OfferView(View):
    """A proposed deal: proposer, player asked, the deal as text, and all changes."""

    asker: str
    asked: str
    what: str
    parties: tuple[PartyView, ...]
    lines: tuple[str, ...] = ()
    """The lines that the move would post, if nothing changes hands at once."""


LotState: TypeAlias = Literal["now", "open", "taken", "gone"]
"""`now`: sold at a fixed price or contested at this moment; `open`: open to bids or reservations; `taken`: owned or
reserved; `gone`: out of the game.
"""


class ClaimView(MoneyView):
    """A bid in dollars, or (None) a reservation; `leads` is True for the highest bid."""

    player: str
    amount: int | None
    leads: bool


class LotView(MoneyView):
    """A card in a sale: badge, name, value and income in dollars (None: not applicable), powers as texts."""

    badge: Badge
    """Abbreviation on the card; its colour is empty for a private."""
    name: str
    value: int | None
    income: int | None
    does: tuple[str, ...]
    state: LotState
    status: str
    """A status such as `buy for $20`, `bids from $45`, `Ann's`."""
    claims: tuple[ClaimView, ...] = ()
    """Bids on the card, highest first, or its reservation."""


class SeatView(MoneyView):
    """A player listed beside the cards: cash, dollars committed to bids, free dollars, and purchases so far.

    Cash and free dollars are None if they are secret.
    """

    name: str
    cash: int | None
    committed: int
    free: int | None
    acting: bool
    owns: tuple[str, ...]
    note: str = ""
    """A note such as `spaces up to $80 can be paid`."""


class SaleView(View):
    """The cards of a sale by column, the money of all players, and upcoming events.

    If `seats` is empty, nothing is for sale and the cards show their owners.
    """

    title: str
    caption: str
    columns: tuple[tuple[LotView, ...], ...]
    seats: tuple[SeatView, ...] = ()
    coming: tuple[str, ...] = ()
    name: str = "Privates"
    """`Auction` or `Draft` while something is for sale."""


class RoundValuesView(View):
    """Net worths and share prices at the start of a round or at the end of the game (price None: not started)."""

    name: str
    """Name of the round, such as `OR 2.1`."""
    worth: tuple[int, ...]
    prices: tuple[int | None, ...]


class HistoryView(MoneyView):
    """The history so far: players (empty if net worths are secret), companies, and their values by round."""

    title: str
    caption: str
    players: tuple[str, ...]
    companies: tuple[Badge, ...]
    moments: tuple[RoundValuesView, ...]


class PayoutView(View):
    """The effects of a dividend decision: dollars by share and by player, in the order of the seats."""

    outcome: Literal["paid", "half", "withheld", "lost"]
    per_share: int | None
    """None if the title pays no amount by share."""
    players: tuple[int, ...]
    kept: int
    """Dollars that the company gets."""
    price: int | None
    """Share price afterwards; None if the company closes, or has none."""


class PayoutsView(View):
    """Each possible dividend of a company for several revenues in dollars."""

    price: int | None
    players: tuple[str, ...]
    rows: tuple[tuple[int, tuple[PayoutView, ...]], ...]
    """A revenue, and the outcome of each decision that is then possible."""
