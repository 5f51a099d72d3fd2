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
from engine.play.steps.discard import RetireStep
from engine.play.steps.dividend import DividendStep
from engine.play.steps.end_of_turn import LateActionsStep
from engine.play.steps.forced_sales import BankruptcyStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.steps.trade import TradeStep
from engine.play.table import Table
from engine.play.trains.forced_purchase import cheapest_price, funds
from engine.play.trains.train_prices import discounted_by
from engine.titles.standard import BUY_PRIVATE, StandardRules, read_choices
from engine.titles.t18al.coal_token import CoalStep

NASHVILLE: Coord = "A4"
DECATUR: Coord = "C4"
SITE_4D = 8
"""Number of 4D trains on that site where they are unlimited (D-AL-19)."""


COAL: Final = CoalStep()

SEQUENCE: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(BidStep()),
    "stock": StockRound(TradeStep(), auction=(BidStep(),)),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        RetireStep(),
        TrainsStep(),
        LateActionsStep(BUY_PRIVATE, COAL),
        anytime=(BUY_PRIVATE, BankruptcyStep(), COAL),
    ),
}
"""Privates are sold in the first stock rounds (3); obsolete trains leave before new ones are bought (4.2).

Privates are bought, and the coal token placed, at any time of a turn; it does not end unasked (4.2.6, Table III).

Rules: R-AL-102.
"""


class AlabamaRules(StandardRules):
    """The rules of 18AL that differ from its data."""

    FLAGS, OPTIONS = read_choices("engine.titles", "engine.titles.t18al")
    ROUNDS: ClassVar = SEQUENCE

    def adapted(self, spec: TitleSpec) -> TitleSpec:
        """The table with its options (7).

        Rules: R-AL-301, R-AL-302, R-AL-303.
        """
        spec = super().adapted(spec)
        if self.option("LN_home_city_moved"):
            spec = _with_home_in_decatur(spec)
        if self.option("unlimited_4d"):
            spec = _with_train(spec, "4D", count=SITE_4D if self.flag("unlimited_4d_is_eight") else None)
        if self.option("hard_rust_t4"):
            spec = _with_train(spec, "4", obsolete_on=None, rusts_on="7")
        return spec

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        """The private that halves a train's price must be bought before the sales for it (4.2.5.2)."""
        if not _leaves_too_much(t, private):
            return None
        return fact("forced.private_leaves_too_much", private=private.id, company=t.company.id)

    def on_phase(self, t: Table) -> None:
        """The coal field closes with the first 6-train (Table III).

        Rules: R-AL-170.
        """
        expire_markers(t)

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """One tile; by option two yellow ones in the first turn (4.2(b), 7).

        Rules: R-AL-300.
        """
        if self.option("double_yellow_first_or") and t.turn.first:
            return (LaySpec(), LaySpec(upgrade=False, after_upgrade=False))
        return super().lays(t)

    def runs_once_more(self, t: Table, company: Company) -> bool:
        """4-trains run once more, except those of the buyer of the 7-train (4.2.5.1).

        Rules: R-AL-185.
        """
        now = t.state.round
        buyer = now.turn.company if isinstance(now, Operating) and now.turn else None
        return company.id != buyer or self.flag("obsolete_spares_trigger")

    def on_president_changed(self, t: Table, company: Company) -> None:
        """The named-train markers are lost with the old president (Table III).

        Rules: R-AL-172.
        """
        if not self.flag("keep_name_markers"):
            lose_markers(t, company, [power.name for power in route_bonuses(t.spec)])


def _leaves_too_much(t: Table, private: Private) -> bool:
    """True if the private's discount would leave the company too much of the sales for a train (4.2.5.2)."""
    smallest = t.turn.smallest_sale
    if smallest is None or t.rules.flag("forced_at_face_value"):
        return False
    cheapest, reduced = (
        cheapest_price(t),
        [purchase.lowest_price for purchase in discounted_by(t, private.id)],
    )
    if cheapest is None or not reduced:
        return False
    own = private.owner == t.president(t.company.id).id
    spent = 0 if own else private_prices(t, private.id).low
    return funds(t) - spent - min(cheapest, *reduced) >= smallest


def _with_home_in_decatur(spec: TitleSpec) -> TitleSpec:
    nashville = spec.map.hexes[NASHVILLE]
    plain = nashville.model_copy(
        update={"stops": tuple(s.replace("city", "offboard") for s in nashville.stops)}
    )
    hexes: dict[Coord, HexSpec] = {**spec.map.hexes, NASHVILLE: HexSpec.model_validate(plain.model_dump())}
    moved = spec.companies["L&N"].model_copy(update={"home": HomeSpec(hex=DECATUR)})
    return spec.model_copy(
        update={
            "map": spec.map.model_validate({**spec.map.model_dump(), "hexes": hexes}),
            "companies": {**spec.companies, "L&N": moved},
        }
    )


def _with_train(spec: TitleSpec, name: str, **changes: object) -> TitleSpec:
    trains = tuple(train.model_copy(update=changes) if train.name == name else train for train in spec.trains)
    return spec.model_copy(update={"trains": trains})
