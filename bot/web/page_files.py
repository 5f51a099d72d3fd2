"""How a browser comes to the board: by a link, to the shell and its files, which are the same for everybody."""

import re
import secrets
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import blake2b
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aiohttp import web

from bot.table.board_access import SESSION, Browser, Opened, OtherUser
from bot.table.errors import Refused
from bot.table.release import commit, version
from bot.web.context import GAME, Page
from bot.web.entry.access import COOKIE, NOT_FOUND, Denied, address_of, json_answer, redirect, require_visit
from bot.web.entry.login_and_sessions import device, user_name
from render import THEMES, Theme

FOLDER: Final = Path(__file__).parent / "page"
KINDS: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
"""What the page is made of; nothing else of the folder is served."""
SHELL: Final = "board.html"
QUESTION: Final = "open.html"
"""The page that asks whether another user's sessions in this browser may end."""
COLOURS: Final = "colours.css"
"""The style sheet that is written from the themes of the pictures."""
VERSION: Final = "{version}"
"""What stands in the shell in place of the version."""
BROWSER: Final = "stationmaster_browser"
"""The cookie that tells a browser from others where it opens links, also those of another site."""
LINKS: Final = "/board/open"
LINK: Final = rf"{LINKS}/{{token:[\w.-]{{1,200}}}}"


class _File:
    def __init__(self, name: str, body: bytes) -> None:
        self.kind = KINDS[Path(name).suffix]
        self.body = body
        self.tag = f'"{blake2b(self.body, digest_size=8).hexdigest()}"'


class Opening:
    """Answers to links, and hands out the page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        found = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in KINDS}
        found[COLOURS] = colours_css().encode()
        self._files = {name: _File(name, body) for name, body in found.items()}
        self.version = _version(self._files)

    def routes(self) -> list[web.RouteDef]:
        """The page itself, and the links to it."""
        return [
            web.get(LINK, self.open, allow_head=False),
            web.post(LINK, self.replace),
            web.get(r"/board/static/{name:[\w.-]{1,60}}", self.file),
            web.get(GAME, self.shell),
        ]

    async def open(self, request: web.Request) -> web.Response:
        """Exchange a link for a session, and go to the board; ask first where another user's sessions would end."""
        self._page.limits.require_opening(address_of(request))
        require_visit(request)
        browser = _browser(request)
        try:
            opened = await self._page.links.open(request.match_info["token"], browser)
        except OtherUser as other:
            return await self._question(other)
        except Refused as refused:  # a person reads it, not the page
            return web.Response(text=f"{refused}\n", status=HTTPStatus.FORBIDDEN)
        query = f"?code={opened.code}" if opened.code else ""
        answer = redirect(f"{_path(opened)}{query}")
        self._keep(answer, opened, browser)
        return answer

    async def replace(self, request: web.Request) -> web.Response:
        """Exchange a link for a session, by the press on that page."""
        self._page.limits.require_opening(address_of(request))
        browser = _browser(request)
        opened = await self._page.links.open(request.match_info["token"], browser, agreed=True)
        answer = json_answer({"board": _path(opened)})
        self._keep(answer, opened, browser)
        return answer

    async def _question(self, other: OtherUser) -> web.Response:
        link, session = other.link, other.session
        said = {
            "{game}": str(link.game_id),
            "{new}": await self._name(link.game_id, link.user_id, link.display_name),
            "{old}": await self._name(session.game_id, session.user_id, session.display_name),
            "{stay}": str(session.game_id),
        }
        text = self._files[QUESTION].body.decode()
        text = re.sub("{[a-z]+}", lambda found: escape(said[found[0]]), text)
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-store"})

    async def _name(self, game_id: int, user_id: int | None, known: str) -> str:
        assert user_id is not None
        async with self._page.tables.reading(game_id) as live:
            return user_name(live, user_id, known)

    def _keep(self, answer: web.Response, opened: Opened, browser: Browser) -> None:
        """Have a browser keep what it has opened, and what tells it from others."""
        cookie = partial(
            answer.set_cookie,
            max_age=round(SESSION.total_seconds()),
            httponly=True,
            secure=self._page.secure,
        )
        if opened.secret:
            cookie(COOKIE, opened.secret, path=_path(opened), samesite="Strict")
        # Lax, as links stand at another site.
        cookie(BROWSER, browser.secret, path=LINKS, samesite="Lax")

    async def shell(self, request: web.Request) -> web.Response:
        """The page without anything of a game."""
        text = self._files[SHELL].body.decode().replace(VERSION, self.version)
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-cache"})

    async def file(self, request: web.Request) -> web.Response:
        """A module or a style of the page; what the browser has already is not sent again."""
        found = self._files.get(request.match_info["name"])
        if found is None or found.kind == KINDS[".html"]:
            raise Denied(HTTPStatus.NOT_FOUND, NOT_FOUND)
        headers = {"Cache-Control": "no-cache", "ETag": found.tag}
        if request.headers.get("If-None-Match") == found.tag:
            return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        answer = web.Response(body=found.body, content_type=found.kind, charset="utf-8", headers=headers)
        answer.enable_compression()
        return answer


def _version(files: Mapping[str, _File]) -> str:
    """Names the page and its JSON: another one where a file is another, or another release runs."""
    tags = [files[name].tag for name in sorted(files)]
    return blake2b("".join([version(), commit(), *tags]).encode(), digest_size=8).hexdigest()


def _path(opened: Opened) -> str:
    return f"/board/{opened.game_id}{'~' if opened.seat else ''}{opened.seat}"


def _browser(request: web.Request) -> Browser:
    secret = request.cookies.get(BROWSER, "") or secrets.token_urlsafe(32)
    return Browser(secret, device(request.headers.get("User-Agent", "")))


def colours_css() -> str:
    """A style sheet: a class for each paint, below the theme that the page's root names."""
    return "".join(line for theme in THEMES.values() for line in _rules(theme))


def _rules(theme: Theme) -> Iterator[str]:
    root = f':root[data-theme="{theme.name}"]'
    yield from (f"{root} .line-{i} {{ --paint: {paint}; }}\n" for i, paint in enumerate(theme.lines))
    yield from (f"{root} .tile-{name} {{ --paint: {paint}; }}\n" for name, paint in theme.tiles.items())
