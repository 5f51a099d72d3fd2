"""Plain HTML pages of servers and events. A link from Discord opens a page and starts a browser session at it."""

import gzip
import re
from html import escape
from http import HTTPStatus
from typing import Final, Literal

from aiohttp import web

from bot.table.errors import Refused
from bot.table.games.page_links import NEW_LINK_HINTS, PAGE_SESSION_LIFETIME, open_page_link, page_visitor
from bot.web.context import PageContext
from bot.web.entry.access import MAX_STORABLE_ID, address_of, redirect, require_navigation
from bot.web.markup import tag
from storage import PageId

PAGE_TEMPLATE_FILE: Final = "event.html"


def html_response(
    page: PageContext, title: str, body: str, status: HTTPStatus = HTTPStatus.OK, head: str = ""
) -> web.Response:
    """An HTML page with this body (HTML); `head` is additional HTML for the page's head."""
    parts = {"title": escape(title), "body": body, "head": head}
    text = re.sub("{([a-z]+)}", lambda match: parts[match[1]], page.files.text(PAGE_TEMPLATE_FILE))
    headers = {"Cache-Control": "no-store"}
    response = web.Response(text=text, status=status, content_type="text/html", headers=headers)
    response.enable_compression()
    return response


def svg_response(request: web.Request, compressed_svg: bytes, cache_seconds: int) -> web.Response:
    """A response with a compressed SVG, which the browser caches for these seconds."""
    headers = {"Cache-Control": f"private, max-age={cache_seconds}", "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return web.Response(body=compressed_svg, content_type="image/svg+xml", headers=headers)
    return web.Response(body=gzip.decompress(compressed_svg), content_type="image/svg+xml", headers=headers)


def sentence_page(
    page: PageContext, title: str, status: HTTPStatus, sentence: str, link: str = ""
) -> web.Response:
    """An HTML page with a single sentence for the user, and an optional link."""
    body = tag("main", tag("h1", title), tag("p", escape(sentence)), link, class_="asks")
    return html_response(page, title, body, status)


class PageSessions:
    """Opens links to the web pages of servers, or of events, and checks the browser sessions at them."""

    def __init__(self, page: PageContext, kind: Literal["server", "event"], title: str) -> None:
        """`title` is the heading of pages that consist of a single sentence."""
        self._page = page
        self._page_kind = kind
        self._page_title = title
        self.path = rf"/{kind}/{{number:[0-9]{{1,19}}}}"
        """Route pattern of the page."""

    def routes(self) -> list[web.RouteDef]:
        """The route that opens a link."""
        return [
            web.get(rf"/{self._page_kind}/open/{{token:[\w-]{{1,200}}}}", self._open_link, allow_head=False)
        ]

    def requested_number(self, request: web.Request) -> int:
        """The id of the server or event in the path; raises HTTPNotFound if it is too large."""
        number = int(request.match_info["number"])
        if number > MAX_STORABLE_ID:
            raise web.HTTPNotFound
        return number

    async def user_id_of(self, request: web.Request) -> int | None:
        """The id of the user who has a session at the requested page; None without a session."""
        number = self.requested_number(request)
        secret = request.cookies.get(self._cookie_name(number), "")
        return (
            await page_visitor(self._page.tables, PageId(self._page_kind, number), secret) if secret else None
        )

    def no_session_response(self, request: web.Request) -> web.Response:
        """The page shown without a session; has a login link if login is set up."""
        login_link = tag(
            "a", "Log in with Discord", href=f"/{self._page_kind}/login/{self.requested_number(request)}"
        )
        link = "" if self._page.oauth_client is None else tag("p", login_link)
        sentence = f"You are not logged in to this page, or your session has ended. {NEW_LINK_HINTS[self._page_kind]}"
        return self.sentence(HTTPStatus.UNAUTHORIZED, sentence, link)

    def sentence(self, status: HTTPStatus, sentence: str, link: str = "") -> web.Response:
        """An HTML page with a single sentence for the user."""
        return sentence_page(self._page, self._page_title, status, sentence, link)

    async def _open_link(self, request: web.Request) -> web.Response:
        """Exchange a link for a session, and redirect to the page that the link opens."""
        self._page.limits.count_opened_link(address_of(request))
        require_navigation(request)
        try:
            opened_page = await open_page_link(
                self._page.tables, self._page_kind, request.match_info["token"]
            )
        except Refused as refusal:
            return self.sentence(HTTPStatus.FORBIDDEN, str(refusal))
        kind, number = opened_page.place
        response = redirect(f"/{kind}/{number}")
        # Lax, as people come from other sites, and the page changes nothing.
        response.set_cookie(
            f"stationmaster_{kind}_{number}",
            opened_page.secret,
            path=f"/{kind}",
            max_age=round(PAGE_SESSION_LIFETIME.total_seconds()),
            httponly=True,
            secure=self._page.uses_tls,
            samesite="Lax",
        )
        return response

    def _cookie_name(self, number: int) -> str:
        return f"stationmaster_{self._page_kind}_{number}"
