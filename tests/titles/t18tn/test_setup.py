"""18TN: what the tables say, the auction inside the stock rounds, and the L&N (rulebook 1-3.1)."""

import pytest

from engine.core.errors import TitleError
from engine.game import Game
from engine.titles import TITLES
from engine.titles.standard import COMMON_OPTIONS
from engine.titles.t18tn.rules import TennesseeRules
from tests.titles.builders import cash, company, do, find, kinds, on_turn, passes, refused, round_name, values
from tests.titles.t18tn.tennessee import first_position, position


@pytest.mark.parametrize(("players", "each", "limit"), [(3, 600, 16), (4, 450, 12), (5, 360, 10)])
def test_cash_bank_and_certificate_limit(players: int, each: int, limit: int) -> None:
    """R-TN-001, R-TN-002, worked example 1 (1.4, Table II)."""
    game = first_position(players)
    assert set(cash(game).values()) == {each}
    assert game.table.state.bank == 6200
    assert game.table.spec.players[players].certificates == limit


def test_the_illinois_central_has_a_30_percent_certificate() -> None:
    """R-TN-003 (1.3.2)"""
    companies = first_position().table.state.companies
    assert {c.id: c.certificate for c in companies.values() if c.certificate != 20} == {"IC": 30}
    tokens = {c.id: c.tokens for c in companies.values()}
    assert tokens["L&N"] == tokens["GMO"] == tokens["SR"] == [0, 40, 100, 100]
    assert tokens["IC"] == [0, 40, 100]
    assert tokens["NC&StL"] == tokens["TC"] == [0, 40]


def test_trains_and_phases() -> None:
    """R-TN-005 (Table I)"""
    spec = first_position().table.spec
    assert [(x.name, x.count, x.price, x.rusts_on, x.obsolete_on) for x in spec.trains] == [
        ("2", 5, 80, "4", None),
        ("3", 5, 180, "6", None),
        ("4", 3, 300, None, "6½"),
        ("5", 2, 450, None, None),
        ("6", 2, 600, None, None),
        ("8", 7, 700, None, None),
    ]
    assert [(p.name, p.train, p.nth, p.train_limit, p.operating_rounds) for p in spec.phases] == [
        ("2", None, 1, 4, 1),
        ("3", "3", 1, 4, 2),
        ("3½", "3", 4, 4, 2),
        ("4", "4", 1, 3, 2),
        ("5", "5", 1, 2, 3),
        ("6", "6", 1, 2, 3),
        ("6½", "6", 2, 2, 3),
        ("8", "8", 1, 2, 3),
    ]


def test_par_prices_and_the_stock_chart() -> None:
    """R-TN-010, worked example 6 (1.5, 3.2)."""
    grid = first_position().table.grid
    assert [price for price, _ in grid.pars()] == [65, 70, 75, 80, 90]
    assert grid.price(grid.right((2, 11))) == 190
    assert grid.price(grid.down((3, 7))) == 100
    assert grid.price(grid.left((0, 0))) == 55
    assert grid.left((6, 0)) == (6, 0)
    assert grid.price(grid.right((1, 14))) == 275
    assert grid.ends_game(grid.right((0, 14)))
    assert grid.price((0, 15)) == 300


def test_the_settled_readings() -> None:
    """D-TN-1 and the questions the text leaves open, each with its reason."""
    spec = first_position().table.spec
    assert [power.hexes for power in spec.privates["MCR"].powers if power.kind == "tile_lay"] == [("H3",)]
    assert all(reason.endswith(".") for reason in spec.settled.values())


def test_profiles_and_options_are_known_and_explained() -> None:
    """Every flag of a profile has its sentence; an unknown option is refused."""
    spec = TITLES["18tn"].spec
    assert set(spec.profiles) == {"rulebook", "18xx.games"}
    assert set(spec.profiles["18xx.games"]) <= set(TennesseeRules.FLAGS)
    own = {"triple_yellow_first_or", "phase2_private_purchase", "salvage_3"}
    assert set(TennesseeRules.OPTIONS) == own | set(COMMON_OPTIONS)
    with pytest.raises(TitleError, match="no option coffee"):
        first_position(options=["coffee"])


# --- the auction ---------------------------------------------------------------------------------------------------


def sell_all_but_the_last(game: Game) -> None:
    """Two bids on the LNR, then everything else is bought; the LNR is fought for by a and b."""
    do(game, "bid", "a", private="LNR", amount=180)
    do(game, "bid", "b", private="LNR", amount=195)
    do(game, "bid", "c", private="TCC", amount=20)
    do(game, "bid", "a", private="ETWCR", amount=40)
    do(game, "bid", "b", private="MCR", amount=70)
    do(game, "bid", "c", private="OWR", amount=100)


def test_privates_are_sold_inside_the_first_stock_round() -> None:
    """R-TN-020, R-TN-021, R-TN-022 (3.1)."""
    game = first_position()
    assert round_name(game) == "SR 1"
    assert kinds(game) == ["bid", "pass"]
    refused(game, "3.1", "bid", "a", private="TCC", amount=21)
    refused(game, "3.1", "bid", "a", private="LNR", amount=179)
    do(game, "bid", "a", private="LNR", amount=181)
    assert on_turn(game) == "b"


def test_the_bidders_go_round_from_the_high_bidder_and_a_pass_is_not_final() -> None:
    """R-TN-025, R-TN-026 (3.1.1)."""
    game = first_position()
    do(game, "bid", "a", private="ETWCR", amount=45)
    do(game, "bid", "b", private="ETWCR", amount=50)
    do(game, "bid", "c", private="ETWCR", amount=55)
    do(game, "bid", "a", private="TCC", amount=20)
    assert on_turn(game) == "a"
    do(game, "pass", "a")
    assert on_turn(game) == "b"
    do(game, "bid", "b", private="ETWCR", amount=60)
    do(game, "pass", "c")
    assert on_turn(game) == "a"
    do(game, "bid", "a", private="ETWCR", amount=65)
    passes(game, "b", "c")
    assert game.table.state.privates["ETWCR"].owner == "a"
    assert cash(game) == {"a": 515, "b": 600, "c": 600}
    assert on_turn(game) == "b"


def test_the_louisville_and_nashville_founds_its_company() -> None:
    """R-TN-029, R-TN-02A, worked example 2 (Table III)."""
    game = first_position()
    sell_all_but_the_last(game)
    do(game, "pass", "a")
    assert cash(game)["b"] == 600 - 70 - 195
    assert kinds(game) == ["par"]
    refused(game, "3.2(c)", "par", "b", company="L&N", price=100)
    do(game, "par", "b", company="L&N", price=90)
    found = company(game, "L&N")
    assert (found.president, found.percent("b"), found.cash, found.floated) == ("b", 20, 900, True)
    assert found.percent("offering") == 80
    assert game.table.state.privates["LNR"].closed
    assert cash(game)["b"] == 600 - 70 - 195
    assert round_name(game) == "SR 1"
    assert on_turn(game) == "a"
    assert "par" in kinds(game)


def test_if_all_pass_privates_pay_and_the_next_stock_round_continues() -> None:
    """R-TN-028 (3.1, 4)."""
    game = first_position()
    do(game, "bid", "a", private="TCC", amount=20)
    passes(game, "b", "c", "a")
    assert round_name(game) == "SR 2"
    assert cash(game)["a"] == 600 - 20 + 5
    assert "bid" in kinds(game)


def test_the_first_private_falls_in_price_and_must_be_taken_in_the_fifth_round() -> None:
    """R-TN-027 (3.1.2)"""
    game = first_position()
    for number, price in ((2, 15), (3, 10), (4, 5)):
        passes(game, "a", "b", "c")
        assert round_name(game) == f"SR {number}"
        assert values(game, "bid", "a", "amount", private="TCC") == [price]
    passes(game, "a", "b", "c")
    assert round_name(game) == "SR 5"
    assert game.table.state.privates["TCC"].owner == "a"
    assert cash(game)["a"] == 600
    assert on_turn(game) == "b"


def test_the_other_profile_has_a_separate_auction() -> None:
    """D-TN-2, D-TN-3, D-TN-4."""
    game = first_position(profile="18xx.games")
    assert round_name(game) == "Auction"
    sell_all_but_the_last(game)
    do(game, "pass", "a")
    do(game, "par", "b", company="L&N", price=65)
    assert round_name(game) == "SR 1"


# --- privates between players --------------------------------------------------------------------------------------


def test_a_private_is_the_purchase_of_its_buyer_and_no_purchase_of_its_seller() -> None:
    """R-TN-047, D-TN-6 (3.2(b), (c)(4))."""
    game = position().owns("a", "MCR").owns("b", "OWR").cash(a=300, b=300).game()
    do(game, "sell_private", "a", private="MCR", buyer="b", price=33)
    assert on_turn(game) == "b"
    do(game, "answer", "b", reply="agree")
    assert game.table.state.privates["MCR"].owner == "b"
    do(game, "buy_private", "a", private="OWR", price=1)
    do(game, "answer", "b", reply="refuse")
    assert on_turn(game) == "a"
    do(game, "buy_private", "a", private="OWR", price=210)
    do(game, "answer", "b", reply="agree")
    assert cash(game)["a"] == 300 + 33 - 210
    assert on_turn(game) == "b"


def test_at_the_certificate_limit_nobody_buys_a_private() -> None:
    """R-TN-063, D-TN-7 (3.3(b))."""
    built = position(5).owns("b", "OWR").cash(a=100)
    for name in ("SR", "TC"):
        built.start(name, 90, b=50, a=40)
    game = built.game()
    assert find(game, "buy_private", "a")
    built = position(5).owns("b", "OWR").cash(a=100)
    for name in ("SR", "TC"):
        built.start(name, 90, a=60)
    game = built.game()
    assert not [offer for offer in game.offers("a") if offer.kind == "buy_private"]
    built = position(5, profile="18xx.games").owns("b", "OWR").cash(a=100)
    for name in ("SR", "TC"):
        built.start(name, 90, a=60)
    assert find(built.game(), "buy_private", "a")
