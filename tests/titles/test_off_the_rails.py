"""18Chesapeake: Off the Rails, a variant known without a rulebook: what differs from 18Chesapeake."""

from engine.titles import TITLES
from tests.titles.builders import SEED_OF_LINKED, Position, new_game

TITLE = "18chesapeake-off-the-rails"


class TrackNodes(Position):
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


def test_variant_sells_several_and_exports_none() -> None:
    position = TrackNodes().cash(a=500).start("LV", 90, at=(9, 1), b=40, a=10, market=30)
    game = position.start("PRR", 90, b=60).game()
    for _ in range(3):
        game.do("buy_share", "a", company="LV", source="market")
    assert (game.company("LV").percent("a"), game.cash()["a"]) == (40, 410)
    why = game.refused("10", "buy_share", "a", company="PRR", source="offering")
    assert "already bought this turn" in why
    game.table.state.player("a").cash = 0
    game = position.game()
    assert "Ann has $0" in game.refused("10.4", "buy_share", "a", company="LV", source="market")
    position = TrackNodes().start("LV", 90, a=60).trains("LV", "2").treasury("LV", 0)
    game = position.operating("LV", "dividend", revenue=30).game()
    before = dict(game.table.state.depot)
    game.do("dividend", "LV", option="pay")
    assert game.round_name() == "SR 3"
    assert game.table.state.depot == before


def test_variant_for_two_players() -> None:
    game = new_game(2, SEED_OF_LINKED["PLE"], title=TITLE)
    assert game.company("LV").certificate == 30
    assert game.company("PLE").certificate == 20
    position = TrackNodes(2).cash(a=500).start("LV", 90, a=40)
    game = position.game()
    game.do("buy_share", "a", company="LV", source="offering")
    assert game.company("LV").percent("market") == 50
    assert game.company("LV").floated
