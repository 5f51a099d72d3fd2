"""1846: stock rounds, receivership, companies that close, the score (3, 5)."""

import pytest

from engine.core.ids import MARKET
from engine.play.shares.certificate_and_holding_limits import certificate_limit
from tests.titles.t1846.midwest import Midwest


def abandoned(market: int = 20, **percents: int) -> Midwest:
    """The NYC at $80 without a president; the market has the certificate, and more if that is said."""
    built = Midwest().start("NYC", 80, at=(1, 9), market=market - 20, x=20, **percents)
    built.state.companies["NYC"].certificate_holder = MARKET
    built.state.companies["NYC"].operated = True
    return built.treasury("NYC", 0)


def test_sales_come_before_the_purchase() -> None:
    """R-1846-030 (3): then the turn is over; the next round begins left of the last who acted."""
    built = (
        Midwest()
        .start("NYC", 100, a=40)
        .start("GT", 80, b=20)
        .cash(a=500, b=90, c=0, d=0, e=0)
        .operated("NYC", "GT")
    )
    game = built.stock("a").game()
    game.sell("a", "NYC", 2)
    game.do("buy_share", "a", company="GT", source="GT")
    assert game.on_turn() == "b"
    game.passes("b", "a")
    assert (game.round_name(), game.table.state.priority) == ("OR 2.1", 1)


@pytest.mark.parametrize(("held", "legal"), [(50, True), (60, False)])
def test_nobody_holds_more_than_60_percent(held: int, legal: bool) -> None:
    """R-1846-036 (3)"""
    game = Midwest().start("NYC", 100, a=held).cash(a=400).stock("a").game()
    if legal:
        game.do("buy_share", "a", company="NYC", source="NYC")
    else:
        game.refused("3", "buy_share", "a", company="NYC", source="NYC")


def test_company_closes_at_0() -> None:
    """R-1846-038, R-1846-140, R-1846-008 (3): tokens, trains and privates go; the certificate limit falls."""
    built = Midwest().start("NYC", 100, at=(1, 2), a=40, b=20).owns("NYC", "TBC").trains("NYC", "2")
    game = built.stock("a").game()
    game.sell("a", "NYC")
    company, table = game.company("NYC"), game.table
    assert (company.closed, company.cash, company.trains, table.map.token_stops_of("NYC")) == (
        True,
        0,
        [],
        [],
    )
    assert table.state.privates["TBC"].closed
    assert certificate_limit(table) == 10


def test_single_shares_end_a_receivership() -> None:
    """R-1846-039 (3): at 20% the player swaps two shares for the certificate."""
    game = abandoned(60, a=10).cash(a=100).stock("a").game()
    game.refused("3", "sell_shares", "a", company="NYC", shares=1)
    game.do("buy_share", "a", company="NYC", source=MARKET)
    company = game.company("NYC")
    assert (company.president, company.percent("a"), company.percent(MARKET), game.cash()["a"]) == (
        "a",
        20,
        50,
        20,
    )


def test_certificate_costs_a_share_and_its_price() -> None:
    """R-1846-039 (3): where the market has nothing else."""
    game = abandoned(a=10).cash(a=100, b=100).stock("b").game()
    game.refused("4", "buy_share", "b", company="NYC", source=MARKET)
    game.passes("b", "c", "d", "e")
    game.do("buy_share", "a", company="NYC", source=MARKET)
    company = game.company("NYC")
    assert (company.president, company.percent("a"), company.percent(MARKET), game.cash()["a"]) == (
        "a",
        20,
        10,
        20,
    )


def test_score_counts_privates_and_independents() -> None:
    """R-1846-161 (5): cash, shares at the price, privates at value, MS $60."""
    built = Midwest().start("NYC", 100, a=40).cash(a=50, b=0, c=0, d=0, e=0).owns("a", "MSP", "TBC")
    assert built.game().scores()["a"] == 50 + 400 + 60 + 60
