"""Discord markdown in messages: bold text, headings, lists and links."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from bot.table.errors import Refused
from engine import Game, IllegalAction, Teller, teller_of
from engine import words as rule_words
from storage import GameRow as Row


def strong(text: str) -> str:
    """The text in bold."""
    return f"**{text}**"


def without_markdown(text: str) -> str:
    """The text without markdown."""
    return text.replace("*", "").replace("__", "").replace("`", "").removeprefix("-# ")


def heading(text: str) -> str:
    """The text as an underlined heading."""
    return f"__{text}__"


MARKDOWN: Final = rule_words.Style(strong, heading)
"""The markup that the engine uses in texts for messages. Texts for buttons and menus have no markup."""


def plain_teller(game: Game) -> Teller:
    """The engine's Teller (text writer) for this game without markup, for buttons, menus and autocomplete."""
    return teller_of(game)


def markdown_teller(game: Game) -> Teller:
    """The engine's Teller (text writer) for this game with markdown, for messages."""
    return teller_of(game, MARKDOWN)


@contextmanager
def refusing_illegal_actions(game: Game) -> Iterator[None]:
    """Context that turns an IllegalAction into Refused, with the rule in words."""
    try:
        yield
    except IllegalAction as problem:
        raise Refused(markdown_teller(game).refusal(problem)) from problem


def discord_time(moment: datetime, style: str = "f") -> str:
    """Markup for a time that Discord shows in each reader's time zone; form `R` is relative ("in 2 hours")."""
    return f"<t:{int(moment.timestamp())}:{style}>"


def sentence_list(items: Iterable[str]) -> str:
    """The items joined for a sentence: `a, b and c`."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def message_link(row: Row, message_id: int) -> str:
    """The URL of a message (by id) in the game's thread."""
    return f"https://discord.com/channels/{row.guild_id}/{row.thread_id}/{message_id}"


def count_noun(number: int, noun: str) -> str:
    """A number with its noun: `1 move`, `2 moves`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
