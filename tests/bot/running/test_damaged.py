"""One damaged game hurts only itself: it says what is wrong, and a user with the right repairs or ends it."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox.guild import threads
from bot.table.errors import Damaged, Refused, Untouched
from bot.table.games.game_log import Flawed, Opening, counting_rows, rows_before
from bot.table.games.loading import as_played
from bot.table.games.repair import end_damaged, plan_repair, repair_game
from bot.table.imports import TablePlace, add_recorded
from bot.table.outbox.notices import END, LINE
from bot.table.past.game_record import record_of
from bot.tools.databases import verdicts
from bot.workers.errors import TooMany
from bot.workers.workers import Queue
from engine.play.rules import RULES_VERSION
from engine.record import load_record
from storage import GAMES, Row, ask, clocks, games, log, positions, results, shards
from tests.bot.support.lost_connections import breaks
from tests.bot.support.positions import BANKRUPTCY
from tests.bot.support.records import history_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot
from tests.bot.support.table_service import ANN, BOB, CHANNEL, CY, GUILD, TableService
from tests.support.unsent import unsent
from tests.support.work_done import lines_run

ANOTHER = json.dumps({"kind": "bid", "actor": "p2", "entity": "p2", "private": "CV", "amount": 205})
"""A move that was not made."""
FLAWS = {
    "an edited row": (f"UPDATE log SET payload = '{ANOTHER}' WHERE seq = 3", "action 3"),
    "an unreadable row": ("UPDATE log SET payload = '{' WHERE seq = 3", "move 3 in its log cannot be read"),
    "a failed digest": ("UPDATE log SET digest = '2-0' WHERE seq = 4", "action 4"),
    "a hole in the log": ("DELETE FROM log WHERE seq = 3", "move 3 is gone"),
    "no first row": ("DELETE FROM log WHERE seq = 1", "move 1, with which it started, is gone"),
    "no row at all": ("DELETE FROM log", "move 1, with which it started, is gone"),
    "an unreadable start": (
        "UPDATE log SET payload = '[1]' WHERE seq = 1",
        "move 1 in its log cannot be read",
    ),
    "seats of others": ("UPDATE seats SET player_id = 'p9' WHERE seat = 1", "the seats stored for it"),
}
"""What may become of the first game, and what is said of it."""
UNREADABLE_STATE = "UPDATE states SET state = '{'"


def damage(database: Path, *statements: str) -> None:
    """Change the first game from outside, as no part of the bot does."""
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute("DROP TRIGGER IF EXISTS log_is_never_changed")
        conn.execute("DROP TRIGGER IF EXISTS log_is_never_shortened")
        for statement in statements:
            narrowed = "AND" if "WHERE" in statement else "WHERE"
            found = conn.execute(f"{statement} {narrowed} game_id = 1")
            assert found.rowcount > 0, statement


def rows_of_games(database: Path, change: str) -> None:
    """Change the row of the first game from outside."""
    with closing(sqlite3.connect(database)) as conn, conn:
        assert conn.execute(f"UPDATE games SET {change} WHERE id = 1").rowcount == 1


@pytest.fixture
async def played(service: TableService) -> int:
    """A game of three moves: rows 2 to 4."""
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    return game


async def lines(service: TableService, game: int) -> list[str]:
    """What the table has read."""
    rows = await unsent(service.db)
    return [json.loads(row.payload)["text"] for row in rows if (row.kind, row.game_id) == ("line", game)]


@pytest.mark.parametrize("flaw", FLAWS)
async def test_what_is_wrong_is_said_and_no_move_is_taken(
    service: TableService, played: int, tmp_path: Path, flaw: str
) -> None:
    statement, says = FLAWS[flaw]
    damage(tmp_path / "games.db", UNREADABLE_STATE, statement)
    again = TableService.on(service.db)
    other, woken = await again.game(), again.woken()
    await again.tables.review()
    assert woken == [played]
    for attempt in (again.do(played, ANN, "pass"), again.undo(played, CY)):
        with pytest.raises(Damaged, match=says):
            await attempt
    assert sum(says in line for line in await lines(again, played)) == 1
    assert "/game repair" in (await lines(again, played))[-1]
    await again.do(other, ANN, "pass")


async def test_of_damage_hear_the_threads_of_running_games_alone_and_from_the_process_of_their_server(
    service: TableService, played: int, tmp_path: Path
) -> None:
    statement, says = FLAWS["a hole in the log"]
    damage(tmp_path / "games.db", UNREADABLE_STATE, statement)
    elsewhere, here = TableService.on(service.db), TableService.on(service.db)
    elsewhere.tables.share = shards.NOWHERE
    woken, before = elsewhere.woken(), await lines(service, played)
    with pytest.raises(Damaged, match=says):
        await elsewhere.digest(played)
    await games.finish(service.db, played)
    with pytest.raises(Damaged, match=says):
        await here.digest(played)
    assert (woken, await lines(service, played)) == ([], before)


async def test_a_row_that_is_gone_but_was_undone_is_no_damage(
    service: TableService, played: int, tmp_path: Path
) -> None:
    await service.undo(played, CY)
    before = await service.digest(played)
    damage(tmp_path / "games.db", UNREADABLE_STATE, "DELETE FROM log WHERE seq = 4")
    assert await TableService.on(service.db).digest(played) == before


START = Row(1, 1, "start", Opening("18chesapeake", "rulebook", (), 1, ()).payload(), "", "", None, "")


def undone(times: int) -> list[Row]:
    """A log in which the first move was made and undone this often."""
    rows = [START]
    for seq in range(2, 2 + 2 * times, 2):
        rows.append(Row(1, seq, "action", ANOTHER, "", "p2", None, ""))
        rows.append(Row(1, seq + 1, "undo", log.undo_payload(1), "", "p2", None, ""))
    return rows


def test_twice_as_many_undos_take_twice_as_long_to_look_through() -> None:
    """All go back to the start: what each undid is not gone through again."""
    few, many = undone(1000), undone(2000)
    assert counting_rows(few) == counting_rows(many) == [START]
    assert lines_run(lambda: counting_rows(many)) < 2.5 * lines_run(lambda: counting_rows(few))


@pytest.mark.parametrize("flaw", ["an unreadable row", "a hole in the log", "no first row"])
async def test_a_log_that_is_not_whole_is_noticed_although_the_position_is_stored(
    service: TableService, played: int, tmp_path: Path, flaw: str
) -> None:
    """Then nothing is lost: the game continues from that position."""
    before = await service.digest(played)
    statement, says = FLAWS[flaw]
    damage(tmp_path / "games.db", statement)
    again = TableService.on(service.db)
    with pytest.raises(Damaged, match=says):
        await again.do(played, ANN, "pass")
    plan = await plan_repair(again.tables, played)
    kept = "the game continues from the position that was kept after move 4; nothing is lost"
    assert plan.says() == kept
    outcome = await repair_game(again.tables, played, CY, plan.seq)
    assert outcome.seq == 5
    assert await again.digest(played) == before
    await again.do(played, ANN, "pass")
    later = TableService.on(service.db)
    async with later.tables.reading(played) as live:
        assert live.game.digest() == await again.digest(played)
        assert live.counting[-1].kind == "action"
        record_of(live)
    await later.undo(played, ANN)
    assert await later.digest(played) == before


async def test_a_row_that_was_edited_is_noticed_when_the_log_is_shown_or_repaired(
    service: TableService, played: int, tmp_path: Path
) -> None:
    """The position is kept, so the game continues; what the log says would be false."""
    before = await service.digest(played)
    damage(tmp_path / "games.db", FLAWS["an edited row"][0])
    again = TableService.on(service.db)
    assert await again.digest(played) == before
    lines = (await history_of(again.tables, played)).all_lines()
    assert "the log was changed from outside" in lines[-1][1]
    with pytest.raises(Refused, match="The undo is not possible: action 3"):
        await again.undo(played, CY)
    plan = await plan_repair(again.tables, played)
    assert "nothing is lost" in plan.says()
    await repair_game(again.tables, played, ANN, plan.seq)
    assert await again.digest(played) == before
    with pytest.raises(Refused, match="nothing before it can be undone"):
        await again.undo(played, CY)
    with pytest.raises(Refused, match="not damaged"):
        await plan_repair(again.tables, played)


async def test_an_unreadable_position_alone_is_no_damage(
    service: TableService, played: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log has it: a worker of the bot finds it there, and it is stored in its place."""
    before = await service.digest(played)
    damage(tmp_path / "games.db", UNREADABLE_STATE)
    again, replays = TableService.on(service.db), list[object]()
    run = again.tables.workers.run

    async def noted(queue: Queue, replay: Callable[..., Any], *args: Any) -> Any:
        replays.append(replay)
        return await run(queue, replay, *args)

    monkeypatch.setattr(again.tables.workers, "run", noted)
    async with again.tables.reading(played) as live:
        assert len(replays) == 1
        assert live.game.digest() == before
        assert live.as_it_stood(4) == live.game.dump()
    stored = await log.kept_state(service.db, played)
    assert stored == positions.StoredState(4, before, live.game.dump())


async def test_a_game_that_no_worker_replays_now_keeps_no_other_from_being_looked_at(
    service: TableService, played: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await service.game()
    damage(tmp_path / "games.db", UNREADABLE_STATE)
    again = TableService.on(service.db)

    async def refuses(*_: object) -> None:
        raise TooMany("Ask again soon.")

    monkeypatch.setattr(again.tables.workers, "run", refuses)
    await again.tables.review()
    assert again.tables.reviewed
    async with again.tables.reading(other) as live:
        assert live.seq == 1
    with pytest.raises(TooMany):
        await again.digest(played)


@pytest.mark.parametrize(
    ("flaw", "good"),
    [("an edited row", 2), ("an unreadable row", 2), ("a failed digest", 3), ("a hole in the log", 2)],
)
async def test_the_game_goes_back_to_its_last_good_move(
    service: TableService, tmp_path: Path, flaw: str, good: int
) -> None:
    game, stood = await service.game(), []
    await GAMES.put(service.db, game, "bank", "3 days")
    for person in (ANN, BOB, CY):
        stood.append(await service.digest(game))
        await service.do(game, person, "pass")
    stored = "INSERT OR REPLACE INTO positions (game_id, seq, digest) VALUES (?, 1, 'd')"
    await service.db.write(lambda tx: tx.put(stored, game))
    damage(tmp_path / "games.db", UNREADABLE_STATE, FLAWS[flaw][0])
    again = TableService.on(service.db)
    plan = await plan_repair(again.tables, game)
    lost = "move 4 no longer counts" if good == 3 else "moves 3 to 4 no longer count"
    assert plan.says() == f"the game goes back to where it stood after move {good}; {lost}"
    await repair_game(again.tables, game, 99, plan.seq)
    assert await service.db.rows("SELECT seq FROM positions") == [], "none that was stored is trusted"
    assert await again.digest(game) == stood[good - 1]
    assert await TableService.on(service.db).digest(game) == stood[good - 1]
    row = (await log.read(service.db, game))[-1]
    assert (row.seq, row.kind, row.user_id) == (5, "undo", 99)
    assert row.payload == log.undo_payload(good, mends=True), "no redo brings back what was damaged"
    assert (
        f"`5` <@99> repairs the game: the game goes back to where it stood after move {good}"
        in (await lines(again, game))[-1]
    )
    assert (await games.get_game(service.db, game)).status == "running"
    running = [turn for turn in await ask(again.db, clocks.turns_question(game)) if turn.ended is None]
    assert running == [], "whose turn was lost has no clock that runs"
    await again.pass_on(game)
    async with TableService.on(service.db).tables.reading(game) as live:
        assert record_of(live).play().digest() == live.game.digest()


async def test_an_unreadable_undo_is_repaired_by_an_accept(
    service: TableService, played: int, tmp_path: Path
) -> None:
    """No undo could make such a log readable."""
    before = await service.digest(played)
    await service.undo(played, CY)
    damage(tmp_path / "games.db", UNREADABLE_STATE, "UPDATE log SET payload = '{}' WHERE seq = 5")
    again = TableService.on(service.db)
    with pytest.raises(Damaged, match="move 5 in its log cannot be read"):
        await again.do(played, CY, "pass")
    plan = await plan_repair(again.tables, played)
    await repair_game(again.tables, played, CY, plan.seq)
    assert (await log.read(service.db, played))[-1].kind == "accept"
    later = TableService.on(service.db)
    assert await later.digest(played) == before
    await later.do(played, ANN, "pass")
    damage(tmp_path / "games.db", UNREADABLE_STATE, "UPDATE log SET payload = '{' WHERE seq = 7")
    last = TableService.on(service.db)
    plan, woken = await plan_repair(last.tables, played), last.woken()
    await repair_game(last.tables, played, CY, plan.seq)
    assert woken == [played], "what the thread reads is posted at once"
    assert (await log.read(service.db, played))[-1].payload == log.undo_payload(6, mends=True), (
        "back to the accept"
    )
    assert END not in {row.kind for row in await unsent(service.db)}, "the game runs"
    assert await last.digest(played) == before


@pytest.mark.parametrize("flaw", ["no first row", "no row at all", "seats of others"])
async def test_a_game_without_any_good_position_can_only_be_ended(
    service: TableService, played: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flaw: str
) -> None:
    """Also where the connection breaks while the end is stored."""
    damage(tmp_path / "games.db", UNREADABLE_STATE, FLAWS[flaw][0])
    again = TableService.on(service.db)
    with pytest.raises(Refused, match="no good position to go back to; `/game abandon` ends the game"):
        await plan_repair(again.tables, played)
    with monkeypatch.context() as patch:
        breaks(patch, games, "abandon", done=False)
        with pytest.raises(Untouched):
            await end_damaged(again.tables, played, CY)
    assert (await games.get_game(service.db, played)).status == "running"
    with monkeypatch.context() as patch:
        breaks(patch, games, "abandon", done=True)
        assert "ends game 1" in await end_damaged(again.tables, played, CY)
    assert "ends game 1" in (await lines(again, played))[-1]
    assert (await games.get_game(service.db, played)).status == "abandoned"
    with pytest.raises(Refused, match="was abandoned"):
        await plan_repair(again.tables, played)


async def test_a_game_that_cannot_be_begun_and_has_no_moves_has_no_good_position(
    service: TableService, tmp_path: Path
) -> None:
    game = await service.game()
    damage(tmp_path / "games.db", UNREADABLE_STATE, FLAWS["an unreadable start"][0])
    with pytest.raises(Refused, match=r"move 1 in its log cannot be read.*no good position to go back to"):
        await plan_repair(TableService.on(service.db).tables, game)


async def test_only_a_damaged_game_is_repaired_or_ended(service: TableService, played: int) -> None:
    for attempt in (
        plan_repair(service.tables, played),
        repair_game(service.tables, played, ANN, 4),
        end_damaged(service.tables, played, ANN),
    ):
        with pytest.raises(Refused, match="not damaged"):
            await attempt
    assert await log.last_seq(service.db, played) == 4


async def test_a_game_that_was_repaired_while_its_end_was_asked_for_ends_nevertheless(
    service: TableService, played: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No move is taken in it any more, and its thread reads at once why."""

    async def was_damaged(_: int) -> str:
        return "Its log is damaged."

    woken = service.woken()
    with monkeypatch.context() as patch:
        patch.setattr(service.tables, "damage", was_damaged)
        await end_damaged(service.tables, played, CY)
    assert woken == [played]
    with pytest.raises(Refused, match="was abandoned"):
        await service.do(played, ANN, "pass")


async def test_the_row_of_a_game_that_says_by_which_rules_it_is_played_stays_as_it_is(
    service: TableService, played: int, caplog: pytest.LogCaptureFixture
) -> None:
    row = replace(await games.get_game(service.db, played), options="[ ]")
    async with service.tables.reading(played) as live:
        assert as_played(row, live.game) == row
    assert not caplog.records


@pytest.mark.parametrize(
    "change", ["options = '{'", "options = '[7]'", "title = '18unknown'", "profile = 'house'"]
)
async def test_a_running_game_is_played_by_the_rules_it_started_with(
    service: TableService, played: int, tmp_path: Path, change: str
) -> None:
    """Whatever its row says."""
    rows_of_games(tmp_path / "games.db", change)
    again = TableService.on(service.db)
    await again.do(played, ANN, "pass")
    async with again.tables.reading(played) as live:
        assert (live.row.title, live.row.profile, live.row.options) == ("18chesapeake", "rulebook", "[]")


# --- on Discord ------------------------------------------------------------------------------------------------------


async def restarted(sandbox: SandboxBot, meanwhile: Callable[[], None]) -> None:
    """The bot is stopped, something happens, and it starts again."""
    await sandbox.stop()
    meanwhile()
    await sandbox.start()
    await sandbox.settled()


async def two_games(sandbox: SandboxBot, statement: str) -> None:
    """Two games of three moves; the first is damaged while the bot is away."""
    for _ in range(2):
        game = await sandbox.game()
        for name in ("Ann", "Bob", "Cy"):
            await game.press(name, "Pass")
    await restarted(sandbox, lambda: damage(sandbox.database, UNREADABLE_STATE, statement))


@pytest.mark.parametrize("flaw", ["an edited row", "a failed digest", "a hole in the log", "no row at all"])
async def test_it_is_listed_among_the_others_with_what_is_wrong(sandbox: SandboxBot, flaw: str) -> None:
    statement, says = FLAWS[flaw]
    await two_games(sandbox, statement)
    for command in ("mine", "game list"):
        listed = (await sandbox.person("Ann").slash(TABLE, command)).text
        assert says in listed
        assert "2. 18Chesapeake" in listed
    assert "your turn" in (await sandbox.person("Ann").slash(TABLE, "mine")).text


async def test_a_running_game_whose_row_cannot_be_read_continues_and_is_listed(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await restarted(sandbox, lambda: rows_of_games(sandbox.database, "options = '{', title = '18unknown'"))
    before = game.messages[0].content
    await game.press("Ann", "Pass")
    await game.press("Bob", "Pass")
    assert game.messages[0].content != before
    assert "No optional rules" in game.messages[0].content
    for command in ("mine", "game list"):
        assert "the rules it started with" in (await sandbox.person("Ann").slash(TABLE, command)).text


@pytest.mark.parametrize("change", ["options = '{'", "title = '18unknown'", "profile = 'house'"])
async def test_a_lobby_that_cannot_be_read_is_listed_and_given_up(sandbox: SandboxBot, change: str) -> None:
    ann = sandbox.person("Ann")
    for _ in range(2):
        await ann.slash(TABLE, "game new", title="18chesapeake")
    await restarted(sandbox, lambda: rows_of_games(sandbox.database, change))
    for command in ("mine", "game list"):
        listed = (await ann.slash(TABLE, command)).text
        assert "There is no profile" in listed or "cannot be read" in listed
        assert "2. 18Chesapeake" in listed
    joined = (await sandbox.person("Bob").slash(TABLE, "game join", number=1)).text
    assert "There is no profile" in joined or "cannot be read" in joined
    assert "given up" in (await ann.slash(TABLE, "game abandon", number=1)).text
    assert "seat in game 2" in (await sandbox.person("Bob").slash(TABLE, "game join", number=2)).text


async def test_a_moderator_repairs_a_game_by_a_press(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    await restarted(sandbox, lambda: damage(sandbox.database, UNREADABLE_STATE, FLAWS["a failed digest"][0]))
    assert await sandbox.world.until(lambda: any("/game repair" in line for line in game.lines), timeout=20)
    assert await sandbox.hears(await game.press("Ann", "Pass"), "cannot be loaded")
    assert "cannot be loaded" in (await game.slash("Bob", "status")).text
    assert "needs a moderator" in (await game.slash("Bob", "game repair")).text
    assert await sandbox.world.until(lambda: any("Repair the game?" in one.content for one in game.messages))
    [question] = [one for one in game.messages if "Repair the game?" in one.content]
    assert await sandbox.hears(await game.press("Bob", "Repair the game", question), "Manage Threads")
    assert "back to where it stood after move 3; move 4 no longer counts" in question.content
    assert await log.last_seq(sandbox.db, game.number) == 4
    await game.press("Ann", "Repair the game", question)
    assert await sandbox.world.until(lambda: "agreed" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert sum("repairs the game" in line for line in game.lines) == 1
    assert game.turn.content.startswith(sandbox.person("Cy").mention)
    assert [m for m in game.messages if m.buttons] == [game.turn]
    await game.press("Cy", "Pass")
    assert await game.seq() == 6


async def test_a_flaw_that_stops_nobody_is_repaired_when_a_moderator_asks(sandbox: SandboxBot) -> None:
    """The position was kept, so the game is played on; a player's repair shows it again and asks nothing."""
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy"):
        await game.press(name, "Pass")
    await restarted(sandbox, lambda: damage(sandbox.database, FLAWS["an edited row"][0]))
    assert [one.buttons for one in (await game.slash("Bob", "game repair")).ephemeral] == [[]]
    question = (await game.slash("Ann", "game repair")).ephemeral[0]
    assert "changed from outside" in question.content
    assert "nothing is lost" in question.content
    await game.press("Ann", "Repair the game", question)
    assert await sandbox.world.until(lambda: any("repairs the game" in line for line in game.lines))
    await sandbox.settled()
    answer = await game.slash("Ann", "game repair")
    assert [one.buttons for one in answer.ephemeral] == [[]]
    assert "up to date" in answer.text


async def test_repair_gives_a_damaged_game_a_thread_before_it_asks(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")

    await restarted(
        sandbox,
        lambda: damage(sandbox.database, UNREADABLE_STATE, "UPDATE log SET digest = '2-0' WHERE seq = 2"),
    )
    assert await sandbox.world.until(lambda: any("/game repair" in line for line in game.lines), timeout=20)
    threads.remove(sandbox.world, sandbox.world.channel(game.thread))
    answer = await sandbox.person("Ann").slash(TABLE, "game repair", number=game.number)
    assert await sandbox.world.until(
        lambda: any("Repair the game?" in one.content for one in answer.ephemeral)
    )
    row = await games.get_game(sandbox.db, game.number)
    assert row.thread_id not in (None, game.thread)
    assert f"<#{row.thread_id}>" in answer.ephemeral[0].content


async def test_a_moderator_ends_a_damaged_game_by_a_press(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await game.press("Ann", "Pass")
    await restarted(
        sandbox, lambda: damage(sandbox.database, UNREADABLE_STATE, FLAWS["an unreadable start"][0])
    )
    assert "Manage Threads" in (await game.slash("Bob", "game abandon")).text
    assert "no good position" in (await game.slash("Ann", "game repair")).text
    question = (await game.slash("Ann", "game abandon")).ephemeral[0]
    assert "Really end it" in question.content
    await game.press("Ann", "End the game", question)
    assert await sandbox.world.until(lambda: "ends game 1" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert (await games.get_game(sandbox.db, game.number)).status == "abandoned"
    assert sum("ends game 1, which is damaged" in line for line in game.lines) == 1
    assert not any(m.buttons for m in game.messages)
    assert "in no game" in (await sandbox.person("Ann").slash(TABLE, "mine")).text


async def test_a_game_without_its_log_is_ended_with_a_line_in_the_thread(sandbox: SandboxBot) -> None:
    game = await sandbox.game()
    await restarted(sandbox, lambda: damage(sandbox.database, FLAWS["no row at all"][0]))
    question = (await game.slash("Ann", "game abandon")).ephemeral[0]
    await game.press("Ann", "End the game", question)
    assert await sandbox.world.until(lambda: "ends game 1" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert sum("ends game 1, which is damaged" in line for line in game.lines) == 1


async def test_a_log_that_is_damaged_while_its_game_is_in_memory_is_repaired(
    service: TableService, played: int, tmp_path: Path
) -> None:
    """The game continues from the position that was kept."""
    damage(tmp_path / "games.db", "UPDATE log SET payload = '{' WHERE seq = 3")
    plan = await plan_repair(service.tables, played)
    assert "nothing is lost" in plan.says()
    await repair_game(service.tables, played, ANN, plan.seq)
    await service.do(played, ANN, "pass")


async def test_a_finished_game_that_is_repaired_stays_finished_and_ends_no_second_time(
    service: TableService, tmp_path: Path
) -> None:
    whole = load_record(BANKRUPTCY.read_text("utf-8"), None)
    place = TablePlace(GUILD, CHANNEL, ((ANN, "Ann"), (BOB, "Bob"), (CY, "Cy")))
    game = await add_recorded(service.tables, whole, place)
    damage(tmp_path / "games.db", "UPDATE log SET payload = '{' WHERE seq = 3")
    again = TableService.on(service.db)
    plan = await plan_repair(again.tables, game)
    before = {row.id for row in await unsent(service.db)}
    await repair_game(again.tables, game, ANN, plan.seq)
    assert (await games.get_game(service.db, game)).status == "finished"
    assert len({one.user_id for one in await results.places_of_server(service.db, GUILD) if one.won}) >= 1
    said = {row.kind for row in await unsent(service.db) if row.id not in before}
    assert LINE in said
    assert END not in said
    rows_of_games(tmp_path / "games.db", "status = 'running'")
    damage(tmp_path / "games.db", "UPDATE log SET payload = '{' WHERE kind = 'accept'")
    again = TableService.on(service.db)
    plan = await plan_repair(again.tables, game)
    before = {row.id for row in await unsent(service.db)}
    await repair_game(again.tables, game, ANN, plan.seq)
    said = {row.kind for row in await unsent(service.db) if row.id not in before}
    assert END in said, "one that was stored as running ends"


@pytest.mark.parametrize(
    "statement", ["UPDATE log SET digest = '2-0' WHERE seq = 4", "UPDATE states SET digest = '2-0'"]
)
async def test_a_look_over_all_games_replays_each_log_and_reads_each_position(
    service: TableService, played: int, tmp_path: Path, statement: str
) -> None:
    whole = [verdict.problem async for verdict in verdicts(service.db)]
    assert whole == [None]
    damage(tmp_path / "games.db", statement)
    (verdict,) = [verdict async for verdict in verdicts(service.db)]
    assert verdict.game.id == played
    assert verdict.problem is not None


def test_of_a_move_that_cannot_be_read_and_a_later_one_that_is_gone_the_first_is_named() -> None:
    """And of one that is gone and a later one that cannot be read."""
    unread, whole = (Row(1, 0, "action", text, "", "p2", None, "") for text in ("{", ANOTHER))
    for rows, flawed in (((unread, whole), 2), ((whole, unread), 3)):
        there = [START, rows[0]._replace(seq=2), rows[1]._replace(seq=4)]
        with pytest.raises(Flawed) as found:
            counting_rows(there)
        assert found.value.seq == flawed


def test_of_an_accept_that_cannot_be_read_nothing_counts_although_the_moves_around_it_are_whole() -> None:
    made = Row(1, 2, "action", ANOTHER, "", "p2", None, "")
    accept = Row(1, 3, "accept", "{}", "", "", CY, "")
    rows = [START, made, accept, made._replace(seq=4)]
    with pytest.raises(Flawed, match=r"^move 3 in its log cannot be read$") as found:
        counting_rows(rows)
    assert found.value.seq == 3
    assert rows_before(rows, 5) == rows[:2]


def test_a_log_whose_undo_goes_behind_an_accept_is_flawed_at_its_end() -> None:
    accept = Row(1, 2, "accept", log.accept_payload(RULES_VERSION, "{}"), "", "", CY, "")
    undo = Row(1, 3, "undo", log.undo_payload(1), "", "", CY, "")
    with pytest.raises(Flawed, match="its log contradicts itself") as found:
        counting_rows([START, accept, undo])
    assert found.value.seq == 3
    assert rows_before([START, accept, undo], 4) == [START, accept]


def test_a_game_of_ours_is_begun_as_no_log_of_another_site_and_one_from_there_as_it_was_read() -> None:
    for from_log, read in ((None, 0), (7, 7)):
        seats = (("p1", "Ann"), ("p2", "Bob"))
        opening = Opening("18chesapeake", "18xx.games", (), 1, seats, from_log=from_log)
        assert opening.begin().from_log == read
