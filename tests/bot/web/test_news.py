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
from bot.web.entry.access import COOKIE, NO_SESSION
from bot.web.entry.page_and_stream_limits import STREAMS
from bot.web.event_stream import ALIVE
from storage import games, later_timestamp
from tests.bot.support.table_service import ANN, BOB, CY, TableService
from tests.bot.web.visitors import Browser, Desk

OFTEN = 0.05
"""Seconds from one sign of life of a stream to the next."""


@asynccontextmanager
async def stream(browser: Browser, theme: str = "") -> AsyncIterator[ClientResponse]:
    """The open event stream of a browser, with positions where it names a theme."""
    async with browser.session.get(
        f"{browser.url}/board/{browser.game}/events{theme and f'?theme={theme}'}",
        headers={"Cookie": f"{COOKIE}={browser.secret}"},
    ) as found:
        yield found


async def data(found: ClientResponse) -> tuple[str, list[str]]:
    """The next event, and its lines."""
    async with asyncio.timeout(20):
        name, *lines = (await found.content.readuntil(b"\n\n")).decode().splitlines()
    return name.removeprefix("event: "), [line.removeprefix("data: ") for line in lines if line]


async def event(found: ClientResponse) -> tuple[str, dict[str, object]]:
    """The next event, and what it says."""
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


async def nobody_follows(desk: Desk) -> None:
    """Wait until the server has noticed that all pages have gone: it writes to them to find out."""
    async with asyncio.timeout(20):
        while desk.followers.games:
            for game in desk.followers.games:
                await desk.service.pass_on(game)
            await asyncio.sleep(0.01)


async def test_a_page_learns_where_the_game_stands_and_of_each_move_and_undo(desk: Desk) -> None:
    game = await desk.service.game()
    async with desk.service.tables.reading(game) as live:
        seq, user = live.seq, live.user_of(live.game.actors()[0])
    async with stream(await desk.browser(game, BOB)) as found:
        assert found.headers["Content-Type"] == "text/event-stream"
        assert await news(found) == ("position", {"seq": seq})
        await desk.service.pass_on(game)
        assert await news(found) == ("position", {"seq": seq + 1})
        await desk.service.undo(game, user)
        assert await news(found) == ("position", {"seq": seq + 2})


async def test_a_page_hears_nothing_of_other_games(desk: Desk) -> None:
    game, other = await desk.service.game(), await desk.service.game()
    async with stream(await desk.browser(game, BOB)) as found:
        _, first = await news(found)
        await desk.service.pass_on(other)
        await desk.service.pass_on(game)
        assert await news(found) == ("position", {"seq": int(str(first["seq"])) + 1})


async def test_a_page_learns_that_a_game_pauses_and_is_resumed(desk: Desk) -> None:
    """Nothing is added to the log, but nobody may move."""
    game = await desk.service.game()
    browser = await desk.browser(game, BOB)
    async with stream(browser) as found:
        first = await news(found)
        await begin_pause(desk.service.tables, game, ANN, None)
        assert await news(found) == first
        assert "pauses" in (await browser.get("/position")).json["held_up"]
        await end_pause(desk.service.tables, game, ANN)
        assert await news(found) == first
        assert (await browser.get("/position")).json["held_up"] is None


async def test_news_bring_the_position(desk: Desk) -> None:
    """As the page would get it for asking: its pictures as differences from those it had."""
    game = await desk.service.game()
    browser = await desk.browser(game, BOB)
    async with stream(browser, "dark") as found:
        assert len(await position(found)) == 1
        had = (await browser.get("/position?theme=dark")).json
        await desk.service.pass_on(game)
        seq, packed, own = await position(found)
    sent = {**json.loads(gzip.decompress(b64decode(packed))), **json.loads(own)}
    known = f"have={had['map']['id']}&market={had['market']['id']}"
    assert sent == (await browser.get(f"/position?theme=dark&{known}")).json
    assert (sent["last"], sent["you"]["user"]) == (json.loads(seq)["seq"], "Bob")


async def test_spectators_share_a_position(desk: Desk) -> None:
    """All but the name of their session is the same for all of them."""
    game = await desk.service.game()
    async with AsyncExitStack() as stack:
        browsers = [await desk.browser(game, None) for _ in range(3)]
        found = [await stack.enter_async_context(stream(browser, "ours")) for browser in browsers]
        for one in found:
            await position(one)
        for _ in range(2):
            await desk.service.pass_on(game)
            sent = [await position(one) for one in found]
            assert len({packed for _, packed, _ in sent}) == 1
            assert len({json.loads(own)["you"]["session"] for _, _, own in sent}) == 3


async def test_a_page_hears_news_when_reloaded(desk: Desk) -> None:
    """Also where it was the only one, and some moves had been made."""
    game = await desk.service.game()
    browser = await desk.browser(game, BOB)
    async with stream(browser) as found:
        await news(found)
        for _ in range(3):
            await desk.service.pass_on(game)
            await news(found)
    await nobody_follows(desk)
    async with stream(browser) as found:
        _, first = await news(found)
        await desk.service.pass_on(game)
        assert await news(found) == ("position", {"seq": int(str(first["seq"])) + 1})


async def test_two_hundred_pages_learn_of_a_move(desk: Desk) -> None:
    game = await desk.service.game()
    browsers = [await desk.browser(game, user) for user in (ANN, BOB, CY)]
    browsers += [await desk.browser(game, None) for _ in range(40)]

    async def heard(browser: Browser, ready: asyncio.Semaphore) -> int:
        async with stream(browser) as found:
            _, first = await news(found)
            ready.release()
            _, second = await news(found)
            return int(str(second["seq"])) - int(str(first["seq"]))

    ready = asyncio.Semaphore(0)
    waiting = [asyncio.create_task(heard(browser, ready)) for browser in browsers for _ in range(4)]
    for _ in waiting:
        await ready.acquire()
    assert len(desk.followers) == len(waiting)
    await desk.service.pass_on(game)
    assert set(await asyncio.gather(*waiting)) == {1}


async def ended(desk: Desk, how: str, game: int, session: str) -> None:
    """End the session of Cy, one way or another."""
    now = desk.service.tables.clock()
    if how == "one":
        await desk.links.end_one(session, CY)
    elif how == "all":
        await desk.links.end(CY)
    elif how == "game":
        await desk.links.end(CY, game)
    elif how == "removed":
        await games.finish(desk.service.db, game)
        await desk.service.forget(CY)
    else:
        desk.service.tables.clock = lambda: later_timestamp(now, timedelta(days=14))


@pytest.mark.parametrize("how", ["one", "all", "game", "removed", "expired"])
async def test_a_stream_ends_with_its_session(desk: Desk, how: str) -> None:
    """At once, in every page that has it, and in no other."""
    game = await desk.service.game()
    browser = await desk.browser(game, CY)
    session = (await browser.get("/position")).json["you"]["session"]
    async with (
        stream(browser) as first,
        stream(browser) as second,
        stream(await desk.browser(game, BOB)) as bob,
    ):
        for one in (first, second, bob):
            await news(one)
        await ended(desk, how, game, session)
        for one in (first, second):
            assert await news(one) == ("ended", {"error": NO_SESSION})
            assert await one.content.read() == b""
        assert how == "expired" or not bob.content.at_eof()


async def test_a_page_learns_that_it_is_its_users_now(desk: Desk) -> None:
    """A browser that waited is confirmed: the stream continues, and the page looks again."""
    game = await desk.service.game()
    token = await desk.links.personal(game, ANN, moderates=False)
    await desk.links.open(token)
    opened = await desk.links.open(token)
    browser = desk.stranger(game)
    browser.secret = opened.secret
    async with stream(browser) as found:
        first = await news(found)
        await desk.links.confirm(game, ANN, opened.code)
        assert await news(found) == first
        assert (await browser.get("/position")).json["you"]["user"] == "Ann"


async def test_a_stream_begins_with_the_pages_version(desk: Desk) -> None:
    """And says after how many seconds the next sign of life comes."""
    game = await desk.service.game()
    browser = await desk.browser(game, ANN)
    async with stream(browser) as found:
        name, sign = await event(found)
    assert (name, sign["seconds"]) == ("alive", ALIVE)
    assert f'<meta name="version" content="{sign["version"]}">' in (await browser.get("")).body.decode()


async def test_a_stream_that_is_often_woken_shows_life(service: TableService) -> None:
    """As where other processes make moves: it looks every second whether anything is new."""
    async with Desk.open_on(service, alive=OFTEN) as desk:
        game = await service.game()
        async with stream(await desk.browser(game, ANN)) as found:
            await news(found)
            waking = asyncio.create_task(wake(desk))
            assert [(await event(found))[0] for _ in range(3)] == ["alive"] * 3
            waking.cancel()


async def wake(desk: Desk) -> None:
    """Wake all streams all the time."""
    while True:
        desk.followers.wake_all()
        await asyncio.sleep(OFTEN / 5)


async def test_one_user_holds_few_streams(desk: Desk) -> None:
    game = await desk.service.game()
    browser = await desk.browser(game, ANN)
    async with AsyncExitStack() as stack:
        found = [await stack.enter_async_context(stream(browser)) for _ in range(STREAMS)]
        assert {one.status for one in found} == {200}
        assert (await browser.get("/events")).status == 429
    await nobody_follows(desk)
    async with stream(browser) as again:
        assert again.status == 200


async def test_nobody_is_followed_when_all_pages_are_closed(desk: Desk) -> None:
    game = await desk.service.game()
    async with stream(await desk.browser(game, ANN)) as found:
        await news(found)
        assert desk.followers.games == (game,)
    await nobody_follows(desk)
