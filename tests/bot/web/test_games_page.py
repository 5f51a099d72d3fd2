"""The page of a server: its games, as far as Discord shows them to the visitor, and the way to each."""

from collections.abc import Awaitable, Callable

import pytest

from bot.table.games.page_links import page_link
from bot.table.orders import sealed_auction
from storage import GAME_SETTINGS, PageId
from tests.bot.support.table_service import ANN, GUILD, TableService
from tests.bot.web.test_positions import recorded
from tests.bot.web.visitors import PUBLIC, Answer, Browser, Site

Get = Callable[[str], Awaitable[Answer]]
LATE, ENDED = 259, 405
"""Moves of a recorded game of 18AL, which is over after the second number."""


@pytest.fixture
async def get(site: Site) -> Get:
    """What Ann's browser gets below the address of the page."""
    link = await page_link(site.service.tables, PageId("server", GUILD), ANN)
    assert link is not None
    answer = await site.stranger(0).ask("GET", link.removeprefix(PUBLIC))
    assert (answer.status, answer.headers["Location"]) == (303, f"/server/{GUILD}")
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    return lambda path: site.stranger(0).ask("GET", f"/server/{GUILD}{path}", {"Cookie": cookie})


async def test_page_shows_running_and_ended_games(site: Site, get: Get) -> None:
    running, ended = await recorded(site, LATE), await recorded(site, ENDED)
    text = (await get("")).body.decode()
    for part in (
        f"18AL #{running}<",
        f"OR 12.2, move {LATE + 1}, <time",
        f"18AL #{ended}<",
        ": Cy wins with $4268<",
    ):
        assert part in text
    assert (await get(f"/map/{running}?theme=dark")).body.startswith(b"<svg ")
    ways = {"board": f"/board/{ended}", "film": f"/board/{ended}/film"}
    for way, end in ways.items():
        link = (await get(f"/{way}/{ended}")).headers["Location"]
        assert (await site.stranger(0).ask("GET", link.removeprefix(PUBLIC))).headers["Location"] == end
    assert (await get(f"/result/{ended}")).headers["Location"] == await site.links.result_url(ended)


async def test_hidden_games_stay_hidden(site: Site, game: int, get: Get) -> None:
    site.hidden.add(game)
    assert 'class="card"' not in (await get("")).body.decode()
    for way in ("map", "board", "film", "result"):
        assert (await get(f"/{way}/{game}")).status == 403
    assert (await site.stranger(0).ask("GET", f"/server/{GUILD}/map/{game}")).status == 401
    assert (await site.stranger(0).ask("GET", f"/server/{GUILD}")).status == 401


async def test_sealed_bids_leave_no_trace(site: Site, service: TableService, ann: Browser, get: Get) -> None:
    """Not even who has bid."""
    await GAME_SETTINGS.put(service.db, ann.game, sealed_auction.SEALED_SETTING, "on")
    before = (await get("")).body
    bids = {"seq": 1, "choice": "seal", "bids": {"CV": 250}}
    assert (await ann.post("/orders", bids)).status == 200
    assert (await get("")).body == before


async def test_board_leads_to_the_games(site: Site, ann: Browser) -> None:
    link = (await ann.get("/games")).headers["Location"]
    assert (await site.stranger(0).ask("GET", link.removeprefix(PUBLIC))).headers[
        "Location"
    ] == f"/server/{GUILD}"
    assert (await (await site.browser(ann.game, None)).get("/games")).status == 403
