"""What a newcomer finds on the page: games to begin with."""

from tests.bot.support.harness import House
from tests.browser.visitor import Visitor


async def test_a_newcomer_watches_a_recorded_game_and_plays_on_another(
    visitor: Visitor, house: House
) -> None:
    await visitor.keep("greeting")
    await visitor.press("Watch a recorded game")
    await visitor.sees("Recorded move 0 of 439")
    await visitor.press("Next move")
    await visitor.sees("Recorded move 1 of 439")
    await visitor.press("Next 10")
    await visitor.sees("Recorded move 11 of 439")
    assert await visitor.plays_as() == "Ann"
    await visitor.keep("watched")
    await visitor.press("Games")
    await visitor.press("Continue a game")
    await visitor.sees("Recorded move 181 of 405")
    await visitor.becomes("Bob")  # automatically: it is Bob's turn
    await visitor.press("Done with track")
    await visitor.sees("Best run")
    await visitor.keep("continued")
    # A move of one's own, and it is one's own game.
    await visitor.page.locator("#tape").wait_for(state="hidden")
    await visitor.page.reload()
    await visitor.sees("Best run")
    assert not await visitor.dialog().count(), "greeted once"
