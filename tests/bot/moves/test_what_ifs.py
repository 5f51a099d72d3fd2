"""What-ifs without Discord: what is tried in a row on a copy, automatic moves, and how long a what-if is kept."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.client.features.what_if import what_if_text
from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.table.errors import Refused
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import offered_buttons
from bot.table.what_ifs import (
    MAX_MOVES,
    OUTDATED_BUTTON,
    TOO_MANY_MOVES,
    WHAT_IF_ENDED,
    WhatIfs,
    repeated_moves,
    try_moves,
    typed_moves,
    view_of_what_if,
)
from engine.core.actions import Action, Bid, RunRoutes
from engine.tell.view_builders import map_part_in_play, map_view, market_view
from tests.bot.support.positions import played_to, recorded
from tests.bot.support.table_service import ANN, BOB, CY, TableService

LAST_STEPS = 68
"""After this many actions of 18al-price-3p one press can end the turn of a company."""
BEFORE_A_FORCED_PURCHASE = 69
"""After this many actions of 18al-price-3p a company places a token, and then has but one train that it can buy."""


def actions_of(name: str) -> Sequence[Action]:
    return recorded(name).actions


async def live_after(service: TableService, name: str, played: int) -> tuple[LiveGame, Sequence[Action]]:
    """A recorded game after this many actions as one at a table, and the actions to come."""
    whole = recorded(name)
    number = await service.at(replace(whole, actions=whole.actions[:played]))
    async with service.tables.reading(number) as live:
        return live, whole.actions[played:]


async def test_forced_moves_follow(service: TableService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tell.view_builders.map_parts.LARGE_MAP_HEXES", 0)
    live, (token, *_) = await live_after(service, "18al-price-3p", BEFORE_A_FORCED_PURCHASE)
    begun, whole = WhatIfs().begin(live, ANN), map_view(live.game)
    part = view_of_what_if(begun).map
    assert part == map_part_in_play(live.game, whole) != whole, "a large map is shown in part"
    found = try_moves(begun, repeated_moves([token]))
    assert found.map == map_view(found.what_if.current_game()), "with all around what has changed"
    [step] = found.what_if.steps
    assert any(" buys a " in line for line in step.lines)
    assert [line.endswith("*(automatic)*") for line in step.lines].count(True) == 1
    assert found.turn is not None
    assert found.focus_hexes == step.hexes


async def test_run_shows_routes_and_market(
    service: TableService,
) -> None:
    name = "18al-price-3p"
    first = next(number for number, action in enumerate(actions_of(name)) if isinstance(action, RunRoutes))
    live, (run, dividend, *_) = await live_after(service, name, first)
    assert isinstance(run, RunRoutes)
    ran = try_moves(WhatIfs().begin(live, live.user_of(run.actor)), repeated_moves([run]))
    assert (ran.map, ran.focus_hexes, ran.market) == (map_view(live.game, run.routes), (), None)
    paid = try_moves(ran.what_if, repeated_moves([dividend]))
    assert (paid.map, paid.market) == (None, market_view(paid.what_if.current_game())), (
        "nothing changed on the map"
    )


async def test_most_moves(service: TableService) -> None:
    live, _ = await live_after(service, "18chesapeake-bank-4p", 0)
    bids = [
        Bid(actor=f"p{n % 4 + 1}", entity=f"p{n % 4 + 1}", private="CV", amount=205 + 5 * n)
        for n in range(MAX_MOVES + 1)
    ]
    what_if = try_moves(WhatIfs().begin(live, ANN), repeated_moves(bids))
    assert len(what_if.what_if.steps) == MAX_MOVES
    assert what_if.note == TOO_MANY_MOVES
    text = what_if_text(what_if, live.seq)
    assert len(text) <= MAX_MESSAGE_LENGTH
    assert f"{MAX_MOVES}. " in text
    assert " earlier" in text


async def test_no_button_makes_several_moves(service: TableService) -> None:
    """There each is tried, and undone, alone."""
    live, _ = await live_after(service, "18al-price-3p", LAST_STEPS)
    player = live.game.actors()[0]
    tried = view_of_what_if(WhatIfs().begin(live, live.user_of(player))).buttons
    for entries, several in ((offered_buttons(live.game, player), 1), (tried, 0)):
        assert (
            sum(entry.move is not None and entry.move.further_actions != () for entry in entries) == several
        )


async def test_only_the_last_state_is_found(service: TableService) -> None:
    live, _ = await live_after(service, "18chesapeake-bank-4p", 0)
    kept = WhatIfs()
    older, begun = kept.begin(live, ANN), kept.begin(live, ANN)
    changed = begun.with_steps(())
    kept.replace(begun, changed)
    assert kept.find(live.id, ANN, changed.token) is changed
    for before, why in ((older, WHAT_IF_ENDED), (begun, OUTDATED_BUTTON)):
        with pytest.raises(Refused, match=re.escape(why)):
            kept.find(live.id, ANN, before.token)
        with pytest.raises(Refused, match=re.escape(why)):
            kept.replace(before, before.with_steps(()))
    assert kept.find(live.id, ANN, changed.token) is changed


async def test_what_if_is_its_owners(service: TableService) -> None:
    live, _ = await live_after(service, "18chesapeake-bank-4p", 0)
    kept = WhatIfs()
    ann, bob = kept.begin(live, ANN), kept.begin(live, BOB)
    assert ann.viewer != bob.viewer
    for user_id, token in ((BOB, ann.token), (ANN, bob.token), (CY, ann.token)):
        with pytest.raises(Refused):
            kept.find(live.id, user_id, token)


async def test_typed_move_off_turn(
    service: TableService,
) -> None:
    """Bob waits for Ann's answer to an offer, which Ann cannot withdraw."""
    game = await service.at(played_to("buy_private"))
    await service.do(game, BOB, "buy_private", private="D&R", price=20)
    async with service.tables.reading(game) as live:
        what_if = WhatIfs().begin(live, BOB)
    [step] = try_moves(what_if, typed_moves("withdraw", what_if.viewer)).what_if.steps
    assert step.action.actor == "p2"
