"""What is written for Discord, as the page shows it: no markup, nobody's number."""

import pytest

from bot.web.wire import plain_text
from tests.bot.support.table_service import ANN
from tests.bot.web.visitors import Site

LINES = {
    "`12` **B&O** (Ann) lays #57 on C5. *(caretaker)*": "B&O (Ann) lays #57 on C5. (caretaker)",
    "Bob passes. *(automatic)*": "Bob passes. (automatic)",
    "***Both*** and ~~gone~~ and ||hidden|| and _slanted_": "Both and gone and hidden and slanted",
    "-# Since your last move": "Since your last move",
    "## OR 3.2\n> __Ann__ passes": "OR 3.2\nAnn passes",
    "Look at [the **newest** turn message](https://discord.com/channels/1/2/3).": (
        "Look at the newest turn message."
    ),
    "<@5> takes over the seat of **Ann**, until <t:1700000000:F>": (
        "somebody takes over the seat of Ann, until"
    ),
    "Ask a moderator to use `/mod undo`.": "Ask a moderator to use /mod undo.",
    r"3 \* 5, snake\_case and snake_case": "3 * 5, snake_case and snake_case",
    "5:H4-G5 pays $120 (40%), #7 and 4D → $90": "5:H4-G5 pays $120 (40%), #7 and 4D → $90",
}


@pytest.mark.parametrize("line", LINES)
def test_lines_for_discord_lose_their_markup(line: str) -> None:
    assert plain_text(line) == LINES[line]


async def test_refusals_lose_their_markup(site: Site) -> None:
    browser = await site.browser(game := await site.service.game(), ANN)
    refused = await browser.post("/orders", {"seq": 1, "choice": "withdraw", "order_details": "99"})
    assert refused.error == f"You have no order 99 in game {game}. /orders list shows your orders."
