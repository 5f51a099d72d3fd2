"""Access: the visitor of a request, headers of answers, and refusals."""

import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import MovedOn, NotYours, Refused, error_sentence
from bot.web.context import Page
from bot.web.entry.page_and_stream_limits import SlowDown
from bot.web.entry.security_headers import HEADERS
from bot.web.wire import as_json, plain_text, utf8
from bot.workers.errors import NotDone, PositionGone
from storage import NoSuchGame, ShardLost, StaleSequence, StorageError

_log = logging.getLogger("stationmaster.web")

ADDRESS: Final = web.RequestKey("address", str)
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
COOKIE: Final = "stationmaster_board"
SHOWN: Final = "X-Board-Session"
"""The header by which a page says whose board it shows."""
OTHER: Final = "other"
"""The code of a refusal to a page that shows the board of a session which this browser has no more: it loads anew."""
MOST_BYTES: Final = 16 * 1024
"""Of a request; the longest routes have 2,000 letters."""
ELSEWHERE: Final = "elsewhere"
"""The code of a refusal by a process that does not make the game's moves: the page asks again, soon at first."""
AGAIN: Final = 2
"""Seconds after which a browser asks again what cannot be answered now."""
NO_SESSION: Final = (
    "You are not logged in to this board, or your session has ended. Press Board in Discord for a new link."
)
NOT_FOUND: Final = "There is no such page."
OTHER_SESSION: Final = (
    "This browser is now logged in to this board as somebody else, so nothing was done. Reload the page."
)
CROSS_SITE: Final = "Only the board page itself can do this."


class Denied(Exception):  # noqa: N818 - named after what is wrong
    """A request refused with an HTTP status and a sentence."""

    def __init__(self, status: HTTPStatus, sentence: str, **extras: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.extras = extras


class OtherProcess(Refused):
    """Another process writes for this game; the page retries, which may reach it."""

    def __init__(self) -> None:
        super().__init__(
            "The part of the bot that runs this game did not answer. Nothing was done; please try "
            "again in a moment."
        )


async def visitor_of(page: Page, request: web.Request) -> Visitor:
    """The visitor of a request about the game in the path; raises Denied."""
    game_id, secret = game_of(request), request.cookies.get(COOKIE, "")
    visitor = await page.links.visitor(game_id, secret) if secret and secret.isascii() else None
    if visitor is None:
        login = {} if page.secret is None else {"login": f"/board/login/{game_id}"}
        raise Denied(HTTPStatus.UNAUTHORIZED, NO_SESSION, **login)
    if request.headers.get(SHOWN, visitor.session) != visitor.session:
        raise Denied(HTTPStatus.CONFLICT, OTHER_SESSION, code=OTHER)
    return visitor


def require_visit(request: web.Request) -> None:
    """Raise Denied for a link that was not followed by a person, such as a picture or frame."""
    if request.headers.get("Sec-Fetch-Dest", "document") != "document":
        raise Denied(HTTPStatus.FORBIDDEN, CROSS_SITE)


def _require_own_page(page: Page, request: web.Request) -> None:
    """Raise Denied unless the page itself sends the change, by the browser's headers."""
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    home = urlsplit(page.address)
    if site != "same-origin" or origin != f"{home.scheme}://{home.netloc}":
        raise Denied(HTTPStatus.FORBIDDEN, CROSS_SITE)
    if request.content_type != "application/json":
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Requests that change something must be JSON.")


async def answer_or_refuse(page: Page, request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request, with errors as JSON, and headers."""
    try:
        address = _address(page, request)
        request[ADDRESS] = address
        page.limits.require_address(address)
        with page.limits.in_progress(address):
            if request.method == "POST":
                _require_own_page(page, request)
            response = await handler(request)
    except Exception as error:  # noqa: BLE001 - aiohttp would answer with a page that says nothing
        response = error_answer(error)
    if response.status == HTTPStatus.TOO_MANY_REQUESTS:
        page.refusals.add("requests")
    if not response.prepared:
        add_headers(page, response)
    return response


def _address(page: Page, request: web.Request) -> str:
    peer, forwarded = request.remote or "", request.headers.get("X-Forwarded-For", "")
    if forwarded and page.proxies.overlooks(peer):
        page.refusals.add(f"addresses from {peer}, which STATIONMASTER_WEB_PROXIES does not name")
    return page.proxies.address_of(peer, forwarded)


def add_headers(page: Page, response: web.StreamResponse) -> None:
    """Add the common headers to an answer."""
    response.headers.update(HEADERS)
    if page.secure:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"


def game_of(request: web.Request) -> int:
    """The game id in the path."""
    return int(request.match_info["game"])


def address_of(request: web.Request) -> str:
    """The client's address for limits."""
    return request[ADDRESS]


def json_answer(value: Any, status: int = HTTPStatus.OK) -> web.Response:
    """A JSON answer that is not cached."""
    return web.Response(
        body=utf8(as_json(value)),
        status=status,
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )


def redirect(address: str) -> web.Response:
    """Send a browser somewhere else."""
    return web.Response(
        status=HTTPStatus.SEE_OTHER, headers={"Location": address, "Cache-Control": "no-store"}
    )


def error_answer(error: Exception) -> web.Response:
    """The answer for an error; unexpected ones are logged."""
    if isinstance(error, web.HTTPException):
        return json_answer({"error": _of_http(error)}, error.status)
    if isinstance(error, Denied):
        return json_answer({"error": plain_text(str(error)), **error.extras}, error.status)
    status = _status(error)
    code = {"code": ELSEWHERE} if isinstance(error, OtherProcess | ShardLost) else {}
    answer = json_answer({"error": plain_text(error_sentence(error)), **code}, status)
    if isinstance(error, SlowDown):
        answer.headers["Retry-After"] = str(error.seconds)
    elif status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer.headers["Retry-After"] = str(AGAIN)
    return answer


def _of_http(error: web.HTTPException) -> str:
    if error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return f"The request is too large: the limit is {MOST_BYTES // 1024} KB."
    return NOT_FOUND if error.status == HTTPStatus.NOT_FOUND else f"{error.reason}."


_STATUSES: Final[tuple[tuple[type[Exception] | tuple[type[Exception], ...], HTTPStatus], ...]] = (
    (SlowDown, HTTPStatus.TOO_MANY_REQUESTS),
    ((MovedOn, StaleSequence, PositionGone), HTTPStatus.CONFLICT),
    ((OtherProcess, ShardLost), HTTPStatus.SERVICE_UNAVAILABLE),
    (NotYours, HTTPStatus.FORBIDDEN),
    (NoSuchGame, HTTPStatus.NOT_FOUND),
    (Refused, HTTPStatus.UNPROCESSABLE_ENTITY),
    ((NotDone, StorageError), HTTPStatus.SERVICE_UNAVAILABLE),
)
"""The status of what is refused; the first that fits."""


def _status(error: Exception) -> HTTPStatus:
    statuses = (status for kinds, status in _STATUSES if isinstance(error, kinds))
    return next(statuses, HTTPStatus.INTERNAL_SERVER_ERROR)
