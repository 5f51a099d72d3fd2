"""What most titles do: the hooks filled in, and the usual sequence of play.

Titles vary it; they never inherit from titles.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from engine.core.facts import Fact
from engine.core.ids import MARKET, OFFERING, REISSUED, CompanyId, PhaseName, TrainName
from engine.core.spec import LaySpec, TitleSpec
from engine.core.state import Auction, Company, Ending, Merger, Operating, Private, Stock
from engine.core.state import Round as RoundState
from engine.play.ending import end_if_bank_is_broken, rounds_of_set, trigger
from engine.play.privates.auction import reduce_price
from engine.play.privates.powers import with_markers
from engine.play.rounds.auction_round import AuctionRound
from engine.play.rounds.base import Round
from engine.play.rounds.operating_round import OperatingRound
from engine.play.rounds.stock_round import StockRound
from engine.play.rules import Flag, Option, Rules
from engine.play.steps.auction.bid import BidStep
from engine.play.steps.company.buy_privates import BuyPrivateStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.revenue.dividend import DividendStep
from engine.play.steps.revenue.run_trains import RunStep
from engine.play.steps.stock.par_due import ParDueStep
from engine.play.steps.stock.trade import TradeStep
from engine.play.steps.tokens.free_token import FreeTokenStep
from engine.play.steps.tokens.token import TokenStep
from engine.play.steps.track.lay_track import TrackStep
from engine.play.steps.trains.buy_trains import TrainsStep
from engine.play.steps.trains.forced_purchase import BankruptcyStep, ForcedPurchaseStep
from engine.play.table import Table
from engine.routes.revenue_rules import Terms
from engine.titles.flags import COMMON_FLAGS

COMMON_OPTIONS: Final[Mapping[str, Option]] = {
    "best_run_required": Option(
        "Best run required",
        "A company runs for no less than its best routes earn, as any shareholder could insist.",
    ),
}
"""Options every title has."""

BUY_PRIVATE: Final = BuyPrivateStep()

SEQUENCE: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(ParDueStep(), BidStep()),
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE),
        anytime=(BUY_PRIVATE, BankruptcyStep()),
        at_once=(FreeTokenStep(), ForcedPurchaseStep()),
    ),
}
"""The private auction, then stock rounds and sets of operating rounds in turn."""


def _terms(spec: TitleSpec) -> Mapping[PhaseName, Terms]:
    """Trains and revenue column of every phase."""
    return {phase.name: Terms.of(spec, phase.name) for phase in spec.phases}


class Standard(Rules):
    """The hooks as most titles have them."""

    FLAGS: ClassVar[Mapping[str, Flag]] = COMMON_FLAGS
    OPTIONS: ClassVar[Mapping[str, Option]] = COMMON_OPTIONS
    ROUNDS: ClassVar[Mapping[str, Round]] = SEQUENCE

    def adapted(self, spec: TitleSpec) -> TitleSpec:
        """Flags, and options about house rules, that change what the table says."""
        auction: dict[str, object] = {}
        if self.flag("separate_auction_round"):
            auction["in_stock_rounds"] = False
        if self.flag("auction_lowest_bidder_acts"):
            auction["contest"] = "lowest_bidder"
        changes: dict[str, object] = {
            "auction": spec.auction.model_copy(update=auction),
            "house": {name: rule.agreed(self.options) for name, rule in spec.house.items()},
        }
        if self.flag("president_pays_other_companies"):
            changes["president_pays_companies"] = True
        if self.flag("new_track_counts_as_a_whole"):
            changes["map"] = spec.map.model_copy(update={"part_of_new_track": False})
        return spec.model_copy(update=changes)

    # --- flow -------------------------------------------------------------------------------------------------

    def first_round(self) -> RoundState:
        """The private auction; the first stock round where that sells the privates, or there are none."""
        return Stock() if self.spec.auction.in_stock_rounds or not self.spec.privates else Auction()

    def next_round(self, t: Table) -> RoundState:
        """After the auction a stock round, after that a set of operating rounds as the phase says, and so on.

        Rules: R-AL-008, R-C2C-011, R-CH-009, R-TN-006.
        """
        now = t.state.round
        if isinstance(now, Auction):
            return Stock()
        if isinstance(now, Stock):
            return Operating(set=now.number, of=rounds_of_set(t))
        assert isinstance(now, Operating | Merger)
        if now.number < now.of:
            return Operating(set=now.set, number=now.number + 1, of=now.of)
        return Stock(number=now.set + 1)

    def on_round(self, t: Table) -> None:
        """The price of the cheapest private may fall when a stock round begins."""
        if isinstance(t.state.round, Stock):
            reduce_price(t)

    def on_phase(self, t: Table) -> None:
        """Nothing else."""

    # --- shares -----------------------------------------------------------------------------------------------

    def certificates(self, company: CompanyId, linked: CompanyId | None, players: int) -> tuple[int, ...]:
        """As printed."""
        return self.spec.companies[company].certificates

    def may_start(self, t: Table, company: Company) -> bool:
        """Any company."""
        return True

    def on_float(self, t: Table, company: Company) -> int:
        """Nothing else; the offering stays where it is."""
        return 0

    def on_president_changed(self, t: Table, company: Company) -> None:
        """Nothing else."""

    def sold_out(self, t: Table, company: Company) -> bool:
        """When players hold everything (18Chesapeake 10.6)."""
        return not any(company.percent(holder) for holder in (OFFERING, REISSUED, MARKET, company.treasury))

    # --- track and privates -----------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """As the title's table says."""
        return self.spec.lays

    def private_prices(self, t: Table) -> tuple[int, int] | None:
        """As the phase says."""
        return t.phase.buy_privates

    def why_not_private(self, t: Table, private: Private) -> Fact | None:
        """Any of them may be bought."""
        return None

    # --- trains and running -----------------------------------------------------------------------------------

    def on_rust(self, t: Table, train: TrainName, owners: Sequence[tuple[CompanyId, int]]) -> None:
        """Nothing else."""

    def runs_once_more(self, t: Table, company: Company) -> bool:
        """Every company's."""
        return True

    def terms(self, t: Table) -> Terms:
        """Trains and revenue column of the phase, the company's tokens and markers (18Chesapeake 11.5).

        Rules: R-C2C-012.
        """
        terms = self.spec.worked_out(_terms)[t.state.phase]
        now = t.state.round
        if not isinstance(now, Operating) or now.turn is None:
            return terms
        return with_markers(terms.running(t.company.running), t, t.company)

    def revenue(self, t: Table, values: Sequence[int]) -> int:
        """The sum."""
        return sum(values)

    def fleets(self, t: Table) -> Sequence[Sequence[TrainName]]:
        """All its trains together."""
        return [t.company.running]

    # --- the end ----------------------------------------------------------------------------------------------

    def on_bank_paid(self, t: Table) -> None:
        """The game ends soon if the bank is broken."""
        end_if_bank_is_broken(t)

    def on_price_moved(self, t: Table, company: Company) -> None:
        """Note that a price has reached the end of the market.

        Rules: R-AL-211, R-CH-307, R-NE-131, R-TN-211.
        """
        if company.cell is not None and t.grid.ends_game(company.cell):
            trigger(t, Ending("price", company.id))
