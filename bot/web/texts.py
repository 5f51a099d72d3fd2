"""Lines of the thread as the page shows them: without Discord's marks, and without its numbers of people."""

import re
from typing import Final

_MENTION: Final = re.compile(r"<[@#&!]+[0-9]+>")
_TIME: Final = re.compile(r" ?<t:[0-9]+(:[A-Za-z])?>")
_NUMBERED: Final = re.compile(r"^`[0-9]+` ")
_MARKS: Final = re.compile(r"\*\*|__|~~|`|^-# |^> ", re.MULTILINE)
SOMEBODY: Final = "somebody"
"""In place of a mention: the page knows nobody's account."""


def plain_text(line: str) -> str:
    """A line without marks, and without the number of its move in front."""
    return _MARKS.sub("", _TIME.sub("", _MENTION.sub(SOMEBODY, _NUMBERED.sub("", line)))).replace("\\", "")
