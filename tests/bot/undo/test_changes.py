"""An undo says what it changes on the map and the market before it is done."""

from bot.table.undo import changes_back
from engine.core.actions import Action, LayTile, PlaceToken
from engine.game import Game
from engine.record import load_record, read_record
from tests.bot.support.positions import BANKRUPTCY


def around(kind: str) -> tuple[Game, Game, Action]:
    """A recorded game before and after the first action of a kind, and that action."""
    text = BANKRUPTCY.read_text("utf-8")
    actions = read_record(text).actions
    at = next(number for number, action in enumerate(actions) if action.kind == kind)
    return load_record(text, at).play(), load_record(text, at + 1).play(), actions[at]


def test_an_undone_lay_names_its_hex() -> None:
    before, after, action = around("lay_tile")
    assert isinstance(action, LayTile)
    assert next(changes_back(after, before)) == f"Track changes back on {action.hex}."


def test_an_undone_token_names_its_hex_and_no_track() -> None:
    before, after, action = around("place_token")
    assert isinstance(action, PlaceToken)
    assert next(changes_back(after, before)) == f"Stations change back on {action.hex}."


def test_an_undone_dividend_names_the_price() -> None:
    before, after, action = around("dividend")
    old, new = (game.table.price(game.table.state.companies[action.entity]) for game in (before, after))
    assert list(changes_back(after, before)) == [
        f"Share prices change back: **{action.entity}** ${new} → ${old}."
    ]


def test_an_undone_par_leaves_no_price() -> None:
    before, after, _ = around("par")
    (said,) = changes_back(after, before)
    assert said.endswith("no price yet.")


def test_an_undone_pass_changes_nothing() -> None:
    before, after, _ = around("pass")
    assert list(changes_back(after, before)) == []
