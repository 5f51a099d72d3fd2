"""Discord in trouble while a game runs: every move is made and posted once."""

from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from bot.sandbox.guild import messages
from tests.bot.support.harness import House, Seated

PLAYERS: Final = ("Ann", "Bob", "Cy")
MOVES: Final = 3
Trouble = Callable[[House, Seated], Awaitable[None]]


def answering(status: int) -> Trouble:
    async def trouble(house: House, game: Seated) -> None:
        part = f"/channels/{game.thread}/messages"
        house.server.faults.fail(part, status=status, code=0, message="in trouble", times=2)

    return trouble


async def limited(house: House, game: Seated) -> None:
    house.server.faults.rate_limit(f"/channels/{game.thread}/messages", retry_after=0.02, times=2)


async def unheard(house: House, game: Seated) -> None:
    house.server.faults.lose_request(f"POST /api/v10/channels/{game.thread}/messages")


async def unanswered(house: House, game: Seated) -> None:
    house.server.faults.lose_answer(f"POST /api/v10/channels/{game.thread}/messages")


async def callback_unanswered(house: House, game: Seated) -> None:
    del game
    house.server.faults.lose_answer("/callback")


async def callback_unheard(house: House, game: Seated) -> None:
    del game
    house.server.faults.lose_request("/callback")


async def cut(house: House, game: Seated) -> None:
    del game
    house.server.faults.sockets.cut()


async def reconnecting(house: House, game: Seated) -> None:
    del game
    await house.server.faults.sockets.ask_to_reconnect()


async def twice(house: House, game: Seated) -> None:
    del game
    house.server.faults.sockets.copies = 2


async def turn_deleted(house: House, game: Seated) -> None:
    messages.delete(house.world, game.turn)


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
async def test_each_line_comes_once_in_order_and_there_is_one_board_and_one_turn_message(
    house: House, trouble: Trouble
) -> None:
    """Three passes, each with trouble under way; who sees that nothing happened asks again."""
    game = await house.game()
    for number in range(MOVES):
        seq = await game.seq()
        await trouble(house, game)
        while await game.seq() == seq:
            await game.slash(PLAYERS[number % len(PLAYERS)], "pass")
    house.server.faults.clear()
    await house.settled()
    assert await game.seq() == 1 + MOVES
    numbers = [int(line.split("`")[1]) for line in game.lines if line.startswith("`")]
    assert numbers == list(range(1, 2 + MOVES))
    assert len([message for message in game.messages if message.embeds and not message.buttons]) == 1
    assert [message for message in game.messages if message.buttons] == [game.turn]
    assert house.person(PLAYERS[MOVES % len(PLAYERS)]).mention in game.turn.content
