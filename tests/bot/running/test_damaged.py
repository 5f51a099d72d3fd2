"""One damaged game hurts only itself: it says what is wrong, and a user with the right repairs or ends it."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.table.errors import FailedBeforeStoring, GameDamaged, Refused
from bot.table.games.repair import end_damaged_game, plan_repair, repair_game
from bot.table.outbox.notices import END_KIND, LINE_KIND
from bot.table.past.game_record import record_of
from engine.record import load_record
from storage import GAME_SETTINGS, clocks, fetch, games, log, positions, results
from tests.bot.support.lost_connections import breaks
from tests.bot.support.positions import BANKRUPTCY
from tests.bot.support.records import history_of
from tests.bot.support.sandbox_bot import TABLE, SandboxBot, Seated
from tests.bot.support.table_service import ANN, BOB, CY, GUILD, TableService
from tests.support.unsent import unsent

ANOTHER = json.dumps({"kind": "bid", "actor": "p2", "entity": "p2", "private": "CV", "amount": 205})
"""A move that was not made."""
FLAWS = {
    "an edited row": (f"UPDATE log SET payload = '{ANOTHER}' WHERE seq = 3", "action 3"),
    "an unreadable row": ("UPDATE log SET payload = '{' WHERE seq = 3", "move 3 in its log cannot be read"),
    "a failed digest": ("UPDATE log SET digest = '2-0' WHERE seq = 4", "action 4"),
    "a hole in the log": ("DELETE FROM log WHERE seq = 3", "move 3 is missing from its log"),
    "no first row": ("DELETE FROM log WHERE seq = 1", "move 1, its start, is missing"),
    "no row at all": ("DELETE FROM log", "move 1, its start, is missing"),
    "an unreadable start": (
        "UPDATE log SET payload = '[1]' WHERE seq = 1",
        "move 1 in its log cannot be read",
    ),
    "seats of others": ("UPDATE seats SET player_id = 'p9' WHERE seat = 1", "its stored seats"),
}
UNREADABLE_STATE = "UPDATE states SET state = '{'"
UNREADABLE_ROWS = ("options = '{'", "options = '[7]'", "title = '18unknown'", "profile = 'house'")


def damage(database: Path, *statements: str) -> None:
    """Change the first game from outside, as no part of the bot does."""
    with closing(sqlite3.connect(database)) as conn, conn:
        conn.execute("DROP TRIGGER IF EXISTS log_is_never_changed")
        conn.execute("DROP TRIGGER IF EXISTS log_is_never_shortened")
        for statement in statements:
            narrowed = "AND" if "WHERE" in statement else "WHERE"
            found = conn.execute(f"{statement} {narrowed} game_id = 1")
            assert found.rowcount > 0, statement


def change_row(database: Path, change: str) -> None:
    """Change the row of the first game from outside."""
    with closing(sqlite3.connect(database)) as conn, conn:
        assert conn.execute(f"UPDATE games SET {change} WHERE id = 1").rowcount == 1


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The database of the service."""
    return tmp_path / "games.db"


@pytest.fixture
async def played(service: TableService) -> int:
    """A game of three moves: rows 2 to 4."""
    game = await service.game()
    for person in (ANN, BOB, CY):
        await service.do(game, person, "pass")
    return game


@pytest.mark.parametrize("flaw", FLAWS)
async def test_damage_is_named(service: TableService, played: int, file: Path, flaw: str) -> None:
    """In the thread, once; no move is taken."""
    statement, says = FLAWS[flaw]
    damage(file, UNREADABLE_STATE, statement)
    again = TableService.on(service.db)
    other, woken = await again.game(), again.woken()
    await again.tables.check_running_games()
    assert woken == [played]
    for attempt in (again.do(played, ANN, "pass"), again.undo(played, CY)):
        with pytest.raises(GameDamaged, match=says):
            await attempt
    lines = await again.lines(played)
    assert sum(says in line for line in lines) == 1
    assert "/game repair" in lines[-1]
    await again.do(other, ANN, "pass")


@pytest.mark.parametrize("flaw", ["an unreadable row", "a hole in the log", "no first row"])
async def test_damaged_log_with_its_position(
    service: TableService, played: int, file: Path, flaw: str
) -> None:
    """Nothing is lost: the game continues from that position."""
    before = await service.digest(played)
    statement, says = FLAWS[flaw]
    damage(file, statement)
    again = TableService.on(service.db)
    with pytest.raises(GameDamaged, match=says):
        await again.do(played, ANN, "pass")
    plan = await plan_repair(again.tables, played)
    assert plan.plan_text() == ("the game continues from the position stored after move 4; nothing is lost")
    assert (await repair_game(again.tables, played, CY, plan.seq)).seq == 5
    assert await again.digest(played) == before
    await again.do(played, ANN, "pass")
    later = TableService.on(service.db)
    async with later.tables.reading(played) as live:
        assert live.game.digest() == await again.digest(played)
        record_of(live)
    await later.undo(played, ANN)
    assert await later.digest(played) == before


async def test_edited_row_shows_in_the_log(service: TableService, played: int, file: Path) -> None:
    """The position is kept, so the game continues; what the log says would be false."""
    before = await service.digest(played)
    damage(file, FLAWS["an edited row"][0])
    again = TableService.on(service.db)
    assert await again.digest(played) == before
    lines = (await history_of(again.tables, played)).all_lines()
    assert "somebody changed the log in the database" in lines[-1][1]
    with pytest.raises(Refused, match="This cannot be undone: action 3"):
        await again.undo(played, CY)
    plan = await plan_repair(again.tables, played)
    assert "nothing is lost" in plan.plan_text()
    await repair_game(again.tables, played, ANN, plan.seq)
    assert await again.digest(played) == before
    with pytest.raises(Refused, match="nothing before it can be undone"):
        await again.undo(played, CY)
    with pytest.raises(Refused, match="not damaged"):
        await plan_repair(again.tables, played)


async def test_position_is_made_from_the_log(service: TableService, played: int, file: Path) -> None:
    """And stored in place of the unreadable one."""
    before = await service.digest(played)
    damage(file, UNREADABLE_STATE)
    async with TableService.on(service.db).tables.reading(played) as live:
        assert (live.game.digest(), live.position_text(4)) == (before, live.game.dump())
        stored = await log.stored_state(service.db, played)
        assert stored == positions.StoredState(4, before, live.game.dump())


@pytest.mark.parametrize(
    ("flaw", "good"),
    [("an edited row", 2), ("an unreadable row", 2), ("a failed digest", 3), ("a hole in the log", 2)],
)
async def test_back_to_the_last_good_move(service: TableService, file: Path, flaw: str, good: int) -> None:
    game, stood = await service.game(), []
    await GAME_SETTINGS.put(service.db, game, "bank", "3 days")
    for person in (ANN, BOB, CY):
        stood.append(await service.digest(game))
        await service.do(game, person, "pass")
    stored = "INSERT OR REPLACE INTO positions (game_id, seq, digest) VALUES (?, 1, 'd')"
    await service.db.write(lambda tx: tx.put(stored, game))
    damage(file, UNREADABLE_STATE, FLAWS[flaw][0])
    again = TableService.on(service.db)
    plan = await plan_repair(again.tables, game)
    lost = "move 4 no longer counts" if good == 3 else "moves 3 to 4 no longer count"
    assert plan.plan_text() == f"the game goes back to move {good}; {lost}"
    await repair_game(again.tables, game, 99, plan.seq)
    assert await service.db.rows("SELECT seq FROM positions") == [], "none that was stored is trusted"
    for service_again in (again, TableService.on(service.db)):
        assert await service_again.digest(game) == stood[good - 1]
    row = (await log.read_rows(service.db, game))[-1]
    assert (row.seq, row.kind, row.user_id) == (5, "undo", 99)
    assert row.payload == log.undo_payload(good, mends=True), "no redo brings back what was damaged"
    says = f"`5` <@99> repairs the game: the game goes back to move {good}"
    assert says in (await again.lines(game))[-1]
    assert (await games.get_game(service.db, game)).status == "running"
    running = [turn for turn in await fetch(again.db, clocks.turns_query(game)) if turn.ended is None]
    assert running == [], "whose turn was lost has no clock that runs"
    await again.pass_on(game)
    async with TableService.on(service.db).tables.reading(game) as live:
        assert record_of(live).play().digest() == live.game.digest()


async def test_unreadable_undo_is_accepted(service: TableService, played: int, file: Path) -> None:
    """No undo could make such a log readable; a later repair goes back to the accept."""
    before = await service.digest(played)
    await service.undo(played, CY)
    damage(file, UNREADABLE_STATE, "UPDATE log SET payload = '{}' WHERE seq = 5")
    again = TableService.on(service.db)
    with pytest.raises(GameDamaged, match="move 5 in its log cannot be read"):
        await again.do(played, CY, "pass")
    plan = await plan_repair(again.tables, played)
    await repair_game(again.tables, played, CY, plan.seq)
    assert (await log.read_rows(service.db, played))[-1].kind == "accept"
    later = TableService.on(service.db)
    assert await later.digest(played) == before
    await later.do(played, ANN, "pass")
    damage(file, UNREADABLE_STATE, "UPDATE log SET payload = '{' WHERE seq = 7")
    last = TableService.on(service.db)
    plan, woken = await plan_repair(last.tables, played), last.woken()
    await repair_game(last.tables, played, CY, plan.seq)
    assert woken == [played], "what the thread reads is posted at once"
    assert (await log.read_rows(service.db, played))[-1].payload == log.undo_payload(6, mends=True)
    assert END_KIND not in {row.kind for row in await unsent(service.db)}, "the game runs"
    assert await last.digest(played) == before


@pytest.mark.parametrize("flaw", ["no first row", "no row at all", "seats of others", "an unreadable start"])
async def test_no_good_position(
    service: TableService, monkeypatch: pytest.MonkeyPatch, file: Path, flaw: str
) -> None:
    """The game can only be ended, also where the connection breaks while that is stored."""
    game = await service.game()
    if flaw != "an unreadable start":
        await service.do(game, ANN, "pass")
    damage(file, UNREADABLE_STATE, FLAWS[flaw][0])
    again = TableService.on(service.db)
    with pytest.raises(Refused, match="no good position to return to; `/game abandon` ends the game"):
        await plan_repair(again.tables, game)
    with monkeypatch.context() as patch:
        breaks(patch, games, "abandon_game", done=False)
        with pytest.raises(FailedBeforeStoring):
            await end_damaged_game(again.tables, game, CY)
    assert (await games.get_game(service.db, game)).status == "running"
    woken = again.woken()
    with monkeypatch.context() as patch:
        breaks(patch, games, "abandon_game", done=True)
        assert "ends game 1" in await end_damaged_game(again.tables, game, CY)
    assert woken == [game]
    assert "ends game 1" in (await again.lines(game))[-1]
    assert (await games.get_game(service.db, game)).status == "abandoned"
    with pytest.raises(Refused, match="was abandoned"):
        await plan_repair(again.tables, game)


async def test_sound_game_is_not_repaired(service: TableService, played: int) -> None:
    for attempt in (
        plan_repair(service.tables, played),
        repair_game(service.tables, played, ANN, 4),
        end_damaged_game(service.tables, played, ANN),
    ):
        with pytest.raises(Refused, match="not damaged"):
            await attempt
    assert await log.last_seq(service.db, played) == 4


async def test_finished_game_stays_finished(service: TableService, file: Path) -> None:
    """It ends no second time when it is repaired; one that was stored as running ends."""
    whole = load_record(BANKRUPTCY.read_text("utf-8"), None)
    game = await service.at(whole)

    async def repaired(flaw: str) -> set[str]:
        damage(file, f"UPDATE log SET payload = '{{' WHERE {flaw}")
        again = TableService.on(service.db)
        plan = await plan_repair(again.tables, game)
        before = {row.id for row in await unsent(service.db)}
        await repair_game(again.tables, game, ANN, plan.seq)
        return {row.kind for row in await unsent(service.db) if row.id not in before}

    said = await repaired("seq = 3")
    assert (await games.get_game(service.db, game)).status == "finished"
    assert [one for one in await results.places_of_server(service.db, GUILD) if one.won]
    assert LINE_KIND in said
    assert END_KIND not in said
    change_row(file, "status = 'running'")
    assert END_KIND in await repaired("kind = 'accept'")


@pytest.mark.parametrize("change", UNREADABLE_ROWS)
async def test_rules_are_those_of_the_start(
    service: TableService, played: int, file: Path, change: str
) -> None:
    """Not those that the row of the game says."""
    change_row(file, change)
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


async def flawed(sandbox: SandboxBot, *statements: str, moves: int = 3) -> Seated:
    """A game that is damaged while the bot is away."""
    game = await sandbox.game()
    for name in ("Ann", "Bob", "Cy")[:moves]:
        await game.press(name, "Pass")
    await restarted(sandbox, lambda: damage(sandbox.database, *statements))
    return game


async def posts(sandbox: SandboxBot, game: Seated, words: str) -> bool:
    return await sandbox.world.wait_until(lambda: any(words in line for line in game.lines), timeout=20)


async def test_damaged_game_is_listed(sandbox: SandboxBot) -> None:
    statement, says = FLAWS["an edited row"]
    for _ in range(2):
        game = await sandbox.game()
        for name in ("Ann", "Bob", "Cy"):
            await game.press(name, "Pass")
    await restarted(sandbox, lambda: damage(sandbox.database, UNREADABLE_STATE, statement))
    for command in ("mine", "game list"):
        listed = (await sandbox.person("Ann").slash(TABLE, command)).text
        assert says in listed
        assert "2. 18Chesapeake" in listed
    assert "your turn" in (await sandbox.person("Ann").slash(TABLE, "mine")).text


@pytest.mark.parametrize("change", ["options = '{'", "title = '18unknown'", "profile = 'house'"])
async def test_unreadable_lobby_is_given_up(sandbox: SandboxBot, change: str) -> None:
    ann, bob = sandbox.person("Ann"), sandbox.person("Bob")
    for _ in range(2):
        await ann.slash(TABLE, "game new", title="18chesapeake")
    await restarted(sandbox, lambda: change_row(sandbox.database, change))
    lists = [(await ann.slash(TABLE, command)).text for command in ("mine", "game list")]
    assert all("2. 18Chesapeake" in text for text in lists)
    for text in (*lists, (await bob.slash(TABLE, "game join", number=1)).text):
        assert "There is no profile" in text or "cannot be read" in text
    assert "Game 1 is abandoned" in (await ann.slash(TABLE, "game abandon", number=1)).text
    assert "seat in game 2" in (await bob.slash(TABLE, "game join", number=2)).text


async def test_moderator_repairs_by_a_press(sandbox: SandboxBot) -> None:
    game = await flawed(sandbox, UNREADABLE_STATE, FLAWS["a failed digest"][0])
    assert await posts(sandbox, game, "/game repair")
    assert await sandbox.hears(await game.press("Ann", "Pass"), "cannot be loaded")
    assert "cannot be loaded" in (await game.slash("Bob", "status")).text
    answer = await game.slash("Bob", "game repair")
    assert ("needs a moderator" in answer.text, [one.buttons for one in answer.ephemeral]) == (True, [[]])
    asked = "Repair the game?"
    assert await sandbox.world.wait_until(lambda: any(asked in one.content for one in game.messages))
    [question] = [one for one in game.messages if asked in one.content]
    assert await sandbox.hears(await game.press("Bob", "Repair the game", question), "Manage Threads")
    assert "back to move 3; move 4 no longer counts" in question.content
    assert await log.last_seq(sandbox.db, game.number) == 4
    await game.press("Ann", "Repair the game", question)
    assert await sandbox.world.wait_until(lambda: "agreed" in sandbox.world.messages[question.id].content)
    await sandbox.settled()
    assert sum("repairs the game" in line for line in game.lines) == 1
    assert game.turn.content.startswith(sandbox.person("Cy").mention)
    assert [m for m in game.messages if m.buttons] == [game.turn]
    await game.press("Cy", "Pass")
    assert await game.seq() == 6
    assert "up to date" in (await game.slash("Ann", "game repair")).text


async def test_moderator_ends_by_a_press(sandbox: SandboxBot) -> None:
    game = await flawed(sandbox, UNREADABLE_STATE, FLAWS["no row at all"][0], moves=1)
    assert "Manage Threads" in (await game.slash("Bob", "game abandon")).text
    assert "no good position" in (await game.slash("Ann", "game repair")).text
    question = (await game.slash("Ann", "game abandon")).ephemeral[0]
    assert "Really end the game" in question.content
    await game.press("Ann", "End the game", question)
    assert await sandbox.world.wait_until(
        lambda: "ends game 1" in sandbox.world.messages[question.id].content
    )
    await sandbox.settled()
    assert (await games.get_game(sandbox.db, game.number)).status == "abandoned"
    assert sum("ends game 1, which is damaged" in line for line in game.lines) == 1
    assert not any(m.buttons for m in game.messages)
    assert "You have no games" in (await sandbox.person("Ann").slash(TABLE, "mine")).text
