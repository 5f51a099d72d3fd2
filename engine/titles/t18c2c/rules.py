"""18C2C: its rounds and steps, and the rules that differ from the standard ones."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from engine.core.ids import BANK, CompanyId, TrainName
from engine.core.spec import TitleSpec
from engine.core.state import Company, Ending, Merger, Operating, Stock
from engine.core.state import Round as RoundState
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.end_and_scores import operating_rounds_in_set, trigger_end
from engine.play.private_markers import remove_expired_map_markers, remove_expired_markers
from engine.play.rounds import OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.end_of_turn import EndClosedTurnStep, EndOfCompanyTurnStep, EndOfStockTurnStep
from engine.play.steps.exchange_private import ExchangeStep
from engine.play.steps.forced_sales import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options
from engine.titles.t18c2c.city_tokens import CityTokenStep, GiveUpPrivateStep
from engine.titles.t18c2c.coast_to_coast import CoastToCoastRunStep
from engine.titles.t18c2c.destination import DestinationRunStep
from engine.titles.t18c2c.extra_tokens import BullTokenStep, FloatTokensStep
from engine.titles.t18c2c.house_rules import (
    certificate_limit_of,
    with_house_rules,
    with_merger_rules,
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
    """Token step: one station each turn, or two for a merged company or a national (R-C2C-130)."""

    def stations_per_turn(self, t: Table) -> int:
        """Maximum number of stations per turn: 2 for a merged company or a national, otherwise 1.

        Rules: R-C2C-246.
        """
        return 2 if t.company.parts else 1


EXTRA_STOCK_STEPS: Final = (RedeemShareStep(), ReissueStep(), PrivatizeStep(), ExchangeStep())

STOCK_ROUND: Final = StockRound(
    FloatTokensStep(),
    TradeStep(),
    EndOfStockTurnStep(*EXTRA_STOCK_STEPS),
    auction_steps=(RemovePrivateStep(), SetParStep(), BidStep()),
    anytime_steps=EXTRA_STOCK_STEPS,
)
"""18C2C's stock round. Privates are auctioned first (R-C2C-029); a company that floats buys tokens (R-C2C-061)."""

PRIVATE_POWER_STEPS: Final = (CityTokenStep(), GiveUpPrivateStep(), BuyMarkerStep())
"""Private powers that a company can use at any time of its turn (R-C2C-091, R-C2C-142, R-C2C-150, R-C2C-160)."""


ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "stock": STOCK_ROUND,
    "operating": OperatingRound(
        FundedTrackStep(),
        StationStep(),
        CoastToCoastRunStep(),
        PayoutStep(),
        EndClosedTurnStep(),
        TrainsStep(),
        DestinationRunStep(),
        DestinationPayoutStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, *PRIVATE_POWER_STEPS, ShuffleStep(), BankruptcyStep()),
        urgent_steps=(ForcedPurchaseStep(),),
    ),
    "merger": ProposalRound(),
}
"""18C2C's rounds by kind, with steps: stock round, operating round and merger round.

Rules: R-C2C-091.
"""


class CoastToCoastRules(StandardRules):
    """Rules of 18C2C that differ from the standard rules."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18c2c")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """18C2C's data as changed by the game's house rules and options."""
        return with_merger_rules(
            with_track_rules(with_stock_rules(with_house_rules(super().adapted_spec(spec))))
        )

    def next_round(self, t: Table) -> RoundState:
        """The round that follows the current one. After a stock round this can be a merger round (R-C2C-220)."""
        ended_round = t.state.round
        if isinstance(ended_round, Stock) and proposal_round_follows(t):
            return Merger(set=ended_round.number, number=0, of=0, turn=t.state.priority)
        if isinstance(ended_round, Merger):
            return Operating(set=ended_round.set, of=operating_rounds_in_set(t))
        return super().next_round(t)

    def on_round(self, t: Table) -> None:
        """When a stock round starts, set the certificate limit for the number of companies in play (R-C2C-004)."""
        super().on_round(t)
        if isinstance(t.state.round, Stock) and t.spec.house_rule("certificate_limit_dynamic"):
            company_count = sum(is_in_play(t, company) for company in t.state.companies.values())
            certificates_per_company = t.spec.certificates_per_company
            t.state.certificate_limit = certificate_limit_of(
                company_count, len(t.state.players), certificates_per_company
            )

    def on_phase(self, t: Table) -> None:
        """Open token slots of off-board areas (R-C2C-00A); remove expired private tokens and markers (R-C2C-143)."""
        t.map.open_spaces_of_phase(t.state.phase)
        remove_expired_map_markers(t)
        remove_expired_markers(t)

    def on_rust(self, t: Table, train: TrainName, owners: Sequence[tuple[CompanyId, int]]) -> None:
        """Form the phase's national from companies that just lost their last train (R-C2C-240)."""
        form_national(t, [owner for owner, _ in owners])

    def on_bank_paid(self, t: Table) -> None:
        """Trigger the end of the game if the bank has no more money than the house rules' limit (R-C2C-260)."""
        if t.state.bank <= t.spec.house_rule("bank_breaks_at"):
            trigger_end(t, Ending("bank", BANK))

    def may_start(self, t: Table, company: Company) -> bool:
        """True if players can start the company. They cannot start nationals, which form automatically (R-C2C-240)."""
        return t.kind_name(company) == "single"

    def on_price_moved(self, t: Table, company: Company) -> None:
        """Close a company whose share price has reached a closing cell. Its trains go to the pool (R-C2C-053)."""
        super().on_price_moved(t, company)
        if company.cell is not None and t.grid.closes_company(company.cell):
            t.state.pool += company.trains
            close_company(t, company)


def is_in_play(t: Table, company: Company) -> bool:
    """True if the company counts for the certificate limit: started or still to be started, not closed (R-C2C-004)."""
    return not company.closed and (company.is_started or t.kind_name(company) == "single")
