"""Operating rounds of 18NewEngland: order, own shares, dividends (11)."""

import pytest

from engine.core.events import DividendDecided, HalfPaid, PriceFell, SharesIssued, SharesRedeemed
from engine.core.ids import MARKET, OFFERING
from engine.play.operating_order import operating_order
from engine.play.track.lay_rules import next_own_lay
from engine.tell.narrate import sentences
from tests.titles.t18newengland.newengland import NewEngland


def major(
    par: int = 100, price: int | None = None, treasury: int = 0, own: int = 0, **held: int
) -> NewEngland:
    """The B&A with a station in Poughkeepsie; `own` percent are redeemed shares in its treasury."""
    position = NewEngland().major("B&A", par, price=price, treasury=treasury, **held)
    found = position.state.companies["B&A"]
    if own:
        found.shares["B&A"] = own
        found.shares[OFFERING] -= own
        if not found.shares[OFFERING]:
            del found.shares[OFFERING]
    position.t.map.homes.pop("PE")
    position.t.map.place_token("B11", 0, "B&A")
    found.tokens = [40, 80]
    return position


def test_minors_operate_first() -> None:
    """By value, the upper space first; in a cell the upper marker (R-NE-060)."""
    position = NewEngland().major("B&A", 100, a=20).major("CN", 200, b=20).major("NYC", 100, c=20)
    position.minor("PE", 50, "a").minor("CV", 65, "b", space=1).minor("WNR", 65, "c")
    position.minor("GR", 70, "a", space=1)
    assert [c.id for c in operating_order(position.t)] == ["GR", "WNR", "CV", "PE", "CN", "B&A", "NYC"]


def test_tile_lays_of_minor_and_major() -> None:
    """R-NE-065"""
    minor = NewEngland().minor("WNR", 70, "a", "2", treasury=500).operating("WNR", laid=["tile"]).game().table
    assert "track" in minor.turn.done
    game = major(treasury=100, a=40).operating("B&A").game()
    game.do("lay_tile", "B&A", hex="B13", tile="9", rotation=0)
    lay = next_own_lay(game.table)
    assert lay is not None
    assert not lay.may_upgrade
    upgraded = major(treasury=100, a=40).operating("B&A", laid=["upgrade"]).game().table
    assert "track" in upgraded.turn.done


def test_shares_are_redeemed_at_present_price() -> None:
    """Example 13: five at 65 for 325. At any moment, as far as the treasury goes, on that site once a turn,
    any number of shares; nothing is issued after it (11.2, R-NE-080, R-NE-081, D-NE-3)."""
    game = major(130, 65, 400, a=40, market=50).operating("B&A").game()
    events = game.do("redeem", "B&A", shares=5)
    redeemed = game.company("B&A")
    assert events[0] == SharesRedeemed("B&A", 5, 325, 75)
    assert (redeemed.cash, redeemed.percent("B&A"), redeemed.percent(MARKET)) == (75, 50, 0)
    assert game.table.price(redeemed) == 65
    game = major(100, 60, 200, a=40, market=50).operating("B&A").game()
    assert game.values("redeem", "B&A", "shares") == [1, 2, 3]
    game.do("redeem", "B&A", shares=1)
    game.passes("B&A")
    game.do("redeem", "B&A", shares=1)
    assert game.company("B&A").percent("B&A") == 20
    assert "B&A has $85; this costs $110" in game.refused("11.2", "redeem", "B&A", shares=2)
    position = NewEngland(profile="18xx.games").major("B&A", 100, treasury=500, b=40, market=30)
    game = position.trains("B&A", "3").operating("B&A").game()
    assert game.values("redeem", "B&A", "shares") == [1, 2, 3]
    game.do("redeem", "B&A", shares=2)
    assert not game.offered("redeem")
    assert "already redeemed shares this turn" in game.refused("11.2", "redeem", "B&A", shares=1)
    game = major(130, 65, 400, a=40, market=10).operating("B&A", "issue").game()
    assert game.offered("issue", "B&A")
    game.do("redeem", "B&A", shares=1)
    assert not game.offered("issue", "B&A")


@pytest.mark.parametrize(("profile", "asked"), [("rulebook", ["pass"]), ("18xx.games", [])])
def test_turn_waits_for_a_redemption(profile: str, asked: list[str]) -> None:
    """Once, and not on that site (R-NE-080, D-NE-3)."""
    position = NewEngland(profile=profile, from_log=99).major("B&A", 100, treasury=900, a=40, market=50)
    game = position.trains("B&A", "3", "3", "3", "3").operating("B&A", "issue").game()
    assert (game.kinds() if game.round_name() == "OR 2.1" else []) == asked
    if asked:
        game.passes("B&A")
    assert game.round_name() == "SR 3"


def test_shares_are_issued_at_par_or_price() -> None:
    """Example 12: five of the offering at 100 bring 500, and 100 falls to 60. One of the offering at par 130,
    two at 110, all before the drop: 350, price 80. With three in the pool two more. It ends the turn; a log
    issues one by one, and the price falls when the step ends (R-NE-081, R-NE-082, D-NE-3)."""
    game = major(100, None, 0, a=40).trains("B&A", "3").operating("B&A", "issue").game()
    events = game.do("issue", "B&A", offering=5, treasury=0)
    issued = game.company("B&A")
    assert events[:2] == (SharesIssued("B&A", 5, 0, 500, 500), PriceFell("B&A", 100, 60))
    assert (issued.cash, issued.percent(MARKET), issued.percent(OFFERING)) == (500, 50, 10)
    game = major(130, 110, 0, a=40, own=20).trains("B&A", "3").operating("B&A", "issue").game()
    game.do("issue", "B&A", offering=1, treasury=2)
    assert (game.company("B&A").cash, game.price("B&A")) == (350, 80)
    game = major(130, 110, 0, a=40, market=30, own=10).trains("B&A", "3").operating("B&A", "issue").game()
    assert game.values("issue", "B&A", "offering") == [0, 1, 2]
    assert game.values("issue", "B&A", "treasury", offering=0) == [1]
    assert game.values("issue", "B&A", "treasury", offering=1) == [0, 1]
    assert game.values("issue", "B&A", "treasury", offering=2) == [0]
    assert "has 3 shares" in game.refused("11.10", "issue", "B&A", offering=3, treasury=0)
    assert game.refused("11.10", "issue", "B&A", offering=2, treasury=1)
    position = major(100, None, 0, a=40).trains("B&A", "3").operating("B&A", "issue")
    game = position.game()
    assert game.label(game.find("issue")) == "Issue shares"
    assert game.labels(game.domain("issue", "B&A", "treasury", offering=2)) == [
        "0 redeemed: $200 in all, price $100 → $80"
    ]
    lines = sentences(game.do("issue", "B&A", offering=2, treasury=0), game)
    assert lines[:2] == [
        "B&A (Ann) issues 2 shares from its IPO and 0 redeemed shares for $200. Treasury $200.",
        "B&A's share price $100 → $80.",
    ]
    assert game.round_name() == "SR 3"
    position = NewEngland(profile="18xx.games", from_log=99).major("B&A", 100, treasury=0, a=40)
    game = position.trains("B&A", "3").operating("B&A", "issue").game()
    game.do("issue", "B&A", offering=1, treasury=0)
    game.do("issue", "B&A", offering=1, treasury=0)
    assert (game.company("B&A").cash, game.price("B&A")) == (200, 100)
    game.passes("B&A")
    assert game.price("B&A") == 80


@pytest.mark.parametrize(("revenue", "owner", "treasury"), [(50, 25, 25), (30, 15, 15)])
def test_minor_pays_half_to_its_owner(revenue: int, owner: int, treasury: int) -> None:
    """Example 6; it is not asked, and its value stays (R-NE-095)."""
    position = NewEngland().cash(a=0).minor("PE", 70, "a", "2").operating("PE", "dividend", revenue=revenue)
    game = position.game()
    assert (game.cash()["a"], game.company("PE").cash) == (owner, treasury)
    assert game.price("PE") == 70
    assert HalfPaid("PE", revenue, "a", owner) in game.opening_events + tuple(game.table.events)


@pytest.mark.parametrize(
    ("revenue", "kept", "paid"), [(210, 100, 110), (390, 190, 200), (10, 0, 10), (40, 20, 20)]
)
def test_half_dividend_is_rounded_up(revenue: int, kept: int, paid: int) -> None:
    """Example 14 (R-NE-096)."""
    game = major(100, None, 0, a=60, b=40).operating("B&A", "dividend", revenue=revenue).game()
    before = game.cash()
    game.do("dividend", "B&A", option="half")
    assert game.company("B&A").cash == kept
    assert game.cash()["a"] + game.cash()["b"] == before["a"] + before["b"] + paid


def test_own_shares_pay_the_company() -> None:
    """Example 14: 380, run 210, two in the offering and two redeemed: 524; the market's pay nobody (R-NE-097)."""
    game = major(100, None, 380, a=40, market=20, own=20).operating("B&A", "dividend", revenue=210).game()
    before, bank = game.cash()["a"], game.table.state.bank
    game.do("dividend", "B&A", option="half")
    assert game.company("B&A").cash == 380 + 100 + 44
    assert game.cash()["a"] == before + 44
    assert game.table.state.bank == bank - 100 - 88


@pytest.mark.parametrize(
    ("old", "revenue", "option", "after"),
    [
        (100, 90, "pay", 100),
        (100, 100, "pay", 110),
        (100, 190, "pay", 110),
        (100, 200, "pay", 120),
        (100, 90, "withhold", 90),
        (100, 390, "half", 120),
        (460, 920, "pay", 500),
        (35, 90, "withhold", 35),
        (310, 1020, "pay", 380),
        (420, 680, "pay", 460),
        (420, 840, "pay", 500),
    ],
)
def test_price_compares_with_dividend(old: int, revenue: int, option: str, after: int) -> None:
    """Examples 15, 17 and 18 (R-NE-098)."""
    game = major(100, old, 0, a=60).operating("B&A", "dividend", revenue=revenue).game()
    events = game.do("dividend", "B&A", option=option)
    (paid,) = [event for event in events if isinstance(event, DividendDecided)]
    assert (paid.old_price, paid.new_price) == (old, after)


def test_minor_has_no_token_step() -> None:
    """Track, run, half to the owner, trains (R-NE-061, R-NE-075)."""
    game = NewEngland().minor("WNR", 70, "a", "2", treasury=500).operating("WNR").game()
    game.passes("WNR")
    assert {"token", "run", "dividend"} <= set(game.table.turn.done)
    assert set(game.kinds()) == {"buy_train", "pass"}
    game.passes("WNR")
    assert game.round_name() != "OR 2.1"
