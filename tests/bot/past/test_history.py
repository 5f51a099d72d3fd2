"""Earlier positions and what moves did: replayed from kept positions, and the same as replaying everything."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.past.game_record import undo_lines
from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_games import ROWS_PER_STORED_POSITION, GameToReplay
from bot.table.past.past_views import (
    MAX_TIMELAPSE_HEXES,
    PastPosition,
    net_worth_chart,
    past_position,
    timelapse,
    turning_points,
)
from bot.table.redo import redo
from bot.table.undo import undo
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import own_seat, propose_seat
from bot.workers.workers import Priority, QueuePlace
from engine import Game, read_action
from engine.core.actions import RunRoutes
from engine.core.events import HomePlaced, TileLaid, TokenPlaced
from engine.tell.turning_points import GameStory
from engine.tell.view_builders import map_view, market_view
from engine.tell.views import HistoryView, MapView, RoundValuesView
from storage import LogRow, personal_data
from tests.bot.support.positions import recorded
from tests.bot.support.records import history_of
from tests.bot.support.table_service import ANN, BOB, CY, DEE, GUILD, TableService

RECORDED = "18chesapeake-bankruptcy-3p"
MADE = 75
"""This many moves of it are on the table: in its second operating round."""
LATER = 2 * ROWS_PER_STORED_POSITION
"""After this row a position is kept."""
MODERATOR = 99
QUEUE = QueuePlace(Priority.QUESTION, GUILD, ANN)


@pytest.fixture
async def imported(service: TableService) -> int:
    return await service.at(recorded(RECORDED, MADE))


async def asked(service: TableService, game: int) -> GameToReplay:
    async with service.tables.reading(game) as live:
        return GameToReplay.of(live)


async def lines(service: TableService, game: int) -> list[tuple[int, str]]:
    return (await history_of(service.tables, game)).all_lines()


async def position(service: TableService, game: int, seq: int) -> PastPosition:
    return await past_position(service.tables.replayer, await asked(service, game), seq, QUEUE)


def replayed(rows: Sequence[LogRow]) -> Game:
    game = loading.game_before_moves(rows)
    for row in rows[1:]:
        game.apply(read_action(row.payload))
    return game


async def kept(service: TableService, game: int) -> list[int]:
    return await service.db.numbers("SELECT seq FROM positions WHERE game_id = ? ORDER BY seq", game)


def damage(service: TableService, statement: str) -> None:
    with closing(sqlite3.connect(service.db.name)) as conn, conn:
        assert conn.execute(statement).rowcount > 0


# --- positions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forgotten", [False, True])
async def test_position_is_the_replayed_one(service: TableService, imported: int, forgotten: bool) -> None:
    if forgotten:
        damage(service, "DELETE FROM positions")
    game = await asked(service, imported)
    for seq in (1, 2, 9, ROWS_PER_STORED_POSITION, ROWS_PER_STORED_POSITION + 1, 40, 64, MADE + 1):
        found, then = await position(service, imported, seq), replayed(game.rows_between(0, seq))
        assert found.views_after_move.market == market_view(then)
        assert found.views_after_move.map.hexes == map_view(then).hexes
        assert (found.previous_move, found.next_move) == (seq - 1 or None, seq + 1 if seq <= MADE else None)


async def test_run_shows_its_routes_on_the_map_before(service: TableService, imported: int) -> None:
    game = await asked(service, imported)
    read = ((row.seq, read_action(row.payload)) for row in game.rows[1:])
    seq, routes = next((seq, action.routes) for seq, action in read if isinstance(action, RunRoutes))
    found = await position(service, imported, seq)
    assert found.views_after_move.map == map_view(replayed(game.rows_between(0, seq - 1)), routes)
    assert found.views_after_move.map.runs


async def test_unknown_and_undone_positions_are_refused(service: TableService) -> None:
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    await service.undo(game, CY)
    for seq, says in (
        (4, "Move 4 was undone or does not exist"),
        (5, "Move 5 was"),
        (6, "There is no move 6"),
    ):
        with pytest.raises(Refused, match=rf"^{says}.*\. The last one is 3\.$"):
            await position(service, game, seq)


# --- the history -----------------------------------------------------------------------------------------------------


async def test_history_has_rounds_map_changes_and_story(service: TableService, imported: int) -> None:
    game = await asked(service, imported)
    played = loading.game_before_moves(game.rows)
    story, on_map = GameStory.starting_at(played), list[int]()
    for row in game.rows[1:]:
        events = played.apply(read_action(row.payload))
        story.add_events(played, events, row.seq)
        if any(isinstance(one, TileLaid | TokenPlaced | HomePlaced) for one in events):
            on_map.append(row.seq)
    found = await history_of(service.tables, imported)
    rounds = ["SR 1", "OR 1.1", "SR 2", "OR 2.1", "SR 3", "OR 3.1", "OR 3.2", "SR 4"]
    assert [one.name for one in found.round_values] == rounds
    assert (found.occurrences, found.map_change_seqs) == (story.occurrences, on_map)
    assert story.occurrences
    assert turning_points(found, played) == story.turning_points(played)


async def test_timelapse_has_the_maps_after_changes(service: TableService, imported: int) -> None:
    """Of a large map fewer, at equal distances with the first and the last."""
    game, history = await asked(service, imported), await history_of(service.tables, imported)

    async def shown(most: int) -> list[MapView]:
        return await timelapse(service.tables.replayer, game, history, MAX_TIMELAPSE_HEXES // most, QUEUE)

    changes = history.map_change_seqs
    maps = {seq: map_view(replayed(game.rows_between(0, seq))) for seq in (1, *changes)}
    assert await shown(len(maps) + 1) == await shown(len(maps)) == list(maps.values())
    half = changes[len(changes) // 2 - 1]
    for most, seqs in ((3, [1, half, changes[-1]]), (2, [1, changes[-1]]), (1, [1])):
        assert await shown(most) == [maps[seq] for seq in seqs]
    assert await timelapse(service.tables.replayer, game, history, 2 * MAX_TIMELAPSE_HEXES, QUEUE) == [
        maps[1]
    ]


@pytest.mark.parametrize(("players", "worths"), [(("Ann",), [(1,), (2,), (3,)]), ((), [(), (), (3,)])])
def test_secret_worth_is_secret_in_the_past(players: tuple[str, ...], worths: list[tuple[int, ...]]) -> None:
    first, second, last = (RoundValuesView(f"SR {worth}", (worth,), ()) for worth in (1, 2, 3))
    now = HistoryView("18AL", "", players, (), (last,))
    assert [
        then.net_worths for then in net_worth_chart(MoveHistory(round_values=[first, second]), now).rounds
    ] == worths


# --- kept positions --------------------------------------------------------------------------------------------------


async def test_imported_game_has_positions(service: TableService, imported: int) -> None:
    assert await kept(service, imported) == list(
        range(ROWS_PER_STORED_POSITION, MADE + 2, ROWS_PER_STORED_POSITION)
    )


async def test_import_stands_without_its_positions(service: TableService) -> None:
    full = "CREATE TRIGGER t BEFORE INSERT ON positions BEGIN SELECT RAISE(ABORT, 'full'); END"
    with closing(sqlite3.connect(service.db.name)) as conn, conn:
        conn.execute(full)
    game = await service.at(recorded(RECORDED, MADE))
    assert (await position(service, game, MADE + 1)).views_after_move.move_line
    assert await kept(service, game) == []


async def test_history_follows_undo_and_redo(service: TableService, imported: int) -> None:
    before = await lines(service, imported)
    async with service.tables.reading(imported) as live:
        last = live.effective_rows[-1]
        user = live.user_of(last.actor)
    await undo(service.tables, imported, user, target_seq=last.seq - 1)
    assert await lines(service, imported) == before[:-1]
    await redo(service.tables, imported, user, last.seq + 1, is_moderator=False)
    again = [line.partition(" ")[2] for _, line in await lines(service, imported)]
    assert again == [line.partition(" ")[2] for _, line in before]
    for reader in (service, TableService.on(service.db)):
        async with reader.tables.reading(imported) as live:
            struck = f"`{MADE + 2}` ~~move {MADE + 1}~~, undone by **{live.name_of(last.actor)}**."
            assert undo_lines(live) == [(MADE + 2, struck)]


# --- damaged, and played by other rules ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE positions SET state = x'00' WHERE seq > {ROWS_PER_STORED_POSITION}",
        f"UPDATE positions SET state = (SELECT state FROM positions WHERE seq = {ROWS_PER_STORED_POSITION})"
        f" WHERE seq > {ROWS_PER_STORED_POSITION}",
        f"UPDATE positions SET digest = 'another' WHERE seq = {LATER}",
        f"DELETE FROM positions WHERE seq = {LATER}",
        "DELETE FROM positions",
    ],
)
async def test_damaged_positions_are_dropped(service: TableService, imported: int, statement: str) -> None:
    before, game = await history_of(service.tables, imported), await asked(service, imported)
    damage(service, statement)
    for seq in (LATER + 1, 58):
        found = await position(service, imported, seq)
        assert found.views_after_move.market == market_view(replayed(game.rows_between(0, seq)))
    assert await history_of(service.tables, imported) == before
    end = await service.tables.replayer.history(game, QUEUE, LATER)
    assert end.lines == [line for line in before.lines if line[0] > LATER]
    assert LATER not in await kept(service, imported)


@pytest.mark.parametrize(
    ("rules", "why"), [(None, "somebody changed the log"), ("0", "the bot's rules have changed")]
)
async def test_moves_that_lead_elsewhere_are_hidden(
    service: TableService, imported: int, rules: str | None, why: str
) -> None:
    """The history continues from the next kept position, if one is left."""
    stray = LATER + 3
    before, game = await history_of(service.tables, imported), await asked(service, imported)
    rows = list(game.rows)
    rows[stray - 1] = rows[stray - 1]._replace(payload=rows[stray - 2].payload)
    if rules is not None:
        opening = json.loads(rows[0].payload) | {"rules": rules}
        rows[0] = rows[0]._replace(payload=json.dumps(opening))
    changed = replace(game, rows=tuple(rows))
    found = await service.tables.replayer.history(changed, QUEUE)
    hidden = f"`{stray}` Moves {stray} to {LATER + ROWS_PER_STORED_POSITION} are missing here, because {why}"
    assert [line for _, line in found.all_lines() if line.startswith(hidden)]
    shown = [line for line in before.all_lines() if not stray <= line[0] <= LATER + ROWS_PER_STORED_POSITION]
    assert [line for line in found.all_lines() if line[0] != stray] == shown
    with pytest.raises(Refused, match=f"Cannot show move {stray}"):
        await past_position(service.tables.replayer, changed, stray, QUEUE)
    end = await service.tables.replayer.history(changed, QUEUE, LATER + ROWS_PER_STORED_POSITION)
    assert end.all_lines() == [line for line in shown if line[0] > LATER + ROWS_PER_STORED_POSITION]
    damage(service, f"DELETE FROM positions WHERE seq > {stray}")
    found = await service.tables.replayer.history(changed, QUEUE)
    assert found.occurrences == [one for one in before.occurrences if one.move < stray]
    assert found.all_lines()[-1][1].startswith(f"`{stray}` Moves {stray} to {MADE + 1} are missing here")


def test_neighbouring_gaps_are_one() -> None:
    found = MoveHistory(lines=[(3, "A move.")])
    for gap in ((1, 1, "x"), (2, 2, "x"), (4, 6, "y"), (7, 7, "y"), (8, 8, "x")):
        found.hide_rows(*gap)
    gaps = [line.partition(" missing")[0] for _, line in found.all_lines()]
    assert gaps == ["`1` Moves 1 to 2 are", "A move.", "`4` Moves 4 to 7 are", "`8` Move 8 is"]
    apart = MoveHistory(lines=[(3, "A move.")])
    for seq in (2, 4):
        apart.hide_rows(seq, seq, "x")
    assert len(apart.hidden_rows) == 2


# --- names -----------------------------------------------------------------------------------------------------------


async def test_history_has_the_names_of_its_time(service: TableService, imported: int) -> None:
    proposals = Proposals(service.tables)
    await proposals.propose(
        imported, ANN, lambda live: propose_seat(live, ANN, own_seat(live, ANN), (DEE, "Dee"), "own")
    )
    await proposals.vote(imported, 1, DEE, "yes")
    await service.do(imported, DEE, "end_game")
    for reader in (service, TableService.on(service.db)):
        found = dict(await lines(reader, imported))
        assert "**Ann**" in found[2]
        assert "**Dee**" in found[MADE + 2]
    for seq, name in ((2, "**Ann**"), (MADE + 2, "**Dee**")):
        assert name in (await position(service, imported, seq)).views_after_move.move_line


async def test_no_position_names_anonymised_users(service: TableService, imported: int) -> None:
    await service.db.write(lambda tx: tx.run("UPDATE games SET status = 'finished'"))
    await service.forget(ANN)
    assert await kept(service, imported) == []
    found = [line for _, line in await lines(TableService.on(service.db), imported)]
    assert not [line for line in found if "Ann" in line]
    assert [line for line in found if personal_data.FORMER_PLAYER_NAME in line]
