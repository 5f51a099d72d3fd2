"""How many taps a move takes from the turn message, by pressing alone; a form counts as its button and its sending."""

from pathlib import Path

import pytest

from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, first_moves, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

pytestmark = pytest.mark.usefixtures("undrawn")

RECORDED = (Path(__file__).parents[2] / "golden" / "18tn-bank-3p.json").read_text("utf-8")
BEFORE_A_PURCHASE = 336
"""After this many actions a company may buy a train of another one, with another president."""
BEFORE_A_TRAIN = 410
"""After this many a company may buy a train from the bank."""
BEFORE_A_LAY, MANY_HEXES = 422, 703
"""After this many a company may lay track: in three hexes, and in twenty-five."""
BEFORE_A_RUN = 424
"""After this many a company runs, and then decides about the dividend."""


async def _hand(sandbox: SandboxBot, until: int) -> Hand:
    game = await seated_at(sandbox, first_moves(RECORDED, until))
    return Hand(game, actor_of(game))


async def _made(hand: Hand, start: str) -> int:
    """Press the button that makes the move, see that it is made, and count the taps."""
    before = await hand.game.seq()
    await hand.press(start)
    await hand.game.sandbox.settled()
    assert await hand.game.seq() == before + 1
    return hand.taps


async def test_track_takes_three_to_five_taps(sandbox: SandboxBot) -> None:
    """Four; one less where only one tile fits, one more where the hexes need a menu."""
    hand = await _hand(sandbox, BEFORE_A_LAY)
    await hand.open("Lay track …")
    await hand.press("1 · H13")
    await hand.press("1 ·")
    assert await _made(hand, "Lay ") == 4
    hand = await _hand(sandbox, BEFORE_A_LAY)
    await hand.open("Lay track …")
    await hand.press("2 · H15")
    assert await _made(hand, "Lay ") == 3
    hand = await _hand(sandbox, MANY_HEXES)
    await hand.open("Lay track …")
    await hand.select("D7")
    await hand.press("1 ·")
    assert await _made(hand, "Lay ") == 5


async def test_run_and_dividend_take_a_tap_each(sandbox: SandboxBot) -> None:
    hand = await _hand(sandbox, BEFORE_A_RUN)
    await hand.once("Best run")
    assert "▸ dividend" in hand.game.turn.content
    await hand.once("Pay ")
    assert "✓ dividend" in hand.game.turn.content
    assert hand.taps == 2


async def test_train_from_the_bank_takes_a_tap(sandbox: SandboxBot) -> None:
    hand = await _hand(sandbox, BEFORE_A_TRAIN)
    await hand.once("3-train from the bank")
    assert "buys a 3-train from the bank" in hand.game.lines[-1]
    assert hand.taps == 1


async def test_train_of_another_company_takes_six(sandbox: SandboxBot) -> None:
    hand = await _hand(sandbox, BEFORE_A_PURCHASE)
    await hand.open("Buy a train …")
    await hand.press("2-train")
    await hand.press("2-train from NC&StL")
    await hand.type("Another", "100")
    assert await _made(hand, "Ask Cy") == 6


async def test_bid_takes_three(sandbox: SandboxBot) -> None:
    hand = Hand(await sandbox.game(), "Ann")
    await hand.fill("CV: another bid …", "230")
    assert await _made(hand, "Bid $230") == 3
