"""What is bought is counted once: shares and trains change hands, and the turn remembers them, one by one."""

from engine.core.events import Event, PrivateClosed, ShareBought, SharesSold, TrainBought
from engine.game import Game
from tests.titles.builders import Position, cash, company, do, kinds, on_turn, train_deals


def of_kind(happened: tuple[Event, ...], kind: type) -> list[Event]:
    """The events of this kind."""
    return [event for event in happened if isinstance(event, kind)]


def buy_train(game: Game, train: str, price: int, source: str = "bank") -> tuple[Event, ...]:
    """LV buys a train."""
    return do(game, "buy_train", "LV", train=train, source=source, trade_in="", price=price)


def test_a_share_is_bought_once_and_is_the_purchase_of_the_turn() -> None:
    """Rulebook 10: one certificate a turn, paid for once."""
    position = Position().phase("3").start("PRR", 80, b=50).start("LV", 95, c=50).cash(a=500)
    game = position.game()
    before = company(game, "PRR").percent("offering")
    happened = do(game, "buy_share", "a", company="PRR", source="offering")
    assert len(of_kind(happened, ShareBought)) == 1
    assert cash(game)["a"] == 420
    assert company(game, "PRR").percent("a") == 10
    assert company(game, "PRR").percent("offering") == before - 10
    assert on_turn(game) == "b"


def test_the_next_player_has_a_purchase_of_their_own() -> None:
    """Rulebook 10: the purchases and sales of the player before are theirs alone."""
    position = Position().phase("3").start("PRR", 80, c=50, a=10, b=10).cash(a=500, b=500)
    game = position.game()
    do(game, "sell_shares", "a", company="PRR", shares=1)
    assert game.table.stock.sold == {"a": ["PRR"]}
    do(game, "pass", "a")
    turn = game.table.stock
    assert (turn.acted, turn.bought, turn.sold_first, turn.sold) == (False, None, False, {"a": ["PRR"]})
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert (on_turn(game), cash(game)["b"]) == ("c", 420)


def test_a_block_is_sold_once() -> None:
    """Rulebook 10.2: this many shares, at the price before the sale."""
    position = Position().phase("3").start("PRR", 80, b=50, a=30).cash(a=0)
    game = position.game()
    happened = do(game, "sell_shares", "a", company="PRR", shares=2)
    assert len(of_kind(happened, SharesSold)) == 1
    assert cash(game)["a"] == 160
    assert (company(game, "PRR").percent("a"), company(game, "PRR").percent("market")) == (10, 20)


def test_trains_of_a_turn_are_counted_once_each_and_those_of_the_bank_apart() -> None:
    """Rulebook 11.7: bank, bank pool and another company."""
    position = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, a=50, b=10).trains("PRR", "3")
    game = position.pool("2").treasury("LV", 900).operating("LV", "trains").game()
    depot = game.table.state.depot["3"]
    assert depot is not None
    counted = []
    for train, price, source in (("3", 1, "PRR"), ("2", 80, "pool"), ("3", 180, "bank")):
        happened = buy_train(game, train, price, source)
        assert len(of_kind(happened, TrainBought)) == 1
        turn = game.table.turn
        counted.append((turn.bought, turn.bought_from_bank, turn.last_seller))
    assert counted == [(1, 0, "PRR"), (2, 1, "pool"), (3, 2, "bank")]
    assert company(game, "LV").trains_bought == 3
    assert company(game, "LV").trains == ["3", "2", "3"]
    assert company(game, "LV").cash == 900 - 1 - 80 - 180
    assert (company(game, "PRR").trains, game.table.state.pool) == ([], [])
    assert game.table.state.depot["3"] == depot - 1


def test_a_private_that_waits_for_the_first_train_closes_with_it() -> None:
    """Rulebook 7.1: with the first one, and no other private does."""
    position = Position(linked="LV").phase("3").start("LV", 95, a=60).owns("a", "CV", "D&R")
    game = position.treasury("LV", 900).operating("LV", "trains").game()
    assert of_kind(buy_train(game, "3", 180), PrivateClosed) == [PrivateClosed("CV")]
    assert of_kind(buy_train(game, "3", 180), PrivateClosed) == []
    assert game.table.state.privates["D&R"].owner == "a"


def _one_bank_train_a_turn() -> Game:
    position = Position(title="18al").phase("3").start("TAG", 60, a=60).start("ATN", 60, a=60)
    position.trains("ATN", "2", "3").pool("2").treasury("TAG", 900)
    return position.operating("TAG", "trains").game()


def test_a_train_of_another_company_is_not_the_one_train_of_the_bank() -> None:
    """R-AL-181 (4.2.4)"""
    game = _one_bank_train_a_turn()
    do(game, "buy_train", "TAG", train="2", source="ATN", trade_in="", price=1)
    assert {deal[1] for deal in train_deals(game, "TAG")} == {"bank", "pool", "ATN"}


def test_a_train_of_the_pool_is_the_one_train_of_the_bank() -> None:
    """R-AL-181 (4.2.4)"""
    game = _one_bank_train_a_turn()
    do(game, "buy_train", "TAG", train="2", source="pool", trade_in="", price=100)
    assert {deal[1] for deal in train_deals(game, "TAG")} == {"ATN"}
    assert "pass" in kinds(game)
