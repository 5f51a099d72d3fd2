"""Rules of shares that titles have in common, with the figures of each."""

from typing import Any

import pytest

from engine.core.events import PresidentChanged
from engine.core.ids import Cell
from tests.titles.builders import Position

CH, RAILS, AL, TN, C2C, NE = (
    *("18chesapeake", "18chesapeake-off-the-rails", "18al", "18tn", "18c2c", "18newengland"),
)
Percents = dict[str, Any]


def share(game: Any, player: str, name: str, source: str = "offering") -> None:
    game.do("buy_share", player, company=name, source=source)


@pytest.mark.parametrize(
    ("title", "name", "par", "cost"),
    [(CH, "LV", 80, 160), (AL, "TAG", 75, 150), (TN, "SR", 65, 130), (TN, "IC", 65, 195)],
)
def test_start_costs_certificate_at_par(title: str, name: str, par: int, cost: int) -> None:
    """R-CH-045 (10.4), R-AL-050 (3.2(c)(1)), R-TN-048, R-TN-070 (3.2(c), 3.4): 20 %, of the IC 30 %."""
    game = Position(title=title).cash(a=cost).game()
    assert game.values("par", "a", "price", company=name)[-1] == par
    game.refused("", "par", "a", company=name, price=90)
    game.do("par", "a", company=name, price=par)
    assert (game.cash()["a"], game.company(name).percent("a")) == (0, cost // par * 10)


@pytest.mark.parametrize(
    ("title", "name", "par", "held", "capital"),
    [
        (CH, "PRR", 70, 50, 700),
        (CH, "PRR", 95, 50, 950),
        (RAILS, "LV", 90, 40, 900),
        (AL, "TAG", 75, 50, 750),
        (TN, "IC", 65, 50, 650),
        (C2C, "PRR", 82, 50, 820),
    ],
)
def test_last_share_floats_the_company(title: str, name: str, par: int, held: int, capital: int) -> None:
    """R-CH-065, R-CH-302 (10.5), R-AL-070, R-AL-071 (3.4), R-TN-048, R-C2C-060 (4): ten times par."""
    game = Position(title=title).start(name, par, a=held).cash(a=500).game()
    assert not game.company(name).floated
    share(game, "a", name)
    assert (game.company(name).floated, game.company(name).cash) == (True, capital)


@pytest.mark.parametrize(
    ("title", "name", "par", "at", "section"),
    [
        (CH, "PRR", 80, None, "10.1"),
        (RAILS, "LV", 90, (6, 2), "10.1"),
        (RAILS, "LV", 90, (7, 1), ""),
        (AL, "TAG", 60, None, "3.3"),
        (TN, "TC", 70, (5, 2), "3.3"),
        (TN, "TC", 70, (5, 1), ""),
        (C2C, "PRR", 82, (1, 9), ""),
        (NE, "B&A", 100, (3, 11), "10.6"),
    ],
)
def test_nobody_holds_more_than_60_percent(title: str, name: str, par: int, at: Cell, section: str) -> None:
    """R-CH-047, R-CH-058, R-CH-304 (10.1), R-AL-060 (3.3(a)), R-NE-044, D-NE-10, R-TN-060, R-TN-062, R-C2C-034 (3):
    but in some zones, and in 18C2C."""
    game = Position(title=title).start(name, par, at=at, a=60, market=10).cash(a=500).game()
    for source in ("offering", "market") if section else ():
        assert "60%" in game.refused(section, "buy_share", "a", company=name, source=source)
    if not section:
        share(game, "a", name)
        assert game.company(name).percent("a") == 70


@pytest.mark.parametrize(
    ("title", "first", "second", "par", "sold", "may_sell"),
    [
        (CH, "PRR", "LV", 80, True, False),
        (CH, "PRR", "LV", 80, False, False),
        (AL, "TAG", "ABC", 60, True, False),
        (AL, "TAG", "ABC", 60, False, True),
        (TN, "TC", "SR", 70, True, False),
        (TN, "TC", "SR", 70, False, True),
        (C2C, "PRR", "NYC", 82, False, True),
        (RAILS, "PRR", "LV", 90, True, True),
        (RAILS, "PRR", "LV", 90, False, True),
        (NE, "B&A", "CN", 100, True, False),
        (NE, "B&A", "CN", 100, False, False),
    ],
)
def test_sales_after_the_purchase(
    title: str, first: str, second: str, par: int, sold: bool, may_sell: bool
) -> None:
    """R-CH-040 (10), R-CH-303, R-AL-041, R-AL-054 (3.2), R-TN-040, R-TN-050 (3.2), R-NE-040: one purchase, after all
    sales or before them; a turn in which nothing is left is over."""
    position = Position(title=title).start(first, par, a=40, b=20).start(second, par, b=40, a=20)
    game = position.cash(a=500).game()
    if sold:
        game.sell("a", second)
    share(game, "a", first)
    assert game.offered("sell_shares", "a") is may_sell
    assert not game.offered("buy_share", "a")
    if may_sell:
        game.refused("", "buy_share", "a", company=first, source="offering")
        game.sell("a", first)
        game.passes("a")
    assert game.actors() == ("b",)


@pytest.mark.parametrize(("title", "name", "section"), [(CH, "PRR", "10.2"), (TN, "SR", "3.2(a)")])
def test_first_stock_round_has_no_sales(title: str, name: str, section: str) -> None:
    """R-CH-050 (10.2), R-TN-041"""
    game = Position(title=title).start(name, 80, a=40, b=20).stock("a", number=1).game()
    game.refused(section, "sell_shares", "a", company=name, shares=1)


@pytest.mark.parametrize(
    ("title", "name", "par", "at", "blocks", "brings", "after"),
    [
        (CH, "PRR", 80, (1, 4), [3], 300, 80),
        (CH, "PRR", 80, (1, 4), [1, 1, 1], 100 + 90 + 85, 80),
        (CH, "PRR", 80, (7, 4), [2], 130, 65),
        (AL, "TAG", 60, None, [3], 180, 45),
        (AL, "TAG", 60, None, [1, 1, 1], 165, 45),
        (AL, "TAG", 60, (4, 9), [3], 270, 90),
        (TN, "SR", 65, None, [3], 195, 50),
        (TN, "SR", 65, None, [1, 1, 1], 180, 50),
        (C2C, "PRR", 100, None, [3], 300, 76),
        (C2C, "PRR", 100, None, [3, 1], 376, 72),
        (NE, "B&A", 100, (3, 11), [3], 300, 70),
        (NE, "B&A", 100, (3, 11), [1, 1, 1], 100 + 90 + 80, 70),
        (NE, "B&A", 100, (3, 2), [3], 120, 35),
    ],
)
def test_sales_are_paid_before_price_falls(
    title: str, name: str, par: int, at: Cell, blocks: list[int], brings: int, after: int
) -> None:
    """R-CH-052, R-AL-043, R-AL-044, R-AL-061, R-TN-042, R-TN-043, R-C2C-036, R-NE-050, R-NE-051: together or singly,
    and on the ledge or at the end of a row the price stays."""
    game = Position(title=title).start(name, par, at=at, a=50, b=30).cash(a=0).game()
    for shares in blocks:
        game.sell("a", name, shares)
    assert (game.cash()["a"], game.price(name)) == (brings, after)


@pytest.mark.parametrize(
    ("title", "name", "par", "at", "section"),
    [
        (CH, "PRR", 80, None, "10.2"),
        (AL, "TAG", 60, None, "3.2(a)"),
        (TN, "SR", 80, None, "3.2(a)"),
        (C2C, "PRR", 82, None, "3"),
        (NE, "B&A", 100, (3, 11), "10.4"),
    ],
)
def test_market_takes_half_of_a_company(title: str, name: str, par: int, at: Cell, section: str) -> None:
    """R-CH-051 (10.2), R-AL-045, R-TN-044 (3.2(a)(2)), R-C2C-035 (3), R-NE-050"""
    game = Position(title=title).start(name, par, at=at, b=40, a=30, market=30).game()
    assert game.values("sell_shares", "a", "shares", company=name) == [1, 2]
    assert "50%" in game.refused(section, "sell_shares", "a", company=name, shares=3)
    game.sell("a", name, 2)
    assert game.offered("sell_shares", "a") is False


@pytest.mark.parametrize(
    ("title", "name", "par", "section", "held", "blocks"),
    [
        (CH, "PRR", 80, "10.3", {"a": 30, "b": 10, "c": 10}, [1]),
        (CH, "PRR", 80, "10.3", {"a": 30, "b": 20, "c": 10}, [1, 2, 3]),
        (CH, "PRR", 80, "10.3", {"a": 20, "b": 10}, []),
        (AL, "TAG", 60, "3.5", {"a": 30, "b": 10}, [1]),
        (TN, "IC", 65, "3.5", {"a": 40, "b": 20}, [1]),
        (TN, "IC", 65, "3.5", {"a": 30, "b": 30}, [1, 2, 3]),
        (TN, "IC", 65, "3.5", {"a": 30, "b": 20}, []),
        (C2C, "PRR", 82, "3", {"a": 40, "b": 10}, [1, 2]),
    ],
)
def test_presidents_certificate_needs_a_successor(
    title: str, name: str, par: int, section: str, held: Percents, blocks: list[int]
) -> None:
    """R-CH-061 (10.3), R-AL-046, R-AL-047 (3.2(a)(3), (4), 3.5), R-TN-045, R-TN-046, R-TN-071, R-C2C-035 (3): who has
    less than it is worth takes none."""
    game = Position(title=title).start(name, par, **held).game()
    assert game.offered("sell_shares", "a") is bool(blocks)
    if blocks:
        assert game.values("sell_shares", "a", "shares", company=name) == blocks
    if 10 * len(blocks) < held["a"]:
        why = game.refused(section, "sell_shares", "a", company=name, shares=len(blocks) + 1)
        assert "take the presidency" in why


@pytest.mark.parametrize(
    ("title", "name", "par", "at", "held", "sold", "president", "left"),
    [
        (CH, "PRR", 80, None, {"a": 40, "b": 20, "c": 30}, 3, "c", {"a": 10, "c": 30, "market": 30}),
        (CH, "PRR", 80, None, {"a": 30, "b": 20, "c": 20}, 2, "b", {"a": 10, "b": 20, "market": 20}),
        (CH, "PRR", 80, None, {"b": 30, "a": 20, "c": 20}, 2, "c", {"b": 10, "c": 20, "market": 20}),
        (AL, "TAG", 60, None, {"a": 30, "b": 20}, 2, "b", {"a": 10, "b": 20, "market": 20}),
        (AL, "TAG", 60, None, {"a": 20, "b": 20}, 1, "b", {"a": 10, "b": 20, "market": 10}),
        (AL, "TAG", 60, None, {"a": 30, "c": 20, "b": 20}, 2, "b", {"a": 10, "c": 20, "market": 20}),
        (TN, "IC", 65, None, {"a": 40, "b": 30}, 2, "b", {"a": 20, "b": 30, "market": 20}),
        (C2C, "PRR", 82, None, {"a": 40, "b": 20}, 4, "b", {"a": 0, "b": 20, "market": 40}),
        (NE, "B&A", 100, (3, 11), {"a": 30, "b": 20, "market": 30}, 2, "b", {"a": 10, "market": 50}),
        (NE, "B&A", 100, (3, 11), {"a": 30, "b": 20, "c": 30}, 2, "c", {"a": 10, "b": 20, "c": 30}),
        (NE, "B&A", 100, (3, 11), {"a": 30, "c": 20, "b": 20}, 2, "b", {"a": 10, "b": 20, "c": 20}),
    ],
)
def test_sale_moves_presidency(
    title: str, name: str, par: int, at: Cell, held: Percents, sold: int, president: str, left: Percents
) -> None:
    """R-CH-060, R-CH-062 (10.3), R-AL-081, R-AL-082 (3.5), R-TN-045, R-TN-046, R-C2C-035, R-C2C-039, R-NE-055: to the
    largest holder, of equals to the one on the seller's left; they swap before the rest of the sale."""
    seller = next(iter(held))
    game = Position(title=title).start(name, par, at=at, **held).stock(seller).cash(**{seller: 0}).game()
    assert PresidentChanged(name, seller, president) in game.sell(seller, name, sold)
    found = game.company(name)
    assert found.president == found.certificate_holder == president
    assert {holder: found.percent(holder) for holder in left} == left
    assert game.cash()[seller] == par * sold


@pytest.mark.parametrize(("title", "name", "at"), [(CH, "PRR", None), (NE, "B&A", (3, 11))])
@pytest.mark.parametrize(("held", "president"), [(10, "a"), (20, "b")])
def test_purchase_moves_presidency_beyond_a_tie(
    title: str, name: str, at: Cell, held: int, president: str
) -> None:
    """R-CH-060 (10.3, 10.4), R-NE-055"""
    par = 80 if title == CH else 100
    game = Position(title=title).start(name, par, at=at, a=20, b=held).stock("b").cash(b=500).game()
    share(game, "b", name)
    found = game.company(name)
    assert (found.president, found.percent("a"), found.percent("b")) == (president, 20, held + 10)


@pytest.mark.parametrize(
    ("title", "name", "par", "at", "held", "after"),
    [
        (CH, "PRR", 95, None, {"a": 60, "b": 40}, 100),
        (CH, "PRR", 95, None, {"a": 60, "b": 30, "market": 10}, 95),
        (CH, "PRR", 95, None, {"a": 60, "b": 30}, 95),
        (CH, "PRR", 95, (1, 6), {"a": 60, "b": 40}, 125),
        (AL, "TAG", 75, None, {"a": 60, "b": 40}, 80),
        (AL, "ABC", 90, None, {"a": 60, "b": 40}, 90),
        (TN, "TC", 70, None, {"a": 60, "b": 40}, 80),
        (TN, "SR", 90, (1, 15), {"a": 60, "b": 40}, 275),
        (C2C, "NYC", 82, None, {"c": 100}, 90),
        (C2C, "PRR", 100, (1, 8), {"a": 60, "b": 40}, 110),
        (C2C, "ERIE", 82, None, {"a": 60, "b": 30, "market": 10}, 82),
        (C2C, "B&O", 82, None, {"a": 60, "b": 30}, 82),
    ],
)
def test_sold_out_company_rises(
    title: str, name: str, par: int, at: Cell, held: Percents, after: int
) -> None:
    """R-CH-068 (10.6), R-AL-091 (3.6), R-TN-072 (3.6), R-C2C-03B (3): where players hold all of it, a row up; in
    the top row it stays, or in 18C2C goes down and to the right."""
    game = Position(title=title).start(name, par, at=at, **held).cash(a=0, b=0, c=0).game()
    while game.round_name().startswith("SR"):
        game.passes(*game.actors())
    assert game.price(name) == after
