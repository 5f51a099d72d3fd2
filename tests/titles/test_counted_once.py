"""What is bought is counted once: shares and trains change hands, and the turn remembers them, one by one."""

import pytest

from engine.core.events import Event, TrainBought
from engine.game import Game
from tests.titles.builders import Position, buy, company, train_deals


def of_kind(happened: tuple[Event, ...], kind: type) -> list[Event]:
    return [event for event in happened if isinstance(event, kind)]


def test_trains_of_a_turn_are_counted() -> None:
    position = Position().phase("3").start("LV", 95, a=60).start("PRR", 80, a=50, b=10).trains("PRR", "3")
    game = position.pool("2").treasury("LV", 900).operating("LV", "trains").game()
    depot = game.table.state.depot["3"]
    assert depot is not None
    counted = []
    for train, price, source in (("3", 1, "PRR"), ("2", 80, "pool"), ("3", 180, "bank")):
        happened = buy(game, "LV", train, price, source)
        assert len(of_kind(happened, TrainBought)) == 1
        turn = game.table.turn
        counted.append((turn.bought, turn.bought_from_bank, turn.last_seller))
    assert counted == [(1, 0, "PRR"), (2, 1, "pool"), (3, 2, "bank")]
    assert company(game, "LV").trains_bought == 3
    assert company(game, "LV").trains == ["3", "2", "3"]
    assert company(game, "LV").cash == 900 - 1 - 80 - 180
    assert (company(game, "PRR").trains, game.table.state.pool) == ([], [])
    assert game.table.state.depot["3"] == depot - 1


def _one_bank_train_a_turn() -> Game:
    position = Position(title="18al").phase("3").start("TAG", 60, a=60).start("ATN", 60, a=60)
    position.trains("ATN", "2", "3").pool("2").treasury("TAG", 900)
    return position.operating("TAG", "trains").game()


@pytest.mark.parametrize(
    ("source", "price", "left"), [("ATN", 1, {"bank", "pool", "ATN"}), ("pool", 100, {"ATN"})]
)
def test_pool_train_is_the_bank_train_of_a_turn(source: str, price: int, left: set[str]) -> None:
    """R-AL-181 (4.2.4): one of another company is not."""
    game = _one_bank_train_a_turn()
    buy(game, "TAG", "2", price, source)
    assert {deal[1] for deal in train_deals(game, "TAG")} == left
