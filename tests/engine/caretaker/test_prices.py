"""Which trades the caretaker proposes, and at what price, in dollars worked out by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.caretaker import deals, trains
from engine.caretaker.ideas import View, ways
from engine.caretaker.railway import places
from engine.core.offers import Cursor
from engine.game import Game
from engine.play.table import Table
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, find
from tests.titles.t18al.alabama import Alabama

Worths = dict[tuple[Any, ...], float]


@pytest.fixture(autouse=True)
def _to_the_dollar(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that each dollar that a limit is off shows in the price."""
    monkeypatch.setattr(deals, "ROUNDED", 1)


def worths(view: View, game: Game, kind: str, player: str = "a") -> Worths:
    """What each proposal is worth, by what is chosen in it."""
    ideas = view(SeatedPlayer(game, player), find(game, kind))
    return {tuple(idea.walk.chosen.values()): round(idea.worth, 6) for idea in ideas}


def valued(monkeypatch: pytest.MonkeyPatch, name: str, dollars: Callable[..., float]) -> None:
    """Something that proposals weigh is worth this."""
    monkeypatch.setattr(deals, name, dollars)


# --- privates ----------------------------------------------------------------------------------------------------


def canal(*others: str) -> Position:
    """LV, Ann's, may buy the C&OC of Bob, of $80 and an income of $15, at half its value or up to twice that."""
    place = Position().phase("3").cash(a=0, b=0, c=0).start("LV", 95, a=60).trains("LV", "3")
    return place.owns("b", "C&OC", *others).operating("LV")


@pytest.mark.parametrize(
    ("opened", "cheaper", "kept", "price"),
    [
        (
            40,
            8,
            70,
            110,
        ),  # between 100, $30 more than it is worth to Bob, and 120, of which 30% are $30 less than $66
        (40, 8, 5, 80),  # between half its value and 120
        (100, 68, 90, 140),  # between 120 and twice its value
        (40, 8, 89, 120),
        (40, 8, 91, None),
    ],
)
def test_the_price_of_a_private_for_a_company_is_halfway_between_what_it_is_worth_to_both(
    monkeypatch: pytest.MonkeyPatch, opened: int, cheaper: int, kept: int, price: int | None
) -> None:
    """To the company what it opens and saves, and $18 in two rounds for Ann's 60%; a dollar of it counts 30 cents."""
    valued(monkeypatch, "incomes", lambda _: 2)
    valued(monkeypatch, "_opened", lambda *_: opened)
    valued(monkeypatch, "_cheaper", lambda *_: cheaper)
    valued(
        monkeypatch,
        "held_value",
        lambda _t, owner, private: kept if (owner, private) == ("b", "C&OC") else 1_000,
    )
    found = worths(deals.private_purchases, canal("D&R").game(), "buy_private")
    expected = {} if price is None else {("C&OC", price): round(opened + cheaper + 18 - price * 0.3, 6)}
    assert found == expected


def test_ones_own_private_is_taken_over_and_that_of_another_asked_for_once_a_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    valued(monkeypatch, "_opened", lambda *_: 1_000)
    valued(monkeypatch, "held_value", lambda *_: 50)
    game = canal().owns("a", "D&R").game()
    mine = {("D&R", 40): 20}
    found = worths(deals.private_purchases, game, "buy_private")
    assert sorted(found) == [("C&OC", 120), ("D&R", 40)]
    assert found.items() >= mine.items()
    game.table.state.asked = {"a": ["buy_train"], "b": ["buy_private"]}
    assert len(worths(deals.private_purchases, game, "buy_private")) == 2
    game.table.state.asked = {"a": ["buy_private"]}
    assert worths(deals.private_purchases, game, "buy_private") == mine


def test_a_private_opens_the_places_that_only_it_keeps_closed() -> None:
    """D&R closes K3, where the track of LV comes out, and B&S G5, far away; of a dollar of a place 80 cents count."""
    place = Position().start("LV", 95, a=60).tile("J2", "57", 1).owns("b", "D&R", "B&S", "B&OR")
    t = place.operating("LV").game().table
    shut = frozenset({"F4", "G5"})
    open_, closed = places(t.map, "LV", 0, shut), places(t.map, "LV", 0, shut | {"K3"})
    assert open_ > closed
    assert deals._opened(t, "a", "D&R") == pytest.approx((open_ - closed) * 0.8)
    assert deals._opened(t, "a", "B&OR") == 0, "it closes no hex"
    assert deals._opened(t, "b", "D&R") == 0, "one's own does not keep one out"


@pytest.mark.parametrize(
    ("treasury", "left", "saved"),
    [
        (180, {"t3": 2}, 90 * 0.3),  # half of a 3-train, $180
        (179, {"t3": 2}, 0),
        (900, {"t3": 2}, 225 * 0.3),  # half of a 5-train, $450
        (900, {"t3": 0, "t4": 0, "t5": 0}, 0),
        (900, {"t3": 1, "t4": 0, "t5": 0}, 90 * 0.3),
    ],
)
def test_a_private_saves_what_a_train_costs_less_that_is_left_and_can_be_paid(
    treasury: int, left: dict[str, int], saved: float
) -> None:
    """18AL: NDY halves the price of a 3-, 4- or 5-train; SNAR of none."""
    place = Alabama().phase("3").start("L&N", 105, a=60).treasury("L&N", treasury).depot(**left)
    t = place.operating("L&N").game().table
    assert deals._cheaper(t, "NDY") == pytest.approx(saved)
    assert deals._cheaper(t, "SNAR") == 0


def trade(player: str) -> Game:
    """18AL, a stock round: NDY and SNAR are Bob's; Ann and Cy could buy them."""
    return Alabama().phase("3").cash(a=400, b=400, c=400).owns("b", "NDY", "SNAR").stock(player).game()


@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [
        (260, 120, {("NDY", 190): 70}),  # between 150 and 230
        (180, 120, {("NDY", 150): 30}),
        (179, 120, {}),
    ],
)
def test_a_private_for_oneself_costs_halfway_between_what_it_is_worth_to_both(
    monkeypatch: pytest.MonkeyPatch, mine: int, theirs: int, found: Worths
) -> None:
    """Each is $30 better off at least; SNAR is worth nothing to Ann."""
    valued(
        monkeypatch,
        "takeover_value",
        lambda _t, player, private: mine if (player, private) == ("a", "NDY") else 0,
    )
    valued(monkeypatch, "held_value", lambda _t, player, _p: theirs if player == "b" else 1_000)
    assert worths(deals.private_purchases, trade("a"), "buy_private") == found


@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [
        (120, 260, {("NDY", "a", 190): 70}),
        (120, 180, {("NDY", "a", 150): 30}),
        (120, 179, {}),
    ],
)
def test_ones_own_private_is_offered_halfway_between_what_it_is_worth_to_both(
    monkeypatch: pytest.MonkeyPatch, mine: int, theirs: int, found: Worths
) -> None:
    valued(
        monkeypatch,
        "takeover_value",
        lambda _t, player, private: theirs if (player, private) == ("a", "NDY") else 0,
    )
    valued(monkeypatch, "held_value", lambda _t, player, _p: mine if player == "b" else 1_000)
    game = trade("b")
    assert worths(deals.private_sales, game, "sell_private", "b") == found
    game.table.state.asked = {"b": ["sell_private"]}
    assert worths(deals.private_sales, game, "sell_private", "b") == {}


def test_ones_own_private_is_offered_only_in_a_stock_round(monkeypatch: pytest.MonkeyPatch) -> None:
    valued(monkeypatch, "takeover_value", lambda *_: 900)
    game = trade("b")
    offer = find(game, "sell_private")
    assert list(deals.private_sales(SeatedPlayer(game, "b"), offer))
    operating = Alabama().phase("3").start("L&N", 105, a=60).owns("b", "NDY").operating("L&N").game()
    assert list(deals.private_sales(SeatedPlayer(operating, "b"), offer)) == []


# --- trains ------------------------------------------------------------------------------------------------------


def giver(treasury: int = 2_000, phase: str = "5", **facts: Any) -> Position:
    """LV, Ann's, has a train; B&O, Bob's, has two 4-trains, at $300, and keeps one."""
    place = Position(**facts).phase(phase).cash(a=0, b=0, c=0).start("LV", 95, a=60).start("B&O", 80, b=50)
    place.trains("B&O", "4", "4").treasury("B&O", 0).trains("LV", "3").treasury("LV", treasury)
    return place.operating("LV", "trains")


def asked(
    monkeypatch: pytest.MonkeyPatch, game: Game, worth: float, *, bank: float = -1, cents: float = 30
) -> Worths:
    """Proposals of a train: it is worth this much, less `cents` for each dollar; those of the bank are worth `bank`."""

    def bring(_: Table, walk: Cursor, _before: int) -> float:
        return bank if walk.chosen["source"] == "bank" else worth - walk.chosen["price"] * cents / 100

    monkeypatch.setattr(trains, "train_worth", bring)
    found = worths(deals.train_purchases, game, "buy_train")
    return {deal: dollars for deal, dollars in found.items() if deal[1] != "bank"}


@pytest.mark.parametrize(
    ("worth", "bank", "price"),
    [
        (158.7, -1, 425),  # between 420 and 429, of which 30% are $30 less
        (198.7, 40, 425),  # what the best train of the bank brings is to be had anyway
        (180, -1, 435),  # no more than half as much again as its price
        (156.15, -1, 420),
        (155.85, -1, None),
        (20, -1, None),
    ],
)
def test_a_train_costs_halfway_between_what_it_is_worth_to_both(
    monkeypatch: pytest.MonkeyPatch, worth: float, bank: int, price: int | None
) -> None:
    """For it B&O loses $300; of what it has 25% count for Bob, who is to be $30 better off."""
    found = asked(monkeypatch, giver().game(), worth, bank=bank)
    assert found == ({} if price is None else {("4", "B&O", "", price): round(worth - price * 0.3, 6)})


def test_only_the_treasury_pays_for_a_train_of_another_player(monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(asked(monkeypatch, giver(treasury=430).game(), 180)) == [("4", "B&O", "", 425)]
    assert asked(monkeypatch, giver(treasury=419).cash(a=500).game(), 180) == {}


def test_a_train_is_not_asked_for_that_brings_no_more_at_its_price(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a dollar of the company counts for 60 cents, the $420 for $252."""
    game = giver(treasury=420).game()
    assert asked(monkeypatch, game, 283, cents=60) == {("4", "B&O", "", 420): 31}
    assert asked(monkeypatch, game, 282, cents=60) == {}


def test_others_are_asked_for_a_train_once_a_round_and_only_where_they_must_agree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = giver().game()
    game.table.state.asked = {"a": ["buy_private"], "b": ["buy_train"]}
    assert asked(monkeypatch, game, 180)
    game.table.state.asked = {"a": ["buy_train"]}
    assert asked(monkeypatch, game, 180) == {}
    assert asked(monkeypatch, giver(profile="18xx.games", from_log=9).game(), 180) == {}


def test_a_train_is_asked_of_the_company_of_others_that_has_most_of_them() -> None:
    """Of equal ones the first; of none that has a single train, and not of one's own."""
    place = (
        giver(phase="4")
        .start("SRR", 80, a=60)
        .trains("SRR", "4", "4", "4")
        .start("C&O", 80, b=60)
        .trains("C&O", "5")
    )
    place.start("PRR", 80, c=60).trains("PRR", "4", "4", "4").start("N&W", 80, c=60).trains(
        "N&W", "4", "4", "4"
    )
    game = place.operated("B&O", "PRR", "N&W", "SRR", "C&O").game()

    def spare() -> list[tuple[Any, Any]]:
        found = deals._spare_trains(SeatedPlayer(game, "a"), find(game, "buy_train"))
        return [(walk.chosen["train"], walk.chosen["source"]) for walk in found]

    assert spare() == [("4", "PRR")]
    companies = game.table.state.companies
    companies["C&O"].trains.append("5")
    companies["PRR"].trains.pop()
    assert spare() == [("4", "N&W"), ("5", "C&O")]


# --- halfway -----------------------------------------------------------------------------------------------------


def test_a_price_is_rounded_up_to_five_dollars_but_never_above_the_highest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deals, "ROUNDED", 5)
    walk = next(ways(find(canal().game(), "buy_private")))

    def price(least: float, most: float) -> list[Any]:
        return [one.chosen["price"] for one in deals._between(walk, least, most)]

    assert price(100, 120) == [110]
    assert price(100, 121) == [115]
    assert price(100.5, 101.5) == [101]
    assert price(101.5, 101.5) == [101]
    assert price(102, 101.5) == []
    assert price(0, 1_000) == [100]
    assert price(161, 1_000) == []
    assert price(0, 39) == []
