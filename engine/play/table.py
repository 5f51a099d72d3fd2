"""The table (game state with rules) that all steps work on, and the hooks with which titles change the rules.

Both are in one module because they refer to each other: hooks get a table as argument, and a table has its game's
hooks.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from engine.board.hexes import Edge
from engine.board.map import Map
from engine.core.chance import Chance
from engine.core.events import Event
from engine.core.facts import Fact
from engine.core.ids import (
    BANK,
    MARKET,
    OFFERING,
    REISSUED,
    Cell,
    CompanyId,
    Coord,
    EntityId,
    PhaseName,
    PlayerId,
    PrivateId,
    TrainName,
)
from engine.core.offers import Offer, Slot, Suggestion
from engine.core.spec import LaySpec, PhaseSpec, TitleSpec
from engine.core.state import Auction, Company, CompanyTurn, Operating, Player, Private, State, Stock
from engine.core.state import Round as RoundState
from engine.market.grid import Grid
from engine.routes.revenue_rules import RouteRules


class Hooks(ABC):
    """The rules that a title can override, such as `lays` or `on_float`.

    The defaults fit most titles; further ones are in `engine.titles.standard`.
    """

    spec: TitleSpec

    @abstractmethod
    def has_flag(self, name: str) -> bool:
        """True if this flag (a named difference from the printed rules) is switched on."""

    @abstractmethod
    def has_option(self, name: str) -> bool:
        """True if this option was chosen for the game."""

    # --- order of rounds --------------------------------------------------------------------------------------

    def on_setup(self, t: "Table", chance: Chance) -> None:  # noqa: B027
        """Called after a new game has been set up, before its first round.

        `chance` gives further random draws.
        """

    @abstractmethod
    def first_round(self) -> RoundState:
        """The state of the game's first round."""

    @abstractmethod
    def next_round(self, t: "Table") -> RoundState:
        """The state of the round that follows the one that has just ended."""

    @abstractmethod
    def on_round(self, t: "Table") -> None:
        """Called when a round begins."""

    def on_phase(self, t: "Table") -> None:  # noqa: B027
        """Called when a phase starts. If a train purchase starts it, the purchase is completed after this call."""

    # --- shares -----------------------------------------------------------------------------------------------

    def certificates(
        self, company: CompanyId, linked_company: CompanyId | None, player_count: int
    ) -> tuple[int, ...]:
        """Percent of each certificate, the president's first.

        `linked_company` is the company drawn for a private's certificate.
        """
        return self.spec.companies[company].certificates

    def may_start(self, t: "Table", company: Company) -> bool:
        """True if a player may start the company by buying its president's certificate."""
        return True

    def on_float(self, t: "Table", company: Company) -> int:
        """Called when a company floats. Returns the percentage that moves from the IPO to the market."""
        return 0

    def on_president_changed(self, t: "Table", company: Company) -> None:  # noqa: B027
        """Called when a company gets another president."""

    def player_deciding_for(self, t: "Table", company: CompanyId) -> PlayerId:
        """The player who decides for a company that has no president."""
        raise AssertionError(f"{company} has no president")

    def operating_rank(self, t: "Table", company: Company) -> tuple[int, ...] | None:
        """The company's sort key in the operating order, lowest first; None if it does not operate."""
        return None if company.cell is None else t.rank_by_price(company, company.cell)

    def cell_after_stock_round(self, t: "Table", company: Company, cell: Cell) -> Cell:
        """The company's market cell after a stock round; sold-out companies rise."""
        return t.grid.cell_after_sold_out(cell) if self.is_sold_out(t, company) else cell

    def is_sold_out(self, t: "Table", company: Company) -> bool:
        """True if the share price rises after the stock round, because players hold all shares (18Chesapeake 10.6)."""
        return not any(company.percent(holder) for holder in (OFFERING, REISSUED, MARKET, company.treasury))

    # --- track and privates -----------------------------------------------------------------------------------

    def lays(self, t: "Table") -> tuple[LaySpec, ...]:
        """The operating company's own tile lays this turn."""
        return self.spec.tile_lays

    def lay_price(self, t: "Table", coord: Coord, lay: LaySpec) -> int:
        """Dollars that the company's own lay in this hex costs, without terrain and borders."""
        return lay.cost

    def terrain_price(self, t: "Table", coord: Coord) -> int:
        """Dollars that the next tile in this hex costs for terrain, or for other things in the hex."""
        return t.map.cost(coord)

    def border_price(self, t: "Table", coord: Coord, edge: Edge, price: int) -> int:
        """Dollars that the operating company pays to join track across this edge; `price` is the printed cost."""
        return price

    def on_tile_laid(self, t: "Table", coord: Coord, paid_border_count: int) -> None:  # noqa: B027
        """Called after the operating company laid a tile; `paid_border_count` is the number of hex borders paid for."""

    def private_price_percents(self, t: "Table") -> tuple[int, int] | None:
        """Lowest and highest price for companies that buy privates, in percent of face value; None: they may not."""
        return t.phase.private_price_percents

    def private_obstacle(self, t: "Table", private: Private) -> Fact | None:
        """The title's own rule that forbids the operating company to buy this private; None if there is none."""
        return None

    # --- trains and running -----------------------------------------------------------------------------------

    def on_event_train(self, t: "Table") -> None:  # noqa: B027
        """Called when the train type drawn to trigger the title's event leaves the bank for the first time."""

    def on_rust(self, t: "Table", train: TrainName, owners: Sequence[tuple[CompanyId, int]]) -> None:  # noqa: B027
        """Called when trains rust; `owners` has the number of trains lost by each owner."""

    def runs_once_more(self, t: "Table", company: Company) -> bool:
        """True if the company's trains run once more after they become obsolete."""
        return True

    @abstractmethod
    def route_rules(self, t: "Table") -> RouteRules:
        """The rules for the operating company's routes: trains, revenue step, bonuses."""

    def revenue(self, t: "Table", values: Sequence[int]) -> int:
        """Total revenue of a run in dollars; `values` are the dollars of each train's route."""
        return sum(values)

    def president_help_dollars(self, t: "Table", train: TrainName) -> int:
        """Maximum dollars that the president may add to the treasury for a train, although no purchase is forced."""
        return 0

    def president_help_terms(self, t: "Table", price: int) -> Fact | None:
        """The fee or loan that a purchase at this price costs the president, as a message; None if it costs neither."""
        return None

    def emergency_issue_dollars(self, t: "Table") -> int:
        """Dollars that the operating company can raise by issuing shares for a train that it must buy.

        The president need not add money before the company has done so.
        """
        return 0

    def train_sale_obstacle(self, t: "Table", seller: Company, train: TrainName) -> Fact | None:
        """The title's own rule that forbids the operating company to buy this train; None if there is none."""
        return None

    def train_sets_to_run(self, t: "Table") -> Sequence[Sequence[TrainName]]:
        """Alternative sets of trains that the company could run; the best run is searched for each."""
        return [t.company.runnable_trains]

    # --- the end ----------------------------------------------------------------------------------------------

    @abstractmethod
    def on_bank_paid(self, t: "Table") -> None:
        """Called after each payment by the bank, which may have broken it."""

    @abstractmethod
    def on_price_moved(self, t: "Table", company: Company) -> None:
        """Called after a share price has moved, which may trigger the end of the game."""


def _market_grid(spec: TitleSpec) -> Grid:
    return Grid(spec.market)


class Table:
    """The state of a game together with its rules, used by all steps.

    Money moves only through `pay`, so that none is lost or created.
    """

    def __init__(self, spec: TitleSpec, rules: Hooks, state: State, board: Map) -> None:
        self.spec = spec
        self.rules = rules
        self.state = state
        self.map = board
        self.grid = spec.cached(_market_grid)
        self.events: list[Event] = []
        self.payments: list[
            tuple[int, EntityId, EntityId, int]
        ] = []  # number of events before it, payer, payee, dollars
        self._phase_by_name = {phase.name: phase for phase in spec.phases}
        self._index_by_phase = {name: index for index, name in enumerate(self._phase_by_name)}

    # --- the current round and turn --------------------------------------------------------------------------

    @property
    def phase(self) -> PhaseSpec:
        """The current phase."""
        return self._phase_by_name[self.state.phase]

    @property
    def auction(self) -> Auction:
        """The state of the auction of privates, as a round or within stock rounds."""
        auction = self.state.round if isinstance(self.state.round, Auction) else self.state.auction
        assert auction is not None
        return auction

    @property
    def is_selling_privates(self) -> bool:
        """True until all privates have been sold in the auction."""
        return isinstance(self.state.round, Auction) or self.state.auction is not None

    @property
    def stock_round(self) -> Stock:
        """The state of the current stock round."""
        assert isinstance(self.state.round, Stock)
        return self.state.round

    @property
    def operating_round(self) -> Operating:
        """The state of the current operating round."""
        assert isinstance(self.state.round, Operating)
        return self.state.round

    @property
    def turn(self) -> CompanyTurn:
        """The state of the operating company's turn."""
        current_round = self.state.round
        assert isinstance(current_round, Operating)
        assert current_round.turn is not None
        return current_round.turn

    @property
    def company(self) -> Company:
        """The operating company."""
        state = self.state
        current_round = state.round
        assert isinstance(current_round, Operating)
        assert current_round.turn is not None
        return state.companies[current_round.turn.company]

    def president(self, company: CompanyId) -> Player:
        """The president of a started company; without a president, the player who decides for it."""
        return self.state.player(
            self.state.companies[company].president or self.rules.player_deciding_for(self, company)
        )

    def controlling_player(self, entity: EntityId) -> PlayerId:
        """The player who decides for this player, company or private."""
        if entity in self.state.companies:
            company = self.state.companies[entity]
            return company.president or self.rules.player_deciding_for(self, company.id)
        if entity in self.state.privates:
            owner = self.state.privates[entity].owner
            assert owner is not None
            return self.controlling_player(owner)
        return entity

    def kind_name(self, company: Company) -> str:
        """The company's kind, as named in the title's data."""
        return self.spec.companies[company.id].kind

    def has_reached_phase(self, name: PhaseName) -> bool:
        """True if this phase or a later one has started."""
        return self._index_by_phase[self.state.phase] >= self._index_by_phase[name]

    def income(self, private: PrivateId) -> int:
        """Income of a private in the current phase, in dollars."""
        spec = self.spec.privates[private]
        if not spec.later_income_by_phase:
            return spec.income
        later_incomes = [
            income for phase, income in spec.later_income_by_phase.items() if self.has_reached_phase(phase)
        ]
        return later_incomes[-1] if later_incomes else spec.income

    # --- money ------------------------------------------------------------------------------------------------

    def cash(self, entity: EntityId) -> int:
        """Dollars of a player, a company or the bank."""
        if entity == BANK:
            return self.state.bank
        if entity in self.state.companies:
            return self.state.companies[entity].cash
        return self.state.player(entity).cash

    def pay(self, payer: EntityId, payee: EntityId, amount: int, *, on_credit: bool = False) -> None:
        """Move dollars from payer to payee.

        Only the bank can go below zero, which triggers the end of the game, and a player who pays `on_credit`.
        """
        assert amount >= 0, amount
        assert payer == BANK or on_credit or self.cash(payer) >= amount, (payer, amount)
        self.payments.append((len(self.events), payer, payee, amount))
        self._change_cash(payer, -amount)
        self._change_cash(payee, amount)
        if payer == BANK and amount:
            self.rules.on_bank_paid(self)

    def _change_cash(self, entity: EntityId, amount: int) -> None:
        if entity == BANK:
            self.state.bank += amount
        elif entity in self.state.companies:
            self.state.companies[entity].cash += amount
        else:
            self.state.player(entity).cash += amount

    # --- share prices -----------------------------------------------------------------------------------------

    def rank_by_price(self, company: Company, cell: Cell) -> tuple[int, ...]:
        """The company's sort key in the usual operating order, if its marker were in `cell`.

        Companies on market spaces come first (18NewEngland 11). The others follow by price, column and place in the
        stack (18Chesapeake 11).
        """
        row, column = cell
        has_moving_price = not self.grid.is_space(cell)
        stack_position = self.state.market.index(company.id)
        return (int(has_moving_price), -self.grid.price(cell), -column, row, stack_position)

    def price(self, company: Company, cell: Cell | None = None) -> int:
        """Price of a share in dollars, in the company's cell or in `cell` if given; 0 before a par price is set."""
        price_cell = cell or company.cell
        return self.grid.price(price_cell) * (1 + company.split) if price_cell else 0

    def enter_market(self, company: Company, cell: Cell) -> None:
        """Put a company's marker into a market cell, below the markers already there (18Chesapeake 10.4)."""
        company.cell = cell
        self.state.market.append(company.id)

    def move_price(self, company: Company, cell: Cell) -> None:
        """Move a company's market marker to this cell.

        In the same cell it keeps its place in the stack; in a new cell it goes to the bottom.

        Rules: R-AL-044, R-AL-163a, R-C2C-054, R-CH-053, R-TN-102a.
        """
        assert company.cell is not None
        splits_share = self.grid.splits_shares(company.cell, cell)
        if cell == company.cell or (splits_share and company.split):
            return
        company.split = company.split or splits_share
        self.state.fresh.moves.setdefault(company.id, company.cell)
        self.leave_market(company)
        self.enter_market(company, cell)
        self.rules.on_price_moved(self, company)

    def leave_market(self, company: Company) -> None:
        """Remove a company's marker from the market, if it has one there."""
        if company.cell is not None:
            self.state.market.remove(company.id)
            company.cell = None

    # --- events and offers ------------------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Add an event to the events of the current action."""
        self.events.append(event)

    def offer(
        self,
        kind: str,
        entity: EntityId,
        label: Fact,
        *slots: Slot,
        suggest: Callable[[], Sequence[Suggestion]] = tuple,
        actor: PlayerId | None = None,
        blocking: bool = True,
        confirm: bool = False,
    ) -> Offer:
        """A legal action for `actor`; by default, for the player who decides for the entity."""
        deciding_player = self.controlling_player(entity) if actor is None else actor
        return Offer(kind, deciding_player, entity, label, slots, suggest, blocking, confirm)
