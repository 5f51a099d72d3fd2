"""The second statement of the classic game plays along: what is legal before every action, and the position after."""

import pytest

from tests.referees.classic.printed import Title
from tests.referees.classic.t18ga import T18GA
from tests.referees.classic.t18ms import T18MS
from tests.referees.classic.t1830 import T1830
from tests.referees.classic.t1882 import T1882
from tests.referees.classic.t1889 import T1889
from tests.referees.classic.witness import Witness

MAX_ACTIONS = 6000
FAR_ENOUGH = 500
CASES = [(title, players) for title in (T1830, T1882, T1889, T18GA, T18MS) for players in title.cash]


@pytest.mark.parametrize(("title", "players"), CASES, ids=lambda value: getattr(value, "name", value))
def test_second_statement_of_classic_titles(
    title: Title, players: int, game_seed: int, whole_games: bool
) -> None:
    """Auction, stock rounds, companies' turns, forced purchases, the end."""
    witness = Witness(title, players, game_seed)
    witness.follow(MAX_ACTIONS if whole_games else FAR_ENOUGH)
    assert min(witness.seen[f"{step} compared"] for step in ("trade", "trains", "dividend")) > 0
    assert witness.title.dealt or witness.seen["bid"] > 0
    assert min(witness.seen[kind] for kind in ("par", "buy_share", "buy_train", "lay_tile", "run_routes")) > 0
