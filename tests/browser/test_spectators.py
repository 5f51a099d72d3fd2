"""Pages for spectators in a browser, wide by day and narrow at night: games, films, results, and events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bot.table.games.page_links import page_link
from storage import PageId
from tests.bot.events.seasons import NAMES, running_season
from tests.bot.support.table_service import ANN, GUILD
from tests.browser.axe import violations
from tests.browser.board_room import Player, Room
from tests.browser.test_accessibility import LOOKS
from tests.browser.test_looking_back import SAME_AS_SENT
from tests.browser.windows import DESKTOP, HEIGHT

if TYPE_CHECKING:
    from tests.browser.windows import Browser

ENDED = ("18al-price-3p", 405)
TRACK = ("18al-price-3p", 97)
LOOK_AGAIN = "() => document.dispatchEvent(new Event('visibilitychange'))"
"""Says that the page is seen again, so that it does not wait for the next look."""
ENTRANTS = [f"{name} {group}" for group in ("the Magnificent", "Two") for name in NAMES]


@asynccontextmanager
async def _guest(room: Room, browser: Browser, folder: Path, link: str) -> AsyncIterator[Player]:
    """Somebody who opens a link that leads to no board."""
    rest = f"{room.url}/board/static/board.css"
    async with browser.window(DESKTOP, folder / "last.png", rest=rest) as page:
        guest = Player(page, folder, pictures=browser.pictures)
        await page.goto(link)
        yield guest
        assert guest.troubles == []
        guest.leave()


async def _readable(player: Player, name: str) -> None:
    for width, scheme in LOOKS:
        await player.page.set_viewport_size({"width": width, "height": HEIGHT})
        await player.page.emulate_media(color_scheme=scheme)
        await player.keep(f"{name}-{width}-{scheme}")
        assert await violations(player) == []


async def test_games_of_a_server_are_followed(room: Room, browser: Browser, tmp_path: Path) -> None:
    """A move changes its card; a card leads to its board."""
    games = [await room.recorded(*TRACK), await room.recorded("18tn-bank-3p", 200)]
    await room.recorded(*ENDED)
    link = await page_link(room.service.tables, PageId("server", GUILD), ANN)
    assert link is not None
    async with _guest(room, browser, tmp_path, link) as ann:
        card = ann.page.locator(f"#game-{games[0]}")
        assert f"move {TRACK[1] + 1}" in await card.inner_text()
        await _readable(ann, "games")
        await room.service.pass_on(games[0])
        await ann.page.evaluate(LOOK_AGAIN)
        await card.get_by_text(f"move {TRACK[1] + 2}").wait_for()
        await card.get_by_role("link", name="18AL").click()
        await ann.page.locator("#stage svg [id^=hex-]").first.wait_for(state="attached")


async def test_film_is_played_by_keys(room: Room) -> None:
    """To its end, and one move back, where it shows what the server draws."""
    game = await room.recorded(*ENDED)
    async with room.seat(game, ANN) as ann:
        page = ann.page
        await page.get_by_role("link", name="Film").click()
        await page.locator("main svg").first.wait_for(state="attached")
        await page.get_by_label("Round").select_option("OR 13.3")
        await page.get_by_label("Speed").select_option("16")
        await page.locator("#told").focus()
        await page.keyboard.press("Space")
        await page.get_by_role("link", name="Result").wait_for()
        await page.get_by_role("button", name="Play").wait_for()
        await page.keyboard.press("ArrowLeft")
        await ann.rest()
        seq = int(await page.locator("#told b").inner_text())
        assert (seq, page.url.endswith(f"/film#{seq}")) == (ENDED[1], True)
        assert await page.evaluate(SAME_AS_SENT, seq)
        await _readable(ann, "film")


async def test_result_leads_to_the_film(room: Room, browser: Browser, tmp_path: Path) -> None:
    """For somebody who has nothing but the link."""
    game = await room.recorded(*ENDED)
    async with room.seat(game, ANN) as ann:
        await ann.page.get_by_role("link", name="Result page").click()
        await ann.page.get_by_role("heading", name="Cy wins with $4268").wait_for()
        link = ann.page.url
    async with _guest(room, browser, tmp_path, link) as guest:
        await guest.page.get_by_text("Net worth as numbers").click()
        assert "$4268" in await guest.page.locator("table tr").last.inner_text()
        await _readable(guest, "result")
        await guest.page.get_by_role("link", name="Film").click()
        await guest.page.locator("main svg").first.wait_for(state="attached")
        assert await guest.page.get_by_role("button", name="Copy link").count() == 0


async def test_event_page_opens_games(room: Room, browser: Browser, tmp_path: Path) -> None:
    """A row of the standings opens the games behind its numbers."""
    event = await running_season(room.service, ENTRANTS, over=9)
    link = await page_link(room.service.tables, PageId("event", event.id), ANN)
    assert link is not None
    async with _guest(room, browser, tmp_path, link) as ann:
        row = ann.page.locator("details").first
        await row.locator("summary").click()
        await _readable(ann, "event")
        game = row.get_by_role("link").first
        title, _, number = (await game.inner_text()).partition(", ")
        await game.click()
        assert title in await ann.page.locator(":target h4").inner_text()
        assert f"{number}, over" in await ann.page.locator(":target").inner_text()
        await ann.page.locator(":target").get_by_role("link", name="Board").click()
        await ann.page.locator("#stage svg [id^=hex-]").first.wait_for(state="attached")
