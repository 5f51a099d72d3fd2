"""`/what-if` while money is secret."""

import pytest

from bot.table.what_ifs import SECRET
from tests.bot.moves.test_what_if import _before, _rows
from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

pytestmark = pytest.mark.usefixtures("undrawn")


async def test_while_money_is_secret_one_tries_in_ones_own_turn_and_sees_nothing_of_others(
    sandbox: SandboxBot,
) -> None:
    game = await seated_at(sandbox, _before("18c2c-bank-3p", "dividend", 20))
    before, actor = await _rows(game), actor_of(game)
    for other in {"Ann", "Bob", "Cy", "Dee"} - {actor}:
        assert SECRET in (await game.slash(other, "what-if")).text
    hand = Hand(game, actor)
    await hand.what_if()
    while "The what-if ends here" not in hand.asked.content:
        await hand.press(next(label for label in hand.labels if "…" not in label))
    assert "your cash" in hand.asked.content
    assert hand.labels == ["Back", "Start over", "Make this move …"]
    assert " can: " not in hand.asked.content
    ended = hand.asked.content
    await hand.press("Make this move …")
    await hand.press("Back to the what-if")
    assert hand.asked.content == ended
    await hand.press("Back")
    assert " can: " in hand.asked.content
    assert await _rows(game) == before
