"""18Chesapeake: trains, limits, rust, export (rulebook 8, 11.7, 11.9)."""

import pytest

from tests.titles.builders import Position
from tests.titles.t18chesapeake.lehigh import lehigh


def test_bank_trains_cost_face_value() -> None:
    """R-CH-140 (11.7), D-CH-18: the cheapest new one, any of the pool; on 18xx.games, too."""
    game = lehigh("3", 600, "2").pool("4", "2", "2").game()
    assert list(game.train_deals("LV")) == [
        ("3", "bank", "", 180, 180),
        ("4", "pool", "", 300, 300),
        ("2", "pool", "", 80, 80),
    ]
    assert "costs exactly $180" in game.no_deal("11.7", "LV", "3", 1)
    for train, price in (("3", 181), ("4", 300), ("5", 500)):
        game.no_deal("11.7", "LV", train, price)
    for source in ("pool", "LV", "nobody"):
        game.no_deal("11.7", "LV", "3", 180, source)
    game.no_deal("", "LV", "9", 500)
    game.no_deal("11.7", "LV", "3", 180, trade_in="2")
    game.buy("LV", "3", 180)
    game.buy("LV", "2", 80, "pool")
    assert (game.company("LV").trains, game.company("LV").cash) == (["2", "3", "2"], 340)
    assert game.table.state.pool == ["4", "2"]
    game = lehigh("3", 600, "2", profile="18xx.games").game()
    game.no_deal("11.7", "LV", "3", 1)
    game.buy("LV", "3", 180)


@pytest.mark.parametrize(
    ("phase", "left", "sold"), [("6", 1, ["6", "D"]), ("D", 1, ["6", "D"]), ("6", 0, ["D"]), ("5", 1, ["5"])]
)
def test_diesels_are_sold_along_with_sixes(phase: str, left: int, sold: list[str]) -> None:
    """R-CH-140, R-CH-145 (8, 11.7), D-CH-16: not before phase 6."""
    game = lehigh(phase, 2000, "5").depot(t6=left).game()
    assert [deal[0] for deal in game.train_deals("LV") if not deal[2]] == sold
    if phase == "5":
        assert "No D-train is for sale; the bank sells 5" in game.no_deal("11.7", "LV", "D", 900)
        game.no_deal("11.7", "LV", "D", 700, trade_in="5")


def test_train_of_another_is_agreed_on() -> None:
    """R-CH-141, D-CH-17 (11.7): for the treasury's money; nothing moves until the owner has agreed; a log
    implies it."""
    game = lehigh("3", 150, "2").start("PRR", 80, a=60).trains("PRR", "3").game()
    assert list(game.train_deals("LV")) == [("3", "PRR", "", 1, 150)]
    assert "at least $1" in game.no_deal("11.7", "LV", "3", 0, "PRR")
    why = game.no_deal("11.7", "LV", "3", 151, "PRR")
    assert "LV can buy a train from PRR only with the money in its treasury, $150" in why
    assert "from PRR" in game.no_deal("11.7", "LV", "2", 100, "PRR")
    position = lehigh("3", 600, "2").pool("3").start("PRR", 80, a=60).trains("PRR", "3")
    sources = position.game().domain("buy_train", "LV", "source", train="3")
    assert position.game().labels(sources)[1:] == [
        "3-train from the pool $180",
        "3-train from PRR $1 to $600",
    ]
    game.buy("LV", "3", 150, "PRR")
    assert (game.company("PRR").trains, game.company("PRR").cash) == ([], 950)
    game = lehigh("3", 150, "2").start("PRR", 80, b=60).trains("PRR", "3").game()
    game.buy("LV", "3", 90, "PRR")
    assert (game.company("PRR").trains, game.actors()) == (["3"], ("b",))
    game.do("answer", "b", reply="refuse")
    assert (game.company("LV").trains, game.company("LV").cash, game.on_turn()) == (["2"], 150, "a")
    game.buy("LV", "3", 91, "PRR")
    game.do("answer", "a", reply="withdraw")
    game.buy("LV", "3", 92, "PRR")
    game.do("answer", "b", reply="agree")
    assert (game.company("LV").trains, game.company("PRR").trains) == (["2", "3"], [])
    assert game.company("PRR").cash == 892
    position = lehigh("3", 150, "2", profile="18xx.games", from_log=10**9)
    game = position.start("PRR", 80, b=60).trains("PRR", "3").game()
    game.buy("LV", "3", 90, "PRR")
    assert game.company("LV").trains == ["2", "3"]


def test_train_limit_stops_purchases() -> None:
    """R-CH-142, R-CH-144 (8, 11.7), worked example 16: even if others would rust; they do before the limit
    counts."""
    game = lehigh("3", 600, "2", "2", "3", "3").depot(t3=0).operating("LV", "trains", of=2).game()
    assert not game.offered("buy_train", "LV")
    game = lehigh("6", 2000, "4", "5").depot(t6=1).game()
    assert "limit of 2 trains" in game.no_deal("11.7", "LV", "6", 630)
    game = lehigh("4", 600, "3", "3", "4").owns("a", "D&R").game()
    assert "Buying trains is over" in game.no_deal("11", "LV", "4", 300)
    position = lehigh("3", 600, "2", "2", "3").depot(t3=0).pool("2")
    game = position.start("PRR", 80, b=60).trains("PRR", "2", "2", "3", "3").game()
    game.buy("LV", "4", 300)
    assert (game.company("LV").trains, game.company("PRR").trains) == (["3", "4"], ["3", "3"])
    assert game.table.state.pool == []
    assert not game.offered("discard_train")
    game.buy("LV", "4", 300)


def test_owner_chooses_what_to_discard() -> None:
    """R-CH-142, R-CH-143 (11.7), worked example 16: below the limit a train is bought that lowers it."""
    game = lehigh("3", 600, "3", "3", "3").depot(t3=0).game()
    game.buy("LV", "4", 300)
    assert game.values("discard_train", "LV", "train") == ["3", "4"]
    game.refused("11.7", "discard_train", "LV", train="2")
    game.refused("11.7", "pass", "LV")
    game.no_deal("11.7", "LV", "4", 300)
    game.do("discard_train", "LV", train="3")
    assert (game.company("LV").trains, game.table.state.pool) == (["3", "3", "4"], ["3"])
    assert game.company("LV").cash == 300


@pytest.mark.parametrize(
    ("profile", "from_log", "offers"),
    [
        ("rulebook", 0, [("SRR", True)]),
        ("18xx.games", 0, [("PRR", True)]),
        ("18xx.games", 9, [("PRR", True), ("SRR", False)]),
    ],
)
def test_companies_discard_in_order(profile: str, from_log: int, offers: list[tuple[str, bool]]) -> None:
    """R-CH-143 (11.7), D-CH-3: that of operating, or of the company list; in a log any."""
    position = lehigh("3", 300, "3", profile=profile, from_log=from_log).depot(t3=0)
    for name, column in (("SRR", 9), ("PRR", 7)):
        position.start(name, 80, at=(1, column), b=60).trains(name, "3", "3", "3", "3")
    game = position.game()
    game.buy("LV", "4", 300)
    assert [(one.entity, one.blocking) for one in game.offers(kind="discard_train")] == offers
    last = offers[-1][0]
    for name in (last, "SRR" if last == "PRR" else "PRR"):
        game.do("discard_train", name, train="3")
    assert game.table.state.pool == ["3", "3"]
    assert not game.offered("discard_train")


@pytest.mark.parametrize(
    ("before", "train", "price", "gone"), [("5", "6", 630, "3"), ("6", "D", 900, "4"), ("3", "4", 300, "2")]
)
def test_trains_rust(before: str, train: str, price: int, gone: str) -> None:
    """R-CH-008, R-CH-144 (8): in companies and in the pool."""
    position = lehigh(before, 1000).pool(gone, gone).start("PRR", 80, b=60).trains("PRR", gone)
    game = position.depot(**{f"t{before}": 1 if before == "6" else 0}).game()
    game.buy("LV", train, price)
    assert (game.company("PRR").trains, game.table.state.pool, game.table.state.phase) == ([], [], train)


def test_diesel_takes_a_trade_in() -> None:
    """R-CH-145 (11.7), worked example 18: at the limit, too; a traded 4 rusts, a traded 5 is for sale; the
    president adds nothing, and both prices are said."""
    game = lehigh("6", 720, "4", "5").depot(t6=1).game()
    assert list(game.train_deals("LV")) == [("D", "bank", "4", 700, 700), ("D", "bank", "5", 700, 700)]
    assert "must trade one in" in game.no_deal("11.7", "LV", "D", 900)
    assert "cannot trade in a 6-train" in game.no_deal("11.7", "LV", "D", 700, trade_in="6")
    game.buy("LV", "D", 700, trade_in="4")
    lv = game.company("LV")
    assert (lv.cash, lv.trains, game.table.state.pool, game.table.state.phase) == (20, ["5", "D"], [], "D")
    game = lehigh("6", 720, "4", "5").depot(t6=1).game()
    game.buy("LV", "D", 700, trade_in="5")
    assert (game.company("LV").trains, game.table.state.pool) == (["D"], ["5"])
    game = lehigh("6", 699, "4", "5").cash(a=1000).owns("a", "D&R").game()
    assert not game.offered("buy_train", "LV")
    game = lehigh("6", 650, "5").depot(t6=1).start("PRR", 80, a=60).trains("PRR", "5").game()
    assert "costs $900, or $700 with a trade-in; LV has $650" in game.no_deal("11.7", "LV", "D", 900)
    game = lehigh("6", 650, route=False).depot(t6=1).game()
    assert "A D-train costs $900; LV has $650" in game.no_deal("11.7", "LV", "D", 900)


@pytest.mark.parametrize(("profile", "sold"), [("rulebook", False), ("18xx.games", True)])
def test_purchase_above_limit_is_for_18xx_games(profile: str, sold: bool) -> None:
    """R-CH-142, R-CH-145: there any train is bought and another discarded."""
    game = lehigh("6", 2000, "5", "6", profile=profile).depot(t6=1).game()
    assert (("D", "bank", "", 900, 900) in list(game.train_deals("LV"))) is sold


def test_company_with_a_route_must_buy() -> None:
    """R-CH-146, R-CH-147 (11.7): any train it can pay; without a route its president may not help."""
    game = lehigh("4", 600).pool("3").game()
    assert game.kinds() == ["buy_train"]
    assert "must buy one" in game.refused("11.7", "pass", "LV")
    assert [deal[0] for deal in game.train_deals("LV")] == ["4", "3"]
    game.buy("LV", "4", 300)
    game.passes("LV")
    game = lehigh("4", 600, route=False).game()
    assert set(game.kinds()) == {"buy_train", "pass"}
    game = lehigh("4", 10, route=False).cash(a=1000).game()
    assert not game.offered("buy_train", "LV")


@pytest.mark.parametrize(("linked", "closed"), [("LV", True), ("PRR", False)])
@pytest.mark.parametrize(("train", "seller", "price"), [("3", "bank", 180), ("2", "PRR", 1)])
def test_vanderbilt_closes_with_first_train(
    linked: str, closed: bool, train: str, seller: str, price: int
) -> None:
    """R-CH-104 (7.1): of its company, from anybody."""
    position = Position(linked=linked).phase("3").start("LV", 95, a=60).start("PRR", 80, a=60).owns("b", "CV")
    game = position.trains("PRR", "2", "3").tile("J2", "57", 1).operating("LV", "trains").game()
    game.buy("LV", train, price, seller)
    assert game.table.state.privates["CV"].closed is closed


def test_first_five_closes_privates() -> None:
    """R-CH-080 (8, 11.2)"""
    game = lehigh("4", 500).depot(t4=0).owns("a", "D&R", "CV").owns("LV", "C-P").game()
    game.buy("LV", "5", 500)
    assert all(private.closed and private.owner is None for private in game.table.state.privates.values())


def end_of_set(position: Position) -> str:
    """LV without a route ends the set; the name of the next round."""
    others = [c.id for c in position.state.companies.values() if c.floated and c.id != "LV"]
    game = position.operating("LV", "trains", operated=others).game()
    while game.round_name().startswith("OR"):
        game.passes("LV")
    return game.round_name()


def test_train_leaves_after_each_set() -> None:
    """R-CH-170 (11.9), worked example 17: the last 3, no change of phase; not between the rounds of a set.
    The first of a kind starts its phase, and discards come before the stock round."""
    position = Position().phase("3").depot(t3=1).start("LV", 95, a=60)
    assert end_of_set(position) == "SR 3"
    assert (position.state.depot["3"], position.state.phase) == (0, "3")
    game = Position().phase("3").start("LV", 95, a=60).operating("LV", "trains", number=1, of=2).game()
    game.passes("LV")
    assert (game.round_name(), game.table.state.depot["3"]) == ("OR 2.2", 5)
    position = Position().phase("3").depot(t3=0).start("LV", 95, a=60).start("PRR", 80, b=60)
    position.trains("LV", "3", "3", "3", "3").trains("PRR", "2", "3")
    assert end_of_set(position) == "SR 3"
    game = position.game()
    assert (game.table.state.phase, game.company("PRR").trains) == ("4", ["3"])
    assert game.kinds() == ["discard_train"]
    game.refused("11.7", "pass", "a")
    game.do("discard_train", "LV", train="3")
    assert game.company("LV").trains == ["3", "3", "3"]
    game.passes("a", "b", "c")
    assert game.table.operating_round.of == 2


@pytest.mark.parametrize("phase", ["5", "6", "D"])
def test_permanent_trains_never_leave(phase: str) -> None:
    """R-CH-170 (11.9), worked example 17."""
    position = Position().phase(phase).pool("4").start("LV", 95, a=60)
    before = dict(position.state.depot)
    end_of_set(position)
    assert (position.state.depot, position.state.pool) == (before, ["4"])
