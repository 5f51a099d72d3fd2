"""18TN: what the tables say, the auction inside the stock rounds, and the L&N (rulebook 1-3.1)."""

import pytest

from engine.core.errors import TitleError
from engine.titles import TITLES
from engine.titles.standard import COMMON_OPTIONS
from engine.titles.t18tn.rules import TennesseeRules
from tests.titles.builders import TitleGame
from tests.titles.t18tn.tennessee import first_position


def test_printed_figures_of_18tn() -> None:
    """R-TN-003, R-TN-005, R-TN-010, worked example 6 (1.3.2, 1.5, 3.2, Table I): the IC has 30 percent."""
    companies = first_position().table.state.companies
    assert {c.id: c.certificate for c in companies.values() if c.certificate != 20} == {"IC": 30}
    tokens = {c.id: c.tokens for c in companies.values()}
    assert tokens["L&N"] == tokens["GMO"] == tokens["SR"] == [0, 40, 100, 100]
    assert tokens["IC"] == [0, 40, 100]
    assert tokens["NC&StL"] == tokens["TC"] == [0, 40]
    spec = first_position().table.spec
    assert [(x.name, x.count, x.price, x.rusts_on, x.obsolete_on) for x in spec.trains] == [
        ("2", 5, 80, "4", None),
        ("3", 5, 180, "6", None),
        ("4", 3, 300, None, "6½"),
        ("5", 2, 450, None, None),
        ("6", 2, 600, None, None),
        ("8", 7, 700, None, None),
    ]
    assert [(p.name, p.train, p.train_number, p.train_limit, p.operating_rounds) for p in spec.phases] == [
        ("2", None, 1, 4, 1),
        ("3", "3", 1, 4, 2),
        ("3½", "3", 4, 4, 2),
        ("4", "4", 1, 3, 2),
        ("5", "5", 1, 2, 3),
        ("6", "6", 1, 2, 3),
        ("6½", "6", 2, 2, 3),
        ("8", "8", 1, 2, 3),
    ]
    grid = first_position().table.grid
    assert [price for price, _ in grid.pars()] == [65, 70, 75, 80, 90]
    assert grid.price(grid.right((2, 11))) == 190
    assert grid.price(grid.down((3, 7))) == 100
    assert grid.price(grid.left((0, 0))) == 55
    assert grid.left((6, 0)) == (6, 0)
    assert grid.price(grid.right((1, 14))) == 275
    assert grid.ends_game(grid.right((0, 14)))
    assert grid.price((0, 15)) == 300


def test_profiles_and_options_are_explained() -> None:
    """Every flag of a profile has its sentence; an unknown option is refused."""
    spec = TITLES["18tn"].spec
    assert set(spec.profiles) == {"rulebook", "18xx.games"}
    assert set(spec.profiles["18xx.games"]) <= set(TennesseeRules.FLAGS)
    own = {"triple_yellow_first_or", "phase2_private_purchase", "salvage_3"}
    assert set(TennesseeRules.OPTIONS) == own | set(COMMON_OPTIONS)
    with pytest.raises(TitleError, match="no option coffee"):
        first_position(options=["coffee"])


def sell_all_but_the_last(game: TitleGame) -> None:
    """Two bids on the LNR, then everything else is bought; the LNR is fought for by a and b."""
    game.bid("a", "LNR", 180)
    game.bid("b", "LNR", 195)
    game.bid("c", "TCC", 20)
    game.bid("a", "ETWCR", 40)
    game.bid("b", "MCR", 70)
    game.bid("c", "OWR", 100)


def test_lnr_founds_its_company() -> None:
    """R-TN-029, R-TN-02A, D-TN-2, D-TN-3, D-TN-4, worked example 2 (Table III): on that site after an auction
    apart."""
    game = first_position()
    sell_all_but_the_last(game)
    game.passes("a")
    assert game.cash()["b"] == 600 - 70 - 195
    assert game.kinds() == ["par"]
    game.refused("3.2(c)", "par", "b", company="L&N", price=100)
    game.do("par", "b", company="L&N", price=90)
    found = game.company("L&N")
    assert (found.president, found.percent("b"), found.cash, found.floated) == ("b", 20, 900, True)
    assert found.percent("offering") == 80
    assert game.table.state.privates["LNR"].closed
    assert game.cash()["b"] == 600 - 70 - 195
    assert game.round_name() == "SR 1"
    assert game.on_turn() == "a"
    assert "par" in game.kinds()
    game = first_position(profile="18xx.games")
    assert game.round_name() == "Auction"
    sell_all_but_the_last(game)
    game.passes("a")
    game.do("par", "b", company="L&N", price=65)
    assert game.round_name() == "SR 1"
