"""The answer to /why: the rule against a move, and the legal alternatives."""

from bot.table.markdown import markdown_teller
from bot.table.moves.moves import TypedMove
from bot.table.moves.slot_values import open_slot_text
from engine import Game, IllegalAction, NotYourTurn, PlayerId, hides_cards


def possible_text(game: Game, player: PlayerId, move: TypedMove) -> str:
    """A sentence that a move is possible as typed so far, with the values still missing; raises IllegalAction.

    If it is not the player's turn, the answer assumes that it is, except in a draft of hidden cards.
    """
    try:
        return f"This is possible now.{_missing_values(game, player, move)}"
    except NotYourTurn:
        game_on_turn = None if hides_cards(game) else game.copy_with_turn_of(player, move.kind)
        if game_on_turn is None:
            raise
    try:
        return f"This would be possible on your turn.{_missing_values(game_on_turn, player, move)}"
    except IllegalAction as problem:
        return f"On your turn this would be refused: {markdown_teller(game_on_turn).refusal(problem)}"


def _missing_values(game: Game, player: PlayerId, move: TypedMove) -> str:
    cursor = move.partial_cursor(game, player)
    return "" if cursor.slot is None else f" {open_slot_text(game, cursor)}"
