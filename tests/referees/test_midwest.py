"""The second statement of 1846 plays along: what is legal before every action, and the position after it."""

import pytest

from tests.referees.midwest.witness import Witness

MOST_ACTIONS = 4000
FAR_ENOUGH = 500


@pytest.mark.parametrize("players", [3, 4, 5])
def test_second_statement_of_1846(players: int, game_seed: int, whole_games: bool) -> None:
    """The draft, stock rounds, companies' turns, forced purchases, bankruptcy, the end."""
    witness = Witness(players, game_seed)
    witness.follow(MOST_ACTIONS if whole_games else FAR_ENOUGH)
    assert min(witness.seen[f"{step} compared"] for step in ("draft", "trade", "trains", "dividend")) > 0
