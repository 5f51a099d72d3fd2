"""18Chesapeake: the variant for two players (rulebook 14)."""

import pytest

from engine.game import Game
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    label,
    offered,
    passes,
    refused,
    round_name,
    values,
)


def two(profile: str = "rulebook") -> Position:
    """Two players; the C&A is the company with the normal certificate."""
    return Position(2, linked="C&A", profile=profile)


def price(game: Game, name: str) -> int:
    """Present share price."""
    return game.table.price(company(game, name))


def test_a_triple_certificate_costs_three_times_the_par_price() -> None:
    """R-CH-240 (14.1), D-CH-19: only what can be paid is offered."""
    game = two().cash(a=250).game()
    assert values(game, "par", "a", "price", company="LV") == [70, 80]
    assert "cost $285" in refused(game, "10.4", "par", "a", company="LV", price=95)
    assert values(game, "par", "a", "price", company="C&A") == [70, 80, 95]
    do(game, "par", "a", company="LV", price=80)
    assert (cash(game)["a"], company(game, "LV").percent("a")) == (10, 30)


@pytest.mark.parametrize(("name", "certificate"), [("LV", 30), ("C&A", 20)])
def test_what_is_left_when_a_company_floats_goes_to_the_pool(name: str, certificate: int) -> None:
    """R-CH-241 (14.2), worked example 23."""
    game = two().start(name, 95, a=50).cash(a=95).game()
    do(game, "buy_share", "a", company=name, source="offering")
    found = company(game, name)
    assert found.certificate == certificate
    assert (found.floated, found.cash, found.percent("market"), found.percent("offering")) == (
        True,
        950,
        40,
        0,
    )


def floated(
    *, market: int = 40, at: tuple[int, int] | None = None, profile: str = "rulebook", **percents: int
) -> Position:
    """LV has floated at 95; so much lies in the pool and the rest has left the game."""
    held = percents or {"a": 60}
    removed = 100 - sum(held.values()) - market
    return two(profile).start("LV", 95, at=at, market=market, removed=removed, **held)


def test_a_share_leaves_the_game_when_another_than_the_president_buys_from_the_pool() -> None:
    """R-CH-242 (14.3), worked example 23."""
    game = floated().stock("b").game()
    do(game, "buy_share", "b", company="LV", source="market")
    lv = company(game, "LV")
    assert (lv.percent("b"), lv.percent("market"), lv.percent("removed")) == (10, 20, 10)
    assert cash(game)["b"] == 1105
    passes(game, "a")
    do(game, "buy_share", "b", company="LV", source="market")
    assert (lv.percent("b"), lv.percent("market"), lv.percent("removed")) == (20, 0, 20)


def test_naming_the_share_that_leaves_reads_otherwise_than_buying_the_only_one() -> None:
    """R-CH-242 (14.3) as 18xx.games plays it: both ways are legal, and no two buttons read the same."""
    game = floated(market=10, profile="18xx.games").stock("b").game()
    found = [label(game, s) for o in game.offers("b") if o.kind == "buy_share" for s in o.suggest()]
    assert found == [
        "Buy LV from the market, $0: the only one leaves the game, none is bought",
        "Buy LV, the share that leaves the game, $0: none is bought",
    ]


def test_a_single_share_of_the_pool_leaves_for_nothing() -> None:
    """R-CH-242 (14.3), worked example 23: it was the player's own purchase, and counts for the priority deal."""
    game = floated(market=10).cash(b=5).stock("b").game()
    (suggestion,) = [s for o in game.offers("b") if o.kind == "buy_share" for s in o.suggest()]
    assert "leaves the game" in label(game, suggestion)
    do(game, "buy_share", "b", company="LV", source="market")
    lv = company(game, "LV")
    assert (lv.percent("b"), lv.percent("market"), cash(game)["b"]) == (0, 0, 5)
    assert game.actors() == ("a",)
    passes(game, "a")
    assert game.table.state.priority == 0


def test_with_two_shares_in_the_pool_one_must_be_paid() -> None:
    """R-CH-242 (14.3)"""
    game = floated(market=20, a=60, b=10).cash(b=94).stock("b").game()
    assert not offered(game, "buy_share")
    refused(game, "10.4", "buy_share", "b", company="LV", source="market")


def test_the_president_buys_from_the_pool_as_usual() -> None:
    """R-CH-242 (14.3)"""
    game = floated(market=30, a=50, b=20).game()
    do(game, "buy_share", "a", company="LV", source="market")
    lv = company(game, "LV")
    assert (lv.percent("a"), lv.percent("market"), lv.percent("removed")) == (60, 20, 0)


def test_it_takes_a_place_below_the_certificate_limit() -> None:
    """R-CH-242 (14.3)"""
    position = (
        floated(market=10, a=60).start("SRR", 95, at=(1, 8), b=60, a=30).start("PRR", 95, at=(1, 8), b=60)
    )
    position.start("C&O", 95, at=(1, 8), b=60).start("N&W", 95, at=(1, 8), b=60).start(
        "B&O", 95, at=(1, 8), b=60
    )
    game = position.stock("b").game()
    assert "limit of 20" in refused(game, "10.1", "buy_share", "b", company="LV", source="market")


def test_who_sold_the_company_in_this_round_removes_nothing() -> None:
    """R-CH-047, R-CH-242 (10.4, 14.3)"""
    game = floated(market=10, a=60, b=20).stock("b").game()
    do(game, "sell_shares", "b", company="LV", shares=1)
    refused(game, "10.4", "buy_share", "b", company="LV", source="market")


@pytest.mark.parametrize(("profile", "removed"), [("rulebook", 0), ("18xx.games", 10)])
def test_a_purchase_from_the_offering_removes_nothing(profile: str, removed: int) -> None:
    """R-CH-242 (14.3), D-CH-9: the compatible profile takes one out of the pool all the same."""
    game = two(profile).start("LV", 95, a=30, market=10).stock("b").game()
    do(game, "buy_share", "b", company="LV", source="offering")
    lv = company(game, "LV")
    assert (lv.percent("b"), lv.percent("removed"), lv.percent("market")) == (10, removed, 10 - removed)


def test_shares_of_the_pool_leave_before_a_company_floats_too() -> None:
    """R-CH-242 (14.3)"""
    game = two().start("LV", 95, a=30, market=20).stock("b").game()
    do(game, "buy_share", "b", company="LV", source="market")
    lv = company(game, "LV")
    assert (lv.percent("b"), lv.percent("removed"), lv.percent("market")) == (10, 10, 0)
    assert not lv.floated


def test_only_in_the_compatible_profile_may_the_buyer_name_the_share_that_leaves() -> None:
    """R-CH-242, D-CH-10."""
    game = floated().stock("b").game()
    refused(game, "10.4", "buy_share", "b", company="LV", source="removed")
    game = floated(profile="18xx.games").stock("b").game()
    do(game, "buy_share", "b", company="LV", source="removed")
    lv = company(game, "LV")
    assert (lv.percent("b"), lv.percent("market"), cash(game)["b"]) == (0, 30, 1200)


@pytest.mark.parametrize(("market", "expected"), [(0, 100), (10, 95)])
def test_a_floated_company_without_pool_shares_rises(market: int, expected: int) -> None:
    """R-CH-243 (14.4): removed shares do not matter."""
    game = floated(market=market, a=60, b=20).cash(a=0, b=0).game()
    while not round_name(game).startswith("OR"):
        passes(game, *game.actors())
    assert price(game, "LV") == expected


def test_a_company_that_has_not_floated_does_not_rise() -> None:
    """R-CH-243 (14.4)"""
    game = two().start("LV", 95, a=50).game()
    passes(game, "a", "b")
    assert price(game, "LV") == 95


def test_removed_shares_are_never_paid() -> None:
    """R-CH-244 (11.6, 14): a tenth a share, as ever."""
    position = floated(market=10, a=60, b=10).trains("LV", "2").tile("J2", "57", 1).operating("LV", "run")
    game = position.game()
    bank = game.table.state.bank
    do(game, "run_routes", "LV", routes=("2:J2.a-4 K1.1-a",))
    do(game, "dividend", "LV", option="pay")
    assert cash(game) == {"a": 1230, "b": 1205}
    assert company(game, "LV").cash == 955
    assert game.table.state.bank == bank - 40
    assert game.table.state.companies["LV"].percent("removed") == 20


def test_the_pool_limit_stays_five_shares() -> None:
    """R-CH-244 (10.2)"""
    game = floated(market=40, a=30, b=30).stock("b").game()
    assert values(game, "sell_shares", "b", "shares", company="LV") == [1]
    refused(game, "10.2", "sell_shares", "b", company="LV", shares=2)


def test_shares_in_the_pool_before_floating_may_exceed_the_limit_then() -> None:
    """R-CH-241 (14.2): the rest of the offering goes there at once; nothing more can be sold to it."""
    game = two().start("LV", 95, a=30, market=20).game()
    do(game, "buy_share", "a", company="LV", source="offering")
    assert company(game, "LV").percent("market") == 60
    passes(game, "b")
    refused(game, "10.2", "sell_shares", "a", company="LV", shares=1)


def test_a_triple_presidency_passes_only_to_thirty_percent() -> None:
    """R-CH-245 (10.3, 14.1), D-CH-11: the swap is three tens."""
    game = two().start("LV", 95, a=30, b=20).stock("b").game()
    do(game, "buy_share", "b", company="LV", source="offering")
    assert company(game, "LV").president == "a"
    passes(game, "a")
    do(game, "buy_share", "b", company="LV", source="market")
    lv = company(game, "LV")
    assert (lv.president, lv.percent("b"), lv.shares["a"], lv.shares.get("b", 0)) == ("b", 40, 30, 10)


def test_a_president_sells_one_two_or_three_tenths_of_a_triple_certificate() -> None:
    """R-CH-245 (10.3, 14.1)"""
    game = floated(market=20, a=40, b=30).game()
    assert values(game, "sell_shares", "a", "shares", company="LV") == [1, 2, 3]
    do(game, "sell_shares", "a", company="LV", shares=2)
    lv = company(game, "LV")
    assert (lv.president, lv.percent("a"), lv.percent("b"), lv.percent("market")) == ("b", 20, 30, 40)
    game = floated(market=40, a=40, b=20).game()
    assert values(game, "sell_shares", "a", "shares", company="LV") == [1]
