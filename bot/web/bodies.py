"""What the page sends, checked before anything is done with it."""

import json
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from aiohttp import web

from bot.web.access import Denied
from bot.web.tries import Tried
from render import THEME_NAMES

MOST_PICKS: Final = 12
"""Slots of an offer, and some more."""
LONGEST_PICK: Final = 2_000
"""Letters of typed routes that are read."""
MOST_TRIED: Final = 50
"""Moves of a what-if."""
NONSENSE: Final = "That is no question and no move."
_TEXTS: Final = ("key", "move", "theme", "have", "market", "choice", "what", "private", "then")


class Body(NamedTuple):
    """What comes with a move, a question, or an order."""

    seq: int = 0
    key: str = ""
    picks: tuple[str, ...] = ()
    move: str = ""
    sure: bool = False
    theme: str = "ours"
    have: str = ""
    market: str = ""
    tried: tuple[Tried, ...] = ()
    choice: str = ""
    what: str = ""
    private: str = ""
    then: str = ""
    most: int = 0
    to: int | None = None
    number: int = 0
    maxima: dict[str, int] = {}  # noqa: RUF012 - nobody changes it


async def body_of(request: web.Request) -> Body:
    """What the page has sent; raises Denied for what makes no sense."""
    try:
        found = json.loads(await request.text())
        if not isinstance(found, dict) or "seq" not in found:
            raise ValueError
        body = Body(**{name: found[name] for name in Body._fields if name in found})
        if not isinstance(body.maxima, dict):
            raise ValueError
        body = body._replace(picks=_picks(body.picks), tried=_tried(body.tried), sure=body.sure is True)
    except (ValueError, TypeError, AttributeError):
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, NONSENSE) from None
    numbers = body.seq, body.most, body.number, body.to or 0, *body.maxima.values()
    texts = [getattr(body, name) for name in _TEXTS]
    if not all(type(one) is int for one in numbers) or not all(map(_is_text, texts)):
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, NONSENSE)
    if body.theme not in THEME_NAMES:
        raise Denied(HTTPStatus.UNPROCESSABLE_ENTITY, NONSENSE)
    return body


def _picks(value: Any) -> tuple[str, ...]:
    """Values that are picked; raises ValueError."""
    if not isinstance(value, list | tuple) or len(value) > MOST_PICKS or not all(map(_is_text, value)):
        raise ValueError
    return tuple(value)


def _tried(value: Any) -> tuple[Tried, ...]:
    """Moves that are tried; raises ValueError."""
    if not isinstance(value, list | tuple) or len(value) > MOST_TRIED:
        raise ValueError
    found = [Tried(one.get("move", ""), one.get("key", ""), _picks(one.get("picks", []))) for one in value]
    if not all(_is_text(one.move) and _is_text(one.key) for one in found):
        raise ValueError
    return tuple(found)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_PICK
