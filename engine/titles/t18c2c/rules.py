"""The rules of 18C2C: options, house rules, sequence of play and overridden rules."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from engine.core.ids import BANK, CompanyId, TrainName
from engine.core.spec import TitleSpec
from engine.core.state import Company, Ending, Merger, Operating, Stock
from engine.core.state import Round as RoundState
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.end_and_scores import rounds_in_set, trigger_end
from engine.play.private_markers import expire_markers, withdraw_markers
from engine.play.rounds import OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.end_of_turn import EndClosedTurnStep, EndOfTurnStep, LateActionsStep
from engine.play.steps.exchange_private import ExchangeStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options
from engine.titles.t18c2c.city_tokens import CityTokenStep, GiveUpPrivateStep
from engine.titles.t18c2c.coast_to_coast import CoastsRunStep
from engine.titles.t18c2c.destination import DestinationRunStep
from engine.titles.t18c2c.extra_tokens import BullTokenStep, FloatTokensStep
from engine.titles.t18c2c.house_rules import (
    certificate_limit_of,
    with_house_rules,
    with_mergers,
    with_stock_rules,
    with_track_rules,
)
from engine.titles.t18c2c.nationals import form_national
from engine.titles.t18c2c.packet import RemovePrivateStep
from engine.titles.t18c2c.payouts import DestinationPayoutStep, PayoutStep
from engine.titles.t18c2c.private_powers import BuyMarkerStep, FundedTrackStep
from engine.titles.t18c2c.propose_merger import ProposalRound, proposal_round_follows
from engine.titles.t18c2c.share_trades import PrivatizeStep, RedeemShareStep, ReissueStep
from engine.titles.t18c2c.shuffle_trains import ShuffleStep


class StationStep(BullTokenStep):
    """One station a turn; two for merged corporations (R-C2C-130)."""

    def stations_per_turn(self, t: Table) -> int:
        """Number of stations per turn: two for merged corporations and nationals, else one.

        Rules: R-C2C-246.
        """
        return 2 if t.company.parts else 1


STEPS_BESIDE_TRADING: Final = (RedeemShareStep(), ReissueStep(), PrivatizeStep(), ExchangeStep())

STOCK_ROUND: Final = StockRound(
    FloatTokensStep(),
    TradeStep(),
    EndOfTurnStep(*STEPS_BESIDE_TRADING),
    auction=(RemovePrivateStep(), SetParStep(), BidStep()),
    anytime=STEPS_BESIDE_TRADING,
)
"""The packet is sold before any share (R-C2C-029); a corporation buys tokens when it floats (R-C2C-061)."""

PRIVATE_STEPS: Final = (CityTokenStep(), GiveUpPrivateStep(), BuyMarkerStep())
"""Steps that privates allow at any time of a company's turn (R-C2C-091, R-C2C-142, R-C2C-150, R-C2C-160)."""


ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "stock": STOCK_ROUND,
    "operating": OperatingRound(
        FundedTrackStep(),
        StationStep(),
        CoastsRunStep(),
        PayoutStep(),
        EndClosedTurnStep(),
        TrainsStep(),
        DestinationRunStep(),
        DestinationPayoutStep(),
        LateActionsStep(BUY_PRIVATE_STEP),
        anytime=(BUY_PRIVATE_STEP, *PRIVATE_STEPS, ShuffleStep(), BankruptcyStep()),
        at_once=(ForcedPurchaseStep(),),
    ),
    "merger": ProposalRound(),
}
"""The packet, then alternating stock rounds and operating rounds.

Rules: R-C2C-091.
"""


class CoastToCoastRules(StandardRules):
    """The rules of 18C2C that are not in its data."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18c2c")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The spec with the game's house rules and options."""
        return with_mergers(with_track_rules(with_stock_rules(with_house_rules(super().adapted_spec(spec)))))

    def next_round(self, t: Table) -> RoundState:
        """The usual next round; but a round of merger proposals follows a stock round (R-C2C-220)."""
        ended_round = t.state.round
        if isinstance(ended_round, Stock) and proposal_round_follows(t):
            return Merger(set=ended_round.number, number=0, of=0, turn=t.state.priority)
        if isinstance(ended_round, Merger):
            return Operating(set=ended_round.set, of=rounds_in_set(t))
        return super().next_round(t)

    def on_round(self, t: Table) -> None:
        """Update the certificate limit to the number of corporations in play (R-C2C-004)."""
        super().on_round(t)
        if isinstance(t.state.round, Stock) and t.spec.house_rule("certificate_limit_dynamic"):
            companies_in_play = sum(is_in_play(t, company) for company in t.state.companies.values())
            per_company = t.spec.certificates_per_company
            t.state.certificate_limit = certificate_limit_of(
                companies_in_play, len(t.state.players), per_company
            )

    def on_phase(self, t: Table) -> None:
        """Open more token spaces of red areas (R-C2C-00A); remove expired private tokens and markers (R-C2C-143)."""
        t.map.open_spaces_of_phase(t.state.phase)
        expire_markers(t)
        withdraw_markers(t)

    def on_rust(self, t: Table, train: TrainName, owners: Sequence[tuple[CompanyId, int]]) -> None:
        """Form Amtrak or Conrail from companies that have lost their last train (R-C2C-240)."""
        form_national(t, [owner for owner, _ in owners])

    def on_bank_paid(self, t: Table) -> None:
        """Trigger the end of the game when the bank is at the house rule's limit or below (R-C2C-260)."""
        if t.state.bank <= t.spec.house_rule("bank_breaks_at"):
            trigger_end(t, Ending("bank", BANK))

    def may_start(self, t: Table, company: Company) -> bool:
        """True for corporations; False for nationals, which form automatically (R-C2C-240)."""
        return t.kind_name(company) == "single"

    def on_price_moved(self, t: Table, company: Company) -> None:
        """Close a corporation whose price leaves the market; its trains go to the pool (R-C2C-053)."""
        super().on_price_moved(t, company)
        if company.cell is not None and t.grid.closes_company(company.cell):
            t.state.pool += company.trains
            close_company(t, company)


def is_in_play(t: Table, company: Company) -> bool:
    """True if the company counts for the limit: it started or can start, and has not closed (R-C2C-004)."""
    return not company.closed and (company.started or t.kind_name(company) == "single")
