"""Markdown in messages: emphasis, headings, lists and links."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from bot.table.errors import Refused
from engine import Game, IllegalAction, Teller, teller_of
from engine import words as rule_words
from storage import GameRow as Row


def strong(text: str) -> str:
    """The text with emphasis."""
    return f"**{text}**"


def unmarked(text: str) -> str:
    """The text without emphasis marks."""
    return text.replace("*", "").replace("__", "").replace("`", "").removeprefix("-# ")


def heading(text: str) -> str:
    """The text as a heading."""
    return f"__{text}__"


MARKDOWN: Final = rule_words.Style(strong, heading)
"""The engine's markup for messages; buttons and menus have none."""


def plain_teller(game: Game) -> Teller:
    """A teller that writes plain text, for buttons, menus and autocomplete."""
    return teller_of(game)


def markdown_teller(game: Game) -> Teller:
    """A teller that writes markdown, for messages."""
    return teller_of(game, MARKDOWN)


@contextmanager
def as_refusals(game: Game) -> Iterator[None]:
    """Raise Refused, with the reason in words, for an IllegalAction within the context."""
    try:
        yield
    except IllegalAction as problem:
        raise Refused(markdown_teller(game).refusal(problem)) from problem


def discord_time(moment: datetime, form: str = "f") -> str:
    """A timestamp that Discord shows in each reader's time zone; form `R` is relative ("in 2 hours")."""
    return f"<t:{int(moment.timestamp())}:{form}>"


def sentence_list(items: Iterable[str]) -> str:
    """`a, b and c`."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def message_link(row: Row, message: int) -> str:
    """The link to a message in the game's thread."""
    return f"https://discord.com/channels/{row.guild_id}/{row.thread_id}/{message}"


def count_noun(number: int, noun: str) -> str:
    """A number with its noun: `1 move`, `2 moves`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
