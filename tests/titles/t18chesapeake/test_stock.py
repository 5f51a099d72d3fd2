"""18Chesapeake: stock rounds (rulebook 10)."""

from typing import Any

import pytest

from engine.core.ids import Cell
from engine.play.shares import holdings
from engine.play.steps.base import Request
from tests.titles.builders import Position, TitleGame


def purchase(game: TitleGame, player: str, name: str, source: str = "offering") -> None:
    game.do("buy_share", player, company=name, source=source)


def test_round_ends_when_all_pass_in_a_row() -> None:
    """R-CH-041, R-CH-042 (10, 10.6): who bought gets another turn; who has no move is passed over, and their
    pass counts. Priority is left of the last who bought or sold, and stays when nobody did."""
    game = Position().start("PRR", 80, a=40, b=20).game()
    game.passes("a", "b")
    purchase(game, "c", "PRR")
    game.passes("a", "b")
    assert game.round_name() == "SR 2"
    game.passes("c")
    assert game.round_name() == "OR 2.1"
    game = Position().start("PRR", 80, a=40, b=20).cash(c=50).game()
    game.passes("a", "b")
    assert game.round_name() == "OR 2.1"
    game = Position().start("PRR", 80, a=60).start("LV", 95, c=20, a=10).cash(a=0, b=0, c=0).stock("a").game()
    game.sell("a", "LV")
    assert game.on_turn() == "a"
    game.passes("a")
    assert game.table.state.round.kind == "stock"
    game.passes(game.on_turn())
    assert game.table.state.priority == 1
    game = Position(4).start("PRR", 80, a=40, b=20).game()
    game.passes("a")
    purchase(game, "b", "PRR")
    game.passes("c", "d", "a", "b")
    assert (game.table.state.priority, game.table.state.round.kind) == (2, "operating")
    game = Position(4).start("PRR", 80, a=40, b=20).stock("c").game()
    game.passes("c", "d", "a", "b")
    assert game.table.state.priority == 2


def test_start_costs_twice_par() -> None:
    """R-CH-045 (10.4), R-CH-065 (10.5): a sentence lists par prices short."""
    game = Position().start("PRR", 80, b=20).cash(a=165).game()
    assert game.values("par", "a", "price", company="LV") == [70, 80]
    assert "costs $190" in game.refused("10.4", "par", "a", company="LV", price=95)
    for wrong in (75, 0, -80):
        assert "$70, $80, $95" in game.refused("10.4", "par", "a", company="LV", price=wrong)
    game.refused("10.4", "par", "a", company="PRR", price=80)
    game.refused("", "par", "a", company="B&OR", price=80)
    game.do("par", "a", company="LV", price=80)
    lv = game.company("LV")
    assert (game.cash()["a"], lv.president) == (5, "a")
    assert lv.cell is not None
    assert game.table.state.companies_in_cell(lv.cell) == ["PRR", "LV"]
    game = Position().start("PRR", 80, b=20).game()
    companies, prices = game.domain("par", "a", "company"), game.domain("par", "a", "price", company="LV")
    assert "LV Lehigh Valley Railroad: home J2 (Allentown), tokens $0, $40" in game.labels(companies)
    assert "par $80: 20% for $160, treasury $800 when 60% is sold" in game.labels(prices)
    allowed = prices.allowed()
    assert allowed is not None
    assert game.tell().say(allowed) == "par $70: 20% for $140, par $80: 20% for $160, par $95: 20% for $190"


def test_share_costs_par_or_market_price() -> None:
    """R-CH-046 (10.4): the bank is paid and the price does not move; the president's certificate comes
    first."""
    game = Position().start("PRR", 80, at=(1, 4), b=30, market=20).game()
    bank = game.table.state.bank
    assert game.values("buy_share", "a", "source", company="PRR") == ["offering", "market"]
    purchase(game, "a", "PRR", "market")
    purchase(game, "b", "PRR")
    assert game.cash() == {"a": 700, "b": 720, "c": 800}
    assert game.table.state.bank == bank + 180 - 800  # the second share floats it
    assert game.price("PRR") == 100
    game = Position().start("PRR", 80, b=30).game()
    why = game.refused("10.4", "buy_share", "a", company="LV", source="offering")
    assert "president's certificate first" in why
    for source in ("market", "b"):
        game.refused("10.4", "buy_share", "a", company="PRR", source=source)
    game.refused("", "buy_share", "a", company="XYZ", source="market")


def test_no_purchase_of_what_was_sold_in_round() -> None:
    """R-CH-047 (10.4): the next round it is possible again."""
    game = Position().start("PRR", 80, b=30, a=20).game()
    game.sell("a", "PRR")
    game.refused("10.4", "buy_share", "a", company="PRR", source="offering")
    game.passes("a", "b", "c")
    game.refused("10.4", "buy_share", "a", company="PRR", source="market")
    game.passes("a")
    assert game.round_name() == "SR 3"
    purchase(game, "b", "PRR", "market")
    game.passes("c")
    purchase(game, "a", "PRR")


def at_the_limit(profile: str = "rulebook") -> Position:
    """Six players; one holds eleven certificates, none of them of the PRR."""
    position = Position(6, profile=profile).start("PRR", 80, b=20).start("LV", 95, at=(1, 8), a=60)
    return position.start("SRR", 80, at=(1, 7), a=60).owns("a", "D&R")


def test_certificate_limit_stops_purchases() -> None:
    """R-CH-048, R-CH-056 (10.1): privates count, the president's certificate as one, the share that came with
    a private."""
    game = at_the_limit().start("C&O", 70, b=20).game()
    assert holdings.certificate_count(game.table, "a") == 11
    game.refused("10.1", "buy_share", "a", company="PRR", source="offering")
    game.refused("10.1", "par", "a", company="N&W", price=70)
    game.passes("a")
    game = Position().share_of("B&O", "a").owns("a", "B&OR").game()
    assert holdings.certificate_count(game.table, "a") == 2


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
def test_yellow_shares_are_bought_at_the_limit(profile: str) -> None:
    """R-CH-056 (10.1), D-CH-12: they do not count, in both profiles."""
    game = at_the_limit(profile).start("N&W", 70, at=(6, 1), b=20).game()
    purchase(game, "a", "N&W")
    assert holdings.certificate_count(game.table, "a") == 11


def test_excess_certificates_are_sold_first() -> None:
    """R-CH-057 (10.1): one sale into the yellow zone takes two certificates out of the count."""
    position = Position(6).start("LV", 95, at=(1, 8), a=60).start("SRR", 80, at=(1, 7), a=50, c=10)
    game = position.owns("a", "D&R").start("C&O", 70, at=(5, 1), b=30, a=20).game()
    assert (holdings.certificate_count(game.table, "a"), game.kinds()) == (12, ["sell_shares"])
    game.refused("10.1", "pass", "a")
    game.refused("10.1", "par", "a", company="N&W", price=70)
    game.refused("10.1", "buy_share", "a", company="C&O", source="offering")
    game.sell("a", "C&O")
    assert (game.price("C&O"), holdings.certificate_count(game.table, "a")) == (55, 10)
    game.do("par", "a", company="N&W", price=70)


@pytest.mark.parametrize(
    ("privates", "name", "cell", "shares", "due"),
    [
        (6, "C&O", (5, 1), {"a": 20, "b": 20, "market": 40}, True),
        (6, "C&O", (5, 3), {"a": 30, "b": 10}, True),
        (6, "C&O", (5, 3), {"a": 20, "b": 20, "market": 40}, False),
        (4, "C&O", (6, 1), {"b": 20, "a": 20}, False),
        (3, "N&W", None, {"a": 20, "b": 20, "market": 40}, False),
        (3, "N&W", None, {"a": 20, "b": 20, "market": 30}, True),
    ],
)
def test_sale_is_due_if_it_helps(
    privates: int, name: str, cell: Cell | None, shares: dict[str, Any], due: bool
) -> None:
    """R-CH-057, R-CH-056 (10.1, 10.3): Ann has half of LV and SRR, which nobody could buy. A sale must leave fewer
    certificates that count; half of a president's certificate leaves a share in its place."""
    position = Position(6).start("LV", 95, a=50, market=50).start("SRR", 80, a=50, market=50)
    position.owns("a", *[*position.state.privates][:privates])
    game = position.start(name, 70 if cell else 80, at=cell, **shares).game()
    assert holdings.certificate_count(game.table, "a") > 11
    assert ("pass" in game.kinds("a")) is not due


def test_excess_that_cannot_be_sold_stays() -> None:
    """R-CH-057 (10.1): but nothing that counts is bought."""
    position = Position(6).start("LV", 95, a=50, market=50).start("SRR", 80, a=50, market=50)
    position.start("PRR", 80, at=(1, 5), a=20).start("C&O", 70, at=(6, 1), b=20)
    game = position.owns("a", "D&R", "C-P", "B&S", "C&OC", "B&OR").game()
    assert "sell_shares" not in game.kinds()
    game.refused("10.1", "buy_share", "a", company="PRR", source="offering")
    purchase(game, "a", "C&O")


def why_not(position: Position, kind: str, **given: Any) -> str:
    game = position.game()
    problem = game.obstacle(Request(kind, game.on_turn(), None, given))
    assert problem is not None
    return game.tell().refusal(problem)


def test_incomplete_requests_are_refused_by_rule() -> None:
    """R-CH-045, R-CH-047, R-CH-048 (10.1, 10.4): `/buy LV` at 60 %, `/buy` at a limit or without money."""
    poor = Position().start("PRR", 80, b=30).cash(a=100)
    for given in ({"company": "LV"}, {"company": "LV", "price": 0}):
        assert "20% of LV costs at least $140; Ann has $100 (10.4)." in why_not(poor, "par", **given)
    assert "Starting a company costs at least $140; Ann has $100 (10.4)." in why_not(poor, "par")
    assert "Allowed: ." not in why_not(poor, "par")
    for given in ({"company": "LV"}, {}):
        why = why_not(Position().start("LV", 95, a=60), "buy_share", **given)
        assert "may not hold more than 60% of LV (10.1)." in why
    for kind in ("buy_share", "par"):
        assert "at the certificate limit of 11 (10.1)." in why_not(at_the_limit(), kind)
    why = why_not(at_the_limit().cash(a=0), "buy_share", company="PRR")
    assert "at the certificate limit of 11 (10.1)." in why
    poor = Position().start("LV", 95, b=60).start("PRR", 80, b=60, a=10).cash(a=10)
    assert "Ann has $10 and cannot buy any share (10.4)." in why_not(poor, "buy_share")
    assert "No company has started" in why_not(Position(), "buy_share")
    assert "Ann has nothing to sell now (10.2)." in why_not(Position(), "sell_shares")
    assert "Ann holds no shares of LV (10.2)." in why_not(Position(), "sell_shares", company="LV")
    why = why_not(Position(), "buy_private", private="CV")
    assert "Players cannot sell privates to each other (10)." in why


def test_only_shares_with_a_price_are_sold() -> None:
    """R-CH-051 (10.2)"""
    game = Position().start("PRR", 80, b=30, a=30).owns("a", "D&R").share_of("B&O", "a").game()
    for count in (0, -1, 4, 1000):
        why = game.refused("", "sell_shares", "a", company="PRR", shares=count)
        assert f"Ann has only 3 shares of PRR and cannot sell {count}" in why
    assert game.values("sell_shares", "a", "company") == ["PRR"]
    assert "no price" in game.refused("10.2", "sell_shares", "a", company="B&O", shares=1)
    for name in ("D&R", "LV"):
        game.refused("", "sell_shares", "a", company=name, shares=1)


def test_marker_enters_cell_at_the_bottom() -> None:
    """R-CH-053, R-CH-054 (10.2): one that stays keeps its place; the seller chooses the order of sales."""
    position = Position().start("PRR", 80, at=(7, 4), b=30, a=30).start("LV", 95, at=(7, 4), b=30)
    game = position.start("SRR", 80, at=(6, 4), b=30, a=20).game()
    game.sell("a", "SRR")
    game.sell("a", "PRR")
    assert game.table.state.companies_in_cell((6, 3)) == ["PRR", "LV", "SRR"]
    position = Position().start("PRR", 80, at=(1, 4), b=30, a=30)
    game = position.start("LV", 95, at=(1, 4), b=30, a=30).game()
    game.sell("a", "LV")
    game.sell("a", "PRR")
    assert game.table.state.companies_in_cell((1, 3)) == ["LV", "PRR"]


def test_pool_shares_count_for_floating() -> None:
    """R-CH-065, R-CH-066, R-CH-081 (10.5, 11, 11.4), worked example 7: the home token waits for the first
    turn; one that has not floated has none."""
    game = Position().share_of("B&O", "b").start("PRR", 80, a=20, b=10, market=20).stock("a").game()
    purchase(game, "a", "PRR", "market")
    assert not game.company("PRR").floated
    purchase(game, "b", "PRR")
    assert game.company("PRR").floated
    game.do("par", "c", company="B&O", price=70)
    for player in "abc":
        assert not game.company("B&O").floated
        purchase(game, player, "B&O")
    assert (game.company("B&O").floated, game.company("B&O").cash) == (True, 700)
    game = Position().start("PRR", 80, a=50).game()
    game.passes("a")
    purchase(game, "b", "PRR")
    assert game.company("PRR").floated
    assert game.table.map.token_stops_of("PRR") == []
    game.passes("c", "a", "b")
    assert game.round_name() == "OR 2.1"
    assert game.table.map.token_stops_of("PRR") == [("F2", 0)]
    assert (game.company("PRR").tokens, game.company("PRR").cash) == ([40, 60, 80], 800)
    game = Position().start("PRR", 80, a=50).start("LV", 70, b=60).game()
    game.passes("a", "b", "c")
    assert game.table.turn.company == "LV"


def test_sold_out_companies_keep_their_order() -> None:
    """R-CH-068 (10.6): and go below others."""
    position = Position().start("C&O", 95, at=(2, 5), a=20).start("PRR", 95, a=60, b=40)
    game = position.start("LV", 95, b=60, a=40).game()
    game.passes("a", "b", "c")
    assert game.table.state.companies_in_cell((1, 4)) == ["C&O", "PRR", "LV"]
