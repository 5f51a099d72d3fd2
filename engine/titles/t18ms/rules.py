"""18MS: the sequence of play, trains that leave by the calendar, New Orleans, and the options."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from engine.core.facts import Fact, fact
from engine.core.ids import TrainName
from engine.core.spec import LaySpec
from engine.core.state import Company, Operating, Private
from engine.core.state import Round as RoundState
from engine.play.private_markers import lose_markers
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.forced_sales import ForcedPurchaseStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.play.trains.phases import counted_train_count, train_limit
from engine.routes.legal_routes import Route
from engine.routes.revenue_rules import RouteRules
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options
from engine.titles.t18ms.draft import DraftStep
from engine.titles.t18ms.track_and_tokens import (
    NEW_ORLEANS,
    NEW_ORLEANS_ENDS,
    NEW_ORLEANS_MARKER,
    AnytimeLayStep,
    BonusTokenStep,
    BonusTrackStep,
)
from engine.titles.t18ms.trains import HelpedTrainsStep, charge_interest, credit, help_terms, most_help

EXTRA_LAY: Final = AnytimeLayStep()
"""The tile of AGS, at any moment of its company's turn, which does not wait for it (4): R-MS-061."""
NEW_ORLEANS_ROUTE_DOLLARS: Final = 10
TRAIN_OF_MC_SETS: Final = 2
"""Sets of operating rounds in which MC can be bought for its train (4): R-MS-063."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(DraftStep()),
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        BonusTrackStep(),
        BonusTokenStep(),
        RunStep(),
        DividendStep(),
        HelpedTrainsStep(),
        LateActionsStep(BUY_PRIVATE_STEP),
        anytime=(BUY_PRIVATE_STEP, EXTRA_LAY),
        at_once=(ForcedPurchaseStep(),),
    ),
}
"""The draft (2), then stock rounds (3) and sets of operating rounds (4) in turn.

Rules: R-MS-040, R-MS-051.
"""


class MississippiRules(StandardRules):
    """The rules of 18MS that differ from its data."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18ms")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    # --- rounds -----------------------------------------------------------------------------------------------

    def next_round(self, t: Table) -> RoundState:
        """The next round; debts grow before a set, and by option the last set has three rounds.

        Rules: R-MS-003, R-MS-073.
        """
        following = super().next_round(t)
        if isinstance(following, Operating) and following.number == 1:
            charge_interest(t)
            if following.set == self.spec.ends.last_set and self.option("or_11"):
                following.of = 3
        return following

    def on_phase(self, t: Table) -> None:
        """End the bonus of routes to New Orleans.

        Rules: R-MS-044.
        """
        if t.state.phase == NEW_ORLEANS_ENDS:
            for company in t.state.companies.values():
                lose_markers(t, company, [NEW_ORLEANS_MARKER])

    def on_bank_paid(self, t: Table) -> None:
        """Do nothing: the bank does not end the game.

        Rules: R-MS-001.
        """

    # --- track, privates ---------------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """One tile; in the first turn two, one of them an upgrade at most.

        Rules: R-MS-041.
        """
        if not t.turn.first:
            return super().lays(t)
        return (LaySpec(), LaySpec(upgrade="upgrade" not in t.turn.laid))

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        """Only the president sells privates to their company; that of MC needs room for its train.

        Rules: R-MS-060, R-MS-063, D-MS-6.
        """
        company = t.company
        president = t.president(company.id).id
        if private.owner != president:
            return fact("mississippi.of_another", private=private.id, company=company.id, player=president)
        if private.id != "MC":
            return None
        if t.operating.set > TRAIN_OF_MC_SETS:
            return fact("mississippi.no_train_any_more", private=private.id)
        limit = train_limit(t, company)
        if counted_train_count(t, company) >= limit:
            return fact("mississippi.no_room", private=private.id, company=company.id, limit=limit)
        return None

    # --- trains ------------------------------------------------------------------------------------------------

    def president_help(self, t: Table, train: TrainName) -> int:
        """Dollars that the president may add for a fee, or borrow.

        Rules: R-MS-071, R-MS-073.
        """
        return most_help(t, train) or credit(t, train)

    def president_help_terms(self, t: Table, price: int) -> Fact | None:
        return help_terms(t, price)

    def sale_obstacle(self, t: Table, seller: Company, train: TrainName) -> Fact | None:
        """No sale of a train that has run and leaves after this round.

        Rules: R-MS-070.
        """
        now = t.operating
        leaves_now = now.number == now.of and t.spec.train(train).leaves_after == now.set
        if not leaves_now or self.option("allow_buy_rusting") or seller.id not in now.done:
            return None
        routes = seller.last_run.routes if seller.last_run else ()
        run_count = sum(Route.read(text).train == train for text in routes)
        salable_count = seller.trains.count(train) - seller.unsalable.count(train)
        if salable_count > run_count:
            return None
        return fact("mississippi.has_run", train=train, company=seller.id)

    def route_rules(self, t: Table) -> RouteRules:
        """The usual terms, with the bonus of a token in New Orleans.

        Rules: R-MS-044, R-MS-050.
        """
        route_rules = super().route_rules(t)
        current_round = t.state.round
        if not isinstance(current_round, Operating) or current_round.turn is None:
            return route_rules
        if NEW_ORLEANS_MARKER not in t.company.markers:
            return route_rules
        return replace(route_rules, extra_by_hex={NEW_ORLEANS: NEW_ORLEANS_ROUTE_DOLLARS})
