"""Discord texts about a game (headings, turn, position, thread name), and the splitting of long texts."""

from collections.abc import Sequence
from typing import Final

from bot.table.live import LiveGame
from bot.table.markdown import sentence_list, strong
from engine.views import TurnView
from storage import GameRow

MAX_MESSAGE_LENGTH: Final = 2000
"""Discord's limit for the characters of a message."""


def position_text(live: LiveGame, view: TurnView) -> str:
    """Sentences for the board post: round, phase, whose turn it is and, once the end is certain, the rounds left."""
    game = f"{strong(live.row.name)}, game {live.id}"
    if view.is_over:
        return f"{game}: over."
    players = sentence_list(map(strong, view.actor_names))
    turn = f"It is {players}'s turn." if players else ""
    sentences = (f"{game}: {view.round_name}, phase {view.phase}.", turn, view.ending)
    return " ".join(filter(None, sentences))


def bank_text(live: LiveGame, view: TurnView) -> str:
    """A sentence for the board post: the number of the last move, and the bank's money."""
    return f"After move {live.seq} the bank has {view.bank}."


def board_title(row: GameRow) -> str:
    """The heading of a game's board post: name and number."""
    return f"{row.name}, game {row.id}"


def game_title(row: GameRow) -> str:
    """The heading of messages about a game in its channel: number and name, in bold."""
    return strong(f"Game {row.id}: {row.name}")


def not_shown_text(why: str) -> str:
    """A note for the user that the thread does not show a move yet, with the reason."""
    return f"The thread does not show it yet. {why} The bot shows it as soon as that is fixed."


def message_pieces(text: str, max_length: int = MAX_MESSAGE_LENGTH) -> list[str]:
    """A text split at line ends into pieces that each fit into one message."""
    pieces: list[str] = []
    rest = text
    while len(rest) > max_length:
        cut_index = rest.rfind("\n", 1, max_length + 1)
        cut_index = cut_index if cut_index > 0 else max_length
        pieces.append(rest[:cut_index])
        rest = rest[cut_index:].lstrip("\n")
    return [*pieces, rest]


def heading(view: TurnView) -> str:
    """The first line about a turn: the round, whose turn it is, and their money."""
    money_facts_text = f" ({view.facts_text})" if view.facts_text else ""
    return f"{strong(f'{view.round_name}: {view.entity_name}')}{money_facts_text}"


def steps_text(view: TurnView) -> str:
    """A line with the steps of a turn (lay track, tokens ...), marked as done, current or to come."""
    if not view.steps:
        return ""
    step_texts = (
        strong(f"▸ {step_name}") if is_current else f"✓ {step_name}" if is_done else step_name
        for step_name, is_done, is_current in view.steps
    )
    return "-# " + " · ".join(step_texts)


def thread_name(game_id: int, name: str, player_names: Sequence[str]) -> str:
    """The name of a game's thread: title, number and players, cut to 100 characters."""
    return f"{name} {game_id}: {', '.join(player_names)}"[:100]
