"""`python -m tests.browser.board_picture FILE`: the board page in the middle of a turn, as PNG."""

import asyncio
import base64
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

from render.font_metrics import FONT_FILES, font_file
from tests.browser.board_room import Player, Room
from tests.browser.windows import COUNTED, FLAGS, NAMES

GAME = ("18al-price-3p", 181)
"""A company may lay track in six places."""
WEIGHTS = {"regular": 400, "bold": 700, "black": 900}


async def draw(path: Path) -> None:
    """Open the board of a game for the player on turn, choose a hex and a tile, and take a picture."""
    chromium = next(filter(None, map(shutil.which, NAMES)))
    with tempfile.TemporaryDirectory() as folder:
        async with Room.opened(Path(folder)) as room, async_playwright() as playwright:
            game = await room.recorded(*GAME)
            browser = await playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            context = await browser.new_context(viewport={"width": 1280, "height": 800}, bypass_csp=True)
            await context.add_init_script(f"(() => {{ {COUNTED} }})()")
            player = Player(await context.new_page(), Path(folder))
            await player.open(await room.link(game, await room.acting(game)))
            await player.page.add_style_tag(content="".join(map(_face, FONT_FILES)))
            await player.press("Lay track")
            await player.page.locator("#hex-G6").dispatch_event("click")
            await player.play.locator(".tile").first.click()
            await player.rest()
            await player.page.screenshot(path=path)
            await browser.close()


def _face(weight: str) -> str:
    """The bundled font, which readers of the page may not have."""
    data = base64.b64encode(font_file(weight).read_bytes()).decode()  # type: ignore[arg-type]
    return f"@font-face {{ font-family: Lato; font-weight: {WEIGHTS[weight]}; src: url(data:font/ttf;base64,{data}) }}"


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1])))
