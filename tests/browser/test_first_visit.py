"""What a newcomer finds on the page."""

import asyncio
from tests.bot.house import House
from tests.browser.visitor import Visitor


async def test_try(visitor: Visitor, house: House) -> None:
    await visitor.keep("welcome")
    await visitor.press("Watch a recorded game")
    await visitor.sees("move 0 of 439")
    await visitor.keep("watch-0")
    for _ in range(3):
        await visitor.press("Next move")
        await asyncio.sleep(0.4)
    await visitor.press("Next 10")
    await visitor.sees("move 13 of 439")
    await asyncio.sleep(2)
    await visitor.keep("watch-13")
    await visitor.press("Games")
    await visitor.press("Continue a game")
    await visitor.sees("of 405")
    await asyncio.sleep(3)
    await visitor.keep("continue")
    print(visitor._folder)
