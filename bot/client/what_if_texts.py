"""What the message of a what-if says: its moves, the comparison with the game, and what could come next."""

from collections.abc import Sequence
from typing import Final

from bot.client.game_texts import LONGEST_MESSAGE, heading, steps
from bot.table.style import sentence_list, strong
from bot.table.tables import Outcome
from bot.table.what_if.trying import Sight
from bot.table.what_if.what_ifs import Step, WhatIf
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


MAKES: Final = (
    "They are made in the game one after the other, as if you pressed their buttons; "
    "the first that is not possible any more stops them."
)
ONLY_OWN: Final = "The moves of the other players, and what follows them, are not made."


def make_label(what_if: WhatIf) -> str:
    """`Make this move`, or how many."""
    count = len(what_if.own)
    return "Make this move" if count == 1 else f"Make these {count} moves"


def make_text(what_if: WhatIf) -> str:
    """The question before the moves of a what-if are made, which lists them."""
    own = what_if.own
    others = ONLY_OWN if len(own) < len(what_if.steps) else ""
    parts = (strong(f"{make_label(what_if)}?"), *_numbered(own), MAKES, others)
    return "\n".join(part for part in parts if part)[:LONGEST_MESSAGE]


def made_text(what_if: WhatIf, made: Sequence[Outcome], why: str) -> str:
    """What was made of a what-if, and (`why`) what has stopped the rest."""
    parts = [outcome.done() for outcome in made]
    if why:
        number = len(made) + 1
        left = len(what_if.own) - len(made)
        rest = f"move {number}" if left == 1 else f"moves {number} to {len(what_if.own)}"
        parts.append(f"{strong(f'Not made: {rest} of the what-if.')} {why}")
    return "\n".join(parts)


def what_if_text(sight: Sight, latest: int) -> str:
    """All of it; `latest` is the last row of the log of the game itself."""
    what_if = sight.what_if
    parts = (
        f"{strong(HEAD)}, from the position after move {what_if.base}{'' if what_if.steps else ': try a move.'}",
        PRIVATE,
        *_numbered(what_if.steps),
        f"> {' · '.join(sight.changes)}" if sight.changes else "",
        f"{strong('Not possible')}: {sight.note}" if sight.note else "",
        ENDS if sight.turn is None else _next(sight, sight.turn),
        MOVED_ON.format(latest) if latest != what_if.base else "",
    )
    return "\n".join(part for part in parts if part)[:LONGEST_MESSAGE]


def _numbered(tried: Sequence[Step]) -> list[str]:
    """A number for each move, with its lines and those of automatic moves after it."""
    texts = ["\n".join(step.lines) for step in tried]
    numbered = [f"{number}. {text}" for number, text in enumerate(texts, 1)]
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
