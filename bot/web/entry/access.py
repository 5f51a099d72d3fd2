"""Access control: the visitor of a request, common headers, and error responses."""

import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from aiohttp import web

from bot.table.board_links_and_sessions import Visitor
from bot.table.errors import GameMovedOn, NotPermitted, Refused, error_sentence
from bot.web.context import PageContext
from bot.web.entry.page_and_stream_limits import RateLimitReached
from bot.web.entry.security_headers import SECURITY_HEADERS
from bot.web.wire import as_json, plain_text, utf8
from bot.workers.errors import NotDone, PositionOutdated
from storage import NoSuchEvent, NoSuchGame, ShardLost, StaleSequence, StorageError

_log = logging.getLogger("stationmaster.web")

ADDRESS_KEY: Final = web.RequestKey("address", str)
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]
SESSION_COOKIE: Final = "stationmaster_board"
SESSION_HEADER: Final = "X-Board-Session"
"""Request header with the session whose board the page shows."""
OTHER_SESSION_CODE: Final = "other"
"""Error code that makes the page reload, since this browser no longer has the session that the page uses."""
MAX_REQUEST_BYTES: Final = 16 * 1024
"""The largest request body, in bytes."""
OTHER_PROCESS_CODE: Final = "elsewhere"
"""Error code that makes the page retry soon: another process makes this game's moves."""
MAX_STORABLE_ID: Final = 2**63 - 1
"""The largest server or event id that every database can store."""
RETRY_SECONDS: Final = 2
"""Value of Retry-After if a request cannot be answered now."""
NO_SESSION_TEXT: Final = (
    "You are not logged in to this board, or your session has ended. Press Board in Discord for a new link."
)
PAGE_NOT_FOUND: Final = "There is no such page."
OTHER_SESSION_TEXT: Final = (
    "This browser is now logged in to this board as somebody else, so nothing was done. Reload the page."
)
CROSS_SITE_REFUSED: Final = "Only the board page itself can send this request."


class Denied(Exception):  # noqa: N818 - named after what is wrong
    """A request is refused with an HTTP status and a sentence for the user."""

    def __init__(self, status: HTTPStatus, sentence: str, **extra_json_fields: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.extra_json_fields = extra_json_fields


class RunByOtherProcess(Refused):
    """Another process makes this game's moves; the page retries, and the retry may reach that process."""

    def __init__(self) -> None:
        super().__init__(
            "The part of the bot that runs this game did not answer. Nothing was done; please try "
            "again in a moment."
        )


async def visitor_of(page: PageContext, request: web.Request) -> Visitor:
    """The visitor who sent a request about a game, identified by the session cookie; raises Denied."""
    game_id, session_secret = game_id_of(request), request.cookies.get(SESSION_COOKIE, "")
    visitor = (
        await page.links.visitor(game_id, session_secret)
        if session_secret and session_secret.isascii()
        else None
    )
    if visitor is None:
        login_field = {} if page.oauth_client is None else {"login": f"/board/login/{game_id}"}
        raise Denied(HTTPStatus.UNAUTHORIZED, NO_SESSION_TEXT, **login_field)
    if request.headers.get(SESSION_HEADER, visitor.session) != visitor.session:
        raise Denied(HTTPStatus.CONFLICT, OTHER_SESSION_TEXT, code=OTHER_SESSION_CODE)
    return visitor


def require_navigation(request: web.Request) -> None:
    """Raise Denied unless the user navigated to this URL.

    Pictures and frames on other sites may not open it.
    """
    if request.headers.get("Sec-Fetch-Dest", "document") != "document":
        raise Denied(HTTPStatus.FORBIDDEN, CROSS_SITE_REFUSED)


def _require_own_page(page: PageContext, request: web.Request) -> None:
    """Raise Denied unless the board page itself sent the request, according to the browser's headers, as JSON."""
    fetch_site = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    page_url = urlsplit(page.address)
    if fetch_site != "same-origin" or origin != f"{page_url.scheme}://{page_url.netloc}":
        raise Denied(HTTPStatus.FORBIDDEN, CROSS_SITE_REFUSED)
    if request.content_type != "application/json":
        raise Denied(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Requests that change something must be JSON.")


async def handle_with_limits(page: PageContext, request: web.Request, handler: Handler) -> web.StreamResponse:
    """Middleware of every request: apply limits, run the handler, turn errors into JSON, and add the common headers."""
    try:
        address = _client_address(page, request)
        request[ADDRESS_KEY] = address
        page.limits.count_address_request(address)
        with page.limits.in_progress(address):
            if request.method == "POST":
                _require_own_page(page, request)
            response = await handler(request)
    except Exception as error:  # noqa: BLE001 - aiohttp would answer with a page that says nothing
        response = error_response(error)
    if response.status == HTTPStatus.TOO_MANY_REQUESTS:
        page.refusals.add("requests")
    if not response.prepared:
        add_headers(page, response)
    return response


def _client_address(page: PageContext, request: web.Request) -> str:
    peer, forwarded_for = request.remote or "", request.headers.get("X-Forwarded-For", "")
    if forwarded_for and page.proxies.may_be_unlisted_proxy(peer):
        page.refusals.add(f"addresses from {peer}, which STATIONMASTER_WEB_PROXIES does not name")
    return page.proxies.address_of(peer, forwarded_for)


def add_headers(page: PageContext, response: web.StreamResponse) -> None:
    """Add the security headers of every response."""
    response.headers.update(SECURITY_HEADERS)
    if page.uses_tls:
        response.headers["Strict-Transport-Security"] = "max-age=31536000"


def game_id_of(request: web.Request) -> int:
    """The game id in the path."""
    return int(request.match_info["game"])


def address_of(request: web.Request) -> str:
    """The client address against which limits are counted."""
    return request[ADDRESS_KEY]


def uncached_json_response(value: Any, status: int = HTTPStatus.OK) -> web.Response:
    """A JSON response that is not cached."""
    return web.Response(
        body=utf8(as_json(value)),
        status=status,
        content_type="application/json",
        charset="utf-8",
        headers={"Cache-Control": "no-store"},
    )


def redirect(url: str) -> web.Response:
    """A redirect (303 See Other) to this URL."""
    return web.Response(status=HTTPStatus.SEE_OTHER, headers={"Location": url, "Cache-Control": "no-store"})


def error_response(error: Exception) -> web.Response:
    """The JSON response for an exception; unexpected ones are logged."""
    if isinstance(error, web.HTTPException):
        return uncached_json_response({"error": _http_error_sentence(error)}, error.status)
    if isinstance(error, Denied):
        return uncached_json_response(
            {"error": plain_text(str(error)), **error.extra_json_fields}, error.status
        )
    status = _status_of_error(error)
    code_field = {"code": OTHER_PROCESS_CODE} if isinstance(error, RunByOtherProcess | ShardLost) else {}
    response = uncached_json_response({"error": plain_text(error_sentence(error)), **code_field}, status)
    if isinstance(error, RateLimitReached):
        response.headers["Retry-After"] = str(error.seconds)
    elif status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _http_error_sentence(error: web.HTTPException) -> str:
    if error.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return f"The request is too large: the limit is {MAX_REQUEST_BYTES // 1024} KB."
    return PAGE_NOT_FOUND if error.status == HTTPStatus.NOT_FOUND else f"{error.reason}."


_STATUS_BY_ERROR: Final[tuple[tuple[type[Exception] | tuple[type[Exception], ...], HTTPStatus], ...]] = (
    (RateLimitReached, HTTPStatus.TOO_MANY_REQUESTS),
    ((GameMovedOn, StaleSequence, PositionOutdated), HTTPStatus.CONFLICT),
    ((RunByOtherProcess, ShardLost), HTTPStatus.SERVICE_UNAVAILABLE),
    (NotPermitted, HTTPStatus.FORBIDDEN),
    ((NoSuchGame, NoSuchEvent), HTTPStatus.NOT_FOUND),
    (Refused, HTTPStatus.UNPROCESSABLE_ENTITY),
    ((NotDone, StorageError), HTTPStatus.SERVICE_UNAVAILABLE),
)
"""HTTP status by class of exception; the first match counts."""


def _status_of_error(error: Exception) -> HTTPStatus:
    statuses = (status for error_types, status in _STATUS_BY_ERROR if isinstance(error, error_types))
    return next(statuses, HTTPStatus.INTERNAL_SERVER_ERROR)
