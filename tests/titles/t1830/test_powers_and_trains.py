"""1830: privates, trains and forced purchases (4 to 6)."""

from tests.titles.t1830.classic import Classic


def test_cs_lays_at_any_moment() -> None:
    """R-1830-051 (5): without a route, free, beside the lay of the turn; the private stays open."""
    position = Classic().start("NYC", 90, a=60).phase("3").owns("NYC", "CS").to_albany()
    game = position.trains("NYC", "2").operating("NYC", "trains").game()
    game.lay("CS", "B20", "58")
    assert game.company("NYC").cash == 900
    assert not game.table.state.privates["CS"].closed
    game.refused("5", "lay_tile", "CS", hex="B20", tile="58", rotation=0)


def test_cs_holds_the_end_of_the_turn() -> None:
    """R-1830-051 (5): a turn waits for its tile, its track step does not."""
    position = Classic().start("NYC", 90, a=60).phase("3").owns("NYC", "CS").to_albany()
    game = position.operating("NYC").game()
    game.lay("NYC", "E19", "15")
    assert game.step_name() != "track"
    late = position.operating("NYC", "last_chance").game()
    assert late.step_name() == "last_chance"
    late.passes("NYC")


def test_dh_lays_and_brings_a_token() -> None:
    """R-1830-052 (5): 57 in F16 for 120 as the lay of the turn, then a free token as that of the turn, or never."""
    position = Classic().start("CPR", 100, a=60).phase("3").owns("CPR", "DH")
    game = position.trains("CPR", "2").operating("CPR").game()
    game.lay("DH", "F16", "57")
    assert game.company("CPR").cash == 1000 - 120
    game.do("place_token", "DH", hex="F16", city=0)
    assert game.company("CPR").cash == 1000 - 120
    assert game.company("CPR").tokens == [100, 100]
    assert "token" in game.table.turn.done


def test_mh_is_exchanged_in_the_turn_of_another() -> None:
    """R-1830-053, R-1830-027, D-1830-7 (5): for a share of the offering, before the NYC is founded, too."""
    game = Classic().cash(a=0, b=500).owns("a", "MH").stock("b").game()
    game.do("exchange_private", "MH", actor="a", source="offering")
    assert game.company("NYC").percent("a") == 10
    assert game.table.state.privates["MH"].closed
    assert game.on_turn() == "b"


def test_mh_is_exchanged_in_operating_rounds() -> None:
    """R-1830-053 (5): also from the market; the presidency may change at once."""
    position = Classic().owns("a", "MH").start("NYC", 90, market=30, b=20, a=20).start("PRR", 67, b=60)
    game = position.operating("PRR", "trains").game()
    game.do("exchange_private", "MH", actor="a", source="market")
    assert game.company("NYC").president == "a"


def test_mh_observes_the_limit_of_60_percent() -> None:
    """R-1830-053 (5)"""
    game = Classic().cash(a=500).owns("a", "MH").start("NYC", 90, a=60).stock("a").game()
    game.refused("3", "exchange_private", "MH", actor="a", source="offering")


def test_bo_closes_with_the_first_train() -> None:
    """R-1830-054 (5)"""
    position = Classic().start("B&O", 100, a=60).owns("a", "BO")
    position.state.privates["BO"].linked = "B&O"
    game = position.operating("B&O", "trains").game()
    game.buy("B&O", "2", 80)
    assert game.table.state.privates["BO"].closed


def test_bo_keeps_b_and_o_from_its_home_hex() -> None:
    """R-1830-050 (5): its home token lies there all the same."""
    position = Classic().start("B&O", 100, a=60).phase("3").owns("a", "BO", "CS")
    game = position.operating("B&O").game()
    assert game.table.map.token_stops_of("B&O") == [("I15", 0)]
    game.refused("5", "lay_tile", "B&O", hex="I15", tile="53", rotation=0)
    assert "BO" in game.refused("", "buy_private", "B&O", private="BO", price=200)


def test_the_first_5_closes_privates() -> None:
    """R-1830-055 (5): and privates go to companies in phases 3 and 4 only (R-1830-040)."""
    position = Classic().start("NYC", 100, a=60).phase("4").owns("a", "CS").owns("NYC", "DH").to_albany()
    game = position.depot(t4=0).operating("NYC", "trains").game()
    game.buy("NYC", "5", 450)
    assert all(private.closed for private in game.table.state.privates.values())


def test_d_train_for_a_trade_in() -> None:
    """R-1830-005 (1): 1100, or 800 and a 4, 5 or 6; it rusts the 4s."""
    position = Classic().start("PRR", 100, a=60).start("NYC", 90, b=60).phase("6").treasury("PRR", 800)
    game = position.trains("PRR", "4").trains("NYC", "4").operating("PRR", "trains").game()
    game.no_deal("4", "PRR", "D", 1100)
    game.buy("PRR", "D", 800, trade_in="4")
    assert game.company("NYC").trains == []


def forced() -> Classic:
    """The NYC has a route and no train; a D is the only one of the bank."""
    position = Classic().phase("6").depot(t6=0).start("NYC", 90, a=60).start("PRR", 67, b=60).to_albany()
    position.tile("B20", "58").trains("PRR", "6").tile("E11", "59", 2).treasury("NYC", 100)
    return position


def test_president_pays_others_up_to_face_value() -> None:
    """R-1830-060, R-1830-061, D-1830-2 (6)"""
    game = forced().cash(a=2000).operating("NYC", "trains").game()
    deals = {(train, source): (low, high) for train, source, _, low, high in game.train_deals("NYC")}
    assert deals["D", "bank"] == (1100, 1100)
    assert deals["6", "PRR"] == (1, 630)


def test_sales_keep_this_presidency_alone() -> None:
    """R-1830-062 (6): that of another company may go."""
    position = forced().cash(a=500, b=500).start("C&O", 100, a=40, b=30).start("B&O", 100, c=60)
    game = position.start("NYC", 90, a=30, b=30).treasury("NYC", 100).operating("NYC", "trains").game()
    assert "C&O" in game.values("sell_shares", "a", "company")
    game.sell("a", "C&O", 2)
    assert game.company("C&O").president == "b"
