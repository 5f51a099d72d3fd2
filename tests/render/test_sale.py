"""The cards of an auction or a draft: everything is written, nothing covers anything, nothing leaves its card."""

from itertools import pairwise

import pytest

from engine.core.actions import Pass
from engine.tell.view_builders import privates_view, sale_view
from engine.titles import TITLES
from render import THEME_NAMES, render_sale
from render.font_metrics import text_width
from render.scene import Scene, Text
from render.sheets.sale_art import sale_scene
from tests.render.sales import BIDS, NAMES, auction, sales, worst_sales


def words(scene: Scene) -> list[str]:
    return [item.text for p in scene.sprites for item in p.sprite.items if isinstance(item, Text)]


CASES = {**sales(), **worst_sales()}


@pytest.mark.parametrize("name", sorted(CASES))
def test_every_card_says_price_income_what_it_does_and_who_bids_what(name: str) -> None:
    view = CASES[name]
    found = words(sale_scene(view, "ours"))
    said = " ".join(found)
    for lot in (lot for column in view.columns for lot in column):
        assert lot.badge.company in found
        assert {f"{claim.player} ${claim.amount}" for claim in lot.claims if claim.amount} <= {*found}
        assert not lot.status or lot.status in found
        assert all(word in said for word in f"{lot.name} {' '.join(lot.does)}".split())
        if lot.value is not None:
            assert f"${lot.value} +{lot.income}" in found


def test_bids_stand_with_who_made_them_the_highest_first_and_filled() -> None:
    view = sales()["bids"]
    assert [(c.player, c.amount, c.leads) for c in view.columns[0][1].claims] == [
        ("Dorothea", 55, True),
        ("Bob", 50, False),
        ("Ann", 45, False),
    ]
    found = words(sale_scene(view, "ours"))
    assert found.index("Dorothea $55") < found.index("Bob $50") < found.index("Ann $45")


def test_money_in_bids_is_distinct_from_what_is_free() -> None:
    seats = {seat.name: seat for seat in sales()["bids"].seats}
    assert (seats["Clementine"].cash, seats["Clementine"].committed, seats["Clementine"].free) == (
        400,
        205,
        195,
    )
    assert seats["Ann"].committed == 0  # outbid, and outbid bids bind nothing here
    assert [name for name, seat in seats.items() if seat.acting] == ["Edmund"]
    assert {"$195 free", "$205 of $400 in bids"} <= {*words(sale_scene(sales()["bids"], "ours"))}


def test_what_comes_next_is_said_for_a_purchase_and_for_passes() -> None:
    assert sales()["bids"].coming == (
        "Then Ann, Bob and Dorothea fight for C-P.",
        "All pass: D&R falls to $15.",
    )
    assert sales()["contest"].coming == (
        "C-P: Bob leads with $50; Ann may raise.",
        "Then B&S is for sale at $50.",
    )
    assert sales()["18al"].coming[1:] == (
        "All pass: operating rounds follow; the privates are sold on in the next stock round.",
        "TR falls to $15 then.",
    )


def test_what_is_said_to_come_next_comes() -> None:
    passed = auction("18chesapeake", (None,) * 4)
    view = sale_view(passed)
    assert view is not None
    assert view.columns[0][0].status == "buy for $15"
    nobody = auction("18chesapeake", (None,) * 15)
    view = sale_view(nobody)
    assert view is not None
    assert view.coming[-1] == "All pass: D&R is for nothing, and Ann must take it."
    nobody.apply(Pass(actor="p4", entity="p4"))
    assert nobody.table.state.privates["D&R"].owner == "p1"


def test_a_draft_shows_who_has_reserved_what_and_which_spaces_are_free() -> None:
    view = sales()["draft"]
    assert len(view.columns) == 2
    assert view.coming[0].startswith("Free spaces: 2 at $50")
    assert all("can be paid" in seat.note for seat in view.seats)
    states = [lot.state for column in view.columns for lot in column]
    assert states.count("gone") == 5


@pytest.mark.parametrize("title", sorted(TITLES))
def test_every_private_of_every_title_says_what_it_does(title: str) -> None:
    game = auction(title, players=3)
    view = privates_view(game)
    assert (view is None) == (not game.table.spec.privates)
    lots = [lot for column in (view.columns if view else ()) for lot in column]
    assert sorted(lot.badge.company for lot in lots) == sorted(game.table.spec.privates)
    assert all(lot.does for lot in lots)


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("name", sorted(CASES))
def test_nothing_leaves_its_card_and_no_card_covers_another(name: str, theme: str) -> None:
    scene = sale_scene(CASES[name], theme)
    boxes = []
    for placed in scene.sprites:
        box = (placed.left, placed.top, placed.left + placed.sprite.width, placed.top + placed.sprite.height)
        assert 0 <= box[0] < box[2] <= scene.width
        assert 0 <= box[1] < box[3] <= scene.height
        boxes.append(box)
        for item in placed.sprite.items:
            if isinstance(item, Text):
                wide = text_width(item.text, item.weight) * item.size
                left = {"left": 0.0, "middle": wide / 2, "right": wide}[item.align]
                assert item.x - left >= -1, item.text
                assert item.x - left + wide <= placed.sprite.width + 1, item.text
                assert item.size >= 15, item.text
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("name", sorted(CASES))
def test_bids_of_one_card_stand_side_by_side(name: str) -> None:
    for placed in sale_scene(CASES[name], "ours").sprites:
        pills = [
            item for item in placed.sprite.items if isinstance(item, Text) and item.text.startswith(NAMES)
        ]
        rows = {round(pill.y) for pill in pills if " $" in pill.text}
        for y in rows:
            spans = sorted(
                (
                    pill.x - text_width(pill.text) * pill.size / 2,
                    pill.x + text_width(pill.text) * pill.size / 2,
                )
                for pill in pills
                if round(pill.y) == y and " $" in pill.text
            )
            assert all(one[1] < other[0] for one, other in pairwise(spans))


def test_the_same_view_gives_the_same_bytes_and_a_bid_others() -> None:
    view = sales()["bids"]
    assert render_sale(view) == render_sale(view)
    more = sale_view(auction("18chesapeake", (*BIDS, ("B&S", 55)), 6))
    assert more is not None
    assert render_sale(more) != render_sale(view)
