"""18Chesapeake: Off the Rails, a variant known without a rulebook: what differs from 18Chesapeake."""

from engine.play.shares import holdings
from engine.titles import TITLES
from tests.titles.builders import (
    SEED_OF_LINKED,
    Position,
    cash,
    company,
    do,
    kinds,
    new_game,
    on_turn,
    passes,
    refused,
    round_name,
)

TITLE = "18chesapeake-off-the-rails"


class Rails(Position):
    """A position of the variant."""

    def __init__(self, players: int = 3) -> None:
        super().__init__(players, title=TITLE)


def test_the_rest_is_18chesapeake() -> None:
    """Data that the variant does not name are those of the printed game."""
    printed, variant = TITLES["18chesapeake"].spec, TITLES[TITLE].spec
    assert (variant.map, variant.tiles, variant.privates) == (printed.map, printed.tiles, printed.privates)
    assert (variant.players, variant.phases) == (printed.players, printed.phases)
    assert variant.bank == 12000
    assert [train.count for train in variant.trains] == [5, 4, 3, 2, 2, None]
    assert variant.train("D").price == 1100
    assert variant.note


def test_companies_float_at_half() -> None:
    """Fifty percent, ten times par."""
    position = Rails().cash(b=500).start("LV", 90, a=40, c=0)
    game = position.stock("b").game()
    do(game, "buy_share", "b", company="LV", source="offering")
    assert company(game, "LV").floated
    assert company(game, "LV").cash == 900


def test_sales_before_and_after_the_purchase() -> None:
    """Sell, buy, sell."""
    game = Rails().cash(a=500).start("LV", 90, a=40, b=20).start("PRR", 90, b=40, a=20).game()
    do(game, "sell_shares", "a", company="PRR", shares=1)
    do(game, "buy_share", "a", company="LV", source="offering")
    do(game, "sell_shares", "a", company="PRR", shares=1)
    refused(game, "10", "buy_share", "a", company="LV", source="offering")
    passes(game, "a")
    assert on_turn(game) == "b"


def test_several_shares_of_a_company_in_the_brown_zone() -> None:
    """Brown: several purchases of that one company in a turn."""
    position = Rails().cash(a=500).start("LV", 90, at=(9, 1), b=40, a=10, market=30)
    game = position.start("PRR", 90, b=60).game()
    for _ in range(3):
        do(game, "buy_share", "a", company="LV", source="market")
    assert (company(game, "LV").percent("a"), cash(game)["a"]) == (40, 410)
    assert "purchase of this turn" in refused(game, "10", "buy_share", "a", company="PRR", source="offering")
    game.table.state.player("a").cash = 0
    game = position.game()
    assert "Ann has $0" in refused(game, "10.4", "buy_share", "a", company="LV", source="market")


def test_above_the_limit_the_sale_may_follow_the_purchase() -> None:
    """Sell, buy, sell: a share that does not count is bought first, and then something that counts is sold."""
    position = Rails(6).cash(a=500).start("LV", 90, a=60, b=10).start("SRR", 90, a=50, c=10)
    game = position.owns("a", "D&R", "C-P", "B&S").start("PRR", 90, at=(7, 1), b=40).game()
    assert holdings.certificates(game.table, "a") == 12
    assert kinds(game) == ["sell_shares", "buy_share"]
    do(game, "buy_share", "a", company="PRR", source="offering")
    assert kinds(game) == ["sell_shares"]
    do(game, "sell_shares", "a", company="SRR", shares=1)
    passes(game, "a")
    assert on_turn(game) == "b"


def test_orange_and_brown_lift_the_limit_of_sixty_percent() -> None:
    """Orange cells: above 60 % is allowed; on leaving them the excess must be sold."""
    game = Rails().cash(a=500).start("LV", 90, at=(7, 1), a=60, b=20).game()
    do(game, "buy_share", "a", company="LV", source="offering")
    assert company(game, "LV").percent("a") == 70
    game = Rails().cash(a=500).start("LV", 90, at=(6, 2), a=60, b=20).game()
    refused(game, "10.1", "buy_share", "a", company="LV", source="offering")


def test_no_train_is_exported() -> None:
    """After the set of operating rounds all new trains are still there."""
    position = Rails().start("LV", 90, a=60).trains("LV", "2").treasury("LV", 0)
    game = position.operating("LV", "dividend", revenue=30).game()
    before = dict(game.table.state.depot)
    do(game, "dividend", "LV", option="pay")
    assert round_name(game) == "SR 3"
    assert game.table.state.depot == before


def test_the_game_ends_after_the_round_in_which_a_price_reaches_300() -> None:
    """The rest of the set is not played."""
    position = Rails().start("LV", 90, at=(1, 13), a=60).trains("LV", "2").treasury("LV", 0)
    game = position.operating("LV", "dividend", revenue=30, of=2).game()
    do(game, "dividend", "LV", option="pay")
    assert game.over


def test_a_stock_round_that_brings_a_price_to_300_is_the_last() -> None:
    """A sold-out company rises from 260 to 300: the game ends with the stock round."""
    game = Rails().cash(a=0, b=0, c=0).start("LV", 90, at=(2, 14), a=60, b=40).game()
    while not game.over:
        passes(game, on_turn(game))
    assert round_name(game) == "SR 2"
    assert game.table.price(company(game, "LV")) == 300


def test_with_two_players_the_two_player_rules_apply() -> None:
    """30 % certificates, and on floating five shares go to the market."""
    game = new_game(2, SEED_OF_LINKED["PLE"], title=TITLE)
    assert company(game, "LV").certificate == 30
    assert company(game, "PLE").certificate == 20
    position = Rails(2).cash(a=500).start("LV", 90, a=40)
    game = position.game()
    do(game, "buy_share", "a", company="LV", source="offering")
    assert company(game, "LV").percent("market") == 50
    assert company(game, "LV").floated
