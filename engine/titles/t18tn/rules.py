"""18TN: its rounds and steps, the Civil War, purchases of privates in the first operating round, and options."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from engine.board.network import has_route
from engine.core.actions import Dividend
from engine.core.events import MarkersGiven, RevenueLost
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
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.forced_sales import BankruptcyStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.play.trains.phases import pay_salvage
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options

CIVIL_WAR_MARKER: Final = "civil war"
"""Marker of a company that loses the revenue of one train in its next turn, because of the Civil War (§5.1)."""


class WarDividendStep(DividendStep):
    """Dividend step. If the Civil War takes the revenue of a company's only train, the company does not choose.

    Its share price then stays where it is.

    Rules: R-TN-193, R-TN-194, R-TN-196.
    """

    def offers(self, t: Table) -> Iterator[Offer]:
        """The dividend options; none if the Civil War takes the company's whole revenue."""
        if not _loses_all_income(t):
            yield from super().offers(t)

    def apply(self, t: Table, action: Dividend) -> None:
        """Pay or withhold, move the price, and remove the Civil War marker."""
        super().apply(t, action)
        _remove_war_marker(t)

    def skip(self, t: Table) -> None:
        """Withhold and lower the share price. If the Civil War took the revenue, the price does not change.

        Rules: R-TN-193, R-TN-195.
        """
        if _loses_all_income(t):
            company = t.company
            t.emit(RevenueLost(company.id, t.turn.revenue, CIVIL_WAR_MARKER))
            company.last_run = LastRun(t.turn.runs, t.turn.run_values, t.turn.revenue, "lost")
            self.close(t)
        else:
            super().skip(t)
        _remove_war_marker(t)


def _loses_all_income(t: Table) -> bool:
    return CIVIL_WAR_MARKER in t.company.markers and len(t.company.runnable_trains) == 1


def _remove_war_marker(t: Table) -> None:
    t.company.markers.pop(CIVIL_WAR_MARKER, None)


CIVIL_WAR_PHASE: Final = "3½"
"""Phase that starts with the fourth 3-train and brings the Civil War (§5.1)."""
SALVAGE_DOLLARS: Final = 50
"""Dollars paid for each rusted 3-train with the salvage option (§8)."""
FIRST_ROUND_PERCENTS: Final = (100, 100)
"""Lowest and highest price of privates in the first operating round, as percentages of face value (§4.2.6)."""


ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(SetParStep(), BidStep()),
    "stock": StockRound(TradeStep(), auction_steps=(SetParStep(), BidStep())),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        WarDividendStep(),
        RetireObsoleteTrainsStep(),
        TrainsStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, BankruptcyStep()),
    ),
}
"""18TN's rounds by kind, with steps: private auction, stock round and operating round.

Obsolete trains are removed after the dividend (§4.2.5.1).

Rules: R-TN-102.
"""


class TennesseeRules(StandardRules):
    """Rules of 18TN that differ from the standard rules."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18tn")

    ROUNDS: ClassVar = ROUNDS_BY_KIND

    # --- track ------------------------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """Tile lays of a turn: the standard ones. By option, a company's first turn adds a yellow one (§8).

        Rules: R-TN-300.
        """
        lays = super().lays(t)
        has_extra_lay = t.turn.first and self.has_option("triple_yellow_first_or")
        return (*lays, lays[-1]) if has_extra_lay else lays

    # --- privates ---------------------------------------------------------------------------------------------

    def private_price_percents(self, t: Table) -> tuple[int, int] | None:
        """Lowest and highest price of privates in percent of face value; None if companies cannot buy privates.

        In the first operating round the price is face value. By option, privates cost at most face value in phase 2.

        Rules: R-TN-180, R-TN-301.
        """
        percentages = super().private_price_percents(t)
        if (
            percentages is None
            and self._is_after_first_2_train(t)
            and self.has_option("phase2_private_purchase")
        ):
            return (0, 100)
        if percentages is None and self._is_first_operating_round(t):
            return FIRST_ROUND_PERCENTS
        return percentages

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        """The reason why the operating company cannot buy the private in the first operating round; None if it can.

        In that round each company can buy one private, and each player can sell one (§4.2.6).

        Rules: R-TN-180.
        """
        if self.private_price_percents(t) != FIRST_ROUND_PERCENTS:
            return None
        bought_private = next(
            (other.id for other in t.state.privates.values() if other.owner == t.company.id), None
        )
        if bought_private is not None:
            return fact("privates.company_has_bought", company=t.company.id, private=bought_private)
        if private.owner in t.operating_round.private_sellers:
            return fact("privates.player_has_sold", player=private.owner, private=private.id)
        return None

    def _is_first_operating_round(self, t: Table) -> bool:
        current_round = t.state.round
        return isinstance(current_round, Operating) and (current_round.set, current_round.number) == (1, 1)

    def _is_after_first_2_train(self, t: Table) -> bool:
        return t.state.phase == "2" and t.state.depot["2"] != t.spec.train("2").count

    # --- trains -----------------------------------------------------------------------------------------------

    def on_phase(self, t: Table) -> None:
        """When the Civil War starts, mark all companies that have a train and a route (§5.1).

        Rules: R-TN-190, R-TN-191.
        """
        if t.state.phase != CIVIL_WAR_PHASE:
            return
        marks_all_with_trains = self.has_flag("civil_war_marks_all_with_trains")
        marked_companies = [
            c
            for c in t.state.companies.values()
            if c.runnable_trains and (marks_all_with_trains or has_route(t.map, c.id))
        ]
        for company in marked_companies:
            company.markers[CIVIL_WAR_MARKER] = ""
        t.emit(MarkersGiven(CIVIL_WAR_MARKER, tuple(company.id for company in marked_companies)))

    def on_rust(self, t: Table, train: TrainName, owners: Sequence[tuple[CompanyId, int]]) -> None:
        """With the salvage option, pay companies for 3-trains that just rusted (§8).

        Rules: R-TN-302.
        """
        if train == "3" and self.has_option("salvage_3"):
            pay_salvage(t, train, owners, SALVAGE_DOLLARS)

    # --- running ----------------------------------------------------------------------------------------------

    def revenue(self, t: Table, values: Sequence[int]) -> int:
        """Revenue of a run in dollars; `values` has the dollars of each train that ran.

        A company marked by the Civil War loses the lowest of them, unless it left a train idle (§5.1). If it has a
        single train, the dividend step takes the revenue.

        Rules: R-TN-192, R-TN-194, D-TN-17.
        """
        train_count = len(t.company.runnable_trains)
        if CIVIL_WAR_MARKER in t.company.markers and train_count == len(values) > 1:
            return sum(values) - min(values)
        return sum(values)

    def train_sets_to_run(self, t: Table) -> list[list[TrainName]]:
        """Sets of trains from which the best run is chosen. A company marked by the Civil War leaves one idle (§5.1).

        Rules: R-TN-192.
        """
        trains = t.company.runnable_trains
        if CIVIL_WAR_MARKER not in t.company.markers or len(trains) == 1:
            return [trains]
        train_types = dict.fromkeys(trains)
        return [_without_train(trains, train_type) for train_type in train_types]


def _without_train(trains: list[TrainName], train: TrainName) -> list[TrainName]:
    index = trains.index(train)
    return trains[:index] + trains[index + 1 :]
