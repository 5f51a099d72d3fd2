"""Copies of the file: whole, made while it is in use, rotated, and restored; nothing is started empty by mistake."""

import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from storage import (
    Database,
    DatabaseInUse,
    DatabaseUnreadable,
    StorageError,
    backups,
    games,
    log,
    open_database,
)
from storage.sqlite import files
from storage.sqlite.transactions import LOG_BYTES, MORE_FOLLOWS, WHOLE, WRITES, mark, marked
from tests.storage.makers import Act, NewGame, RunningGame

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups" / "copies"


async def opened_once(path: Path) -> None:
    async with await open_database(path):
        pass


async def test_a_copy_of_a_database_in_use_has_every_move_up_to_then(
    db: Database, path: Path, tmp_path: Path, game_id: int, act: Act
) -> None:
    await log.commit_move(db, game_id, 1, [act()], now="2026")
    backups.copy(path, tmp_path / "copy.db")
    await log.commit_move(db, game_id, 2, [act()], now="2026")
    async with await open_database(tmp_path / "copy.db") as copy:
        assert await log.last_seq(copy, game_id) == 2
    assert await log.last_seq(db, game_id) == 3


async def test_a_copy_is_made_in_the_middle_of_writing(
    db: Database, path: Path, tmp_path: Path, game_id: int, act: Act
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE games SET name = 'Saturday'")
        backups.copy(path, tmp_path / "copy.db")
        writer.execute("COMMIT")
    async with await open_database(tmp_path / "copy.db") as copy:
        assert (await games.get_game(copy, game_id)).name == "Friday"


async def test_a_copy_never_replaces_a_file(db: Database, path: Path, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(StorageError, match="is there already"):
        backups.copy(path, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"


async def test_what_a_cut_off_copy_has_left_behind_is_no_obstacle(
    db: Database, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "copy.db-unfinished").write_bytes(b"half" * 500)
    backups.copy(path, tmp_path / "copy.db")
    assert backups.verdict(tmp_path / "copy.db") == "ok"
    assert not (tmp_path / "copy.db-unfinished").exists()


def test_what_is_not_there_cannot_be_copied(path: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="There is no database"):
        backups.copy(path, tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_another_programs_file_is_not_copied(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(DatabaseUnreadable, match="another program"):
        backups.copy(path, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


async def test_a_copy_to_a_folder_that_is_not_there_says_so(db: Database, path: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"cannot be (opened|written)"):
        backups.copy(path, tmp_path / "nowhere" / "copy.db")


async def test_a_week_of_days_and_a_month_of_weeks_remain(db: Database, path: Path, folder: Path) -> None:
    assert backups.last_copy(folder, path) is None
    moments = [NOON + timedelta(hours=12 * half) for half in range(80)]
    for moment in moments:
        backups.copy_for(folder, path, moment)
    kept = sorted(file.name.removeprefix("games-2026-").removesuffix(":00Z.db") for file in folder.iterdir())
    weeks = ["03-22T12-00-00Z.db", "03-29T12-00-00Z.db"]
    days = [f"04-{day:02}T12-00-00Z.db" for day in range(4, 10)]
    assert kept == [*weeks, *days, "04-10T00-00-00Z.db"]
    assert backups.last_copy(folder, path) == moments[-1]


async def test_a_folder_without_copies_has_no_last_one(path: Path, folder: Path) -> None:
    assert backups.last_copy(folder, path) is None


@pytest.mark.parametrize("failing", ["copy.db-unfinished", "copy.db"])
async def test_a_copy_that_cannot_be_brought_to_the_disk_leaves_nothing_unfinished(
    db: Database, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fails(file: Path) -> None:
        if file.name == failing:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(backups, "durable", fails)
    with pytest.raises(StorageError, match=r"The copy .*copy.db cannot be written \(Input/output error\)"):
        backups.copy(path, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db-unfinished").exists()


async def test_what_is_restored_is_on_the_disk_before_and_after_it_has_its_name(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened_once(path)
    brought: list[str] = []
    monkeypatch.setattr(backups, "durable", lambda file: brought.append(file.name))
    backups.copy(path, tmp_path / "copy.db")
    backups.restore(tmp_path / "copy.db", path, NOON)
    restored = f"{path.name}-restored"
    assert brought == ["copy.db-unfinished", "copy.db", f"{restored}-unfinished", restored, path.name]


async def test_a_copy_that_somebody_else_has_dropped_is_no_obstacle(
    db: Database, path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "_dropped", lambda dated: [folder / "gone.db"])
    assert backups.copy_for(folder, path, NOON).exists()


def test_what_is_not_there_cannot_be_restored(path: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="There is no database"):
        backups.restore(tmp_path / "copy.db", path, NOON)


async def test_what_a_cut_off_restoration_has_left_behind_is_no_obstacle(path: Path, tmp_path: Path) -> None:
    await opened_once(path)
    path.with_name(f"{path.name}-restored").write_bytes(b"half" * 500)
    backups.restore(path, path, NOON)
    await opened_once(path)


async def test_a_restoration_that_fails_at_its_end_leaves_the_database_free_and_nothing_behind(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await opened_once(path)
    restored = path.with_name(f"{path.name}-restored")

    def fails(file: Path) -> None:
        if file == restored:
            raise OSError(5, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(backups, "durable", fails)
        with pytest.raises(StorageError, match="cannot be written") as failed:
            backups.restore(path, path, NOON)
    assert not restored.exists()
    await opened_once(path)
    del failed


async def test_files_of_others_are_left_alone(db: Database, path: Path, folder: Path) -> None:
    folder.mkdir(parents=True)
    for name in ("games-notes.db", "other-2020-01-01T00-00-00Z.db"):
        (folder / name).write_text("mine")
    for day in range(40):
        backups.copy_for(folder, path, NOON + timedelta(days=day))
    assert {"games-notes.db", "other-2020-01-01T00-00-00Z.db"} < {file.name for file in folder.iterdir()}


async def test_a_copy_is_restored_and_what_was_there_is_set_aside(
    path: Path, tmp_path: Path, new_game: NewGame
) -> None:
    async with await open_database(path) as db:
        first = await new_game(db)
        backups.copy(path, tmp_path / "copy.db")
        second = await new_game(db)
    aside = backups.restore(tmp_path / "copy.db", path, NOON)
    async with await open_database(path) as db:
        assert [game.id for game in await games.list_games(db, 10)] == [first.id]
    assert aside is not None
    async with await open_database(aside) as db:
        assert [game.id for game in await games.list_games(db, 10)] == [first.id, second.id]


async def test_a_copy_is_on_the_disk_before_and_after_it_has_its_name(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy that is restored, too: a power failure leaves a whole database under the name."""
    await opened_once(path)
    brought: list[tuple[str, bool]] = []
    named = tmp_path / "copy.db"
    monkeypatch.setattr(backups, "durable", lambda file: brought.append((file.name, named.exists())))
    backups.copy(path, named)
    assert brought == [("copy.db-unfinished", False), ("copy.db", True)]
    brought.clear()
    backups.restore(named, tmp_path / "games.db", NOON)
    made = ("games.db-restored-unfinished", "games.db-restored", "games.db")
    assert [name for name, _ in brought] == list(made)


async def test_only_a_file_that_is_there_is_restored(path: Path, tmp_path: Path) -> None:
    missing = tmp_path / "missing.db"
    with pytest.raises(StorageError, match=f"There is no database {missing}: the file is missing"):
        backups.restore(missing, path, NOON)
    assert not path.exists()


@pytest.mark.parametrize("failing", ["games.db-restored-unfinished", "games.db-restored"])
async def test_a_restore_that_the_disk_refuses_leaves_nothing_behind_and_locks_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def full(file: Path) -> None:
        if file.name == failing:
            raise OSError(28, "No space left on device")

    await opened_once(path)
    monkeypatch.setattr(backups, "durable", full)
    with pytest.raises(StorageError, match=r"cannot be written \(No space left on device\)") as refused:
        backups.restore(path, tmp_path / "games.db", NOON)
    assert not list(tmp_path.glob("games.db-*"))
    files.acquire_lock(tmp_path / "games.db").release()
    assert refused.tb is not None  # what was raised holds what it was raised from, the lock among it


async def test_what_a_cut_off_restore_has_left_behind_is_no_obstacle(path: Path, tmp_path: Path) -> None:
    await opened_once(path)
    (tmp_path / "games.db-restored").write_bytes(b"half" * 500)
    assert backups.restore(path, tmp_path / "games.db", NOON) is None
    assert backups.verdict(tmp_path / "games.db") == "ok"


async def test_nothing_is_restored_under_a_running_bot(db: Database, path: Path, tmp_path: Path) -> None:
    backups.copy(path, tmp_path / "copy.db")
    with pytest.raises(DatabaseInUse):
        backups.restore(tmp_path / "copy.db", path, NOON)


async def test_a_copy_that_is_damaged_is_not_restored(path: Path, tmp_path: Path, new_game: NewGame) -> None:
    async with await open_database(path) as db:
        await new_game(db)
    (tmp_path / "copy.db").write_bytes(path.read_bytes()[:6000])
    with pytest.raises(DatabaseUnreadable):
        backups.restore(tmp_path / "copy.db", path, NOON)
    async with await open_database(path) as db:
        assert len(await games.list_games(db, 10)) == 1


async def test_a_database_without_its_write_ahead_log_is_refused(
    path: Path, tmp_path: Path, new_game: NewGame
) -> None:
    """Somebody copied the file of a running bot, and nothing else."""
    alone = tmp_path / "alone.sqlite"
    async with await open_database(path) as db:
        await new_game(db)
        await db.write(lambda tx: tx.run("UPDATE games SET name = 'Saturday'"))
        alone.write_bytes(path.read_bytes())
    with pytest.raises(DatabaseUnreadable, match=r"lost its latest moves.*alone.sqlite-wal.*restore"):
        await opened_once(alone)
    backups.restore(alone, alone, NOON)
    await opened_once(alone)


async def test_a_write_ahead_log_without_its_database_is_refused(
    path: Path, tmp_path: Path, new_game: NewGame
) -> None:
    alone = tmp_path / "alone.sqlite-wal"
    async with await open_database(path) as db:
        await new_game(db)
        alone.write_bytes(path.with_name(path.name + "-wal").read_bytes())
    with pytest.raises(DatabaseUnreadable, match="is gone, but its latest moves"):
        await opened_once(tmp_path / "alone.sqlite")
    assert not (tmp_path / "alone.sqlite").exists()


async def test_an_empty_file_is_refused_and_not_started_again(path: Path) -> None:
    path.touch()
    with pytest.raises(DatabaseUnreadable, match=r"is empty.*Restore a backup"):
        await opened_once(path)
    assert path.stat().st_size == 0


async def test_an_empty_file_is_neither_copied_nor_restored(path: Path, tmp_path: Path) -> None:
    await opened_once(path)
    empty = tmp_path / "empty.db"
    empty.touch()
    with pytest.raises(DatabaseUnreadable, match="is empty"):
        backups.copy(empty, tmp_path / "copy.db")
    with pytest.raises(DatabaseUnreadable, match="is empty"):
        backups.restore(empty, path, NOON)
    assert not (tmp_path / "copy.db").exists()
    assert backups.verdict(path) == "ok"


async def test_a_closed_file_says_itself_that_it_is_whole_and_needs_no_log(
    path: Path, new_game: NewGame
) -> None:
    async with await open_database(path) as db:
        await new_game(db)
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as conn:
        assert marked(conn) == WHOLE
        assert conn.execute("PRAGMA journal_mode").fetchone() == ("delete",)


async def test_a_program_that_reads_at_the_end_loses_nothing(path: Path, new_game: NewGame) -> None:
    async with await open_database(path) as db:
        await new_game(db)
        reader = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
    async with await open_database(path) as db:
        assert len(await games.list_games(db, 10)) == 1
    reader.close()


def test_a_sound_file_is_distinguished_from_a_damaged_one(path: Path) -> None:
    with pytest.raises(StorageError):
        backups.verdict(path)


async def test_the_verdict_on_a_sound_file_is_ok(db: Database, path: Path) -> None:
    assert backups.verdict(path) == "ok"


async def test_copies_of_a_file_with_an_odd_name_are_found_again(folder: Path, tmp_path: Path) -> None:
    odd = tmp_path / "games [1].db"
    await opened_once(odd)
    backups.copy_for(folder, odd, NOON)
    assert backups.last_copy(folder, odd) == NOON


# Whether the latest moves are there, as the file itself says


def killed(path: Path, folder: Path, *, log: bool = True) -> Path:
    """What a kill leaves of an open database at this instant, with its write-ahead log or without."""
    folder.mkdir()
    for name in (path.name, f"{path.name}-wal") if log else (path.name,):
        shutil.copy(path.with_name(name), folder / name)
    return folder / path.name


def looked_at_by_another_tool(path: Path, statement: str) -> None:
    """Open the file as any tool does, run a statement, and close it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as tool:
        tool.execute(statement).fetchall()


async def last_moves(path: Path) -> int:
    async with await open_database(path) as db:
        return await log.last_seq(db, 1)


@pytest.mark.parametrize(
    "statement", ["SELECT * FROM games", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)", "ANALYZE"]
)
async def test_a_killed_bots_file_that_another_tool_has_closed_has_every_move(
    db: Database, path: Path, tmp_path: Path, game_id: int, act: Act, statement: str
) -> None:
    """SQLite brings the log into the file when the last program closes it, and removes the log."""
    await log.commit_move(db, game_id, 1, [act(), act()], now="2026")
    left = killed(path, tmp_path / "killed")
    looked_at_by_another_tool(left, statement)
    assert not left.with_name(f"{left.name}-wal").exists()
    assert backups.verdict(left) == "ok"
    assert await last_moves(left) == 3


async def test_a_closed_file_that_another_tool_turned_to_a_log_of_its_own_has_every_move(
    path: Path, running_game: RunningGame
) -> None:
    async with await open_database(path) as db:
        await running_game(db)
    looked_at_by_another_tool(path, "PRAGMA journal_mode = WAL")
    assert await last_moves(path) == 1


async def test_a_killed_bots_file_with_its_log_has_every_move(
    db: Database, path: Path, tmp_path: Path, game_id: int, act: Act
) -> None:
    await log.commit_move(db, game_id, 1, [act()], now="2026")
    assert await last_moves(killed(path, tmp_path / "killed")) == 2


@pytest.mark.parametrize("rewritten", [False, True])
async def test_a_file_that_was_parted_from_its_log_is_refused_whatever_is_done_to_it(
    db: Database, path: Path, tmp_path: Path, game_id: int, act: Act, rewritten: bool
) -> None:
    await log.commit_move(db, game_id, 1, [act()], now="2026")
    alone = killed(path, tmp_path / "killed", log=False)
    if rewritten:
        looked_at_by_another_tool(alone, "VACUUM")
    for refused in (backups.verdict, lambda place: backups.copy(place, tmp_path / "copy.db")):
        with pytest.raises(DatabaseUnreadable, match="lost its latest moves"):
            refused(alone)
    with pytest.raises(DatabaseUnreadable, match=f"stationmaster restore {alone}"):
        await opened_once(alone)


async def test_a_file_is_recognised_as_parted_after_many_checkpoints_too(
    db: Database, path: Path, tmp_path: Path, game_id: int, act: Act
) -> None:
    """The log is brought into the file after this many transactions, and begun anew."""
    for seq in range(1, 2 * WRITES + 10):
        await log.commit_move(db, game_id, seq, [act("x" * 60_000)], now="2026")
    assert path.stat().st_size > 2 * WRITES * 50_000
    assert path.with_name(f"{path.name}-wal").stat().st_size < 2 * LOG_BYTES
    with pytest.raises(DatabaseUnreadable, match="lost its latest moves"):
        await opened_once(killed(path, tmp_path / "alone", log=False))
    left = killed(path, tmp_path / "killed")
    looked_at_by_another_tool(left, "SELECT * FROM games")
    assert await last_moves(left) == 2 * WRITES + 10


async def test_a_checkpoint_that_a_reader_holds_up_leaves_the_file_marked(
    db: Database, path: Path, tmp_path: Path, game_id: int, act: Act
) -> None:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM games").fetchall()
        for seq in range(1, WRITES + 10):
            await log.commit_move(db, game_id, seq, [act()], now="2026")
        with pytest.raises(DatabaseUnreadable, match="lost its latest moves"):
            await opened_once(killed(path, tmp_path / "alone", log=False))
    assert await last_moves(killed(path, tmp_path / "killed")) == WRITES + 10


@pytest.mark.parametrize("after", ["PRAGMA application_id", "PRAGMA wal_checkpoint"])
async def test_a_kill_in_the_middle_of_a_checkpoint_leaves_a_whole_database(
    path: Path, tmp_path: Path, running_game: RunningGame, act: Act, after: str
) -> None:
    """After the mark that more follows, and after the file has it, the log is still there."""
    async with await open_database(path) as db:
        game = await running_game(db)
        await log.commit_move(db, game, 1, [act()], now="2026")
        with closing(sqlite3.connect(path, isolation_level=None)) as same:
            mark(same, MORE_FOLLOWS)
            if after == "PRAGMA wal_checkpoint":
                same.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        left = killed(path, tmp_path / "killed")
    assert await last_moves(left) == 2
    assert backups.verdict(left) == "ok"


async def test_a_copy_of_a_parted_file_that_was_restored_is_whole_again(
    db: Database, path: Path, tmp_path: Path, game_id: int
) -> None:
    alone = killed(path, tmp_path / "killed", log=False)
    backups.restore(alone, alone, NOON)
    assert backups.verdict(alone) == "ok"
    backups.copy(alone, tmp_path / "copy.db")


async def test_a_restore_that_fails_leaves_no_file_behind(path: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_bytes(b"to somebody else" * 500)
    with pytest.raises(DatabaseUnreadable):
        backups.restore(tmp_path / "letter.db", path, NOON)
    assert {file.name for file in tmp_path.iterdir()} <= {"letter.db", f"{path.name}.lock"}


async def test_relative_paths_name_files_of_the_folder_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    await opened_once(Path("games.db"))
    backups.copy(Path("games.db"), Path("copy.db"))
    backups.restore(Path("copy.db"), Path("games.db"), NOON)
    assert backups.verdict(Path("games.db")) == "ok"
