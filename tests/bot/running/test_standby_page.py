"""The board page of two processes: one makes the moves, the other shows every board, and takes over with it."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from aiohttp import ClientConnectionError, ClientSession, DummyCookieJar

from bot.sandbox.server import LoopbackServer
from bot.table.games.leadership import leading
from storage import open_database
from tests.bot.support.processes import PATIENCE, ended, free_port, said, started
from tests.bot.support.tables import ANN, Bench
from tests.bot.web.visitors import OWN, PUBLIC, Answer, Browser
from tests.support.own_postgres import Server


@dataclass
class Two:
    """A browser at the page of each process, and the processes."""

    holder: Browser
    standby: Browser
    processes: list[asyncio.subprocess.Process]


@pytest.fixture
async def two(postgres: Server, tmp_path: Path) -> AsyncIterator[Two]:
    """A process with the leases, and one that stands by, on a database with a game in which Ann is on turn."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(postgres.fresh())
        discord = await stack.enter_async_context(LoopbackServer(port=0))
        db = await stack.enter_async_context(await open_database(url))
        session = await stack.enter_async_context(ClientSession(cookie_jar=DummyCookieJar()))
        bench = Bench.on(db)
        game = await bench.game()
        token = await bench.tables.board.personal(game, ANN, moderates=False)
        ports = free_port(), free_port()
        processes = []
        for port, words in zip(ports, ("connected as", "the board page is served"), strict=True):
            process = await started(
                tmp_path,
                free_port(),
                **{
                    "DATABASE_URL": url,
                    "STATIONMASTER_DISCORD_URL": discord.url,
                    "STATIONMASTER_LOG_LEVEL": "INFO",
                    "STATIONMASTER_WEB": PUBLIC,
                    "STATIONMASTER_WEB_PORT": str(port),
                    "STATIONMASTER_WORKERS": "0",
                    "DISCORD_CLIENT_SECRET": "only-discord-knows",
                },
            )
            processes.append(process)
            await said(process, words)
        found = [Browser(session, f"http://127.0.0.1:{port}", game, "") for port in ports]
        opened = await found[1].ask("GET", f"/board/open/{token}")
        for browser in found:
            browser.secret = opened.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
        yield Two(found[0], found[1], processes)
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def passed(browser: Browser) -> Answer:
    """Pass, as the page does."""
    asked = (await browser.get("/offers")).json
    move = next(one["move"] for offer in asked["offers"] if offer["kind"] == "pass" for one in offer["quick"])
    return await browser.post("/play", {"seq": asked["seq"], "move": move}, OWN)


async def test_a_standby_serves_links_and_boards_and_takes_moves_when_it_has_taken_over(two: Two) -> None:
    holder, standby = two.processes
    async with ended(standby):
        seen = [(await one.get("/position")).json for one in (two.holder, two.standby)]
        assert seen[0]["digest"] == seen[1]["digest"]
        assert seen[1]["you"]["name"] == "Ann"
        refused = await passed(two.standby)
        assert (refused.status, refused.json["code"]) == (503, "elsewhere")
        holder.kill()
        await holder.wait()
        async with asyncio.timeout(PATIENCE):
            made = await when_there(two.standby)
            while made.status == 503:
                await asyncio.sleep(0.2)
                made = await when_there(two.standby)
        assert (made.status, made.json["lines"]) == (200, ["Done, move 2: Ann passes."])


async def when_there(browser: Browser) -> Answer:
    """Pass, as soon as the port is answered: it changes hands within the process that takes over."""
    while True:
        try:
            return await passed(browser)
        except ClientConnectionError:
            await asyncio.sleep(0.1)


@pytest.mark.long
async def test_people_log_in_at_a_standby_as_they_do_at_the_other(two: Two) -> None:
    async with ended(two.processes[0]), ended(two.processes[1]):
        ways = []
        for browser in (two.holder, two.standby):
            found = await browser.ask("GET", f"/board/login/{browser.game}")
            assert found.status == 303
            asked = parse_qs(urlsplit(found.headers["Location"]).query)
            ways.append((asked["client_id"], asked["redirect_uri"]))
        assert ways[0] == ways[1]


async def test_a_standby_whose_port_is_taken_stands_by_without_a_page(
    postgres: Server, tmp_path: Path
) -> None:
    """As with two processes on one machine that share their settings."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        async with (
            postgres.fresh() as url,
            LoopbackServer(port=0) as discord,
            await open_database(url) as db,
            AsyncExitStack() as first,
        ):
            await first.enter_async_context(leading(db))
            settings = {
                "DATABASE_URL": url,
                "STATIONMASTER_DISCORD_URL": discord.url,
                "STATIONMASTER_LOG_LEVEL": "INFO",
                "STATIONMASTER_WEB": PUBLIC,
                "STATIONMASTER_WEB_PORT": str(taken.getsockname()[1]),
                "STATIONMASTER_WORKERS": "0",
            }
            second = await started(tmp_path, free_port(), **settings)
            async with ended(second):
                await said(second, "no board page while standing by")
                taken.close()
                await first.aclose()
                await said(second, "connected as")


async def test_what_one_process_has_stored_the_other_shows(two: Two) -> None:
    async with ended(two.processes[0]), ended(two.processes[1]):
        before = (await two.standby.get("/position")).json["last"]
        assert (await passed(two.holder)).status == 200
        after = (await two.standby.get("/position")).json
        assert after["last"] == before + 1
        assert not after["you"]["acting"]
