"""The whole table in one picture: who holds what, what companies have, what the next trains change."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from engine.game import Game
from engine.record import load_game
from engine.tell.view_builders import phases_view, table_view
from engine.tell.views import TableView
from engine.titles import TITLES
from render import THEME_NAMES, render_table, table_pictures
from render.scene import RoundedBox, Scene, Text
from render.sheets.table_art import assets_scene, holdings_scene, table_scene
from render.theme import company

GOLDEN = Path(__file__).parents[1] / "golden"


@cache
def late() -> TableView:
    return table_view(load_game((GOLDEN / "18chesapeake-bank-4p.json").read_bytes(), 230))


@cache
def early() -> TableView:
    return table_view(load_game((GOLDEN / "18tn-bank-3p.json").read_bytes(), 120))


def words(scene: Scene) -> list[str]:
    return [item.text for p in scene.sprites for item in p.sprite.items if isinstance(item, Text)]


def test_every_holding_price_and_treasury_is_written() -> None:
    view = late()
    found = words(table_scene(view, "ours"))
    for player in view.players:
        assert {player.name, f"${player.cash}", f"${player.value}", f"${player.liquidity}"} <= {*found}
        for held in player.holdings:
            assert f"{held.percent}%" in found
    for line in view.companies:
        assert {line.badge.company, f"${line.price}"} <= {*found}


def test_names_at_the_top_are_whole_also_of_six_players() -> None:
    """A column is as wide as its name needs."""
    one, *_ = late().players
    names = ("Caretaker", "Caretaker 2", "Margaret", "Bartholomew", "Ann", "Bob")
    players = tuple(replace(one, player=name, name=name) for name in names)
    found = words(table_scene(replace(late(), players=players), "ours"))
    assert {*names} <= {*found}


def test_holding_of_a_president_is_a_box_in_the_company_s_colour() -> None:
    view = late()
    presidents = {(h.badge.colour, h.percent) for p in view.players for h in p.holdings if h.president}
    boxes = {
        (box.fill, text.text)
        for placed in table_scene(view, "ours").sprites
        for box, text in zip(placed.sprite.items, placed.sprite.items[1:], strict=False)
        if isinstance(box, RoundedBox) and isinstance(text, Text) and text.text.endswith("%")
    }
    assert boxes == {(company(colour), f"{percent}%") for colour, percent in presidents}


def test_companies_that_nobody_has_started_stand_in_one_row() -> None:
    scene = table_scene(early(), "ours")
    rows = {
        placed.top for placed in scene.sprites for item in placed.sprite.items if item_is(item, "Not started")
    }
    there = {placed.top for placed in scene.sprites for item in placed.sprite.items if item_is(item, "GMO")}
    assert there == rows


def item_is(item: object, text: str) -> bool:
    return isinstance(item, Text) and item.text == text


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("view", [late, early], ids=["late", "early"])
def test_nothing_leaves_the_picture_and_cells_of_a_row_do_not_meet(
    theme: str, view: Callable[[], TableView]
) -> None:
    scene = table_scene(view(), theme)
    boxes = []
    for placed in scene.sprites:
        assert placed.left >= 0
        assert placed.left + placed.sprite.width <= scene.width
        assert placed.top + placed.sprite.height <= scene.height
        if len(placed.sprite.items) in (1, 2):
            boxes.append(
                (
                    placed.left,
                    placed.top,
                    placed.left + placed.sprite.width,
                    placed.top + placed.sprite.height,
                )
            )
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_same_view_same_bytes() -> None:
    assert render_table(late()) == render_table(late())


def test_each_train_says_what_the_first_of_them_changes() -> None:
    brings = {train.train: train.brings for train in early().trains}
    assert brings["4"] == ("limit 3 trains", "2-trains rust")
    assert brings["3"][-2:] == ("with number 4:", "Civil War")
    assert brings["5"] == ("brown tiles", "limit 2 trains", "3 ORs a set", "privates close")


def test_what_a_train_has_changed_is_not_announced_again() -> None:
    assert {train.train: train.brings for train in late().trains}["5"] == ()


@pytest.mark.parametrize("title", sorted(TITLES))
def test_phase_chart_names_every_phase_and_when_trains_leave(title: str) -> None:
    game = Game(title, [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 1, "rulebook", frozenset())
    view = phases_view(game)
    assert [phase.name for phase in view.phases] == [phase.name for phase in game.table.spec.phases]
    assert [phase.current for phase in view.phases].count(True) == 1
    changes = " ".join(change for phase in view.phases for change in phase.changes)
    for train in game.table.spec.trains:
        assert train.rusts_on is None or train.name in changes


def test_liquidity_counts_what_may_be_sold_and_the_cash() -> None:
    game = load_game((GOLDEN / "18tn-bank-3p.json").read_bytes(), 120)
    seen = {player.name: player for player in table_view(game).players}
    # Ann's shares are the presidents' certificates, which nobody could take; Bob's 10 % of the IC bring 65.
    assert seen["Ann"].liquidity == seen["Ann"].cash
    cash = seen["Bob"].cash
    assert cash is not None
    assert seen["Bob"].liquidity == cash + 65


def many() -> TableView:
    """A table with more companies than one picture in large letters has room for."""
    view = late()
    more = [
        replace(view.companies[0], badge=replace(view.companies[0].badge, company=f"N{n}")) for n in range(9)
    ]
    return replace(view, companies=(*view.companies, *more))


def test_in_large_letters_many_companies_are_two_pictures_with_all_that_one_says() -> None:
    """Discord shows a picture no higher than wide; letters of a taller one are too small to be read."""
    assert table_pictures(many(), "ours") == table_pictures(late(), "ours-large")[:1] == (render_table,)
    assert len(table_pictures(many(), "ours-large")) == 2
    two = [holdings_scene(many(), "ours-large"), assets_scene(many(), "ours-large")]
    one = table_scene(many(), "ours-large")
    assert set(words(one)) == {word for scene in two for word in words(scene)}
    assert all(scene.height < 0.7 * one.height for scene in two)
