"""An open page learns of each move within a moment, and of the end of its session."""

import asyncio
import gzip
import json
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import pytest
from aiohttp import ClientResponse

from bot.table.votes.pauses import begin_pause, end_pause
from bot.web.entry.access import NO_SESSION_TEXT, SESSION_COOKIE
from bot.web.entry.page_and_stream_limits import MAX_STREAMS_PER_USER
from bot.web.event_stream import KEEP_ALIVE_SECONDS
from storage import games, later_timestamp
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.web.visitors import Browser, Site

OFTEN = 0.05
"""Seconds from one sign of life of a stream to the next."""


@asynccontextmanager
async def stream(browser: Browser, theme: str = "") -> AsyncIterator[ClientResponse]:
    """The open event stream of a browser, with positions where it names a theme."""
    async with browser.session.get(
        f"{browser.url}/board/{browser.game}/events{theme and f'?theme={theme}'}",
        headers={"Cookie": f"{SESSION_COOKIE}={browser.secret}"},
    ) as found:
        yield found


async def data(found: ClientResponse) -> tuple[str, list[str]]:
    async with asyncio.timeout(20):
        name, *lines = (await found.content.readuntil(b"\n\n")).decode().splitlines()
    return name.removeprefix("event: "), [line.removeprefix("data: ") for line in lines if line]


async def event(found: ClientResponse) -> tuple[str, dict[str, object]]:
    name, lines = await data(found)
    return name, json.loads(lines[0])


async def position(found: ClientResponse) -> list[str]:
    """The lines of the next news: the number of the last move, the position, what is about the visitor."""
    while (one := await data(found))[0] == "alive":
        continue
    return one[1]


async def news(found: ClientResponse) -> tuple[str, dict[str, object]]:
    """The next event but signs of life, and what it says."""
    while (one := await event(found))[0] == "alive":
        continue
    return one


async def nobody_follows(site: Site) -> None:
    """Wait until the server has noticed that all pages have gone: it writes to them to find out."""
    async with asyncio.timeout(20):
        while site.followers.followed_games:
            for game in site.followers.followed_games:
                await site.service.pass_on(game)
            await asyncio.sleep(0.01)


async def test_page_hears_of_moves_and_undo(site: Site, game: int, bob: Browser) -> None:
    other = await site.service.game()
    async with stream(bob) as found:
        assert found.headers["Content-Type"] == "text/event-stream"
        assert await news(found) == ("position", {"seq": 1})
        await site.service.pass_on(other)
        await site.service.pass_on(game)
        assert await news(found) == ("position", {"seq": 2})
        await site.service.undo(game, ANN)
        assert await news(found) == ("position", {"seq": 3})


async def test_page_hears_of_a_pause(site: Site, game: int, bob: Browser) -> None:
    async with stream(bob) as found:
        first = await news(found)
        await begin_pause(site.service.tables, game, ANN, None)
        assert await news(found) == first
        assert "is paused" in (await bob.get("/position")).json["move_obstacle"]
        await end_pause(site.service.tables, game, ANN)
        assert await news(found) == first
        assert (await bob.get("/position")).json["move_obstacle"] is None


async def test_news_bring_the_position(site: Site, game: int, bob: Browser) -> None:
    async with stream(bob, "dark") as found:
        assert len(await position(found)) == 1
        had = (await bob.get("/position?theme=dark")).json
        await site.service.pass_on(game)
        seq, packed, own = await position(found)
    sent = {**json.loads(gzip.decompress(b64decode(packed))), **json.loads(own)}
    known = f"map_id={had['map']['id']}&market_id={had['market']['id']}"
    assert sent == (await bob.get(f"/position?theme=dark&{known}")).json
    assert (sent["last_seq"], sent["you"]["user_name"]) == (json.loads(seq)["seq"], "Bob")


async def test_spectators_share_a_position(site: Site, game: int) -> None:
    async with AsyncExitStack() as stack:
        browsers = [await site.browser(game, None) for _ in range(3)]
        found = [await stack.enter_async_context(stream(browser, "ours")) for browser in browsers]
        for one in found:
            await position(one)
        for _ in range(2):
            await site.service.pass_on(game)
            sent = [await position(one) for one in found]
            assert len({packed for _, packed, _ in sent}) == 1
            assert len({json.loads(own)["you"]["session_id"] for _, _, own in sent}) == 3


async def test_reloaded_page_hears_news(site: Site, game: int, bob: Browser) -> None:
    async with stream(bob) as found:
        await news(found)
        for _ in range(3):
            await site.service.pass_on(game)
            await news(found)
    await nobody_follows(site)
    async with stream(bob) as found:
        _, first = await news(found)
        await site.service.pass_on(game)
        assert await news(found) == ("position", {"seq": int(str(first["seq"])) + 1})


async def ended(site: Site, how: str, game: int, session: str) -> None:
    now = site.service.tables.clock()
    if how == "one":
        await site.links.end_session(session, CY)
    elif how == "all":
        await site.links.end_sessions(CY)
    elif how == "game":
        await site.links.end_sessions(CY, game)
    elif how == "removed":
        await games.finish_game(site.service.db, game)
        await site.service.forget(CY)
    else:
        site.service.tables.clock = lambda: later_timestamp(now, timedelta(days=14))


@pytest.mark.parametrize("how", ["one", "all", "game", "removed", "expired"])
async def test_stream_ends_with_its_session(site: Site, game: int, how: str) -> None:
    browser = await site.browser(game, CY)
    session = (await browser.get("/position")).json["you"]["session_id"]
    async with (
        stream(browser) as first,
        stream(browser) as second,
        stream(await site.browser(game, BOB)) as bob,
    ):
        for one in (first, second, bob):
            await news(one)
        await ended(site, how, game, session)
        for one in (first, second):
            assert await news(one) == ("ended", {"error": NO_SESSION_TEXT})
            assert await one.content.read() == b""
        assert how == "expired" or not bob.content.at_eof()


async def test_confirmed_page_looks_again(site: Site, game: int) -> None:
    token = await site.links.personal_token(game, ANN, moderates=False)
    await site.links.open(token)
    opened = await site.links.open(token)
    browser = site.stranger(game)
    browser.secret = opened.secret
    async with stream(browser) as found:
        first = await news(found)
        await site.links.confirm(game, ANN, opened.code)
        assert await news(found) == first
        assert (await browser.get("/position")).json["you"]["user_name"] == "Ann"


async def test_stream_begins_with_the_version(ann: Browser) -> None:
    async with stream(ann) as found:
        name, sign = await event(found)
    assert (name, sign["seconds"]) == ("alive", KEEP_ALIVE_SECONDS)
    assert f'<meta name="version" content="{sign["version"]}">' in (await ann.get("")).body.decode()


async def test_busy_stream_shows_life(service: TableService) -> None:
    async with Site.open_on(service, alive=OFTEN) as site:
        game = await service.game()
        async with stream(await site.browser(game, ANN)) as found:
            await news(found)
            waking = asyncio.create_task(wake(site))
            assert [(await event(found))[0] for _ in range(3)] == ["alive"] * 3
            waking.cancel()


async def wake(site: Site) -> None:
    while True:
        site.followers.wake_all()
        await asyncio.sleep(OFTEN / 5)


async def test_user_holds_few_streams(site: Site, ann: Browser) -> None:
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(stream(ann)) for _ in range(MAX_STREAMS_PER_USER)]
        assert {one.status for one in found} == {200}
        assert (await ann.get("/events")).status == 429
    await nobody_follows(site)
    async with stream(ann) as again:
        assert again.status == 200
