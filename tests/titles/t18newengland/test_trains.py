"""Trains of 18NewEngland: purchases, limits by kind of company, the forced purchase (8, 11.7, 11.8)."""

from typing import Any

import pytest

from engine.core.events import CompaniesAvailable, Rusted
from engine.core.ids import BANK, MARKET
from engine.game import Game
from engine.play.shares.holdings import certificates
from tests.titles.builders import cash, company, do, kinds, offered, refused, train_deals, values
from tests.titles.t18newengland.newengland import NewEngland


def buying(name: str, *own: str, treasury: int, phase: str = "3", **facts: Any) -> NewEngland:
    """A company at its train step: B&A of Ann, or a minor of hers."""
    position = NewEngland(**facts).phase(phase)
    if name == "B&A":
        position.major("B&A", 100, treasury=treasury, a=40).trains("B&A", *own)
    else:
        position.minor(name, 70, "a", *own, treasury=treasury)
    return position.operating(name, "trains")


# --- purchases ---------------------------------------------------------------------------------------------------


def test_bank_and_pool_sell_at_face_and_companies_at_any_price_agreed() -> None:
    """The cheapest new train only (R-NE-100, D-NE-16)."""
    game = buying("B&A", "3", treasury=400).minor("PE", 50, "b", "3").pool("2").depot(t3=2).game()
    assert list(train_deals(game, "B&A")) == [
        ("3", BANK, "", 180, 180),
        ("3", "PE", "", 1, 400),
        ("2", "pool", "", 100, 100),
    ]
    assert "fixed price, $180" in refused(
        game, "11.7", "buy_train", "B&A", train="3", source=BANK, trade_in="", price=179
    )


def test_the_other_president_is_asked_for_consent() -> None:
    """An owner of both is not (R-NE-100, D-NE-21)."""
    game = buying("B&A", "3", treasury=400).minor("PE", 50, "b", "3").minor("CV", 60, "a", "3").game()
    do(game, "buy_train", "B&A", train="3", source="PE", trade_in="", price=1)
    assert game.actors() == ("b",)
    do(game, "answer", "b", reply="agree")
    assert company(game, "PE").trains == []
    do(game, "buy_train", "B&A", train="3", source="CV", trade_in="", price=1)
    assert company(game, "B&A").trains == ["3", "3", "3"]


@pytest.mark.parametrize(
    ("name", "phase", "limit"),
    [("PE", "3", 2), ("B&A", "3", 4), ("PE", "4", 1), ("B&A", "4", 3), ("PE", "6", 1), ("B&A", "6", 2)],
)
def test_at_its_limit_a_company_buys_no_train(name: str, phase: str, limit: int) -> None:
    """Minors have another one than majors (R-NE-007, R-NE-100)."""
    train = {"3": "3", "4": "4", "6": "6E"}[phase]
    full = buying(name, *[train] * limit, treasury=2000, phase=phase).game()
    assert not offered(full, "buy_train", name)
    below = buying(name, *[train] * (limit - 1), treasury=2000, phase=phase).game()
    assert offered(below, "buy_train", name)


def test_the_first_3_train_brings_the_other_minors() -> None:
    """And green tiles, green spaces (R-NE-004, R-NE-007)."""
    position = buying("B&A", "2", treasury=400, phase="2").depot(t2=0, t3=7)
    for name in ("GR", "CV"):
        position.state.companies[name].waiting = True
    game = position.game()
    events = do(game, "buy_train", "B&A", train="3", source=BANK, trade_in="", price=180)
    assert CompaniesAvailable(("CV", "GR")) in events
    assert game.table.state.phase == "3"
    assert not company(game, "GR").waiting


# --- what is above the limit -------------------------------------------------------------------------------------


def four(profile: str = "rulebook") -> Game:
    """The first 4-train is bought: Example 21."""
    position = buying("B&A", "2", "3", "3", treasury=300, profile=profile).depot(t3=0)
    position.minor("PE", 50, "b", "3", "3").minor("CV", 60, "c", "2", "3")
    game = position.major("CN", 100, c=40).trains("CN", "2", "2", "3", "3").game()
    events = do(game, "buy_train", "B&A", train="4", source=BANK, trade_in="", price=300)
    assert any(isinstance(event, Rusted) for event in events)
    return game


def test_the_first_4_train_takes_the_2s_and_lowers_the_limits() -> None:
    """Example 21: a minor with 3 and 3 gives one up, one with 2 and 3 has lost the 2 (R-NE-101)."""
    game = four()
    assert company(game, "CV").trains == ["3"]
    assert company(game, "B&A").trains == ["3", "3", "4"]
    assert company(game, "CN").trains == ["3", "3"]
    assert (kinds(game), game.actors()) == (["discard_train"], ("b",))
    do(game, "discard_train", "PE", train="3")
    assert game.table.state.pool == ["3"]
    assert not offered(game, "discard_train")


@pytest.mark.parametrize(("profile", "first"), [("rulebook", "PE"), ("18xx.games", "CN")])
def test_companies_discard_in_operating_order(profile: str, first: str) -> None:
    """Minors first; on that site in the order of the list (R-NE-101, D-NE-6)."""
    position = buying("B&A", "3", treasury=300, profile=profile).depot(t3=0)
    position.minor("PE", 50, "b", "3", "3").major("CN", 100, c=40).trains("CN", "3", "3", "3", "3")
    game = position.game()
    do(game, "buy_train", "B&A", train="4", source=BANK, trade_in="", price=300)
    assert [offer.entity for offer in game.offers() if offer.kind == "discard_train"] == [first]


def test_in_a_log_companies_discard_in_any_order() -> None:
    """D-NE-6: a minor before the major that is asked."""
    position = buying("B&A", "3", treasury=300, profile="18xx.games", from_log=9).depot(t3=0)
    position.minor("PE", 50, "b", "3", "3").major("CN", 100, c=40).trains("CN", "3", "3", "3", "3")
    game = position.game()
    do(game, "buy_train", "B&A", train="4", source=BANK, trade_in="", price=300)
    assert [(offer.entity, offer.blocking) for offer in game.offers(kind="discard_train")] == [
        ("CN", True),
        ("PE", False),
    ]
    do(game, "discard_train", "PE", train="3")
    do(game, "discard_train", "CN", train="3")
    assert not offered(game, "discard_train")


def test_a_purchase_may_put_the_buyer_above_its_new_limit() -> None:
    """It gives up a train of its choice (R-NE-100, R-NE-101)."""
    game = buying("B&A", "3", "3", "3", treasury=300).depot(t3=0).game()
    do(game, "buy_train", "B&A", train="4", source=BANK, trade_in="", price=300)
    assert values(game, "discard_train", "B&A", "train") == ["3", "4"]


# --- who must buy ------------------------------------------------------------------------------------------------


def test_a_major_without_a_train_must_buy_one_route_or_not() -> None:
    """Any that its treasury can pay, another company's too (R-NE-102)."""
    game = buying("B&A", treasury=300).minor("PE", 50, "b", "3").pool("2").game()
    assert "pass" not in kinds(game)
    assert list(train_deals(game, "B&A")) == [
        ("3", BANK, "", 180, 180),
        ("3", "PE", "", 1, 300),
        ("2", "pool", "", 100, 100),
    ]


def test_the_president_adds_what_the_cheapest_train_lacks() -> None:
    """From the owner's cash first (R-NE-110)."""
    game = buying("B&A", treasury=30).cash(a=200).pool("2").game()
    assert list(train_deals(game, "B&A")) == [("2", "pool", "", 100, 100)]
    assert "pass" not in kinds(game)
    do(game, "buy_train", "B&A", train="2", source="pool", trade_in="", price=100)
    assert (cash(game)["a"], company(game, "B&A").cash) == (130, 0)


def test_the_presidents_money_buys_no_other_companys_train() -> None:
    """Its treasury may (R-NE-110)."""
    game = buying("B&A", treasury=30).cash(a=200).minor("PE", 50, "b", "3").game()
    assert ("3", "PE", "", 1, 30) in list(train_deals(game, "B&A"))
    refused(game, "11.7", "buy_train", "B&A", train="3", source="PE", trade_in="", price=31)


def test_while_the_treasury_pays_some_train_the_president_adds_nothing() -> None:
    """R-NE-102, R-NE-110"""
    game = buying("B&A", treasury=150).cash(a=200).pool("2").game()
    assert list(train_deals(game, "B&A")) == [("2", "pool", "", 100, 100)]
    refused(game, "11.7", "buy_train", "B&A", train="3", source=BANK, trade_in="", price=180)


def test_shares_are_sold_just_enough_and_the_presidency_stays() -> None:
    """Their own sales lower the price (R-NE-110, R-NE-051)."""
    position = buying("B&A", treasury=80).cash(a=0)
    position.state.companies["B&A"].shares["b"] = 20
    position.state.companies["B&A"].shares["offering"] -= 20
    game = position.major("CN", 100, price=60, b=40, a=30).game()
    assert values(game, "sell_shares", "a", "company") == ["B&A", "CN"]
    assert values(game, "sell_shares", "a", "shares", company="B&A") == [1]
    assert values(game, "sell_shares", "a", "shares", company="CN") == [1, 2]
    do(game, "sell_shares", "a", company="B&A", shares=1)
    assert game.table.price(company(game, "B&A")) == 90
    assert cash(game)["a"] == 100
    assert not offered(game, "sell_shares", "a")
    assert offered(game, "buy_train", "B&A")


def test_other_presidencies_may_move_by_a_forced_sale() -> None:
    """At once (R-NE-110)."""
    position = buying("B&A", treasury=0).cash(a=0).major("CN", 100, a=30, b=20)
    game = position.game()
    assert 2 in values(game, "sell_shares", "a", "shares", company="CN")
    do(game, "sell_shares", "a", company="CN", shares=2)
    assert company(game, "CN").president == "b"
    assert company(game, "CN").percent(MARKET) == 20


@pytest.mark.parametrize(("profile", "sells"), [("rulebook", False), ("18xx.games", True)])
def test_without_need_a_president_sells_nothing(profile: str, sells: bool) -> None:
    """On that site they do while treasury and cash together do not pay the cheapest train (D-NE-7)."""
    position = buying("B&A", "2", treasury=100, profile=profile).cash(a=0).major("CN", 100, b=40, a=30)
    game = position.minor("PE", 70, "c", "2").game()
    assert offered(game, "buy_train", "B&A")
    assert offered(game, "sell_shares", "a") == sells


def test_a_company_helped_by_its_president_may_still_issue() -> None:
    """R-NE-111, D-NE-22"""
    game = buying("B&A", treasury=30).cash(a=200).game()
    do(game, "buy_train", "B&A", train="3", source=BANK, trade_in="", price=180)
    assert offered(game, "issue", "B&A")


def above_the_limit(profile: str = "rulebook") -> Game:
    """Fifteen certificates of thirteen, and one share has been sold for the train."""
    position = (
        NewEngland(5, profile).cash(a=0).major("B&A", 100, treasury=80, a=60).major("CN", 100, b=30, a=50)
    )
    for row, name in enumerate(("PE", "WNR", "CV", "GR", "FRR")):
        position.minor(name, (50, 55, 60, 65, 70)[row], "a", "3")
    game = position.operating("B&A", "trains").game()
    assert certificates(game.table, "a") == 15
    do(game, "sell_shares", "a", company="CN", shares=1)
    return game


def test_who_sells_for_a_train_comes_back_to_the_certificate_limit() -> None:
    """Beyond what the train needs, before it is bought, and no further (R-NE-046, D-NE-12)."""
    game = above_the_limit()
    assert kinds(game) == ["sell_shares"]
    assert values(game, "sell_shares", "a", "shares", company="CN") == [1]
    assert "13" in refused(game, "10.6", "buy_train", "B&A", train="3", source=BANK, trade_in="", price=180)
    do(game, "sell_shares", "a", company="CN", shares=1)
    assert certificates(game.table, "a") == 13
    assert offered(game, "buy_train", "B&A")


def test_in_that_sites_profile_a_president_buys_the_train_above_their_limit() -> None:
    """D-NE-12"""
    assert offered(above_the_limit("18xx.games"), "buy_train", "B&A")
