"""In what capacity somebody acts: whose offers are theirs, and whose they may only propose."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.table.errors import NotYours, OthersTurn, Refused
from bot.table.live import LiveGame
from bot.table.moves.menus import Capacity, MenuPlace
from bot.table.moves.moves import offer_key
from bot.table.votes.acting_as import offer_as
from tests.bot.support.table_service import ANN, BOB, CY
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


TABLES: Any = SimpleNamespace(seat_of=lambda live, user_id: live.player_of(user_id))


def first(live: LiveGame, capacity: Capacity) -> MenuPlace:
    """Where the questions of the first offer of Ann begin."""
    return MenuPlace(live.id, live.seq, offer_key(live.game.offers("a")[0]), capacity=capacity)


def test_by_oneself_only_ones_own_offer_is_used() -> None:
    live = table(None)
    assert offer_as(TABLES, live, ANN, first(live, Capacity.OWN)).actor == "a"
    with pytest.raises(OthersTurn):
        offer_as(TABLES, live, BOB, first(live, Capacity.OWN))


def test_for_the_table_an_offer_of_a_seat_is_proposed_that_it_plays() -> None:
    """Not of one that a person plays, nor by somebody without a seat, nor where it plays none."""
    live = table("a")
    assert offer_as(TABLES, live, BOB, first(live, Capacity.TABLE)).actor == "a"
    with pytest.raises(NotYours):
        offer_as(TABLES, live, 99, first(live, Capacity.TABLE))
    other = table("b")
    with pytest.raises(OthersTurn):
        offer_as(TABLES, other, ANN, first(other, Capacity.TABLE))
    none = table(None)
    with pytest.raises(Refused, match="plays no seat"):
        offer_as(TABLES, none, ANN, first(none, Capacity.TABLE))


def test_a_moderator_uses_the_offer_of_any_player() -> None:
    live = table(None)
    assert offer_as(TABLES, live, 99, first(live, Capacity.MODERATOR)).actor == "a"
