"""What a step back changes on map and market is said in words before it is done."""

from bot.table.undo.changes import changes
from engine.core.actions import Action, LayTile
from engine.game import Game
from engine.record import load_record, read_record
from tests.bot.support.positions import BANKRUPTCY


def around(kind: str) -> tuple[Game, Game, Action]:
    """A recorded game before and after the first action of a kind, and that action."""
    text = BANKRUPTCY.read_text("utf-8")
    actions = read_record(text).actions
    at = next(number for number, action in enumerate(actions) if action.kind == kind)
    return load_record(text, at).play(), load_record(text, at + 1).play(), actions[at]


def test_where_track_was_laid_it_is_as_before() -> None:
    before, after, action = around("lay_tile")
    assert isinstance(action, LayTile)
    assert changes(after, before)[0] == f"Track is as before in {action.hex}."


def test_a_price_goes_back_to_what_it_was() -> None:
    before, after, action = around("dividend")
    old, new = (game.table.price(game.table.state.companies[action.entity]) for game in (before, after))
    assert changes(after, before) == [f"Prices go back: {action.entity} {new} → {old}."]


def test_a_company_that_was_started_has_no_price_yet() -> None:
    before, after, _ = around("par")
    (said,) = changes(after, before)
    assert said.endswith("has no price yet.")


def test_where_nothing_changed_nothing_is_said() -> None:
    before, after, _ = around("pass")
    assert changes(after, before) == []
