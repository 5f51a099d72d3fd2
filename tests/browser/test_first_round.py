"""A game from the lobby to the end of its first operating round, by clicks alone."""

import re

from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.visitor import Visitor

TRAIN = r"train from the bank"
WISHES = (
    TRAIN,
    r"^Set the par price",
    r" at \$\d+$",
    r"^Buy .* from the IPO",
    r"^Lay ",
    r"^Token in",
    r"^(Best run|Run )",
    r"^Pay ",
    r"^(Done|No |End the turn)",
    r"^Buy for \$",
    r"^(Pass|Leave)",
)
MAX_CLICKS = 90
IDLE = "() => new Promise((done) => { const look = () => isBusy() ? setTimeout(look, 10) : done(); look(); })"
KEPT = {"auction": 2, "stock": 3, "operating": 6}


async def test_lobby_to_the_first_operating_round(visitor: Visitor, sandbox: SandboxBot) -> None:
    await visitor.keep("0-greeting")
    await visitor.press("Start a new game")
    title = visitor.page.get_by_role("option", name="18Chesapeake", exact=True)
    await title.wait_for()
    await visitor.keep("0-title")
    await title.click()
    await visitor.press("Send")
    await visitor.sees("Join")
    await visitor.becomes("Bob")
    await visitor.press("Join")
    await visitor.keep("0-lobby")
    await visitor.becomes("Ann")
    await visitor.press("Start", exact=True)
    left, rounds, wishes = dict(KEPT), list[str](), list(WISHES)
    for click in range(MAX_CLICKS):
        await _at_rest(visitor, sandbox)
        rounds.append(await _round(sandbox))
        if "operating 1" in rounds and rounds[-1] != "operating 1":
            break
        kind = rounds[-1].partition(" ")[0]
        left[kind] -= 1
        if left[kind] >= 0:
            await visitor.keep(f"{click:02}-{kind}")
        pressed = await visitor.decide(wishes)
        if TRAIN in wishes and re.search(TRAIN, pressed):
            wishes.remove(TRAIN)  # one is enough
    assert list(dict.fromkeys(rounds)) == ["auction", "stock", "operating 1"]
    assert rounds[-1] != "operating 1"
    await visitor.keep("end-of-round")
    lines = await visitor.page.locator(".message .text").all_inner_texts()
    assert any(" lays #" in line for line in lines)


async def _at_rest(visitor: Visitor, sandbox: SandboxBot) -> None:
    """Wait until the bot has posted everything and the page shows it."""
    await visitor.page.evaluate(IDLE)
    await sandbox.settled()
    await visitor.quiet()


async def _round(sandbox: SandboxBot) -> str:
    """The round in play; an operating round with its number."""
    async with sandbox.client.tables.reading(1) as live:
        found = live.game.table.state.round
        return f"operating {found.set + found.number - 1}" if found.kind == "operating" else found.kind
