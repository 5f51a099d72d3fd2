"""Kinds of rounds: the order of steps in each, and what follows (18Chesapeake 9 to 11)."""

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
    """A kind of round with its steps (decisions) in order. It has no state; `state.round` holds the current state.

    In every round, answers to proposals and discards of trains above the limit come before the other steps.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        """`steps` are all steps of the round; the one that made a proposal also carries it out."""
        self._all_steps = tuple(steps)
        self._consent_step = ConsentStep(self._all_steps)
        self._discard_step = DiscardStep()
        self._end_vote_step = EndVoteStep()

    def open_steps(self, t: Table) -> Iterator[Step]:
        """Steps that may have legal actions now, in order. The first step that has one must be decided."""
        if t.state.proposal is not None:
            yield self._consent_step
        yield self._discard_step
        yield from self.turn_steps(t)

    def turn_steps(self, t: Table) -> Iterator[Step]:
        """Steps of the current turn, in order; by default all steps of the round."""
        return iter(self._all_steps)

    def anytime_steps(self, t: Table) -> Iterator[Step]:
        """Steps whose actions are possible while another step waits."""
        yield self._end_vote_step

    @abstractmethod
    def advance(self, t: Table) -> None:
        """Start the next turn or round; called when no step has a legal action."""

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Make it this player's turn for a kind of action, and change nothing else.

        Returns False if the player cannot have such a turn.
        """
        del t, player, kind
        return False

    @property
    def kinds(self) -> Set[str]:
        """The kinds of action that exist in this round."""
        return {
            kind
            for step in (*self._all_steps, self._consent_step, self._discard_step, self._end_vote_step)
            for kind in step.kinds
        }

    def obstacle(self, t: Table, waiting_step: Step, request: Request) -> Fact | None:
        """The reason why an action is impossible while `waiting_step` waits; None if no specific reason is known."""
        fits_step = request.kind in waiting_step.kinds
        reason = waiting_step.obstacle(t, request) if fits_step or waiting_step.is_exclusive else None
        if reason is not None or waiting_step.is_exclusive:
            return reason
        for step in (self._consent_step, self._discard_step, *self.anytime_steps(t)):
            if request.kind in step.kinds:
                return step.obstacle(t, request)
        return (
            None if fits_step else self.out_of_place_obstacle(t, request) or waiting_step.obstacle(t, request)
        )

    def may_entity_be_intended(self, t: Table, request: Request) -> bool:
        """True if the player may have meant the entity (player, company or private) that the request names.

        If so, a refusal gives the reason. If not, it lists the entities for which the action is possible.
        """
        return True

    def out_of_place_obstacle(self, t: Table, request: Request) -> Fact | None:
        """The error message for an action that belongs to another part of the round; None if it does not."""
        return None


class AuctionRound(Round):
    """The auction of privates: bids and purchases until all privates are sold."""

    def __init__(self, *steps: Step) -> None:
        super().__init__(steps)

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        return give_bidding_turn_to(t, player)

    def advance(self, t: Table) -> None:
        raise AssertionError(f"nobody can act in the auction: {t.auction}")


def give_bidding_turn_to(t: Table, player: PlayerId) -> bool:
    """Make it this player's turn to bid. Returns False if the player does not bid in the current contest."""
    auction, seat = t.auction, t.state.seat(player)
    if auction.par_due is not None:
        return False
    if auction.contested is None:
        auction.turn = seat
        if isinstance(t.state.round, Stock):
            t.stock_round.turn = seat
        return True
    auction.contest_turn = seat
    return player in auction.bids.get(auction.contested, {})


class StockRound(Round):
    """Stock turns clockwise from the priority deal, until all players pass in a row.

    While privates are still sold in stock rounds, the steps of their auction replace trading.
    """

    def __init__(
        self, *steps: Step, auction_steps: Sequence[Step] = (), anytime_steps: Sequence[Step] = ()
    ) -> None:
        """`steps` come in order; `anytime_steps` are possible during any of them.

        While privates are still being sold, the `auction_steps` steps replace both.
        """
        super().__init__((*steps, *auction_steps, *anytime_steps))
        self.trading_steps = steps
        self.auction_steps = tuple(auction_steps)
        self._anytime_steps = tuple(anytime_steps)

    def turn_steps(self, t: Table) -> Iterator[Step]:
        """The steps of share trading; while privates are still being sold, the steps of their auction.

        Rules: R-AL-020, R-C2C-029, R-TN-020.
        """
        return iter(self.trading_steps if t.state.auction is None else self.auction_steps)

    def anytime_steps(self, t: Table) -> Iterator[Step]:
        """Steps that the current player can take in addition to trading, and the vote to end the game."""
        if t.state.auction is None:
            yield from self._anytime_steps
        yield from super().anytime_steps(t)

    def give_turn_to(self, t: Table, player: PlayerId, kind: str) -> bool:
        """Start a new turn for the player, with nothing sold or bought.

        During an auction, give them the turn to bid; returns False if they do not bid in the current contest.
        """
        if t.state.auction is not None:
            return give_bidding_turn_to(t, player)
        t.state.round = replace(
            t.stock_round,
            turn=t.state.seat(player),
            acted=False,
            bought=None,
            sold_first=False,
            bought_out=False,
            sold_now=[],
        )
        return True

    def may_entity_be_intended(self, t: Table, request: Request) -> bool:
        """Always False: in a stock round, a request for an entity other than the player is a mistake."""
        return False

    def out_of_place_obstacle(self, t: Table, request: Request) -> Fact | None:
        """The error message for an action of another part of the turn, or of the auction after its end."""
        if t.state.auction is not None:
            return None
        for step in self.trading_steps:
            if request.kind in step.kinds:
                return step.obstacle(t, request)
        return (
            fact("auction.all_sold")
            if any(request.kind in step.kinds for step in self.auction_steps)
            else None
        )

    def advance(self, t: Table) -> None:
        """Skip a player who cannot act (R-CH-041).

        Ends the game if no player can act and nothing can earn money any more.
        """
        if not _any_company_or_private_earns(t) and self._nobody_can_act(t):
            finish_game(t, Ending("standstill"))
        else:
            end_stock_turn(t, has_acted=t.stock_round.acted)

    def _nobody_can_act(self, t: Table) -> bool:
        stock_round = t.stock_round
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


def _any_company_or_private_earns(t: Table) -> bool:
    companies, privates = t.state.companies.values(), t.state.privates.values()
    return any(company.floated and not _can_neither_run_nor_lay(t, company) for company in companies) or any(
        private.owner and t.income(private.id) for private in privates
    )


def _can_neither_run_nor_lay(t: Table, company: Company) -> bool:
    """True if a company that is a single certificate can neither run nor pay for a tile."""
    lowest_cost = min((lay.cost for lay in t.spec.tile_lays), default=0)
    has_train_and_route = company.runnable_trains and has_route(t.map, company.id)
    return company.is_undivided and company.cash < lowest_cost and not has_train_and_route


class OperatingRound(Round):
    """Privates pay income; each floated company operates once, highest share price first."""

    def __init__(
        self,
        *ordered_steps: CompanyStep,
        anytime_steps: Sequence[Step] = (),
        urgent_steps: Sequence[Step] = (),
    ) -> None:
        """`ordered_steps` come one after the other, `urgent_steps` before them as soon as they have an action.

        `anytime_steps` are possible at any time of the turn.
        """
        super().__init__((*ordered_steps, *anytime_steps, *urgent_steps))
        self.ordered_steps = ordered_steps
        self._anytime_steps = tuple(anytime_steps)
        self._urgent_steps = tuple(urgent_steps)

    def turn_steps(self, t: Table) -> Iterator[Step]:
        current_round = t.operating_round
        if current_round.turn is not None:
            yield from self._urgent_steps
        for step in self.ordered_steps:
            if current_round.turn is None:
                return  # the company has left the game
            if step.name not in current_round.turn.done:
                yield step

    def anytime_steps(self, t: Table) -> Iterator[Step]:
        """Steps that the company can take at any time of its turn, and the vote to end the game."""
        if t.operating_round.turn is not None:
            yield from self._anytime_steps
        yield from super().anytime_steps(t)

    def advance(self, t: Table) -> None:
        start_next_company_turn(t)

    def obstacle(self, t: Table, waiting_step: Step, request: Request) -> Fact | None:
        """The reason why an action is impossible: an urgent step comes first, or it is not the company's turn."""
        if waiting_step in self._urgent_steps and not any(
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
        """Make it the turn of the player's next company to operate, at the step with this kind of action.

        If all of the player's companies have operated, the first one gets the turn.
        """
        own_companies = [c for c in operating_order(t) if c.floated and c.president == player]
        candidates = [c for c in own_companies if c.id not in t.operating_round.done] or own_companies
        if not candidates:
            return False
        start_company_turn(t, candidates[0])
        names = [step.name for step in self.ordered_steps]
        step_name = next((step.name for step in self.ordered_steps if kind in step.kinds), names[0])
        t.turn.done = names[: names.index(step_name)] if kind != "pass" else []
        return True

    def may_entity_be_intended(self, t: Table, request: Request) -> bool:
        """True if the request names a company, or a private that the operating company owns."""
        if request.entity in t.state.companies:
            return True
        turn, private = t.operating_round.turn, t.state.privates.get(request.entity or "")
        return turn is not None and private is not None and private.owner == turn.company

    def out_of_place_obstacle(self, t: Table, request: Request) -> Fact | None:
        """The error message that names the action's part of the turn (18Chesapeake 11); None for a pass."""
        if t.operating_round.turn is None or request.kind == "pass":
            return None
        steps = [step for step in self.ordered_steps if request.kind in step.kinds]
        steps_ahead = [step for step in steps if step.name not in t.turn.done] or steps[-1:]
        return steps_ahead[0].misplaced_obstacle(t, request) if steps_ahead else None
