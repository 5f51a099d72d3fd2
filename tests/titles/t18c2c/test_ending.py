"""How 18C2C ends, and what is secret until then (section 13 of its digest)."""

import pytest

from bot.client.alt_texts import history_alt_text
from engine.core.state import Stock
from engine.game import Game
from engine.play.end_and_scores import scores
from engine.tell.narrate import sentences
from engine.tell.view_builders import (
    company_view,
    history_view,
    moment_view,
    player_view,
    turn_view,
)
from render.scene import Text
from render.sheets.chart_art import chart_scene
from tests.titles.builders import (
    buy,
    do,
    new_game,
    on_turn,
    passes,
)
from tests.titles.t18c2c.merging import Merging, example_13, example_14, merged
from tests.titles.test_announced_ending import bank_broken


def broken(position: Merging) -> Game:
    game = position.bank(0).game()
    game.rules.on_bank_paid(game.table)
    return game


def test_bank_broken_by_a_merger() -> None:
    """Merger rounds count as stock rounds (R-C2C-260)."""
    game = merged(example_13().bank(50))  # odd shares cost 200
    do(game, "pass", "B&O")
    assert (game.table.operating.number, game.table.operating.of) == (1, 1)


def test_bank_broken_in_stock_round_of_18c2c() -> None:
    """Whatever the phase says (R-C2C-260)."""
    game = broken(Merging().single("SOU", 8, a=60).stock("a", number=3))
    while isinstance(game.table.state.round, Stock):
        passes(game, on_turn(game))
    assert (game.table.operating.of, game.table.phase.operating_rounds) == (1, 2)


def test_bank_broken_in_a_set() -> None:
    """In the second of three the third is still played (R-C2C-260)."""
    position = Merging(phase="5").single("SOU", 8, a=60, treasury=500)
    game = broken(position.operating("SOU", "trains", number=2, of=3, set=4))
    do(game, "pass", "SOU")
    assert (game.over, game.table.operating.number) == (False, 3)


def test_bank_is_broken_at_zero() -> None:
    """At $0, not only below (R-C2C-260)."""
    game = new_game(3, title="18c2c")
    game.table.state.bank = 0
    game.rules.on_bank_paid(game.table)
    assert game.table.state.ending is not None


def test_standstill_is_over() -> None:
    game = Merging(2).cash(a=5, b=4).start("C&O", 72, a=20).stock("a", number=3).game()
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "standstill"


def test_game_continues_while_one_can_sell() -> None:
    position = Merging().cash(a=5, b=5, c=5).start("C&O", 72, at=(6, 6), b=50)
    game = position.stock("c", number=3, acted=True, bought="C&O", sold_first=True, bought_out=True).game()
    assert (game.over, on_turn(game)) == (False, "b")


def test_score_doubles_split_shares() -> None:
    """Doubled shares count twice (R-C2C-262)."""
    position = Merging().cash(a=10, b=20, c=30).single("B&O", 7, a=60, b=20).owns("b", "KTC")
    position.state.companies["B&O"].split = True
    assert scores(position.t) == {"a": 10 + 6 * 200, "b": 20 + 2 * 200 + 40, "c": 30}


def secret() -> Game:
    return example_13().cash(a=77, b=55).stock("b", number=3).game()


def test_own_money_is_seen() -> None:
    """R-C2C-263."""
    game = secret()
    assert player_view(game, "a", "a").cash == 77
    assert company_view(game, "B&O", "a").treasury == 250


@pytest.mark.parametrize("looker", ["b", "c", None])
def test_money_of_others_is_secret(looker: str | None) -> None:
    """Nor does the table (R-C2C-263)."""
    game = secret()
    view = player_view(game, "a", looker)
    assert (view.cash, view.available, view.value) == (None, None, None)
    assert company_view(game, "B&O", looker).treasury is None


def test_public_messages_show_no_money() -> None:
    """The message of the turn and the lines of what happened (R-C2C-263)."""
    game = example_14().game()
    assert "700" not in turn_view(game).facts
    events = buy(game, "SOU", "3D", 630)
    assert sentences(events, game)[0] == "SOU (Ann) buys a 3D-train from the bank for $630."
    assert not any("treasury" in line for line in sentences(events, game))


def test_forced_train_hides_the_money() -> None:
    """How much is missing stays secret (R-C2C-263)."""
    position = Merging(phase="5").cash(a=20).depot(t5=0, t3D=0).single("WAB", 7, 5, a=60, treasury=10)
    position.tile("L59", "57", 2).tile("M60", "8", 2).tile("M62", "5", 0)
    game = position.operating("WAB", "trains").game()
    assert turn_view(game).duty == ("A train must be bought: $800.",)


def test_money_is_open_at_the_end() -> None:
    """The score is posted (R-C2C-263)."""
    game = secret()
    game.table.state.over = True
    assert player_view(game, "a", "b").cash == 77


def test_house_rule_opens_all_money() -> None:
    """`secrecy` (R-C2C-263)."""
    game = secret()
    game.table.spec = game.table.spec.model_copy(update={"secret_cash": False})
    assert player_view(game, "a", None).cash == 77
    assert company_view(game, "B&O").treasury == 250


def test_chart_shows_prices_only() -> None:
    """What players are worth would tell their cash (R-C2C-263)."""
    game = secret()
    view = history_view(game, [moment_view(game)])
    assert (view.players, view.moments[0].worth) == ((), ())
    assert "B&O $100" in history_alt_text(view)
    assert "Net worth" not in history_alt_text(view)
    written = [
        item.text
        for placed in chart_scene(view, "ours").sprites
        for item in placed.sprite.items
        if isinstance(item, Text)
    ]
    assert "Share prices" in written
    assert "Net worth" not in written


def test_last_operating_round_is_announced() -> None:
    ending = turn_view(bank_broken(example_13())).ending
    assert ending.startswith("The bank is broken: this merger round and 1 operating round will be played")
