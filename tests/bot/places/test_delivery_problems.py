"""Discord in trouble while a game runs: every move is made and posted once."""

from collections.abc import Awaitable, Callable
from functools import partial
from inspect import isawaitable
from typing import Final

import pytest

from bot.sandbox.guild import messages
from tests.bot.sandbox.faults import Faults
from tests.bot.support.sandbox_bot import SandboxBot, Seated

PLAYERS: Final = ("Ann", "Bob", "Cy")
MOVES: Final = 3
FAILS = partial(Faults.fail, code=0, message="in trouble", times=2)
REQUESTS: Final[dict[str, tuple[str, Callable[[Faults, str], None]]]] = {
    **{str(status): ("/channels/{0}/messages", partial(FAILS, status=status)) for status in (500, 502, 503)},
    "429": ("/channels/{0}/messages", partial(Faults.rate_limit, retry_after=0.02, times=2)),
    "a request lost": ("POST /api/v10/channels/{0}/messages", Faults.lose_request),
    "an answer lost": ("POST /api/v10/channels/{0}/messages", Faults.lose_answer),
    "the answer to a command lost": ("/callback", Faults.lose_answer),
    "a command's answer unheard": ("/callback", Faults.lose_request),
}
"""The requests that meet trouble, with the number of the thread in their paths, and the trouble."""
OTHERS: Final[dict[str, Callable[[SandboxBot, Seated], Awaitable[None] | None]]] = {
    "the event socket cut": lambda sandbox, _: sandbox.server.faults.sockets.cut(),
    "a reconnect asked for": lambda sandbox, _: sandbox.server.faults.sockets.ask_to_reconnect(),
    "interactions twice": lambda sandbox, _: setattr(sandbox.server.faults.sockets, "copies", 2),
    "the turn message deleted": lambda sandbox, game: messages.delete(sandbox.world, game.turn),
}


async def troubled(sandbox: SandboxBot, game: Seated, name: str) -> None:
    """Let there be trouble."""
    if name in REQUESTS:
        part, fault = REQUESTS[name]
        fault(sandbox.server.faults, part.format(game.thread))
    elif isawaitable(begun := OTHERS[name](sandbox, game)):
        await begun


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("trouble", [*REQUESTS, *OTHERS])
async def test_each_line_comes_once_in_trouble(sandbox: SandboxBot, trouble: str) -> None:
    """Three passes, each with trouble under way; who sees that nothing happened asks again."""
    game = await sandbox.game()
    for number in range(MOVES):
        seq = await game.seq()
        await troubled(sandbox, game, trouble)
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
