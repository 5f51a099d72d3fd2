"""How 18C2C ends, and what is secret until then (section 13 of its digest)."""

import pytest

from bot.client.alt_texts import history_alt_text
from engine.core.state import Stock
from engine.play.end_and_scores import scores
from engine.tell.narrate import sentences
from engine.tell.view_builders import company_view, history_view, player_view, round_values_view, turn_view
from render.scene import Text
from render.sheets.chart_art import chart_scene
from tests.titles.builders import TitleGame, new_game
from tests.titles.t18c2c.merging import Merging, example_13, example_14, merged


def broken(position: Merging) -> TitleGame:
    game = position.bank(0).game()
    game.rules.on_bank_paid(game.table)
    return game


def test_broken_bank_of_18c2c_ends_the_game() -> None:
    """Merger rounds count as stock rounds: one operating round, in every phase; in the second of three the
    third is still played; at $0, not only below (R-C2C-260)."""
    game = merged(example_13().bank(50))  # odd shares cost 200
    game.do("pass", "B&O")
    assert (game.table.operating_round.number, game.table.operating_round.of) == (1, 1)
    game = broken(Merging().single("SOU", 8, a=60).stock("a", number=3))
    while isinstance(game.table.state.round, Stock):
        game.passes(game.on_turn())
    assert (game.table.operating_round.of, game.table.phase.operating_rounds) == (1, 2)
    position = Merging(phase="5").single("SOU", 8, a=60, treasury=500)
    game = broken(position.operating("SOU", "trains", number=2, of=3, set=4))
    game.do("pass", "SOU")
    assert (game.is_over, game.table.operating_round.number) == (False, 3)
    game = new_game(3, title="18c2c")
    game.table.state.bank = 0
    game.rules.on_bank_paid(game.table)
    assert game.table.state.ending is not None


def test_standstill_is_over() -> None:
    """Not while one can sell."""
    game = Merging(2).cash(a=5, b=4).start("C&O", 72, a=20).stock("a", number=3).game()
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "standstill"
    position = Merging().cash(a=5, b=5, c=5).start("C&O", 72, at=(6, 6), b=50)
    game = position.stock("c", number=3, acted=True, bought="C&O", sold_first=True, bought_out=True).game()
    assert (game.is_over, game.on_turn()) == (False, "b")


def test_score_doubles_split_shares() -> None:
    """Doubled shares count twice (R-C2C-262)."""
    position = Merging().cash(a=10, b=20, c=30).single("B&O", 7, a=60, b=20).owns("b", "KTC")
    position.state.companies["B&O"].split = True
    assert scores(position.t) == {"a": 10 + 6 * 200, "b": 20 + 2 * 200 + 40, "c": 30}


def secret() -> TitleGame:
    return example_13().cash(a=77, b=55).stock("b", number=3).game()


@pytest.mark.parametrize(
    ("viewer", "over", "open_money", "seen"),
    [
        ("a", False, False, True),
        *((viewer, False, False, False) for viewer in ("b", "c", None)),
        ("b", True, False, True),
        (None, False, True, True),
    ],
)
def test_money_is_secret(viewer: str | None, over: bool, open_money: bool, seen: bool) -> None:
    """Until the end, or by the house rule `secrecy`, only the player sees it, and that of their corporations
    (R-C2C-263)."""
    game = secret()
    game.table.state.over = over
    if open_money:
        game.table.spec = game.table.spec.model_copy(update={"secret_cash": False})
    view, sheet = player_view(game, "a", viewer), company_view(game, "B&O", viewer)
    assert (view.cash, sheet.treasury) == ((77, 250) if seen else (None, None))
    assert (view.available_cash is None) is (view.net_worth is None) is not seen


def test_public_messages_show_no_money() -> None:
    """The message of the turn, and the lines of what happened; the missing amount is secret; net worth in the
    chart would tell the cash (R-C2C-263)."""
    game = example_14().game()
    assert "700" not in turn_view(game).facts_text
    events = game.buy("SOU", "3D", 630)
    assert sentences(events, game)[0] == "SOU (Ann) buys a 3D-train from the bank for $630."
    assert not any("treasury" in line for line in sentences(events, game))
    position = Merging(phase="5").cash(a=20).depot(t5=0, t3D=0).single("WAB", 7, 5, a=60, treasury=10)
    position.tile("L59", "57", 2).tile("M60", "8", 2).tile("M62", "5", 0)
    game = position.operating("WAB", "trains").game()
    assert turn_view(game).duty_lines == ("Must buy a train for $800.",)
    game = secret()
    view = history_view(game, [round_values_view(game)])
    assert (view.players, view.rounds[0].net_worths) == ((), ())
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
