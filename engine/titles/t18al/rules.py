"""18AL: tokens and markers of privates, obsolete trains, options of section 7, and profiles."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.spec import HexSpec, HomeSpec, LaySpec, TitleSpec
from engine.core.state import Company, Operating, Private
from engine.play.private_markers import expire_markers, lose_markers, route_bonuses
from engine.play.privates.private_purchases import private_prices
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep
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
from engine.play.trains.forced_purchase import cheapest_price, funds
from engine.play.trains.train_prices import purchases_discounted_by
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options
from engine.titles.t18al.coal_token import CoalStep

NASHVILLE: Coord = "A4"
DECATUR: Coord = "C4"
SITE_4D_TRAIN_COUNT = 8
"""Number of 4D trains on 18xx.games with the option of unlimited 4D trains (D-AL-19)."""


COAL_STEP: Final = CoalStep()

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(BidStep()),
    "stock": StockRound(TradeStep(), auction=(BidStep(),)),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        RetireObsoleteTrainsStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE_STEP, COAL_STEP),
        anytime=(BUY_PRIVATE_STEP, BankruptcyStep(), COAL_STEP),
    ),
}
"""Privates are sold in the first stock rounds (3). Obsolete trains leave before new ones are bought (4.2).

At any time of its turn a company can buy privates and place the coal token, and the turn waits for both (4.2.6, Table
III).

Rules: R-AL-102.
"""


class AlabamaRules(StandardRules):
    """The rules of 18AL that are not in its data."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18al")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """The spec with the chosen options (7).

        Rules: R-AL-301, R-AL-302, R-AL-303.
        """
        spec = super().adapted_spec(spec)
        if self.option("LN_home_city_moved"):
            spec = _with_home_in_decatur(spec)
        if self.option("unlimited_4d"):
            spec = _with_train(
                spec, "4D", count=SITE_4D_TRAIN_COUNT if self.flag("unlimited_4d_is_eight") else None
            )
        if self.option("hard_rust_t4"):
            spec = _with_train(spec, "4", obsolete_on=None, rusts_on="7")
        return spec

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        """The refusal of a private that halves a train's price if, after sales, too much is left over (4.2.5.2)."""
        if not _discount_leaves_too_much(t, private):
            return None
        return fact("forced.private_leaves_too_much", private=private.id, company=t.company.id)

    def on_phase(self, t: Table) -> None:
        """Close the coal field with the first 6-train (Table III).

        Rules: R-AL-170.
        """
        expire_markers(t)

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """One tile; with the option, two yellow tiles in the first turn (4.2(b), 7).

        Rules: R-AL-300.
        """
        if self.option("double_yellow_first_or") and t.turn.first:
            return (LaySpec(), LaySpec(upgrade=False, after_upgrade=False))
        return super().lays(t)

    def runs_once_more(self, t: Table, company: Company) -> bool:
        """True for 4-trains, except those of the company that buys the 7-train (4.2.5.1).

        Rules: R-AL-185.
        """
        current_round = t.state.round
        buyer = (
            current_round.turn.company
            if isinstance(current_round, Operating) and current_round.turn
            else None
        )
        return company.id != buyer or self.flag("obsolete_spares_trigger")

    def on_president_changed(self, t: Table, company: Company) -> None:
        """Remove the named-train markers, which are lost when the president changes (Table III).

        Rules: R-AL-172.
        """
        if not self.flag("keep_name_markers"):
            lose_markers(t, company, [power.name for power in route_bonuses(t.spec)])


def _discount_leaves_too_much(t: Table, private: Private) -> bool:
    """True if a train bought at the private's discount would leave too much of the sales for a train over (4.2.5.2)."""
    smallest_sale = t.turn.smallest_sale
    if smallest_sale is None or t.rules.flag("forced_at_face_value"):
        return False
    lowest_price = cheapest_price(t)
    reduced_prices = [purchase.lowest_price for purchase in purchases_discounted_by(t, private.id)]
    if lowest_price is None or not reduced_prices:
        return False
    owned_by_president = private.owner == t.president(t.company.id).id
    private_price = 0 if owned_by_president else private_prices(t, private.id).low
    return funds(t) - private_price - min(lowest_price, *reduced_prices) >= smallest_sale


def _with_home_in_decatur(spec: TitleSpec) -> TitleSpec:
    nashville = spec.map.hexes[NASHVILLE]
    red_area = nashville.model_copy(
        update={"stops": tuple(s.replace("city", "offboard") for s in nashville.stops)}
    )
    hexes: dict[Coord, HexSpec] = {**spec.map.hexes, NASHVILLE: HexSpec.model_validate(red_area.model_dump())}
    moved_company = spec.companies["L&N"].model_copy(update={"home": HomeSpec(hex=DECATUR)})
    return spec.model_copy(
        update={
            "map": spec.map.model_validate({**spec.map.model_dump(), "hexes": hexes}),
            "companies": {**spec.companies, "L&N": moved_company},
        }
    )


def _with_train(spec: TitleSpec, name: str, **changes: object) -> TitleSpec:
    trains = tuple(train.model_copy(update=changes) if train.name == name else train for train in spec.trains)
    return spec.model_copy(update={"trains": trains})
