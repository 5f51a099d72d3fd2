"""The cards of an auction or a draft: everything is written, nothing covers anything, nothing leaves its card."""

from itertools import pairwise

import pytest

from engine.core.actions import Pass
from engine.tell.view_builders import privates_view, sale_view
from engine.titles import TITLES
from render import THEME_NAMES
from render.font_metrics import text_width
from render.scene import Text
from render.sheets.sale_art import sale_scene
from tests.render.sales import NAMES, auction, sales, worst_sales
from tests.render.views import apart, boxes_of, words_of

CASES = {**sales(), **worst_sales()}


@pytest.mark.parametrize("name", sorted(CASES))
def test_card_says_everything(name: str) -> None:
    view = CASES[name]
    found = words_of(sale_scene(view, "ours"))
    said = " ".join(found)
    for lot in (lot for column in view.columns for lot in column):
        assert lot.badge.company in found
        assert {f"{claim.player} ${claim.amount}" for claim in lot.claims if claim.amount} <= {*found}
        assert not lot.status or lot.status in found
        assert all(word in said for word in f"{lot.name} {' '.join(lot.rule_texts)}".split())
        assert lot.value is None or f"${lot.value} +{lot.income}" in found


def test_bids_are_in_order() -> None:
    """The highest first and filled; money in bids is distinct from what is free, and outbid bids bind nothing here."""
    view = sales()["bids"]
    claims = [(c.player, c.amount, c.is_leading) for c in view.columns[0][1].claims]
    assert claims == [("Dorothea", 55, True), ("Bob", 50, False), ("Ann", 45, False)]
    found = words_of(sale_scene(view, "ours"))
    assert found.index("Dorothea $55") < found.index("Bob $50") < found.index("Ann $45")
    seats = {seat.name: seat for seat in view.seats}
    leader = seats["Clementine"]
    assert (leader.cash, leader.committed_cash, leader.free_cash, seats["Ann"].committed_cash) == (
        400,
        205,
        195,
        0,
    )
    assert [name for name, seat in seats.items() if seat.is_acting] == ["Edmund"]
    assert {"$195 free", "$205 of $400 in bids"} <= {*found}


NEXT_ROUND = "If all pass, operating rounds follow; the auction continues in the next stock round."


@pytest.mark.parametrize(
    ("name", "coming"),
    [
        (
            "bids",
            ("Then Ann, Bob and Dorothea bid against each other for C-P.", "If all pass, D&R falls to $15."),
        ),
        ("contest", ("C-P: Bob leads with $50; Ann may raise.", "Then B&S is for sale at $50.")),
        ("18al", (NEXT_ROUND, "Then TR falls to $15.")),
    ],
)
def test_what_comes_next_in_a_sale(name: str, coming: tuple[str, ...]) -> None:
    assert sales()[name].upcoming_texts[-2:] == coming


def test_announced_price_comes_true() -> None:
    view = sale_view(auction("18chesapeake", (None,) * 4))
    assert view is not None
    assert view.columns[0][0].status == "buy for $15"
    nobody = auction("18chesapeake", (None,) * 15)
    view = sale_view(nobody)
    assert view is not None
    assert view.upcoming_texts[-1] == "If all pass, D&R becomes free, and Ann must take it."
    nobody.apply(Pass(actor="p4", entity="p4"))
    assert nobody.table.state.privates["D&R"].owner == "p1"


@pytest.mark.parametrize("title", sorted(TITLES))
def test_every_private_says_what_it_does(title: str) -> None:
    game = auction(title, players=3)
    view = privates_view(game)
    assert (view is None) == (not game.table.spec.privates)
    lots = [lot for column in (view.columns if view else ()) for lot in column]
    in_play = [private.id for private in game.table.state.privates.values() if not private.closed]
    assert sorted(lot.badge.company for lot in lots) == sorted(in_play)
    assert all(lot.rule_texts for lot in lots)


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("name", sorted(CASES))
def test_cards_do_not_meet(name: str, theme: str) -> None:
    """Nothing leaves its card; bids of one card stand side by side."""
    scene = sale_scene(CASES[name], theme)
    assert apart(boxes_of(scene))
    for placed, box in zip(scene.sprites, boxes_of(scene), strict=True):
        assert 0 <= box[0] < box[2] <= scene.width
        assert 0 <= box[1] < box[3] <= scene.height
        pills: dict[int, list[tuple[float, float]]] = {}
        for item in placed.sprite.items:
            if isinstance(item, Text):
                wide = text_width(item.text, item.weight) * item.size
                left = item.x - {"left": 0.0, "middle": wide / 2, "right": wide}[item.align]
                assert left >= -1, item.text
                assert left + wide <= placed.sprite.width + 1, item.text
                assert item.size >= 15, item.text
                if item.text.startswith(NAMES) and " $" in item.text:
                    pills.setdefault(round(item.y), []).append((left, left + wide))
        for row in pills.values():
            assert all(one[1] < other[0] for one, other in pairwise(sorted(row)))
