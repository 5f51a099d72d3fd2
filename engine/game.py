"""A game: what may be done now, and one gate through which everything is done."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import NamedTuple, Self

from engine.core.actions import Action
from engine.core.errors import IllegalAction, NotOffered, NotYourTurn, ReplayDiverged
from engine.core.events import Event
from engine.core.ids import EntityId, PlayerId
from engine.core.offers import Offer
from engine.play.ending import scores
from engine.play.setup import new_table
from engine.play.steps.base import Step
from engine.play.steps.consent import ConsentStep, expire
from engine.play.steps.end_vote import EndVoteStep
from engine.play.steps.run import typed_routes
from engine.tell.sections import cite
from engine.titles import title


class _Open(NamedTuple):
    """An offer and the step that made it."""

    step: Step
    offer: Offer


def _within(label: str) -> str:
    """A label inside a sentence: `Lay track by C-P` becomes `lay track by C-P`."""
    first, _, rest = label.partition(" ")
    return " ".join(filter(None, (first if first.isupper() else first.lower(), rest)))


class Game:
    """One game of one title. `apply` either does an action whole or raises IllegalAction and changes nothing."""

    def __init__(
        self,
        title_id: str,
        players: Sequence[tuple[PlayerId, str]],
        seed: int,
        profile: str = "rulebook",
        options: frozenset[str] = frozenset(),
    ) -> None:
        """Set up a game; raises TitleError for an unknown title, profile or option, or a wrong number of players."""
        self.title = title(title_id)
        self.players = tuple(players)
        self.seed = seed
        self.profile = profile
        self.options = options
        self.rules = self.title.rules(self.title.spec, profile, options)
        self.table = new_table(self.rules, players, seed)
        self.actions: list[Action] = []
        self._blocking: tuple[_Open, ...] = ()
        self._all: tuple[_Open, ...] | None = None
        self._settle()

    @classmethod
    def new(
        cls,
        title_id: str,
        players: Sequence[tuple[PlayerId, str]],
        seed: int,
        profile: str = "rulebook",
        options: frozenset[str] = frozenset(),
    ) -> Self:
        """A game before its first action; raises TitleError."""
        return cls(title_id, players, seed, profile, options)

    @classmethod
    def replay(
        cls,
        title_id: str,
        players: Sequence[tuple[PlayerId, str]],
        seed: int,
        profile: str,
        options: frozenset[str],
        actions: Iterable[Action],
    ) -> Self:
        """A game after these actions, each checked like a player's; raises ReplayDiverged."""
        game = cls(title_id, players, seed, profile, options)
        for number, action in enumerate(actions, 1):
            try:
                game.apply(action)
            except IllegalAction as problem:
                raise ReplayDiverged(number, str(problem)) from problem
        return game

    @property
    def seq(self) -> int:
        """How many actions have been applied."""
        return len(self.actions)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.state.over

    def name(self, player: PlayerId) -> str:
        """A player's name."""
        return self.table.state.player(player).name

    def round_name(self) -> str:
        """`Auction`, `SR 2`, `OR 2.1`."""
        return self.rules.round(self.table).name(self.table)

    def scores(self) -> dict[PlayerId, int]:
        """Net worth in dollars by player, best first (rulebook 12)."""
        return scores(self.table)

    def offers(self, player: PlayerId | None = None) -> tuple[Offer, ...]:
        """What may be done now (by one player): the blocking step's offers first, in a fixed order."""
        offers = (item.offer for item in self._items())
        return tuple(offer for offer in offers if player is None or offer.actor == player)

    def actors(self) -> tuple[PlayerId, ...]:
        """Whose turn it is: the actors of the blocking offers."""
        return tuple(dict.fromkeys(offer.actor for offer in self.offers() if offer.blocking))

    def step(self) -> Step | None:
        """The step that waits for an answer, None when the game is over."""
        return self._blocking[0].step if self._blocking else None

    def read_routes(self, text: str) -> tuple[str, ...]:
        """Routes typed as `H4-G5-F6` for the operating company, as an action carries them.

        Raises Unreadable, Ambiguous, or IllegalAction with the rule the routes break.
        """
        try:
            return typed_routes(self.table, text)
        except IllegalAction as problem:
            cite(problem, self.rules.spec.sections)
            raise

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Do an action; returns what happened. Raises IllegalAction and changes nothing where it is not legal."""
        step = self._admit(action)
        table = self.table
        table.events = []
        if step.name not in (ConsentStep.name, EndVoteStep.name):
            expire(table)
        step.apply(table, action)
        self._settle()
        self.actions.append(action)
        return tuple(table.events)

    def refusal(self, action: Action) -> str | None:
        """Why the action is not legal now, None if it is."""
        try:
            self._admit(action)
        except IllegalAction as problem:
            return str(problem)
        return None

    def digest(self) -> str:
        """A fingerprint of everything that matters for the rules: 32 hex digits."""
        state = asdict(self.table.state)
        del state["fresh"]
        state["market"] = sorted(state["market"].items())
        text = json.dumps([_set(state), _set(self.table.map.dump())], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    # --- the gate ---------------------------------------------------------------------------------------------

    def _items(self) -> tuple[_Open, ...]:
        """Every offer with its step: the blocking step's, found when the game settled, then those beside it."""
        if self._all is None:
            self._all = self._blocking + tuple(self._beside())
        return self._all

    def _beside(self) -> Iterable[_Open]:
        if self.over:
            return
        blocking = self._blocking[0].step
        if self.table.state.proposal is not None:
            yield from self._instead(self.table.state.proposal.by)
        for step in self.rules.round(self.table).anytime(self.table):
            allowed = not blocking.exclusive or step.name == "end_vote"
            if allowed and not isinstance(blocking, type(step)):
                yield from (_Open(step, offer) for offer in step.offers(self.table))

    def _instead(self, proposer: PlayerId) -> Iterable[_Open]:
        """What whoever waits for an answer may do in its stead; the proposal ends with it."""
        here = self.rules.round(self.table)
        waiting = (
            s for s in here.steps(self.table) if s.name != ConsentStep.name and any(s.offers(self.table))
        )
        beside = (s for s in here.anytime(self.table) if s.name != EndVoteStep.name)
        for step in (*islice(waiting, 1), *beside):
            for offer in step.offers(self.table):
                if offer.actor == proposer:
                    yield _Open(step, replace(offer, blocking=False))

    def _admit(self, action: Action) -> Step:
        """The step that takes the action; raises IllegalAction, citing the title's own sections."""
        try:
            return self._found(action)
        except IllegalAction as problem:
            cite(problem, self.rules.spec.sections)
            raise

    def _found(self, action: Action) -> Step:
        if self.over:
            raise NotOffered("The game is over.")
        wanted = (action.kind, action.actor, action.entity)
        for items in (self._blocking, self._items()):
            for step, offer in items:
                if (offer.kind, offer.actor, offer.entity) == wanted:
                    offer.check(action.chosen())
                    return step
        raise self._not_offered(action)

    def _not_offered(self, action: Action) -> IllegalAction:
        step = self.step()
        assert step is not None
        if action.kind == "end_game" and action.actor in self.table.state.end_votes:
            return NotOffered(f"{self.name(action.actor)} has agreed to end the game already.")
        same = [offer for offer in self.offers() if offer.kind == action.kind]
        if (
            self.actors()
            and action.actor not in self.actors()
            and not any(o.actor == action.actor for o in same)
        ):
            names = " and ".join(self.name(player) for player in self.actors())
            return NotYourTurn(f"It is not your turn: {names} acts ({step.words}).")
        if same and not self._known(action):
            entities = ", ".join(dict.fromkeys(self._named(offer.entity) for offer in same))
            return NotOffered(
                f"This is possible now only for {entities}, not for {self._named(action.entity)}."
            )
        reason = self._reason(step, action)
        kinds = ", ".join(dict.fromkeys(_within(o.label) for o in self.offers(action.actor) if o.blocking))
        allowed = f" Possible now: {kinds}." if kinds else ""
        return NotOffered(f"{reason or 'This is not possible now.'}{allowed}")

    def _reason(self, step: Step, action: Action) -> str | None:
        """Steps that may be taken at any time speak only of their own kinds, so they are asked first."""
        besides = () if step.exclusive else self.rules.round(self.table).anytime(self.table)
        reasons = (beside.why_not_this(self.table, action) for beside in besides)
        return next(filter(None, reasons), None) or step.why_not_this(self.table, action)

    def _known(self, action: Action) -> bool:
        """Whether the step knows a closer reason than the entity: several may lay tiles, in turn."""
        state = self.table.state
        return action.kind == "lay_tile" and action.entity in {*state.privates, *state.companies}

    def _named(self, entity: EntityId) -> str:
        return self.name(entity) if self.table.state.is_player(entity) else entity

    def _settle(self) -> None:
        """Pass over whatever offers nothing, until somebody has to decide or the game is over."""
        self._all = None
        self._blocking = ()
        while not self.over and not self._find_blocking():
            self.rules.round(self.table).advance(self.table)

    def _find_blocking(self) -> bool:
        """Whether a step of the present turn waits; steps without offers are skipped on the way."""
        for step in self.rules.round(self.table).steps(self.table):
            self._blocking = tuple(_Open(step, offer) for offer in step.offers(self.table))
            if self._blocking:
                return True
            step.skip(self.table)
        return False


def _set(value: object) -> object:
    """The value without fields that are empty, zero or False: a field added later keeps the digests of old games."""
    if isinstance(value, dict):
        return {name: _set(held) for name, held in value.items() if held}
    if isinstance(value, list | tuple):
        return [_set(held) for held in value]
    return value
