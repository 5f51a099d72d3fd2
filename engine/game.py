"""A game: its legal actions, and the only place where actions are checked and applied."""

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import NamedTuple, Self

from engine.board.network import copy_cached_network
from engine.core.actions import Action
from engine.core.errors import IllegalAction, NotOffered, NotYourTurn, ReplayDiverged
from engine.core.events import Event
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId
from engine.core.memory import LazySequence
from engine.core.offers import Offer, OfferCursor
from engine.core.state import Operating, Proposal
from engine.play.end_and_scores import ranks, scores
from engine.play.passing import PASS_KIND, TurnEndingPasses, passes_to_end_turn
from engine.play.rules import RULES_VERSION, Rules
from engine.play.saved import (
    SavedPosition,
    fingerprint,
    fingerprints_match,
    read_position,
    restore_table,
    write_position,
)
from engine.play.setup import new_table
from engine.play.steps.agreements import do_action, expire_proposal
from engine.play.steps.base import Request, Step
from engine.play.steps.run_trains import BestRun, RunStep, best_run
from engine.play.table import Table
from engine.titles import title


class _OpenOffer(NamedTuple):
    step: Step
    offer: Offer


class _StepWithOffers(NamedTuple):
    step: Step
    offers: Iterable[Offer]


class Game:
    """One game of one title.

    `apply` either carries out an action completely, or raises IllegalAction and changes nothing.
    """

    def __init__(
        self,
        title_id: str,
        players: Sequence[tuple[PlayerId, str]],
        seed: int,
        profile: str = "",
        options: frozenset[str] = frozenset(),
        *,
        from_log: int = 0,
        saved_position: SavedPosition | None = None,
    ) -> None:
        """Set up a game with the named profile (set of rule variants); by default, the title's first profile.

        The first `from_log` actions come from an 18xx.games log and may break rules that 18xx.games did not enforce.
        `saved_position` is the starting position; None: a new game. Raises TitleError if there is no such title,
        profile or option, or for a wrong number of players; Unreadable if the title cannot have this position.
        """
        self.title = title(title_id)
        self.players = tuple(players)
        self.seed = seed
        self.profile = profile or next(iter(self.title.spec.profiles))
        self.options = options
        self.from_log = from_log
        self.seq = 0 if saved_position is None else saved_position.actions
        """Number of actions applied to the game so far."""
        self.rules = self._build_rules(reads_log=self.seq < from_log)
        self.table = (
            new_table(self.rules, players, seed)
            if saved_position is None
            else restore_table(saved_position, self.rules)
        )
        self._waiting_step: _StepWithOffers | None = None
        self._anytime_steps: tuple[_StepWithOffers, ...] | None = None
        self._skip_idle_steps()
        if saved_position is None:
            self.opening_events = tuple(self.table.events)

    @classmethod
    def load(cls, text: str) -> Self:
        """The game in a text that `dump` wrote.

        Raises Unreadable, or TitleError if its title or profile no longer exists.
        """
        return cls.resume(read_position(text))

    @classmethod
    def resume(cls, saved: SavedPosition) -> Self:
        """A game that continues from a saved position under the current rules. Raises Unreadable or TitleError."""
        options, from_log = frozenset(saved.options), saved.from_log
        return cls(
            saved.title,
            saved.players,
            saved.seed,
            saved.profile,
            options,
            from_log=from_log,
            saved_position=saved,
        )

    @cached_property
    def opening_events(self) -> tuple[Event, ...]:
        """The events of the set-up of a new game.

        A game that was loaded from a position has the events that a new game would have.
        """
        game_arguments = (self.title.id, self.players, self.seed, self.profile, self.options)
        return type(self)(*game_arguments, from_log=self.from_log).opening_events

    @property
    def round_kind(self) -> str:
        """The kind of the current round, such as `operating` or `stock`."""
        return self.table.state.round.kind

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.table.state.over

    @property
    def proposal(self) -> Proposal | None:
        """The proposal between players that waits for an answer; None if there is none."""
        return self.table.state.proposal

    def name(self, player: PlayerId) -> str:
        return self.table.state.player(player).name

    def rename(self, player: PlayerId, name: str) -> None:
        """Change a player's displayed name, for example when a substitute takes the seat.

        Names do not affect position hashes.
        """
        self.table.state.player(player).name = name
        self.players = tuple(
            (player_id, name if player_id == player else old_name) for player_id, old_name in self.players
        )

    def players_in_game(self) -> tuple[PlayerId, ...]:
        """The ids of players who are not bankrupt, in seat order."""
        return tuple(player.id for player in self.table.state.players_in_game())

    def scores(self) -> dict[PlayerId, int]:
        """Net worth of each player in dollars, best player first (18Chesapeake 12)."""
        return scores(self.table)

    def ranks(self) -> dict[PlayerId, int]:
        """Each player's rank, from 1 for the best. All rankings are computed here."""
        return ranks(self.table)

    def offers(self, player: PlayerId | None = None, kind: str | None = None) -> tuple[Offer, ...]:
        """The legal actions now, optionally only those of one player or one kind.

        Actions of the step that must be decided come first; the order is fixed.
        """
        offers = (open_offer.offer for open_offer in self._open_offers(kind))
        return tuple(
            offer for offer in offers if player in (None, offer.actor) and kind in (None, offer.kind)
        )

    def actors(self) -> tuple[PlayerId, ...]:
        """The players who must act now."""
        offers = self._waiting_step.offers if self._waiting_step else ()
        return tuple(dict.fromkeys(offer.actor for offer in offers if offer.blocking))

    def step(self) -> Step | None:
        """The step (one decision of a turn) that waits for a player; None if the game is over."""
        return self._waiting_step.step if self._waiting_step else None

    def step_of_turn(self) -> Step | None:
        """The step (one decision of a turn) that waits for a player.

        While a proposal waits, this is the step in which the proposer could make another move instead.
        """
        if self.proposal is None:
            return self.step()
        waiting_step = self._turn_step_with_offers()
        return None if waiting_step is None else waiting_step.step

    def read_routes(self, text: str) -> tuple[str, ...]:
        """Parse routes typed as `H4-G5-F6` into the texts used by actions.

        Raises Unreadable, Ambiguous or IllegalAction.
        """
        return self.run_step().read_routes(self.table, text)

    def run_step(self) -> RunStep:
        """The step that asks the company for its routes now; if no step does, the title's ordinary run step."""
        return step if isinstance(step := self.step(), RunStep) else RunStep()

    def best_run(self) -> BestRun:
        """The operating company's best routes, even if it does not have to run them."""
        return best_run(self.table)

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Check and carry out an action; returns its events.

        Raises IllegalAction, and changes nothing, if it is illegal.
        """
        request = Request.of_action(action)
        open_offer = self._offer_for(request)
        OfferCursor(open_offer.offer).pick_all(request.given_values)
        return self._do_action(open_offer.step, action)

    def apply_unchecked(self, action: Action) -> tuple[Event, ...]:
        """Carry out an action that was legal when it was made, even if today's rules would refuse it.

        Raises IllegalAction if the current step has no such kind of action for this player.
        """
        proposal = self.table.state.proposal
        if proposal is not None and proposal.by == action.actor:
            expire_proposal(self.table)
            self._skip_idle_steps()
        step = self.step()
        if step is None or action.kind not in step.kinds or action.actor not in self.actors():
            raise self._not_offered_refusal(Request.of_action(action))
        return self._do_action(step, action)

    def apply_all(self, actions: Iterable[Action]) -> None:
        """Check and carry out these actions. Raises ReplayDiverged at the first illegal one."""
        for action in actions:
            try:
                self.apply(action)
            except IllegalAction as problem:
                raise ReplayDiverged(self.seq + 1, problem.reason) from problem

    def apply_cursor(self, cursor: OfferCursor) -> tuple[Event, ...]:
        """Carry out the move that a completely filled cursor describes; returns its events."""
        step = next(
            (open_offer.step for open_offer in self._open_offers() if open_offer.offer is cursor.offer), None
        )
        action = cursor.action()
        return self.apply(action) if step is None else self._do_action(step, action)

    def table_after(self, cursor: OfferCursor) -> Table:
        """A copy of the table right after this move, before steps without a decision are skipped."""
        table = restore_table(read_position(self.dump()), self.rules)
        do_action(table, self._offer_for(Request.of_action(cursor.action())).step, cursor.action())
        return table

    def with_table(self, table: Table) -> Self:
        """A copy of this game that continues from another table; it has not yet looked for the next decision."""
        other_game = copy(self)
        other_game.table = table
        other_game._waiting_step = other_game._anytime_steps = None
        return other_game

    def passes_ending_turn(self, player: PlayerId) -> TurnEndingPasses | None:
        """The passes that would end the turn of the player's company; None if passing alone does not end it."""
        current_round = self.table.state.round
        is_operating = isinstance(current_round, Operating) and current_round.turn is not None
        if not is_operating or self.is_over or self.proposal is not None or not self.offers(player, "pass"):
            return None
        board = self.table.map.copy()
        copy_cached_network(self.table.map, board, self.table.company.id)
        table = Table(self.rules.spec, self.rules, read_position(self.dump()).state, board)
        return passes_to_end_turn(table, self.rules.round(table), player)

    def cursor_for(self, request: Request) -> OfferCursor:
        """The partially filled offer for a request, with all values the request has.

        Raises IllegalAction if it is illegal.
        """
        return OfferCursor(self._offer_for(request).offer).pick_all(request.given_values)

    def obstacle(self, request: Request) -> IllegalAction | None:
        """The error that making this request would raise; None if it is legal so far. The request may be incomplete."""
        try:
            self.cursor_for(request)
        except IllegalAction as problem:
            return problem
        return None

    def copy_with_turn_of(self, player: PlayerId, kind: str) -> Self | None:
        """A copy of the game in which it is this player's turn for a kind of action; None if there is no such turn."""
        other_game = self.load(self.dump())
        other_game.table.state.proposal = None
        if self.is_over or not other_game.rules.round(other_game.table).give_turn_to(
            other_game.table, player, kind
        ):
            return None
        other_game._waiting_step = other_game._anytime_steps = None
        return other_game if other_game._skip_to_open_step() and player in other_game.actors() else None

    def _do_action(self, step: Step, action: Action) -> tuple[Event, ...]:
        do_action(self.table, step, action)
        self.seq += 1
        if self.seq == self.from_log:
            self.table.rules = self.rules = self._build_rules(reads_log=False)
        self._skip_idle_steps()
        return tuple(self.table.events)

    def _offer_for(self, request: Request) -> _OpenOffer:
        if self.is_over:
            raise NotOffered(fact("game.over"))
        if request.kind == PASS_KIND and (pass_offer := self._pass_offer(request)) is not None:
            return pass_offer
        for step, offers in self._steps_with_offers():
            if request.kind in step.kinds:
                for offer in offers:
                    if request.matches(offer):
                        return _OpenOffer(step, offer)
        raise self._not_offered_refusal(request)

    def _pass_offer(self, request: Request) -> _OpenOffer | None:
        """The legal pass that a request asks for, if the step knows it without computing its other actions."""
        step = self.step()
        pass_offer = None if step is None else step.end_step_offer(self.table)
        return (
            None
            if step is None or pass_offer is None or not request.matches(pass_offer)
            else _OpenOffer(step, pass_offer)
        )

    def _not_offered_refusal(self, request: Request) -> IllegalAction:
        step = self.step()
        assert step is not None
        offers_of_kind = self.offers(kind=request.kind)
        is_offered_to_actor = any(offer.actor == request.actor for offer in offers_of_kind)
        if (
            request.actor not in self.actors()
            and not is_offered_to_actor
            and not self._is_anytime_action(request)
        ):
            step_fact = fact(f"step.{step.name}")
            return NotYourTurn(fact("game.not_your_turn", players=self.actors(), step=step_fact))
        if not any(request.kind in round_type.kinds for round_type in self.rules.ROUNDS.values()):
            return NotOffered(fact("game.no_such_move"), self._allowed_moves_fact(request.actor))
        current_round = self.rules.round(self.table)
        reason = current_round.obstacle(self.table, step, request)
        if (
            reason is None and not offers_of_kind
        ):  # no player has such an offer for any entity: the general reason
            reason = current_round.obstacle(self.table, step, request._replace(entity=None))
        if (
            is_offered_to_actor
            and reason
            and not current_round.may_entity_be_intended(self.table, request)
            and reason.values.get("private") != request.entity
        ):
            reason = None  # the player can do it, but not for the named entity
        return NotOffered(
            reason or request.wrong_entity_refusal(offers_of_kind), self._allowed_moves_fact(request.actor)
        )

    def _is_anytime_action(self, request: Request) -> bool:
        """True if this action is possible out of turn in other positions: an agreement, or the power of a private."""
        anytime_steps = self.rules.round(self.table).anytime_steps(self.table)
        steps = [step for step in anytime_steps if request.kind in step.kinds and not step.is_exclusive]
        return any(step.is_agreement or request.entity in self.table.state.privates for step in steps)

    def _allowed_moves_fact(self, player: PlayerId) -> Fact | None:
        """The kinds of action that the player can take now, as a message; None if there are none.

        Agreements are left out.
        """
        open_offers = (open_offer for open_offer in self._open_offers() if open_offer.offer.actor == player)
        offers = (
            open_offer.offer
            for open_offer in open_offers
            if open_offer.offer.blocking or not open_offer.step.is_agreement
        )
        label_by_text = {str(offer.label): offer.label for offer in offers}
        return fact("allowed.now", labels=tuple(label_by_text.values())) if label_by_text else None

    def digest(self) -> str:
        """A hash of the position, without anything that does not matter to the rules."""
        return fingerprint(self.table.state, self.table.map.changes_in_play())

    def matches_digest(self, digest: str) -> bool:
        """True if this stored hash matches the position, or was made by a version too old to compare."""
        return fingerprints_match(self.digest(), digest)

    def dump(self) -> str:
        """The game's settings and current position as JSON text, without the earlier actions; `load` reads it."""
        saved = SavedPosition(
            rules=RULES_VERSION,
            title=self.title.id,
            profile=self.profile,
            options=tuple(sorted(self.options)),
            seed=self.seed,
            players=self.players,
            from_log=self.from_log,
            actions=self.seq,
            state=self.table.state,
            map=self.table.map.changes_in_play(),
        )
        return write_position(saved)

    def _build_rules(self, *, reads_log: bool) -> Rules:
        return self.title.rules(self.title.spec, self.profile, self.options, reads_log=reads_log)

    def _open_offers(self, kind: str | None = None) -> Iterator[_OpenOffer]:
        """Legal actions with their steps, those of the step that must be decided first.

        With `kind`, only steps that have this kind of action.
        """
        for step_with_offers in self._steps_with_offers():
            if kind is None or kind in step_with_offers.step.kinds:
                yield from (_OpenOffer(step_with_offers.step, offer) for offer in step_with_offers.offers)

    def _steps_with_offers(self) -> Iterator[_StepWithOffers]:
        if self._waiting_step is not None:
            yield self._waiting_step
            if self._anytime_steps is None:
                self._anytime_steps = tuple(self._anytime_steps_of(self._waiting_step.step))
            yield from self._anytime_steps

    def _anytime_steps_of(self, waiting_step: Step) -> Iterator[_StepWithOffers]:
        if self.table.state.proposal is not None:
            yield from self._moves_that_end_proposal(self.table.state.proposal.by)
        for step in self.rules.round(self.table).anytime_steps(self.table):
            if not waiting_step.is_exclusive or step.is_agreement:
                yield _StepWithOffers(step, LazySequence(step.offers(self.table)))

    def _moves_that_end_proposal(self, proposer: PlayerId) -> Iterator[_StepWithOffers]:
        """Moves that a proposer can make while their proposal waits; each of them withdraws it."""
        waiting_step = self._turn_step_with_offers()
        permitted_steps = (
            s for s in self.rules.round(self.table).anytime_steps(self.table) if not s.is_agreement
        )
        anytime_steps = (_StepWithOffers(step, step.offers(self.table)) for step in permitted_steps)
        for step, offers in (*filter(None, [waiting_step]), *anytime_steps):
            own_offers = (offer._replace(blocking=False) for offer in offers if offer.actor == proposer)
            yield _StepWithOffers(step, LazySequence(own_offers))

    def _turn_step_with_offers(self) -> _StepWithOffers | None:
        steps = self.rules.round(self.table).open_steps(self.table)
        steps_with_offers = (self._step_with_offers(step) for step in steps if not step.is_agreement)
        return next(filter(None, steps_with_offers), None)

    def _step_with_offers(self, step: Step) -> _StepWithOffers | None:
        offers = step.offers(self.table)
        first_offer = next(offers, None)
        return None if first_offer is None else _StepWithOffers(step, LazySequence(offers, first_offer))

    def _skip_idle_steps(self) -> None:
        self._waiting_step = self._anytime_steps = None
        state = self.table.state
        while not state.over and not self._skip_to_open_step():
            self.rules.round(self.table).advance(self.table)

    def _skip_to_open_step(self) -> bool:
        """Skip steps of the current turn without legal actions; returns True if it stops at one with legal actions."""
        for step in self.rules.round(self.table).open_steps(self.table):
            self._waiting_step = self._step_with_offers(step)
            if self._waiting_step is not None:
                return True
            step.skip(self.table)
        return False
