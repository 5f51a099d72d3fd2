"""Words at the table: how they are marked up, and who tells the facts of a game."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from bot.table.errors import Refused
from engine.core.errors import EngineError, IllegalAction, ReplayDiverged
from engine.game import Game
from engine.tell.teller import Teller
from engine.tell.words import Names, Style, Words, english


def strong(text: str) -> str:
    """The text with emphasis."""
    return f"**{text}**"


def heading(text: str) -> str:
    """The text as a heading."""
    return f"__{text}__"


MARKDOWN: Final = Style(strong, heading)
"""How messages are marked up. Buttons and menus take no marks."""


def plain(game: Game) -> Teller:
    """Who tells what stands on buttons, in menus and in the lists that complete a command."""
    return Teller(game.rules.spec, game.table.state)


def marked(game: Game) -> Teller:
    """Who tells what stands in messages."""
    return Teller(game.rules.spec, game.table.state, style=MARKDOWN)


@contextmanager
def in_words(game: Game) -> Iterator[None]:
    """What the rules refuse within becomes a sentence for the person who asked."""
    try:
        yield
    except IllegalAction as problem:
        raise Refused(marked(game).refusal(problem)) from problem


def without_game(error: EngineError) -> str:
    """What is wrong where there is no game that knows names and sections."""
    reason = error.reason if isinstance(error, IllegalAction | ReplayDiverged) else None
    if reason is None:
        return str(error)
    said = Words(english(), Names()).say(reason).rstrip(".")
    return f"action {error.seq}: {said}." if isinstance(error, ReplayDiverged) else f"{said}."


def sentence_list(items: Iterable[str]) -> str:
    """`a, b and c`."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
