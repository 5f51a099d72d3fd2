"""The board page of two processes: one makes the moves, the other shows every board, and takes over with it."""

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from aiohttp import ClientConnectionError, ClientSession, DummyCookieJar

from bot.sandbox.server import LoopbackServer
from storage import open_database
from tests.bot.support.processes import ALONE, PATIENCE, ended, free_port, said, started
from tests.bot.support.table_service import ANN, BOB, GUILD, TableService
from tests.bot.web.visitors import OWN, PUBLIC, Answer, Browser


async def browsers(
    service: TableService, session: ClientSession, *places: tuple[int, int]
) -> Sequence[Browser]:
    """A browser for each port and user, at a game in which Ann is on turn."""
    game, found = await service.game(), list[Browser]()
    for port, user in places:
        browser = Browser(session, f"http://127.0.0.1:{port}", game, "")
        token = await service.tables.board_links.personal_token(game, user, moderates=False)
        opened = await browser.ask("GET", f"/board/open/{token}")
        browser.secret = opened.headers["Set-Cookie"].partition("=")[2].partition(";")[0]
        found.append(browser)
    return found


async def passed(browser: Browser) -> Answer:
    """Pass, as the page does."""
    asked = (await browser.get("/offers")).json
    move = next(
        one["move_key"]
        for offer in asked["offers"]
        if offer["kind"] == "pass"
        for one in offer["one_click_moves"]
    )
    return await browser.post("/play", {"seq": asked["seq"], "move_key": move}, OWN)


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


async def test_standby_shows_boards_and_takes_over(url: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        discord = await stack.enter_async_context(LoopbackServer(port=0))
        db = await stack.enter_async_context(await open_database(url))
        session = await stack.enter_async_context(ClientSession(cookie_jar=DummyCookieJar()))
        settings = {
            "DATABASE_URL": url,
            "STATIONMASTER_DISCORD_URL": discord.url,
            "STATIONMASTER_LOG_LEVEL": "INFO",
            "STATIONMASTER_WEB": PUBLIC,
            **ALONE,
        }
        ports = free_port(), free_port()
        holder = await started(tmp_path, free_port(), **settings, STATIONMASTER_WEB_PORT=str(ports[0]))
        await said(holder, "connected as")
        standby = await started(tmp_path, free_port(), **settings, STATIONMASTER_WEB_PORT=str(ports[1]))
        await stack.enter_async_context(ended(standby))
        await said(standby, "serving the board page")
        places = (ports[0], ANN), (ports[1], ANN), (ports[1], BOB)
        at_holder, at_standby, bob = await browsers(TableService.on(db), session, *places)
        seen = [(await one.get("/position")).json for one in (at_holder, at_standby)]
        assert seen[0]["digest"] == seen[1]["digest"]
        assert seen[1]["you"]["name"] == "Ann"
        link = (await at_standby.get("/games")).headers["Location"].removeprefix(PUBLIC)
        cookie = (await at_standby.ask("GET", link)).headers["Set-Cookie"].partition(";")[0]
        games = await at_standby.ask("GET", f"/server/{GUILD}", {"Cookie": cookie})
        assert (games.status, b"no running game" in games.body) == (200, True), "Discord knows no such server"
        refused = await passed(at_standby)
        assert (refused.status, refused.json["code"]) == (503, "elsewhere")
        assert (await passed(at_holder)).status == 200
        after = (await at_standby.get("/position")).json
        assert after["last_seq"] == seen[1]["last_seq"] + 1, "what one process has stored, the other shows"
        assert not after["you"]["is_acting"]
        holder.kill()
        await holder.wait()
        made = await passed_later(bob)
        assert (made.status, made.json["lines"]) == (200, ["Done, move 3: Bob passes."])
