"""The board page's static shell and files."""

from collections.abc import Iterator
from hashlib import blake2b
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aiohttp import web

from bot.version_and_commit import commit, version
from render import THEMES, Theme

FOLDER: Final = Path(__file__).parent / "page"
KINDS: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
"""Files of the page; nothing else of the folder is served."""
SHELL: Final = "board.html"
COLOURS: Final = "colours.css"
"""The style sheet that is written from the themes of the pictures."""
VERSION: Final = "{version}"
"""Placeholder of the version in the shell."""


class _PageFile:
    def __init__(self, name: str, body: bytes) -> None:
        self.kind = KINDS[Path(name).suffix]
        self.body = body
        self.tag = f'"{blake2b(self.body, digest_size=8).hexdigest()}"'


class PageFiles:
    """The page's files as read at startup."""

    def __init__(self) -> None:
        files = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path.suffix in KINDS}
        files[COLOURS] = colours_css().encode()
        self._files = {name: _PageFile(name, body) for name, body in files.items()}
        tags = [self._files[name].tag for name in sorted(self._files)]
        self.version = blake2b("".join([version(), commit(), *tags]).encode(), digest_size=8).hexdigest()
        """Names the page and its JSON: another one where a file is another, or another release runs."""

    def text(self, name: str) -> str:
        """The text of a file."""
        return self._files[name].body.decode()

    async def shell(self, request: web.Request) -> web.Response:
        """The page without game data."""
        text = self.text(SHELL).replace(VERSION, self.version)
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-cache"})

    async def file(self, request: web.Request) -> web.Response:
        """A script or style; a cached one is not sent again."""
        file = self._files.get(request.match_info["name"])
        if file is None or file.kind == KINDS[".html"]:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "no-cache", "ETag": file.tag}
        if request.headers.get("If-None-Match") == file.tag:
            return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        answer = web.Response(body=file.body, content_type=file.kind, charset="utf-8", headers=headers)
        answer.enable_compression()
        return answer


def colours_css() -> str:
    """A style sheet with a class for each paint, by the root's theme."""
    return "".join(line for theme in THEMES.values() for line in _rules(theme))


def _rules(theme: Theme) -> Iterator[str]:
    root = f':root[data-theme="{theme.name}"]'
    yield from (f"{root} .line-{i} {{ --paint: {paint}; }}\n" for i, paint in enumerate(theme.lines))
    yield from (f"{root} .tile-{name} {{ --paint: {paint}; }}\n" for name, paint in theme.tiles.items())
