"""How many taps a move takes from the turn message, by pressing alone; a form counts as its button and its sending."""

import pytest

from tests.bot.support.hand import Hand
from tests.bot.support.positions import actor_of, recorded, seated_at
from tests.bot.support.sandbox_bot import SandboxBot

pytestmark = pytest.mark.usefixtures("undrawn")

BEFORE_A_PURCHASE = 336
"""After this many actions a company may buy a train of another one, with another president."""
BEFORE_A_TRAIN = 410
"""After this many a company may buy a train from the bank."""
BEFORE_A_LAY, MANY_HEXES = 422, 703
"""After this many a company may lay track: in three hexes, and in twenty-five."""
BEFORE_A_RUN = 424
"""After this many a company runs, and then decides about the dividend."""


@pytest.mark.parametrize(
    ("until", "steps", "taps"),
    [
        (
            BEFORE_A_LAY,
            [("open", "Lay track …"), ("press", "1 · H13"), ("press", "1 ·"), ("press", "Lay ")],
            4,
        ),
        (MANY_HEXES, [("open", "Lay track …"), ("select", "D7"), ("press", "1 ·"), ("press", "Lay ")], 5),
        (BEFORE_A_RUN, [("once", "Best run"), ("once", "Pay ")], 2),
        (BEFORE_A_TRAIN, [("once", "3-train from the bank")], 1),
        (
            BEFORE_A_PURCHASE,
            [
                ("open", "Buy a train …"),
                ("press", "2-train"),
                ("press", "2-train from NC&StL"),
                ("type", "Another"),
                ("press", "Ask Cy"),
            ],
            6,
        ),
    ],
)
async def test_moves_take_few_taps(
    sandbox: SandboxBot, until: int, steps: list[tuple[str, str]], taps: int
) -> None:
    game = await seated_at(sandbox, recorded("18tn-bank-3p", until))
    hand, before = Hand(game, actor_of(game)), await game.seq()
    for what, label in steps:
        await (hand.type(label, "100") if what == "type" else getattr(hand, what)(label))
    await sandbox.settled()
    made = 1 if steps[0][0] == "open" else len(steps)
    assert (await game.seq(), hand.taps) == (before + made, taps)
