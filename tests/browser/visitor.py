"""Somebody at the page who only clicks, and sees what the page shows."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.windows import QUIET

if TYPE_CHECKING:
    from playwright.async_api import ConsoleMessage, Error, Locator, Page

PATIENCE_MS = 60_000
"""Milliseconds until a click or a look gives up; nothing measures time."""
TOO_WIDE = """() => {
    const scrolls = (node) => !["visible", "clip"].includes(getComputedStyle(node).overflowX)
        && node.scrollWidth > node.clientWidth + 1 && !node.matches("input, .quoted");
    const parts = [...document.querySelectorAll("body, body *")].filter((node) => node.getClientRects().length);
    return parts.filter((node) => node.getBoundingClientRect().right > innerWidth + 1 || scrolls(node))
        .map((node) => `${node.tagName}#${node.id}.${node.className}`);
}"""
BACK = re.compile(r"^(Back|Cancel|Refuse|Dismiss|Undo|Map|Market|Table|Choose)")


class Visitor:
    """A page, and what somebody does there; pictures of it are kept in a folder where they are wanted."""

    def __init__(self, page: Page, folder: Path, *, pictures: bool = False) -> None:
        self.page = page
        self.troubles: list[str] = []
        self.folder = folder
        self.pictures = pictures
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", self._fail)
        page.on("console", self._note)

    def leave(self) -> None:
        """Hear no more of the page, which another visitor may have."""
        self.page.remove_listener("pageerror", self._fail)
        self.page.remove_listener("console", self._note)

    def _fail(self, error: Error) -> None:
        self.troubles.append(str(error))

    def _note(self, said: ConsoleMessage) -> None:
        # That a request was refused is no trouble of the page, which has to tell of it.
        if said.type == "error" and not said.text.startswith("Failed to load resource"):
            self.troubles.append(said.text)

    async def visit(self, url: str) -> None:
        """Open the page and wait until it is drawn."""
        await self.page.goto(url)
        await self.page.locator("#people [aria-checked=true]").wait_for()

    async def keep(self, name: str) -> None:
        """Check that nothing needs scrolling sideways, and keep a picture of what is seen where pictures are wanted."""
        assert await self.too_wide() == []
        if self.pictures:
            await self.page.screenshot(path=self.folder / f"{name}.png")

    async def too_wide(self) -> list[str]:
        """Parts of the page that can be scrolled sideways, or reach out of the window."""
        found: list[str] = await self.page.evaluate(TOO_WIDE)
        return found

    async def quiet(self) -> None:
        """Wait until the page has come to rest."""
        await self.page.evaluate(QUIET)

    async def sees(self, text: str) -> None:
        """Wait until a text is seen."""
        await self.page.get_by_text(text).locator("visible=true").last.wait_for()

    async def becomes(self, name: str) -> None:
        """Play as somebody."""
        seat = self.page.get_by_role("radio", name=re.compile(rf"^{name}\b"))
        await seat.click()
        await self.page.locator("#people [aria-checked=true]", has_text=name).wait_for()

    async def plays_as(self) -> str:
        label = await self.page.locator("#people [aria-checked=true]").get_attribute("aria-label")
        return (label or "").partition(",")[0]

    def dialog(self) -> Locator:
        """The dialog that is open."""
        return self.page.locator("dialog[open]")

    async def press(self, label: str, *, exact: bool = False) -> None:
        """Press the last button of this name."""
        await self.page.get_by_role("button", name=label, exact=exact).last.click()

    async def decide(self, wishes: Sequence[str]) -> str:
        """One click towards a decision, on whatever asks for it now; what it was.

        A form is sent with the least it takes, what one alone is asked is answered by its first button or entry;
        else the button is pressed that comes first in the preferences.
        """
        if await self.dialog().count():
            return await self._send_form()
        asked = self.page.locator(".message.ephemeral", has=self.page.locator(".menu, .row .button:enabled"))
        if await asked.count():
            return await self._answer(asked.last)
        return await self._click(self._turn(), wishes)

    def _turn(self) -> Locator:
        """The buttons of the last message that has some for everybody."""
        enabled = self.page.locator(".row button.button:enabled")
        return self.page.locator(".message:not(.ephemeral)", has=enabled).last.locator(enabled)

    async def _send_form(self) -> str:
        for field in await self.dialog().locator("input[type=text], textarea").all():
            if not await field.input_value():
                label = await field.locator("xpath=..").inner_text()
                await field.fill(re.sub(r",", "", (re.findall(r"\d[\d,]*", label) or ["1"])[0]))
        await self.dialog().get_by_role("button", name="Submit").click()
        return "form"

    async def _answer(self, message: Locator) -> str:
        """Press what is coloured, else take of the first menu, else press what leads on; at a dead end, put it away."""
        coloured = await self._forward(message, ".primary, .success")
        closed = message.locator(".menu .closed:enabled")
        if not coloured and await closed.count():
            await closed.first.click()
            await message.get_by_role("option").first.click()
            return "menu"
        for button in coloured or await self._forward(message, ".button"):
            label: str = await button.inner_text()
            await button.click()
            return label
        await message.get_by_role("button", name="Dismiss").click()
        return "dismissed"

    async def _forward(self, message: Locator, kind: str) -> list[Locator]:
        """The buttons of this kind that lead on."""
        buttons = await message.locator(".row button.button:enabled").and_(message.locator(kind)).all()
        return [button for button in buttons if not BACK.match(await button.inner_text())]

    async def _click(self, buttons: Locator, wishes: Sequence[str]) -> str:
        """Press the button that is wanted most, as soon as one is there that leads on; what it says."""
        async with asyncio.timeout(60):
            while (label := _wanted(await buttons.all_inner_texts(), wishes)) is None:
                await self.page.wait_for_timeout(50)
        await buttons.filter(has_text=re.compile(f"^{re.escape(label)}$")).first.click()
        return label


def _wanted(labels: Sequence[str], wishes: Sequence[str]) -> str | None:
    """The first label that is asked for most; else the first that leads on; None where none does."""
    wanted = (label for wish in wishes for label in labels if re.search(wish, label))
    return next(wanted, None) or next((label for label in labels if not BACK.match(label)), None)
