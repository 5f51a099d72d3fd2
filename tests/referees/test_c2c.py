"""The second statement of 18C2C plays along: what is legal before every action, and the position after it."""

import pytest

from tests.referees.c2c.witness import Witness

MAX_ACTIONS = 6000
FAR_ENOUGH = 400
COMPARED = ("bid compared", "trains compared")
"""Seen in every game in which a company is started."""


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_second_statement_of_18c2c(players: int, game_seed: int, whole_games: bool) -> None:
    """Packet, stock rounds, corporations' turns, mergers, nationals, the end."""
    witness = Witness(players, game_seed)
    witness.follow(MAX_ACTIONS if whole_games else FAR_ENOUGH, *COMPARED)
    assert witness.seen["bid compared"]
    assert witness.seen["trains compared"] or witness.state.ending.reason == "standstill"
