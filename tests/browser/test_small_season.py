"""A season in a few presses: from the greeting to running games."""

from bot.client.features.events.posts import EVENT_CHECK
from bot.sandbox.guild import seed
from storage import games
from tests.bot.support.sandbox_bot import SandboxBot
from tests.browser.visitor import Visitor


async def test_organiser_starts_a_season(visitor: Visitor, sandbox: SandboxBot) -> None:
    await visitor.keep("greeting")
    await visitor.press("Run a small season")
    await visitor.sees("Entrants (4)")
    await visitor.keep("opened")
    await visitor.press("Manage", exact=True)  # the button that closes the greeting says it, too
    await visitor.sees("Add a computer player")
    await visitor.keep("panel")
    await visitor.press("Draw the tables")
    await visitor.sees("4 games, 4 each; any two players meet 4 times")
    await visitor.keep("drawn")
    await visitor.press("Start")
    await visitor.sees("Small season has started: its 4 games open one after another")
    await visitor.keep("started")
    await sandbox.settled()
    await EVENT_CHECK.check(sandbox.client)
    await visitor.keep("running")
    assert len(await games.list_games(sandbox.db, seed.GUILD_ID)) == 4
