"""What the message of a what-if says: its moves, the comparison with the game, and what could come next."""

from typing import Final

from bot.client.texts.game_texts import LONGEST_MESSAGE, heading, steps
from bot.table.style import sentence_list, strong
from bot.table.what_if.trying import Sight
from engine.tell.views import TurnView

HEAD: Final = "What if"
PRIVATE: Final = "-# Nothing of this is stored, and only you see it."
ROOM: Final = 1100
"""Characters of what was tried, of those that a message takes; of more, the last lines."""
MOST_WORDS: Final = 12
"""At most this many offers are named."""
ENDS: Final = (
    "The what-if ends here: money is secret, and what comes next depends on what others have. "
    "*Back* undoes the last move."
)
MOVED_ON: Final = "-# The game itself has gone on since, to move {}: *Again from now* tries the same there."


def what_if_text(sight: Sight, latest: int) -> str:
    """All of it; `latest` is the last row of the log of the game itself."""
    what_if = sight.what_if
    parts = (
        f"{strong(HEAD)}, from the position after move {what_if.base}{'' if what_if.steps else ': try a move.'}",
        PRIVATE,
        *_tried(sight),
        f"> {' · '.join(sight.changes)}" if sight.changes else "",
        f"{strong('Not possible')}: {sight.note}" if sight.note else "",
        ENDS if sight.turn is None else _next(sight, sight.turn),
        MOVED_ON.format(latest) if latest != what_if.base else "",
    )
    return "\n".join(part for part in parts if part)[:LONGEST_MESSAGE]


def _tried(sight: Sight) -> list[str]:
    """A number for each move, with its lines and those of automatic moves after it."""
    told = ["\n".join(step.lines) for step in sight.what_if.steps]
    numbered = [f"{number}. {text}" for number, text in enumerate(told, 1)]
    kept: list[str] = []
    for text in reversed(numbered):
        if kept and sum(map(len, kept)) + len(text) > ROOM:
            break
        kept.insert(0, text[:ROOM])
    more = len(numbered) - len(kept)
    return [f"-# {more} earlier", *kept] if more else kept


def _next(sight: Sight, turn: TurnView) -> str:
    """Whose turn it is, in which step, and what they can do."""
    if turn.over:
        return f"{strong('The game is over.')}"
    named = sight.words[:MOST_WORDS]
    words = [*named, "more"] if len(sight.words) > len(named) else named
    who = strong(sentence_list(turn.actor_names))
    return "\n".join(filter(None, (heading(turn), steps(turn), f"{who} can: {', '.join(words)}.")))
