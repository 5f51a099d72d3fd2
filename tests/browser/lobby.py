"""From the greeting to a game that has started."""

from tests.browser.visitor import Visitor


async def started(visitor: Visitor) -> None:
    """A table of two, opened from the greeting."""
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
    await visitor.press("Start")
