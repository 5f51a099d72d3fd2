"""The board page's static files, and its HTML shells: pages whose scripts load the game data."""

from collections.abc import Iterator
from hashlib import blake2b
from http import HTTPStatus
from pathlib import Path
from typing import Final

from aiohttp import web

from bot.version_and_commit import commit, version
from render import THEMES, Theme

PAGE_FOLDER: Final = Path(__file__).parent / "page"
CONTENT_TYPES: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
}
"""Content type by file suffix; files with other suffixes are not served."""
BOARD_SHELL: Final = "board.html"
FILM_SHELL: Final = "film.html"
COLOURS_FILE: Final = "colours.css"
"""Name of the style sheet that is generated from the colour themes of pictures."""
VERSION_PLACEHOLDER: Final = "{version}"
"""Text in HTML shells that is replaced by the page's version."""


class _PageFile:
    def __init__(self, name: str, body: bytes) -> None:
        self.content_type = CONTENT_TYPES[Path(name).suffix]
        self.body = body
        self.etag = f'"{blake2b(self.body, digest_size=8).hexdigest()}"'


class PageFiles:
    """The board page's static files, read at startup."""

    def __init__(self) -> None:
        files = {
            path.name: path.read_bytes() for path in PAGE_FOLDER.iterdir() if path.suffix in CONTENT_TYPES
        }
        files[COLOURS_FILE] = colours_css().encode()
        self._files = {name: _PageFile(name, body) for name, body in files.items()}
        etags = [self._files[name].etag for name in sorted(self._files)]
        self.version = blake2b("".join([version(), commit(), *etags]).encode(), digest_size=8).hexdigest()
        """Version of the page and its JSON; changes when a file changes, and with each release."""

    def text(self, name: str) -> str:
        """The content of a file."""
        return self._files[name].body.decode()

    async def send_shell(self, name: str, request: web.Request) -> web.Response:
        """Respond with an HTML shell, a page whose script loads the game data."""
        text = self.text(name).replace(VERSION_PLACEHOLDER, self.version)
        return web.Response(text=text, content_type="text/html", headers={"Cache-Control": "no-cache"})

    async def send_file(self, request: web.Request) -> web.Response:
        """Respond with a script or style sheet, or 304 if the browser has it cached."""
        file = self._files.get(request.match_info["name"])
        if file is None or file.content_type == CONTENT_TYPES[".html"]:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "no-cache", "ETag": file.etag}
        if request.headers.get("If-None-Match") == file.etag:
            return web.Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
        response = web.Response(
            body=file.body, content_type=file.content_type, charset="utf-8", headers=headers
        )
        response.enable_compression()
        return response


def colours_css() -> str:
    """A style sheet with the colours of routes and tiles in each theme."""
    return "".join(line for theme in THEMES.values() for line in _colour_rules(theme))


def _colour_rules(theme: Theme) -> Iterator[str]:
    root_selector = f':root[data-theme="{theme.name}"]'
    yield from (f"{root_selector} .line-{i} {{ --paint: {paint}; }}\n" for i, paint in enumerate(theme.lines))
    yield from (
        f"{root_selector} .tile-{name} {{ --paint: {paint}; }}\n" for name, paint in theme.tiles.items()
    )
