"""Earlier positions and what moves did: replayed from kept positions, and the same as replaying everything."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.imports import TablePlace, add_recorded
from bot.table.past import past_games, past_views
from bot.table.past.anonymise import anonymised
from bot.table.past.game_record import undone_lines
from bot.table.past.history_lines import MoveHistory
from bot.table.past.past_games import EVERY, PastGame
from bot.table.past.past_views import PastPosition, past_position, timelapse, turning_points
from bot.table.redo import redo
from bot.table.undo import undo
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import own_seat, propose_seat
from bot.workers.workers import Priority, Queue
from engine import Game, read_action
from engine.core.actions import RunRoutes
from engine.core.events import HomePlaced, TileLaid, TokenPlaced
from engine.tell.turning_points import Story
from engine.tell.view_builders import map_view, market_view
from engine.tell.views import MapView
from storage import Row, personal_data
from tests.bot.support.mended import deeper_discounts
from tests.bot.support.positions import first_moves
from tests.bot.support.records import history_of
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService

RECORDED = (Path(__file__).parents[2] / "golden" / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
MADE = 75
"""This many moves of it are on the table: in its second operating round."""
DEE = 14
QUEUE = Queue(Priority.QUESTION, GUILD, ANN)


@pytest.fixture
async def imported(service: TableService) -> int:
    """A recorded game."""
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")), thread_id=77)
    return await add_recorded(service.tables, first_moves(RECORDED, MADE), place)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position is kept at every second row."""
    monkeypatch.setattr(past_games, "EVERY", 2)


async def asked(service: TableService, game: int) -> PastGame:
    async with service.tables.reading(game) as live:
        return PastGame.of(live)


async def lines(service: TableService, game: int) -> list[tuple[int, str]]:
    return (await history_of(service.tables, game)).all_lines()


async def position(service: TableService, game: int, seq: int) -> PastPosition:
    return await past_position(service.tables.past, await asked(service, game), seq, QUEUE)


def replayed(rows: Sequence[Row]) -> Game:
    """The game after rows, every move made again."""
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
    for seq in (1, 2, 9, EVERY, EVERY + 1, 40, 64, MADE + 1):
        found, then = await position(service, imported, seq), replayed(game.between(0, seq))
        assert found.stood.market == market_view(then)
        assert found.stood.map.hexes == map_view(then).hexes
        assert (found.before, found.after) == (seq - 1 or None, seq + 1 if seq <= MADE else None)


async def test_run_shows_its_routes_on_the_map_before(service: TableService, imported: int) -> None:
    game = await asked(service, imported)
    ran = {
        row.seq: action.routes
        for row in game.rows[1:]
        if isinstance(action := read_action(row.payload), RunRoutes)
    }
    seq, routes = next(iter(ran.items()))
    found = await position(service, imported, seq)
    assert found.stood.map == map_view(replayed(game.between(0, seq - 1)), routes)
    assert found.stood.map.runs


async def test_lay_shows_the_map_after_it(service: TableService, imported: int) -> None:
    game = await asked(service, imported)
    seq = next(row.seq for row in game.rows if '"lay_tile"' in row.payload)
    found = await position(service, imported, seq)
    assert found.stood.map == map_view(replayed(game.between(0, seq)))
    assert found.stood.line


async def test_unknown_and_undone_positions_are_refused(service: TableService) -> None:
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    await service.undo(game, CY)
    for seq, says in ((4, "Move 4 was undone, or is none"), (5, "Move 5 was"), (6, "There is no move 6")):
        with pytest.raises(Refused, match=rf"^{says}.*\. The last one is 3\.$"):
            await position(service, game, seq)


async def test_look_replays_from_the_nearest_position(
    service: TableService, imported: int, made: list[int]
) -> None:
    for seq in (1, 39, MADE + 1):
        await position(service, imported, seq)
        assert len(made) <= EVERY + 1
        made.clear()


@pytest.fixture
def made(imported: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each move that is made again from now on."""
    found: list[int] = []
    read: Callable[[str], Any] = read_action

    def counted(payload: str) -> Any:
        found.append(1)
        return read(payload)

    for module in ("bot.table.past.replay", "bot.table.games.loading"):
        monkeypatch.setattr(f"{module}.read_action", counted)
    return found


async def test_undo_replays_from_the_nearest_position(
    service: TableService, imported: int, made: list[int]
) -> None:
    rows = (await asked(service, imported)).between(0, 40)
    made.clear()
    async with service.tables.reading(imported) as live:
        found = await loading.position_after(service.db, live, rows)
    assert found.digest() == rows[-1].digest
    assert len(made) < EVERY


# --- the history -----------------------------------------------------------------------------------------------------


async def test_history_has_rounds_map_changes_and_story(service: TableService, imported: int) -> None:
    game = await asked(service, imported)
    played = loading.game_before_moves(game.rows)
    story, on_map = Story.at(played), list[int]()
    for row in game.rows[1:]:
        events = played.apply(read_action(row.payload))
        story.follow(played, events, row.seq)
        on_map += (
            [row.seq] if any(isinstance(one, TileLaid | TokenPlaced | HomePlaced) for one in events) else []
        )
    found = await history_of(service.tables, imported)
    assert [one.name for one in found.rounds] == [
        *("SR 1", "OR 1.1", "SR 2", "OR 2.1", "SR 3", "OR 3.1", "OR 3.2", "SR 4"),
    ]
    assert (found.story, found.map_changes) == (story.kept, on_map)
    assert story.kept
    assert turning_points(found, played) == story.turning_points(played)


@pytest.mark.parametrize("forgotten", [False, True])
async def test_end_of_the_history_is_that_of_the_whole(
    service: TableService, imported: int, forgotten: bool
) -> None:
    if forgotten:
        damage(service, "DELETE FROM positions")
    whole, game = await history_of(service.tables, imported), await asked(service, imported)
    for after in (57, 60, 63, MADE, MADE + 1):
        end = await service.tables.past.history(game, QUEUE, after)
        assert end.all_lines() == [line for line in whole.all_lines() if line[0] > after]
        assert end.map_changes == [seq for seq in whole.map_changes if seq > after]
        assert end.story == [one for one in whole.story if one.move > after]


async def test_pieces_make_the_same_history(
    service: TableService, imported: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = await history_of(service.tables, imported)
    for rows in (1, 10, MADE):
        monkeypatch.setattr(past_games, "AT_ONCE", rows)
        assert await history_of(service.tables, imported) == whole


async def test_timelapse_has_the_map_after_each_change(service: TableService, imported: int) -> None:
    game, history = await asked(service, imported), await history_of(service.tables, imported)
    found = await timelapse(service.tables.past, game, history, 50, QUEUE)
    assert found == [map_view(replayed(game.between(0, seq))) for seq in (1, *history.map_changes)]


async def test_timelapse_is_limited(
    service: TableService, imported: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first and the last map are shown; of a large map fewer."""
    game, history = await asked(service, imported), await history_of(service.tables, imported)

    async def shown(hexes: int) -> list[MapView]:
        return await timelapse(service.tables.past, game, history, hexes, QUEUE)

    first, *_, last = await shown(50)
    found = await shown(past_views.MOST_HEXES // 3)
    assert (len(found), found[0], found[-1]) == (3, first, last)
    monkeypatch.setattr(past_views, "MOST_FRAMES", 4)
    found = await shown(50)
    assert (len(found), found[0], found[-1]) == (4, first, last)


# --- kept positions --------------------------------------------------------------------------------------------------


async def test_imported_game_has_positions(service: TableService, imported: int) -> None:
    assert await kept(service, imported) == list(range(EVERY, MADE + 2, EVERY))


async def test_import_stands_without_its_positions(service: TableService) -> None:
    damage_at_insert = "CREATE TRIGGER t BEFORE INSERT ON positions BEGIN SELECT RAISE(ABORT, 'full'); END"
    with closing(sqlite3.connect(service.db.name)) as conn, conn:
        conn.execute(damage_at_insert)
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")), thread_id=77)
    game = await add_recorded(service.tables, first_moves(RECORDED, MADE), place)
    assert (await position(service, game, MADE + 1)).stood.line
    assert await kept(service, game) == []


@pytest.mark.usefixtures("often")
async def test_undo_drops_positions(service: TableService) -> None:
    game = await service.game()
    for person in (ANN, BOB, CY, ANN):
        await service.do(game, person, "pass")
    assert await kept(service, game) == [2, 4]
    await service.undo(game, ANN)
    await service.undo(game, CY)
    assert await kept(service, game) == [2]


async def test_new_game_is_replayed_from_its_start(service: TableService) -> None:
    game = await service.game()
    for person in (ANN, BOB):
        await service.do(game, person, "pass")
    assert await lines(service, game) == [(2, "`2` **Ann** passes."), (3, "`3` **Bob** passes.")]


@pytest.mark.usefixtures("often")
async def test_history_follows_undo_and_redo(service: TableService) -> None:
    game = await service.game()
    for person in (ANN, BOB, CY, ANN):
        await service.do(game, person, "pass")
    before = await lines(service, game)
    await service.undo(game, ANN)
    assert await lines(service, game) == before[:-1]
    await redo(service.tables, game, ANN, 6, moderates=False)
    assert [line.partition(" ")[2] for _, line in await lines(service, game)] == [
        line.partition(" ")[2] for _, line in before
    ]
    for bench_ in (service, TableService.on(service.db)):
        async with bench_.tables.reading(game) as live:
            assert undone_lines(live) == [(6, "`6` ~~move 5~~, undone by **Ann**.")]


async def test_history_of_before_an_undo_can_be_read_after_it(service: TableService, imported: int) -> None:
    game, before = await asked(service, imported), await history_of(service.tables, imported)
    async with service.tables.reading(imported) as live:
        last = live.counting[-1].actor
        user = live.user_of(last)
        to = next(row.seq for row in reversed(live.counting) if row.actor != last)
    await undo(service.tables, imported, user, to=to)
    assert await service.tables.past.history(game, QUEUE) == before


# --- damaged, and played by other rules ------------------------------------------------------------------------------

LATER = 2 * EVERY
"""After this row a position is kept."""


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE positions SET state = x'00' WHERE seq > {EVERY}",
        f"UPDATE positions SET state = (SELECT state FROM positions WHERE seq = {EVERY}) WHERE seq > {EVERY}",
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
        assert found.stood.market == market_view(replayed(game.between(0, seq)))
    assert await history_of(service.tables, imported) == before
    end = await service.tables.past.history(game, QUEUE, LATER)
    assert end.lines == [line for line in before.lines if line[0] > LATER]
    assert LATER not in await kept(service, imported)


@pytest.mark.usefixtures("often")
async def test_moves_that_lead_elsewhere_are_hidden(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The history continues from the next kept position."""
    game = await service.game()
    for person in (ANN, BOB, CY, ANN, BOB):
        await service.do(game, person, "pass")
    before = await lines(service, game)
    deeper_discounts(monkeypatch)
    after = await lines(service, game)
    assert [*after[:2], *after[3:]] == [*before[:2], *before[3:]]
    assert after[2][1].startswith("`4` Move 4 is not shown again: the log was changed from outside")
    with pytest.raises(Refused, match="Move 4 cannot be shown"):
        await position(service, game, 4)
    end = await service.tables.past.history(await asked(service, game), QUEUE, 4)
    assert end.all_lines() == before[3:]
    monkeypatch.setattr(past_games, "RULES_VERSION", "next")
    assert (await lines(service, game))[2][1].startswith(
        "`4` Move 4 is not shown again: the rules have changed since."
    )
    damage(service, "UPDATE positions SET state = x'00' WHERE seq = 4")
    assert [line.split(":")[0] for _, line in (await lines(service, game))[2:]] == [
        "`4` Moves 4 to 6 are not shown again"
    ]


async def test_story_before_a_gap_stays(service: TableService, imported: int) -> None:
    whole, game = await history_of(service.tables, imported), await asked(service, imported)
    rows = [row._replace(digest="2-0") if row.seq >= 70 else row for row in game.rows]
    found = await service.tables.past.history(replace(game, rows=tuple(rows)), QUEUE)
    assert found.story == [one for one in whole.story if one.move < 70]
    assert found.story
    assert [line.partition(" not")[0] for _, line in found.all_lines()][
        -1
    ] == f"`70` Moves 70 to {MADE + 1} are"


def test_neighbouring_gaps_are_one() -> None:
    found = MoveHistory(lines=[(3, "A move.")])
    for gap in ((1, 1, "x"), (2, 2, "x"), (4, 6, "y"), (7, 7, "y"), (8, 8, "x")):
        found.hide(*gap)
    assert [line.partition(" not")[0] for _, line in found.all_lines()] == [
        *("`1` Moves 1 to 2 are", "A move.", "`4` Moves 4 to 7 are", "`8` Move 8 is"),
    ]
    apart = MoveHistory(lines=[(3, "A move.")])
    for seq in (2, 4):
        apart.hide(seq, seq, "x")
    assert len(apart.hidden) == 2


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("often")
async def test_moves_have_the_names_of_their_time(service: TableService) -> None:
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    proposals = Proposals(service.tables)
    await proposals.put(
        game, ANN, lambda live: propose_seat(live, ANN, own_seat(live, ANN), (DEE, "Dee"), "own")
    )
    await proposals.answer(game, 1, DEE, "yes")
    await service.do(game, DEE, "pass")
    for bench_ in (service, TableService.on(service.db)):
        found = dict(await lines(bench_, game))
        assert "**Ann**" in found[2]
        assert "**Dee**" in found[5]
    for seq, name in ((2, "**Ann**"), (5, "**Dee**")):
        assert name in (await position(service, game, seq)).stood.line


async def test_no_position_names_anonymised_users(service: TableService, imported: int) -> None:
    await service.db.write(lambda tx: tx.run("UPDATE games SET status = 'finished'"))
    await personal_data.anonymise(service.db, ANN, anonymised)
    assert await kept(service, imported) == []
    later = TableService.on(service.db)
    assert not [line for _, line in await lines(later, imported) if "Ann" in line]
    assert [line for _, line in await lines(later, imported) if "a former player" in line]
