"""Marks as drawn: one look for each kind, all of them on crowded hexes, a legend; charters and the order."""

from dataclasses import replace

import pytest

from engine.game import Game
from engine.tell.view_builders import map_view
from engine.tell.views import Badge, MapView, MarkView, OrderView
from render.font_metrics import wrapped
from render.hexes.label_plan import label_plan
from render.hexes.mark_art import mark_items, mark_sizes
from render.hexes.stop_art import token
from render.maps.panel_art import blocks, legend_panel, legend_strip
from render.scene import Item, Polygon, Polyline, RoundedBox, Text
from render.sheets.charter_art import company_scene
from render.sheets.market_art import order_block
from render.theme import THEMES
from tests.render.sheets import company

GREEN = Badge("ABC", "#008000")
KINDS = (
    MarkView("objective", "ABC", GREEN),
    MarkView("city_bonus", "+10", GREEN, done=True, icon="coal"),
    MarkView("named_train", "REL"),
    MarkView("power", "BLC"),
)


def alabama() -> MapView:
    game = Game("18al", [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 1, "rulebook", frozenset())
    return map_view(game)


def drawn(mark: MarkView, size: int = 0) -> tuple[Item, ...]:
    return tuple(mark_items(mark, (0.0, 0.0), mark_sizes(mark)[size]))


def words(items: tuple[Item, ...]) -> list[str]:
    return [item.text for item in items if isinstance(item, Text)]


def test_each_kind_shows_its_letters_and_no_two_look_alike() -> None:
    for mark in KINDS:
        assert words(drawn(mark)) == [mark.text]
    named, power = drawn(KINDS[2])[0], drawn(KINDS[3])[0]
    assert isinstance(named, RoundedBox)
    assert isinstance(power, RoundedBox)
    assert named.r > 2 * power.r
    assert any(isinstance(item, Polygon) for item in drawn(KINDS[1]))


@pytest.mark.parametrize("size", [0, 1])
def test_flag_is_an_outline_until_reached_then_filled(size: int) -> None:
    cloths = [
        next(item.fill for item in drawn(replace(KINDS[0], done=done), size) if isinstance(item, Polygon))
        for done in (False, True)
    ]
    assert cloths == ["#ffffff", "#008000"]


def test_small_flag_has_no_letters() -> None:
    assert words(drawn(KINDS[0], 1)) == []
    assert any(isinstance(item, Polyline) and item.colour == "#008000" for item in drawn(KINDS[0], 1))


def test_birmingham_shows_three_flags_coal_and_train_with_name_cost_and_label() -> None:
    birmingham = next(h for h in alabama().hexes if h.coord == "G4")
    where = label_plan("flat", birmingham)
    assert [birmingham.marks[m.index].kind for m in where.marks] == [m.kind for m in birmingham.marks]
    assert len(where.marks) == 5
    assert where.name is not None
    assert where.label is not None
    assert where.cost is not None


def test_token_with_an_open_objective_has_a_second_ring() -> None:
    plain, ringed = (list(token(0, 0, 0.26, GREEN, ringed=ringed)) for ringed in (False, True))
    assert len(ringed) == len(plain) + 1


def test_legend_says_what_marks_mean_and_is_left_out_where_there_are_none() -> None:
    view = alabama()
    theme = THEMES["ours"]
    said = " ".join(words(legend_panel(view.mark_words, theme, 414).items))
    assert "York (K2): $100 for the first token" in said
    assert "Robert E. Lee: Atlanta to Birmingham $20" in said
    strip = " ".join(words(legend_strip(view.mark_words, theme, 1300).items))
    assert "Robert E. Lee: Atlanta to Birmingham $20" in strip
    assert (
        len(blocks(replace(view, mark_words=()), theme, 72, 1300)) == len(blocks(view, theme, 72, 1300)) - 1
    )


def test_lines_of_a_legend_keep_to_their_width() -> None:
    assert wrapped("Pan American: Nashville to Mobile $40, L&N", 240, 19) == (
        "Pan American: Nashville to",
        "Mobile $40, L&N",
    )


def test_operating_order_never_cuts_that_a_company_has_not_floated() -> None:
    line = OrderView(GREEN, 100, "Maximiliane von Habsburg", floated=False, progress="waiting")
    said = words(order_block((line,), THEMES["ours"], 430).items)
    assert said[-1].startswith("Maxi")
    assert said[-1].endswith("… (not floated)")


def test_operating_order_shows_markers_of_the_next_turn() -> None:
    line = OrderView(GREEN, 100, "Ada", floated=True, progress="waiting", markers=("civil war",))
    assert words(order_block((line,), THEMES["ours"], 430).items)[-2:] == ["civil war", "Ada"]


def test_charter_shows_trains_that_run_once_more_and_markers() -> None:
    view = replace(company(), obsolete=("4",), markers=("civil war",))
    said = words(company_scene(view, "ours").sprites[0].sprite.items)
    assert said.count("one more run") == 1
    assert "Markers: civil war" in said
    plain = words(company_scene(company(), "ours").sprites[0].sprite.items)
    assert "one more run" not in plain
