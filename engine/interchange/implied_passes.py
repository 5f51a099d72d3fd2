"""Detects passes in 18xx.games logs that our game does not need, because their turn or step is already over.

18xx.games also asks players who have no possible action, and records their pass. The import skips the pass of a company
that is operating, and of a company or (in a stock round) player whose turn ended with the last action. It never skips a
pass in an auction or between the two tiles of a private. If the log and our game really differ, the next action fails.
"""

from dataclasses import dataclass

from engine.core.actions import Action, Pass
from engine.core.ids import EntityId
from engine.core.state import Operating, Round, State, Stock
from engine.game import Game


@dataclass(frozen=True, slots=True)
class TurnSnapshot:
    """The turn at one moment of the game; a later comparison shows which turns have ended.

    In an operating round, `turn` is the number of companies that have operated; in other rounds, it is the seat of the
    player who must act.
    """

    round: Round
    turn: int


def turn_snapshot(state: State) -> TurnSnapshot:
    """A snapshot of the current turn."""
    current_round = state.round
    return TurnSnapshot(
        current_round, len(current_round.done) if isinstance(current_round, Operating) else current_round.turn
    )


def is_implied_pass(
    game: Game, entity: EntityId, turn_before: TurnSnapshot, last_action: Action | None
) -> bool:
    """True if the import skips a recorded pass, because the passing player's or company's turn is already over.

    `last_action` is the action before the pass, which can itself be a skipped pass. `turn_before` is the turn before
    the last action that was not skipped.
    """
    state = game.table.state
    if state.is_player(entity):
        is_second_pass = isinstance(last_action, Pass) and last_action.entity == entity
        return (
            state.auction is None
            and not is_second_pass
            and state.seat(entity) in _seats_whose_turn_ended(state, turn_before)
        )
    turn = state.round.turn if isinstance(state.round, Operating) else None
    if turn is not None and turn.pair:
        return False
    private = state.privates.get(entity)
    company = entity if private is None else private.owner
    return company in _companies_whose_turn_ended(state, turn_before)


def _companies_whose_turn_ended(state: State, turn_before: TurnSnapshot) -> list[EntityId]:
    current_round = state.round
    companies_done_in_old_round = (
        turn_before.round.done[turn_before.turn :] if isinstance(turn_before.round, Operating) else []
    )
    if not isinstance(current_round, Operating):
        return companies_done_in_old_round
    companies_done_in_new_round = current_round.done if current_round is not turn_before.round else []
    return [
        *companies_done_in_old_round,
        *companies_done_in_new_round,
        *([current_round.turn.company] if current_round.turn else []),
    ]


def _seats_whose_turn_ended(state: State, turn_before: TurnSnapshot) -> set[int]:
    current_round, seat_count = state.round, len(state.players)
    ended_seats = (
        _seats_between(turn_before.turn, turn_before.round.turn, seat_count)
        if isinstance(turn_before.round, Stock)
        else set()
    )
    if isinstance(current_round, Stock) and current_round is not turn_before.round:
        ended_seats |= _seats_between(state.priority, current_round.turn, seat_count)
    return ended_seats


def _seats_between(first_seat: int, end_seat: int, seat_count: int) -> set[int]:
    return {(first_seat + distance) % seat_count for distance in range((end_seat - first_seat) % seat_count)}
