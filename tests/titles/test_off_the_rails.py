"""18Chesapeake: Off the Rails, a variant known without a rulebook: what differs from 18Chesapeake."""

from engine.titles import TITLES
from tests.titles.builders import (
    SEED_OF_LINKED,
    Position,
    cash,
    company,
    do,
    new_game,
    on_turn,
    passes,
    price,
    refused,
    round_name,
    sell,
)

TITLE = "18chesapeake-off-the-rails"


class Rails(Position):
    """A position of the variant."""

    def __init__(self, players: int = 3) -> None:
        super().__init__(players, title=TITLE)


def test_variant_shares_the_printed_data() -> None:
    printed, variant = TITLES["18chesapeake"].spec, TITLES[TITLE].spec
    assert (variant.map, variant.tiles, variant.privates) == (printed.map, printed.tiles, printed.privates)
    assert (variant.players, variant.phases) == (printed.players, printed.phases)
    assert variant.bank == 12000
    assert [train.count for train in variant.trains] == [5, 4, 3, 2, 2, None]
    assert variant.train("D").price == 1100
    assert variant.note


def test_variant_floats_at_half() -> None:
    position = Rails().cash(b=500).start("LV", 90, a=40, c=0)
    game = position.stock("b").game()
    do(game, "buy_share", "b", company="LV", source="offering")
    assert company(game, "LV").floated
    assert company(game, "LV").cash == 900


def test_variant_sells_before_and_after() -> None:
    game = Rails().cash(a=500).start("LV", 90, a=40, b=20).start("PRR", 90, b=40, a=20).game()
    sell(game, "a", "PRR", 1)
    do(game, "buy_share", "a", company="LV", source="offering")
    sell(game, "a", "PRR", 1)
    refused(game, "10", "buy_share", "a", company="LV", source="offering")
    passes(game, "a")
    assert on_turn(game) == "b"


def test_variant_brown_zone_sells_several() -> None:
    position = Rails().cash(a=500).start("LV", 90, at=(9, 1), b=40, a=10, market=30)
    game = position.start("PRR", 90, b=60).game()
    for _ in range(3):
        do(game, "buy_share", "a", company="LV", source="market")
    assert (company(game, "LV").percent("a"), cash(game)["a"]) == (40, 410)
    assert "already bought this turn" in refused(
        game, "10", "buy_share", "a", company="PRR", source="offering"
    )
    game.table.state.player("a").cash = 0
    game = position.game()
    assert "Ann has $0" in refused(game, "10.4", "buy_share", "a", company="LV", source="market")


def test_variant_orange_lifts_holding_limit() -> None:
    game = Rails().cash(a=500).start("LV", 90, at=(7, 1), a=60, b=20).game()
    do(game, "buy_share", "a", company="LV", source="offering")
    assert company(game, "LV").percent("a") == 70
    game = Rails().cash(a=500).start("LV", 90, at=(6, 2), a=60, b=20).game()
    refused(game, "10.1", "buy_share", "a", company="LV", source="offering")


def test_variant_exports_no_train() -> None:
    position = Rails().start("LV", 90, a=60).trains("LV", "2").treasury("LV", 0)
    game = position.operating("LV", "dividend", revenue=30).game()
    before = dict(game.table.state.depot)
    do(game, "dividend", "LV", option="pay")
    assert round_name(game) == "SR 3"
    assert game.table.state.depot == before


def test_variant_ends_at_a_price_of_300() -> None:
    position = Rails().start("LV", 90, at=(1, 13), a=60).trains("LV", "2").treasury("LV", 0)
    game = position.operating("LV", "dividend", revenue=30, of=2).game()
    do(game, "dividend", "LV", option="pay")
    assert game.over


def test_variant_ends_with_a_stock_round() -> None:
    game = Rails().cash(a=0, b=0, c=0).start("LV", 90, at=(2, 14), a=60, b=40).game()
    while not game.over:
        passes(game, on_turn(game))
    assert round_name(game) == "SR 2"
    assert price(game, "LV") == 300


def test_variant_for_two_players() -> None:
    game = new_game(2, SEED_OF_LINKED["PLE"], title=TITLE)
    assert company(game, "LV").certificate == 30
    assert company(game, "PLE").certificate == 20
    position = Rails(2).cash(a=500).start("LV", 90, a=40)
    game = position.game()
    do(game, "buy_share", "a", company="LV", source="offering")
    assert company(game, "LV").percent("market") == 50
    assert company(game, "LV").floated
