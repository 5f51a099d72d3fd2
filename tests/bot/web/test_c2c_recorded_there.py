"""Recorded games of 18C2C, played over again by nothing but what the page asks."""

import pytest

from tests.bot.web.test_recorded_there import played_over
from tests.bot.web.visitors import Desk


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("18c2c-bank-3p", [(0, 20)]),
        pytest.param("18c2c-bank-3p", None, marks=pytest.mark.long),
        pytest.param("18c2c_full-bank-2p", None, marks=pytest.mark.long),
    ],
)
async def test_a_recorded_game_is_played_there_to_the_same_position(
    desk: Desk, name: str, parts: list[tuple[int, int]] | None
) -> None:
    """A packet round and the first of what follows, in long runs all of it."""
    await played_over(desk, name, parts)
