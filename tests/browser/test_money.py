"""Money has one form, on the board page, too: `$1234`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.board_room import Room, seated
from tests.browser.windows import DESKTOP

if TYPE_CHECKING:
    from tests.browser.windows import Browser

OVER = ("18al-price-3p", 405)
SHEETS = ("table", "market", "trains", "charts")


async def test_money_has_one_form_on_every_sheet(browser: Browser, chromium: str, tmp_path: Path) -> None:
    async with Room.opened(tmp_path / "games.db") as room:
        link = await room.link(await room.recorded(*OVER), None)
        async with seated(browser, link, DESKTOP, tmp_path) as watcher:
            texts = [await watcher.page.locator("#where").inner_text()]
            for name in SHEETS:
                await watcher.sheet(name)
                texts.append(await watcher.page.locator("body").inner_text())
    assert re.search(r"bank \$\d{4}", texts[0])
    assert re.search(r"\$\d{4}", texts[1])
    assert re.findall(r"\$\d+,\d+", "\n".join(texts)) == []
