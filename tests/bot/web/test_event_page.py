"""The page of an event: a link opens it once, for its session; standings, schedule, file and boards."""

import csv
from collections.abc import Awaitable, Callable

import pytest

from bot.table.games.page_links import page_link
from storage import PageId, event_tables, events, personal_data
from tests.bot.events.seasons import running_season
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.web.visitors import PUBLIC, Answer, Site

NAMES = ("Ada", "Ben & <i>Co</i>", "Cat", "Dan", "Eva", "Fay", "Gus")
Get = Callable[[str], Awaitable[Answer]]


@pytest.fixture
async def event(service: TableService) -> events.EventRow:
    """Seven entrants, two of whose games are over."""
    return await running_season(service, NAMES, over=2)


@pytest.fixture
async def get(site: Site, event: events.EventRow) -> Get:
    """What Ann's browser gets below the address of the event, after it has opened her link."""
    answer = await site.stranger(0).ask("GET", await link_path(site, event.id))
    assert (answer.status, answer.headers["Location"]) == (303, f"/event/{event.id}")
    cookie, *rules = answer.headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "SameSite=Lax", "Path=/event"} <= set(rules)
    return lambda path: site.stranger(0).ask("GET", f"/event/{event.id}{path}", {"Cookie": cookie})


async def link_path(site: Site, event_id: int) -> str:
    link = await page_link(site.service.tables, PageId("event", event_id), ANN)
    assert link is not None
    return link.removeprefix(PUBLIC)


async def test_page_shows_standings_and_schedule(get: Get) -> None:
    text = (await get("")).body.decode()
    for part in ("Spring &amp; summer &lt;b&gt;", "2 of 7 games are over", "Ben &amp; &lt;i&gt;Co&lt;/i&gt;"):
        assert part in text
    assert ("<i>" in text, text.count("<details>"), text.count("<article")) == (False, 7, 7)
    assert text.count(">1889, game ") == 8, "each entrant's games that are over"
    assert (text.count(", running<"), text.count(", over<")) == (5, 2)


async def test_file_of_standings(get: Get) -> None:
    answer = await get(".csv")
    lines = list(csv.reader(answer.body.decode().splitlines()))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert (lines[0][:4], len(lines)) == (["rank", "group", "player", "points"], 8)


async def test_page_leads_to_boards(
    site: Site, service: TableService, event: events.EventRow, get: Get
) -> None:
    """Of its own games, as spectators see them."""
    game = (await event_tables.games_of_event(service.db, event.id))[0].game_id
    answer = await get(f"/board/{game}")
    opened = await site.stranger(0).ask("GET", answer.headers["Location"].removeprefix(PUBLIC))
    assert (answer.status, opened.headers["Location"]) == (303, f"/board/{game}")
    assert (await get(f"/board/{await service.game()}")).status == 404


async def test_link_of_an_event_opens_once(site: Site, event: events.EventRow) -> None:
    path = await link_path(site, event.id)
    found = [await site.stranger(0).ask("GET", path) for _ in range(2)]
    assert [answer.status for answer in found] == [303, 403]
    assert b"This link was already used" in found[1].body
    picture = {"Sec-Fetch-Dest": "image"}
    assert (await site.stranger(0).ask("GET", await link_path(site, event.id), picture)).status == 403


@pytest.mark.parametrize("path", ["", ".csv", "/board/1"])
async def test_page_is_for_its_session(site: Site, event: events.EventRow, path: str) -> None:
    """Not for strangers, nor for a session of another event."""
    other = await running_season(site.service)
    answer = await site.stranger(0).ask("GET", await link_path(site, other.id))
    secret = answer.headers["Set-Cookie"].partition(";")[0].partition("=")[2]
    for cookie in ({}, {"Cookie": f"stationmaster_event_{event.id}={secret}"}):
        refused = await site.stranger(0).ask("GET", f"/event/{event.id}{path}", cookie)
        assert (refused.status, b"You are not logged in" in refused.body) == (401, True)


async def test_ended_sessions_see_no_event(site: Site, get: Get) -> None:
    await site.links.end_sessions(BOB)
    assert (await get("")).status == 200
    await site.links.end_sessions(ANN)
    assert (await get("")).status == 401


async def test_removed_user_sees_no_event(site: Site, service: TableService, event: events.EventRow) -> None:
    """Their link does not open any more."""
    link = await page_link(service.tables, PageId("event", event.id), 99)
    assert len((await personal_data.rows_about_user(service.db, 99))["page_visits"]) == 1
    await service.forget(99)
    assert link is not None
    assert (await site.stranger(0).ask("GET", link.removeprefix(PUBLIC))).status == 403


async def test_no_link_without_a_page(service: TableService, event: events.EventRow) -> None:
    assert await page_link(service.tables, PageId("event", event.id), ANN) is None
