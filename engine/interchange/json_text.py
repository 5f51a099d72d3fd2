"""JSON as files of games have it: no number that is none, and nested no deeper than can be read."""

import json
from math import isfinite
from typing import Any, NoReturn

from engine.core.errors import Unreadable
from engine.core.facts import fact


def read_json(text: str | bytes) -> Any:
    """What the text holds; raises Unreadable with what is wrong."""
    try:
        return json.loads(text, parse_float=_number, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise Unreadable(fact("log.not_text")) from error
    except ValueError as error:
        raise Unreadable(fact("log.incomplete", detail=str(error))) from error
    except RecursionError as error:
        raise Unreadable(fact("log.too_deep")) from error


def _number(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:20]} is not a number that can be read")
