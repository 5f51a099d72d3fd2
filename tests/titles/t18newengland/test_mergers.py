"""Merger rounds of 18NewEngland (12)."""

import pytest

from engine.core.events import MajorFormed
from engine.core.ids import BANK, OFFERING
from engine.core.offers import OfferCursor
from engine.core.state import Ending, Merger
from engine.play.end_and_scores import trigger_end
from engine.play.shares import holdings
from engine.tell.narrate import sentences
from tests.titles.builders import TitleGame
from tests.titles.t18newengland.newengland import NewEngland

MAJORS = ["B&A", "B&M", "CN", "CVT", "D&H", "NYC", "NYNHH", "P&W"]


def two_minors(first: int, second: int) -> NewEngland:
    position = NewEngland().minor("HRR", first, "a", "2").minor("AWS", second, "a", "2", space=1)
    return position.merging()


def linked() -> NewEngland:
    position = NewEngland().minor("WNR", 70, "a", "2", "3", treasury=30)
    return position.minor("FRR", 50, "a", "2", treasury=15).tile("J5", "58", 1).merging()


@pytest.mark.parametrize(("value", "paid"), [(80, 40), (70, 60), (100, 0)])
def test_conversion_costs_what_two_shares_lack(value: int, paid: int) -> None:
    """Example 7 (R-NE-121)."""
    game = NewEngland().cash(a=100).minor("NYW", value, "a", "2", treasury=25).merging().game()
    events = game.do("convert", "NYW", major="B&A")
    formed = game.company("B&A")
    assert isinstance(events[0], MajorFormed)
    assert game.cash()["a"] == 100 - paid
    assert (formed.par, game.table.price(formed), formed.percent("a")) == (100, 100, 20)
    assert formed.cash == 25 + paid


def test_conversion_needs_cash() -> None:
    """Example 7: $39 do not pay the $40 for NYW, and who can do nothing is passed over (R-NE-120, R-NE-121)."""
    game = NewEngland().cash(a=39, b=300).minor("NYW", 80, "a").minor("PE", 50, "b").merging().game()
    assert game.on_turn() == "b"
    assert game.table.state.round == Merger(set=2, number=1, of=2, done=["NYW"])
    position = NewEngland().cash(a=39).minor("HRR", 80, "a").minor("AWS", 50, "a").merging()
    why = position.game().refused("12", "convert", "HRR", major="B&A")
    assert "Converting HRR costs $40; Ann has $39" in why


@pytest.mark.parametrize(
    ("first", "second", "par"),
    [
        *((50, 90, 130), (55, 50, 100), (50, 65, 110), (60, 65, 120)),
        *((70, 80, 145), (70, 100, 160), (90, 100, 180), (100, 100, 200)),
    ],
)
def test_par_is_the_sum_of_both_values(first: int, second: int, par: int) -> None:
    """Example 8 (R-NE-122)."""
    game = two_minors(first, second).game()
    before = game.cash()
    later, earlier = ("HRR", "AWS") if first < second else ("AWS", "HRR")
    game.do("merge", earlier, partner=later, major="CN")
    assert game.company("CN").par == par
    assert game.price("CN") == par
    assert game.cash() == before  # no money moves


def test_partners_and_majors_of_a_merger() -> None:
    """Minors are connected and of the same president; by value, the upper space first; one that has passed
    may still be merged. Two unconnected cities of one hex are never on one route. Any major not started may
    be chosen; there is no merger round without one, but in a log of that site every minor is asked (points 1,
    3, R-NE-085a, R-NE-086, R-NE-120, R-NE-122, R-NE-123)."""
    game = linked().minor("PE", 70, "a", "2", space=1).cash(a=60).game()
    passed = [game.find("pass").entity]
    game.do("pass", "WNR")
    passed.append(game.find("pass").entity)
    game.do("pass", "PE")
    assert passed == ["WNR", "PE"]
    assert game.values("merge", "FRR", "partner") == ["WNR"]
    position = linked().minor("PE", 55, "a").minor("HRR", 60, "b")
    game = position.game()
    assert game.values("merge", "WNR", "partner") == ["FRR"]
    why = game.refused("12", "merge", "WNR", partner="PE", major="CN")
    assert "no route connects them" in why
    assert "Ann does not own HRR" in game.refused("12", "merge", "WNR", partner="HRR", major="CN")
    assert "cannot merge with WNR" in game.refused("12", "merge", "WNR", partner="WNR", major="CN")
    game = NewEngland().minor("NYNH", 70, "a").minor("HNH", 65, "b").minor("PE", 50, "a").merging().game()
    assert not game.offered("merge")
    game = two_minors(50, 60).major("CN", 100, b=20).game()
    free = [name for name in MAJORS if name != "CN"]
    assert game.values("merge", "AWS", "major", partner="HRR") == free
    assert game.values("convert", "AWS", "major") == free
    assert "CN has already started" in game.refused("12", "convert", "AWS", major="CN")
    assert "A merger cannot form PE" in game.refused("12", "convert", "AWS", major="PE")
    position = two_minors(50, 60)
    for name in MAJORS:
        position.major(name, 100, b=20)
    assert position.game().table.state.round.kind == "operating"
    position = NewEngland(profile="18xx.games", from_log=99).cash(a=0).minor("NYW", 80, "a").merging()
    for name in MAJORS:
        position.major(name, 100, b=20)
    assert position.game().kinds() == ["pass"]


def test_major_takes_over_both_minors() -> None:
    """Example 9: money, trains, tokens; below others in its cell (R-NE-123, R-NE-124, R-NE-126, R-NE-005)."""
    game = linked().major("B&A", 120, b=20).game()
    spaces = {game.company(name).cell for name in ("WNR", "FRR")}
    events = game.do("merge", "WNR", partner="FRR", major="CN")
    assert sentences(events, game) == [
        "Ann merges WNR and FRR into CN at $120: treasury $45, trains 2 3 2, tokens in I6, J3.",
        "WNR closes.",
        "FRR closes.",
    ]
    formed = game.company("CN")
    assert (formed.cash, sorted(formed.trains), formed.tokens) == (45, ["2", "2", "3"], [80])
    assert game.table.map.token_stops_of("CN") == [("I6", 0), ("J3", 0)]
    assert formed.cell is not None
    assert game.table.state.companies_in_cell(formed.cell) == ["B&A", "CN"]
    assert (formed.percent(OFFERING), set(game.table.state.flipped)) == (80, spaces)
    assert not game.offered("return_token")


@pytest.mark.parametrize(("kept", "returned"), [(0, 1), (1, 0)])
def test_token_in_the_same_hex_goes_back(kept: int, returned: int) -> None:
    """Example 9: the president chooses which, before shares are bought; it lies at $40 then (R-NE-124)."""
    game = two_minors(50, 60).cash(a=400).game()
    game.do("merge", "AWS", partner="HRR", major="CN")
    assert game.kinds() == ["return_token"]
    assert "in B3, not in B11" in game.refused("12", "return_token", "CN", hex="B11", city=0)
    assert "must first return" in game.refused("12", "buy_share", "a", company="CN", source="offering")
    game.do("return_token", "CN", hex="B3", city=returned)
    assert game.table.map.token_stops_of("CN") == [("B3", kept)]
    assert game.company("CN").tokens == [40, 80]


def test_token_in_the_same_city_goes_back() -> None:
    """Both lie in one city by now: one is returned automatically; a minor's slot is free for all, wherever
    upgrades have put it (points 3, 10, R-NE-076, R-NE-124, R-NE-126)."""
    position = NewEngland().minor("BL", 50, "a", "2").minor("ER", 55, "a", "2").phase("5")
    game = position.tile("L5", "X1", 5).tile("L5", "X4", 0).merging().game()
    game.do("merge", "ER", partner="BL", major="CN")
    assert not game.offered("return_token")
    assert game.table.map.slots("L5", 0).count("CN") == 1
    assert game.company("CN").tokens == [40, 80]
    position = NewEngland().cash(a=400).minor("WNR", 70, "a", "2")
    position.state.companies["PE"].closed = False
    game = position.merging().game()
    assert "PE" in game.table.map.homes
    assert "WNR" not in game.table.map.homes  # it is used
    game.do("convert", "WNR", major="CN")
    assert game.company("WNR").closed
    assert game.table.map.slots("I6", 0) == ("CN",)


@pytest.mark.parametrize(("money", "shares"), [(400, 3), (520, 4), (900, 4)])
def test_president_buys_at_par_up_to_60_percent(money: int, shares: int) -> None:
    """Example 10: the money goes to the treasury, and the price stays (R-NE-125, R-NE-045)."""
    game = two_minors(50, 90).cash(a=money).game()
    game.do("merge", "AWS", partner="HRR", major="CN")
    game.do("return_token", "CN", hex="B3", city=0)
    while game.offered("buy_share"):
        game.do("buy_share", "a", company="CN", source="offering")
    assert game.company("CN").percent("a") == 20 + 10 * shares
    assert (game.company("CN").cash, game.price("CN")) == (130 * shares, 130)
    assert game.cash()["a"] == money - 130 * shares
    position = NewEngland(4).cash(a=900).major("B&A", 100, b=20, a=60).major("B&M", 100, b=20, a=60)
    game = position.major("CVT", 100, b=20, a=20).minor("WNR", 70, "a", "2").merging().game()
    assert holdings.certificate_count(game.table, "a") == 15
    game.do("convert", "WNR", major="CN")
    game.do("buy_share", "a", company="CN", source="offering")
    assert not game.offered("buy_share")


def test_only_the_new_company_is_sold() -> None:
    """From its offering (R-NE-125)."""
    game = linked().cash(a=900).major("B&A", 100, b=20, market=10).game()
    game.do("convert", "WNR", major="CN")
    assert "only shares of CN" in game.refused("12", "buy_share", "a", company="B&A", source="market")
    why = game.refused("10.6", "buy_share", "a", company="CN", source="market")
    assert "No share of CN is for sale from the market" in why
    why = game.refused("12", "merge", "FRR", partner="WNR", major="B&M")
    assert "must first decide whether to buy more shares of CN" in why


def after_the_round(number: int, phase: str = "3", ending: Ending | None = None) -> TitleGame:
    position = NewEngland().phase(phase).minor("WNR", 70, "a", "2").cash(a=400)
    position.operating("WNR", "trains", number=number, of=2)
    position.state.ending = ending
    return position.game()


@pytest.mark.parametrize(("number", "phase", "then"), [(1, "3", "OR 2.2"), (2, "3", "SR 3"), (1, "2", "")])
def test_merger_round_follows_operating_round(number: int, phase: str, then: str) -> None:
    """From phase 3 on (R-NE-120)."""
    game = after_the_round(number, phase)
    assert game.round_name() == (f"MR 2.{number}" if then else "OR 2.2")
    if then:
        game.passes("WNR")
        assert game.round_name() == then


@pytest.mark.parametrize(
    ("number", "ending", "over"),
    [(1, Ending("bank", BANK), False), (2, Ending("bank", BANK), True), (1, Ending("price", "CN"), True)],
)
def test_last_merger_round_is_left_out(number: int, ending: Ending, over: bool) -> None:
    """Point 13, example 24 (R-NE-130, R-NE-131)."""
    assert after_the_round(number, ending=ending).is_over is over


def test_new_major_and_minor_wait_for_their_turn() -> None:
    """The major for the next round; and it is said whose decision it is (R-NE-120, R-NE-127)."""
    game = after_the_round(1)
    game.do("convert", "WNR", major="CN")
    game.do("pass", "a")
    assert game.round_name() == "OR 2.2"
    assert game.table.company.id == "CN"
    game = linked().game()
    for kind, chosen in (("merge", {"partner": "WNR", "major": "CN"}), ("convert", {"major": "CN"})):
        assert "WNR must now merge, convert or stay" in game.refused("12", kind, "FRR", **chosen)
    game.do("pass", "WNR")
    assert "FRR must now merge, convert or stay" in game.refused("12", "convert", "WNR", major="CN")


@pytest.mark.parametrize("number", [1, 2])
def test_bank_broken_in_a_merger_round(number: int) -> None:
    """The first of a set is followed by the second operating round, the second by a whole set (D-NE-15)."""
    game = linked().merging(number=number).game()
    trigger_end(game.table, Ending("bank", BANK))
    for minor in ("WNR", "FRR"):
        game.do("pass", minor)
    assert (game.round_name(), game.is_over) == ("OR 2.2" if number == 1 else "SR 3", False)


def test_merger_offers_name_par_and_treasury() -> None:
    """And connected pairs, trains, tokens; with several partners each is named with its par (R-NE-122,
    R-NE-124)."""
    game = linked().cash(a=400).game()
    merge, convert = game.find("merge"), game.find("convert")
    assert game.label(merge) == "Merge WNR with FRR: par $120 (70 + 50)"
    assert game.label(convert) == "Convert WNR: pay $60, par $100"
    majors = game.labels(game.domain("merge", "WNR", "major", partner="FRR"))
    assert majors[0] == "B&A: treasury $45, trains 2 3 2, tokens left: $80, on the map: I6, J3"
    first = game.labels(OfferCursor(convert).domain)[0]
    assert first == "B&A: treasury $90, trains 2 3, tokens left: $40, $80, on the map: I6"
    game = NewEngland().minor("NYNH", 70, "a").minor("HNH", 60, "a").minor("NLN", 50, "a").merging().game()
    assert game.label(game.find("merge")) == "Merge NYNH"
    assert game.labels(game.domain("merge", "NYNH", "partner")) == [
        "HNH: par $130 (70 + 60)",
        "NLN: par $120 (70 + 50)",
    ]
    found = game.labels(game.domain("merge", "NYNH", "major", partner="NLN"))
    assert "tokens left: $40, $80, one token in F13 goes back" in found[0]
