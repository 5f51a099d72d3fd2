"""Requests for changes: bodies, checks, execution and answers."""

import asyncio
import json
import logging
import re
from collections.abc import Callable, Coroutine, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import MovedOn, NotYours, Refused
from bot.table.live import LiveGame
from bot.table.rate_limits import Kind
from bot.table.tables import Outcome
from bot.web.context import Page
from bot.web.entry.access import Denied, OtherProcess, json_answer, visitor_of
from bot.web.offers_as_json import PictureLooks, TrialRequest
from bot.web.wire import SentPicture, plain_text
from render import THEME_NAMES
from storage import StorageError

_log = logging.getLogger("stationmaster.web")

T = TypeVar("T")

MOVED_ON: Final = "The game has moved on, so nothing was done. Look at the board and decide again."
SPECTATOR: Final = "You are a spectator here: only players can move."


MOST_PICKS: Final = 12
"""Slots of an offer, and some more."""
LONGEST_PICK: Final = 2_000
"""Letters of typed routes that are read."""
MOST_TRIED: Final = 50
"""Moves of a what-if."""
MOST_NUMBER: Final = 999_999_999
"""Of what is numbered or paid; a database may know no larger ones."""
NONSENSE: Final = "This is neither a question nor a move."
ONLY_JSON: Final = "Requests that change something must be JSON in UTF-8, not compressed."
TOO_LATE: Final = "The request did not arrive in time. Please try again."
BROKEN_OFF: Final = "The request arrived incomplete. Please try again."
_NO_TEXT: Final = re.compile("[\x00\ud800-\udfff]")
"""Half of a surrogate pair, and what ends a text elsewhere: no database takes it."""
_TEXTS: Final = ("key", "capacity", "move", "theme", "have", "market", "choice", "what", "private", "then")


class Body(NamedTuple):
    """The body of a request: move, question, or order."""

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
    tried: tuple[TrialRequest, ...] = ()
    choice: str = ""
    what: str = ""
    private: str = ""
    then: str = ""
    most: int = 0
    to: int | None = None
    number: int = 0
    bids: dict[str, int] = {}  # noqa: RUF012 - nobody changes it

    def picture_looks(self, pictures: Mapping[str, SentPicture]) -> PictureLooks:
        """The theme and known pictures of the answer, by id."""
        return PictureLooks(self.theme, pictures.get(self.have), pictures.get(self.market))


async def body_of(page: Page, request: web.Request) -> Body:
    """The body of a browser's request; raises Denied if invalid or late."""
    try:
        fields = json.loads(await _text_of(request, page.limits.patience))
        if not isinstance(fields, dict) or "seq" not in fields:
            raise ValueError
        body = Body(**{name: fields[name] for name in Body._fields if name in fields})
        if not isinstance(body.bids, dict):
            raise ValueError
        body = body._replace(
            picks=_picks(body.picks), tried=_trial_requests(body.tried), sure=body.sure is True
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Denied(HTTPStatus.BAD_REQUEST, NONSENSE) from None
    numbers = [body.seq, body.most, body.number, *body.bids.values()]
    numbers += [] if body.to is None else [body.to]
    texts = [*(getattr(body, name) for name in _TEXTS), *body.bids]
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
    if not isinstance(value, list | tuple) or len(value) > MOST_PICKS or not all(map(_is_text, value)):
        raise ValueError
    return tuple(value)


def _trial_requests(value: Any) -> tuple[TrialRequest, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_TRIED:
        raise ValueError
    trials = [
        TrialRequest(one.get("move", ""), one.get("key", ""), _picks(one.get("picks", []))) for one in value
    ]
    if not all(_is_text(trial.move) and _is_text(trial.key) for trial in trials):
        raise ValueError
    return tuple(trials)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_PICK and _NO_TEXT.search(value) is None


def _is_number(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_NUMBER


async def require_player(page: Page, request: web.Request) -> Visitor:
    """The visitor, who must be a user; raises NotYours."""
    visitor = await visitor_of(page, request)
    if visitor.user_id is None:
        raise NotYours(SPECTATOR)
    return visitor


async def read_request(page: Page, request: web.Request, kind: Kind) -> tuple[Visitor, Body]:
    """A player and the body of their request; raises NotYours, SlowDown, Denied."""
    visitor = await require_player(page, request)
    async with page.tables.reading(visitor.game_id) as live:
        page.limits.require(visitor, kind, live.row.guild_id)
    return visitor, await body_of(page, request)


async def require_here(page: Page, visitor: Visitor) -> None:
    """Raise Elsewhere if this process does not write for the game; else record the user's activity."""
    async with page.tables.reading(visitor.game_id) as live:
        _require_holds(page, live)
    page.behind.acts(visitor.game_id, user_of(visitor))


async def require_turn(page: Page, visitor: Visitor, body: Body) -> None:
    """Raise Elsewhere, Denied or Refused unless a move is possible after the page's last known one."""
    async with page.tables.reading(visitor.game_id) as live:
        _require_holds(page, live)
        require_seq(live, body)
        page.tables.require_playable(live)
    page.behind.acts(visitor.game_id, user_of(visitor))


async def require_shown(page: Page, visitor: Visitor) -> None:
    """Raise Refused if the game's thread cannot show a move."""
    async with page.tables.reading(visitor.game_id) as live:
        page.behind.require_shown(live.row)


def require_seq(live: LiveGame, body: Body) -> None:
    """Raise Denied unless the page knows the game's last move."""
    if body.seq != live.seq:
        raise Denied(HTTPStatus.CONFLICT, MOVED_ON, seq=live.seq)


async def carry_out(page: Page, visitor: Visitor, change: Coroutine[Any, Any, T]) -> T:
    """Carry a change out completely, even if the browser leaves; raises Denied if the game has moved on."""
    try:
        return await asyncio.shield(asyncio.ensure_future(change))
    except MovedOn:
        async with page.tables.reading(visitor.game_id) as live:
            raise Denied(HTTPStatus.CONFLICT, MOVED_ON, seq=live.seq) from None


async def make_change(
    page: Page, visitor: Visitor, change: Callable[[], Coroutine[Any, Any, Outcome]]
) -> web.Response:
    """Change a game whose thread can show it, and answer with the move's lines."""
    await require_shown(page, visitor)
    outcome = await carry_out(page, visitor, change())
    return await done_answer(page, visitor, outcome.lines)


async def done_answer(
    page: Page, visitor: Visitor, lines: Iterable[str], proposed: bool = False
) -> web.Response:
    """The answer with the change's lines and the game's last move; None if it cannot be read now."""
    seq = None
    try:
        async with page.tables.reading(visitor.game_id) as live:
            seq = live.seq
    except (Refused, StorageError) as error:
        # What is done stays done: the page looks for itself.
        _log.info("game %s: a move was made, but its result cannot be shown: %s", visitor.game_id, error)
    return json_answer({"seq": seq, "lines": [plain_text(line) for line in lines], "proposed": proposed})


def _require_holds(page: Page, live: LiveGame) -> None:
    if not page.tables.share.holds(live.row.guild_id):
        raise OtherProcess


def user_of(visitor: Visitor) -> int:
    """The user of a visitor; raises an error for spectators."""
    assert visitor.user_id is not None
    return visitor.user_id
