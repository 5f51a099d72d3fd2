"""Windows of one Chromium without a screen: used again, and clean whenever somebody opens one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import Page

DESKTOP: Final = 1280
PHONE: Final = 390
"""Widths of a window, in pixels."""
HEIGHT: Final = 800
NAMES: Final = (
    "chromium-headless-shell",  # takes less of the processor than a whole browser
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
"""Commands of browsers, the first of which is taken."""
FLAGS: Final = (
    "--no-sandbox",  # only pages of the tests' own server are opened; as root, Chromium starts in no other way
    # For every window the browser would load pages of its own, under an address bar that nobody sees.
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
)
FORGET: Final = (
    "() => { if (location.protocol.startsWith('http')) { localStorage.clear(); sessionStorage.clear(); } }"
)
"""Empties what a page has stored in the browser."""
COUNTED: Final = """
    let underWay = 0;
    const counted = (work) => function (...given) {
        underWay += 1;
        return work.apply(this, given).finally(() => { underWay -= 1; });
    };
    window.fetch = counted(window.fetch);
    for (const name of ["json", "text", "blob"]) Response.prototype[name] = counted(Response.prototype[name]);
    window.isBusy = () => underWay > 0 || Boolean(document.querySelector("[aria-busy]"));
"""
"""Lets a page say whether it still asks for something, or reads an answer."""
QUIET: Final = """() => new Promise((done) => {
    let timer = 0;
    const again = () => { clearTimeout(timer); timer = setTimeout(look, 30); };
    const seen = new MutationObserver(again);
    const look = () => {
        if (isBusy()) { again(); return; }
        seen.disconnect();
        done();
    };
    seen.observe(document.body, { subtree: true, childList: true, characterData: true });
    again();
})"""
"""Waits until a page asks for nothing, and has drawn what it knows."""


class Browser:
    """A Chromium and its windows; a window that is closed is kept for the next visitor with one as wide."""

    def __init__(self, chromium: Chromium, *, pictures: bool) -> None:
        self._chromium = chromium
        self._free: defaultdict[int, list[Page]] = defaultdict(list)
        self.pictures = pictures

    @classmethod
    @asynccontextmanager
    async def started(cls, path: str, *, pictures: bool = True) -> AsyncIterator[Self]:
        """A browser, ended at the end."""
        from playwright.async_api import async_playwright

        async with async_playwright() as playwright:
            chromium = await playwright.chromium.launch(executable_path=path, args=FLAGS)
            yield cls(chromium, pictures=pictures)
            await chromium.close()

    @asynccontextmanager
    async def window(
        self, width: int, last: Path, *, new: bool = False, rest: str = "about:blank"
    ) -> AsyncIterator[Page]:
        """A window this wide that has been nowhere before, but for its cache of files.

        A new one has no cache, and nobody has it afterwards, so that its clock may be stopped. The last that is seen
        in a window is kept as a picture where pictures are wanted, and if anything fails; then it shows `rest`.
        """
        page = self._free[width].pop() if self._free[width] and not new else await self._opened(width)
        try:
            yield page
            if self.pictures:
                await page.screenshot(path=last)
        except BaseException:
            await page.screenshot(path=last)
            await page.context.close()
            raise
        if new:
            await page.context.close()
        else:
            await _clean(page, rest)
            await page.set_viewport_size({"width": width, "height": HEIGHT})
            self._free[width].append(page)

    async def _opened(self, width: int) -> Page:
        context = await self._chromium.new_context(
            viewport={"width": width, "height": HEIGHT}, has_touch=width == PHONE, locale="en-GB"
        )
        await context.add_init_script(f"(() => {{ {COUNTED} }})()")
        return await context.new_page()


async def _clean(page: Page, rest: str) -> None:
    """Close what else was opened, forget everything, and leave the window empty."""
    for other in page.context.pages:
        await other.evaluate(FORGET)
        if other is not page:
            await other.close()
    await page.unroute_all(behavior="ignoreErrors")
    await page.goto(rest)
    await page.context.clear_cookies()
    await page.emulate_media(color_scheme="light")
