"""Tables whose games began by rules before version 2, without a state that was kept: they continue."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bot.table.past.game_record import record_of
from bot.table.past.past_games import GameToReplay
from bot.table.past.past_views import past_position, timelapse
from bot.table.redo import redo
from bot.table.votes.moderation import moderator_undo
from bot.workers.workers import Priority, QueuePlace
from engine.core.actions import Action, Pass
from engine.interchange.old_exports import replay_old_rules
from engine.record import Record, read_record
from engine.tell.view_builders import market_view
from render import MAX_TIMELAPSE_FRAMES
from storage import NewLogRow, games, log, positions, seats
from storage.positions import StoredState
from tests.bot.support.records import history_of
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

GAME = Path(__file__).parents[2] / "golden" / "format_1" / "18tn-bank-3p.json"
PEOPLE = {"p1": ANN, "p2": BOB, "p3": CY}
THEN = "2026-01-01T00:00:00Z"
MOVES = 340
"""So far the game had come: beyond the first turns that ask more questions today."""
BUYS = 48
"""With this action `p3` buys a share, which ends the turn today."""


@pytest.fixture
def earlier() -> Record:
    return read_record(GAME.read_text("utf-8"))


async def stored(service: TableService, played: Record) -> int:
    """A running game as it lies in a database of then: no version, no separate leniency, no state; its number."""
    about = {"title": played.title, "profile": played.profile, "seed": played.seed}
    place = {"guild_id": GUILD, "channel_id": CHANNEL, "name": "18TN", "options": "[]", "now": THEN}
    row = await games.create_game(service.db, **about, **place)  # type: ignore[arg-type]
    for (_, name), user in zip(played.players, PEOPLE.values(), strict=True):
        await seats.join_game(service.db, row.id, user, name, now=THEN)
    opening = about | {"options": [], "players": played.players}
    entries = [NewLogRow("start", json.dumps(opening), "0" * 32, "")]
    entries += [
        NewLogRow("action", action.model_dump_json(), "0" * 32, action.actor, PEOPLE[action.actor])
        for action in played.actions[:MOVES]
    ]
    await log.commit_start(service.db, row.id, entries, now=THEN)
    return row.id


async def test_game_of_earlier_rules_continues(service: TableService, earlier: Record) -> None:
    """From its next move on its state is kept, and it is undone and taken up like any other."""
    game = await stored(service, earlier)
    async with service.tables.reading(game) as live:
        assert live.hold_reason is None
        before, digest, acting = live.seq, live.game.digest(), live.game.actors()[0]
    await service.pass_on(game)
    again = TableService.on(service.db)
    assert await again.digest(game) == await service.digest(game)
    await again.undo(game, PEOPLE[acting])
    assert await again.digest(game) == await TableService.on(service.db).digest(game) == digest
    kept = await log.stored_state(service.db, game)
    assert kept is not None
    assert kept.seq == before + 2


async def test_redo_by_earlier_rules(service: TableService, earlier: Record) -> None:
    """A pass of a step in which there is nothing to pass any more is its player's all the same."""
    game = await stored(service, earlier)
    before, last = await service.digest(game), await log.last_seq(service.db, game)
    await moderator_undo(service.tables, game, 99, 1, last)
    await redo(service.tables, game, 99, is_moderator=True)
    assert await service.digest(game) == await TableService.on(service.db).digest(game) == before
    posted = (await service.lines(game))[-1].split("\n")
    assert any(re.fullmatch(r"`\d+` \*\*(Ann|Bob|Cy)\*\*\.", line) for line in posted)
    assert posted[-1].endswith(f"redoes moves 2 to {last} as {last + 2} to {2 * last}.")


async def test_undo_by_earlier_rules(service: TableService, earlier: Record) -> None:
    """From the start, whatever position was kept on the way: only there it is known which passes lead nowhere."""
    bought, done = earlier.actions[:BUYS], Pass(actor="p3", entity="p3")
    game = await stored(service, replace(earlier, actions=(*bought, done, *earlier.actions[BUYS:])))
    played = earlier.initial_game()
    replay_old_rules(played, bought)
    await positions.add_positions(service.db, game, [StoredState(BUYS + 1, "0" * 32, played.dump())])
    await moderator_undo(service.tables, game, 99, BUYS + 2, await log.last_seq(service.db, game))
    assert await service.digest(game) == played.digest()


async def test_earlier_rules_have_the_same_history(service: TableService, earlier: Record) -> None:
    """Every move, by its own number; what is passed today is not spoken of."""
    game, queue = await stored(service, earlier), QueuePlace(Priority.QUESTION, GUILD, ANN)
    async with service.tables.reading(game) as live:
        whole, asked, market = record_of(live), GameToReplay.of(live), market_view(live.game)
    history = await history_of(service.tables, game)
    lines = dict(history.all_lines())
    acted = {number for number, a in enumerate(earlier.actions[:MOVES], 2) if a.kind != "pass"}
    assert acted <= lines.keys()
    assert history.hidden_rows == []
    assert whole.play().digest() == await service.digest(game)
    assert [a for a in whole.actions if _counts(a)] == [a for a in earlier.actions[:MOVES] if _counts(a)]
    assert (
        await past_position(service.tables.replayer, asked, MOVES + 1, queue)
    ).views_after_move.market == market
    laid = [action for action in earlier.actions[:MOVES] if action.kind == "lay_tile"]
    assert len(laid) <= len(history.map_change_seqs)
    maps = await timelapse(service.tables.replayer, asked, history, 50, queue)
    assert len(maps) == 1 + min(len(history.map_change_seqs), MAX_TIMELAPSE_FRAMES - 1)


def _counts(action: Action) -> bool:
    return action.kind != "pass"
