"""18MS: its rounds and steps, trains that rust after fixed rounds, the New Orleans bonus, and options."""

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from engine.core.facts import Fact, fact
from engine.core.ids import TrainName
from engine.core.spec import LaySpec
from engine.core.state import Company, Operating, Private
from engine.core.state import Round as RoundState
from engine.play.private_markers import remove_markers_of
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
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
    NEW_ORLEANS_BONUS_END_PHASE,
    NEW_ORLEANS_MARKER,
    AnytimeExtraLayStep,
    BonusTokenStep,
    BonusTrackStep,
)
from engine.titles.t18ms.trains import (
    BuyTrainsWithLoanStep,
    charge_interest,
    dollars_to_borrow,
    max_president_contribution,
    president_help_note,
)

AGS_EXTRA_LAY_STEP: Final = AnytimeExtraLayStep()
"""Step for the AGS private: lay its tile at any time of its company's turn (§4, R-MS-061).

The turn can end even if the tile was not laid.
"""
NEW_ORLEANS_ROUTE_DOLLARS: Final = 10
SETS_WITH_MC_FOR_SALE: Final = 2
"""Companies can buy MC, a private with a train, in this number of sets of operating rounds (§4, R-MS-063)."""

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(DraftStep()),
    "stock": StockRound(TradeStep()),
    "operating": OperatingRound(
        BonusTrackStep(),
        BonusTokenStep(),
        RunStep(),
        DividendStep(),
        BuyTrainsWithLoanStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, AGS_EXTRA_LAY_STEP),
        urgent_steps=(ForcedPurchaseStep(),),
    ),
}
"""18MS's rounds by kind, with steps: draft (§2), stock round (§3) and operating round (§4).

Rules: R-MS-040, R-MS-051.
"""


class MississippiRules(StandardRules):
    """Rules of 18MS that differ from the standard rules."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18ms")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    # --- rounds -----------------------------------------------------------------------------------------------

    def next_round(self, t: Table) -> RoundState:
        """The round that follows the current one.

        Debts grow by interest before each set of operating rounds. By option, the last set has three rounds.

        Rules: R-MS-003, R-MS-073.
        """
        following_round = super().next_round(t)
        if isinstance(following_round, Operating) and following_round.number == 1:
            charge_interest(t)
            if following_round.set == self.spec.game_end.last_set and self.has_option("or_11"):
                following_round.of = 3
        return following_round

    def on_phase(self, t: Table) -> None:
        """In phase 6, end the New Orleans route bonus.

        Rules: R-MS-044.
        """
        if t.state.phase == NEW_ORLEANS_BONUS_END_PHASE:
            for company in t.state.companies.values():
                remove_markers_of(t, company, [NEW_ORLEANS_MARKER])

    def on_bank_paid(self, t: Table) -> None:
        """Do nothing: a broken bank does not end the game.

        Rules: R-MS-001.
        """

    # --- track, privates ---------------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """Tile lays of a turn: one. In its first turn a company has two, at most one of them an upgrade.

        Rules: R-MS-041.
        """
        if not t.turn.first:
            return super().lays(t)
        return (LaySpec(), LaySpec(may_upgrade="upgrade" not in t.turn.laid))

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        """The reason why the operating company cannot buy the private; None if it can.

        Only the company's president can sell it a private. MC's train must fit under the train limit.

        Rules: R-MS-060, R-MS-063, D-MS-6.
        """
        company = t.company
        president = t.president(company.id).id
        if private.owner != president:
            return fact("mississippi.of_another", private=private.id, company=company.id, player=president)
        if private.id != "MC":
            return None
        if t.operating_round.set > SETS_WITH_MC_FOR_SALE:
            return fact("mississippi.no_train_any_more", private=private.id)
        limit = train_limit(t, company)
        if counted_train_count(t, company) >= limit:
            return fact("mississippi.no_room", private=private.id, company=company.id, limit=limit)
        return None

    # --- trains ------------------------------------------------------------------------------------------------

    def president_help_dollars(self, t: Table, train: TrainName) -> int:
        """Dollars that the president can add to buy a train, either for a fee or by borrowing.

        Rules: R-MS-071, R-MS-073.
        """
        return max_president_contribution(t, train) or dollars_to_borrow(t, train)

    def president_help_terms(self, t: Table, price: int) -> Fact | None:
        return president_help_note(t, price)

    def train_sale_obstacle(self, t: Table, seller: Company, train: TrainName) -> Fact | None:
        """The reason why `seller` cannot sell this train to another company; None if it can.

        A train that has run in this round and rusts at its end cannot be sold.

        Rules: R-MS-070.
        """
        current_round = t.operating_round
        rusts_after_this_round = (
            current_round.number == current_round.of
            and t.spec.train(train).leaves_after_set == current_round.set
        )
        if (
            not rusts_after_this_round
            or self.has_option("allow_buy_rusting")
            or seller.id not in current_round.done
        ):
            return None
        routes = seller.last_run.routes if seller.last_run else ()
        run_count = sum(Route.read(text).train == train for text in routes)
        salable_count = seller.trains.count(train) - seller.unsalable.count(train)
        if salable_count > run_count:
            return None
        return fact("mississippi.has_run", train=train, company=seller.id)

    def route_rules(self, t: Table) -> RouteRules:
        """The standard route rules, plus the New Orleans bonus of a company that has a token there.

        Rules: R-MS-044, R-MS-050.
        """
        route_rules = super().route_rules(t)
        current_round = t.state.round
        if not isinstance(current_round, Operating) or current_round.turn is None:
            return route_rules
        if NEW_ORLEANS_MARKER not in t.company.markers:
            return route_rules
        return replace(route_rules, extra_dollars_by_hex={NEW_ORLEANS: NEW_ORLEANS_ROUTE_DOLLARS})
