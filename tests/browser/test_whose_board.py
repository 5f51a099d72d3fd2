"""Whose board it is: the page names its user, asks before another's link takes its place, and ends sessions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.bot.support.table_service import ANN, BOB
from tests.browser.axe import violations
from tests.browser.board_room import PATIENCE_MS, Player, Room
from tests.browser.test_board_page import AT_A_DESK, BY_PHONE
from tests.browser.windows import PHONE

if TYPE_CHECKING:
    from playwright.async_api import Locator, Page


NO_SESSION = "Press Board in Discord"


async def tab(player: Player) -> Page:
    """Another tab of the same browser."""
    page = await player.page.context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


async def sessions(player: Player) -> Locator:
    """Open the list of sessions."""
    await player.page.locator("#owner").click()
    await player.rest()
    return player.page.get_by_role("dialog", name="Your sessions")


@BY_PHONE
async def test_link_of_another_user_asks(room: Room, tmp_path: Path, width: int) -> None:
    game, other = await room.service.game(), await room.service.game()
    async with room.seat(game, ANN, width) as ann:
        for there in (game, other):
            foreign = await tab(ann)
            await foreign.goto(await room.link(there, BOB))
            await foreign.get_by_text("you are logged in on this browser as Ann").wait_for()
            asks = Player(foreign, tmp_path, pictures=ann.pictures)
            await asks.keep(f"asks-{there}")
            assert await violations(asks) == []
            await foreign.get_by_role("button", name="Stay logged in as Ann").click()
            await foreign.locator("#owner", has_text="You are Ann").wait_for()
            assert foreign.url == f"{room.url}/board/{game}"
        foreign = await tab(ann)
        await foreign.goto(await room.link(game, BOB))
        await foreign.get_by_role("button", name="Continue as Bob").click()
        await foreign.locator("#owner", has_text="You are Bob").wait_for()
        await ann.page.locator("#owner", has_text="You are Bob").wait_for()


async def test_tab_of_an_earlier_session_moves_nothing(room: Room) -> None:
    """While it hears and reads nothing it still shows Ann's board: the server refuses what it sends."""
    game = await room.service.game()
    async with room.seat(game, ANN) as ann:
        for path in ("**/events*", "**/position*"):
            await ann.page.route(path, lambda route: route.abort())
        await room.stop()
        await room.start()
        foreign = await tab(ann)
        await foreign.goto(await room.link(game, BOB))
        await foreign.get_by_role("button", name="Continue as Bob").click()
        await foreign.locator("#owner", has_text="You are Bob").wait_for()
        before = await room.moves(game)
        async with ann.page.expect_navigation():
            await ann.play.get_by_role("button", name="Pass").first.click()
        await ann.page.unroute_all()
        await ann.page.locator("#owner", has_text="You are Bob").wait_for()
        assert await room.moves(game) == before


@AT_A_DESK
async def test_sessions_end_at_the_board(room: Room, width: int) -> None:
    """One of another browser, then the own: nothing of the game stays on the page."""
    game = await room.service.game()
    async with (
        room.seat(game, ANN, width) as ann,
        room.seat(game, ANN) as there,
    ):
        dialog = await sessions(ann)
        await dialog.get_by_text("Chrome on Linux").first.wait_for()
        await ann.keep("sessions")
        assert await violations(ann, "dialog[open]") == []
        await dialog.locator(".card", has_not_text="(this browser)").get_by_role("button").click()
        await there.page.get_by_text(NO_SESSION).wait_for()
        assert await there.page.locator("#stage svg").count() == 0
        await dialog.locator(".card").nth(1).wait_for(state="detached")
        await dialog.locator(".card").get_by_role("button").click()
        await ann.page.get_by_text(NO_SESSION).wait_for()
        assert await ann.page.locator("#stage svg").count() == 0


async def test_all_sessions_end_at_the_board(room: Room) -> None:
    game, other = await room.service.game(), await room.service.game()
    async with (
        room.seat(game, ANN) as ann,
        room.seat(other, ANN) as there,
        room.seat(game, BOB) as bob,
    ):
        await (await sessions(ann)).get_by_role("button", name="End all sessions").click()
        for one in (ann, there):
            await one.page.get_by_text(NO_SESSION).wait_for()
        await bob.rest()
        assert await bob.page.locator("#owner").inner_text() == "You are Bob"


async def test_spectators_session_ends(room: Room) -> None:
    """Without one the board shows nothing."""
    game = await room.service.game()
    async with room.seat(game, None, PHONE) as watcher:
        assert await watcher.page.locator("#owner").inner_text() == "Spectator: you cannot move"
        await watcher.keep("owner")
        dialog = await sessions(watcher)
        await dialog.get_by_text("You cannot move on this page").wait_for()
        await dialog.get_by_role("button", name="End this session").click()
        await watcher.page.get_by_text(NO_SESSION).wait_for()
        await watcher.page.goto(f"{room.url}/board/{game}")
        await watcher.page.locator("#banner", has_text=NO_SESSION).wait_for()
