"""The auction on the page: the cards are seen, a form takes any bid, one press makes it; on a desk and on a phone."""

import pytest

from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.visitor import Visitor
from tests.browser.windows import DESKTOP, PHONE


@pytest.mark.parametrize(
    "visitor",
    [pytest.param(DESKTOP, marks=pytest.mark.long), PHONE],
    ids=["desktop", "phone"],
    indirect=True,
)
async def test_bid_of_ones_choice_by_clicks(visitor: Visitor, sandbox: SandboxBot) -> None:
    await visitor.page.get_by_role("button", name="Just look around").click()
    await sandbox.game(("Bob", "Ann"))
    await visitor.press("Play as Bob")
    await visitor.sees("CV: another bid")
    card = visitor.page.locator("img[alt*='buy for $20']").last
    await card.wait_for()
    await visitor.quiet()
    box = await card.bounding_box()
    assert box is not None
    assert box["width"] >= 300
    await visitor.keep("1-auction")
    await visitor.press("CV: another bid …")
    await visitor.dialog().get_by_label("Amount").fill("$230")
    await visitor.keep("2-form")
    await visitor.press("Submit")
    await visitor.sees("Bid $230 on CV")
    await visitor.quiet()
    await visitor.keep("3-confirm")
    await visitor.page.locator(".message.ephemeral").get_by_role("button", name="Bid $230 on CV").last.click()
    await visitor.sees("bids $230 on CV")
    await sandbox.settled()
    await visitor.quiet()
    await visitor.keep("4-bid")
    await visitor.page.locator("img[alt*='bids from $235']").last.wait_for()
    await visitor.press("Sealed bid …")
    await visitor.dialog().get_by_label("Your highest bid").fill("60")
    await visitor.press("Submit")  # no private is chosen yet: the form stays
    await visitor.dialog().get_by_label("Private").select_option("C-P")
    await visitor.press("Submit")
    await visitor.sees("Bid on C-P up to $60, then pass")
