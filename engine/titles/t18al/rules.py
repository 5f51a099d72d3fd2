"""18AL: its rounds and steps, and the rules that differ from the standard ones."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.facts import Fact, fact
from engine.core.ids import Coord
from engine.core.spec import HexSpec, HomeSpec, LaySpec, TitleSpec
from engine.core.state import Company, Operating, Private
from engine.play.private_markers import remove_expired_map_markers, remove_markers_of, route_bonus_powers
from engine.play.privates.private_purchases import private_prices
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.bid import BidStep
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
from engine.play.trains.forced_purchase import cheapest_train_price, funds
from engine.play.trains.train_prices import purchases_discounted_by
from engine.titles.standard import BUY_PRIVATE_STEP, StandardRules, read_flags_and_options
from engine.titles.t18al.coal_token import CoalTokenStep

NASHVILLE: Coord = "A4"
DECATUR: Coord = "C4"
COUNT_OF_4D_ON_18XX_GAMES = 8
"""Number of 4D trains on 18xx.games in games with the option of unlimited 4D trains (D-AL-19)."""


COAL_STEP: Final = CoalTokenStep()

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(BidStep()),
    "stock": StockRound(TradeStep(), auction_steps=(BidStep(),)),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        RetireObsoleteTrainsStep(),
        TrainsStep(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP, COAL_STEP),
        anytime_steps=(BUY_PRIVATE_STEP, BankruptcyStep(), COAL_STEP),
    ),
}
"""18AL's rounds by kind, with steps: private auction, stock round and operating round.

Privates are sold in the first stock rounds (§3). Obsolete trains are removed before new ones are bought
(§4.2). A company can buy privates and place the coal token at any time of its turn (§4.2.6, Table III).

Rules: R-AL-102.
"""


class AlabamaRules(StandardRules):
    """Rules of 18AL that differ from the standard rules."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18al")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """18AL's data as changed by the game's options (§7).

        Rules: R-AL-301, R-AL-302, R-AL-303.
        """
        spec = super().adapted_spec(spec)
        if self.has_option("LN_home_city_moved"):
            spec = _with_home_in_decatur(spec)
        if self.has_option("unlimited_4d"):
            spec = _with_changed_train(
                spec,
                "4D",
                count=COUNT_OF_4D_ON_18XX_GAMES if self.has_flag("unlimited_4d_is_eight") else None,
            )
        if self.has_option("hard_rust_t4"):
            spec = _with_changed_train(spec, "4", obsolete_on=None, rusts_on="7")
        return spec

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        """The reason why the operating company cannot buy the private; None if it can.

        After a president was forced to sell shares for a train, the company cannot buy a private whose train discount
        would have made the smallest of these sales unnecessary (§4.2.5.2).
        """
        if not _would_make_sale_unnecessary(t, private):
            return None
        return fact("forced.private_leaves_too_much", private=private.id, company=t.company.id)

    def on_phase(self, t: Table) -> None:
        """Remove the coal token when the first 6-train is bought (Table III).

        Rules: R-AL-170.
        """
        remove_expired_map_markers(t)

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """Tile lays of a turn: one. By option, a company lays two yellow tiles in its first turn (§4.2(b), §7).

        Rules: R-AL-300.
        """
        if self.has_option("double_yellow_first_or") and t.turn.first:
            return (LaySpec(), LaySpec(may_upgrade=False, may_follow_upgrade=False))
        return super().lays(t)

    def runs_once_more(self, t: Table, company: Company) -> bool:
        """True if the company can run its obsolete 4-trains one last time. The buyer of the 7-train cannot (§4.2.5.1).

        Rules: R-AL-185.
        """
        current_round = t.state.round
        buyer = (
            current_round.turn.company
            if isinstance(current_round, Operating) and current_round.turn
            else None
        )
        return company.id != buyer or self.has_flag("obsolete_spares_trigger")

    def on_president_changed(self, t: Table, company: Company) -> None:
        """Remove the company's named-train markers, because its president changed (Table III).

        Rules: R-AL-172.
        """
        if not self.has_flag("keep_name_markers"):
            remove_markers_of(t, company, [power.name for power in route_bonus_powers(t.spec)])


def _would_make_sale_unnecessary(t: Table, private: Private) -> bool:
    smallest_sale = t.turn.smallest_sale
    if smallest_sale is None or t.rules.has_flag("forced_at_face_value"):
        return False
    lowest_price = cheapest_train_price(t)
    reduced_prices = [purchase.lowest_price for purchase in purchases_discounted_by(t, private.id)]
    if lowest_price is None or not reduced_prices:
        return False
    is_owned_by_president = private.owner == t.president(t.company.id).id
    private_price = 0 if is_owned_by_president else private_prices(t, private.id).low
    return funds(t) - private_price - min(lowest_price, *reduced_prices) >= smallest_sale


def _with_home_in_decatur(spec: TitleSpec) -> TitleSpec:
    nashville = spec.map.hexes[NASHVILLE]
    red_nashville = nashville.model_copy(
        update={"stops": tuple(s.replace("city", "offboard") for s in nashville.stops)}
    )
    hexes: dict[Coord, HexSpec] = {
        **spec.map.hexes,
        NASHVILLE: HexSpec.model_validate(red_nashville.model_dump()),
    }
    company_with_new_home = spec.companies["L&N"].model_copy(update={"home": HomeSpec(hex=DECATUR)})
    return spec.model_copy(
        update={
            "map": spec.map.model_validate({**spec.map.model_dump(), "hexes": hexes}),
            "companies": {**spec.companies, "L&N": company_with_new_home},
        }
    )


def _with_changed_train(spec: TitleSpec, name: str, **changes: object) -> TitleSpec:
    trains = tuple(train.model_copy(update=changes) if train.name == name else train for train in spec.trains)
    return spec.model_copy(update={"trains": trains})
