"""Recorded games of 18C2C, played over again by nothing but what the page asks."""

import pytest

from tests.bot.web.test_recorded import played_over
from tests.bot.web.visitors import Site


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("18c2c-bank-3p", [(0, 20)]),
        pytest.param("18c2c-bank-3p", None, marks=pytest.mark.long),
        pytest.param("18c2c_full-bank-2p", None, marks=pytest.mark.long),
    ],
)
async def test_recorded_game_is_played_at_the_board(
    site: Site, name: str, parts: list[tuple[int, int]] | None
) -> None:
    """A packet round and the first of what follows, in long runs all of it."""
    await played_over(site, name, parts)
