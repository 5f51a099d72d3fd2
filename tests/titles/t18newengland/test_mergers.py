"""Merger rounds of 18NewEngland (12)."""

import pytest

from engine.core.events import Formed
from engine.core.ids import BANK, OFFERING
from engine.core.offers import Cursor
from engine.core.state import Ending, Merger
from engine.game import Game
from engine.play.end_and_scores import trigger
from engine.play.shares import holdings
from engine.tell.narrate import sentences
from tests.titles.builders import (
    cash,
    company,
    do,
    domain,
    find,
    kinds,
    label,
    labels,
    offered,
    on_turn,
    refused,
    round_name,
    values,
)
from tests.titles.t18newengland.newengland import NewEngland

MAJORS = ["B&A", "B&M", "CN", "CVT", "D&H", "NYC", "NYNHH", "P&W"]


def two_minors(first: int, second: int) -> NewEngland:
    """HRR and AWS of one player, both in Albany, nothing else."""
    position = NewEngland().minor("HRR", first, "a", "2").minor("AWS", second, "a", "2", space=1)
    return position.merging()


def linked() -> NewEngland:
    """WNR and FRR, connected by a town between them."""
    position = NewEngland().minor("WNR", 70, "a", "2", "3", treasury=30)
    return position.minor("FRR", 50, "a", "2", treasury=15).tile("J5", "58", 1).merging()


# --- converting --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "paid"), [(80, 40), (70, 60), (100, 0)])
def test_converting_costs_what_two_shares_at_100_lack(value: int, paid: int) -> None:
    """Example 7 (R-NE-121)."""
    game = NewEngland().cash(a=100).minor("NYW", value, "a", "2", treasury=25).merging().game()
    events = do(game, "convert", "NYW", major="B&A")
    formed = company(game, "B&A")
    assert isinstance(events[0], Formed)
    assert cash(game)["a"] == 100 - paid
    assert (formed.par, game.table.price(formed), formed.percent("a")) == (100, 100, 20)
    assert formed.cash == 25 + paid


def test_without_the_cash_a_minor_is_not_converted() -> None:
    """Example 7: $39 do not pay the $40 for NYW (R-NE-121)."""
    game = NewEngland().cash(a=39, b=300).minor("NYW", 80, "a").minor("PE", 50, "b").merging().game()
    assert on_turn(game) == "b"  # who can do nothing is passed over
    assert game.table.state.round == Merger(set=2, number=1, of=2, done=["NYW"])


def test_a_conversion_is_refused_with_the_reason() -> None:
    """It lacks a dollar (R-NE-121)."""
    position = NewEngland().cash(a=39).minor("HRR", 80, "a").minor("AWS", 50, "a").merging()
    why = refused(position.game(), "12", "convert", "HRR", major="B&A")
    assert "To convert HRR costs $40; Ann has $39" in why


# --- merging -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "par"),
    [
        *((50, 90, 130), (55, 50, 100), (50, 65, 110), (60, 65, 120)),
        *((70, 80, 145), (70, 100, 160), (90, 100, 180), (100, 100, 200)),
    ],
)
def test_par_is_the_sum_of_both_values_rounded_down(first: int, second: int, par: int) -> None:
    """Example 8 (R-NE-122)."""
    game = two_minors(first, second).game()
    before = cash(game)
    later, earlier = ("HRR", "AWS") if first < second else ("AWS", "HRR")
    do(game, "merge", earlier, partner=later, major="CN")
    assert company(game, "CN").par == par
    assert game.table.price(company(game, "CN")) == par
    assert cash(game) == before  # no money moves


def test_minors_decide_in_operating_order_and_any_later_or_earlier_one_may_be_taken() -> None:
    """By value, the upper space first; one that has passed may still be merged (R-NE-120, R-NE-122)."""
    game = linked().minor("PE", 70, "a", "2", space=1).cash(a=60).game()
    passed = [find(game, "pass").entity]
    do(game, "pass", "WNR")
    passed.append(find(game, "pass").entity)
    do(game, "pass", "PE")
    assert passed == ["WNR", "PE"]
    assert values(game, "merge", "FRR", "partner") == ["WNR"]


def test_partners_are_connected_or_at_home_in_one_hex() -> None:
    """And belong to the same president (R-NE-122)."""
    position = linked().minor("PE", 55, "a").minor("HRR", 60, "b")
    game = position.game()
    assert values(game, "merge", "WNR", "partner") == ["FRR"]
    why = refused(game, "12", "merge", "WNR", partner="PE", major="CN")
    assert "no route connects them" in why
    assert "does not belong to Ann" in refused(game, "12", "merge", "WNR", partner="HRR", major="CN")
    assert "cannot merge with WNR" in refused(game, "12", "merge", "WNR", partner="WNR", major="CN")


def test_a_route_to_the_partner_obeys_all_rules_of_routes() -> None:
    """Two unconnected cities of one hex are never on one route (point 1, R-NE-085a, R-NE-086)."""
    game = NewEngland().minor("NYNH", 70, "a").minor("HNH", 65, "b").minor("PE", 50, "a").merging().game()
    assert not offered(game, "merge")


def test_any_major_that_is_not_started_may_be_chosen() -> None:
    """R-NE-123."""
    game = two_minors(50, 60).major("CN", 100, b=20).game()
    free = [name for name in MAJORS if name != "CN"]
    assert values(game, "merge", "AWS", "major", partner="HRR") == free
    assert values(game, "convert", "AWS", "major") == free
    assert "CN has been started already" in refused(game, "12", "convert", "AWS", major="CN")
    assert "not one of the companies" in refused(game, "12", "convert", "AWS", major="PE")


def test_without_a_major_left_nobody_is_asked() -> None:
    """There is no merger round then (R-NE-120, point 3)."""
    position = two_minors(50, 60)
    for name in MAJORS:
        position.major(name, 100, b=20)
    assert position.game().table.state.round.kind == "operating"


def test_the_site_asks_every_minor() -> None:
    """Point 3 (R-NE-120): its profile, reading a log."""
    position = NewEngland(profile="18xx.games", from_log=99).cash(a=0).minor("NYW", 80, "a").merging()
    for name in MAJORS:
        position.major(name, 100, b=20)
    assert kinds(position.game()) == ["pass"]


def test_the_marker_goes_to_the_bottom_of_the_stack() -> None:
    """And the shares left are offering shares (R-NE-123)."""
    game = two_minors(50, 60).major("CN", 110, b=20).game()
    do(game, "merge", "AWS", partner="HRR", major="B&A")
    formed = company(game, "B&A")
    assert formed.cell is not None
    assert game.table.state.in_cell(formed.cell) == ["CN", "B&A"]
    assert formed.percent("offering") == 80


def test_treasuries_and_trains_go_to_the_major() -> None:
    """R-NE-124."""
    game = linked().game()
    do(game, "merge", "WNR", partner="FRR", major="CN")
    formed = company(game, "CN")
    assert (formed.cash, sorted(formed.trains)) == (45, ["2", "2", "3"])
    assert game.table.map.tokens_of("CN") == [("I6", 0), ("J3", 0)]


# --- stations ----------------------------------------------------------------------------------------------------


def test_merged_from_two_hexes_both_stations_stay() -> None:
    """Example 9: only the $80 one is left (R-NE-124)."""
    game = linked().game()
    do(game, "merge", "WNR", partner="FRR", major="CN")
    assert company(game, "CN").tokens == [80]
    assert not offered(game, "return_token")


def test_converted_the_station_stays() -> None:
    """Example 9: $40 and $80 are left (R-NE-124)."""
    game = linked().cash(a=400).game()
    do(game, "convert", "WNR", major="CN")
    assert game.table.map.tokens_of("CN") == [("I6", 0)]
    assert company(game, "CN").tokens == [40, 80]


@pytest.mark.parametrize(("kept", "returned"), [(0, 1), (1, 0)])
def test_merged_in_one_hex_one_station_goes_back(kept: int, returned: int) -> None:
    """Example 9: the president chooses which; it lies at $40 then (R-NE-124)."""
    game = two_minors(50, 60).game()
    do(game, "merge", "AWS", partner="HRR", major="CN")
    assert kinds(game) == ["return_token"]
    do(game, "return_token", "CN", hex="B3", city=returned)
    assert game.table.map.tokens_of("CN") == [("B3", kept)]
    assert company(game, "CN").tokens == [40, 80]


def test_a_station_is_returned_where_two_are() -> None:
    """From one of the two cities, before shares are bought (R-NE-124)."""
    game = two_minors(50, 60).cash(a=400).game()
    do(game, "merge", "AWS", partner="HRR", major="CN")
    assert "has no token in city 3" in refused(game, "12", "return_token", "CN", hex="B3", city=2)
    assert "in B3, not in B11" in refused(game, "12", "return_token", "CN", hex="B11", city=0)
    assert "back first" in refused(game, "12", "buy_share", "a", company="CN", source="offering")


def test_in_one_city_there_is_nothing_to_choose() -> None:
    """Both lie in one city by now: one is returned automatically (point 3, R-NE-124)."""
    position = NewEngland().minor("BL", 50, "a", "2").minor("ER", 55, "a", "2").phase("5")
    game = _one_city(position).merging().game()
    do(game, "merge", "ER", partner="BL", major="CN")
    assert not offered(game, "return_token")
    assert game.table.map.slots("L5", 0).count("CN") == 1
    assert company(game, "CN").tokens == [40, 80]


def test_reservations_in_the_home_hexes_end() -> None:
    """The minor's slot is free for all then, wherever upgrades have put it (R-NE-126, R-NE-076, point 10)."""
    position = NewEngland().cash(a=400).minor("WNR", 70, "a", "2")
    position.state.companies["PE"].closed = False
    game = position.merging().game()
    assert "PE" in game.table.map.homes
    assert "WNR" not in game.table.map.homes  # it is used
    do(game, "convert", "WNR", major="CN")
    assert company(game, "WNR").closed
    assert game.table.map.slots("I6", 0) == ("CN",)


def test_the_space_of_a_minor_stays_blocked() -> None:
    """Its marker is flipped (R-NE-126, R-NE-005)."""
    game = linked().game()
    spaces = {company(game, name).cell for name in ("WNR", "FRR")}
    do(game, "merge", "WNR", partner="FRR", major="CN")
    assert set(game.table.state.flipped) == spaces


# --- shares bought at once -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("money", "shares"), [(400, 3), (520, 4), (900, 4)])
def test_the_president_buys_at_par_up_to_60_percent(money: int, shares: int) -> None:
    """Example 10: the money goes to the treasury (R-NE-125)."""
    game = two_minors(50, 90).cash(a=money).game()
    do(game, "merge", "AWS", partner="HRR", major="CN")
    do(game, "return_token", "CN", hex="B3", city=0)
    bought = 0
    while offered(game, "buy_share"):
        assert on_turn(game) == "a"
        do(game, "buy_share", "a", company="CN", source="offering")
        bought += 1
    assert bought == shares
    assert company(game, "CN").percent("a") == 20 + 10 * shares
    assert company(game, "CN").cash == 130 * shares
    assert cash(game)["a"] == money - 130 * shares


def test_the_price_does_not_move_with_it() -> None:
    """R-NE-125, R-NE-045."""
    game = linked().cash(a=400).game()
    do(game, "convert", "WNR", major="CN")
    do(game, "buy_share", "a", company="CN", source="offering")
    assert game.table.price(company(game, "CN")) == 100


def test_the_certificate_limit_applies() -> None:
    """Sixteen certificates with four players; the major is one of them (R-NE-125)."""
    position = NewEngland(4).cash(a=900).major("B&A", 100, b=20, a=60).major("B&M", 100, b=20, a=60)
    game = position.major("CVT", 100, b=20, a=20).minor("WNR", 70, "a", "2").merging().game()
    assert holdings.certificates(game.table, "a") == 15
    do(game, "convert", "WNR", major="CN")
    do(game, "buy_share", "a", company="CN", source="offering")
    assert not offered(game, "buy_share")


def test_only_that_company_is_sold() -> None:
    """From its offering (R-NE-125)."""
    game = linked().cash(a=900).major("B&A", 100, b=20, market=10).game()
    do(game, "convert", "WNR", major="CN")
    assert "Only shares of CN" in refused(game, "12", "buy_share", "a", company="B&A", source="market")
    assert "no share of CN in the market" in refused(
        game, "10.6", "buy_share", "a", company="CN", source="market"
    )
    assert "decides about more shares of CN first" in refused(
        game, "12", "merge", "FRR", partner="WNR", major="B&M"
    )


# --- the round -----------------------------------------------------------------------------------------------------


def after_the_round(number: int, phase: str = "3", ending: Ending | None = None) -> Game:
    """WNR can buy no train: its turn is over, and with it the operating round."""
    position = NewEngland().phase(phase).minor("WNR", 70, "a", "2").cash(a=400)
    position.operating("WNR", "trains", number=number, of=2)
    position.state.ending = ending
    return position.game()


@pytest.mark.parametrize("number", [1, 2])
def test_a_merger_round_follows_every_operating_round(number: int) -> None:
    """R-NE-120."""
    game = after_the_round(number)
    assert round_name(game) == f"MR 2.{number}"
    do(game, "pass", "WNR")
    assert round_name(game) == ("OR 2.2" if number == 1 else "SR 3")


def test_before_phase_3_there_is_none() -> None:
    """R-NE-120."""
    assert round_name(after_the_round(1, phase="2")) == "OR 2.2"


def test_the_bank_breaks_no_merger_round_but_the_last() -> None:
    """Point 13 (R-NE-130): after the first operating round there is one, after the last there is none."""
    assert round_name(after_the_round(1, ending=Ending("bank", BANK))) == "MR 2.1"
    assert after_the_round(2, ending=Ending("bank", BANK)).over


def test_at_500_there_is_no_merger_round() -> None:
    """Example 24 (R-NE-131)."""
    assert after_the_round(1, ending=Ending("price", "CN")).over


def test_a_new_major_operates_in_the_next_operating_round() -> None:
    """R-NE-127."""
    game = after_the_round(1)
    do(game, "convert", "WNR", major="CN")
    do(game, "pass", "a")
    assert round_name(game) == "OR 2.2"
    assert game.table.company.id == "CN"


def test_presidents_with_nothing_to_decide_are_not_asked() -> None:
    """Without cash and partner (R-NE-120)."""
    game = linked().minor("PE", 65, "b").cash(a=0, b=0).game()
    do(game, "pass", "WNR")
    assert find(game, "pass").entity == "FRR"
    do(game, "pass", "FRR")
    assert round_name(game) == "OR 2.2"


def test_another_minor_waits_for_its_turn() -> None:
    """It is said whose decision it is (R-NE-120)."""
    game = linked().game()
    for kind, chosen in (("merge", {"partner": "WNR", "major": "CN"}), ("convert", {"major": "CN"})):
        assert "WNR merges, converts or stays" in refused(game, "12", kind, "FRR", **chosen)
    do(game, "pass", "WNR")
    assert "FRR merges, converts or stays" in refused(game, "12", "convert", "WNR", major="CN")


def test_nothing_of_a_merger_is_paid_by_the_bank() -> None:
    """So it cannot break in a merger round, which no printed rule covers (D-NE-15)."""
    game = linked().cash(a=500).game()
    bank = game.table.state.bank
    do(game, "merge", "WNR", partner="FRR", major="CN")
    do(game, "buy_share", "a", company="CN", source=OFFERING)
    assert game.table.state.bank == bank
    do(game, "pass", "a")
    assert (game.table.state.bank, game.table.state.ending) == (bank, None)


@pytest.mark.parametrize("number", [1, 2])
def test_a_bank_that_breaks_in_a_merger_round(number: int) -> None:
    """The first of a set is followed by the second operating round, the second by a whole set (D-NE-15)."""
    game = linked().merging(number=number).game()
    trigger(game.table, Ending("bank", BANK))
    for minor in ("WNR", "FRR"):
        do(game, "pass", minor)
    assert (round_name(game), game.over) == ("OR 2.2" if number == 1 else "SR 3", False)


# --- what a table reads ---------------------------------------------------------------------------------------------


def test_an_offer_says_what_becomes_of_everything() -> None:
    """Pairs that are connected, par, treasury, trains and tokens."""
    game = linked().cash(a=400).game()
    merge, convert = find(game, "merge"), find(game, "convert")
    assert label(game, merge) == "Merge WNR with FRR: par $120 (70 + 50)"
    assert label(game, convert) == "Convert WNR: pay $60, par $100"
    assert labels(game, domain(game, "merge", "WNR", "major", partner="FRR"))[0] == (
        "B&A: treasury $45, trains 2 3 2, tokens left $80, placed I6, J3"
    )
    assert labels(game, Cursor(convert).domain)[0] == (
        "B&A: treasury $90, trains 2 3, tokens left $40, $80, placed I6"
    )


def test_an_offer_in_one_hex_says_that_a_token_goes_back() -> None:
    """With several partners each is named with its par (R-NE-122, R-NE-124)."""
    game = NewEngland().minor("NYNH", 70, "a").minor("HNH", 60, "a").minor("NLN", 50, "a").merging().game()
    assert label(game, find(game, "merge")) == "Merge NYNH"
    assert labels(game, domain(game, "merge", "NYNH", "partner")) == [
        "HNH: par $130 (70 + 60)",
        "NLN: par $120 (70 + 50)",
    ]
    assert (
        "tokens left $40, $80, one in F13 goes back"
        in labels(game, domain(game, "merge", "NYNH", "major", partner="NLN"))[0]
    )


def test_what_was_formed_has_a_line() -> None:
    """Each merger in a line."""
    game = linked().game()
    events = do(game, "merge", "WNR", partner="FRR", major="CN")
    assert sentences(events, game) == [
        "Ann merges WNR and FRR into CN at $120: treasury $45, trains 2 3 2, tokens in I6, J3.",
        "WNR closes.",
        "FRR closes.",
    ]


def _one_city(position: NewEngland) -> NewEngland:
    """Boston with both stations in one city."""
    board = position.t.map
    for rotation in range(6):
        for tile in [name for name, spec in position.t.spec.tiles.items() if spec.label == "B"]:
            try:
                board.lay("L5", tile, rotation)
            except ValueError:
                continue
            if len(board.topology("L5").stops) == 1:
                return position
    raise AssertionError("no tile makes one city of Boston")
