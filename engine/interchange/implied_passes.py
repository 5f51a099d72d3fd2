"""Passes in a log that our game does not ask for, because their turn or step is over already.

That site asks in places where nothing can be done, and records the answer. Such a pass changes nothing if
it is by the company that operates, or by a company or, in a stock round, a player whose turn ended with the
last action. In an auction every pass counts, and so it does between the two tiles of a private. What was
really played differently shows in the very next action.
"""

from dataclasses import dataclass

from engine.core.actions import Action, Pass
from engine.core.ids import EntityId
from engine.core.state import Operating, Round, State, Stock
from engine.game import Game


@dataclass(frozen=True, slots=True)
class Moment:
    """The turn just before an action: the round, with the companies done in it or the seat on turn."""

    round: Round
    turn: int


def turn_moment(state: State) -> Moment:
    """The present moment."""
    now = state.round
    return Moment(now, len(now.done) if isinstance(now, Operating) else now.turn)


def is_implied_pass(game: Game, entity: EntityId, before: Moment, last: Action | None) -> bool:
    """True if a pass by the entity, which is not offered, ends nothing.

    `before` is the moment before the last action that was done, `last` that action, or a pass already
    skipped.
    """
    state = game.table.state
    if state.is_player(entity):
        again = isinstance(last, Pass) and last.entity == entity
        return state.auction is None and not again and state.seat(entity) in _seats_ended(state, before)
    turn = state.round.turn if isinstance(state.round, Operating) else None
    if turn is not None and turn.pair:
        return False
    private = state.privates.get(entity)
    company = entity if private is None else private.owner
    return company in _companies(state, before)


def _companies(state: State, before: Moment) -> list[EntityId]:
    now = state.round
    ended = before.round.done[before.turn :] if isinstance(before.round, Operating) else []
    if not isinstance(now, Operating):
        return ended
    begun = now.done if now is not before.round else []
    return [*ended, *begun, *([now.turn.company] if now.turn else [])]


def _seats_ended(state: State, before: Moment) -> set[int]:
    now, seats = state.round, len(state.players)
    ended = _seats(before.turn, before.round.turn, seats) if isinstance(before.round, Stock) else set()
    if isinstance(now, Stock) and now is not before.round:
        ended |= _seats(state.priority, now.turn, seats)
    return ended


def _seats(first: int, end: int, seats: int) -> set[int]:
    return {(first + ahead) % seats for ahead in range((end - first) % seats)}
