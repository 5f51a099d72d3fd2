"""What is bought and sold for a train is counted, and said, exactly (11.7, 11.8)."""

from typing import Any

import pytest

from engine.core.events import Compensated
from engine.play.steps.base import Request
from engine.play.trains.purchase_options import no_purchase_reason
from engine.play.trains.train_prices import by_private
from tests.titles.builders import (
    Position,
    buy,
    cash,
    company,
    do,
    domain,
    find,
    kinds,
    label,
    labels,
    refused,
    sell,
    values,
)
from tests.titles.t18al.alabama import Alabama
from tests.titles.test_forced_money import lehigh


def test_agreed_train_is_paid_by_several_shares() -> None:
    """R-CH-152 (11.8): what others still bring counts, whatever is sold first."""
    position = lehigh(0, 0).start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60)
    game = position.trains("N&W", "4").game()
    buy(game, "LV", "4", 300, "N&W")
    do(game, "answer", "c", reply="agree")
    assert kinds(game) == ["sell_shares"]
    assert values(game, "sell_shares", "a", "company") == ["PRR", "C&O"]
    assert values(game, "sell_shares", "a", "shares", company="C&O") == [1, 2, 3]
    sell(game, "a", "PRR", 1)
    sell(game, "a", "C&O", 3)
    assert company(game, "LV").trains == ["4"]
    assert cash(game)["a"] == 90 * 4 - 300


def test_share_sold_in_vain_is_refused() -> None:
    """R-CH-152 (11.8): after a sale for the bank's train, another company's has to cost more than was there before."""
    position = lehigh(30, 50).start("C&O", 95, at=(2, 4), b=40, a=30).start("N&W", 80, c=60)
    game = position.trains("N&W", "4").game()
    sell(game, "a", "C&O", 1)
    deal: dict[str, Any] = {"train": "4", "source": "N&W", "trade_in": ""}
    assert "the last share need not have been sold: $80 was there" in refused(
        game, "11.8", "buy_train", "LV", **deal, price=1
    )
    assert "a whole number of dollars" in refused(game, "11.7", "buy_train", "LV", **deal, price=0)


def test_no_purchase_names_cheapest_train() -> None:
    """R-CH-150 (11.8): whichever train was meant, it is about the cheapest one, as long as there is any."""
    game = lehigh(409, 0).game()
    why = game.obstacle(Request("buy_train", "a", "LV", {}))
    assert why is not None
    assert (why.reason.name, why.reason.values["price"]) == ("forced.not_enough", 500)
    game.table.state.depot.update(dict.fromkeys(game.table.state.depot, 0))
    assert no_purchase_reason(game.table, "LV").name == "trains.none_left"


@pytest.mark.parametrize(("profile", "sources"), [("rulebook", ["bank"]), ("18xx.games", ["bank", "pool"])])
def test_18xx_games_halves_pool_trains(profile: str, sources: list[str]) -> None:
    """D-AL-10 (Table III)"""
    position = Alabama(profile=profile).phase("4").start("WRA", 60, a=60, b=20).owns("WRA", "NDY")
    game = position.trains("WRA", "4").pool("3", "4").treasury("WRA", 500).operating("WRA", "trains").game()
    deals = by_private(game.table)["NDY"]
    assert list(dict.fromkeys(deal.source for deal in deals)) == sources
    assert {(deal.train, deal.lowest_price) for deal in deals} == {("4", 150)} | (
        {("3", 90)} if "pool" in sources else set()
    )


def test_salvage_is_in_the_events() -> None:
    """R-TN-302 (8(c)): $50 for each of the two 3-trains."""
    position = Position(title="18tn", options=["salvage_3"]).phase("5").depot(t5=0).start("SR", 90, a=60)
    position.start("TC", 90, b=60).trains("TC", "3", "3").treasury("SR", 600)
    game = position.operating("SR", "trains").game()
    happened = buy(game, "SR", "6", 600)
    assert [e for e in happened if isinstance(e, Compensated)] == [Compensated("TC", "3", 100)]


def test_train_menu_names_seller_and_trade_in() -> None:
    """R-CH-145 (11.7): as soon as it is plain which purchase is meant."""
    position = Position().phase("6").depot(t6=1).pool("6").start("LV", 95, a=60).trains("LV", "5")
    game = position.treasury("LV", 2000).operating("LV", "trains").game()
    new, used = "6-train from the bank $630", "6-train from the pool $630"
    assert labels(game, domain(game, "buy_train", "LV", "train")) == ["6-train", "D-train"]
    assert labels(game, domain(game, "buy_train", "LV", "source", train="6")) == [new, used]
    assert labels(game, domain(game, "buy_train", "LV", "source", train="D")) == ["from the bank"]
    suggested = [label(game, found) for found in find(game, "buy_train", "LV").suggest()]
    diesel = "D-train from the bank "
    assert suggested == [new, f"{diesel}$900", used, f"{diesel}$700, handing in a 5-train"]
