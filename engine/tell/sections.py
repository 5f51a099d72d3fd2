"""Sentences of the steps that titles share cite 18Chesapeake's sections; other titles say where they have the rule."""

import re
from collections.abc import Mapping

_CITED = re.compile(r"\((?:section )?\d+(?:\.\d+)*(?:, \d+(?:\.\d+)*)*\)")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")


def cited(sentence: str, sections: Mapping[str, str]) -> str:
    """The sentence with every cited section replaced by the title's own; unknown ones stay as they are."""

    def own(found: re.Match[str]) -> str:
        numbers = [sections.get(number, number) for number in _NUMBER.findall(found[0])]
        word = "section " if found[0].startswith("(section") else ""
        return f"({word}{', '.join(dict.fromkeys(numbers))})"

    return _CITED.sub(own, sentence)
