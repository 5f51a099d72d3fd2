"""18C2C: what its house rules change in the table, and its sequence of play."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from engine.core.ids import BANK, CompanyId, TrainName
from engine.core.spec import TitleSpec
from engine.core.state import Company, Ending, Merger, Operating, Stock
from engine.core.state import Round as RoundState
from engine.play.ending import rounds_of_set, trigger
from engine.play.mergers.nationals import form_national
from engine.play.mergers.proposals import round_follows
from engine.play.privates.markers import withdraw
from engine.play.privates.powers import expire
from engine.play.rounds.base import Round
from engine.play.rounds.operating import OperatingRound
from engine.play.rounds.proposals import ProposalRound
from engine.play.shares.closing import close_company
from engine.play.steps.company.buy_privates import BuyPrivateStep
from engine.play.steps.company.closed import ClosedStep
from engine.play.steps.company.late_actions import LateActionsStep
from engine.play.steps.mergers.redistribute import ShuffleStep
from engine.play.steps.revenue.destination import DestinationStep
from engine.play.steps.revenue.transcontinental import CoastsRunStep
from engine.play.steps.track.purses import PurseTrackStep
from engine.play.steps.trains.forced_purchase import BankruptcyStep, ForcedPurchaseStep
from engine.play.steps.trains.trains import TrainsStep
from engine.play.table import Table
from engine.titles.standard import Standard
from engine.titles.t18c2c import mergers, stock, track
from engine.titles.t18c2c.adapting import certificates, settled
from engine.titles.t18c2c.mergers import with_mergers
from engine.titles.t18c2c.options import OPTIONS
from engine.titles.t18c2c.payouts import DestinationPayoutStep, PayoutStep
from engine.titles.t18c2c.stock import STOCK, with_house_rules
from engine.titles.t18c2c.track import PRIVATES, StationStep, with_track_rules

BUY_PRIVATE: Final = BuyPrivateStep()

SEQUENCE: Final[Mapping[str, Round]] = {
    "stock": STOCK,
    "operating": OperatingRound(
        PurseTrackStep(),
        StationStep(),
        CoastsRunStep(),
        PayoutStep(),
        ClosedStep(),
        TrainsStep(),
        DestinationStep(),
        DestinationPayoutStep(),
        LateActionsStep(BUY_PRIVATE),
        anytime=(BUY_PRIVATE, *PRIVATES, ShuffleStep(), BankruptcyStep()),
        at_once=(ForcedPurchaseStep(),),
    ),
    "merger": ProposalRound(),
}
"""The packet, then stock rounds and operating rounds in turn.

Rules: R-C2C-091.
"""


class CoastToCoastRules(Standard):
    """Overrides of 18C2C."""

    OPTIONS: ClassVar = OPTIONS
    SETTLED: ClassVar = {**stock.SETTLED, **track.SETTLED, **mergers.SETTLED}
    ROUNDS: ClassVar = SEQUENCE

    def adapted(self, spec: TitleSpec) -> TitleSpec:
        """The table as the house rules and the options of this game have it."""
        return with_mergers(with_track_rules(with_house_rules(settled(super().adapted(spec)))))

    def next_round(self, t: Table) -> RoundState:
        """After a stock round players may propose mergers (R-C2C-220)."""
        now = t.state.round
        if isinstance(now, Stock) and round_follows(t):
            return Merger(set=now.number, number=0, of=0, turn=t.state.priority)
        if isinstance(now, Merger):
            return Operating(set=now.set, of=rounds_of_set(t))
        return super().next_round(t)

    def on_round(self, t: Table) -> None:
        """The certificate limit follows the corporations in play (R-C2C-004)."""
        super().on_round(t)
        if isinstance(t.state.round, Stock) and t.spec.house_rule("certificate_limit_dynamic"):
            in_play = sum(is_in_play(t, company) for company in t.state.companies.values())
            each = t.spec.certificates_per_company
            t.state.certificate_limit = certificates(in_play, len(t.state.players), each)

    def on_phase(self, t: Table) -> None:
        """Red places get further spaces for stations (R-C2C-00A); tokens of privates leave (R-C2C-143)."""
        t.map.open_spaces(t.state.phase)
        expire(t)
        withdraw(t)

    def on_rust(self, t: Table, train: TrainName, owners: Sequence[tuple[CompanyId, int]]) -> None:
        """Amtrak and Conrail take over whom this has left without a train (R-C2C-240)."""
        form_national(t, [owner for owner, _ in owners])

    def on_bank_paid(self, t: Table) -> None:
        """The bank is broken at $0, or below, as the house rule has it (R-C2C-260)."""
        if t.state.bank <= t.spec.house_rule("bank_breaks_at"):
            trigger(t, Ending("bank", BANK))

    def may_start(self, t: Table, company: Company) -> bool:
        """Nationals come on their own (R-C2C-240)."""
        return t.kind(company) == "single"

    def on_price_moved(self, t: Table, company: Company) -> None:
        """A price that leaves the market closes the corporation; its trains go to the pool (R-C2C-053)."""
        super().on_price_moved(t, company)
        if company.cell is not None and t.grid.closes(company.cell):
            t.state.pool += company.trains
            close_company(t, company)


def is_in_play(t: Table, company: Company) -> bool:
    """Whether it counts for the certificate limit: it can be or was started, and has not left (R-C2C-004)."""
    return not company.closed and (company.started or t.kind(company) == "single")
