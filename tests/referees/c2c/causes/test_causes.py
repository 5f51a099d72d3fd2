"""18C2C: the reason given for a refused request is a cause that a second statement finds, too."""

from collections import Counter
from random import Random

import pytest

from tests.referees.c2c.causes import in_general, of_shares, of_turns, on_map
from tests.referees.c2c.causes.every_cause import CAUSES, Ask, holds
from tests.referees.c2c.witness import Witness
from tests.support.c2c_requests import Requester

TABLES = (in_general, of_shares, of_turns, on_map)
"""Where causes are stated."""
ASKED = 0.3
"""Share of the positions in which requests are refused."""
WISHES = 4
"""How many in each of them."""
MOST_ACTIONS = 4000
FAR_ENOUGH = 500
"""How far a game is followed where only one of a kind is played."""


class Examiner(Witness):
    """A random game, with a referee for the reasons of what is refused in it."""

    def __init__(self, players: int, seed: int) -> None:
        super().__init__(players, seed)
        self._chance, self._requester = Random(seed), Requester(seed)
        self.reasons: Counter[str] = Counter()

    def _look(self) -> None:
        super()._look()
        if self._chance.random() < ASKED:
            for _ in range(WISHES):
                self._ask()

    def _ask(self) -> None:
        """A random request; where it is refused, its reason must be a cause."""
        request = self._requester.request(self.game)
        problem = self.game.obstacle(request)
        if problem is None:
            return
        self.reasons[problem.reason.name] += 1
        ask = Ask(self.game, self.play, request, problem.reason)
        assert holds(ask), (request, str(problem.reason), self._where())


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_reasons_in_18c2c_are_causes(players: int, game_seed: int, whole_games: bool) -> None:
    """Random requests in random positions of the super-short game: whatever the engine says is true."""
    examiner = Examiner(players, game_seed)
    examiner.follow(MOST_ACTIONS if whole_games else FAR_ENOUGH)
    assert len(examiner.reasons) > 20
    assert {*examiner.reasons} <= {*CAUSES}
