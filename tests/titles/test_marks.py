"""What the map marks in addition to tiles and tokens: objectives, coal, named trains, hexes of privates."""

import pytest

from engine.tell.view_builders import company_view, map_view, market_view
from engine.tell.views import MarkView
from tests.titles.builders import Position, TitleGame, new_game

COAL = ["E6", "G4", "G6", "H3", "H5"]


def alabama() -> Position:
    return Position(3, title="18al")


def marked(game: TitleGame, kind: str) -> dict[str, list[MarkView]]:
    found = {h.coord: [m for m in h.marks if m.kind == kind] for h in map_view(game).hexes}
    return {coord: here for coord, here in found.items() if here}


def ringed(game: TitleGame) -> set[str]:
    slots = [s for h in map_view(game).hexes for stop in h.stops for s in stop.slots]
    return {s.badge.company for s in slots if s.has_open_objective and s.badge}


def test_objective_is_open_until_reached() -> None:
    """R-AL-135: three goals in Birmingham, one each in York, West Point and Meridian."""
    game = alabama().start("WRA", 60, a=60).operated("WRA").game()
    flags = marked(game, "objective")
    assert {coord: [m.text for m in here] for coord, here in flags.items()} == {
        "G4": ["L&N", "ABC", "TAG"],
        "K2": ["M&O"],
        "J7": ["WRA"],
        "L1": ["ATN"],
    }
    assert not any(m.is_done for here in flags.values() for m in here)
    assert ringed(game) == {"L&N", "M&O", "WRA", "ATN", "ABC", "TAG"}
    built = alabama().start("WRA", 60, a=60).tile("J7", "57").token("WRA", "J7")
    there = built.game()
    assert [m.is_done for m in marked(there, "objective")["J7"]] == [True]
    assert ringed(there) == {"L&N", "M&O", "ATN", "ABC", "TAG"}
    words = [text for mark, text in map_view(there).mark_meanings if mark.text == "WRA"]
    assert words == ["West Point (J7): $100 for the first token (already paid)"]


def test_coal_is_marked() -> None:
    """R-AL-012, R-AL-170."""
    game = alabama().owns("a", "SNAR").game()
    assert sorted(marked(game, "city_bonus")) == COAL
    assert {m.icon for here in marked(game, "city_bonus").values() for m in here} == {"coal"}
    game.table.state.privates["SNAR"].power_used = True
    game.company("ABC").markers["Warrior Coal Field"] = "H5"
    lies = marked(game, "city_bonus")
    assert list(lies) == ["H5"]
    mark = lies["H5"][0]
    assert mark.is_done
    assert mark.badge is not None
    assert (mark.badge.company, mark.text) == ("ABC", "+10")
    assert company_view(game, "ABC").markers == ("Warrior Coal Field (H5)",)
    del game.company("ABC").markers["Warrior Coal Field"]
    assert marked(game, "city_bonus") == {}


def test_named_trains_are_marked_at_both_ends() -> None:
    """R-AL-172: the markers outlive the private."""
    assert marked(alabama().game(), "named_train") == {}
    game = alabama().owns("a", "M&C").game()
    chips = marked(game, "named_train")
    assert {coord: [m.text for m in here] for coord, here in chips.items()} == {
        "A4": ["PA"],
        "G4": ["REL"],
        "G8": ["REL"],
        "Q2": ["PA"],
    }
    game.table.state.privates["M&C"].closed = True
    game.company("L&N").markers["Pan American"] = ""
    chips = marked(game, "named_train")
    assert sorted(chips) == ["A4", "Q2"]
    assert chips["A4"][0].badge is not None
    words = [text for mark, text in map_view(game).mark_meanings if mark.kind == "named_train"]
    assert words == ["Pan American: Nashville to Mobile $40, L&N"]


def test_hexes_of_privates_are_marked() -> None:
    """R-TN-111, R-AL-171: but those that a private blocks."""
    initials = {c: [m.text for m in here] for c, here in marked(new_game(title="18tn"), "power").items()}
    assert initials == {"H17": ["TCC"], "F19": ["ETWCR"], "H3": ["MCR"], "E16": ["OWR"]}
    laid = Position(title="18tn").owns("a", "ETWCR", "OWR").tile("F19", "9", 1).game()
    assert list(marked(laid, "power")) == ["E16"]
    assert sorted(marked(alabama().owns("a", "BLC").game(), "power")) == ["G2", "M2", "N5", "O4", "P5"]
    assert marked(alabama().owns("a", "BLC", used=True).game(), "power") == {}
    game = Position().owns("a", "C&OC").game()
    assert marked(game, "power") == {}
    assert {h.blocked_by for h in map_view(game).hexes} == {None, "C&OC"}


@pytest.mark.parametrize(
    ("title", "name", "marker", "shown"),
    [("18tn", "SR", "civil war", ("civil war",)), ("18al", "L&N", "Pan American", ())],
)
def test_operating_order_shows_event_markers(
    title: str, name: str, marker: str, shown: tuple[str, ...]
) -> None:
    game = Position(title=title).start(name, 90, a=60).game()
    game.company(name).markers[marker] = ""
    assert [line.markers for line in market_view(game).operating_order] == [shown]
    assert company_view(game, name).markers == (marker,)
