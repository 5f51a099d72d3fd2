"""What is read on the page, and how it looks there: as on Discord."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.sandbox.guild import messages, seed
from bot.sandbox.guild.world import World
from bot.sandbox.model import Upload
from bot.sandbox.refusal import Json
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import png
from tests.browser.visitor import Visitor

if TYPE_CHECKING:
    from playwright.async_api import Route

ANN, BOB = seed.OWNER_ID, seed.OWNER_ID + 1


def _post(world: World, text: str, *files: Upload, embeds: Sequence[Json] = ()) -> int:
    channel = world.channel(seed.TABLE_CHANNEL_ID)
    payload = {"content": text, "embeds": list(embeds)}
    return messages.post(world, channel, payload, files, messages.MessageOrigin(seed.BOT_ID)).id


async def test_headers_and_edits(guest: Visitor, server: LoopbackServer) -> None:
    """Messages of one author share a header; an edit is marked at the end of the text."""
    _post(server.world, "first")
    message = server.world.messages[_post(server.world, "30 for PRR")]
    server.person("Bob").say("table", "third")
    await guest.sees("third")
    assert await guest.page.locator(".head-line:visible strong").all_inner_texts() == ["Stationmaster", "Bob"]
    messages.edit(server.world, message, {"content": "40 for PRR"}, [])
    await guest.sees("40 for PRR (edited)")


async def test_message_posted_meanwhile_is_shown(guest: Visitor, server: LoopbackServer) -> None:
    async def late(route: Route) -> None:
        answer = await route.fetch()
        _post(server.world, "posted meanwhile")
        await guest.sees("posted meanwhile")
        await route.fulfill(response=answer)

    _post(server.world, "posted before")
    await guest.sees("posted before")
    await guest.page.route("**/sandbox/messages*", late, times=1)
    async with guest.page.expect_response("**/sandbox/messages*"):
        await guest.press("# table")
    await guest.quiet()
    await guest.sees("posted meanwhile")


async def test_pictures_have_discords_sizes(guest: Visitor, server: LoopbackServer) -> None:
    large = Upload("map.png", png(1600, 800, 200), "The map")
    embed = {"title": "Board", "image": {"url": "attachment://map.png"}}
    _post(server.world, "", large)
    _post(server.world, "", large, embeds=[embed])
    shown = guest.page.locator(".picture img")
    await shown.nth(1).wait_for()
    boxes = [await shown.nth(at).bounding_box() for at in (0, 1)]
    assert [(round(b["width"]), round(b["height"])) for b in boxes if b] == [(550, 275), (400, 200)]
    await guest.page.get_by_role("button", name="Enlarge The map").first.click()
    opened = await guest.dialog().locator("img").bounding_box()
    assert opened is not None
    assert opened["width"] > 1000


async def test_reading_continues_where_it_stopped(guest: Visitor, server: LoopbackServer) -> None:
    numbered = [_post(server.world, f"line {number}") for number in range(120)]
    await guest.sees("line 119")
    await guest.page.get_by_role("button", name="# second-table").click()
    for number in range(120, 170):
        _post(server.world, f"line {number}")
    await guest.page.locator("nav .unread", has_text="table").first.wait_for()
    await guest.page.get_by_role("button", name="# table").click()
    await guest.press("To where you stopped reading")
    line = guest.page.locator(".stopped")
    assert "line 120" in await line.locator("xpath=following-sibling::li[1]").inner_text()
    _post(server.world, "line 170")
    await guest.press("Jump to newest (1 new)")
    await guest.sees("line 170")
    await guest.page.locator(".earlier button").scroll_into_view_if_needed()
    await guest.press("Show earlier messages")
    messages.pin(server.world, server.world.messages[numbered[3]])
    await guest.press("Pinned (1)")
    await guest.keep("pins")
    await guest.dialog().get_by_role("button", name="Jump").click()
    await guest.page.locator(".message.shown", has_text="line 3").wait_for()
