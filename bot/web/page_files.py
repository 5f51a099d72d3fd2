"""How a browser comes to the board: by a link, to the shell and its files, which are the same for everybody."""

from hashlib import blake2b
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aiohttp import web

from bot.table.board.links import BoardLinks, Opened
from bot.table.errors import Refused
from bot.web.access import COOKIE, NOT_FOUND, WAITING, Access, Denied, address_of, game_of
from bot.web.colours import colours_css
from bot.web.page_limits import Limits

FOLDER: Final = Path(__file__).parent / "page"
KINDS: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
"""What the page is made of; nothing else of the folder is served."""
SHELL: Final = "board.html"
COLOURS: Final = "colours.css"
"""The style sheet that is written from the themes of the pictures."""
GAME: Final = "{game}"
"""What stands in the shell in place of the game's number."""


class _File:
    """A file of the page."""

    def __init__(self, name: str, body: bytes) -> None:
        self.kind = KINDS[Path(name).suffix]
        self.body = body
        self.tag = f'"{blake2b(self.body, digest_size=8).hexdigest()}"'


class Opening:
    """Answers to links, and hands out the page."""

    def __init__(self, links: BoardLinks, access: Access, limits: Limits, folder: Path = FOLDER) -> None:
        self._links = links
        self._access = access
        self._limits = limits
        found = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in KINDS}
        found[COLOURS] = colours_css().encode()
        self._files = {name: _File(name, body) for name, body in found.items()}

    async def open(self, request: web.Request) -> web.Response:
        """Exchange a link for a session, and go to the board."""
        self._limits.require_opening(address_of(request))
        try:
            opened = await self._links.open(request.match_info["token"])
        except Refused as refused:  # a person reads it, not the page
            return web.Response(text=f"{refused}\n", status=HTTPStatus.FORBIDDEN)
        return let_in(opened, secure=self._access.secure)

    async def shell(self, request: web.Request) -> web.Response:
        """The page without anything of a game but its number."""
        text = self._files[SHELL].body.decode().replace(GAME, str(game_of(request)))
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


def let_in(opened: Opened, *, secure: bool) -> web.Response:
    """Go to the board that was opened, with the cookie that this browser keeps."""
    query = f"?code={opened.code}" if opened.code else ""
    path = f"/board/{opened.game_id}{'~' if opened.seat else ''}{opened.seat}"
    answer = web.Response(
        status=HTTPStatus.SEE_OTHER,
        headers={"Location": f"{path}{query}", "Cache-Control": "no-store"},
    )
    # A session that this browser may have already is not replaced by one that waits.
    answer.set_cookie(
        WAITING if opened.code else COOKIE,
        opened.secret,
        path=path,
        max_age=opened.seconds,
        httponly=True,
        secure=secure,
        samesite="Strict",
    )
    return answer
