"""Trains of 18NewEngland: purchases, limits by kind of company, the forced purchase (8, 11.7, 11.8)."""

from typing import Any

import pytest

from engine.core.events import CompaniesAvailable, TrainsRusted
from engine.core.ids import BANK
from engine.play.shares.holdings import certificate_count
from tests.titles.builders import TitleGame
from tests.titles.t18newengland.newengland import NewEngland


def buying(name: str, *own: str, treasury: int, phase: str = "3", **facts: Any) -> NewEngland:
    position = NewEngland(**facts).phase(phase)
    if name == "B&A":
        position.major("B&A", 100, treasury=treasury, a=40).trains("B&A", *own)
    else:
        position.minor(name, 70, "a", *own, treasury=treasury)
    return position.operating(name, "trains")


def test_bank_and_companies_sell_trains() -> None:
    """The cheapest new train only. Another president is asked for consent, an owner of both is not (R-NE-100,
    D-NE-16, D-NE-21)."""
    game = buying("B&A", "3", treasury=400).minor("PE", 50, "b", "3").pool("2").depot(t3=2).game()
    assert list(game.train_deals("B&A")) == [
        ("3", BANK, "", 180, 180),
        ("3", "PE", "", 1, 400),
        ("2", "pool", "", 100, 100),
    ]
    assert "costs exactly $180" in game.no_deal("11.7", "B&A", "3", 179)
    game = buying("B&A", "3", treasury=400).minor("PE", 50, "b", "3").minor("CV", 60, "a", "3").game()
    game.buy("B&A", "3", 1, "PE")
    assert game.actors() == ("b",)
    game.do("answer", "b", reply="agree")
    assert game.company("PE").trains == []
    game.buy("B&A", "3", 1, "CV")
    assert game.company("B&A").trains == ["3", "3", "3"]


@pytest.mark.parametrize(
    ("name", "phase", "limit"),
    [("PE", "3", 2), ("B&A", "3", 4), ("PE", "4", 1), ("B&A", "4", 3), ("PE", "6", 1), ("B&A", "6", 2)],
)
def test_train_limits_of_minor_and_major(name: str, phase: str, limit: int) -> None:
    """Minors have another one than majors (R-NE-007, R-NE-100)."""
    train = {"3": "3", "4": "4", "6": "6E"}[phase]
    full = buying(name, *[train] * limit, treasury=2000, phase=phase).game()
    assert not full.offered("buy_train", name)
    below = buying(name, *[train] * (limit - 1), treasury=2000, phase=phase).game()
    assert below.offered("buy_train", name)


def test_first_trains_of_a_kind_change_much() -> None:
    """The first 3 brings other minors, green tiles and green spaces. Example 21: a minor with 3 and 3 gives
    one up to the first 4, one with 2 and 3 has lost the 2 (R-NE-004, R-NE-007, R-NE-101)."""
    position = buying("B&A", "2", treasury=400, phase="2").depot(t2=0, t3=7)
    for name in ("GR", "CV"):
        position.state.companies[name].waiting = True
    game = position.game()
    events = game.buy("B&A", "3", 180)
    assert CompaniesAvailable(("CV", "GR")) in events
    assert game.table.state.phase == "3"
    assert not game.company("GR").waiting
    position = buying("B&A", "2", "3", "3", treasury=300).depot(t3=0)
    position.minor("PE", 50, "b", "3", "3").minor("CV", 60, "c", "2", "3")
    game = position.major("CN", 100, c=40).trains("CN", "2", "2", "3", "3").game()
    assert any(isinstance(event, TrainsRusted) for event in game.buy("B&A", "4", 300))
    assert game.company("CV").trains == ["3"]
    assert game.company("B&A").trains == ["3", "3", "4"]
    assert game.company("CN").trains == ["3", "3"]
    assert (game.kinds(), game.actors()) == (["discard_train"], ("b",))
    game.do("discard_train", "PE", train="3")
    assert game.table.state.pool == ["3"]
    assert not game.offered("discard_train")


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
    game.buy("B&A", "4", 300)
    assert [(one.entity, one.blocking) for one in game.offers(kind="discard_train")] == offers
    for name in ("PE", "CN") if offers[-1][0] == "PE" else ("CN", "PE"):
        game.do("discard_train", name, train="3")
    assert not game.offered("discard_train")


def test_president_buys_no_train_of_another() -> None:
    """Its treasury may (R-NE-110)."""
    game = buying("B&A", treasury=30).cash(a=200).minor("PE", 50, "b", "3").game()
    assert ("3", "PE", "", 1, 30) in list(game.train_deals("B&A"))
    game.no_deal("11.7", "B&A", "3", 31, "PE")


@pytest.mark.parametrize(("profile", "sells"), [("rulebook", False), ("18xx.games", True)])
def test_president_sells_nothing_without_need(profile: str, sells: bool) -> None:
    """On that site they do while treasury and cash together do not pay the cheapest train (D-NE-7)."""
    position = buying("B&A", "2", treasury=100, profile=profile).cash(a=0).major("CN", 100, b=40, a=30)
    game = position.minor("PE", 70, "c", "2").game()
    assert game.offered("buy_train", "B&A")
    assert game.offered("sell_shares", "a") == sells


def test_helped_company_may_issue() -> None:
    """R-NE-111, D-NE-22"""
    game = buying("B&A", treasury=30).cash(a=200).game()
    game.buy("B&A", "3", 180)
    assert game.offered("issue", "B&A")


def above_the_limit(profile: str = "rulebook") -> TitleGame:
    """Fifteen certificates of thirteen, and one share has been sold for the train."""
    position = NewEngland(5, profile).cash(a=0).major("B&A", 100, treasury=80, a=60)
    position.major("CN", 100, b=30, a=50)
    for row, name in enumerate(("PE", "WNR", "CV", "GR", "FRR")):
        position.minor(name, (50, 55, 60, 65, 70)[row], "a", "3")
    game = position.operating("B&A", "trains").game()
    assert certificate_count(game.table, "a") == 15
    game.sell("a", "CN", 1)
    return game


def test_seller_returns_to_certificate_limit() -> None:
    """Beyond what the train needs, before it is bought, and no further; not on that site (R-NE-046,
    D-NE-12)."""
    game = above_the_limit()
    assert game.kinds() == ["sell_shares"]
    assert game.values("sell_shares", "a", "shares", company="CN") == [1]
    assert "13" in game.no_deal("10.6", "B&A", "3", 180)
    game.sell("a", "CN", 1)
    assert certificate_count(game.table, "a") == 13
    assert game.offered("buy_train", "B&A")
    assert above_the_limit("18xx.games").offered("buy_train", "B&A")
