"""Discord in trouble while a game runs: every move is made and posted once."""

from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from bot.sandbox.guild import messages
from tests.bot.support.sandbox_bot import SandboxBot, Seated

PLAYERS: Final = ("Ann", "Bob", "Cy")
MOVES: Final = 3
Trouble = Callable[[SandboxBot, Seated], Awaitable[None]]


def answering(status: int) -> Trouble:
    async def trouble(sandbox: SandboxBot, game: Seated) -> None:
        part = f"/channels/{game.thread}/messages"
        sandbox.server.faults.fail(part, status=status, code=0, message="in trouble", times=2)

    return trouble


async def limited(sandbox: SandboxBot, game: Seated) -> None:
    sandbox.server.faults.rate_limit(f"/channels/{game.thread}/messages", retry_after=0.02, times=2)


async def unheard(sandbox: SandboxBot, game: Seated) -> None:
    sandbox.server.faults.lose_request(f"POST /api/v10/channels/{game.thread}/messages")


async def unanswered(sandbox: SandboxBot, game: Seated) -> None:
    sandbox.server.faults.lose_answer(f"POST /api/v10/channels/{game.thread}/messages")


async def callback_unanswered(sandbox: SandboxBot, game: Seated) -> None:
    del game
    sandbox.server.faults.lose_answer("/callback")


async def callback_unheard(sandbox: SandboxBot, game: Seated) -> None:
    del game
    sandbox.server.faults.lose_request("/callback")


async def cut(sandbox: SandboxBot, game: Seated) -> None:
    del game
    sandbox.server.faults.sockets.cut()


async def reconnecting(sandbox: SandboxBot, game: Seated) -> None:
    del game
    await sandbox.server.faults.sockets.ask_to_reconnect()


async def twice(sandbox: SandboxBot, game: Seated) -> None:
    del game
    sandbox.server.faults.sockets.copies = 2


async def turn_deleted(sandbox: SandboxBot, game: Seated) -> None:
    messages.delete(sandbox.world, game.turn)


TROUBLES: Final = {
    "500": answering(500),
    "502": answering(502),
    "503": answering(503),
    "429": limited,
    "a request lost": unheard,
    "an answer lost": unanswered,
    "the answer to a command lost": callback_unanswered,
    "a command's answer unheard": callback_unheard,
    "the event socket cut": cut,
    "a reconnect asked for": reconnecting,
    "interactions twice": twice,
    "the turn message deleted": turn_deleted,
}


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
async def test_each_line_comes_once_in_trouble(sandbox: SandboxBot, trouble: Trouble) -> None:
    """Three passes, each with trouble under way; who sees that nothing happened asks again."""
    game = await sandbox.game()
    for number in range(MOVES):
        seq = await game.seq()
        await trouble(sandbox, game)
        while await game.seq() == seq:
            await game.slash(PLAYERS[number % len(PLAYERS)], "pass")
    sandbox.server.faults.clear()
    await sandbox.settled()
    assert await game.seq() == 1 + MOVES
    numbers = [int(line.split("`")[1]) for line in game.lines if line.startswith("`")]
    assert numbers == list(range(1, 2 + MOVES))
    assert len([message for message in game.messages if message.embeds and not message.buttons]) == 1
    assert [message for message in game.messages if message.buttons] == [game.turn]
    assert sandbox.person(PLAYERS[MOVES % len(PLAYERS)]).mention in game.turn.content
