"""Dollars at the edge: just enough, one too few, and what a sale for a train has brought (11.7, 11.8)."""

import pytest

from engine.core.events import SharesSold, WentBankrupt
from tests.titles.builders import Position, TitleGame
from tests.titles.t18al.alabama import Alabama


def lehigh(treasury: int, president: int) -> Position:
    """LV without a train but with a route; the bank's cheapest train costs $500, and Ann has one share at $90."""
    position = Position().phase("5").tile("J2", "57", 1).start("LV", 95, a=20, b=10, c=10, market=30)
    position.treasury("LV", treasury).start("PRR", 95, at=(2, 4), b=40, a=10).cash(a=president)
    return position.operating("LV", "trains")


def deals(game: TitleGame, name: str, source: str) -> list[tuple[str, str, int, int]]:
    found = game.train_deals(name)
    return [(train, handed, low, high) for train, seller, handed, low, high in found if seller == source]


@pytest.mark.parametrize(("treasury", "president", "expected"), [
    (500, 400, {"buy_train"}),
    (499, 1, {"buy_train"}),
    (499, 0, {"sell_shares"}),
    (410, 0, {"sell_shares"}),
    (210, 200, {"sell_shares"}),
    (209, 200, {"sell_shares", "declare_bankruptcy"}),
    (409, 0, {"sell_shares", "declare_bankruptcy"}),
])  # fmt: skip
def test_sales_come_when_a_dollar_is_missing(treasury: int, president: int, expected: set[str]) -> None:
    """R-CH-150 to 154 (11.8): the treasury first, then the president's cash, then their share for $90, then nothing."""
    game = lehigh(treasury, president).game()
    assert set(game.kinds()) == expected


def test_leftover_rule_is_not_of_18chesapeake() -> None:
    """R-CH-152 (11.8): for $90 any one share may be sold, for more than is missing or for less."""
    position = lehigh(410, 0).start("C&O", 70, b=40, a=10).start("N&W", 95, at=(1, 8), b=40, a=10)
    assert position.game().values("sell_shares", "a", "company") == ["PRR", "C&O", "N&W"]


@pytest.mark.parametrize(("president", "sold"), [(199, True), (200, False)])
def test_private_is_sold_while_money_is_missing(president: int, sold: bool) -> None:
    """R-AL-195 (4.2.5.2): the president's cash comes first."""
    position = Alabama().phase("4").cash(a=president, b=300).tiles(L5=("57", 2)).owns("a", "NDY")
    game = position.start("WRA", 60, a=60, b=20).treasury("WRA", 100).operating("WRA", "trains").game()
    assert game.offered("sell_private", "a") is sold


def selling(count: int) -> TitleGame:
    """Ann with $50 sells of her three shares at $90; LV has $30, and a train of N&W costs up to $300 or $500."""
    position = lehigh(30, 50).start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60)
    game = position.trains("N&W", "4").game()
    game.sell("a", "C&O", count)
    return game


def there(treasury: int, president: int, *trains: str, others: tuple[str, ...] = ("4",)) -> TitleGame:
    """On 18xx.games: LV with a route, Ann with three shares of C&O at $90; N&W has a 4 of face value $300."""
    position = Position(profile="18xx.games").phase("5").tile("J2", "57", 1).trains("LV", *trains)
    position.start("LV", 95, a=20, b=10, c=10, market=30).treasury("LV", treasury)
    position.start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60).trains("N&W", *others)
    return position.cash(a=president).operating("LV", "trains").game()


@pytest.mark.parametrize(("count", "low", "site"), [(1, 81, 170), (2, 171, 260), (3, 261, 300)])
def test_train_must_need_the_last_share(count: int, low: int, site: int) -> None:
    """R-CH-152 (11.8): more than there was before that share, and at most what can be raised, or face value. D-AL-23,
    D-CH-22, D-TN-20: on that site at most what there is."""
    assert deals(selling(count), "LV", "N&W") == [("4", "", low, 300)]
    game = there(30, 50)
    game.sell("a", "C&O", count)
    assert deals(game, "LV", "N&W") == [("4", "", low, site)]


def test_18xx_games_counts_sales_for_trains() -> None:
    """D-AL-23, D-CH-22, D-TN-20: without the share there were $430, and the 4 is worth $300; a treasury that
    can pay needs no sale, and the share counts for the next train; and more may be sold where nothing can be
    bought any more."""
    game = there(30, 400)
    game.sell("a", "C&O", 1)
    assert [source for _, source, *_ in game.train_deals("LV")] == ["bank"]
    assert "cannot buy another company's train" in game.no_deal("11.8", "LV", "4", 1, "N&W")
    game = there(300, 150, others=("4", "6"))
    game.sell("a", "C&O", 1)
    assert sorted(deals(game, "LV", "N&W")) == [("4", "", 1, 300), ("6", "", 451, 540)]
    game.buy("LV", "4", 100, "N&W")
    game.do("answer", "c", reply="agree")
    assert set(game.kinds()) == {"sell_shares", "pass"}
    assert "cannot buy another company's train" in game.no_deal("11.8", "LV", "6", 200, "N&W")
    game = there(50, 300, "4")
    game.sell("a", "C&O", 1)
    assert set(game.kinds()) == {"sell_shares", "pass"}


@pytest.mark.parametrize(("step", "kept"), [("track", 10), ("trains", 0)])
def test_18xx_games_early_bankruptcy(step: str, kept: int) -> None:
    """D-AL-24, D-CH-23, D-TN-21: the share stays, and is worth $90 to Ann at the end."""
    position = Position(profile="18xx.games").phase("5").tile("J2", "57", 1).cash(a=0)
    position.start("PRR", 95, at=(2, 4), b=40, a=10).start("LV", 70, a=40, b=40, c=20)
    game = position.treasury("LV", 30).operating("LV", step).game()
    game.do("declare_bankruptcy", "LV")
    assert game.is_over
    assert game.company("PRR").percent("a") == kept


def test_purchase_forgets_earlier_sales() -> None:
    """R-CH-153 (11.8): they were for the train that has been bought."""
    game = selling(3)
    game.buy("LV", "4", 300, "N&W")
    game.do("answer", "c", reply="agree")
    turn = game.table.turn
    assert (turn.funds_before_last_share, turn.smallest_sale) == (None, None)


def test_bank_and_pool_trains_are_suggested() -> None:
    position = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, b=60).trains("PRR", "3")
    position.pool("2").treasury("LV", 180).operating("LV", "trains")
    rich = [found.chosen["source"] for found in position.game().find("buy_train", "LV").suggest()]
    assert rich == ["bank", "pool"]
    poor = position.treasury("LV", 1).game()
    assert deals(poor, "LV", "PRR") == [("3", "", 1, 1)]
    assert list(poor.find("buy_train", "LV").suggest()) == []


@pytest.mark.parametrize(("profile", "sources"), [("rulebook", ["bank"]), ("18xx.games", ["bank", "pool"])])
def test_18xx_games_trades_for_pool_diesel(profile: str, sources: list[str]) -> None:
    """R-CH-145 (11.7)"""
    position = Position(profile=profile).phase("D").pool("D").start("LV", 95, a=60).trains("LV", "5")
    game = position.treasury("LV", 700).operating("LV", "trains").game()
    assert [seller for _, seller, handed, _, _ in game.train_deals("LV") if handed == "5"] == sources


def reduced(treasury: int, president: int, *trains: str) -> TitleGame:
    """WRA has the private that halves the price of a train: 4-trains cost it $150, and one lies in the pool."""
    position = Alabama().phase("4").cash(a=president).tiles(L5=("57", 2)).start("WRA", 60, a=60, b=20)
    position.treasury("WRA", treasury).trains("WRA", *trains).pool("3").owns("WRA", "NDY")
    return position.operating("WRA", "trains").game()


@pytest.mark.parametrize(
    ("treasury", "president", "trains", "possible"),
    [
        (150, 0, ("3",), True),
        (149, 0, ("3",), False),
        (149, 900, ("3",), False),
        (100, 50, (), True),
        (100, 49, (), False),
    ],
)
def test_president_pays_reduced_train_if_forced(
    treasury: int, president: int, trains: tuple[str, ...], possible: bool
) -> None:
    """R-AL-192 (4.2.5.2), the reduced price of 1.4."""
    game = reduced(treasury, president, *trains)
    assert game.offered("buy_train", "NDY") is possible
    assert game.offered("pass", "WRA") is bool(trains and possible)
    if possible:
        assert game.values("buy_train", "NDY", "train") == ["4"]
        assert game.values("buy_train", "NDY", "source", train="4") == ["bank"]
        deal = {"train": "4", "source": "bank", "trade_in": ""}
        assert game.values("buy_train", "NDY", "price", **deal) == [150]
        game.buy("NDY", "4", 150)
        assert game.company("WRA").cash + game.cash()["a"] == treasury + president - 150
        assert game.table.state.privates["NDY"].closed


def test_bankruptcy_is_in_the_events() -> None:
    """R-CH-154, R-CH-181 (11.8, 12): the sales the president had left, and their cash, which goes to the bank."""
    game = lehigh(30, 50).game()
    bank = game.table.state.bank
    happened = game.do("declare_bankruptcy", "LV")
    assert [event for event in happened if isinstance(event, SharesSold)] == [
        SharesSold("a", "PRR", 1, 90, 90, game.price("PRR"))
    ]
    assert [event for event in happened if isinstance(event, WentBankrupt)] == [WentBankrupt("a", "LV")]
    assert (game.cash()["a"], game.table.state.bank) == (0, bank + 50)
    assert game.company("LV").cash == 30
