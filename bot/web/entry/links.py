"""HTTP routes for single-use board links, which give a browser a session."""

import re
import secrets
from functools import partial
from html import escape
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import SESSION_LIFETIME, Browser, OpenedBoard, OtherUserLoggedIn
from bot.table.errors import Refused
from bot.web.context import PageContext
from bot.web.entry.access import (
    SESSION_COOKIE,
    address_of,
    redirect,
    require_navigation,
    uncached_json_response,
)
from bot.web.entry.login_and_sessions import device_name, user_name

CONFIRMATION_PAGE: Final = "open.html"
"""HTML file that asks the user to confirm that another user's sessions in this browser will end."""
BROWSER_COOKIE: Final = "stationmaster_browser"
"""Cookie that identifies a browser when it opens a link."""
LINK_PATH: Final = "/board/open"


def routes(page: PageContext) -> list[web.RouteDef]:
    """HTTP routes that open a board link, directly or after a confirmation."""
    link_path = rf"{LINK_PATH}/{{token:[\w.-]{{1,200}}}}"
    return [
        web.get(link_path + "{film:(/film)?}", partial(open_link, page), allow_head=False),
        web.post(link_path, partial(open_after_confirmation, page)),
    ]


async def open_link(page: PageContext, request: web.Request) -> web.Response:
    """Exchange a link for a session and redirect to the board; asks first if another user's sessions would end."""
    page.limits.count_opened_link(address_of(request))
    require_navigation(request)
    browser = _browser_of(request)
    try:
        opened_board = await page.links.open(request.match_info["token"], browser)
    except OtherUserLoggedIn as other_user:
        return await _confirmation_page(page, other_user)
    except Refused as refusal:  # a person reads it, not the page
        return web.Response(text=f"{refusal}\n", status=HTTPStatus.FORBIDDEN)
    code_query = f"?code={opened_board.code}" if opened_board.code else ""
    cookie_response = redirect(f"{_board_path(opened_board)}{request.match_info['film']}{code_query}")
    _set_cookies(page, cookie_response, opened_board, browser)
    return cookie_response


async def open_after_confirmation(page: PageContext, request: web.Request) -> web.Response:
    """Exchange a link for a session, once the user has agreed to end another user's sessions in this browser."""
    page.limits.count_opened_link(address_of(request))
    browser = _browser_of(request)
    opened_board = await page.links.open(request.match_info["token"], browser, ends_other_sessions=True)
    cookie_response = uncached_json_response({"board": _board_path(opened_board)})
    _set_cookies(page, cookie_response, opened_board, browser)
    return cookie_response


async def _confirmation_page(page: PageContext, other_user: OtherUserLoggedIn) -> web.Response:
    link, session = other_user.link, other_user.session
    text_by_placeholder = {
        "{game}": str(link.game_id),
        "{new}": await _display_name(page, link.game_id, link.user_id, link.display_name),
        "{old}": await _display_name(page, session.game_id, session.user_id, session.display_name),
        "{stay}": str(session.game_id),
    }
    text = re.sub(
        "{[a-z]+}", lambda match: escape(text_by_placeholder[match[0]]), page.files.text(CONFIRMATION_PAGE)
    )
    return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-store"})


async def _display_name(page: PageContext, game_id: int, user_id: int | None, fallback_name: str) -> str:
    assert user_id is not None
    async with page.tables.reading(game_id) as live:
        return user_name(live, user_id, fallback_name)


def _set_cookies(
    page: PageContext, cookie_response: web.Response, opened_board: OpenedBoard, browser: Browser
) -> None:
    max_age_seconds = round(SESSION_LIFETIME.total_seconds())
    set_cookie = partial(
        cookie_response.set_cookie, max_age=max_age_seconds, httponly=True, secure=page.uses_tls
    )
    if opened_board.secret:
        set_cookie(SESSION_COOKIE, opened_board.secret, path=_board_path(opened_board), samesite="Strict")
    # Lax, as links stand at another site.
    set_cookie(BROWSER_COOKIE, browser.secret, path=LINK_PATH, samesite="Lax")


def _board_path(opened_board: OpenedBoard) -> str:
    return f"/board/{opened_board.game_id}{'~' if opened_board.seat else ''}{opened_board.seat}"


def _browser_of(request: web.Request) -> Browser:
    browser_secret = request.cookies.get(BROWSER_COOKIE, "") or secrets.token_urlsafe(32)
    return Browser(browser_secret, device_name(request.headers.get("User-Agent", "")))
