"""18Chesapeake: stock rounds (rulebook 10)."""

from typing import Any

import pytest

from engine.core.offers import Cursor
from engine.game import Game
from engine.play.shares import holdings
from engine.play.steps.base import Request
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    domain,
    kinds,
    labels,
    offered,
    on_turn,
    passes,
    price,
    refused,
    round_name,
    sell,
    tell,
    values,
)


def purchase(game: Game, player: str, name: str, source: str = "offering") -> None:
    do(game, "buy_share", player, company=name, source=source)


def test_turn_is_sales_then_one_purchase() -> None:
    """R-CH-040 (10): a purchase ends the turn, so nothing can be sold after it."""
    game = Position().start("PRR", 80, a=40, b=20).start("LV", 95, a=40, b=20).game()
    sell(game, "a", "PRR")
    sell(game, "a", "LV")
    do(game, "par", "a", company="SRR", price=70)
    assert on_turn(game) == "b"
    assert "not your turn" in refused(game, "", "sell_shares", "a", company="PRR", shares=1)


def test_round_ends_when_all_pass_in_a_row() -> None:
    """R-CH-041 (10): who bought gets another turn."""
    game = Position().start("PRR", 80, a=40, b=20).game()
    passes(game, "a", "b")
    purchase(game, "c", "PRR")
    passes(game, "a", "b")
    assert round_name(game) == "SR 2"
    passes(game, "c")
    assert round_name(game) == "OR 2.1"


def test_player_without_a_move_is_passed_over() -> None:
    """R-CH-041, R-CH-042 (10, 10.6): their pass counts; a sale before it is an action."""
    game = Position().start("PRR", 80, a=40, b=20).cash(c=50).game()
    passes(game, "a", "b")
    assert round_name(game) == "OR 2.1"
    game = Position().start("PRR", 80, a=60).start("LV", 95, c=20, a=10).cash(a=0, b=0, c=0).stock("a").game()
    sell(game, "a", "LV")
    assert on_turn(game) == "a"
    passes(game, "a")
    assert game.table.state.round.kind == "stock"
    passes(game, on_turn(game))
    assert game.table.state.priority == 1


def test_priority_left_of_last_who_acted() -> None:
    """R-CH-042 (10.6): it stays when nobody bought or sold."""
    game = Position(4).start("PRR", 80, a=40, b=20).game()
    passes(game, "a")
    purchase(game, "b", "PRR")
    passes(game, "c", "d", "a", "b")
    assert (game.table.state.priority, game.table.state.round.kind) == (2, "operating")
    game = Position(4).start("PRR", 80, a=40, b=20).stock("c").game()
    passes(game, "c", "d", "a", "b")
    assert game.table.state.priority == 2


def test_start_costs_twice_par() -> None:
    """R-CH-045 (10.4)"""
    game = Position().start("PRR", 80, b=20).cash(a=165).game()
    assert values(game, "par", "a", "price", company="LV") == [70, 80]
    assert "costs $190" in refused(game, "10.4", "par", "a", company="LV", price=95)
    for wrong in (75, 0, -80):
        assert "$70, $80, $95" in refused(game, "10.4", "par", "a", company="LV", price=wrong)
    refused(game, "10.4", "par", "a", company="PRR", price=80)
    refused(game, "", "par", "a", company="B&OR", price=80)
    do(game, "par", "a", company="LV", price=80)
    lv = company(game, "LV")
    assert (cash(game)["a"], lv.president) == (5, "a")
    assert lv.cell is not None
    assert game.table.state.in_cell(lv.cell) == ["PRR", "LV"]


def test_start_menu_names_home_and_treasury() -> None:
    """R-CH-045 (10.4), R-CH-065 (10.5): a sentence lists par prices short."""
    game = Position().start("PRR", 80, b=20).game()
    companies, prices = domain(game, "par", "a", "company"), domain(game, "par", "a", "price", company="LV")
    assert "LV Lehigh Valley Railroad: home J2 (Allentown), tokens $0, $40" in labels(game, companies)
    assert "par $80: 20% for $160, treasury $800 when 60% is sold" in labels(game, prices)
    allowed = prices.allowed()
    assert allowed is not None
    assert tell(game).say(allowed) == "par $70: 20% for $140, par $80: 20% for $160, par $95: 20% for $190"


def test_share_costs_par_or_market_price() -> None:
    """R-CH-046 (10.4): the bank is paid and the price does not move."""
    game = Position().start("PRR", 80, at=(1, 4), b=30, market=20).game()
    bank = game.table.state.bank
    assert values(game, "buy_share", "a", "source", company="PRR") == ["offering", "market"]
    purchase(game, "a", "PRR", "market")
    purchase(game, "b", "PRR")
    assert cash(game) == {"a": 700, "b": 720, "c": 800}
    assert game.table.state.bank == bank + 180 - 800  # the second share floats it
    assert price(game, "PRR") == 100


def test_presidents_certificate_comes_first() -> None:
    """R-CH-046 (10.4)"""
    game = Position().start("PRR", 80, b=30).game()
    why = refused(game, "10.4", "buy_share", "a", company="LV", source="offering")
    assert "president's certificate first" in why
    for source in ("market", "b"):
        refused(game, "10.4", "buy_share", "a", company="PRR", source=source)
    refused(game, "", "buy_share", "a", company="XYZ", source="market")


def test_no_purchase_of_what_was_sold_in_round() -> None:
    """R-CH-047 (10.4): the next round it is possible again."""
    game = Position().start("PRR", 80, b=30, a=20).game()
    sell(game, "a", "PRR")
    refused(game, "10.4", "buy_share", "a", company="PRR", source="offering")
    passes(game, "a", "b", "c")
    refused(game, "10.4", "buy_share", "a", company="PRR", source="market")
    passes(game, "a")
    assert round_name(game) == "SR 3"
    purchase(game, "b", "PRR", "market")
    passes(game, "c")
    purchase(game, "a", "PRR")


def test_nobody_holds_more_than_60_percent() -> None:
    """R-CH-047, R-CH-058 (10.1, 10.4)"""
    game = Position().start("PRR", 80, a=60).game()
    assert "60%" in refused(game, "10.1", "buy_share", "a", company="PRR", source="offering")


def at_the_limit(profile: str = "rulebook") -> Position:
    """Six players; one holds eleven certificates, none of them of the PRR."""
    position = Position(6, profile=profile).start("PRR", 80, b=20).start("LV", 95, at=(1, 8), a=60)
    return position.start("SRR", 80, at=(1, 7), a=60).owns("a", "D&R")


def test_certificate_limit_stops_purchases() -> None:
    """R-CH-048, R-CH-056 (10.1): privates count, the president's certificate as one."""
    game = at_the_limit().start("C&O", 70, b=20).game()
    assert holdings.certificates(game.table, "a") == 11
    refused(game, "10.1", "buy_share", "a", company="PRR", source="offering")
    refused(game, "10.1", "par", "a", company="N&W", price=70)
    passes(game, "a")


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
def test_yellow_shares_are_bought_at_the_limit(profile: str) -> None:
    """R-CH-056 (10.1), D-CH-12: they do not count, in both profiles."""
    game = at_the_limit(profile).start("N&W", 70, at=(6, 1), b=20).game()
    purchase(game, "a", "N&W")
    assert holdings.certificates(game.table, "a") == 11


def test_share_without_price_counts() -> None:
    """R-CH-056 (10.1): the share that came with a private."""
    game = Position().share_of("B&O", "a").owns("a", "B&OR").game()
    assert holdings.certificates(game.table, "a") == 2


def over_the_limit() -> Position:
    """Six players; one holds twelve certificates, two of the C&O, which stands just above the yellow zone."""
    position = Position(6).start("LV", 95, at=(1, 8), a=60).start("SRR", 80, at=(1, 7), a=50, c=10)
    return position.owns("a", "D&R").start("C&O", 70, at=(5, 1), b=30, a=20)


def test_excess_certificates_are_sold_first() -> None:
    """R-CH-057 (10.1): one sale into the yellow zone takes two certificates out of the count."""
    game = over_the_limit().game()
    assert holdings.certificates(game.table, "a") == 12
    assert kinds(game) == ["sell_shares"]
    refused(game, "10.1", "pass", "a")
    refused(game, "10.1", "par", "a", company="N&W", price=70)
    refused(game, "10.1", "buy_share", "a", company="C&O", source="offering")
    sell(game, "a", "SRR")
    assert {"sell_shares", "pass"} <= set(kinds(game))
    game = over_the_limit().game()
    sell(game, "a", "C&O")
    assert (price(game, "C&O"), holdings.certificates(game.table, "a")) == (55, 10)
    do(game, "par", "a", company="N&W", price=70)


def test_excess_that_cannot_be_sold_stays() -> None:
    """R-CH-057 (10.1): but nothing that counts is bought."""
    position = Position(6).start("PRR", 80, at=(1, 5), a=20).start("C&O", 70, at=(6, 1), b=20)
    for name, held in (("LV", 30), ("SRR", 40)):
        position.start(name, 80, a=60, market=40).state.companies[name].shares = {"market": 50, "a": held}
    game = position.owns("a", "D&R", "C-P", "B&S", "C&OC", "B&OR").game()
    assert holdings.certificates(game.table, "a") > 11
    assert "sell_shares" not in kinds(game)
    refused(game, "10.1", "buy_share", "a", company="PRR", source="offering")
    purchase(game, "a", "C&O")


def five_and_five(*privates: str) -> Position:
    """Half of LV and of SRR, which nobody could buy."""
    position = Position(6).start("LV", 95, a=50, market=50).start("SRR", 80, a=50, market=50)
    return position.owns("a", *privates)


def test_sale_of_uncounted_shares_is_not_due() -> None:
    """R-CH-057, R-CH-056 (10.1): yellow shares are sold or kept as the player likes."""
    position = five_and_five("D&R", "C-P", "B&S", "C&OC").start("C&O", 70, at=(6, 1), b=20, a=20)
    game = position.game()
    assert holdings.certificates(game.table, "a") == 12
    assert values(game, "sell_shares", "a", "company") == ["C&O"]
    assert {"sell_shares", "buy_share", "pass"} <= set(kinds(game))


@pytest.mark.parametrize(("market", "shares", "may_pass"), [(40, [1], True), (30, [1, 2], False)])
def test_sale_of_half_a_presidency_is_not_due(market: int, shares: list[int], may_pass: bool) -> None:
    """R-CH-057 (10.1, 10.3): half of a president's certificate leaves a share in its place."""
    game = five_and_five("D&R", "C-P", "B&S").start("N&W", 80, a=20, b=20, market=market).game()
    assert holdings.certificates(game.table, "a") == 12
    assert values(game, "sell_shares", "a", "shares", company="N&W") == shares
    assert ("pass" in kinds(game)) is may_pass


def why_not(position: Position, kind: str, **given: Any) -> str:
    game = position.game()
    problem = game.obstacle(Request(kind, on_turn(game), None, given))
    assert problem is not None
    return tell(game).refusal(problem)


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
    poor = Position().start("LV", 95, b=60).start("PRR", 80, b=60, a=10).cash(a=10)
    assert "Ann has $10 and cannot buy any share (10.4)." in why_not(poor, "buy_share")
    assert "No company has started" in why_not(Position(), "buy_share")
    assert "Ann has nothing to sell now (10.2)." in why_not(Position(), "sell_shares")
    assert "Ann holds no shares of LV (10.2)." in why_not(Position(), "sell_shares", company="LV")
    assert "Players cannot sell privates to each other (10)." in why_not(
        Position(), "buy_private", private="CV"
    )


@pytest.mark.parametrize("cash", [0, 1, 70, 159, 800])
def test_menus_are_never_empty(cash: int) -> None:
    position = Position().start("LV", 95, a=50, b=20, market=20).start("PRR", 80, b=60, a=10)
    game = position.share_of("B&O", "a").owns("a", "D&R").cash(a=cash).game()
    for offer in game.offers("a"):
        for picked in Cursor(offer).domain.choices() if offer.slots else ():
            following = Cursor(offer).pick(picked.value)
            assert following.slot is None or following.domain
            assert following.slot is None or following.domain.allowed() is not None


def test_first_stock_round_has_no_sales() -> None:
    """R-CH-050 (10.2)"""
    game = Position().start("PRR", 80, a=40, b=20).stock("a", number=1).game()
    refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)


def test_pool_holds_at_most_half() -> None:
    """R-CH-051 (10.2)"""
    game = Position().start("PRR", 80, b=30, a=30, market=30).game()
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1, 2]
    assert "50%" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=3)
    sell(game, "a", "PRR", 2)
    refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)


def test_only_shares_with_a_price_are_sold() -> None:
    """R-CH-051 (10.2)"""
    game = Position().start("PRR", 80, b=30, a=30).owns("a", "D&R").share_of("B&O", "a").game()
    for count in (0, -1, 4, 1000):
        why = refused(game, "", "sell_shares", "a", company="PRR", shares=count)
        assert f"Ann has only 3 shares of PRR and cannot sell {count}" in why
    assert values(game, "sell_shares", "a", "company") == ["PRR"]
    assert "no price" in refused(game, "10.2", "sell_shares", "a", company="B&O", shares=1)
    for name in ("D&R", "LV"):
        refused(game, "", "sell_shares", "a", company=name, shares=1)


@pytest.mark.parametrize(
    ("cell", "blocks", "brings", "after"),
    [((1, 4), [3], 300, 80), ((1, 4), [1, 1, 1], 100 + 90 + 85, 80), ((7, 4), [2], 130, 65)],
    ids=["block", "singly", "ledge"],
)
def test_sales_are_paid_before_price_falls(
    cell: tuple[int, int], blocks: list[int], brings: int, after: int
) -> None:
    """R-CH-052 (10.2), worked example 8: on the ledge the price stays."""
    game = Position().start("PRR", 80, at=cell, b=30, a=30).game()
    for shares in blocks:
        sell(game, "a", "PRR", shares)
    assert (cash(game)["a"], price(game, "PRR")) == (800 + brings, after)


def test_marker_enters_cell_at_the_bottom() -> None:
    """R-CH-053, R-CH-054 (10.2): one that stays keeps its place; the seller chooses the order of sales."""
    position = Position().start("PRR", 80, at=(7, 4), b=30, a=30).start("LV", 95, at=(7, 4), b=30)
    game = position.start("SRR", 80, at=(6, 4), b=30, a=20).game()
    sell(game, "a", "SRR")
    sell(game, "a", "PRR")
    assert game.table.state.in_cell((6, 3)) == ["PRR", "LV", "SRR"]
    position = Position().start("PRR", 80, at=(1, 4), b=30, a=30)
    game = position.start("LV", 95, at=(1, 4), b=30, a=30).game()
    sell(game, "a", "LV")
    sell(game, "a", "PRR")
    assert game.table.state.in_cell((1, 3)) == ["LV", "PRR"]


def test_purchase_moves_presidency_beyond_a_tie() -> None:
    """R-CH-060 (10.3, 10.4)"""
    game = Position().start("PRR", 80, a=20, b=10).stock("b").game()
    purchase(game, "b", "PRR")
    prr = company(game, "PRR")
    assert prr.president == "a"
    passes(game, "c", "a")
    purchase(game, "b", "PRR")
    assert (prr.president, prr.percent("a"), prr.percent("b")) == ("b", 20, 30)
    assert (prr.shares["a"], prr.shares["b"]) == (20, 10)


@pytest.mark.parametrize(
    ("held", "shares", "president", "left"),
    [
        ({"a": 40, "b": 20, "c": 30}, 3, "c", {"a": 10, "b": 20, "c": 30, "market": 30}),
        ({"a": 30, "b": 20, "c": 20}, 2, "b", {"a": 10, "b": 20, "c": 20, "market": 20}),
        ({"b": 30, "a": 20, "c": 20}, 2, "c", {"b": 10, "a": 20, "c": 20, "market": 20}),
    ],
    ids=["largest", "left", "left of b"],
)
def test_sale_moves_presidency(
    held: dict[str, Any], shares: int, president: str, left: dict[str, Any]
) -> None:
    """R-CH-060, R-CH-062 (10.3), worked example 10: the swap comes before the rest of the sale."""
    seller = next(iter(held))
    game = Position().start("PRR", 80, **held).stock(seller).game()
    sell(game, seller, "PRR", shares)
    prr = company(game, "PRR")
    assert prr.president == president
    assert {holder: prr.percent(holder) for holder in left} == left
    assert cash(game)[seller] == 800 + 80 * shares


def test_presidents_certificate_needs_a_successor() -> None:
    """R-CH-061 (10.3), worked example 10: ten percent never make a president."""
    game = Position().start("PRR", 80, a=30, b=10, c=10).game()
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1]
    assert "take the presidency" in refused(game, "10.3", "sell_shares", "a", company="PRR", shares=2)
    game = Position().start("PRR", 80, a=30, b=20, c=10).game()
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1, 2, 3]
    game = Position().start("PRR", 80, a=20, b=10).game()
    assert not offered(game, "sell_shares")
    refused(game, "10.3", "sell_shares", "a", company="PRR", shares=1)


@pytest.mark.parametrize(("par", "capital"), [(70, 700), (80, 800), (95, 950)])
def test_company_floats_at_60_percent(par: int, capital: int) -> None:
    """R-CH-065 (10.5), worked example 7: the private's share counts."""
    game = Position().share_of("B&O", "b").stock("a").game()
    do(game, "par", "a", company="B&O", price=par)
    for player in "bca":
        assert not company(game, "B&O").floated
        purchase(game, player, "B&O")
    assert (company(game, "B&O").floated, company(game, "B&O").cash) == (True, capital)


def test_pool_shares_count_for_floating() -> None:
    """R-CH-065 (10.5)"""
    game = Position().start("PRR", 80, a=20, b=10, market=20).game()
    purchase(game, "a", "PRR", "market")
    assert not company(game, "PRR").floated
    purchase(game, "b", "PRR")
    assert company(game, "PRR").floated


def test_home_token_waits_for_first_turn() -> None:
    """R-CH-066 (10.5, 11.4)"""
    game = Position().start("PRR", 80, a=50).game()
    passes(game, "a")
    purchase(game, "b", "PRR")
    assert company(game, "PRR").floated
    assert game.table.map.tokens_of("PRR") == []
    passes(game, "c", "a", "b")
    assert round_name(game) == "OR 2.1"
    assert game.table.map.tokens_of("PRR") == [("F2", 0)]
    assert (company(game, "PRR").tokens, company(game, "PRR").cash) == ([40, 60, 80], 800)


def test_unfloated_company_does_not_operate() -> None:
    """R-CH-065, R-CH-081 (10.5, 11)"""
    game = Position().start("PRR", 80, a=50).start("LV", 70, b=60).game()
    passes(game, "a", "b", "c")
    assert game.table.turn.company == "LV"


def end_of_round(position: Position) -> Game:
    game = position.game()
    passes(game, "a", "b", "c")
    return game


@pytest.mark.parametrize(
    ("cell", "held", "after"),
    [
        (None, {"a": 60, "b": 40}, 100),
        (None, {"a": 60, "b": 30, "market": 10}, 95),
        (None, {"a": 60, "b": 30}, 95),
        ((1, 6), {"a": 60, "b": 40}, 125),
    ],
    ids=["sold out", "pool", "offering", "top row"],
)
def test_sold_out_company_rises(cell: tuple[int, int] | None, held: dict[str, Any], after: int) -> None:
    """R-CH-068 (10.6), worked example 9: 95 on the par cell rises to 100; in the top row it stays."""
    assert price(end_of_round(Position().start("PRR", 95, at=cell, **held)), "PRR") == after


def test_sold_out_companies_keep_their_order() -> None:
    """R-CH-068 (10.6): and go below others."""
    position = Position().start("C&O", 95, at=(2, 5), a=20).start("PRR", 95, a=60, b=40)
    game = end_of_round(position.start("LV", 95, b=60, a=40))
    assert game.table.state.in_cell((1, 4)) == ["C&O", "PRR", "LV"]
