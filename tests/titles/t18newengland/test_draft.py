"""The first stock round of 18NewEngland: a draft (9)."""

import pytest

from engine.core.events import HomePlaced, ReservationsReturned, TrainBought
from engine.core.state import Draft, Operating
from engine.tell.view_builders import turn_view
from tests.titles.builders import TitleGame, new_game

SEED = 73885
"""Draws the ten minors below, in this order."""
DRAWN = ("CV", "ER", "BL", "CR", "HRR", "PE", "NYNH", "NYW", "HNH", "WNR")


def draft(players: int = 4, profile: str = "rulebook", from_log: int = 0, **money: int) -> TitleGame:
    game = new_game(players, SEED, profile, "18newengland", from_log=from_log)
    for player, amount in money.items():
        seat = game.table.state.player(player)
        game.table.state.bank += seat.cash - amount
        seat.cash = amount
    game._skip_idle_steps()
    return game


def reserve(game: TitleGame, *names: str) -> None:
    for name in names:
        game.do("reserve", game.on_turn(), company=name)


def start(game: TitleGame, name: str, value: int, space: str = "top") -> None:
    game.do("start_minor", game.on_turn(), company=name, value=value, space=space)


@pytest.mark.parametrize(
    ("players", "order"), [(2, "abbaab"), (3, "abccba"), (4, "abcddcbaab"), (5, "abcdee")]
)
def test_turns_snake(players: int, order: str) -> None:
    """Example 2: to the last player and back (R-NE-020, R-NE-140)."""
    game, turns = draft(players), []
    for name in DRAWN[: len(order)]:
        turns.append(game.on_turn())
        reserve(game, name)
    assert "".join(turns) == order


def test_minor_is_reserved_once() -> None:
    """Nor one that was not drawn. Example 3: $100 pay a 50, whatever is reserved; with both taken it would be
    $110 for a 55 (R-NE-021, D-NE-9)."""
    game = draft()
    reserve(game, "CV")
    why = game.refused("9", "reserve", "b", company="CV")
    assert "Ann has already reserved CV" in why
    assert "not available before phase 3" in game.refused("9", "reserve", "b", company="GR")
    assert "B&A" in game.refused("10.3", "reserve", "b", company="B&A")
    assert len(game.values("reserve", "b", "company")) == 9
    game = draft(2, a=100, b=100)
    reserve(game, "CV", "ER", "BL", "CR")
    assert game.table.state.round == Draft(turn=4, reserved={"CV": "a", "ER": "b", "BL": "b", "CR": "a"})
    game = draft(2, b=100)
    reserve(game, "CV")
    assert game.offered("reserve", "b")
    game.table.state.flipped = [(0, 3), (1, 3)]
    game._skip_idle_steps()
    assert game.on_turn() == "a"


def test_start_costs_twice_the_value() -> None:
    """It goes to the treasury; the owner holds all of it, on the space they have chosen, which is used once
    (R-NE-005, R-NE-022)."""
    game = draft(2)
    reserve(game, "CV", "ER")
    found = game.labels(game.domain("start_minor", "b", "value", company="ER"))
    assert found[0] == "$50: $100 to the treasury"
    start(game, "ER", 65, "bottom")
    minor = game.company("ER")
    assert (minor.par, minor.cell, minor.cash) == (65, (1, 6), 130)
    assert (minor.president, minor.percent("b"), game.cash()["b"]) == ("b", 100, 520 - 130)
    game = draft(2)
    reserve(game, "CV", "ER", "BL", "CR")
    start(game, "CV", 50)
    assert game.values("start_minor", "b", "space", company="ER", value=50) == ["bottom"]
    assert game.values("start_minor", "b", "value", company="ER") == [50, 55, 60, 65, 70]
    why = game.refused("9", "start_minor", "b", company="ER", value=50, space="top")
    assert "The top space of $50 is not free" in why
    assert "free now" in game.refused("9", "start_minor", "b", company="ER", value=80, space="top")
    why = game.refused("9", "start_minor", "b", company="ER", value=75, space="top")
    assert "The market has no space for a minor at 75" in why


def test_pass_gives_reservations_back() -> None:
    """The minors can be reserved by others; the player is out. One too poor is not asked. The draft ends when
    all have passed, in whatever order (R-NE-023, R-NE-024, R-NE-025)."""
    game = draft(2)
    reserve(game, "CV", "ER", "BL")
    label = game.label(game.find("pass", "a"))
    assert label == "Give back all reservations and pass for the rest of the round"
    events = game.do("pass", "a")
    assert ReservationsReturned("a", ("CV",)) in events
    assert game.on_turn() == "b"
    reserve(game, "CV", "CR")
    assert game.on_turn() == "b"
    assert game.table.state.round == Draft(
        turn=9, reserved={"ER": "b", "BL": "b", "CV": "b", "CR": "b"}, out=["a"], passed=["a"]
    )
    game = draft(2, a=110)
    reserve(game, "CV", "ER", "BL", "CR")
    start(game, "CV", 55)
    assert game.on_turn() == "b"
    assert game.table.state.round == Draft(turn=5, reserved={"ER": "b", "BL": "b", "CR": "a"})
    events = game.do("reserve", "b", company="HRR")
    assert ReservationsReturned("a", ("CR",)) not in events
    events = game.do("reserve", "b", company="PE")
    assert ReservationsReturned("a", ("CR",)) in events
    assert game.on_turn() == "b"
    game = draft(3)
    game.passes("a", "b")
    reserve(game, "CV")
    start(game, "CV", 50)
    game.passes("b", "a")
    assert game.on_turn() == "a"
    game.passes("a", "b")
    assert game.round_name() == "SR 1"
    game.passes("c")
    assert game.round_name() == "OR 1.1"


@pytest.mark.parametrize(
    ("money", "seat"),
    [({"a": 20, "b": 20, "c": 80, "d": 20}, 2), ({"a": 30, "b": 80, "c": 80, "d": 0}, 1)],
)
def test_richest_player_gets_priority(money: dict[str, int], seat: int) -> None:
    """Example 5; among equals the first of the first order (R-NE-026)."""
    game = draft(4)
    reserve(game, "CV", "ER", "BL", "CR")
    start(game, "CR", 70)
    for player, amount in money.items():
        game.table.state.player(player).cash = amount
    game._skip_idle_steps()
    assert game.table.state.priority == seat


@pytest.mark.parametrize(("value", "left"), [(50, 0), (55, 10), (60, 20), (65, 30), (70, 40)])
def test_minor_buys_its_first_train(value: int, left: int) -> None:
    """Example 4; it has placed its station, and all its turn is still before it (R-NE-027, R-NE-028)."""
    game = draft(2)
    reserve(game, "WNR", "ER")
    start(game, "ER", value)
    game.passes("a")
    events = game.do("pass", "b")
    minor = game.company("ER")
    assert (minor.cash, minor.trains, minor.tokens) == (left, ["2"], [])
    assert game.table.map.token_stops_of("ER") == [("L5", 1)]
    assert isinstance(game.table.state.round, Operating)
    assert game.table.turn.company == "ER"
    assert game.offered("lay_tile", "ER")
    assert {TrainBought, HomePlaced} <= {type(event) for event in events}


def test_first_trains_start_no_phase() -> None:
    """All 2-trains are gone then (R-NE-027)."""
    game = draft(5)
    reserve(game, *DRAWN)
    spaces = [(value, space) for value in (50, 55, 60, 65, 70) for space in ("top", "bottom")]
    for value, space in spaces:
        mine = game.values("start_minor", game.on_turn(), "company")
        start(game, mine[0], value, space)
    while isinstance(game.table.state.round, Draft):
        game.do("pass", game.on_turn())
    assert game.table.state.depot["2"] == 0
    assert game.table.state.phase == "2"


@pytest.mark.parametrize(("profile", "asked"), [("rulebook", "b"), ("18xx.games", "a")])
def test_nothing_left_to_reserve(profile: str, asked: str) -> None:
    """On that site they are, as long as they could pay a space (D-NE-21)."""
    game = draft(2, profile, from_log=99)
    game.table.state.round = Draft(reserved=dict.fromkeys(game.values("reserve", "a", "company"), "b"))
    game._skip_idle_steps()
    assert game.on_turn() == asked


def test_turn_message_lists_reservations() -> None:
    game = draft(2)
    reserve(game, "CV", "ER", "BL")
    assert turn_view(game).facts_text == "cash $520, certificates 0/25"
    assert turn_view(game).duty_lines == (
        "Ann, $520: reserved CV; can pay for spaces up to $70.",
        "Bob, $520: reserved ER, BL; can pay for spaces up to $70.",
    )
