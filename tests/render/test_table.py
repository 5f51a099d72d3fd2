"""The whole table in one picture: who holds what, what companies have, what the next trains change."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.game import Game
from engine.tell.view_builders import phases_view, table_view
from engine.tell.views import TableView
from engine.titles import TITLES
from render import THEME_NAMES, render_table, table_pictures
from render.sheets.table_art import assets_scene, holdings_scene, table_scene
from tests.golden.positions import golden_at
from tests.render.views import apart, boxes_of, early, late, many, words_of


def test_holdings_and_prices_are_written() -> None:
    view = late()
    found = {*words_of(table_scene(view, "ours"))}
    for player in view.players:
        assert {player.name, f"${player.cash}", f"${player.net_worth}", f"${player.liquidity}"} <= found
        assert {f"{held.percent}%" for held in player.holdings} <= found
    for line in view.companies:
        assert {line.badge.company, f"${line.price}"} <= found

    # a column is as wide as its name needs
    one, *_ = view.players
    names = ("Caretaker", "Caretaker 2", "Margaret", "Bartholomew", "Ann", "Bob")
    players = tuple(replace(one, player=name, name=name) for name in names)
    assert {*names} <= {*words_of(table_scene(replace(view, players=players), "ours"))}


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("view", [late, early])
def test_table_cells_do_not_meet(theme: str, view: Callable[[], TableView]) -> None:
    scene = table_scene(view(), theme)
    boxes = boxes_of(scene)
    assert all(left >= 0 and right <= scene.width and low <= scene.height for left, _, right, low in boxes)
    cells = [box for box, p in zip(boxes, scene.sprites, strict=True) if len(p.sprite.items) in (1, 2)]
    assert apart(cells)


def test_next_trains_say_what_they_change() -> None:
    """Once: what one has changed is not announced again."""
    purchase_changes = {train.train: train.purchase_changes for train in early().trains}
    assert purchase_changes["4"] == ("limit 3 trains", "2-trains rust")
    assert purchase_changes["3"][-2:] == ("with number 4:", "Civil War")
    assert purchase_changes["5"] == ("brown tiles", "limit 2 trains", "3 ORs per set", "privates close")
    assert {train.train: train.purchase_changes for train in late().trains}["5"] == ()


@pytest.mark.parametrize("title", sorted(TITLES))
def test_phase_chart(title: str) -> None:
    game = Game(title, [("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")], 1)
    view = phases_view(game)
    assert [phase.name for phase in view.phases] == [phase.name for phase in game.table.spec.phases]
    assert [phase.is_current for phase in view.phases].count(True) == 1
    changes = " ".join(change for phase in view.phases for change in phase.changes)
    for train in game.table.spec.trains:
        assert train.rusts_on is None or train.name in changes


def test_liquidity_is_cash_and_what_may_be_sold() -> None:
    """Ann's shares are the presidents' certificates, which nobody could take; Bob's 10 % of the IC bring 65."""
    game = golden_at("18tn-bank-3p", 120)
    seen = {player.name: player for player in table_view(game).players}
    assert [(seen[name].liquidity or 0) - (seen[name].cash or 0) for name in ("Ann", "Bob")] == [0, 65]


def test_many_companies_are_two_pictures() -> None:
    """Discord shows a picture no higher than wide; letters of a taller one are too small to be read."""
    assert table_pictures(many(), "ours") == table_pictures(late(), "ours-large")[:1] == (render_table,)
    assert len(table_pictures(many(), "ours-large")) == 2
    two = [holdings_scene(many(), "ours-large"), assets_scene(many(), "ours-large")]
    one = table_scene(many(), "ours-large")
    assert set(words_of(one)) == {word for scene in two for word in words_of(scene)}
    assert all(scene.height < 0.7 * one.height for scene in two)
