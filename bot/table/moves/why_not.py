"""Answers to `/why`: the rule that forbids a move, and the legal alternatives."""

from bot.table.markdown import markdown_teller
from bot.table.moves.moves import TypedMove
from bot.table.moves.slot_values import missing_value_text
from engine import Game, IllegalAction, NotYourTurn, PlayerId, has_hidden_cards


def why_not_text(game: Game, player: PlayerId, move: TypedMove) -> str:
    """A sentence that the typed move is possible, and which values are missing.

    On another player's turn, the sentence says if the move would be possible on the player's own turn, or why not.
    Raises IllegalAction if it is the player's turn and the move is not possible. Raises NotYourTurn if nothing can be
    said about the player's own turn, as in a draft of hidden cards.
    """
    try:
        return f"This is possible now.{_missing_values(game, player, move)}"
    except NotYourTurn:
        game_on_turn = None if has_hidden_cards(game) else game.copy_with_turn_of(player, move.kind)
        if game_on_turn is None:
            raise
    try:
        return f"This would be possible on your turn.{_missing_values(game_on_turn, player, move)}"
    except IllegalAction as problem:
        return f"On your turn this would be refused: {markdown_teller(game_on_turn).refusal(problem)}"


def _missing_values(game: Game, player: PlayerId, move: TypedMove) -> str:
    cursor = move.partial_cursor(game, player)
    return "" if cursor.slot is None else f" {missing_value_text(game, cursor)}"
