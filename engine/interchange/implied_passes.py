"""Passes in a log that our game does not ask for, because their turn or step is already over.

18xx.games also asks where no action is possible, and records the answer. Such a pass changes nothing if it is made by
the operating company, or by a company or (in a stock round) a player whose turn ended with the last action. In an
auction every pass counts, and between the two tiles of a private as well. If the games really differ, the next action
shows it.
"""

from dataclasses import dataclass

from engine.core.actions import Action, Pass
from engine.core.ids import EntityId
from engine.core.state import Operating, Round, State, Stock
from engine.game import Game


@dataclass(frozen=True, slots=True)
class TurnMoment:
    """The turn just before an action: the round, with the number of companies that operated or the seat to act."""

    round: Round
    turn: int


def turn_moment(state: State) -> TurnMoment:
    """The turn in this position."""
    current_round = state.round
    return TurnMoment(
        current_round, len(current_round.done) if isinstance(current_round, Operating) else current_round.turn
    )


def is_implied_pass(
    game: Game, entity: EntityId, moment_before: TurnMoment, last_action: Action | None
) -> bool:
    """True if a pass by the entity, although it is not offered, can be skipped because its turn is over.

    `moment_before` is the turn before the last action, `last_action` is this action or a pass that was skipped.
    """
    state = game.table.state
    if state.is_player(entity):
        is_second_pass = isinstance(last_action, Pass) and last_action.entity == entity
        return (
            state.auction is None
            and not is_second_pass
            and state.seat(entity) in _seats_ended(state, moment_before)
        )
    turn = state.round.turn if isinstance(state.round, Operating) else None
    if turn is not None and turn.pair:
        return False
    private = state.privates.get(entity)
    company = entity if private is None else private.owner
    return company in _companies_just_done(state, moment_before)


def _companies_just_done(state: State, moment_before: TurnMoment) -> list[EntityId]:
    current_round = state.round
    done_in_old_round = (
        moment_before.round.done[moment_before.turn :] if isinstance(moment_before.round, Operating) else []
    )
    if not isinstance(current_round, Operating):
        return done_in_old_round
    done_in_new_round = current_round.done if current_round is not moment_before.round else []
    return [
        *done_in_old_round,
        *done_in_new_round,
        *([current_round.turn.company] if current_round.turn else []),
    ]


def _seats_ended(state: State, moment_before: TurnMoment) -> set[int]:
    current_round, seat_count = state.round, len(state.players)
    ended_seats = (
        _seats_between(moment_before.turn, moment_before.round.turn, seat_count)
        if isinstance(moment_before.round, Stock)
        else set()
    )
    if isinstance(current_round, Stock) and current_round is not moment_before.round:
        ended_seats |= _seats_between(state.priority, current_round.turn, seat_count)
    return ended_seats


def _seats_between(first_seat: int, end_seat: int, seat_count: int) -> set[int]:
    return {(first_seat + distance) % seat_count for distance in range((end_seat - first_seat) % seat_count)}
