"""JSON as files of games have it: no number that is none, no larger and nested no deeper than a game is."""

import json
import re
from itertools import accumulate
from math import isfinite
from typing import Any, Final, NoReturn

from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.interchange.size_limits import DEEPEST, require_depth, require_size

_NOT_NESTING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|[^"\[\]{}]+', re.DOTALL)
"""Strings, and all between them but brackets."""
_NESTING: Final = {"[": 1, "{": 1, "]": -1, "}": -1}


def read_json(text: str | bytes) -> Any:
    """What the text holds; raises Unreadable with what is wrong."""
    require_size(text)
    try:
        written = text if isinstance(text, str) else text.decode("utf-8-sig")
        found = json.loads(written, parse_float=_number, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise Unreadable(fact("log.not_text")) from error
    except ValueError as error:
        raise Unreadable(fact("log.incomplete", detail=str(error))) from error
    except RecursionError as error:
        raise Unreadable(fact("log.too_deep", most=DEEPEST)) from error
    require_depth(depth(written))
    return found


def depth(written: str) -> int:
    """How many lists and objects are in each other at most in a text that is JSON."""
    return max(accumulate(map(_NESTING.__getitem__, _NOT_NESTING.sub("", written))), default=0)


def _number(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not a number that can be read")
