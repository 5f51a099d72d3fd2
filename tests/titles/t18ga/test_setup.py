"""18GA: components, the auction, stock rounds and options (1, 2, 3, 6)."""

import pytest

from engine.core.state import Operating
from engine.play.shares import holdings
from tests.titles.builders import TitleGame, new_game
from tests.titles.t18ga.georgia import PROFILE, TITLE, Georgia


def first_position(players: int = 4, *options: str) -> TitleGame:
    """18GA before the first action."""
    return new_game(players, profile=PROFILE, title=TITLE, options=options)


def test_components() -> None:
    """R-GA-001, R-GA-002, R-GA-003, R-GA-004 (1)"""
    table = first_position().table
    spec, companies = table.spec, table.state.companies
    limits = {n: (limit.cash, limit.certificate_limit) for n, limit in spec.players.items()}
    assert limits == {3: (600, 15), 4: (450, 12), 5: (360, 10)}
    assert table.state.bank == 8000 - 4 * 450
    assert [price for price, _ in table.grid.pars()] == [55, 70, 90, 110]
    assert {name: company.tokens for name, company in companies.items()} == {
        "ACL": [40, 100, 100],
        "CoG": [0, 40, 100, 100],
        "G&F": [0, 40],
        "GA": [0, 40, 100, 100],
        "W&A": [0, 40],
        "SAL": [0, 40, 100],
    }
    assert table.state.depot == {"2": 5, "3": 4, "4": 3, "5": 2, "6": 2, "8": 5}


def test_phases() -> None:
    """R-GA-040, R-GA-090, R-GA-091 (4)"""
    spec = first_position().table.spec
    assert [(p.train, p.train_limit, p.operating_rounds, p.max_bank_trains) for p in spec.phases] == [
        (None, 4, 1, 1),
        ("3", 4, 2, 1),
        ("4", 3, 2, None),
        ("5", 2, 3, None),
        ("6", 2, 3, None),
        ("8", 2, 3, None),
    ]
    assert {x.name: x.rusts_on for x in spec.trains if x.rusts_on} == {"2": "4", "3": "6", "4": "8"}


def test_lowest_bidder_raises_first() -> None:
    """R-GA-020, R-GA-021 (2): the last private brings a share of the CoG, which has no price yet."""
    game = first_position()
    game.bid("a", "M&BR", 155)
    game.bid("b", "MRC", 45)
    game.bid("c", "MRC", 50)
    game.bid("d", "LTR", 20)
    assert game.on_turn() == "b"
    game.bid("b", "MRC", 55)
    game.passes("c")
    assert (game.owner("MRC"), game.on_turn()) == ("b", "a")
    game.bid("a", "W&SR", 70)
    game.bid("b", "OSR", 100)
    assert (game.round_name(), game.owner("M&BR")) == ("SR 1", "a")
    assert (game.company("CoG").percent("a"), game.company("CoG").par) == (10, None)
    assert game.cash()["a"] == 450 - 70 - 155


def test_unsold_first_private_falls() -> None:
    """R-GA-022 (2): at $0 the next player takes it; after that privates pay when all pass."""
    game = first_position(3)
    game.passes(*"abc")
    assert game.values("bid", "a", "amount", private="LTR") == [15]
    game.passes(*"abcabcabc")
    assert (game.owner("LTR"), game.cash()["a"]) == ("a", 600)
    game.passes(*"bca")
    assert game.cash()["a"] == 605


def test_private_of_a_player_is_the_purchase() -> None:
    """R-GA-031 (3)"""
    game = Georgia().cash(a=600).owns("b", "OSR").start("CoG", 90, c=40).stock("a").game()
    game.do("buy_private", "a", private="OSR", price=1)
    game.do("answer", "b", reply="agree")
    assert game.owner("OSR") == "a"
    assert game.on_turn() == "b"


def test_yellow_shares_do_not_count() -> None:
    """R-GA-032 (3): $55 is yellow in the sixth row only."""
    for cell, counted in (((6, 5), 0), ((4, 3), 1)):
        t = Georgia().start("CoG", 55, at=cell, a=20).t
        assert (t.price(t.state.companies["CoG"]), holdings.certificate_count(t, "a")) == (55, counted)


def test_options_change_companies() -> None:
    """R-GA-111, R-GA-112 (6)"""
    t = first_position(3, "new_georgia_florida_home", "remove_cog_token").table
    assert t.map.homes["G&F"] == ("G3", 0)
    assert t.state.companies["CoG"].tokens == [0, 40, 100]


@pytest.mark.parametrize(("options", "left"), [((), []), (("soft_rust_4t",), ["4"])])
def test_first_8_and_4_trains(options: tuple[str, ...], left: list[str]) -> None:
    """R-GA-091, R-GA-113 (4, 6): by option they run once more, and leave room for another train."""
    built = Georgia(options=options).phase("6").depot(t6=0).start("SAL", 90, a=60).start("GA", 90, b=60)
    game = built.trains("GA", "4").trains("SAL", "4").treasury("SAL", 1600).operating("SAL", "trains").game()
    game.buy("SAL", "8", 800)
    game.buy("SAL", "8", 800)
    assert (game.company("GA").trains, game.company("GA").obsolete) == ([], left)
    assert (game.company("SAL").trains, game.company("SAL").obsolete) == (["8", "8"], left)


def test_cotton_port() -> None:
    """R-GA-114 (6): Charleston is a second home of the GA, and no other token goes there."""
    built = Georgia(options=("cotton_port",)).start("GA", 90, a=60)
    assert not built.t.map.has_space_for("E15", 0, "ACL")
    built.state.round = Operating(set=2)
    game = built.game()
    assert game.table.map.token_stops_of("GA") == [("D10", 0), ("E15", 0)]
    assert game.company("GA").tokens == [40, 100]
    assert game.table.map.slots("G13", 0) == (None, None)
