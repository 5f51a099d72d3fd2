"""18Chesapeake: the end of the game and the result (rulebook 12)."""

import pytest

from engine.core.events import EndTriggered, Event
from tests.titles.builders import Position, TitleGame, new_game


def paying(bank: int, profile: str = "rulebook") -> Position:
    """LV is about to run for 50 with so much in the bank."""
    position = Position(profile=profile).phase("5").start("LV", 95, a=60).trains("LV", "5", "5")
    return position.tile("J2", "57", 1).operating("LV", "run", of=3).bank(bank)


def run_and_pay(game: TitleGame) -> list[Event]:
    """LV runs and pays 30 to Ann."""
    events = list(game.do("run_routes", "LV", routes=("5:J2.a-4 K1.1-a",)))
    return events + list(game.do("dividend", "LV", option="pay"))


def test_broken_bank_ends_the_game_of_a_set() -> None:
    """R-CH-180 (12), worked example 22: all rounds of the set are played, after a stock round one more set,
    and no train leaves at the end."""
    game = paying(10).game()
    before = dict(game.table.state.depot)
    assert any(isinstance(event, EndTriggered) for event in run_and_pay(game))
    rounds = []
    while not game.is_over:
        rounds.append(game.round_name())
        if game.offered("run_routes"):
            run_and_pay(game)
        else:
            game.passes("LV")
    assert (rounds[-1], game.table.state.depot) == ("OR 2.3", before)
    assert game.table.state.bank < 0
    position = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, b=50).bank(300)
    game = position.trains("LV", "2").game()
    game.passes("a")
    game.do("buy_share", "b", company="PRR", source="offering")
    assert game.table.state.bank < 0
    assert game.table.state.ending is not None
    game.passes("c", "a", "b")
    seen = set()
    while not game.is_over:
        seen.add(game.round_name())
        game.passes(game.table.turn.company)
    assert seen == {"OR 2.1", "OR 2.2"}


@pytest.mark.parametrize(("phase", "privates", "total"), [("4", ["C-P"], 2180), ("5", [], 2140)])
def test_result_is_cash_shares_and_privates(phase: str, privates: list[str], total: int) -> None:
    """R-CH-182 (12), worked example 24: the president's certificate is two shares; companies' assets are none."""
    position = Position().phase(phase).start("PRR", 95, at=(1, 9), a=50).cash(a=1240, b=0)
    position.owns("a", *privates).owns("PRR", "D&R").treasury("PRR", 5000).share_of("B&O", "b")
    scores = position.game().scores()
    assert (scores["a"], scores["b"]) == (total, 0)


def test_players_may_agree_to_end_the_game() -> None:
    """It ends when the last one has agreed, at present values."""
    game = new_game(3)
    game.do("end_game", "b")
    assert game.actors() == ("a",)
    game.do("bid", "a", private="D&R", amount=20)
    game.do("end_game", "a")
    too_early = game.is_over
    game.do("end_game", "c")
    assert (too_early, game.is_over, game.offers()) == (False, True, ())
    assert game.scores() == {"a": 800, "b": 800, "c": 800}


@pytest.mark.parametrize(("from_log", "over"), [(10**9, True), (0, False)])
def test_log_of_18xx_games_ends_at_one_word(from_log: int, over: bool) -> None:
    game = new_game(3, profile="18xx.games", from_log=from_log)
    game.do("end_game", "c")
    assert game.is_over is over


def test_agreement_drops_a_proposal() -> None:
    position = Position().phase("3").start("LV", 95, a=60).owns("b", "D&R").tile("J2", "57", 1)
    game = position.operating("LV").game()
    game.do("buy_private", "LV", private="D&R", price=20)
    for player in "abc":
        game.do("end_game", player)
    assert (game.is_over, game.table.state.proposal, game.company("LV").cash) == (True, None, 950)
    game.refused("", "pass", "LV")
