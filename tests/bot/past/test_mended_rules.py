"""Games that outlive a change of the rules: taken up as they stood, and never lost."""

import json
import re
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.games.game_log import Opening
from bot.table.past.game_record import papers_of, record_of
from bot.table.past.past_games import PastGame
from bot.table.past.past_views import past_position
from bot.table.votes.moderation import moderator_accept
from bot.workers.workers import Priority, Queue
from engine.core.actions import Pass
from engine.core.errors import ReplayDiverged
from engine.game import Game
from engine.interchange.old_exports import FIRST_RULES
from engine.play.rules import RULES_VERSION
from engine.play.saved import read_saved
from engine.tell.view_builders import market_view
from storage import Entry, Row, log, positions
from tests.bot.support.mended import bids_above_the_price, deeper_discounts, played_before
from tests.bot.support.records import history_of
from tests.bot.support.sandbox_bot import SandboxBot
from tests.bot.support.table_service import ANN, BOB, CY, GUILD, TableService
from tests.support.unsent import unsent

pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
async def waiting(
    service: TableService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[TableService, int]:
    """A game of four moves, the third of which would make a private cheaper today than it did."""
    game = await service.game()
    for person in (ANN, BOB, CY, ANN):
        await service.do(game, person, "pass")
    played_before(tmp_path / "games.db")
    deeper_discounts(monkeypatch)
    return TableService.on(service.db), game


async def _lines(service: TableService, game: int) -> list[str]:
    rows = await unsent(service.db)
    return [json.loads(row.payload)["text"] for row in rows if row.kind == "line" and row.game_id == game]


# --- where moves lead ---

OPENING = Opening("18chesapeake", "rulebook", (), 7, (("p1", "Ann"), ("p2", "Bob"), ("p3", "Cy")))


def test_a_game_that_would_begin_another_way_waits_for_no_players_move() -> None:
    start = Row(1, 1, "start", OPENING.payload(), "2-0", "", None, "")
    _, waits = loading._again([start], OPENING.begin().dump())
    assert waits is not None
    assert (
        f"(from version {RULES_VERSION} to {RULES_VERSION}), and move 1 now leads to another position."
        in waits
    )


def test_from_a_stored_position_on_each_move_leads_where_it_led() -> None:
    game = OPENING.begin()
    rows = [Row(1, 1, "start", OPENING.payload(), game.digest(), "", None, "")]
    near = None
    for seq, player in enumerate(("p1", "p2"), start=2):
        near = near or positions.StoredState(1, game.digest(), game.dump())
        passes = Pass(actor=player, entity=player)
        game.apply(passes)
        rows.append(Row(1, seq, "action", passes.model_dump_json(), game.digest(), player, None, ""))
    assert loading._reached(rows, near).digest() == game.digest()
    with pytest.raises(ReplayDiverged) as diverged:
        loading._reached([*rows[:2], rows[2]._replace(digest="2-0")], near)
    assert diverged.value.seq == 3


def test_a_position_of_earlier_rules_does_not_stand_for_the_moves_before_it() -> None:
    game = OPENING.begin()
    rows = [Row(1, 1, "start", OPENING.payload(), "2-0", "", None, "")]
    passes = Pass(actor="p1", entity="p1")
    game.apply(passes)
    rows.append(Row(1, 2, "action", passes.model_dump_json(), game.digest(), "p1", None, ""))
    today = game.dump()
    earlier = json.dumps(json.loads(today) | {"rules": "1"})
    assert loading._reached(rows, positions.StoredState(2, game.digest(), today)).digest() == game.digest()
    with pytest.raises(ReplayDiverged):
        loading._reached(rows, positions.StoredState(2, game.digest(), earlier))
    begun_then = json.dumps(json.loads(OPENING.payload()) | {"rules": FIRST_RULES})
    with pytest.raises(ReplayDiverged):
        loading._reached(
            [rows[0]._replace(payload=begun_then), rows[1]], positions.StoredState(2, game.digest(), today)
        )


def test_moves_stored_as_they_were_then_are_read_with_the_leniency_of_then() -> None:
    opening = json.dumps({**json.loads(OPENING.payload()), "from_log": None})
    game = OPENING.begin()
    rows = [Row(1, 1, "start", opening, game.digest(), "", None, "")]
    digests = ["0" * 32, "0" * 32, game.digest()]
    rows += [Row(1, seq, "action", "", digest, "p1", None, "") for seq, digest in enumerate(digests, start=2)]
    assert loading.game_before_moves(rows).from_log == 2


def test_before_an_accept_whose_position_cannot_be_read_the_game_is_sound() -> None:
    game = OPENING.begin()
    start = Row(1, 1, "start", OPENING.payload(), game.digest(), "", None, "")
    accept = Row(1, 2, "accept", log.accept_payload(RULES_VERSION, "{"), "2-0", "", ANN, "")
    passes = Row(1, 3, "action", Pass(actor="p1", entity="p1").model_dump_json(), "2-0", "p1", ANN, "")
    good = loading._last_good([start, accept, passes], None)
    assert good is not None
    assert (good.seq, good.game.digest(), good.kept) == (1, game.digest(), False)


def test_a_stored_position_is_that_of_the_last_move_and_a_sound_log_is_good_to_its_end() -> None:
    game = OPENING.begin()
    rows = [Row(1, 1, "start", OPENING.payload(), game.digest(), "", None, "")]
    passes = Pass(actor="p1", entity="p1")
    game.apply(passes)
    rows.append(Row(1, 2, "action", passes.model_dump_json(), game.digest(), "p1", None, ""))
    for saved, kept in ((read_saved(game.dump()), True), (None, False)):
        good = loading._last_good(rows, saved)
        assert good is not None
        assert (good.seq, good.game.digest(), good.kept) == (2, game.digest(), kept)


# --- taking up a game ------------------------------------------------------------------------------------------------


async def test_a_game_is_loaded_from_its_stored_state_without_a_replay(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="CV", amount=205)
    before = await service.digest(game)
    monkeypatch.setattr(loading, "replayed", None)
    again = TableService.on(service.db)
    assert await again.digest(game) == before
    await again.do(game, BOB, "pass")


async def test_a_game_without_a_stored_state_is_replayed(service: TableService, tmp_path: Path) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="CV", amount=205)
    with closing(sqlite3.connect(tmp_path / "games.db")) as conn, conn:
        conn.execute("DELETE FROM states")
    again = TableService.on(service.db)
    assert await again.digest(game) == await service.digest(game)
    await again.do(game, BOB, "pass")
    kept = await log.kept_state(service.db, game)
    assert kept is not None
    assert kept.seq == 3


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE states SET state = '{'",
        "UPDATE states SET state = json_set(state, '$.state.bank', 1)",
        "UPDATE states SET digest = 'another'",
    ],
)
async def test_a_stored_state_that_is_damaged_counts_for_nothing(
    service: TableService, tmp_path: Path, damage: str
) -> None:
    """The log is replayed."""
    game = await service.game()
    await service.do(game, ANN, "bid", private="CV", amount=205)
    with closing(sqlite3.connect(tmp_path / "games.db")) as conn, conn:
        assert conn.execute(damage).rowcount == 1
    assert await TableService.on(service.db).digest(game) == await service.digest(game)


async def test_a_log_that_no_longer_fits_and_no_state_to_continue_from(service: TableService) -> None:
    """Nothing can be done but say so."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    row = (await log.read(service.db, game))[-1]
    entry = Entry("action", row.payload, "0" * 32, "p2", BOB)
    await log.commit_move(service.db, game, 2, [entry], now="2026-01-01T00:00:00Z")
    with pytest.raises(Refused, match=rf"Game {game} cannot be loaded: action 3: It is not your turn"):
        await TableService.on(service.db).do(game, BOB, "pass")


async def test_the_first_row_says_by_which_rules_the_game_began(service: TableService) -> None:
    game = await service.game()
    opening = Opening.read((await log.read(service.db, game))[0].payload)
    assert (opening.rules, opening.from_log) == (RULES_VERSION, 0)


async def test_rows_from_before_digests_could_be_compared_are_only_checked_for_legality(
    service: TableService,
) -> None:
    """What they were read with, leniency for logs and all, stays in force for them."""
    game = await service.game()
    for person in (ANN, BOB):
        await service.do(game, person, "pass")
    rows = await log.read(service.db, game)
    content = json.loads(rows[0].payload)
    del content["rules"], content["from_log"]
    old = [row._replace(digest="0" * 32) for row in rows]
    old[0] = old[0]._replace(payload=json.dumps(content))
    again = loading.replayed(old)
    assert again.digest() == await service.digest(game)
    assert again.from_log == 2
    with pytest.raises(ReplayDiverged):
        loading.replayed([*old[:2], old[1]])
    with pytest.raises(ReplayDiverged):
        loading.replayed([rows[0], rows[1]._replace(digest=rows[0].digest)])


# --- the rules have changed ------------------------------------------------------------------------------------------


async def test_a_change_that_leads_to_the_same_position_is_not_spoken_of(
    service: TableService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game continues by the new rules."""
    game = await service.game()
    await service.do(game, ANN, "bid", private="CV", amount=210)
    played_before(tmp_path / "games.db")
    bids_above_the_price(monkeypatch)
    again = TableService.on(service.db)
    lines = await _lines(again, game)
    await again.do(game, BOB, "pass")
    assert await _lines(again, game) == [*lines, "`3` **Bob** passes."]
    kept = await log.kept_state(service.db, game)
    assert kept is not None
    assert json.loads(kept.state)["rules"] == RULES_VERSION


async def test_a_game_of_earlier_rules_is_played_again_only_once(
    service: TableService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it comes to by today's rules is kept, before anybody moves."""
    game = await service.game()
    await service.do(game, ANN, "pass")
    played_before(tmp_path / "games.db")
    times, replay = 0, loading.replayed

    def counted(rows: Sequence[Row]) -> Game:
        nonlocal times
        times += 1
        return replay(rows)

    monkeypatch.setattr(loading, "replayed", counted)
    for _ in range(2):
        async with TableService.on(service.db).tables.reading(game) as live:
            assert live.game.digest() == (await log.read(service.db, game))[-1].digest
    assert times == 1


async def test_a_game_that_would_go_another_way_waits_and_takes_no_move(
    waiting: tuple[TableService, int],
) -> None:
    service, game = waiting
    before = await log.read(service.db, game)
    for attempt in (service.do(game, BOB, "pass"), service.undo(game, ANN)):
        with pytest.raises(
            Refused, match=r"on hold.*from version 1 to.*move 4, Cy's, now leads to another.*/game repair"
        ):
            await attempt
    assert await log.read(service.db, game) == before
    async with service.tables.reading(game) as live:
        assert live.game.digest() == before[-1].digest


async def test_the_thread_says_once_which_move_it_is(waiting: tuple[TableService, int]) -> None:
    service, game = waiting
    lines = await _lines(service, game)
    for again in (service, TableService.on(service.db), TableService.on(service.db)):
        await again.digest(game)
    found = (await _lines(service, game))[len(lines) :]
    assert len(found) == 1
    assert re.search(r"on hold.*move 4, Cy's, now leads to another position", found[0])


async def test_the_reason_is_said_where_a_move_would_be_refused(
    service: TableService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="CV", amount=205)
    played_before(tmp_path / "games.db")
    bids_above_the_price(monkeypatch)
    again = TableService.on(service.db)
    await again.digest(game)
    lines = (await _lines(again, game))[-1]
    assert re.search(r"and move 2, Ann's, would now be refused: .* \$10 above .*\(9\)", lines)


async def test_a_game_on_hold_is_announced_at_the_start_of_the_bot(waiting: tuple[TableService, int]) -> None:
    """Nobody needs to try a move."""
    service, game = waiting
    await service.tables.review()
    assert "on hold" in (await _lines(service, game))[-1]


async def test_at_the_start_no_game_is_read_that_was_played_by_these_rules(service: TableService) -> None:
    game = await service.game()
    again = TableService.on(service.db)
    await again.tables.review()
    assert again.tables.cached(game) is None


async def test_after_an_accept_the_game_continues_for_good(waiting: tuple[TableService, int]) -> None:
    service, game = waiting
    before = await service.digest(game)
    outcome = await moderator_accept(service.tables, game, CY)
    assert outcome.seq == 6
    assert (await _lines(service, game))[-1] == f"`6` <@{CY}> accepts: " + (
        f"the game continues from here by version {RULES_VERSION} of the rules."
    )
    again = TableService.on(service.db)
    assert await again.digest(game) == before
    await again.do(game, BOB, "pass")
    assert await TableService.on(service.db).digest(game) == await again.digest(game)


async def test_after_an_accept_no_file_has_another_game_than_was_played(
    waiting: tuple[TableService, int],
) -> None:
    service, game = waiting
    await moderator_accept(service.tables, game, ANN)
    async with service.tables.reading(game) as live:
        papers, notes = papers_of(game, record_of(live))
    assert [paper.name for paper in papers] == ["game-1.json"]
    assert "`/game import` refuses it" in notes[0]
    assert all(note.startswith("There is no `game-1-") and note[-2:] != ".." for note in notes[1:])


async def test_only_a_game_that_waits_is_accepted(service: TableService) -> None:
    game = await service.game()
    with pytest.raises(Refused, match="does not wait"):
        await moderator_accept(service.tables, game, ANN)
    assert await log.last_seq(service.db, game) == 1


async def test_nothing_before_an_accept_is_undone_but_what_comes_after_it(
    waiting: tuple[TableService, int],
) -> None:
    """Also when the game is replayed from the accept, as when nothing is in memory."""
    service, game = waiting
    await moderator_accept(service.tables, game, ANN)
    before = await service.digest(game)
    with pytest.raises(Refused, match="accepted with move 6"):
        await service.undo(game, ANN)
    await service.do(game, BOB, "pass")
    again = TableService.on(service.db)
    await again.undo(game, BOB)
    assert await again.digest(game) == before
    assert await TableService.on(service.db).digest(game) == before
    with pytest.raises(Refused, match="accepted with move 6"):
        await again.undo(game, ANN)


async def test_another_change_after_an_accept_asks_again(
    waiting: tuple[TableService, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what came after the accept is replayed."""
    service, game = waiting
    await moderator_accept(service.tables, game, ANN)
    await service.do(game, BOB, "bid", private="CV", amount=205)
    played_before(tmp_path / "games.db")
    same = TableService.on(service.db)
    await same.do(game, CY, "pass")
    played_before(tmp_path / "games.db")
    bids_above_the_price(monkeypatch)
    with pytest.raises(Refused, match=r"move 7, Bob's, would now be refused"):
        await TableService.on(service.db).do(game, ANN, "pass")


# --- telling it again ------------------------------------------------------------------------------------------------


async def test_the_log_is_shown_as_far_as_it_can_be(waiting: tuple[TableService, int]) -> None:
    service, game = waiting
    before = [line for _, line in (await history_of(service.tables, game)).all_lines()]
    assert [line.split()[0] for line in before] == ["`2`", "`3`", "`4`"]
    assert "Moves 4 to 5 are not shown again" in before[-1]
    await moderator_accept(service.tables, game, ANN)
    await service.do(game, BOB, "pass")
    history = await history_of(service.tables, game)
    after = [line for _, line in history.all_lines()]
    assert [seq for seq, _ in history.all_lines()] == [2, 3, 4, 6, 7]
    assert after[:3] == before
    assert "accepts" in after[3]
    assert after[4:] == ["`7` **Bob** passes."]


async def test_the_position_that_was_accepted_is_shown(waiting: tuple[TableService, int]) -> None:
    service, game = waiting
    await moderator_accept(service.tables, game, ANN)
    async with service.tables.reading(game) as live:
        there, now = PastGame.of(live), market_view(live.game)
    queue = Queue(Priority.QUESTION, GUILD, ANN)
    found = await past_position(service.tables.past, there, 6, queue)
    assert (found.seq, found.before, found.after) == (6, 5, None)
    assert found.stood.market == now


async def test_the_file_of_a_game_has_every_move_also_when_it_was_read_from_the_database(
    service: TableService,
) -> None:
    game = await service.game()
    await service.do(game, ANN, "bid", private="CV", amount=205)
    await service.do(game, BOB, "pass")
    async with TableService.on(service.db).tables.reading(game) as live:
        assert record_of(live).play().digest() == live.game.digest()
        assert [action.kind for action in record_of(live).actions] == ["bid", "pass"]


# --- undo -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("forget", [False, True], ids=["from memory", "by a replay"])
async def test_a_move_undone_leaves_the_game_as_it_was(
    service: TableService, forget: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    stood = []
    for person in (ANN, BOB, CY, ANN):
        stood.append(await service.digest(game))
        await service.do(game, person, "pass")
    replays = _counted(monkeypatch)
    async with service.tables.reading(game) as live:
        if forget:
            live.stood.clear()
    await service.undo(game, ANN)
    assert await service.digest(game) == stood[-1]
    assert len(replays) == forget
    assert await TableService.on(service.db).digest(game) == stood[-1]


async def test_an_undo_is_replayed_from_a_position_on_the_way_that_was_stored_under_the_same_rules(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await service.game()
    for person in (ANN, BOB, CY, ANN):
        await service.do(game, person, "pass")
    async with service.tables.reading(game) as live:
        rows, before = live.counting, live.counting[-3]
        kept = positions.StoredState(before.seq, before.digest, live.as_it_stood(before.seq) or "")
        digest = live.game.digest()
    replays = _counted(monkeypatch)
    assert loading._reached(rows, kept).digest() == digest
    assert not replays
    for number, other in enumerate((None, replace(kept, seq=1), replace(kept, digest="d")), start=1):
        assert loading._reached(rows, other).digest() == digest
        assert len(replays) == number
    monkeypatch.setattr(loading, "RULES_VERSION", "of another release")
    assert loading._reached(rows, kept).digest() == digest
    assert len(replays) == 4


async def test_only_the_latest_positions_stay_in_memory(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.table.live.REMEMBERED", 3)
    game = await service.game()
    for person in (ANN, BOB, CY, ANN):
        await service.do(game, person, "pass")
    async with service.tables.reading(game) as live:
        assert list(live.stood) == [3, 4, 5]


def _counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    calls: list[Any] = []
    replayed: Callable[[Any], Any] = loading.replayed

    def counted(rows: Any) -> Any:
        calls.append(rows)
        return replayed(rows)

    monkeypatch.setattr(loading, "replayed", counted)
    return calls


# --- on Discord ------------------------------------------------------------------------------------------------------


async def test_a_moderator_lets_a_game_continue(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread is notified, moves are refused, users who may not manage threads are refused; nothing is lost."""
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    before = await game.digest()
    deeper_discounts(monkeypatch)
    await _restarted(sandbox, lambda: played_before(sandbox.database))
    assert await sandbox.world.until(
        lambda: any("This game is on hold" in line for line in game.lines), timeout=20
    )
    assert "This game is on hold" in (await game.slash("Ann", "pass")).text
    asked = await game.slash("Bob", "game repair")
    assert "needs a moderator" in asked.text
    assert await sandbox.world.until(
        lambda: any("Continue from here?" in one.content for one in game.messages)
    )
    [shown] = [one for one in game.messages if "Continue from here?" in one.content]
    assert await sandbox.hears(await game.press("Bob", "Continue from here", shown), "Manage Threads")
    assert (await game.digest(), await game.seq()) == (before, 4)
    question = (await game.slash("Ann", "game repair")).ephemeral[-1]
    assert "No earlier move can be undone afterwards" in question.content
    assert (await game.digest(), await game.seq()) == (before, 4)
    await game.press("Ann", "Continue from here", question)
    assert await sandbox.world.until(lambda: "move 5" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert sum("This game is on hold" in line for line in game.lines) == 1
    assert sum("accepts: the game continues" in line for line in game.lines) == 1
    assert "nothing before it can be undone" in (await game.slash("Cy", "undo")).text
    await _restarted(sandbox, lambda: None)
    await game.press("Ann", "Pass")
    assert await game.seq() == 6
    assert not any(
        "Continue from here?" in one.content for one in (await game.slash("Ann", "game repair")).ephemeral
    )
    answer = (await game.slash("Bob", "log")).text
    assert "not shown again" in answer
    assert "**Ann** passes" in answer.splitlines()[-1]
    for name in ("Bob", "Cy", "Ann"):
        await game.slash(name, "game abandon")
    assert any("cannot be replayed" in message.content for message in game.messages[-2:])


async def _restarted(sandbox: SandboxBot, meanwhile: Callable[[], None]) -> None:
    await sandbox.stop()
    meanwhile()
    await sandbox.start()
    await sandbox.settled()
