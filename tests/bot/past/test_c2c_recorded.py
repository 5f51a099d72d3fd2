"""A recorded game of 18C2C, played over again at a table by commands and buttons."""

import pytest

from tests.bot.past.test_recorded_titles import MARKET, played_over
from tests.bot.support.sandbox_bot import SandboxBot

CORPORATIONS = {
    "propose_merger",
    "shuffle",
    "redeem_share",
    "reissue",
    "buy_tokens",
    "place_bull",
    "buy_marker",
}
PARTS = [(163, 167), (316, 324), (489, 501), (920, 923), (1177, 1182)]


@pytest.mark.long
async def test_recorded_18c2c_is_played_again(
    sandbox: SandboxBot, request: pytest.FixtureRequest, whole_games: bool
) -> None:
    kinds = {*CORPORATIONS, *MARKET, "place_marker", "privatize"}
    await played_over(sandbox, request, "18c2c-bank-3p", PARTS, kinds, whole_games)
