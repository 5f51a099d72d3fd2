"""18Chesapeake: the end of the game and the result (rulebook 12)."""

import pytest

from engine.core.events import EndTriggered, Event
from engine.game import Game
from tests.titles.builders import Position, company, do, new_game, offered, passes, refused, round_name

RUN = "2:J2.a-4 K1.1-a"


def paying(bank: int, *, number: int = 1, of: int = 3, profile: str = "rulebook") -> Position:
    """LV is about to run for 50 with so much in the bank."""
    position = (
        Position(profile=profile).phase("5").start("LV", 95, a=60).trains("LV", "5", "5").tile("J2", "57", 1)
    )
    return position.operating("LV", "run", number=number, of=of).bank(bank)


def run_and_pay(game: Game) -> list[Event]:
    """LV runs and pays 30 to Ann."""
    events = list(do(game, "run_routes", "LV", routes=(RUN.replace("2:", "5:"),)))
    return events + list(do(game, "dividend", "LV", option="pay"))


def test_a_bank_broken_in_an_operating_round_ends_the_game_after_the_set() -> None:
    """R-CH-180 (12), worked example 22: all rounds are played, and no train leaves at the end."""
    game = paying(10).game()
    before = dict(game.table.state.depot)
    assert any(isinstance(event, EndTriggered) for event in run_and_pay(game))
    rounds = []
    while not game.over:
        rounds.append(round_name(game))
        if offered(game, "run_routes"):
            run_and_pay(game)
        else:
            passes(game, "LV")
    assert game.table.state.bank < 0
    assert rounds[-1] == "OR 2.3"
    assert game.table.state.depot == before


@pytest.mark.parametrize(("profile", "broken"), [("rulebook", True), ("18xx.games", False)])
def test_a_bank_of_exactly_nothing_is_broken(profile: str, broken: bool) -> None:
    """R-CH-180 (12), D-CH-8."""
    game = paying(30, profile=profile).game()
    run_and_pay(game)
    assert game.table.state.bank == 0
    assert (game.table.state.ending is not None) is broken


def test_a_dollar_in_the_bank_is_enough() -> None:
    """R-CH-180 (12)"""
    game = paying(31).game()
    run_and_pay(game)
    assert game.table.state.ending is None


def test_a_bank_broken_in_a_stock_round_ends_the_game_after_one_more_set() -> None:
    """R-CH-180 (12), worked example 22."""
    position = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, b=50).bank(300)
    game = position.trains("LV", "2").game()
    passes(game, "a")
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert game.table.state.bank < 0
    assert game.table.state.ending is not None
    do(game, "buy_share", "c", company="PRR", source="offering")
    passes(game, "a", "b", "c")
    seen = set()
    while not game.over:
        seen.add(round_name(game))
        passes(game, game.table.turn.company)
    assert seen == {"OR 2.1", "OR 2.2"}


def test_the_result_counts_cash_shares_and_open_privates() -> None:
    """R-CH-182 (12), worked example 24: the president's certificate is two shares."""
    for phase, private, total in (("4", True, 2180), ("5", False, 2140)):
        position = Position().phase(phase).start("PRR", 95, at=(1, 9), a=50).cash(a=1240)
        if private:
            position.owns("a", "C-P")
        assert position.game().scores()["a"] == total


def test_shares_of_a_company_never_started_and_company_assets_count_for_nothing() -> None:
    """R-CH-182 (12)"""
    position = Position().start("PRR", 80, a=60).share_of("B&O", "b").owns("PRR", "C-P").treasury("PRR", 5000)
    scores = position.cash(a=0, b=0).game().scores()
    assert scores["b"] == 0
    assert scores["a"] == 480


def test_all_players_may_agree_to_end_the_game() -> None:
    """Agreement at the table: it ends when the last one has agreed, at present values."""
    game = new_game(3)
    do(game, "end_game", "b")
    assert game.actors() == ("a",)
    assert "already" in refused(game, "", "end_game", "b")
    do(game, "bid", "a", private="D&R", amount=20)
    do(game, "end_game", "a")
    too_early = game.over
    do(game, "end_game", "c")
    assert (too_early, game.over) == (False, True)
    assert game.scores() == {"a": 800, "b": 800, "c": 800}
    assert game.offers() == ()


def test_a_recorded_game_ends_at_one_word() -> None:
    """Games of that site stop so."""
    game = new_game(3, profile="18xx.games", from_log=10**9)
    do(game, "end_game", "c")
    assert game.over


def test_in_a_live_game_of_the_compatible_profile_all_must_agree() -> None:
    """Only logs are read so."""
    game = new_game(3, profile="18xx.games")
    do(game, "end_game", "c")
    assert not game.over


def test_agreement_is_possible_while_somebody_is_asked_for_consent() -> None:
    """The proposal is gone then."""
    position = Position().phase("3").start("LV", 95, a=60).owns("b", "D&R").tile("J2", "57", 1)
    game = position.operating("LV").game()
    do(game, "buy_private", "LV", private="D&R", price=20)
    for player in "abc":
        do(game, "end_game", player)
    assert game.over
    assert game.table.state.proposal is None
    assert company(game, "LV").cash == 950
