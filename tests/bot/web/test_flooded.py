"""Nobody takes all connections of the bot: players get in, and the bot keeps files for itself."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from aiohttp import ClientSession, DummyCookieJar

from bot.sandbox.server import LoopbackServer
from bot.tools.process import raise_file_limit
from bot.web.entry.access import SESSION_COOKIE
from bot.web.entry.page_and_stream_limits import MAX_STREAMS_PER_ADDRESS, MAX_STREAMS_PER_USER, PageCapacity
from storage import open_database
from tests.bot.support.processes import ALONE, PATIENCE, free_port, said, started_within
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.web.floods import HALF_SENT, Flood
from tests.bot.web.test_news import news, stream
from tests.bot.web.visitors import OWN, PUBLIC, Browser, Site

SMALL = PageCapacity(connections=40, streams=12, request_timeout=0.3, idle_timeout=0.3)


def asked(browser: Browser, path: str, address: str = "") -> bytes:
    forwarded = f"X-Forwarded-For: {address}\r\n" if address else ""
    cookie = f"Cookie: {SESSION_COOKIE}={browser.secret}\r\n"
    return f"GET /board/{browser.game}{path} HTTP/1.1\r\nHost: a\r\n{cookie}{forwarded}\r\n".encode()


def port_of(site: Site) -> int:
    return int(site.url.rpartition(":")[2])


async def test_players_get_in_during_a_flood(tmp_path: Path) -> None:
    assert raise_file_limit() > 1_000, "for those who flood"
    async with await open_database(tmp_path / "games.db") as db:
        service = TableService.on(db)
        game = await service.game()
        own = await service.tables.board_links.personal_token(game, ANN, moderates=False)
        shared = await service.tables.board_links.spectator_token(game)
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(LoopbackServer(port=0))
        session = await stack.enter_async_context(ClientSession(cookie_jar=DummyCookieJar()))
        port, health = free_port(), free_port()
        settings = {
            **ALONE,
            "STATIONMASTER_DISCORD_URL": discord.url,
            "STATIONMASTER_LOG_LEVEL": "INFO",
            "STATIONMASTER_HEALTH_PORT": str(health),
            "STATIONMASTER_WEB": PUBLIC,
            "STATIONMASTER_WEB_PORT": str(port),
        }
        process = await started_within(256, tmp_path, free_port(), settings)
        await said(process, "connected as")
        flood = await stack.enter_async_context(Flood.at(port))
        for number in range(12):
            address = f"203.0.113.{number}"
            spectator = Browser(session, f"http://127.0.0.1:{port}", game, "")
            await let_in(spectator, shared, {"X-Forwarded-For": address})
            await flood.send(asked(spectator, "/events", address), MAX_STREAMS_PER_USER)
        await flood.send(HALF_SENT, 150)
        await flood.send(b"", 150)
        ann = Browser(session, f"http://127.0.0.1:{port}", game, "")
        await let_in(ann, own)
        async with stream(ann) as found:
            assert (found.status, (await news(found))[0]) == (200, "position")
        offers = (await ann.get("/offers")).json
        move = next(
            one["one_click_moves"][0]["move_key"] for one in offers["offers"] if one["kind"] == "pass"
        )
        assert (await ann.post("/play", {"seq": offers["seq"], "move_key": move}, OWN)).status == 200
        async with session.get(f"http://127.0.0.1:{health}/health") as told:
            assert told.status in {200, 503}, "the bot still takes connections of its own"
        process.terminate()
        async with asyncio.timeout(PATIENCE):
            _, rest = await process.communicate()
    log = rest.decode()
    assert 0 < log.count("the board page refuses") < 5
    assert "Too many open files" not in log


async def let_in(browser: Browser, token: str, headers: dict[str, str] | None = None) -> None:
    opened = await browser.ask("GET", f"/board/open/{token}", headers)
    assert opened.status == 303, opened.body
    browser.secret = opened.headers["Set-Cookie"].partition("=")[2].partition(";")[0]


async def test_silent_connections_end(service: TableService) -> None:
    async with Site.open_on(service, capacity=SMALL) as site, Flood.at(port_of(site)) as flood:
        for data in (
            b"",
            HALF_SENT,
            b"POST /board/1/play HTTP/1.1\r\nContent-Length: 9\r\n\r\n",
            b"GET /board/1 HTTP/1.1\r\nHost: a\r\n\r\n",
        ):
            await flood.send(data, 5)
        async with asyncio.timeout(PATIENCE):
            while await flood.left():
                pass


async def test_missing_body_is_refused(service: TableService) -> None:
    async with Site.open_on(service, capacity=SMALL) as site, Flood.at(port_of(site)) as flood:
        browser = await site.browser(await service.game(), ANN)
        head = asked(browser, "/play").replace(b"GET", b"POST").removesuffix(b"\r\n")
        own = "".join(f"{name}: {value}\r\n" for name, value in OWN.items()).encode()
        await flood.send(head + own + b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{", 1)
        async with asyncio.timeout(PATIENCE):
            while not await flood.answered(b"HTTP/1.1 408"):
                pass


async def test_waiting_connections_make_room(service: TableService) -> None:
    capacity = PageCapacity(connections=40, streams=12)
    async with Site.open_on(service, capacity=capacity) as site, Flood.at(port_of(site)) as flood:
        browser = await site.browser(await service.game(), ANN)
        await flood.send(HALF_SENT, 200)
        assert (await browser.get("/position")).status == 200
        assert await flood.left() <= 40


async def test_spectators_leave_streams_to_players(service: TableService) -> None:
    async with Site.open_on(service, capacity=SMALL) as site, AsyncExitStack() as stack:
        game = await service.game()
        spectators = [await site.browser(game, None) for _ in range(3)]
        found = [await stack.enter_async_context(stream(browser)) for browser in spectators for _ in range(4)]
        assert [one.status for one in found] == [200] * 6 + [429] * 6, "half of all"
        async with stream(await site.browser(game, ANN)) as own:
            assert own.status == 200


async def test_address_holds_few_streams(service: TableService) -> None:
    async with Site.open_on(service, factor=1) as site, AsyncExitStack() as stack:
        games = [
            await service.game() for _ in range(MAX_STREAMS_PER_ADDRESS // (2 * MAX_STREAMS_PER_USER) + 1)
        ]
        found = [
            await stack.enter_async_context(stream(await site.browser(game, user)))
            for user in (ANN, BOB)
            for game in games
            for _ in range(MAX_STREAMS_PER_USER // len(games))
        ]
        assert {one.status for one in found} == {200}
        spectators = [await site.browser(games[0], None) for _ in range(4)]
        extra = [
            await stack.enter_async_context(stream(browser))
            for browser in spectators
            for _ in range(MAX_STREAMS_PER_USER)
        ]
        assert [one.status for one in extra].count(200) == MAX_STREAMS_PER_ADDRESS // 2
