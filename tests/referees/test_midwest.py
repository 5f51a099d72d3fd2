"""The second statement of 1846 plays along: what is legal before every action, and the position after it."""

import pytest

from tests.referees.midwest.witness import Witness

MAX_ACTIONS = 4000
FAR_ENOUGH = 300
COMPARED, OFTEN = 0.02, 0.1
"""Shares of the lays and best runs that are compared, in short and in long runs."""


@pytest.mark.parametrize("players", [3, 4, 5])
def test_second_statement_of_1846(players: int, game_seed: int, whole_games: bool) -> None:
    """The draft, stock rounds, companies' turns and runs, forced purchases, bankruptcy, the end."""
    witness = Witness(players, game_seed, OFTEN if whole_games else COMPARED)
    witness.follow(MAX_ACTIONS if whole_games else FAR_ENOUGH)
    compared = (
        "draft compared",
        "trade compared",
        "trains compared",
        "dividend compared",
        "place_token sets",
    )
    assert min(witness.seen[kind] for kind in compared) > 0
