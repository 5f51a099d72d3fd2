"""Looking back is cheap: what is kept on the way of a game tells what playing it again would tell."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from bot.client.background import Chronicling
from bot.table.errors import MovedOn, Refused
from bot.table.games import loading
from bot.table.imports import TablePlace, add_recorded
from bot.table.past import chapters, past_views
from bot.table.past.anonymise import anonymised
from bot.table.past.chapters import Anchor, Chapter, Scribe, Unsound, chapter_lines, read_on
from bot.table.past.chronicle import PastGame, Work
from bot.table.past.game_record import undone_lines
from bot.table.past.past_views import past_position, stood, timelapse, turning_points
from bot.table.redo import redo
from bot.table.undo import undo_to
from bot.table.votes.proposals import Proposals
from bot.table.votes.seat_proposals import own_seat, propose_seat
from bot.workers.workers import Priority, Queue
from engine.core.actions import RunRoutes, read_action
from engine.core.events import HomePlaced, TileLaid, TokenPlaced
from engine.game import Game
from engine.tell.turning_points import Story
from engine.tell.view_builders import map_view, market_view
from engine.tell.views import MapView
from storage import Row, personal_data, positions
from tests.bot.support.mended import deeper_discounts
from tests.bot.support.positions import first_moves
from tests.bot.support.tables import ANN, BOB, CHANNEL, CY, GUILD, Bench

RECORDED = (Path(__file__).parents[2] / "golden" / "18chesapeake-bankruptcy-3p.json").read_text("utf-8")
MADE = 75
"""This many moves of it are on the table: in its second operating round."""
DEE = 14


@pytest.fixture
async def imported(bench: Bench) -> int:
    """A game of which no state was kept on the way."""
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")), thread_id=77)
    return await add_recorded(bench.tables, first_moves(RECORDED, MADE), place)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A position is kept at every second row."""
    monkeypatch.setattr("storage.positions.EVERY", 2)


def work(bench: Bench) -> Work:
    return Work(bench.tables.workers, Queue(Priority.QUESTION, GUILD, ANN))


async def asked(bench: Bench, game: int) -> PastGame:
    async with bench.tables.reading(game) as live:
        return PastGame.of(live)


async def whole(bench: Bench, game: int, after: int = 0) -> Chapter:
    return await bench.tables.chronicle.chapters(await asked(bench, game), work(bench), after)


async def lines(bench: Bench, game: int) -> list[tuple[int, str]]:
    """The log as posted from what is kept."""
    now = await asked(bench, game)
    return chapter_lines(now.rows[0], await whole(bench, game), now.names)


async def again(bench: Bench, game: int) -> Chapter:
    """What playing every move again tells."""
    rows = (await asked(bench, game)).rows
    return Scribe(rows[0], rows[1:]).chapter(rows[1:])


def replayed(rows: Sequence[Row]) -> Game:
    """The game after rows, every move made again."""
    game = loading.game_before_moves(rows)
    for row in rows[1:]:
        game.apply(read_action(row.payload))
    return game


def damage(bench: Bench, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(bench.db.name)) as conn, conn:
        assert conn.execute(statement, values).rowcount > 0


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the rows whose moves are made again from now on."""
    found: list[int] = []
    read: Callable[[str], Any] = read_action

    def counted(payload: str) -> Any:
        found.append(1)
        return read(payload)

    for module in (chapters, loading):
        monkeypatch.setattr(module, "read_action", counted)
    return found


# --- the same as playing it again ------------------------------------------------------------------------------------


async def test_the_stored_history_reads_like_a_replay(bench: Bench, imported: int) -> None:
    for _ in range(2):
        assert (await whole(bench, imported)).text() == (await again(bench, imported)).text()


async def test_of_a_sound_log_the_last_position_alone_is_compared(
    bench: Bench, imported: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game is begun once."""
    compared, begun = list[int](), list[int]()

    def opened(rows: Sequence[Row]) -> Game:
        begun.append(rows[0].seq)
        return loading.game_before_moves(rows)

    def noted(game: Game, row: Row) -> None:
        compared.append(row.seq)
        loading.require_same_position(game, row)

    monkeypatch.setattr(chapters, "require_same_position", noted)
    monkeypatch.setattr(chapters, "game_before_moves", opened)
    await again(bench, imported)
    assert compared == [(await asked(bench, imported)).rows[-1].seq]
    assert begun == [1]


async def test_the_end_of_the_log_is_read_without_the_rest(bench: Bench, imported: int) -> None:
    end = await whole(bench, imported, 60)
    assert end.lines == [
        line for line in (await again(bench, imported)).lines if line[0] > end.lines[0][0] - 1
    ]
    assert 60 - positions.EVERY < end.lines[0][0] <= 61
    assert (await whole(bench, imported, 57)).lines[0][0] > 57, "no chapter is read that ends there"


async def test_any_position_is_that_which_playing_again_leads_to(bench: Bench, imported: int) -> None:
    game = await asked(bench, imported)
    for seq in (1, 2, 9, 10, 40, 64, MADE + 1):
        found = await past_position(bench.tables.chronicle, game, seq, work(bench))
        then = replayed(game.between(0, seq))
        assert found.stood.market == market_view(then)
        assert found.stood.map.hexes == map_view(then).hexes
        assert (found.before, found.after) == (seq - 1 or None, seq + 1 if seq <= MADE else None)


async def test_after_a_run_its_routes_are_on_the_map_as_it_was_before(bench: Bench, imported: int) -> None:
    game = await asked(bench, imported)
    ran = {
        row.seq: action.routes
        for row in game.rows[1:]
        if isinstance(action := read_action(row.payload), RunRoutes)
    }
    seq, routes = next(iter(ran.items()))
    found = await past_position(bench.tables.chronicle, game, seq, work(bench))
    assert found.stood.map == map_view(replayed(game.between(0, seq - 1)), routes)
    assert found.stood.map.runs


async def test_after_any_other_move_the_map_is_that_which_it_led_to(bench: Bench, imported: int) -> None:
    game = await asked(bench, imported)
    seq = next(row.seq for row in game.rows if '"lay_tile"' in row.payload)
    first, *rest = game.between(0, seq)
    found = stood(Anchor(first, first, None), rest, {})
    assert found.map == map_view(replayed(game.between(0, seq)))
    assert found.line


async def test_a_move_is_made_again_from_the_position_before_it(bench: Bench, imported: int) -> None:
    game, noted, kept = await asked(bench, imported), noting(bench), 1 + 2 * positions.EVERY
    await whole(bench, imported)
    for seq in (kept, kept + 1):
        await past_position(bench.tables.chronicle, game, seq, noted)
    assert [(anchor.row.seq, len(rows)) for _, (anchor, rows, _) in noted.done] == [
        (kept - positions.EVERY, positions.EVERY),
        (kept, 1),
    ]


async def test_what_is_no_position_is_refused_with_the_number_of_the_last_one(bench: Bench) -> None:
    """An undone move was one, also where nothing has come after it."""
    game = await bench.game()
    for person in (ANN, BOB, CY):
        await bench.do(game, person, "pass")
    await bench.undo(game, CY)
    then = await asked(bench, game)
    for seq, says in ((4, "Move 4 was undone, or is none"), (5, "Move 5 was"), (6, "There is no move 6")):
        with pytest.raises(Refused, match=rf"^{says}.*\. The last one is 3\.$"):
            await past_position(bench.tables.chronicle, then, seq, work(bench))


async def test_once_it_is_stored_no_question_replays_more_moves_than_between_two_positions(
    bench: Bench, imported: int, made: list[int]
) -> None:
    game = await asked(bench, imported)
    await whole(bench, imported)
    assert len(made) >= MADE
    for question in (
        lambda: whole(bench, imported),
        lambda: past_position(bench.tables.chronicle, game, 1, work(bench)),
        lambda: past_position(bench.tables.chronicle, game, 39, work(bench)),
        lambda: past_position(bench.tables.chronicle, game, MADE + 1, work(bench)),
    ):
        made.clear()
        await question()
        assert len(made) <= positions.EVERY + 1


@dataclass(frozen=True)
class Noted(Work):
    """Notes what was asked for and with which values."""

    done: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)

    async def __call__(self, function: Callable[..., Any], *values: Any) -> Any:
        self.done.append((function.__name__, values))
        return await super().__call__(function, *values)


def noting(bench: Bench) -> Noted:
    return Noted(bench.tables.workers, work(bench).queue)


async def test_what_is_not_stored_is_made_in_pieces_and_once_for_all_who_ask_about_positions(
    bench: Bench, imported: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A piece holds no other work up for long; near a position that is stored nothing is made."""
    monkeypatch.setattr("bot.table.past.chronicle.AT_ONCE", 2 * positions.EVERY)
    game, noted = await asked(bench, imported), noting(bench)
    chronicle = bench.tables.chronicle
    await past_position(chronicle, game, 1 + 2 * positions.EVERY, noted)
    assert [name for name, _ in noted.done] == ["stood"]
    await past_position(chronicle, game, MADE, noted)
    made = [values for name, values in noted.done if name == "bound_chapters"]
    assert [len(rows) for _, rows, _ in made] == [*[2 * positions.EVERY] * 4, positions.EVERY]
    noted.done.clear()
    await past_position(chronicle, game, MADE, noted)
    assert [name for name, _ in noted.done] == ["stood"]
    damage(bench, "UPDATE positions SET state = NULL, form = 'earlier'")
    await past_position(chronicle, game, MADE, noted)
    assert all(mark.has_state for mark in await positions.marks(bench.db, imported))


async def test_a_chapter_without_a_position_is_passed_by_and_stays(bench: Bench, imported: int) -> None:
    game, chronicle = await asked(bench, imported), bench.tables.chronicle
    await whole(bench, imported)
    damage(bench, "UPDATE positions SET state = NULL WHERE seq = 17")
    anchor = await chronicle.anchor(game, await chronicle.marks(game), 20)
    assert anchor.row.seq == 9
    assert 17 in [mark.seq for mark in await positions.marks(bench.db, imported)]
    damage(bench, "UPDATE positions SET form = 'earlier' WHERE seq = 25")
    await whole(bench, imported)
    marks = await positions.marks(bench.db, imported)
    assert [mark.has_state for mark in marks[:4]] == [True, False, True, True]
    assert [mark.since for mark in marks[:4]] == [1, 9, 17, 25]


async def test_a_game_has_only_so_many_stored_positions(
    bench: Bench, imported: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.positions.MOST", 3)
    for _ in range(2):
        await whole(bench, imported)
        assert len(await positions.marks(bench.db, imported)) == 3


async def test_only_what_comes_after_the_row_asked_about_is_made_again(bench: Bench, imported: int) -> None:
    await whole(bench, imported)
    await bench.db.write(lambda tx: tx.run("UPDATE positions SET form = 'earlier'"))
    noted = noting(bench)
    await bench.tables.chronicle.chapters(await asked(bench, imported), noted, 33)
    assert [name for name, _ in noted.done] == ["bound_chapters", "read_on"]
    marks = await positions.marks(bench.db, imported)
    assert [mark.seq for mark in marks if mark.form == "earlier"] == [9, 17, 25, 33]


async def test_a_chapter_notes_each_round_change_of_the_map_and_moment_of_the_story_once(
    bench: Bench, imported: int
) -> None:
    game = await asked(bench, imported)
    played = loading.game_before_moves(game.rows)
    story, on_map = Story.at(played), list[int]()
    for row in game.rows[1:]:
        events = played.apply(read_action(row.payload))
        story.follow(played, events, row.seq)
        on_map += (
            [row.seq] if any(isinstance(one, TileLaid | TokenPlaced | HomePlaced) for one in events) else []
        )
    assert story.kept
    for found in (await whole(bench, imported), await again(bench, imported)):
        assert [one.name for one in found.rounds] == [
            *("SR 1", "OR 1.1", "SR 2", "OR 2.1", "SR 3", "OR 3.1", "OR 3.2", "SR 4"),
        ]
        assert (found.story, found.on_map) == (story.kept, on_map)


async def test_who_asks_at_the_same_time_waits_for_one_making(
    bench: Bench, imported: int, made: list[int]
) -> None:
    await asyncio.gather(*(whole(bench, imported) for _ in range(2)))
    assert len(made) < 2 * MADE


async def test_the_timelapse_has_the_map_after_each_move_that_changed_it(bench: Bench, imported: int) -> None:
    game, told_of = await asked(bench, imported), await whole(bench, imported)
    noted = noting(bench)
    found = await timelapse(bench.tables.chronicle, game, told_of, noted)
    anchors = [one.anchor.row.seq for name, (of,) in noted.done[1:] for one in of if name == "maps"]
    assert anchors == sorted(set(anchors)), "from each position moves are made once"
    then = [map_view(replayed(game.between(0, seq))) for seq in (1, *told_of.on_map)]
    assert found == then
    assert [one.wanted for one in noted.done[0][1][0]] == [(1,)], "the first shows how it began"
    another = replace(game, rows=(game.rows[0]._replace(digest=game.rows[-1].digest), *game.rows[1:]))
    assert await timelapse(bench.tables.chronicle, another, told_of, noted) == []


async def test_a_timelapse_has_as_many_maps_as_are_shown(
    bench: Bench, imported: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the beginning and the last one among them; of a large map fewer."""
    game, whole_game = await asked(bench, imported), await whole(bench, imported)

    async def shown() -> list[MapView]:
        return await timelapse(bench.tables.chronicle, game, whole_game, work(bench))

    first, *_, last = await shown()
    for patched, count in (("MOST_FRAMES", 4), ("MOST_HEXES", 3 * len(first.hexes))):
        with monkeypatch.context() as patch:
            patch.setattr(past_views, patched, count)
            found = await shown()
        assert len(found) == (4 if patched == "MOST_FRAMES" else 3)
        assert (found[0], found[-1]) == (first, last)


async def test_what_comes_after_a_row_is_read_although_the_nearest_position_is_before_it(
    bench: Bench, imported: int
) -> None:
    """Moves on the way are made, and left out."""
    game = await asked(bench, imported)
    first, *rest = game.rows
    found = read_on(Anchor(first, first, None), rest, 40)
    everything = await again(bench, imported)
    assert found.lines == [line for line in everything.lines if line[0] > 40]
    assert found.on_map == [seq for seq in everything.on_map if seq > 40]
    assert found.skipped == []
    made = chapters.bound_chapters(Anchor(first, first, None), rest, frozenset({40, MADE + 1}))
    assert [(one.seq, one.since, one.digest) for one in made] == [
        (40, 1, rest[38].digest),
        (MADE + 1, 40, rest[-1].digest),
    ]
    assert made[1].chapter == found.text()


@pytest.mark.usefixtures("often")
async def test_the_nearest_position_is_one_that_counts_since_the_last_accept(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it fits no other is looked at."""
    game = await bench.game()
    for person in (ANN, BOB, CY):
        await bench.do(game, person, "pass")
    now, chronicle = await asked(bench, game), bench.tables.chronicle
    with monkeypatch.context() as patch:
        patch.setattr(positions, "marks", None)
        near = await chronicle.near(now, 4)
    assert (near.first.seq, near.row.seq, near.state is None) == (1, 4, False)
    for wrong in (replace(near, row=now.rows[1]), replace(near, state="{}")):
        with pytest.raises(Unsound):
            wrong.scribe(())
    *before, last = now.rows
    accepted = replace(now, rows=(*before, last._replace(kind="accept")))
    near = await chronicle.near(accepted, 4)
    assert (near.first.seq, near.row.seq, near.state) == (4, 4, None)
    elsewhere = replace(now, rows=(*before, last._replace(digest="another")))
    assert (await chronicle.near(elsewhere, 4)).row.seq == 2
    assert (await chronicle.near(replace(now, rows=tuple(before)), 4)).row.seq == 2


async def test_the_story_is_the_same_when_it_was_stored(bench: Bench, imported: int) -> None:
    found, then = await whole(bench, imported), await again(bench, imported)
    async with bench.tables.reading(imported) as live:
        points = turning_points(then, live.game)
        assert turning_points(found, live.game) == points
    assert points


# --- kept on the way -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("often")
async def test_a_position_is_stored_with_the_move_and_dropped_with_its_undo(bench: Bench) -> None:
    game = await bench.game()
    for person in (ANN, BOB, CY, ANN):
        await bench.do(game, person, "pass")
    kept = [mark.seq for mark in await positions.marks(bench.db, game)]
    assert kept == [2, 4]
    await bench.undo(game, ANN)
    await bench.undo(game, CY)
    assert [mark.seq for mark in await positions.marks(bench.db, game)] == [2]


async def test_a_game_of_which_no_position_is_stored_yet_is_read_from_its_first_move(bench: Bench) -> None:
    game = await bench.game()
    for person in (ANN, BOB):
        await bench.do(game, person, "pass")
    assert await lines(bench, game) == [(2, "`2` **Ann** passes."), (3, "`3` **Bob** passes.")]


@pytest.mark.usefixtures("often")
async def test_what_was_stored_after_later_moves_stays_when_somebody_asked_before_them(bench: Bench) -> None:
    """What does not fit the log as far as it is known is thrown away."""
    game = await bench.game()
    for person in (ANN, BOB):
        await bench.do(game, person, "pass")
    before, chronicle = await asked(bench, game), bench.tables.chronicle
    assert [line for line, _ in await lines(bench, game)] == [2, 3]
    await bench.do(game, CY, "pass")
    assert [mark.seq for mark in await chronicle.marks(before)] == [2]
    damage(bench, "UPDATE positions SET digest = 'another' WHERE seq = 4")
    assert [mark.seq for mark in await positions.marks(bench.db, game)] == [2, 4]
    assert [mark.seq for mark in await chronicle.marks(await asked(bench, game))] == [2]
    assert [mark.seq for mark in await positions.marks(bench.db, game)] == [2]


@pytest.mark.usefixtures("often")
async def test_after_undo_and_redo_the_log_has_what_counts(bench: Bench) -> None:
    game = await bench.game()
    for person in (ANN, BOB, CY, ANN):
        await bench.do(game, person, "pass")
    before = await lines(bench, game)
    await bench.undo(game, ANN)
    assert await lines(bench, game) == before[:-1]
    await redo(bench.tables, game, ANN, 6, moderates=False)
    assert [line.partition(" ")[2] for _, line in await lines(bench, game)] == [
        line.partition(" ")[2] for _, line in before
    ]
    async with bench.tables.reading(game) as live:
        assert undone_lines(live) == [(6, "`6` ~~move 5~~, undone by **Ann**.")]
    async with Bench.on(bench.db).tables.reading(game) as live:
        assert undone_lines(live) == [(6, "`6` ~~move 5~~, undone by **Ann**.")]


async def test_a_game_is_undone_far_from_the_nearest_position(
    bench: Bench, imported: int, made: list[int]
) -> None:
    game = await asked(bench, imported)
    await bench.tables.chronicle.complete(game, work(bench))
    rows = game.between(0, 40)
    made.clear()
    async with bench.tables.reading(imported) as live:
        found = await loading.position_after(bench.db, live, rows)
    assert found.digest() == replayed(rows).digest() == rows[-1].digest
    assert len(made) < positions.EVERY


async def test_the_chronicle_is_written_in_the_background(bench: Bench, imported: int) -> None:
    jobs: list[asyncio.Task[None]] = []
    writing = Chronicling(bench.tables, lambda job: jobs.append(asyncio.ensure_future(job)))
    await asked(bench, imported)
    for _ in range(2):
        writing.wake(imported)
    states = [writing.is_writing]
    await asyncio.gather(*jobs)
    states.append(writing.is_writing)
    assert states == [True, False]
    writing.wake(imported)
    assert len(jobs) == 1, "nothing is left to write"
    assert len(await positions.marks(bench.db, imported)) == (MADE + 1 - 1) // positions.EVERY


# --- damaged, thrown away, made again --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE positions SET state = x'00', chapter = x'00' WHERE seq > 20",
        "UPDATE positions SET state = (SELECT state FROM positions WHERE seq = 17), since = 0 WHERE seq > 20",
        "UPDATE positions SET digest = 'another' WHERE seq = 33",
        "UPDATE positions SET form = 'earlier'",
        "UPDATE positions SET state = CASE seq WHEN 17 THEN (SELECT state FROM positions WHERE seq = 9) "
        "ELSE state END, "
        "form = CASE seq WHEN 25 THEN 'earlier' ELSE form END",
        "UPDATE positions SET since = 1, state = NULL WHERE seq = 41",
        "UPDATE positions SET state = (SELECT state FROM positions WHERE seq = 17) WHERE seq = 73",
        "DELETE FROM positions WHERE seq BETWEEN 20 AND 50",
        "DELETE FROM positions",
    ],
)
async def test_what_is_damaged_or_thrown_away_is_made_again_from_the_log(
    bench: Bench, imported: int, statement: str
) -> None:
    before, game = (await whole(bench, imported)).text(), await asked(bench, imported)
    damage(bench, statement)
    for seq in (36, 58):
        found = await past_position(bench.tables.chronicle, game, seq, work(bench))
        assert found.stood.market == market_view(replayed(game.between(0, seq)))
    assert (await whole(bench, imported)).text() == before
    marks = await positions.marks(bench.db, imported)
    assert [mark.seq for mark in marks] == list(range(1 + positions.EVERY, MADE + 2, positions.EVERY))
    assert all(mark.has_state for mark in marks)


@pytest.mark.parametrize("state", ["(SELECT state FROM positions WHERE seq = 17)", "x'00'"])
async def test_a_position_that_is_another_or_unreadable_is_not_shown(
    bench: Bench, imported: int, state: str
) -> None:
    """It is made from the one before, and the wrong one is thrown away."""
    game = await asked(bench, imported)
    await whole(bench, imported)
    damage(bench, f"UPDATE positions SET state = {state} WHERE seq = 33")
    found = await past_position(bench.tables.chronicle, game, 36, work(bench))
    assert found.stood.market == market_view(replayed(game.between(0, 36)))
    assert 33 not in [mark.seq for mark in await positions.marks(bench.db, imported)]


@pytest.mark.usefixtures("often")
async def test_moves_that_lead_elsewhere_today_are_not_shown_and_the_others_are(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a position that was kept it continues."""
    game = await bench.game()
    for person in (ANN, BOB, CY, ANN, BOB):
        await bench.do(game, person, "pass")
    before = await lines(bench, game)
    await bench.db.write(lambda tx: tx.run("UPDATE positions SET form = 'earlier'"))
    deeper_discounts(monkeypatch)
    after = await lines(bench, game)
    assert [*after[:2], *after[3:]] == [*before[:2], *before[3:]]
    assert after[2][1].startswith("`4` Move 4 is not shown again: the log was changed from outside")
    assert [mark.has_state for mark in await positions.marks(bench.db, game)] == [True, True, True]
    with pytest.raises(Refused, match="Move 4 cannot be shown"):
        await past_position(bench.tables.chronicle, await asked(bench, game), 4, work(bench))
    monkeypatch.setattr(chapters, "RULES_VERSION", "next")
    await bench.db.write(lambda tx: tx.run("UPDATE positions SET form = 'earlier'"))
    assert (await lines(bench, game))[2][1].startswith(
        "`4` Move 4 is not shown again: the rules have changed"
    )


# --- whose names -----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("often")
async def test_a_move_has_the_name_of_the_player_who_held_the_seat_then(bench: Bench) -> None:
    game = await bench.game()
    for person in (ANN, BOB, CY):
        await bench.do(game, person, "pass")
    proposals = Proposals(bench.tables)
    await proposals.put(
        game, ANN, lambda live: propose_seat(live, ANN, own_seat(live, ANN), (DEE, "Dee"), "own")
    )
    await proposals.answer(game, 1, DEE, "yes")
    await bench.do(game, DEE, "pass")
    for again_ in (bench, Bench.on(bench.db)):
        found = dict(await lines(again_, game))
        assert "**Ann**" in found[2]
        assert "**Dee**" in found[5]
    then = await asked(bench, game)
    for seq, name in ((2, "**Ann**"), (5, "**Dee**")):
        assert name in (await past_position(bench.tables.chronicle, then, seq, work(bench))).stood.line


async def test_an_anonymised_user_is_in_nothing_that_is_stored(bench: Bench, imported: int) -> None:
    await whole(bench, imported)
    await bench.db.write(lambda tx: tx.run("UPDATE games SET status = 'finished'"))
    await personal_data.anonymise(bench.db, ANN, anonymised)
    assert await positions.marks(bench.db, imported) == []
    later = Bench.on(bench.db)
    assert not [line for _, line in await lines(later, imported) if "Ann" in line]
    assert [line for _, line in await lines(later, imported) if "a former player" in line]


async def test_no_chapter_names_anybody(bench: Bench, imported: int) -> None:
    text = (await whole(bench, imported)).text()
    assert not [name for name in ("Ann", "Bob", "Cy") if name in text]


async def test_moves_undone_meanwhile_are_not_stored(bench: Bench, imported: int) -> None:
    """Players who asked before learn that the game has moved on."""
    game = await asked(bench, imported)
    async with bench.tables.reading(imported) as live:
        last = live.counting[-1].actor
        user = live.user_of(last)
        to = next(row.seq for row in reversed(live.counting) if row.actor != last)
    await undo_to(bench.tables, imported, user, to)
    with pytest.raises(MovedOn):
        await bench.tables.chronicle.chapters(game, work(bench))
    assert await positions.marks(bench.db, imported) == []
