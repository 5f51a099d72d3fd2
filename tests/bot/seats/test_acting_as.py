"""In what capacity somebody acts: whose offers are theirs, and whose they may only propose."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.client.moves.acting_as import KEY, MODERATOR, TABLE, WHAT_IF, ActingAs, capacity_of
from bot.table.errors import NotYours, NotYourTurn, Refused
from bot.table.live import LiveGame
from bot.table.moves.moves import offer_key
from tests.bot.support.tables import ANN, BOB, CY
from tests.titles.builders import new_game


def table(by_group: str | None) -> LiveGame:
    """Ann, Bob and Cy at an auction; Ann is to act, and the group plays a seat, or none."""
    row: Any = SimpleNamespace(id=5, status="running")
    seats: Any = tuple(
        SimpleNamespace(player_id=player, user_id=user, display_name=player)
        for player, user in (("a", ANN), ("b", BOB), ("c", CY))
    )
    left: Any = SimpleNamespace(player_id=by_group, role="group", user_id=0, since=1, until=None, at="")
    return LiveGame(row, seats, new_game(), 9, seat_history=() if by_group is None else (left,))


def acting() -> ActingAs:
    tables: Any = SimpleNamespace(seat_of=lambda live, user_id: live.player_of(user_id))
    nobody: Any = None
    return ActingAs(tables, nobody, nobody)


def key(live: LiveGame, letter: str) -> str:
    """What a menu carries for the first offer of Ann."""
    return f"{offer_key(live.game.offers('a')[0])}{letter}"


def test_the_capacity_stands_behind_the_key_of_an_offer() -> None:
    letters = ("", MODERATOR, TABLE, WHAT_IF)
    assert tuple(capacity_of(f"{'0' * KEY}{letter}") for letter in letters) == letters


def test_by_oneself_only_ones_own_offer_is_used() -> None:
    live = table(None)
    assert acting().offer(live, ANN, key(live, "")).actor == "a"
    with pytest.raises(NotYourTurn):
        acting().offer(live, BOB, key(live, ""))


def test_for_the_table_an_offer_of_a_seat_is_proposed_that_it_plays() -> None:
    """Not of one that a person plays, nor by somebody without a seat, nor where it plays none."""
    live = table("a")
    assert acting().offer(live, BOB, key(live, TABLE)).actor == "a"
    with pytest.raises(NotYours):
        acting().offer(live, 99, key(live, TABLE))
    other = table("b")
    with pytest.raises(NotYourTurn):
        acting().offer(other, ANN, key(other, TABLE))
    none = table(None)
    with pytest.raises(Refused, match="plays no seat"):
        acting().offer(none, ANN, key(none, TABLE))


def test_a_moderator_uses_the_offer_of_any_player() -> None:
    live = table(None)
    assert acting().offer(live, 99, key(live, MODERATOR)).actor == "a"
