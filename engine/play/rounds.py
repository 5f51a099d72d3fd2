"""Rounds: their steps in order, and the next turn or round (18Chesapeake 9 to 11)."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from engine.board.network import has_route
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.state import Company, Ending, Stock
from engine.play.end_and_scores import finish_game
from engine.play.end_of_stock_round import end_stock_turn
from engine.play.operating_order import operating_order
from engine.play.steps.agreements import ConsentStep, EndVoteStep
from engine.play.steps.base import CompanyStep, Request, Step
from engine.play.steps.discard import DiscardStep
from engine.play.table import Table
from engine.play.turn_order import start_company_turn, start_next_company_turn


class Round(ABC):
    """A kind of round with its steps in order. It has no state; the current state is `state.round`.

    In every round, answers to proposals and discards of trains above the limit come first.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        """`steps` are all steps of the round; an accepted proposal is carried out by one of them."""
        self._all_steps = tuple(steps)
        self._consent = ConsentStep(self._all_steps)
        self._discard = DiscardStep()
        self._votes = EndVoteStep()

    def open_steps(self, t: Table) -> Iterator[Step]:
        """Open steps in order; the first one with an offer must act."""
        if t.state.proposal is not None:
            yield self._consent
        yield self._discard
        yield from self.turn_steps(t)

    def turn_steps(self, t: Table) -> Iterator[Step]:
        """Open steps of the current turn, in order; in most rounds all steps."""
        return iter(self._all_steps)

    def anytime_steps(self, t: Table) -> Iterator[Step]:
        """Steps available while another step waits."""
        yield self._votes

    @abstractmethod
    def advance(self, t: Table) -> None:
        """Start the next turn or round; called when no step has an offer."""

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it this player's turn for a kind of action and change nothing else. Returns False if there is none."""
        del t, player, kind
        return False

    @property
    def kinds(self) -> Set[str]:
        """The kinds of action in this round."""
        return {
            kind
            for step in (*self._all_steps, self._consent, self._discard, self._votes)
            for kind in step.kinds
        }

    def obstacle(self, t: Table, waiting_step: Step, request: Request) -> Fact | None:
        """The reason why an action is impossible while this step waits; None if no specific reason is known."""
        fits_step = request.kind in waiting_step.kinds
        reason = waiting_step.obstacle(t, request) if fits_step or waiting_step.is_exclusive else None
        if reason is not None or waiting_step.is_exclusive:
            return reason
        for step in (self._consent, self._discard, *self.anytime_steps(t)):
            if request.kind in step.kinds:
                return step.obstacle(t, request)
        return (
            None if fits_step else self.out_of_place_obstacle(t, request) or waiting_step.obstacle(t, request)
        )

    def accepts_other_entity(self, t: Table, request: Request) -> bool:
        """True if a request that names another entity may mean one of the available actions."""
        return True

    def out_of_place_obstacle(self, t: Table, request: Request) -> Fact | None:
        """The refusal of an action that belongs to another part of the round; None if it belongs to none."""
        return None


class AuctionRound(Round):
    """Bids and purchases until all privates are sold."""

    def __init__(self, *steps: Step) -> None:
        super().__init__(steps)

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        return give_bidding_turn_to(t, player)

    def advance(self, t: Table) -> None:
        raise AssertionError(f"nobody can act in the auction: {t.auction}")


def give_bidding_turn_to(t: Table, player: PlayerId) -> bool:
    """Make it this player's turn to bid. Returns False if they do not bid in the current contest."""
    auction, seat = t.auction, t.state.seat(player)
    if auction.par_due is not None:
        return False
    if auction.contested is None:
        auction.turn = seat
        if isinstance(t.state.round, Stock):
            t.stock.turn = seat
        return True
    auction.contest_turn = seat
    return player in auction.bids.get(auction.contested, {})


class StockRound(Round):
    """Turns clockwise from the priority deal until all players pass in a row.

    While privates are sold in stock rounds, the steps of their auction replace trading.
    """

    def __init__(self, *steps: Step, auction: Sequence[Step] = (), anytime: Sequence[Step] = ()) -> None:
        """`steps` come in order, `anytime` steps during any of them; `auction` steps replace both."""
        super().__init__((*steps, *auction, *anytime))
        self.trading = steps
        self.auction = tuple(auction)
        self._anytime = tuple(anytime)

    def turn_steps(self, t: Table) -> Iterator[Step]:
        """Trading, or the auction of privates.

        Rules: R-AL-020, R-C2C-029, R-TN-020.
        """
        return iter(self.trading if t.state.auction is None else self.auction)

    def anytime_steps(self, t: Table) -> Iterator[Step]:
        """Steps available to the current player in addition to trading, and the vote to end the game."""
        if t.state.auction is None:
            yield from self._anytime
        yield from super().anytime_steps(t)

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Start a new turn of the player, with nothing sold or bought. Returns False during a contest."""
        if t.state.auction is not None:
            return give_bidding_turn_to(t, player)
        t.state.round = replace(
            t.stock,
            turn=t.state.seat(player),
            acted=False,
            bought=None,
            sold_first=False,
            bought_out=False,
            sold_now=[],
        )
        return True

    def accepts_other_entity(self, t: Table, request: Request) -> bool:
        """Always False: players trade only for themselves."""
        return False

    def out_of_place_obstacle(self, t: Table, request: Request) -> Fact | None:
        """The refusal of an action of another part of the turn, or of the auction after all privates are sold."""
        if t.state.auction is not None:
            return None
        for step in self.trading:
            if request.kind in step.kinds:
                return step.obstacle(t, request)
        return fact("auction.all_sold") if any(request.kind in step.kinds for step in self.auction) else None

    def advance(self, t: Table) -> None:
        """Skip a player who cannot act (R-CH-041); end the game if nobody can act and nothing earns money any more."""
        if not _anything_earns(t) and self._nobody_can_act(t):
            finish_game(t, Ending("standstill"))
        else:
            end_stock_turn(t, has_acted=t.stock.acted)

    def _nobody_can_act(self, t: Table) -> bool:
        """True if no player could act in a new round."""
        stock_round = t.stock
        possible_turns = [
            Stock(number=stock_round.number + 1, turn=t.state.seat(player.id))
            for player in t.state.players_in_game()
        ]
        try:
            return not any(self._has_offers(t, turn) for turn in possible_turns)
        finally:
            t.state.round = stock_round

    def _has_offers(self, t: Table, stock_round: Stock) -> bool:
        t.state.round = stock_round
        return any(True for step in self.turn_steps(t) for _ in step.offers(t))


def _anything_earns(t: Table) -> bool:
    """True if a company or private can still earn money."""
    companies, privates = t.state.companies.values(), t.state.privates.values()
    return any(company.floated and not _is_stuck(t, company) for company in companies) or any(
        private.owner and t.income(private.id) for private in privates
    )


def _is_stuck(t: Table, company: Company) -> bool:
    """True if a company without shares can neither run nor pay for a tile."""
    lowest_cost = min((lay.cost for lay in t.spec.lays), default=0)
    can_run = company.running and has_route(t.map, company.id)
    return company.undivided and company.cash < lowest_cost and not can_run


class OperatingRound(Round):
    """Privates pay, then each floated company operates once, highest price first."""

    def __init__(
        self, *turn_order: CompanyStep, anytime: Sequence[Step] = (), at_once: Sequence[Step] = ()
    ) -> None:
        """`turn_order` steps come in order, `anytime` steps at any time of the turn, `at_once` steps before others."""
        super().__init__((*turn_order, *anytime, *at_once))
        self.turn = turn_order
        self._anytime = tuple(anytime)
        self._at_once = tuple(at_once)

    def turn_steps(self, t: Table) -> Iterator[Step]:
        current_round = t.operating
        if current_round.turn is not None:
            yield from self._at_once
        for step in self.turn:
            if current_round.turn is None:
                return  # the company has left the game
            if step.name not in current_round.turn.done:
                yield step

    def anytime_steps(self, t: Table) -> Iterator[Step]:
        """Steps available at any time of the company's turn, and the vote to end the game."""
        if t.operating.turn is not None:
            yield from self._anytime
        yield from super().anytime_steps(t)

    def advance(self, t: Table) -> None:
        start_next_company_turn(t)

    def obstacle(self, t: Table, waiting_step: Step, request: Request) -> Fact | None:
        """The reason why an action is impossible: steps due at once come first; other companies wait for their turn."""
        if waiting_step in self._at_once and not any(
            request.kind in step.kinds for step in self.anytime_steps(t)
        ):
            return waiting_step.obstacle(t, request)
        if (
            not waiting_step.is_exclusive
            and request.entity in t.state.companies
            and request.entity != t.company.id
        ):
            return fact("turn.of_another", company=t.company.id, entity=request.entity)
        return super().obstacle(t, waiting_step, request)

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it the turn of the player's next company to operate, at the step with this kind of action; if all have
        operated, of the first.
        """
        own_companies = [c for c in operating_order(t) if c.floated and c.president == player]
        candidates = [c for c in own_companies if c.id not in t.operating.done] or own_companies
        if not candidates:
            return False
        start_company_turn(t, candidates[0])
        names = [step.name for step in self.turn]
        step_name = next((step.name for step in self.turn if kind in step.kinds), names[0])
        t.turn.done = names[: names.index(step_name)] if kind != "pass" else []
        return True

    def accepts_other_entity(self, t: Table, request: Request) -> bool:
        """True if a president can mean the operating company or one of its privates."""
        if request.entity in t.state.companies:
            return True
        turn, private = t.operating.turn, t.state.privates.get(request.entity or "")
        return turn is not None and private is not None and private.owner == turn.company

    def out_of_place_obstacle(self, t: Table, request: Request) -> Fact | None:
        """The refusal that says to which part of the turn the action belongs (18Chesapeake 11); None for a pass."""
        if t.operating.turn is None or request.kind == "pass":
            return None
        steps = [step for step in self.turn if request.kind in step.kinds]
        steps_ahead = [step for step in steps if step.name not in t.turn.done] or steps[-1:]
        return steps_ahead[0].misplaced_obstacle(t, request) if steps_ahead else None
