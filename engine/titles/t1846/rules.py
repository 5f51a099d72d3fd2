"""1846: its rounds and steps, and the rules that differ from the standard ones."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Final

from engine.board.hexes import Edge
from engine.core.actions import BuyPrivate
from engine.core.chance import Chance
from engine.core.events import SubsidyPaid
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, MARKET, Cell, CompanyId, Coord, PlayerId, TrainName
from engine.core.offers import Offer
from engine.core.spec import LaySpec
from engine.core.state import Company, Ending, Operating, Private
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.end_and_scores import finish_game
from engine.play.rounds import AuctionRound, OperatingRound, Round, StockRound
from engine.play.steps.base import Step
from engine.play.steps.discard import RetireObsoleteTrainsStep
from engine.play.steps.end_of_turn import EndOfCompanyTurnStep
from engine.play.steps.private_sales import BuyPrivateStep
from engine.play.steps.run_trains import RunStep
from engine.play.table import Table
from engine.routes.revenue_rules import RouteRules
from engine.titles.standard import StandardRules, read_flags_and_options
from engine.titles.t1846.dividends import DividendIn1846Step
from engine.titles.t1846.draft import DraftStep
from engine.titles.t1846.independents import (
    INDEPENDENTS,
    is_independent,
    owner_of_independent,
    purchase_obstacle,
    take_over_independent,
)
from engine.titles.t1846.issues import IssueOrRedeemStep, emergency_issue_prices
from engine.titles.t1846.joined_tiles import PrivateTilesStep, SecondTileStep
from engine.titles.t1846.markers import (
    STEAMBOAT,
    MarkerStep,
    SteamboatStep,
    assign_steamboat,
    remove_expired_markers,
    with_port_bonus,
)
from engine.titles.t1846.receivership import ReceivershipTradeStep
from engine.titles.t1846.setting_up import CWI, set_up
from engine.titles.t1846.track_and_tokens import (
    ChicagoTokenStep,
    TrackAndTokenStep,
    border_price,
    lay_price,
    terrain_price,
)
from engine.titles.t1846.trains import BuyTrainsIn1846Step

IC: Final[CompanyId] = "IC"
MAIL: Final = "MAIL"
MAIL_DOLLARS: Final = 10
"""Bonus of the mail contract in dollars for each stop on the route of one train (§4, R-1846-095)."""
EAST_BONUS_BY_HEX: Final[Mapping[Coord, int]] = {
    **{"B18": 20, "C17": 30, "C21": 30, "D22": 30, "E23": 30},
    **{"F22": 20, "G21": 20, "H20": 30, "I17": 20},
}
WEST_BONUS_BY_HEX: Final[Mapping[Coord, int]] = {"C5": 50, "I1": 20}
"""East-west bonus in dollars of each western off-board hex (§4, R-1846-093). EAST_BONUS has the eastern hexes."""


class BuyPrivateIn1846Step(BuyPrivateStep):
    """Companies buy privates from players. A company that buys an independent's private gets the independent, too."""

    def offers(self, t: Table) -> Iterator[Offer]:
        if not (is_independent(t, t.company) or t.company.is_in_receivership):
            yield from super().offers(t)

    def keeps_turn_open(self, t: Table) -> bool:
        return any(True for _ in self.offers(t))

    def apply(self, t: Table, action: BuyPrivate) -> None:
        super().apply(t, action)
        _receive_with_private(t, action)

    def carry_out_proposal(self, t: Table, action: BuyPrivate) -> None:
        super().carry_out_proposal(t, action)
        _receive_with_private(t, action)


def _receive_with_private(t: Table, action: BuyPrivate) -> None:
    """Give the company what comes with a bought private: the independent, the reserved token slot, or the steamboat.

    Does nothing while the purchase still needs the owner's consent.

    Rules: R-1846-082, R-1846-150, R-1846-153.
    """
    private = t.state.privates[action.private]
    if private.owner != action.entity:
        return
    if private.id in INDEPENDENTS:
        take_over_independent(t, private.id)
    elif private.id == CWI:
        t.map.release_spaces(CWI)
    elif private.id == STEAMBOAT:
        private.power_used = True
        t.operating_round.named.clear()
        assign_steamboat(t, action.entity)


class SteamboatRound(OperatingRound):
    """An operating round that starts with the assignment of the steamboat."""

    def __init__(self, *turn_order: Any, anytime_steps: Any, urgent_steps: Any) -> None:
        self._steamboat_step = SteamboatStep()
        super().__init__(*turn_order, anytime_steps=anytime_steps, urgent_steps=urgent_steps)
        self._all_steps = (*self._all_steps, self._steamboat_step)

    def turn_steps(self, t: Table) -> Iterator[Step]:
        if t.operating_round.turn is None:
            yield self._steamboat_step
        yield from super().turn_steps(t)


BUY_PRIVATE_STEP: Final = BuyPrivateIn1846Step()
CHICAGO_TOKEN_STEP: Final = ChicagoTokenStep()
PRIVATE_TILES_STEP: Final = PrivateTilesStep()
MARKER_STEP: Final = MarkerStep()

ROUNDS_BY_KIND: Final[Mapping[str, Round]] = {
    "auction": AuctionRound(DraftStep()),
    "stock": StockRound(ReceivershipTradeStep()),
    "operating": SteamboatRound(
        TrackAndTokenStep(),
        RunStep(),
        DividendIn1846Step(),
        RetireObsoleteTrainsStep(),
        BuyTrainsIn1846Step(),
        EndOfCompanyTurnStep(BUY_PRIVATE_STEP, MARKER_STEP, CHICAGO_TOKEN_STEP, PRIVATE_TILES_STEP),
        anytime_steps=(
            BUY_PRIVATE_STEP,
            IssueOrRedeemStep(),
            MARKER_STEP,
            CHICAGO_TOKEN_STEP,
            PRIVATE_TILES_STEP,
        ),
        urgent_steps=(SecondTileStep(),),
    ),
}
"""1846's rounds by kind, with steps: draft (§2), stock round (§3) and operating round (§4).

Rules: R-1846-050, R-1846-052, R-1846-104.
"""


class MidwestRules(StandardRules):
    """Rules of 1846 that differ from the standard rules."""

    FLAGS, OPTIONS = read_flags_and_options("engine.titles", "engine.titles.t1846")
    ROUNDS: ClassVar = ROUNDS_BY_KIND

    # --- flow -------------------------------------------------------------------------------------------------

    def on_setup(self, t: Table, chance: Chance) -> None:
        set_up(t, chance)

    def on_phase(self, t: Table) -> None:
        """Start a phase: close the independents of closed privates, release reserved slots and remove expired markers.

        Rules: R-1846-081, R-1846-113, R-1846-154.
        """
        for private, independent in INDEPENDENTS.items():
            minor = t.state.companies[independent.company]
            if t.state.privates[private].closed and not minor.closed:
                close_company(t, minor)
        if t.state.privates[CWI].closed:
            t.map.release_spaces(CWI)
        for name, spec in t.spec.companies.items():
            if spec.reserved_space is not None and spec.reserved_space.until_phase == t.state.phase:
                t.map.release_spaces(name)
        remove_expired_markers(t)

    def operating_rank(self, t: Table, company: Company) -> tuple[int, ...] | None:
        """Sort key for the operating order; None if the company does not operate.

        Independents come first, then companies from the highest share price to the lowest. In the first operating round
        of the game, companies go from the lowest price to the highest.

        Rules: R-1846-051.
        """
        if is_independent(t, company):
            independent_order = [independent.company for independent in INDEPENDENTS.values()]
            return (0, independent_order.index(company.id)) if company.floated else None
        if company.cell is None:
            return None
        rank = t.rank_by_price(company, company.cell)
        current_round = t.state.round
        if isinstance(current_round, Operating) and (current_round.set, current_round.number) == (1, 1):
            return (1, t.price(company), rank[-1])
        return (1, *rank)

    def player_deciding_for(self, t: Table, company: CompanyId) -> PlayerId:
        """The player who decides for a company that has no president.

        An independent's owner decides for it; the player with the priority deal decides for a company in receivership.
        """
        if is_independent(t, t.state.companies[company]):
            return owner_of_independent(t, company)
        return t.state.players[t.state.priority].id

    # --- shares -----------------------------------------------------------------------------------------------

    def on_float(self, t: Table, company: Company) -> int:
        """Pay the IC one share's par price as a subsidy when it floats. Returns 0, because no shares go to the market.

        Rules: R-1846-032.
        """
        if company.id == IC and company.par is not None:
            t.pay(BANK, company.id, company.par)
            t.emit(SubsidyPaid(company.id, company.par))
        return 0

    def cell_after_stock_round(self, t: Table, company: Company, cell: Cell) -> Cell:
        """The cell after a stock round: one left if the market has shares, one right if the company is sold out.

        Rules: R-1846-037.
        """
        if company.percent(MARKET):
            return t.grid.left(cell)
        return t.grid.right(cell) if self.is_sold_out(t, company) else cell

    def on_price_moved(self, t: Table, company: Company) -> None:
        """Close a company whose price has fallen to the closing cell. If everything has closed, the game ends.

        Rules: R-1846-038, R-1846-140, R-1846-160.
        """
        if company.cell is None or not t.grid.closes_company(company.cell):
            return
        close_company(t, company)
        companies, privates = t.state.companies.values(), t.state.privates.values()
        if all(other.closed for other in companies) and all(private.closed for private in privates):
            finish_game(t, Ending("all_closed"))

    # --- track and privates -----------------------------------------------------------------------------------

    def lays(self, t: Table) -> tuple[LaySpec, ...]:
        """Tile lays of a turn: two, at most one of them an upgrade.

        Rules: R-1846-070.
        """
        first_lay, second_lay = super().lays(t)
        return (first_lay, second_lay.model_copy(update={"may_upgrade": "upgrade" not in t.turn.laid}))

    def lay_price(self, t: Table, coord: Coord, lay: LaySpec) -> int:
        return lay_price(t, coord, lay)

    def terrain_price(self, t: Table, coord: Coord) -> int:
        return terrain_price(t, coord)

    def border_price(self, t: Table, coord: Coord, edge: Edge, price: int) -> int:
        return border_price(t, coord, t.map.neighbour(coord, edge), price)

    def private_obstacle(self, t: Table, private: Private) -> Fact | None:
        return purchase_obstacle(t, private.id)

    # --- trains and running -----------------------------------------------------------------------------------

    def train_sale_obstacle(self, t: Table, seller: Company, train: TrainName) -> Fact | None:
        """The reason why `seller` cannot sell this train to the operating company; None if it can.

        An independent sells only to companies of its owner; a company in receivership never sells.

        Rules: R-1846-111, R-1846-130.
        """
        if seller.is_in_receivership:
            return fact("midwest.receiver_keeps_train", company=seller.id)
        if (
            not is_independent(t, seller)
            or owner_of_independent(t, seller.id) == t.president(t.company.id).id
        ):
            return None
        return fact("midwest.keeps_train", company=seller.id, player=owner_of_independent(t, seller.id))

    def emergency_issue_dollars(self, t: Table) -> int:
        """Maximum dollars that the company can raise for a required train by issuing shares.

        Rules: R-1846-120.
        """
        issue_price_by_count = emergency_issue_prices(t)
        return (
            max(issue_price_by_count) * issue_price_by_count[max(issue_price_by_count)]
            if issue_price_by_count
            else 0
        )

    def route_rules(self, t: Table) -> RouteRules:
        """The standard route rules, plus 1846's port, mail and east-west bonuses.

        Rules: R-1846-093, R-1846-094, R-1846-095.
        """
        route_rules = super().route_rules(t)
        current_round = t.state.round
        if not isinstance(current_round, Operating) or current_round.turn is None:
            return route_rules
        mail_dollars = MAIL_DOLLARS if t.state.privates[MAIL].owner == t.company.id else 0
        return replace(
            with_port_bonus(t, route_rules),
            east_dollars_by_hex=EAST_BONUS_BY_HEX,
            west_dollars_by_hex=WEST_BONUS_BY_HEX,
            mail_dollars=mail_dollars,
        )
