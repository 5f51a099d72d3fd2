"""Lines of the thread as the page shows them: without Discord's markup, and without its numbers of people."""

import re
from typing import Final

SOMEBODY: Final = "somebody"
"""In place of a mention: the page knows nobody's account."""
_MARKUP: Final = re.compile(
    r"""\\(?P<escaped>[^a-zA-Z0-9\s])      # a character that is meant as it is
    | (?P<mention> <[@#&!]+[0-9]+> )
    | [ ]? <t:[0-9]+ (?: :[A-Za-z])? >      # a time, which only Discord can tell in the zone of its reader
    | ^ `[0-9]+` [ ]                        # the number of a move
    | ^ (?: -\#[ ] | \#{1,3}[ ] | >{1,3}[ ] )
    | \[ (?P<linked>[^\]\n]+) \] \( [^)\s]+ \)
    | \*+ | __ | ~~ | \|\| | `+
    | (?<!\w) _ (?=\S) | (?<=\S) _ (?!\w)   # of words in italics
    """,
    re.MULTILINE | re.VERBOSE,
)


def plain_text(line: str) -> str:
    """A line without markup, and without the number of its move in front."""
    return _MARKUP.sub(_letters, line)


def _letters(found: re.Match[str]) -> str:
    if found["linked"]:
        return plain_text(found["linked"])
    return SOMEBODY if found["mention"] else found["escaped"] or ""
