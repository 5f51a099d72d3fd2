"""One person in all seats, in one tab or in several."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from bot.sandbox.guild import messages, seed
from bot.sandbox.server import LoopbackServer
from tests.bot.sandbox.toy import Toy
from tests.browser.visitor import Visitor

if TYPE_CHECKING:
    from playwright.async_api import Route

BOB = seed.OWNER_ID + 1
SOON = 0.6
"""Seconds after which a page that follows the turn has followed it."""


def _call(server: LoopbackServer, channel: int = seed.TABLE_CHANNEL_ID) -> None:
    where = server.world.channel(channel)
    messages.post(
        server.world, where, {"content": f"<@{BOB}>, your turn"}, [], messages.MessageOrigin(seed.BOT_ID)
    )


async def test_pinged_player_is_one_press_away(guest: Visitor, server: LoopbackServer) -> None:
    _call(server)
    await guest.page.get_by_role("radio", name="Bob, 1 waiting").wait_for()
    await guest.press("Play as Bob")
    await guest.page.get_by_role("radio", name="Bob", exact=True, checked=True).wait_for()
    await guest.becomes("Ann")
    await guest.page.get_by_role("switch", name="Follow the turn").click()
    _call(server, seed.SECOND_CHANNEL_ID)
    await guest.page.get_by_role("radio", name="Bob", exact=True, checked=True).wait_for()
    await guest.page.locator("#where", has_text="second-table").wait_for()


async def test_who_is_writing_is_not_taken_away(guest: Visitor, server: LoopbackServer) -> None:
    await guest.page.get_by_role("switch", name="Follow the turn").click()
    await guest.page.locator("#line").fill("I think")
    _call(server)
    await guest.page.get_by_role("button", name="Play as Bob").wait_for()
    await guest.quiet()
    assert await guest.plays_as() == "Ann"
    await guest.press("Play as Bob")
    await guest.quiet()
    assert await guest.page.locator("#line").input_value() == "I think"


async def test_waiting_player_stays(guest: Visitor, server: LoopbackServer, bot: Toy) -> None:
    pressed, answered = asyncio.Event(), asyncio.Event()

    async def late(route: Route) -> None:
        pressed.set()
        await answered.wait()
        await route.continue_()

    await server.person("Ann").slash("table", "menu")
    await guest.page.get_by_role("switch", name="Follow the turn").click()
    await guest.page.route("**/act/press*", late)
    await guest.press("Bid")
    await pressed.wait()
    _call(server)
    await guest.page.get_by_role("button", name="Play as Bob").wait_for()
    await asyncio.sleep(SOON)
    assert await guest.plays_as() == "Ann"
    answered.set()
    await guest.dialog().get_by_label("Amount").fill("45")
    await guest.press("Submit")
    await guest.page.locator(".message.ephemeral", has_text="bid 45").first.wait_for()
    assert await guest.plays_as() == "Ann"


async def test_two_tabs_keep_their_own_seats(guest: Visitor, server: LoopbackServer) -> None:
    await guest.becomes("Bob")
    second = Visitor(await guest.page.context.new_page(), guest.folder)
    await second.visit(server.url)
    await second.becomes("Cy")
    for tab, name in ((guest, "Bob"), (second, "Cy")):
        await tab.page.reload()
        await tab.page.get_by_role("radio", name=name, exact=True, checked=True).wait_for()


async def test_what_could_not_be_sent_is_still_there(
    guest: Visitor, server: LoopbackServer, bot: Toy
) -> None:
    line = guest.page.locator("#line")
    await guest.page.route("**/act/say*", lambda route: route.abort())
    await line.fill("Good luck!")
    await guest.press("Send")
    await guest.sees("The sandbox does not answer")
    assert await line.input_value() == "Good luck!"
    await guest.page.unroute("**/act/say*")
    await guest.press("Send")
    await guest.page.locator(".message", has_text="Good luck!").wait_for()
    assert await line.input_value() == ""


async def test_menus_and_forms_by_clicks(guest: Visitor, server: LoopbackServer, bot: Toy) -> None:
    await server.person("Ann").slash("table", "menu")
    await guest.press("Bid")
    await guest.dialog().get_by_label("Amount").fill("45")
    server.world.answer_seconds = -1.0
    await guest.press("Submit")
    await guest.sees("The application did not respond")
    assert await guest.dialog().get_by_label("Amount").input_value() == "45"
    server.world.answer_seconds = 3.0
    await guest.press("Submit")
    await guest.page.locator(".message.ephemeral", has_text="bid 45").first.wait_for()
    await guest.press("Company")
    for name in ("PRR", "B&O"):
        await guest.page.get_by_role("option", name=name).click()
    await guest.press("Choose")
    await guest.sees("chosen B&O PRR")
