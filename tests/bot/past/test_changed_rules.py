"""Games that outlive a change of the rules: taken up as they stood, and never lost."""

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.past.game_record import files_of_record, record_of
from bot.table.past.past_games import ROWS_PER_STORED_POSITION, GameToReplay
from bot.table.past.past_views import past_position
from bot.table.votes.moderation import moderator_accept
from bot.workers.workers import Priority, QueuePlace
from engine.play.rules import RULES_VERSION
from engine.tell.view_builders import market_view
from storage import LogRow, log, positions
from tests.bot.support.mended import bids_above_the_price, deeper_discounts, played_before
from tests.bot.support.positions import BANKRUPTCY, first_moves
from tests.bot.support.records import history_of
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, GUILD, TableService

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
async def passed(service: TableService) -> int:
    game = await service.game()
    for person in (ANN, BOB, CY, ANN):
        await service.do(game, person, "pass")
    return game


@pytest.fixture
def waiting(
    service: TableService, passed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> TableService:
    """The third of them would make a private cheaper today than it did."""
    played_before(tmp_path / "games.db")
    deeper_discounts(monkeypatch)
    return TableService.on(service.db)


@pytest.fixture
async def bid(service: TableService) -> int:
    game = await service.game()
    await service.do(game, ANN, "bid", private="CV", amount=205)
    return game


def change(service: TableService, statement: str) -> None:
    with closing(sqlite3.connect(service.db.name)) as conn, conn:
        conn.execute("DROP TRIGGER log_is_never_changed")
        assert conn.execute(statement).rowcount > 0


async def kept_rules(service: TableService, game: int) -> str:
    kept = await log.stored_state(service.db, game)
    assert kept is not None
    assert kept.seq == await log.last_seq(service.db, game)
    return str(json.loads(kept.state)["rules"])


# --- taking up a game ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "good"),
    [
        ("UPDATE log SET digest = '2-0' WHERE seq = 1", True),
        ("DELETE FROM states", True),
        ("UPDATE states SET state = '{'", True),
        ("UPDATE states SET state = json_set(state, '$.state.bank', 1)", True),
        ("UPDATE states SET digest = 'another'", True),
        ("UPDATE log SET digest = '2-0' WHERE seq = 2", False),
    ],
)
async def test_game_is_taken_up(service: TableService, bid: int, statement: str, good: bool) -> None:
    """From its state, or else by a replay of its log."""
    change(service, statement)
    again = TableService.on(service.db)
    if not good:
        with pytest.raises(Refused, match=rf"Game {bid} cannot be loaded"):
            await again.digest(bid)
        return
    assert await again.digest(bid) == await service.digest(bid)
    await again.do(bid, BOB, "pass")
    assert await kept_rules(again, bid) == RULES_VERSION


@pytest.mark.parametrize(("kept", "seq", "whole"), [(True, 5, True), (False, 5, True), (False, 1, False)])
async def test_last_good_position(
    service: TableService, passed: int, kept: bool, seq: int, whole: bool
) -> None:
    """The state that was kept, else what a sound log leads to; before an accept that cannot be read."""
    rows = await log.read_rows(service.db, passed)
    if not kept:
        change(service, "DELETE FROM states")
    if not whole:
        accept = LogRow(passed, 2, "accept", log.accept_payload(RULES_VERSION, "{"), "2-0", "", ANN, "")
        rows = [rows[0], accept, *rows[2:]]
    good = await loading.last_good_position(service.db, passed, rows)
    assert good is not None
    assert (good.seq, good.is_stored, good.game.digest()) == (seq, kept, rows[seq - 1].digest)


# --- undo ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "diverges", "possible"),
    [
        (RULES_VERSION, 5, True),
        (RULES_VERSION, ROWS_PER_STORED_POSITION + 2, False),
        ("of another release", 5, False),
    ],
)
async def test_undo_replays_from_a_stored_position(
    service: TableService, rules: str, diverges: int, possible: bool
) -> None:
    game = await service.at(first_moves(BANKRUPTCY.read_text("utf-8"), ROWS_PER_STORED_POSITION + 8))
    async with service.tables.reading(game) as live:
        rows: Sequence[LogRow] = live.effective_rows[: ROWS_PER_STORED_POSITION + 4]
        near = await positions.last_position_up_to(service.db, game, rows[-1].seq)
        assert near is not None
        await positions.drop_position(service.db, game, near.seq)
        state = json.dumps(json.loads(near.state) | {"rules": rules})
        await service.db.write(lambda tx: positions.AddPosition(near.digest, state).write(tx, game, near.seq))
        wrong = [row._replace(digest="2-0") if row.seq == diverges else row for row in rows]
        assert (await loading.position_after(service.db, live, rows)).digest() == rows[-1].digest
        if possible:
            assert (await loading.position_after(service.db, live, wrong)).digest() == rows[-1].digest
        else:
            with pytest.raises(Refused, match="This cannot be undone"):
                await loading.position_after(service.db, live, wrong)


# --- the rules have changed ------------------------------------------------------------------------------------------


async def test_change_without_effect_is_silent(
    service: TableService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game continues by the new rules; it is replayed once."""
    bid = await service.game()
    await service.do(bid, ANN, "bid", private="CV", amount=210)
    played_before(tmp_path / "games.db")
    bids_above_the_price(monkeypatch)
    again = TableService.on(service.db)
    lines = await again.lines(bid)
    await again.digest(bid)
    assert await kept_rules(again, bid) == RULES_VERSION
    await again.do(bid, BOB, "pass")
    assert await again.lines(bid) == [*lines, "`3` **Bob** passes."]


async def test_game_that_leads_elsewhere_waits(waiting: TableService, passed: int) -> None:
    """At the start of the bot the thread reads once which move it is."""
    before, lines = await log.read_rows(waiting.db, passed), await waiting.lines(passed)
    await waiting.tables.check_running_games()
    for again in (waiting, TableService.on(waiting.db)):
        assert await again.digest(passed) == before[-1].digest
    (found,) = (await waiting.lines(passed))[len(lines) :]
    assert re.search(r"on hold.*Cy's move 4 now leads to another position", found)
    for attempt in (waiting.do(passed, BOB, "pass"), waiting.undo(passed, ANN)):
        with pytest.raises(
            Refused, match=r"on hold.*from version 1 to.*Cy's move 4 now leads to another.*/game repair"
        ):
            await attempt
    assert await log.read_rows(waiting.db, passed) == before


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (None, r"and Ann's move 2 would now be refused: .* \$10 above .*\(9\)"),
        ("UPDATE log SET digest = '2-0' WHERE seq = 1", r", and move 1 now leads to another position\."),
    ],
)
async def test_thread_reads_why_a_game_waits(
    service: TableService,
    bid: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    statement: str | None,
    why: str,
) -> None:
    if statement is not None:
        change(service, statement)
    played_before(tmp_path / "games.db")
    bids_above_the_price(monkeypatch)
    again = TableService.on(service.db)
    await again.digest(bid)
    assert re.search(why, (await again.lines(bid))[-1])


# --- accepted --------------------------------------------------------------------------------------------------------


async def test_accepted_game_is_no_import(waiting: TableService, passed: int) -> None:
    await moderator_accept(waiting.tables, passed, ANN)
    async with waiting.tables.reading(passed) as live:
        papers, notes = files_of_record(passed, record_of(live))
    assert [paper.name for paper in papers] == ["game-1.json"]
    assert "`/game import` refuses it" in notes[0]
    assert all(note.startswith("There is no `game-1-") and note[-2:] != ".." for note in notes[1:])


async def test_undo_ends_at_an_accept(waiting: TableService, passed: int) -> None:
    await moderator_accept(waiting.tables, passed, ANN)
    before = await waiting.digest(passed)
    with pytest.raises(Refused, match="accepted the position at move 6"):
        await waiting.undo(passed, ANN)
    await waiting.do(passed, BOB, "pass")
    again = TableService.on(waiting.db)
    await again.undo(passed, BOB)
    assert await again.digest(passed) == await TableService.on(waiting.db).digest(passed) == before
    with pytest.raises(Refused, match="accepted the position at move 6"):
        await again.undo(passed, ANN)


async def test_next_change_asks_again(
    waiting: TableService, passed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what came after the accept is replayed."""
    await moderator_accept(waiting.tables, passed, ANN)
    await waiting.do(passed, BOB, "bid", private="CV", amount=205)
    played_before(tmp_path / "games.db")
    await TableService.on(waiting.db).do(passed, CY, "pass")
    played_before(tmp_path / "games.db")
    bids_above_the_price(monkeypatch)
    with pytest.raises(Refused, match=r"Bob's move 7 would now be refused"):
        await TableService.on(waiting.db).do(passed, ANN, "pass")


async def test_history_continues_after_an_accept(waiting: TableService, passed: int) -> None:
    before = (await history_of(waiting.tables, passed)).all_lines()
    assert [seq for seq, _ in before] == [2, 3, 4]
    assert "Moves 4 to 5 are missing here" in before[-1][1]
    await moderator_accept(waiting.tables, passed, ANN)
    await waiting.do(passed, BOB, "pass")
    *shown, (seq, accepted), last = (await history_of(waiting.tables, passed)).all_lines()
    assert (shown, last) == (before, (7, "`7` **Bob** passes."))
    assert (seq, "accepts" in accepted) == (6, True)
    async with waiting.tables.reading(passed) as live:
        there, now = GameToReplay.of(live), market_view(live.game)
    found = await past_position(waiting.tables.replayer, there, 6, QueuePlace(Priority.QUESTION, GUILD, ANN))
    assert (found.seq, found.previous_move, found.next_move) == (6, 5, 7)
    assert found.views_after_move.market == now


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_moderator_lets_a_game_continue(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    before = (await game.digest(), await game.seq())
    deeper_discounts(monkeypatch)
    await sandbox.stop()
    played_before(sandbox.database)
    await sandbox.start()
    hold, resumes = "This game is on hold", "Continue from here"
    assert await sandbox.world.wait_until(lambda: any(hold in line for line in game.lines), timeout=20)
    assert hold in (await game.slash("Ann", "pass")).text
    assert "needs a moderator" in (await game.slash("Bob", "game repair")).text
    assert await sandbox.world.wait_until(lambda: any(f"{resumes}?" in one.content for one in game.messages))
    [shown] = [one for one in game.messages if f"{resumes}?" in one.content]
    assert await sandbox.hears(await game.press("Bob", resumes, shown), "Manage Threads")
    question = (await game.slash("Ann", "game repair")).ephemeral[-1]
    assert "You cannot undo any earlier move afterwards" in question.content
    assert (await game.digest(), await game.seq()) == before
    await game.press("Ann", resumes, question)
    assert await sandbox.world.wait_until(lambda: "move 5" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    for said in (hold, "accepts: the game continues"):
        assert sum(said in line for line in game.lines) == 1
    assert "nothing before it can be undone" in (await game.slash("Cy", "undo")).text
    await sandbox.restart()
    await game.press("Ann", "Pass")
    assert await game.seq() == 6
    again = await game.slash("Ann", "game repair")
    assert not any(f"{resumes}?" in one.content for one in again.ephemeral)
    answer = (await game.slash("Bob", "log")).text
    assert "is missing here" in answer
    assert "**Ann** passes" in answer.splitlines()[-1]
    for name in ("Bob", "Cy", "Ann"):
        await game.slash(name, "game abandon")
    assert any("cannot be replayed" in message.content for message in game.messages[-2:])
