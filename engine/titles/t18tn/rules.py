"""The rules of 18TN: the Civil War, early purchases of privates, options, and profiles."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from engine.board.network import has_route
from engine.core.actions import Dividend
from engine.core.events import IncomeLost, MarkersGiven
from engine.core.facts import Fact, fact
from engine.core.ids import CompanyId, TrainName
from engine.core.offers import Offer
from engine.core.spec import LaySpec
from engine.core.state import LastRun, Operating, Private
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep, SetParStep
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.discard import RetireObsoleteTrainsStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.forced_sales import BankruptcyStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.play.trains.phases import pay_salvage
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options

CIVIL_WAR_MARKER: Final = "civil war"
"""The marker of a company that loses the revenue of one train in its next turn (5.1)."""


class WarDividendStep(DividendStep):
    """Dividends; a marked company with a single train has no choice, and its price does not change.

    Rules: R-TN-193, R-TN-194, R-TN-196.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """The dividend options, unless the revenue of the only train is lost."""
        if not _loses_all_income(t):
            yield from super().offers(t)

    def apply(self, t: Table, action: Dividend) -> None:
        """Pay or withhold, move the price, and remove the marker."""
        super().apply(t, action)
        _remove_war_marker(t)

    def skip(self, t: Table) -> None:
        """Lower the price of a company without revenue, unless the Civil War took its revenue.

        Rules: R-TN-193, R-TN-195.
        """
        if _loses_all_income(t):
            company = t.company
            t.emit(IncomeLost(company.id, t.turn.revenue, CIVIL_WAR_MARKER))
            company.last_run = LastRun(t.turn.runs, t.turn.run_values, t.turn.revenue, "lost")
            self.close(t)
        else:
            super().skip(t)
        _remove_war_marker(t)


def _loses_all_income(t: Table) -> bool:
    return CIVIL_WAR_MARKER in t.company.markers and len(t.company.running) == 1


def _remove_war_marker(t: Table) -> None:
    t.company.markers.pop(CIVIL_WAR_MARKER, None)


WAR_PHASE: Final = "3½"
"""The phase that starts with the fourth 3-train (5.1)."""
SALVAGE_DOLLARS: Final = 50
"""Dollars for each lost 3-train with the salvage option (8)."""
FIRST_ROUND_PERCENTS: Final = (100, 100)
"""Percent of face value for privates in the first operating round (4.2.6)."""


ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(SetParStep(), BidStep()),
    "stock": StockRound(TradeStep(), auction=(SetParStep(), BidStep())),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        WarDividendStep(),
        RetireObsoleteTrainsStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE_STEP),
        anytime=(BUY_PRIVATE_STEP, BankruptcyStep()),
    ),
}
"""Obsolete trains leave after the dividend (4.2.5.1); the Civil War may take the dividend (5.1).

Rules: R-TN-102.
"""


class TennesseeRules(StandardRules):
    """The rules of 18TN that are not in its data."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18tn")

    ROUNDS: ClassVar = ROUNDS_BY_KIND

    # --- track ------------------------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """The usual lays; with its option, one more yellow tile in the first turn (8).

        Rules: R-TN-300.
        """
        lays = super().lays(t)
        has_extra_lay = t.turn.first and self.option("triple_yellow_first_or")
        return (*lays, lays[-1]) if has_extra_lay else lays

    # --- privates ---------------------------------------------------------------------------------------------

    def private_prices(self, t: Table) -> tuple[int, int] | None:
        """Lowest and highest price of privates in percent of face value; None if they are not for sale.

        Before the usual phases, privates cost face value in the first operating round, or up to face value with an
        option.

        Rules: R-TN-180, R-TN-301.
        """
        percentages = super().private_prices(t)
        if percentages is None and self._is_after_first_2_train(t) and self.option("phase2_private_purchase"):
            return (0, 100)
        if percentages is None and self._is_first_operating_round(t):
            return FIRST_ROUND_PERCENTS
        return percentages

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        """The rule of the first operating round that prevents the purchase; None if there is none.

        In that round each company can buy one private, and each player can sell one (4.2.6).

        Rules: R-TN-180.
        """
        if self.private_prices(t) != FIRST_ROUND_PERCENTS:
            return None
        bought_private = next(
            (other.id for other in t.state.privates.values() if other.owner == t.company.id), None
        )
        if bought_private is not None:
            return fact("privates.company_has_bought", company=t.company.id, private=bought_private)
        if private.owner in t.operating.private_sellers:
            return fact("privates.player_has_sold", player=private.owner, private=private.id)
        return None

    def _is_first_operating_round(self, t: Table) -> bool:
        current_round = t.state.round
        return isinstance(current_round, Operating) and (current_round.set, current_round.number) == (1, 1)

    def _is_after_first_2_train(self, t: Table) -> bool:
        """True in phase 2 after its first train has been sold (Table I)."""
        return t.state.phase == "2" and t.state.depot["2"] != t.spec.train("2").count

    # --- trains -----------------------------------------------------------------------------------------------

    def on_phase(self, t: Table) -> None:
        """Mark the companies with a train and a route for the Civil War, including the buyer of the train (5.1).

        Rules: R-TN-190, R-TN-191.
        """
        if t.state.phase != WAR_PHASE:
            return
        marks_all = self.flag("civil_war_marks_all_with_trains")
        marked_companies = [
            c for c in t.state.companies.values() if c.running and (marks_all or has_route(t.map, c.id))
        ]
        for company in marked_companies:
            company.markers[CIVIL_WAR_MARKER] = ""
        t.emit(MarkersGiven(CIVIL_WAR_MARKER, tuple(company.id for company in marked_companies)))

    def on_rust(self, t: Table, train: TrainName, owners: Sequence[tuple[CompanyId, int]]) -> None:
        """With the salvage option, pay companies for lost 3-trains (8).

        Rules: R-TN-302.
        """
        if train == "3" and self.option("salvage_3"):
            pay_salvage(t, train, owners, SALVAGE_DOLLARS)

    # --- running ----------------------------------------------------------------------------------------------

    def revenue(self, t: Table, values: Sequence[int]) -> int:
        """Revenue in dollars; a marked company loses its lowest run, unless it loses an idle train instead (5.1).

        For a company with a single train, the dividend step handles the loss.

        Rules: R-TN-192, R-TN-194, D-TN-17.
        """
        train_count = len(t.company.running)
        if CIVIL_WAR_MARKER in t.company.markers and train_count == len(values) > 1:
            return sum(values) - min(values)
        return sum(values)

    def train_sets_to_run(self, t: Table) -> list[list[TrainName]]:
        """Sets of trains for the best run; a marked company may leave one train idle (5.1).

        Rules: R-TN-192.
        """
        trains = t.company.running
        if CIVIL_WAR_MARKER not in t.company.markers or len(trains) == 1:
            return [trains]
        train_types = dict.fromkeys(trains)
        return [_without_train(trains, kind) for kind in train_types]


def _without_train(trains: list[TrainName], train: TrainName) -> list[TrainName]:
    index = trains.index(train)
    return trains[:index] + trains[index + 1 :]
