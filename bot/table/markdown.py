"""Markdown of messages: emphasis, headings, lists, links, and display names that are harmless in it and distinct."""

import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, count
from typing import Final

from bot.table.errors import Refused
from engine import Game, IllegalAction, Teller, teller_of
from engine import words as rule_words
from storage import GameRow as Row


def strong(text: str) -> str:
    """The text with emphasis."""
    return f"**{text}**"


def unmarked(text: str) -> str:
    """The text without emphasis, for where Discord shows no marks."""
    return text.replace("*", "").replace("__", "").replace("`", "").removeprefix("-# ")


def heading(text: str) -> str:
    """The text as a heading."""
    return f"__{text}__"


MARKDOWN: Final = rule_words.Style(strong, heading)
"""How messages are marked up. Buttons and menus take no marks."""


def plain(game: Game) -> Teller:
    """Who tells what stands on buttons, in menus and in the lists that complete a command."""
    return teller_of(game)


def marked(game: Game) -> Teller:
    """The source of the words in messages."""
    return teller_of(game, MARKDOWN)


@contextmanager
def as_refusals(game: Game) -> Iterator[None]:
    """What the rules refuse within becomes a sentence for the person who asked."""
    try:
        yield
    except IllegalAction as problem:
        raise Refused(marked(game).refusal(problem)) from problem


def discord_time(at: datetime, form: str = "f") -> str:
    """A timestamp as Discord shows it, in each reader's own zone; the form `R` says how far away it is."""
    return f"<t:{int(at.timestamp())}:{form}>"


def sentence_list(items: Iterable[str]) -> str:
    """`a, b and c`."""
    words = list(items)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


def message_link(row: Row, message: int) -> str:
    """Where a message of the game's thread is found."""
    return f"https://discord.com/channels/{row.guild_id}/{row.thread_id}/{message}"


def count_noun(number: int, what: str) -> str:
    """`1 move`, `2 moves`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


LONGEST_NAME: Final = 32
"""Characters of a display name."""
NAMELESS: Final = "Player"
"""The name of a user of whose name nothing is left."""
LOCOMOTIVES: Final = ("Adler", "Comet", "Lion", "Mogul", "Novelty", "Planet", "Rocket", "Samson")
"""Names of computer players: narrow tables show eight letters."""
MARKS_IN_A_ROW: Final = 2
"""Accents on one letter; more of them would cover the lines around."""
MARKUP: Final = frozenset("*_~`|<>@#\\[](){}:/")
"""What Discord reads as emphasis, a mention, a link, a heading or code, and the brackets of namesakes' numbers."""
BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that Unicode classes as letters or signs and that show nothing."""
ALIKE: Final = str.maketrans(
    "аьвсԁеғԍһіјкӏмпоԛргѕтиѵԝхуᴢαβγεηικνορτυχωⅼıłø013568|!",
    "abbcdefghijklmnoqprstuvwxyzabyenikvoptuxwliloolesbbll",
)
"""Letters of other alphabets and digits, and the Latin letters that they resemble."""


def harmless(name: str) -> str:
    """A display name of visible characters that mean nothing to Discord, at most 32; letters in their plain forms."""
    plain = unicodedata.normalize("NFKC", name)
    seen = "".join(_fewer_marks(" " if letter in MARKUP or letter.isspace() else letter for letter in plain))
    return " ".join(seen.split())[:LONGEST_NAME].strip(" -+=.") or NAMELESS


def distinct_name(name: str, others: Collection[str]) -> str:
    """A harmless name, with a number behind it where it looks like one of the others."""
    plain, taken = harmless(name), {look_alike_key(other) for other in others}
    if look_alike_key(plain) not in taken:
        return plain
    numbered = (f"{plain} ({number})" for number in count(2))
    return next(name for name in numbered if look_alike_key(name) not in taken)


def computer_name(kind: str, others: Collection[str]) -> str:
    """A computer player's name: a locomotive with which no other name begins, and the kind: `Comet (Conductor)`."""
    taken = [look_alike_key(other) for other in others]
    names = chain(LOCOMOTIVES, (f"No. {number}" for number in count(len(LOCOMOTIVES) + 1)))
    free = (name for name in names if not any(other.startswith(look_alike_key(name)) for other in taken))
    return f"{next(free)} ({kind})"


def look_alike_key(name: str) -> str:
    """What a name looks like, whatever its alphabet, case, accents and spaces: the same for two that are read alike."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in parts if letter.isalnum() or letter in "|!()")
    return letters.translate(ALIKE).replace("rn", "m").replace("vv", "w").replace("l", "i")


def _fewer_marks(letters: Iterator[str]) -> Iterator[str]:
    """Without what shows nothing, and without marks stacked up."""
    marks = 0
    for letter in letters:
        mark = unicodedata.category(letter).startswith("M")
        marks = marks + 1 if mark else 0
        if letter.isprintable() and letter not in BLANK and not _selects(letter) and marks <= MARKS_IN_A_ROW:
            yield letter


def _selects(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(("VARIATION SELECTOR", "MONGOLIAN FREE VARIATION"))
