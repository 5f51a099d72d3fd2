"""The board page in a real browser: tables with recorded games, a server that can be stopped, players who open it."""

from __future__ import annotations

import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, Self

from bot.table.imports import ImportTarget, store_recorded_game
from bot.table.rate_limits import RateLimiter
from bot.web.board_server import BoardPage
from bot.web.context import PageServices
from bot.web.event_stream import KEEP_ALIVE_SECONDS
from storage import GameRow, open_database
from tests.bot.support.positions import first_moves
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.browser.windows import DESKTOP, QUIET

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage, Error, Locator, Page, Route

    from tests.browser.windows import Browser

GOLDEN: Final = Path(__file__).parents[1] / "golden"
PEOPLE: Final = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"))
PATIENCE_MS: Final = 60_000
"""Milliseconds until a click or a look gives up; nothing measures time."""
OFTEN: Final = 1000.0
"""Requests that a player may make at once: nobody is slowed down."""
TOO_WIDE: Final = """() => [...document.querySelectorAll("body, body *")]
    .filter((node) => !node.closest("svg, .stage, .unseen, .skip, option") && node.getClientRects().length)
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
        || (["auto", "scroll"].includes(getComputedStyle(node).overflowX) && node.scrollWidth > node.clientWidth + 1))
    .map((node) => `${node.tagName}#${node.id}.${node.className}`)"""
"""Parts of the page that reach out of the window, or can be scrolled sideways."""
MIDDLE: Final = """async (node) => {
    const outline = document.querySelector(`${node.getAttribute("clip-path").slice(4, -1)} path`).cloneNode();
    node.ownerSVGElement.append(outline);  // Firefox measures only what is drawn
    const edge = outline.getBBox();
    outline.remove();
    const middle = new DOMPoint(edge.x + edge.width / 2, edge.y + edge.height / 2);
    const frame = () => new Promise(requestAnimationFrame);
    let place = {}, before;
    do {
        await frame();
        await frame();
        [before, place] = [place, middle.matrixTransform(node.getScreenCTM())];
    } while (place.x !== before.x || place.y !== before.y);
    return [place.x, place.y];
}"""
"""The middle of a hex in the window, once the map lies still: what is drawn of its neighbours is cut away, but counts
for its box.
"""
REST: Final = "board/static/board.css"


def _free(port: int) -> int:
    """This port if it is free, else another."""
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


async def _all_of_ann(rows: Sequence[GameRow], user_id: int) -> frozenset[int]:
    """Ann sees every game, nobody else any: there is no Discord."""
    return frozenset(row.id for row in rows if user_id == ANN)


class Room:
    """Tables, and the server of their boards: that of the last room again, which the browser knows."""

    _last: ClassVar[int] = 0

    def __init__(
        self,
        service: TableService,
        folder: Path,
        alive: float = KEEP_ALIVE_SECONDS,
        browser: Browser | None = None,
    ) -> None:
        """Every `alive` seconds an open page hears a sign of life; pictures are stored in a folder."""
        self.service = service
        self._folder = folder
        self._browser = browser
        self._alive = alive
        self.links = service.tables.board_links
        service.tables.on_notice = service.tables.followers.wake
        self._port = Room._last = _free(Room._last)
        self.url = f"http://127.0.0.1:{self._port}"
        self._serving = AsyncExitStack()

    @classmethod
    @asynccontextmanager
    async def opened(
        cls, folder: Path, alive: float = KEEP_ALIVE_SECONDS, browser: Browser | None = None
    ) -> AsyncIterator[Self]:
        """A room with a database of its own."""
        async with await open_database(folder / "games.db") as db:
            room = cls(TableService.on(db), folder, alive, browser)
            await room.start()
            yield room
            await room.stop()

    async def start(self) -> None:
        """Serve the boards, at the same address every time."""
        tables = self.service.tables
        services = PageServices.without_client(tables, visible_games=_all_of_ann)
        page = BoardPage(services, RateLimiter(OFTEN), OFTEN, keep_alive_seconds=self._alive)
        await self._serving.enter_async_context(page.serving(self._port, self.url))

    async def stop(self) -> None:
        """Answer nobody any more."""
        await self._serving.aclose()

    async def recorded(self, name: str, moves: int) -> int:
        """A recorded game after some of its moves, with Ann, Bob and Cy in its seats; its number."""
        begun = first_moves((GOLDEN / f"{name}.json").read_text("utf-8"), moves)
        return await store_recorded_game(self.service.tables, begun, ImportTarget(GUILD, CHANNEL, PEOPLE))

    async def acting(self, game: int) -> int:
        async with self.service.tables.reading(game) as live:
            user = live.user_of(live.game.actors()[0])
        assert user is not None
        return user

    async def link(self, game: int, user: int | None, *, moderates: bool = False) -> str:
        """The address that a user's button opens, or (None) that of spectators."""
        if user is None:
            return f"{self.url}/board/open/{await self.links.spectator_token(game)}"
        return f"{self.url}/board/open/{await self.links.personal_token(game, user, moderates=moderates)}"

    @asynccontextmanager
    async def seat(
        self, game: int, user: int | None, width: int = DESKTOP, *, new: bool = False
    ) -> AsyncIterator[Player]:
        """A user, or a spectator, who opens the board of a game in a window this wide."""
        assert self._browser is not None
        async with seated(self._browser, await self.link(game, user), width, self._folder, new=new) as player:
            yield player

    async def moves(self, game: int) -> int:
        async with self.service.tables.reading(game) as live:
            return len(live.effective_rows)


class Player:
    """Somebody with the board in a window of their own."""

    def __init__(self, page: Page, folder: Path, *, pictures: bool = False) -> None:
        self.page = page
        self.folder = folder
        self.pictures = pictures
        self.troubles: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", self._fail)
        page.on("console", self._note)

    def leave(self) -> None:
        """Hear no more of the page, which another player may have."""
        self.page.remove_listener("pageerror", self._fail)
        self.page.remove_listener("console", self._note)

    def _fail(self, error: Error) -> None:
        self.troubles.append(str(error))

    def _note(self, said: ConsoleMessage) -> None:
        # Refused and lost requests are what some tests are about; the page has to tell of them.
        if said.type == "error" and "Failed to load resource" not in said.text:
            self.troubles.append(said.text)

    @property
    def play(self) -> Locator:
        """Where this player decides."""
        return self.page.locator("#play")

    async def open(self, url: str) -> None:
        """Open a link and wait for the board."""
        await self.page.goto(url)
        await self.page.locator("#stage svg [id^=hex-]").first.wait_for(state="attached")
        await self.page.locator("#line", has_text="Live").wait_for()
        await self.rest()

    async def rest(self) -> None:
        """Wait until the page has come to rest."""
        await self.page.evaluate(QUIET)

    async def keep(self, name: str) -> None:
        """Check that nothing needs scrolling sideways, and keep a picture of what is seen where pictures are wanted."""
        await self.rest()
        if self.pictures:
            await self.page.screenshot(path=self.folder / f"{name}.png")
        assert await self.page.evaluate(TOO_WIDE) == []

    async def press(self, label: str) -> None:
        """Press the first button of this name among the decisions."""
        await self.play.get_by_role("button", name=re.compile(label)).first.click()
        await self.rest()

    async def confirm(self) -> str:
        """Make the move that is laid out; what its button says."""
        button = self.play.locator("[data-key=confirm]")
        label = await button.inner_text()
        await button.click()
        await self.rest()
        return label

    async def hex(self, coord: str) -> None:
        """Press a hex in the middle, with the whole map in sight."""
        await self.see_map()
        await self.page.locator("#whole").click()
        await self.rest()
        x, y = await self.page.locator(f"#hex-{coord}").evaluate(MIDDLE)
        await self.page.mouse.click(x, y)
        await self.rest()

    async def see_map(self) -> None:
        """Open the map where a sheet has its place."""
        if not await self.page.locator("#map").is_visible():
            await self.page.locator("#tabs [aria-controls=map]").click()
            await self.rest()

    async def sheet(self, name: str) -> None:
        """Open a sheet."""
        await self.page.locator(f"#tab-{name}").click()
        await self.rest()

    async def reads(self, text: str) -> None:
        """Wait until the log has a line."""
        await self.page.locator("#log .line", has_text=text).last.wait_for(state="attached")


@asynccontextmanager
async def seated(
    browser: Browser,
    url: str,
    width: int,
    folder: Path,
    *,
    new: bool = False,
    routes: Mapping[str, Callable[[Route], Awaitable[None]]] = MappingProxyType({}),
) -> AsyncIterator[Player]:
    """Somebody who opens a link in a window this wide; `routes` answer requests in place of the server."""
    rest = f"{url.partition('/board/')[0]}/{REST}"
    async with browser.window(width, folder / f"last-{width}.png", new=new, rest=rest) as page:
        player = Player(page, folder, pictures=browser.pictures)
        for pattern, answer in routes.items():
            await page.route(pattern, answer)
        await player.open(url)
        yield player
        player.leave()
        assert player.troubles == []
