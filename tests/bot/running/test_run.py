"""The program as started from a shell: sandbox, recorded games, polite end."""

import asyncio
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.table.errors import Refused
from bot.table.games import loading
from bot.table.imports import ImportTarget, read_recorded_game, store_recorded_game
from bot.table.moves.moves import TypedMove
from bot.tools.sandbox_run import listening_for_requests, show_in_running_sandbox
from tests.bot.support.processes import ALONE, PATIENCE, ended, free_port, said, started
from tests.bot.support.table_service import TableService

GOLDEN = Path(__file__).parents[2] / "golden" / "18chesapeake-agreement-2p.json"
PLACE = ImportTarget(1, 2, ((11, "Ann"), (12, "Bob"), (13, "Cy")))


@pytest.fixture
def log_file(tmp_path: Path) -> Path:
    return Path(shutil.copy(GOLDEN, tmp_path / "game.json"))


async def _shown(database: Path, games: int) -> None:
    """Wait until that many games have a board post."""
    query = "SELECT COUNT(*) FROM messages WHERE role = 'board' AND message_id IS NOT NULL"
    async with asyncio.timeout(PATIENCE):
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as conn, conn:
            while conn.execute(query).fetchone()[0] < games:  # noqa: ASYNC110 - another process writes it
                await asyncio.sleep(0.02)


async def test_play_hands_over_to_a_running_sandbox(tmp_path: Path, log_file: Path) -> None:
    port = free_port()
    first = await started(tmp_path, port, "play", str(log_file), "--until", "4", **ALONE)
    async with ended(first):
        words = await said(first, "is open in the sandbox")
        assert "SANDBOX" in words
        assert f"http://127.0.0.1:{port}" in words
        await _shown(tmp_path / "games.db", 1)
        second = await started(tmp_path, port, "play", log_file.name, "--until", "9")
        assert "Game 2 is open" in await said(second, "is open in the sandbox")
        assert await second.wait() == 0
        await _shown(tmp_path / "games.db", 2)
    with closing(sqlite3.connect(tmp_path / "games.db")) as conn, conn:
        rows = conn.execute("SELECT game_id, COUNT(*) FROM log GROUP BY game_id ORDER BY game_id").fetchall()
    assert rows == [(1, 5), (2, 10)]


async def test_waiting_process_ends_politely(tmp_path: Path) -> None:
    nobody = {"STATIONMASTER_DISCORD_URL": f"http://127.0.0.1:{free_port()}"}
    waiting = await started(tmp_path, free_port(), "run", **ALONE, **nobody)
    async with ended(waiting):
        await said(waiting, "cannot reach Discord")


async def test_refusal_is_handed_over(tmp_path: Path) -> None:
    """Only processes that may read the folder of the sandbox have it."""

    async def refusing(log: Path, until: int | None) -> str:
        raise Refused(f"{log.name} has no action {until}.")

    path = tmp_path / "requests.json"
    assert await show_in_running_sandbox(path, Path("/x/a.json"), 3) is None
    async with listening_for_requests(path, refusing):
        assert path.stat().st_mode & 0o077 == 0
        with pytest.raises(Refused, match=r"a\.json has no action 3\."):
            await show_in_running_sandbox(path, Path("/x/a.json"), 3)
        path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "word": "guessed"}), "utf-8")
        with pytest.raises(Refused, match="Another sandbox is running"):
            await show_in_running_sandbox(path, Path("/x/a.json"), 3)
    assert not path.exists()


async def test_log_of_18xx_games_continues(service: TableService, tmp_path: Path) -> None:
    """It is read with leniency: there one vote ends a game (and a price is taken as it is); here all have to agree."""
    path = tmp_path / "site.json"
    bid = {"type": "bid", "entity": 1, "entity_type": "player", "company": "D&R", "price": 15}
    log = {
        "id": 1,
        "title": "18Chesapeake",
        "players": [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)],
        "settings": {"seed": 3},
        "actions": [{"id": 1, **bid}, {"id": 2, "type": "pass", "entity": 2, "entity_type": "player"}],
    }
    path.write_text(json.dumps(log), "utf-8")
    number = await store_recorded_game(service.tables, read_recorded_game(path, None), PLACE)
    for again in (service, TableService.on(service.db)):
        async with again.tables.reading(number) as live:
            assert (live.game.seq, live.game.from_log) == (2, 2)
            assert not live.game.rules.has_flag("face_price_unchecked")
            assert loading.replayed_game(live.effective_rows).digest() == live.game.digest()
    await service.tables.submit(number, 12, TypedMove("end_game"))
    async with service.tables.reading(number) as live:
        assert not live.game.is_over
