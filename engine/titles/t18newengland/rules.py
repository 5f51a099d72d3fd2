"""18NewEngland: its rounds and steps, and the rules that differ from the standard ones."""

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.core.events import CompaniesAvailable, TrainBought
from engine.core.ids import BANK
from engine.core.spec import LaySpec, TitleSpec
from engine.core.state import Company, Draft, Merger, Operating
from engine.core.state import Round as RoundState
from engine.play.minor_mergers import merger_round_follows
from engine.play.operating_order import operating_order
from engine.play.rounds import OperatingRound, Round, StockRound
from engine.play.steps.buy_trains import TrainsStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.forced_sales import BankruptcyStep, SellDownToLimitStep
from engine.play.steps.lay_track import TrackStep
from engine.play.steps.place_token import TokenStep
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.play.trains.phases import take_train_from_bank
from engine.play.turn_order import place_home_token
from engine.titles.standard import StandardRules, read_flags_and_options
from engine.titles.t18newengland.draft import DraftRound
from engine.titles.t18newengland.issue_and_redeem import IssueStep, RedeemStep
from engine.titles.t18newengland.merge_minors import MergerRound, MergeStep
from engine.titles.t18newengland.minors import MinorsPayHalfStep, StartMinorTradeStep, is_minor

FIRST_TRAIN_OF_MINORS: Final = "2"
"""The train type that each drafted minor buys before the first operating round (§9)."""

TILE_COUNTS_ON_18XX_GAMES: Final[Mapping[str, int]] = {"7": 5, "8": 18, "9": 15}
"""Numbers of tiles 7, 8 and 9 on 18xx.games; the printed game has no limit (D-NE-4)."""

REDEEM_STEP: Final = RedeemStep()

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "draft": DraftRound(),
    "stock": StockRound(StartMinorTradeStep()),
    "operating": OperatingRound(
        TrackStep(),
        TokenStep(),
        RunStep(),
        MinorsPayHalfStep(),
        TrainsStep(),
        IssueStep(),
        EndOfCompanyTurnStep(REDEEM_STEP),
        anytime_steps=(REDEEM_STEP, BankruptcyStep()),
        urgent_steps=(SellDownToLimitStep(),),
    ),
    "merger": MergerRound(MergeStep()),
}
"""18NewEngland's rounds by kind, with steps: draft (§9), stock round (§10), operating round (§11) and merger round.

Rules: R-NE-061.
"""


class NewEnglandRules(StandardRules):
    """Rules of 18NewEngland that differ from the standard rules."""

    ROUNDS: ClassVar = ROUNDS_BY_KIND

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t18newengland")

    def adapted_spec(self, spec: TitleSpec) -> TitleSpec:
        """18NewEngland's data as changed by the game's flags (R-NE-070, R-NE-085a)."""
        spec = super().adapted_spec(spec)
        changes: dict[str, object] = {}
        if self.has_flag("reach_passes_cities_of_a_hex"):
            changes["map"] = spec.map.model_copy(update={"one_stop_a_hex_binds": "runs"})
        tiles = dict(spec.tiles)
        if self.has_flag("brown_city_tiles_at_choice"):
            tiles = {number: tile.model_copy(update={"gives_way_to": ""}) for number, tile in tiles.items()}
        if self.has_flag("tiles_7_8_9_are_counted"):
            tiles |= {
                name: tiles[name].model_copy(update={"count": n})
                for name, n in TILE_COUNTS_ON_18XX_GAMES.items()
            }
        return spec.model_copy(update={**changes, "tiles": tiles})

    # --- order of rounds --------------------------------------------------------------------------------------

    def first_round(self) -> RoundState:
        return Draft()

    def next_round(self, t: Table) -> RoundState:
        """The round that follows the current one. Merger rounds come after operating rounds (R-NE-028, R-NE-120)."""
        if isinstance(t.state.round, Draft):
            return Operating(of=t.phase.operating_rounds)
        ended_round = t.state.round
        if isinstance(ended_round, Operating) and merger_round_follows(t):
            return Merger(set=ended_round.set, number=ended_round.number, of=ended_round.of)
        return super().next_round(t)

    def on_round(self, t: Table) -> None:
        """Before each operating round, place the home tokens of new minors. Before the first, minors buy a train (§9).

        Rules: R-NE-062.
        """
        new_round = t.state.round
        if not isinstance(new_round, Operating):
            return
        is_first_round = (new_round.set, new_round.number) == (1, 1)
        for company in [c for c in operating_order(t) if is_minor(t, c)]:
            if is_first_round:
                _buy_first_train(t, company)
            place_home_token(t, company)

    def on_phase(self, t: Table) -> None:
        """When phase 3 starts, players can also start the minors that were not drawn at setup (R-NE-004)."""
        assert self.spec.company_draw is not None
        waiting_minors = [c for c in t.state.companies.values() if c.waiting]
        if waiting_minors and t.has_reached_phase(self.spec.company_draw.others_from_phase):
            for company in waiting_minors:
                company.waiting = False
            t.emit(CompaniesAvailable(tuple(company.id for company in waiting_minors)))

    # --- shares -----------------------------------------------------------------------------------------------

    def may_start(self, t: Table, company: Company) -> bool:
        """Always False: players never start a company by setting a par price.

        They start minors on market spaces, and minors turn into majors (R-NE-041, R-NE-042).
        """
        return False

    def is_sold_out(self, t: Table, company: Company) -> bool:
        """Always False: prices do not rise at the end of a stock round (R-NE-045)."""
        return False

    # --- track ------------------------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """Tile lays of a turn: the standard lays for a major, a single lay for a minor (R-NE-065)."""
        lays = super().lays(t)
        return lays[:1] if is_minor(t, t.company) else lays


def _buy_first_train(t: Table, company: Company) -> None:
    """Buy the minor's first train. Its treasury always has enough money for it (R-NE-027)."""
    price = t.spec.train(FIRST_TRAIN_OF_MINORS).price
    t.pay(company.id, BANK, price)
    company.trains.append(FIRST_TRAIN_OF_MINORS)
    company.trains_bought += 1
    t.emit(TrainBought(company.id, FIRST_TRAIN_OF_MINORS, BANK, price, 0, "", company.cash))
    take_train_from_bank(t, FIRST_TRAIN_OF_MINORS)
