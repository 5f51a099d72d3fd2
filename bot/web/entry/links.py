"""Board links, which give a browser a session."""

import re
import secrets
from functools import partial
from html import escape
from http import HTTPStatus
from typing import Final

from aiohttp import web

from bot.table.board_links_and_sessions import SESSION, Browser, Opened, OtherUser
from bot.table.errors import Refused
from bot.web.context import Page
from bot.web.entry.access import COOKIE, address_of, json_answer, redirect, require_visit
from bot.web.entry.login_and_sessions import device, user_name

QUESTION: Final = "open.html"
"""The page that asks whether another user's sessions in this browser may end."""
BROWSER: Final = "stationmaster_browser"
"""The cookie that tells a browser from others where it opens links, also those of another site."""
LINKS: Final = "/board/open"


def routes(page: Page) -> list[web.RouteDef]:
    """Routes of links and of their confirmation."""
    link = rf"{LINKS}/{{token:[\w.-]{{1,200}}}}"
    return [
        web.get(link, partial(open_link, page), allow_head=False),
        web.post(link, partial(agree, page)),
    ]


async def open_link(page: Page, request: web.Request) -> web.Response:
    """Exchange a link for a session; ask first if another user's sessions would end."""
    page.limits.require_opening(address_of(request))
    require_visit(request)
    browser = _browser(request)
    try:
        opened = await page.links.open(request.match_info["token"], browser)
    except OtherUser as other:
        return await _question(page, other)
    except Refused as refused:  # a person reads it, not the page
        return web.Response(text=f"{refused}\n", status=HTTPStatus.FORBIDDEN)
    answer = redirect(f"{_path(opened)}{f'?code={opened.code}' if opened.code else ''}")
    _set_cookies(page, answer, opened, browser)
    return answer


async def agree(page: Page, request: web.Request) -> web.Response:
    """Exchange a link for a session after confirmation."""
    page.limits.require_opening(address_of(request))
    browser = _browser(request)
    opened = await page.links.open(request.match_info["token"], browser, agreed=True)
    answer = json_answer({"board": _path(opened)})
    _set_cookies(page, answer, opened, browser)
    return answer


async def _question(page: Page, other: OtherUser) -> web.Response:
    link, session = other.link, other.session
    said = {
        "{game}": str(link.game_id),
        "{new}": await _name(page, link.game_id, link.user_id, link.display_name),
        "{old}": await _name(page, session.game_id, session.user_id, session.display_name),
        "{stay}": str(session.game_id),
    }
    text = re.sub("{[a-z]+}", lambda found: escape(said[found[0]]), page.files.text(QUESTION))
    return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-store"})


async def _name(page: Page, game_id: int, user_id: int | None, known: str) -> str:
    assert user_id is not None
    async with page.tables.reading(game_id) as live:
        return user_name(live, user_id, known)


def _set_cookies(page: Page, answer: web.Response, opened: Opened, browser: Browser) -> None:
    """Set the cookies for a session and the browser's identity."""
    age = round(SESSION.total_seconds())
    cookie = partial(answer.set_cookie, max_age=age, httponly=True, secure=page.secure)
    if opened.secret:
        cookie(COOKIE, opened.secret, path=_path(opened), samesite="Strict")
    # Lax, as links stand at another site.
    cookie(BROWSER, browser.secret, path=LINKS, samesite="Lax")


def _path(opened: Opened) -> str:
    return f"/board/{opened.game_id}{'~' if opened.seat else ''}{opened.seat}"


def _browser(request: web.Request) -> Browser:
    secret = request.cookies.get(BROWSER, "") or secrets.token_urlsafe(32)
    return Browser(secret, device(request.headers.get("User-Agent", "")))
