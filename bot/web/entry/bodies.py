"""What the page sends, checked before anything is done with it."""

import asyncio
import json
import re
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from aiohttp import web

from bot.web.entry.access import Denied
from bot.web.tries import Tried
from render import THEME_NAMES

MOST_PICKS: Final = 12
"""Slots of an offer, and some more."""
LONGEST_PICK: Final = 2_000
"""Letters of typed routes that are read."""
MOST_TRIED: Final = 50
"""Moves of a what-if."""
MOST_NUMBER: Final = 999_999_999
"""Of what is numbered or paid; a database may know no larger ones."""
NONSENSE: Final = "That is no question and no move."
ONLY_JSON: Final = "Changes are asked for in JSON, in UTF-8 and not compressed."
TOO_LATE: Final = "The request did not arrive in time. Please try again."
BROKEN_OFF: Final = "The request did not arrive whole. Please try again."
_NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")
"""Half of a surrogate pair, and what ends a text elsewhere: no database takes it."""
_TEXTS: Final = ("key", "capacity", "move", "theme", "have", "market", "choice", "what", "private", "then")


class Body(NamedTuple):
    """What comes with a move, a question, or an order."""

    seq: int = 0
    key: str = ""
    capacity: str = ""
    """In which the offer with this key is used; none: as a player."""
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


async def body_of(request: web.Request, patience: float) -> Body:
    """What the page has sent; raises Denied for what makes no sense, or is not there after `patience` seconds."""
    try:
        found = json.loads(await _text_of(request, patience))
        if not isinstance(found, dict) or "seq" not in found:
            raise ValueError
        body = Body(**{name: found[name] for name in Body._fields if name in found})
        if not isinstance(body.maxima, dict):
            raise ValueError
        body = body._replace(picks=_picks(body.picks), tried=_tried(body.tried), sure=body.sure is True)
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Denied(HTTPStatus.BAD_REQUEST, NONSENSE) from None
    numbers = [body.seq, body.most, body.number, *body.maxima.values()]
    numbers += [] if body.to is None else [body.to]
    texts = [*(getattr(body, name) for name in _TEXTS), *body.maxima]
    if not all(map(_is_number, numbers)) or not all(map(_is_text, texts)) or body.theme not in THEME_NAMES:
        raise Denied(HTTPStatus.BAD_REQUEST, NONSENSE)
    return body


async def _text_of(request: web.Request, patience: float) -> str:
    """The body as text; raises Denied, UnicodeDecodeError."""
    encoding = request.headers.get("Content-Encoding", "identity")
    if encoding != "identity" or (request.charset or "utf-8").lower() != "utf-8":
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, ONLY_JSON)
    try:
        async with asyncio.timeout(patience):
            return (await request.read()).decode()
    except TimeoutError:
        raise Denied(HTTPStatus.REQUEST_TIMEOUT, TOO_LATE) from None
    except (web.RequestPayloadError, ConnectionError):
        raise Denied(HTTPStatus.BAD_REQUEST, BROKEN_OFF) from None


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
    return isinstance(value, str) and len(value) <= LONGEST_PICK and _NO_TEXT.search(value) is None


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_NUMBER
