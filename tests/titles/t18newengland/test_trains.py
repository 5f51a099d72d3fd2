"""Trains of 18NewEngland: purchases, limits by kind of company, the forced purchase (8, 11.7, 11.8)."""

from typing import Any

import pytest

from engine.core.events import CompaniesAvailable, Rusted
from engine.core.ids import BANK
from engine.game import Game
from engine.play.shares.holdings import certificates
from tests.titles.builders import (
    buy,
    cash,
    company,
    do,
    kinds,
    offered,
    price,
    refused,
    sell,
    train_deals,
    values,
)
from tests.titles.t18newengland.newengland import NewEngland


def buying(name: str, *own: str, treasury: int, phase: str = "3", **facts: Any) -> NewEngland:
    position = NewEngland(**facts).phase(phase)
    if name == "B&A":
        position.major("B&A", 100, treasury=treasury, a=40).trains("B&A", *own)
    else:
        position.minor(name, 70, "a", *own, treasury=treasury)
    return position.operating(name, "trains")


def test_bank_and_companies_sell_trains() -> None:
    """The cheapest new train only (R-NE-100, D-NE-16)."""
    game = buying("B&A", "3", treasury=400).minor("PE", 50, "b", "3").pool("2").depot(t3=2).game()
    assert list(train_deals(game, "B&A")) == [
        ("3", BANK, "", 180, 180),
        ("3", "PE", "", 1, 400),
        ("2", "pool", "", 100, 100),
    ]
    assert "costs exactly $180" in refused(
        game, "11.7", "buy_train", "B&A", train="3", source=BANK, trade_in="", price=179
    )


def test_other_president_is_asked_for_consent() -> None:
    """An owner of both is not (R-NE-100, D-NE-21)."""
    game = buying("B&A", "3", treasury=400).minor("PE", 50, "b", "3").minor("CV", 60, "a", "3").game()
    buy(game, "B&A", "3", 1, "PE")
    assert game.actors() == ("b",)
    do(game, "answer", "b", reply="agree")
    assert company(game, "PE").trains == []
    buy(game, "B&A", "3", 1, "CV")
    assert company(game, "B&A").trains == ["3", "3", "3"]


@pytest.mark.parametrize(
    ("name", "phase", "limit"),
    [("PE", "3", 2), ("B&A", "3", 4), ("PE", "4", 1), ("B&A", "4", 3), ("PE", "6", 1), ("B&A", "6", 2)],
)
def test_train_limits_of_minor_and_major(name: str, phase: str, limit: int) -> None:
    """Minors have another one than majors (R-NE-007, R-NE-100)."""
    train = {"3": "3", "4": "4", "6": "6E"}[phase]
    full = buying(name, *[train] * limit, treasury=2000, phase=phase).game()
    assert not offered(full, "buy_train", name)
    below = buying(name, *[train] * (limit - 1), treasury=2000, phase=phase).game()
    assert offered(below, "buy_train", name)


def test_first_3_brings_other_minors() -> None:
    """And green tiles, green spaces (R-NE-004, R-NE-007)."""
    position = buying("B&A", "2", treasury=400, phase="2").depot(t2=0, t3=7)
    for name in ("GR", "CV"):
        position.state.companies[name].waiting = True
    game = position.game()
    events = buy(game, "B&A", "3", 180)
    assert CompaniesAvailable(("CV", "GR")) in events
    assert game.table.state.phase == "3"
    assert not company(game, "GR").waiting


def four(profile: str = "rulebook") -> Game:
    position = buying("B&A", "2", "3", "3", treasury=300, profile=profile).depot(t3=0)
    position.minor("PE", 50, "b", "3", "3").minor("CV", 60, "c", "2", "3")
    game = position.major("CN", 100, c=40).trains("CN", "2", "2", "3", "3").game()
    events = buy(game, "B&A", "4", 300)
    assert any(isinstance(event, Rusted) for event in events)
    return game


def test_first_4_rusts_2s_and_lowers_limits() -> None:
    """Example 21: a minor with 3 and 3 gives one up, one with 2 and 3 has lost the 2 (R-NE-101)."""
    game = four()
    assert company(game, "CV").trains == ["3"]
    assert company(game, "B&A").trains == ["3", "3", "4"]
    assert company(game, "CN").trains == ["3", "3"]
    assert (kinds(game), game.actors()) == (["discard_train"], ("b",))
    do(game, "discard_train", "PE", train="3")
    assert game.table.state.pool == ["3"]
    assert not offered(game, "discard_train")


@pytest.mark.parametrize(
    ("profile", "from_log", "offers"),
    [
        ("rulebook", 0, [("PE", True)]),
        ("18xx.games", 0, [("CN", True)]),
        ("18xx.games", 9, [("CN", True), ("PE", False)]),
    ],
)
def test_minors_discard_first(profile: str, from_log: int, offers: list[tuple[str, bool]]) -> None:
    """On that site in the order of the list, in a log in any (R-NE-101, D-NE-6)."""
    position = buying("B&A", "3", treasury=300, profile=profile, from_log=from_log).depot(t3=0)
    position.minor("PE", 50, "b", "3", "3").major("CN", 100, c=40).trains("CN", "3", "3", "3", "3")
    game = position.game()
    buy(game, "B&A", "4", 300)
    assert [(one.entity, one.blocking) for one in game.offers(kind="discard_train")] == offers
    for name in ("PE", "CN") if offers[-1][0] == "PE" else ("CN", "PE"):
        do(game, "discard_train", name, train="3")
    assert not offered(game, "discard_train")


def test_major_without_a_train_must_buy() -> None:
    """Any that its treasury can pay, another company's too (R-NE-102)."""
    game = buying("B&A", treasury=300).minor("PE", 50, "b", "3").pool("2").game()
    assert "pass" not in kinds(game)
    assert list(train_deals(game, "B&A")) == [
        ("3", BANK, "", 180, 180),
        ("3", "PE", "", 1, 300),
        ("2", "pool", "", 100, 100),
    ]


def test_president_adds_what_is_lacking() -> None:
    """From the owner's cash first (R-NE-110)."""
    game = buying("B&A", treasury=30).cash(a=200).pool("2").game()
    assert list(train_deals(game, "B&A")) == [("2", "pool", "", 100, 100)]
    assert "pass" not in kinds(game)
    buy(game, "B&A", "2", 100, "pool")
    assert (cash(game)["a"], company(game, "B&A").cash) == (130, 0)


def test_president_buys_no_train_of_another() -> None:
    """Its treasury may (R-NE-110)."""
    game = buying("B&A", treasury=30).cash(a=200).minor("PE", 50, "b", "3").game()
    assert ("3", "PE", "", 1, 30) in list(train_deals(game, "B&A"))
    refused(game, "11.7", "buy_train", "B&A", train="3", source="PE", trade_in="", price=31)


def test_president_sells_just_enough() -> None:
    """Their own sales lower the price (R-NE-110, R-NE-051)."""
    position = buying("B&A", treasury=80).cash(a=0)
    position.state.companies["B&A"].shares["b"] = 20
    position.state.companies["B&A"].shares["offering"] -= 20
    game = position.major("CN", 100, price=60, b=40, a=30).game()
    assert values(game, "sell_shares", "a", "company") == ["B&A", "CN"]
    assert values(game, "sell_shares", "a", "shares", company="B&A") == [1]
    assert values(game, "sell_shares", "a", "shares", company="CN") == [1, 2]
    sell(game, "a", "B&A", 1)
    assert price(game, "B&A") == 90
    assert cash(game)["a"] == 100
    assert not offered(game, "sell_shares", "a")
    assert offered(game, "buy_train", "B&A")


@pytest.mark.parametrize(("profile", "sells"), [("rulebook", False), ("18xx.games", True)])
def test_president_sells_nothing_without_need(profile: str, sells: bool) -> None:
    """On that site they do while treasury and cash together do not pay the cheapest train (D-NE-7)."""
    position = buying("B&A", "2", treasury=100, profile=profile).cash(a=0).major("CN", 100, b=40, a=30)
    game = position.minor("PE", 70, "c", "2").game()
    assert offered(game, "buy_train", "B&A")
    assert offered(game, "sell_shares", "a") == sells


def test_helped_company_may_issue() -> None:
    """R-NE-111, D-NE-22"""
    game = buying("B&A", treasury=30).cash(a=200).game()
    buy(game, "B&A", "3", 180)
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
    sell(game, "a", "CN", 1)
    return game


def test_seller_returns_to_certificate_limit() -> None:
    """Beyond what the train needs, before it is bought, and no further (R-NE-046, D-NE-12)."""
    game = above_the_limit()
    assert kinds(game) == ["sell_shares"]
    assert values(game, "sell_shares", "a", "shares", company="CN") == [1]
    assert "13" in refused(game, "10.6", "buy_train", "B&A", train="3", source=BANK, trade_in="", price=180)
    sell(game, "a", "CN", 1)
    assert certificates(game.table, "a") == 13
    assert offered(game, "buy_train", "B&A")


def test_18xx_games_buys_above_certificate_limit() -> None:
    """D-NE-12"""
    assert offered(above_the_limit("18xx.games"), "buy_train", "B&A")
