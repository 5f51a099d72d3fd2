"""What-ifs without Discord: what is tried in a row on a copy, automatic moves, and how long a what-if is kept."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.client.features.what_if import what_if_text
from bot.client.game_texts import MAX_MESSAGE_LENGTH
from bot.table.errors import Refused
from bot.table.imports import TablePlace, add_recorded
from bot.table.live import LiveGame
from bot.table.moves.turn_buttons import offered_buttons
from bot.table.what_ifs import (
    MAX_MOVES,
    OUTDATED_BUTTON,
    TOO_MANY_MOVES,
    WHAT_IF_ENDED,
    WhatIf,
    WhatIfs,
    WhatIfView,
    repeated_moves,
    try_moves,
    typed_moves,
    view_of_what_if,
)
from engine.core.actions import Action, Pass, RunRoutes
from engine.tell.view_builders import map_part_in_play, map_view, market_view
from tests.bot.support.positions import GOLDEN, played_to, recorded
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.support.long_runs import VARIED_GAMES, some_named

GAMES = sorted(path.stem for path in GOLDEN.glob("*.json") if not path.stem.startswith("18c2c_full"))
"""The longest has the rules of the shorter one; what it offers is tried in `tests/engine/tell/test_trying.py`."""
PEOPLE = ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy"), (14, "Dee"))
LAST_STEPS = 68
"""After this many actions of 18al-price-3p one press can end the turn of a company."""
BEFORE_A_FORCED_PURCHASE = 69
"""After this many actions of 18al-price-3p a company places a token, and then has but one train that it can buy."""


def actions_of(name: str) -> Sequence[Action]:
    return recorded(name).actions


async def live_after(service: TableService, name: str, played: int) -> tuple[LiveGame, Sequence[Action]]:
    """A recorded game after this many actions as one at a table, and the actions to come."""
    whole = recorded(name)
    record = replace(whole, actions=whole.actions[:played])
    place = TablePlace(GUILD, CHANNEL, PEOPLE[: len(record.players)])
    number = await add_recorded(service.tables, record, place)
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


@pytest.mark.parametrize("name", some_named(VARIED_GAMES, GAMES))
async def test_game_stays_where_it_is(service: TableService, name: str) -> None:
    live, actions = await live_after(service, name, 2 * len(actions_of(name)) // 3)
    before = (live.game.digest(), live.seq, list(live.effective_rows))
    actor = live.user_of(live.game.actors()[0])
    found = try_moves(WhatIfs().begin(live, actor), repeated_moves(actions[:4]))
    assert found.what_if.steps
    assert [step.action for step in found.what_if.steps] == list(actions[: len(found.what_if.steps)])
    assert (live.game.digest(), live.seq, list(live.effective_rows)) == before
    assert len(what_if_text(found, live.seq)) <= MAX_MESSAGE_LENGTH


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
    what_if = _passing(WhatIfs().begin(live, ANN), MAX_MOVES + 1)
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


async def test_finished_game(service: TableService) -> None:
    live, _ = await live_after(service, "18tn-bankruptcy-3p", len(actions_of("18tn-bankruptcy-3p")))
    with pytest.raises(Refused, match="is over"):
        WhatIfs().begin(live, ANN)


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


@pytest.mark.parametrize("text", ["pass then pass", "/pass then /pass", " PASS   then  pass then "])
async def test_moves_typed_with_then(service: TableService, text: str) -> None:
    live, _ = await live_after(service, "18chesapeake-bank-4p", 0)
    what_if = WhatIfs().begin(live, ANN)
    found = try_moves(what_if, typed_moves(text, what_if.viewer))
    assert (len(found.what_if.steps), found.note) == (2, "")
    found = try_moves(what_if, typed_moves("bid CV", what_if.viewer))
    assert "Which amount? $205 to $" in found.note
    assert found.what_if.steps == ()


async def test_typed_move_off_turn(
    service: TableService,
) -> None:
    """Bob waits for Ann's answer to an offer, which Ann cannot withdraw."""
    record = played_to("buy_private")
    game = await add_recorded(
        service.tables, record, TablePlace(GUILD, CHANNEL, PEOPLE[: len(record.players)])
    )
    await service.do(game, BOB, "buy_private", private="D&R", price=20)
    async with service.tables.reading(game) as live:
        what_if = WhatIfs().begin(live, BOB)
    [step] = try_moves(what_if, typed_moves("withdraw", what_if.viewer)).what_if.steps
    assert step.action.actor == "p2"


def _passing(what_if: WhatIf, times: int) -> WhatIfView:
    """Pass again and again, no matter who is on turn."""
    found = view_of_what_if(what_if)
    for _ in range(times):
        actor = found.what_if.current_game().actors()[0]
        found = try_moves(found.what_if, repeated_moves([Pass(actor=actor, entity=actor)]))
        if found.note:
            break
    return found
