"""The board page of two processes: one makes the moves, the other shows every board, and takes over with it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from aiohttp import ClientConnectionError, ClientSession, DummyCookieJar

from bot.sandbox.server import LoopbackServer
from storage import open_database
from tests.bot.support.processes import ALONE, PATIENCE, ended, free_port, said, started
from tests.bot.support.table_service import ANN, BOB, TableService
from tests.bot.web.visitors import OWN, PUBLIC, Answer, Browser
from tests.support.own_postgres import Server


@dataclass
class Two:
    """Ann's browser at the page of each process, Bob's at that of the standby, and the processes."""

    holder: Browser
    standby: Browser
    bob: Browser
    processes: list[asyncio.subprocess.Process]


@pytest.fixture
async def two(postgres: Server, tmp_path: Path) -> AsyncIterator[Two]:
    """A process that owns the shards, and one that stands by, on a database with a game in which Ann is on turn."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(postgres.fresh())
        discord = await stack.enter_async_context(LoopbackServer(port=0))
        db = await stack.enter_async_context(await open_database(url))
        session = await stack.enter_async_context(ClientSession(cookie_jar=DummyCookieJar()))
        service = TableService.on(db)
        game = await service.game()
        settings = {
            "DATABASE_URL": url,
            "STATIONMASTER_DISCORD_URL": discord.url,
            "STATIONMASTER_LOG_LEVEL": "INFO",
            "STATIONMASTER_WEB": PUBLIC,
            **ALONE,
        }
        ports = free_port(), free_port()
        processes: list[asyncio.subprocess.Process] = []
        browsers: list[Browser] = []
        for port, words in zip(ports, ("connected as", "the board page is served"), strict=True):
            process = await started(tmp_path, free_port(), **settings, STATIONMASTER_WEB_PORT=str(port))
            processes.append(process)
            await said(process, words)
        for port, user in ((ports[0], ANN), (ports[1], ANN), (ports[1], BOB)):
            browser = Browser(session, f"http://127.0.0.1:{port}", game, "")
            token = await service.tables.board.personal(game, user, moderates=False)
            opened = await browser.ask("GET", f"/board/open/{token}")
            browser.secret = opened.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
            browsers.append(browser)
        holder, standby, bob = browsers
        yield Two(holder, standby, bob, processes)
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def passed(browser: Browser) -> Answer:
    """Pass, as the page does."""
    asked = (await browser.get("/offers")).json
    move = next(one["move"] for offer in asked["offers"] if offer["kind"] == "pass" for one in offer["quick"])
    return await browser.post("/play", {"seq": asked["seq"], "move": move}, OWN)


async def passed_later(browser: Browser) -> Answer:
    """Pass, as soon as moves are taken there: the port changes hands within the process that takes over."""
    async with asyncio.timeout(PATIENCE):
        while True:
            try:
                if (made := await passed(browser)).status != 503:
                    return made
            except ClientConnectionError:
                pass
            await asyncio.sleep(0.1)


async def test_standby_shows_boards_and_takes_over(two: Two) -> None:
    holder, standby = two.processes
    async with ended(standby):
        seen = [(await one.get("/position")).json for one in (two.holder, two.standby)]
        assert seen[0]["digest"] == seen[1]["digest"]
        assert seen[1]["you"]["name"] == "Ann"
        refused = await passed(two.standby)
        assert (refused.status, refused.json["code"]) == (503, "elsewhere")
        assert (await passed(two.holder)).status == 200
        after = (await two.standby.get("/position")).json
        assert after["last"] == seen[1]["last"] + 1, "what one process has stored, the other shows"
        assert not after["you"]["acting"]
        holder.kill()
        await holder.wait()
        made = await passed_later(two.bob)
        assert (made.status, made.json["lines"]) == (200, ["Done, move 3: Bob passes."])
