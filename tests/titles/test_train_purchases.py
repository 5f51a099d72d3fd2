"""Purchases of trains, as they are counted, offered and said (11.7, 11.8)."""

import pytest

from engine.core.events import TrainBought
from engine.core.spec import TileLayPower
from engine.core.state import CompanyTurn, Operating
from engine.play.steps.base import Request
from engine.play.track.private_lay import power_rotations
from engine.play.trains.purchase_options import no_purchase_reason
from engine.play.trains.train_prices import purchases_by_private
from engine.titles import TITLES
from tests.titles.builders import Position
from tests.titles.t18al.alabama import Alabama
from tests.titles.test_forced_money import lehigh


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
    deals = purchases_by_private(game.table)["NDY"]
    assert list(dict.fromkeys(deal.source for deal in deals)) == sources
    assert {(deal.train, deal.lowest_price) for deal in deals} == {("4", 150)} | (
        {("3", 90)} if "pool" in sources else set()
    )


def test_train_menu_names_seller_and_trade_in() -> None:
    """R-CH-145 (11.7): as soon as it is plain which purchase is meant."""
    position = Position().phase("6").depot(t6=1).pool("6").start("LV", 95, a=60).trains("LV", "5")
    game = position.treasury("LV", 2000).operating("LV", "trains").game()
    new, used = "6-train from the bank $630", "6-train from the pool $630"
    assert game.labels(game.domain("buy_train", "LV", "train")) == ["6-train", "D-train"]
    assert game.labels(game.domain("buy_train", "LV", "source", train="6")) == [new, used]
    assert game.labels(game.domain("buy_train", "LV", "source", train="D")) == ["from the bank"]
    suggested = [game.label(found) for found in game.find("buy_train", "LV").suggest()]
    diesel = "D-train from the bank "
    assert suggested == [new, f"{diesel}$900", used, f"{diesel}$700, trading in a 5-train"]


def test_trains_of_a_turn_are_counted() -> None:
    position = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, a=50, b=10).trains("PRR", "3")
    game = position.pool("2").treasury("LV", 900).operating("LV", "trains").game()
    depot = game.table.state.depot["3"]
    assert depot is not None
    counted = []
    for train, price, source in (("3", 1, "PRR"), ("2", 80, "pool"), ("3", 180, "bank")):
        happened = game.buy("LV", train, price, source)
        assert sum(isinstance(event, TrainBought) for event in happened) == 1
        turn = game.table.turn
        counted.append((turn.bought, turn.bought_from_bank, turn.last_seller))
    assert counted == [(1, 0, "PRR"), (2, 1, "pool"), (3, 2, "bank")]
    assert game.company("LV").trains_bought == 3
    assert game.company("LV").trains == ["3", "2", "3"]
    assert game.company("LV").cash == 900 - 1 - 80 - 180
    assert (game.company("PRR").trains, game.table.state.pool) == ([], [])
    assert game.table.state.depot["3"] == depot - 1


@pytest.mark.parametrize(
    ("source", "price", "left"), [("ATN", 1, {"bank", "pool", "ATN"}), ("pool", 100, {"ATN"})]
)
def test_pool_train_is_the_bank_train_of_a_turn(source: str, price: int, left: set[str]) -> None:
    """R-AL-181 (4.2.4): one of another company is not."""
    position = Position(title="18al").phase("3").start("TAG", 60, a=60).start("ATN", 60, a=60)
    position.trains("ATN", "2", "3").pool("2").treasury("TAG", 900)
    game = position.operating("TAG", "trains").game()
    game.buy("TAG", "2", price, source)
    assert {deal[1] for deal in game.train_deals("TAG")} == left


def test_train_by_a_private_names_its_end() -> None:
    position = Alabama().phase("3").start("WRA", 60, a=60).trains("WRA", "2").treasury("WRA", 500)
    game = position.owns("WRA", "NDY").operating("WRA", "trains").game()
    offer = game.find("buy_train", "NDY")
    assert game.label(offer) == "Buy a train with NDY, which then closes"
    assert [game.tell().say(ready.label) for ready in offer.suggest()] == [
        "3-train from the bank $90, and NDY closes"
    ]


@pytest.mark.parametrize("title", TITLES)
def test_tiles_of_privates_fit_their_hexes(title: str) -> None:
    """Yellow tiles; others may need track that is not there yet."""
    table = Position(min(TITLES[title].spec.players), title=title).t
    table.state.round = Operating(turn=CompanyTurn(next(iter(table.state.companies))))
    for private in table.spec.privates.values():
        for power in (one for one in private.powers if isinstance(one, TileLayPower)):
            for tile in (one for one in power.tiles if table.spec.tiles[one].colour == "yellow"):
                assert all(power_rotations(table, power, coord, tile) for coord in power.hexes)
                assert power.tile_count == 1 or table.map.supply[tile] is None
