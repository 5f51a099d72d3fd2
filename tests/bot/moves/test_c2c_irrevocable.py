"""18C2C: a bull token that ends another token is placed only after a yes, whichever way it was chosen."""

from collections.abc import Awaitable, Callable

import pytest

from bot.sandbox.guild.person import InteractionResult
from tests.bot.moves.test_irrevocable import question as confirmation
from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, recorded, seated_at
from tests.bot.support.sandbox_bot import SandboxBot, Seated

BEFORE_A_BULL = 905
"""After this many actions of it a corporation may place its other token, or its bull token, in sixteen cities."""
BULL = "Bull token in J63 Toledo (forfeits 1 other token)"


async def bull_by_command(game: Seated, name: str) -> InteractionResult:
    return await game.slash(name, "move", move="bull-token", details="J63 0")


async def bull_by_button(game: Seated, name: str) -> InteractionResult:
    assert {BULL, "Place no token"} <= {button.label for button in game.turn.buttons}
    return await game.press(name, BULL)


async def bull_by_menu(game: Seated, name: str) -> InteractionResult:
    hand = Hand(game, name)
    await hand.choose("Place the bull token (forfeits 1 other token)")
    return await hand.press("3 · J63 Toledo")


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("way", [bull_by_command, bull_by_button, bull_by_menu])
async def test_bull_token_after_a_yes(
    sandbox: SandboxBot, way: Callable[[Seated, str], Awaitable[InteractionResult]]
) -> None:
    game = await seated_at(sandbox, recorded("18c2c-bank-3p", BEFORE_A_BULL))
    name, seq = actor_of(game), await game.seq()
    question = confirmation(await way(game, name))
    assert question.content == f"Confirm **{BULL}**? You can undo it only until another player acts."
    assert await game.seq() == seq
    await game.press(name, BULL, question)
    assert await game.seq() == seq + 1
    assert "forfeit" not in " ".join(button.label for button in game.turn.buttons)
