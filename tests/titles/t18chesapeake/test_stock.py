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
    refused,
    round_name,
    tell,
    values,
)


def price(game: Game, name: str) -> int:
    """Present share price."""
    return game.table.price(company(game, name))


# --- turns -------------------------------------------------------------------------------------------------------


def test_a_turn_is_any_number_of_sales_then_one_purchase() -> None:
    """R-CH-040 (10): a purchase ends the turn, so nothing can be sold after it."""
    game = Position().start("PRR", 80, a=40, b=20).start("LV", 95, a=40, b=20).game()
    do(game, "sell_shares", "a", company="PRR", shares=1)
    do(game, "sell_shares", "a", company="LV", shares=1)
    assert on_turn(game) == "a"
    do(game, "par", "a", company="SRR", price=70)
    assert on_turn(game) == "b"
    assert "not your turn" in refused(game, "", "sell_shares", "a", company="PRR", shares=1)


def test_the_round_ends_when_all_pass_in_a_row() -> None:
    """R-CH-041 (10): who bought gets another turn."""
    game = Position().start("PRR", 80, a=40, b=20).game()
    passes(game, "a", "b")
    do(game, "buy_share", "c", company="PRR", source="offering")
    passes(game, "a", "b")
    assert round_name(game) == "SR 2"
    passes(game, "c")
    assert round_name(game) == "OR 2.1"


def test_a_player_who_can_do_nothing_is_passed_over() -> None:
    """R-CH-041 (10): their pass counts."""
    game = Position().start("PRR", 80, a=40, b=20).cash(c=50).game()
    passes(game, "a", "b")
    assert round_name(game) == "OR 2.1"


def test_a_player_who_sold_and_can_do_nothing_more_has_acted() -> None:
    """R-CH-041, R-CH-042 (10, 10.6)"""
    game = Position().start("PRR", 80, a=60).start("LV", 95, c=20, a=10).cash(a=0, b=0, c=0).stock("a").game()
    do(game, "sell_shares", "a", company="LV", shares=1)
    assert on_turn(game) == "a"
    passes(game, "a")
    assert game.table.state.round.kind == "stock"
    passes(game, *(on_turn(game) for _ in range(1)))
    assert game.table.state.priority == 1


def test_priority_goes_left_of_the_last_who_bought_or_sold() -> None:
    """R-CH-042 (10.6)"""
    game = Position(4).start("PRR", 80, a=40, b=20).game()
    passes(game, "a")
    do(game, "buy_share", "b", company="PRR", source="offering")
    passes(game, "c", "d", "a", "b")
    assert game.table.state.priority == 2
    assert game.table.state.round.kind == "operating"


def test_priority_stays_when_nobody_bought_or_sold() -> None:
    """R-CH-042 (10.6)"""
    game = Position(4).start("PRR", 80, a=40, b=20).stock("c").game()
    passes(game, "c", "d", "a", "b")
    assert game.table.state.priority == 2


# --- buying ------------------------------------------------------------------------------------------------------


def test_starting_a_company_costs_twice_the_par_price() -> None:
    """R-CH-045 (10.4)"""
    game = Position().start("PRR", 80, b=20).cash(a=165).game()
    assert values(game, "par", "a", "price", company="LV") == [70, 80]
    assert "cost $190" in refused(game, "10.4", "par", "a", company="LV", price=95)
    for wrong in (75, 0, -80):
        assert "$70, $80, $95" in refused(game, "10.4", "par", "a", company="LV", price=wrong)
    refused(game, "10.4", "par", "a", company="PRR", price=80)
    refused(game, "", "par", "a", company="B&OR", price=80)
    do(game, "par", "a", company="LV", price=80)
    assert cash(game)["a"] == 5
    assert company(game, "LV").president == "a"
    cell = company(game, "LV").cell
    assert cell is not None
    assert game.table.state.in_cell(cell) == ["PRR", "LV"]


def test_the_menu_of_a_start_names_home_charter_certificate_and_treasury() -> None:
    """R-CH-045 (10.4), R-CH-065 (10.5): what tells companies and par prices apart; a sentence lists them short."""
    game = Position().start("PRR", 80, b=20).game()
    companies, prices = domain(game, "par", "a", "company"), domain(game, "par", "a", "price", company="LV")
    assert "LV Lehigh Valley Railroad: home J2 (Allentown), tokens $0, $40" in labels(game, companies)
    assert "par $80: 20% for $160, treasury $800 when 60% is sold" in labels(game, prices)
    allowed = prices.allowed()
    assert allowed is not None
    assert tell(game).say(allowed) == "par $70: 20% for $140, par $80: 20% for $160, par $95: 20% for $190"


def test_a_share_costs_par_in_the_offering_and_the_present_price_in_the_pool() -> None:
    """R-CH-046 (10.4): the bank is paid and the price does not move."""
    game = Position().start("PRR", 80, at=(1, 4), b=30, market=20).game()
    bank = game.table.state.bank
    assert values(game, "buy_share", "a", "source", company="PRR") == ["offering", "market"]
    do(game, "buy_share", "a", company="PRR", source="market")
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert cash(game) == {"a": 700, "b": 720, "c": 800}
    assert game.table.state.bank == bank + 180 - 800  # the second share floats it
    assert price(game, "PRR") == 100


def test_no_share_is_bought_before_the_presidents_certificate() -> None:
    """R-CH-046 (10.4)"""
    game = Position().start("PRR", 80, b=30).game()
    assert "president's certificate comes first" in refused(
        game, "10.4", "buy_share", "a", company="LV", source="offering"
    )
    refused(game, "10.4", "buy_share", "a", company="PRR", source="market")
    refused(game, "10.4", "buy_share", "a", company="PRR", source="b")
    refused(game, "", "buy_share", "a", company="XYZ", source="market")


def test_no_share_of_a_company_sold_in_the_same_round_is_bought() -> None:
    """R-CH-047 (10.4): the next round it is possible again."""
    game = Position().start("PRR", 80, b=30, a=20).game()
    do(game, "sell_shares", "a", company="PRR", shares=1)
    refused(game, "10.4", "buy_share", "a", company="PRR", source="offering")
    passes(game, "a", "b", "c")
    refused(game, "10.4", "buy_share", "a", company="PRR", source="market")
    passes(game, "a")
    assert round_name(game) == "SR 3"
    do(game, "buy_share", "b", company="PRR", source="market")
    passes(game, "c")
    do(game, "buy_share", "a", company="PRR", source="offering")


def test_nobody_holds_more_than_sixty_percent() -> None:
    """R-CH-047, R-CH-058 (10.1, 10.4)"""
    game = Position().start("PRR", 80, a=60).game()
    assert "60%" in refused(game, "10.1", "buy_share", "a", company="PRR", source="offering")
    passes(game, "a")
    do(game, "buy_share", "b", company="PRR", source="offering")


def at_the_limit(*, player: str = "a", extra: int = 0) -> Position:
    """Six players; one holds eleven certificates (and some more), none of them of the PRR."""
    position = Position(6).start("PRR", 80, b=20).start("LV", 95, at=(1, 8), **{player: 60})
    position.start("SRR", 80, at=(1, 7), **{player: 60})
    return position.owns(player, "D&R").start(
        "C&O", 70, at=None, b=20, **{player: 10 * extra} if extra else {}
    )


def test_at_the_certificate_limit_nothing_is_bought() -> None:
    """R-CH-048, R-CH-056 (10.1): privates count, the president's certificate as one."""
    game = at_the_limit().game()
    assert holdings.certificates(game.table, "a") == 11
    refused(game, "10.1", "buy_share", "a", company="PRR", source="offering")
    refused(game, "10.1", "par", "a", company="N&W", price=70)
    passes(game, "a")


def test_at_the_certificate_limit_not_even_a_presidency_is_bought() -> None:
    """R-CH-048 (10.1)"""
    game = at_the_limit(extra=0).start("N&W", 70, b=20, c=20).game()
    passes(game, "a", "b")
    do(game, "buy_share", "c", company="N&W", source="offering")
    assert company(game, "N&W").president == "c"
    crowded = Position(6).start("LV", 95, at=(1, 8), a=60).start("SRR", 80, at=(1, 7), a=40).owns("a", "D&R")
    crowded.start("N&W", 70, b=20, a=20)
    game = crowded.game()
    assert holdings.certificates(game.table, "a") == 11
    refused(game, "10.1", "buy_share", "a", company="N&W", source="offering")


@pytest.mark.parametrize("profile", ["rulebook", "18xx.games"])
def test_shares_in_the_yellow_zone_are_bought_at_the_limit(profile: str) -> None:
    """R-CH-056 (10.1), D-CH-12: they do not count, in both profiles."""
    position = Position(6, profile=profile).start("LV", 95, at=(1, 8), a=60).start("SRR", 80, at=(1, 7), a=60)
    game = position.owns("a", "D&R").start("N&W", 70, at=(6, 1), b=20).game()
    assert holdings.certificates(game.table, "a") == 11
    do(game, "buy_share", "a", company="N&W", source="offering")
    assert holdings.certificates(game.table, "a") == 11


def test_a_share_without_a_price_counts() -> None:
    """R-CH-056 (10.1): the share that came with a private."""
    game = Position().share_of("B&O", "a").owns("a", "B&OR").game()
    assert holdings.certificates(game.table, "a") == 2


# --- the limit exceeded --------------------------------------------------------------------------------------------


def over_the_limit() -> Position:
    """Six players; one holds twelve certificates, two of the C&O, which stands just above the yellow zone."""
    position = Position(6).start("LV", 95, at=(1, 8), a=60).start("SRR", 80, at=(1, 7), a=50, c=10)
    return position.owns("a", "D&R").start("C&O", 70, at=(5, 1), b=30, a=20)


def test_a_player_above_the_certificate_limit_must_sell_first() -> None:
    """R-CH-057 (10.1)"""
    game = over_the_limit().game()
    assert holdings.certificates(game.table, "a") == 12
    assert kinds(game) == ["sell_shares"]
    refused(game, "10.1", "pass", "a")
    refused(game, "10.1", "par", "a", company="N&W", price=70)
    refused(game, "10.1", "buy_share", "a", company="C&O", source="offering")
    do(game, "sell_shares", "a", company="SRR", shares=1)
    assert {"sell_shares", "pass"} <= set(kinds(game))
    passes(game, "a")


def test_selling_into_the_yellow_zone_cures_the_excess() -> None:
    """R-CH-057 (10.1): one sale takes two certificates out of the count."""
    game = over_the_limit().game()
    do(game, "sell_shares", "a", company="C&O", shares=1)
    assert price(game, "C&O") == 55
    assert holdings.certificates(game.table, "a") == 10
    do(game, "par", "a", company="N&W", price=70)


def test_who_is_above_the_limit_and_can_sell_nothing_plays_on() -> None:
    """R-CH-057 (10.1): but they buy nothing that counts."""
    position = Position(6).start("LV", 95, a=60, market=40).start("SRR", 80, a=60, market=40).owns("a", "D&R")
    position.start("PRR", 80, at=(1, 5), a=20).start("C&O", 70, at=(6, 1), b=20)
    for name in ("LV", "SRR"):
        position.state.companies[name].shares.update({"market": 50, "a": 30 if name == "LV" else 40})
        position.state.companies[name].shares.pop("offering", None)
    game = position.owns("a", "C-P", "B&S", "C&OC", "B&OR").game()
    assert holdings.certificates(game.table, "a") > 11
    assert "sell_shares" not in kinds(game)
    refused(game, "10.1", "buy_share", "a", company="PRR", source="offering")
    do(game, "buy_share", "a", company="C&O", source="offering")


def test_who_is_above_the_limit_and_can_sell_only_what_does_not_count_may_pass() -> None:
    """R-CH-057, R-CH-056 (10.1): yellow shares are sold or kept as the player likes."""
    position = Position(6).start("LV", 95, a=50, market=50).start("SRR", 80, a=50, market=50)
    game = position.start("C&O", 70, at=(6, 1), b=20, a=20).owns("a", "D&R", "C-P", "B&S", "C&OC").game()
    assert holdings.certificates(game.table, "a") == 12
    assert values(game, "sell_shares", "a", "company") == ["C&O"]
    assert {"sell_shares", "buy_share", "pass"} <= set(kinds(game))
    passes(game, "a")
    assert on_turn(game) == "b"


def test_a_sale_that_would_not_lower_the_number_of_certificates_is_not_demanded() -> None:
    """R-CH-057 (10.1, 10.3): half of a president's certificate leaves a share in its place."""
    position = Position(6).start("LV", 95, a=50, market=50).start("SRR", 80, a=50, market=50)
    position.owns("a", "D&R", "C-P", "B&S")

    def above(market: int) -> Game:
        position.start("N&W", 80, a=20, b=20, market=market)
        return position.game()

    game = above(40)
    assert holdings.certificates(game.table, "a") == 12
    assert values(game, "sell_shares", "a", "shares", company="N&W") == [1]
    assert "pass" in kinds(game)
    game = above(30)
    assert values(game, "sell_shares", "a", "shares", company="N&W") == [1, 2]
    assert kinds(game) == ["sell_shares"]


# --- true words --------------------------------------------------------------------------------------------------


def test_a_start_without_the_money_is_refused_with_what_it_costs() -> None:
    """R-CH-045 (10.4): whether a company was named or not."""
    game = Position().start("PRR", 80, b=30).cash(a=100).game()
    for given in ({"company": "LV"}, {"company": "LV", "price": 0}):
        assert "20% of LV cost at least $140; Ann has $100 (10.4)." in why_not(game, "par", **given)
    assert "To start a company costs at least $140; Ann has $100 (10.4)." in why_not(game, "par")
    assert "Allowed: ." not in why_not(game, "par")


def test_a_request_without_values_is_refused_with_the_rule_and_not_that_there_is_no_company() -> None:
    """R-CH-047, R-CH-048 (10.1, 10.4): `/buy LV` at 60 %, `/buy` at the limit of certificates or without money."""
    game = Position().start("LV", 95, a=60).game()
    assert "may not hold more than 60% of LV (10.1)." in why_not(game, "buy_share", company="LV")
    assert "may not hold more than 60% of LV (10.1)." in why_not(game, "buy_share")
    assert "at the certificate limit of 11 (10.1)." in why_not(at_the_limit().game(), "buy_share")
    assert "at the certificate limit of 11 (10.1)." in why_not(at_the_limit().game(), "par")
    poor = Position().start("LV", 95, b=60).start("PRR", 80, b=60, a=10).cash(a=10).game()
    assert "There is no share that Ann may buy with $10 (10.4)." in why_not(poor, "buy_share")
    nothing = Position().cash(a=800).game()
    assert "No company has been started" in why_not(nothing, "buy_share")
    assert "Ann holds nothing that may be sold (10.2)." in why_not(nothing, "sell_shares")
    assert "Ann holds no shares of LV (10.2)." in why_not(nothing, "sell_shares", company="LV")
    assert "Players do not sell each other privates (10)." in why_not(nothing, "buy_private", private="CV")


@pytest.mark.parametrize("cash", [0, 1, 70, 159, 800])
def test_every_value_on_a_menu_leads_to_another_menu(cash: int) -> None:
    """Whatever is picked, the next slot has legal values: no menu is empty."""
    position = Position().start("LV", 95, a=50, b=20, market=20).start("PRR", 80, b=60, a=10)
    game = position.share_of("B&O", "a").owns("a", "D&R").cash(a=cash).game()
    for offer in game.offers("a"):
        for picked in Cursor(offer).domain.choices() if offer.slots else ():
            following = Cursor(offer).pick(picked.value)
            assert following.slot is None or following.domain
            assert following.slot is None or following.domain.allowed() is not None


def why_not(game: Game, kind: str, **given: Any) -> str:
    """What stops a request of the player on turn."""
    problem = game.obstacle(Request(kind, on_turn(game), None, given))
    assert problem is not None
    return tell(game).refusal(problem)


# --- selling -----------------------------------------------------------------------------------------------------


def test_nothing_is_sold_in_the_first_stock_round() -> None:
    """R-CH-050 (10.2)"""
    game = Position().start("PRR", 80, a=40, b=20).stock("a", number=1).game()
    refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)
    game = Position().start("PRR", 80, a=40, b=20).stock("a", number=2).game()
    do(game, "sell_shares", "a", company="PRR", shares=1)


def test_the_pool_holds_at_most_half_of_a_company() -> None:
    """R-CH-051 (10.2)"""
    game = Position().start("PRR", 80, b=30, a=30, market=30).game()
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1, 2]
    assert "50%" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=3)
    do(game, "sell_shares", "a", company="PRR", shares=2)
    refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)


@pytest.mark.parametrize("count", [0, -1, 4, 1000])
def test_one_sells_what_one_has(count: int) -> None:
    """R-CH-051 (10.2): the sentence tells what is wrong with the number."""
    game = Position().start("PRR", 80, b=30, a=30).game()
    sentence = refused(game, "", "sell_shares", "a", company="PRR", shares=count)
    assert f"Ann holds 3 shares of PRR; {count} cannot be sold" in sentence


def test_privates_and_shares_without_a_price_cannot_be_sold() -> None:
    """R-CH-051 (10.2)"""
    game = Position().start("PRR", 80, b=30, a=30).owns("a", "D&R").share_of("B&O", "a").game()
    assert values(game, "sell_shares", "a", "company") == ["PRR"]
    assert "no price" in refused(game, "10.2", "sell_shares", "a", company="B&O", shares=1)
    refused(game, "", "sell_shares", "a", company="D&R", shares=1)
    refused(game, "", "sell_shares", "a", company="LV", shares=1)


def test_a_block_is_paid_at_the_price_before_the_sale() -> None:
    """R-CH-052 (10.2), worked example 8."""
    game = Position().start("PRR", 80, at=(1, 4), b=30, a=30).game()
    do(game, "sell_shares", "a", company="PRR", shares=3)
    assert (cash(game)["a"], price(game, "PRR")) == (1100, 80)


def test_single_sales_are_paid_at_the_falling_price() -> None:
    """R-CH-052 (10.2), worked example 8."""
    game = Position().start("PRR", 80, at=(1, 4), b=30, a=30).game()
    for _ in range(3):
        do(game, "sell_shares", "a", company="PRR", shares=1)
    assert (cash(game)["a"], price(game, "PRR")) == (800 + 100 + 90 + 85, 80)


def test_on_the_ledge_a_sale_leaves_the_price() -> None:
    """R-CH-052 (10.2), worked example 8."""
    game = Position().start("PRR", 80, at=(7, 4), b=30, a=30).game()
    assert price(game, "PRR") == 65
    do(game, "sell_shares", "a", company="PRR", shares=2)
    assert (cash(game)["a"], price(game, "PRR")) == (930, 65)


def test_a_marker_that_enters_a_cell_goes_to_the_bottom_and_one_that_stays_keeps_its_place() -> None:
    """R-CH-053 (10.2)"""
    position = Position().start("PRR", 80, at=(7, 4), b=30, a=30).start("LV", 95, at=(7, 4), b=30)
    game = position.start("SRR", 80, at=(6, 4), b=30, a=20).game()
    do(game, "sell_shares", "a", company="SRR", shares=1)
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert game.table.state.in_cell((6, 3)) == ["PRR", "LV", "SRR"]


def test_the_seller_of_several_companies_chooses_the_order() -> None:
    """R-CH-054 (10.2): and so the order in the cell they fall into."""
    position = Position().start("PRR", 80, at=(1, 4), b=30, a=30)
    game = position.start("LV", 95, at=(1, 4), b=30, a=30).game()
    do(game, "sell_shares", "a", company="LV", shares=1)
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert game.table.state.in_cell((1, 3)) == ["LV", "PRR"]


# --- presidency --------------------------------------------------------------------------------------------------


def test_a_purchase_moves_the_presidency_only_beyond_a_tie() -> None:
    """R-CH-060 (10.3, 10.4)"""
    game = Position().start("PRR", 80, a=20, b=10).stock("b").game()
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert company(game, "PRR").president == "a"
    passes(game, "c", "a")
    do(game, "buy_share", "b", company="PRR", source="offering")
    prr = company(game, "PRR")
    assert prr.president == "b"
    assert (prr.percent("a"), prr.percent("b")) == (20, 30)
    assert (prr.shares["a"], prr.shares["b"]) == (20, 10)


def test_a_sale_moves_the_presidency_to_the_largest_holder() -> None:
    """R-CH-060, R-CH-062 (10.3): the swap comes before the rest of the sale."""
    game = Position().start("PRR", 80, a=40, b=20, c=30).game()
    do(game, "sell_shares", "a", company="PRR", shares=3)
    prr = company(game, "PRR")
    assert prr.president == "c"
    assert {player: prr.percent(player) for player in "abc"} == {"a": 10, "b": 20, "c": 30}
    assert prr.percent("market") == 30


def test_of_equal_holders_the_nearest_on_the_left_becomes_president() -> None:
    """R-CH-060, R-CH-062 (10.3), worked example 10."""
    game = Position().start("PRR", 80, a=30, b=20, c=20).game()
    do(game, "sell_shares", "a", company="PRR", shares=2)
    prr = company(game, "PRR")
    assert (prr.president, prr.percent("a"), prr.percent("market")) == ("b", 10, 20)
    assert cash(game)["a"] == 960
    assert price(game, "PRR") == 70
    game = Position().start("PRR", 80, b=30, a=20, c=20).stock("b").game()
    do(game, "sell_shares", "b", company="PRR", shares=2)
    assert company(game, "PRR").president == "c"


def test_a_president_sells_their_certificate_only_to_a_holder_of_twenty_percent() -> None:
    """R-CH-061 (10.3), worked example 10."""
    game = Position().start("PRR", 80, a=30, b=10, c=10).game()
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1]
    assert "take the presidency" in refused(game, "10.3", "sell_shares", "a", company="PRR", shares=2)
    game = Position().start("PRR", 80, a=30, b=20, c=10).game()
    assert values(game, "sell_shares", "a", "shares", company="PRR") == [1, 2, 3]


def test_ten_percent_never_make_a_president() -> None:
    """R-CH-061 (10.3): not even against a president with nothing but their certificate."""
    game = Position().start("PRR", 80, a=20, b=10).game()
    assert not offered(game, "sell_shares")
    refused(game, "10.3", "sell_shares", "a", company="PRR", shares=1)


# --- floating ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("par", "capital"), [(70, 700), (80, 800), (95, 950)])
def test_a_company_floats_when_sixty_percent_have_left_the_offering(par: int, capital: int) -> None:
    """R-CH-065 (10.5), worked example 7: the private's share counts."""
    game = Position().share_of("B&O", "b").stock("a").game()
    do(game, "par", "a", company="B&O", price=par)
    for player in "bca":
        assert not company(game, "B&O").floated
        do(game, "buy_share", player, company="B&O", source="offering")
    assert company(game, "B&O").floated
    assert company(game, "B&O").cash == capital


def test_shares_in_the_pool_count_for_floating() -> None:
    """R-CH-065 (10.5)"""
    game = Position().start("PRR", 80, a=20, b=10, market=20).game()
    do(game, "buy_share", "a", company="PRR", source="market")
    assert not company(game, "PRR").floated
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert company(game, "PRR").floated


def test_the_home_station_waits_for_the_first_operating_turn() -> None:
    """R-CH-066 (10.5, 11.4)"""
    game = Position().start("PRR", 80, a=50).game()
    passes(game, "a")
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert company(game, "PRR").floated
    assert game.table.map.tokens_of("PRR") == []
    passes(game, "c", "a", "b")
    assert round_name(game) == "OR 2.1"
    assert game.table.map.tokens_of("PRR") == [("F2", 0)]
    assert company(game, "PRR").tokens == [40, 60, 80]
    assert company(game, "PRR").cash == 800


def test_a_company_that_has_not_floated_does_not_operate() -> None:
    """R-CH-065, R-CH-081 (10.5, 11)"""
    game = Position().start("PRR", 80, a=50).start("LV", 70, b=60).game()
    passes(game, "a", "b", "c")
    assert game.table.turn.company == "LV"


# --- the end of the round ----------------------------------------------------------------------------------------


def end_of_round(position: Position) -> Game:
    """All pass."""
    game = position.game()
    passes(game, "a", "b", "c")
    return game


def test_a_company_all_in_players_hands_rises_one_row() -> None:
    """R-CH-068 (10.6), worked example 9: 95 on the par cell rises to 100."""
    game = end_of_round(Position().start("PRR", 95, a=60, b=40).start("LV", 95, a=60, b=30, market=10))
    assert (price(game, "PRR"), price(game, "LV")) == (100, 95)


def test_in_the_top_row_a_sold_out_company_stays() -> None:
    """R-CH-068 (10.6), worked example 9."""
    game = end_of_round(Position().start("PRR", 95, at=(1, 6), a=60, b=40))
    assert price(game, "PRR") == 125


def test_a_share_in_the_offering_keeps_the_price() -> None:
    """R-CH-068 (10.6)"""
    assert price(end_of_round(Position().start("PRR", 95, a=60, b=30)), "PRR") == 95


def test_sold_out_companies_keep_their_order_and_go_below_others() -> None:
    """R-CH-068 (10.6)"""
    position = Position().start("C&O", 95, at=(2, 5), a=20).start("PRR", 95, a=60, b=40)
    game = end_of_round(position.start("LV", 95, b=60, a=40))
    assert game.table.state.in_cell((1, 4)) == ["C&O", "PRR", "LV"]
