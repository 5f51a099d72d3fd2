"""Tables whose games began by rules before version 2, without a state that was kept: they continue."""

import json
from pathlib import Path

import pytest

from bot.table.games import loading
from bot.table.games.game_log import Opening
from bot.table.past.game_record import record_of
from bot.table.past.past_games import PastGame
from bot.table.past.past_views import past_position, timelapse
from bot.workers.workers import Priority, Queue
from engine.core.actions import Action
from engine.interchange.old_exports import FIRST_RULES, EarlierMoves
from engine.record import Record, read_record
from engine.tell.view_builders import market_view
from render import MOST_FRAMES
from storage import Entry, Row, games, log, positions, seats
from tests.bot.support.records import history_of
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

GAME = Path(__file__).parents[2] / "golden" / "format_1" / "18tn-bank-3p.json"
PEOPLE = {"p1": ANN, "p2": BOB, "p3": CY}
MOVES = 340
"""So far the game had come: beyond the first turns that ask more questions today."""


@pytest.fixture
def earlier() -> Record:
    """How it was played."""
    return read_record(GAME.read_text("utf-8"))


async def stored(service: TableService, played: Record) -> int:
    """A running game as it lies in a database of then: no version, no separate leniency, no state; its number."""
    row = await games.create_game(
        service.db,
        guild_id=GUILD,
        channel_id=CHANNEL,
        title=played.title,
        profile=played.profile,
        options="[]",
        seed=played.seed,
        name="18TN",
        now="2026-01-01T00:00:00Z",
    )
    for (_, name), user in zip(played.players, PEOPLE.values(), strict=True):
        await seats.join(service.db, row.id, user, name, now="2026-01-01T00:00:00Z")
    opening = {
        "title": played.title,
        "profile": played.profile,
        "options": [],
        "seed": played.seed,
        "players": played.players,
    }
    entries = [Entry("start", json.dumps(opening), "0" * 32, "")]
    entries += [
        Entry("action", action.model_dump_json(), "0" * 32, action.actor, PEOPLE[action.actor])
        for action in played.actions[:MOVES]
    ]
    await log.commit_start(service.db, row.id, entries, now="2026-01-01T00:00:00Z")
    return row.id


async def test_a_game_of_earlier_rules_is_taken_up_and_continues(
    service: TableService, earlier: Record
) -> None:
    """From its next move on its state is kept, and it is like any other."""
    game = await stored(service, earlier)
    async with service.tables.reading(game) as live:
        assert live.waits is None
        acting = live.game.actors()[0]
        before = live.seq
    await service.pass_on(game)
    again = TableService.on(service.db)
    assert await again.digest(game) == await service.digest(game)
    await again.undo(game, PEOPLE[acting])
    kept = await log.kept_state(service.db, game)
    assert kept is not None
    assert kept.seq == before + 2


async def test_a_game_of_earlier_rules_can_be_undone_beyond_a_restart(
    service: TableService, earlier: Record
) -> None:
    """The moves before are replayed as they were taken up."""
    game = await stored(service, earlier)
    before = await service.digest(game)
    async with service.tables.reading(game) as live:
        acting = live.game.actors()[0]
    await service.pass_on(game)
    again = TableService.on(service.db)
    await again.undo(game, PEOPLE[acting])
    assert await again.digest(game) == before


def test_a_game_of_earlier_rules_is_not_undone_by_todays_from_a_stored_position(earlier: Record) -> None:
    """Its 24th move is one that these would refuse."""
    opening = Opening(
        earlier.title, earlier.profile, (), earlier.seed, tuple(earlier.players), rules=FIRST_RULES
    )
    game = opening.begin()
    rows, moves = [Row(1, 1, "start", opening.payload(), game.digest(), "", None, "")], EarlierMoves(game)
    near = None
    for seq, action in enumerate(earlier.actions[:24], start=2):
        near = positions.StoredState(seq - 1, game.digest(), game.dump())
        moves.apply(action)
        rows.append(Row(1, seq, "action", action.model_dump_json(), game.digest(), action.actor, None, ""))
    assert loading._reached(rows, near).digest() == game.digest()


async def test_what_happened_by_earlier_rules_reads_as_it_did(service: TableService, earlier: Record) -> None:
    """Every move, by its own number; what is passed today is not spoken of."""
    game = await stored(service, earlier)
    async with service.tables.reading(game) as live:
        whole = record_of(live)
    lines = dict((await history_of(service.tables, game)).all_lines())
    acted = {number for number, a in enumerate(earlier.actions[:MOVES], 2) if a.kind != "pass"}
    assert acted <= lines.keys()
    assert all("not shown again" not in line for line in lines.values())
    assert whole.play().digest() == await service.digest(game)
    assert [a for a in whole.actions if _counts(a)] == [a for a in earlier.actions[:MOVES] if _counts(a)]


async def test_history_by_earlier_rules_has_every_move_and_position(
    service: TableService, earlier: Record
) -> None:
    game, queue = await stored(service, earlier), Queue(Priority.QUESTION, GUILD, ANN)
    async with service.tables.reading(game) as live:
        asked, market = PastGame.of(live), market_view(live.game)
    whole = await history_of(service.tables, game)
    assert whole.hidden == []
    assert (await past_position(service.tables.past, asked, MOVES + 1, queue)).stood.market == market
    laid = [action for action in earlier.actions[:MOVES] if action.kind == "lay_tile"]
    assert len(laid) <= len(whole.map_changes)
    maps = await timelapse(service.tables.past, asked, whole, 50, queue)
    assert len(maps) == 1 + min(len(whole.map_changes), MOST_FRAMES - 1)


def _counts(action: Action) -> bool:
    return action.kind != "pass"
