"""Games that are over, and what stands at their end."""

from collections.abc import Awaitable, Callable

from bot.client.places.threads import HOUR
from bot.sandbox.guild.person import InteractionResult
from bot.sandbox.model import Message
from tests.bot.support.positions import actor_of
from tests.bot.support.sandbox_bot import SandboxBot, Seated


def ends(game: Seated) -> list[Message]:
    """The last messages of a game; several, where its end was undone."""
    return [message for message in game.messages if "Thank you for the game" in message.content]


def papers(game: Seated) -> list[Message]:
    """What is posted below the results: chart, timelapse, turning points and files."""
    return [message for message in game.messages if message.content.startswith("The game in pictures")]


async def over(sandbox: SandboxBot, *names: str) -> Seated:
    """A game that all have agreed to end, after a pass of the first."""
    game = await sandbox.game(names)
    await game.press(names[0], "Pass")
    await agree(game, *names)
    return game


async def agree(game: Seated, *names: str) -> None:
    """All agree to end a game."""
    for name in names:
        await game.slash(name, "game abandon")
    world = game.sandbox.world
    assert await world.until(lambda: world.channel(game.thread).archive_minutes == HOUR)


async def ruin(game: Seated) -> Callable[[], Awaitable[InteractionResult]]:
    """The last move of a game that ends by a bankruptcy, under way."""
    name = actor_of(game)
    [label] = [button.label for button in game.turn.buttons if "bankruptcy" in button.label]
    asked = (await game.press(name, label)).ephemeral[0]
    return game.sandbox.person(name).hold(asked, asked.buttons[0].label)


async def rematch(game: Seated, name: str) -> str:
    """Somebody presses Rematch at the first end of a game; what they read."""
    result = await game.sandbox.person(name).press(ends(game)[0], "Rematch")
    await game.sandbox.world.until(lambda: bool(result.text), timeout=20)
    return result.text
