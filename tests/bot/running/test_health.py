"""How the bot is: true numbers, for its owner and for programs on the machine."""

import asyncio
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot import version_and_commit
from bot.client.features.health import LOOKS, SLOW_SECONDS, Lag
from bot.tools.health_port import Pages, telling
from bot.version_and_commit import UNKNOWN, commit, commit_of, version
from storage import OutboxMessage, outbox
from tests.bot.support.sandbox_bot import SandboxBot

BUSY = 30.0
"""Seconds by which the event loop may be late on a busy machine, where that is not what is looked at."""


async def test_health_is_shown_to_the_owner_and_nobody_else(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.client.features.health.SLOW_SECONDS", BUSY)
    game = await sandbox.game()
    answer = (await sandbox.person("Ann").slash(game.thread, "health")).text
    assert answer.startswith("All is well.")
    assert f"version: {version()}" in answer
    assert f"commit: {commit()}" in answer
    assert "live games: 1" in answer
    assert "last backup: unknown" in answer
    # Administrators of a server see the command, too.
    assert sandbox.client.application is not None
    monkeypatch.setattr(sandbox.client.application.owner, "id", sandbox.person("Bob").id)
    refused = await sandbox.person("Ann").slash(game.thread, "health")
    assert refused.text == "Only the owner of this bot may look at that."


async def test_the_figures_are_those_of_the_moment(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.client.features.health.SLOW_SECONDS", BUSY)
    game = await sandbox.game()
    await game.slash("Ann", "market")
    health = sandbox.client.health
    state = await health.state()
    assert (state.outbox, state.oldest_notice, state.troubles) == (0, 0.0, [])
    assert (state.connected, state.live_games, state.pictures >= 2) == (True, 1, True)
    since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    await outbox.add_once(sandbox.db, game.number, 1, OutboxMessage("nothing known", "{}"), since)
    copied = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)

    async def last_backup() -> datetime:
        return copied

    health.last_backup = last_backup
    later = await health.state()
    assert later.outbox == 1
    assert 3600 <= later.oldest_notice < 3700
    assert later.last_backup == "2026-01-02T03:04:05+00:00"
    assert later.troubles == [f"a notice waits for {later.oldest_notice:.0f} s"]


async def test_a_loop_that_is_held_up_is_noticed(sandbox: SandboxBot) -> None:
    lag = sandbox.client.health.lag
    assert lag.worst < SLOW_SECONDS
    lag.note(3.0)
    assert (lag.now, lag.worst) == (3.0, 3.0)
    assert "the event loop was 3.0 s late" in (await sandbox.client.health.state()).troubles
    for _ in range(LOOKS):
        lag.note(-0.001)
    assert (lag.now, lag.worst) == (0.0, 0.0)


async def test_lag_is_what_a_sleep_took_too_long() -> None:
    times = iter([10.0, 12.25, 20.0, 20.25])
    lag = Lag(lambda: next(times))
    watching = asyncio.create_task(lag.watch())
    with pytest.raises(RuntimeError):  # the clock has no more times
        await watching
    assert (lag.worst, lag.now) == (2.0, 0.0)


async def test_programs_ask_at_a_port_of_the_loopback_address(sandbox: SandboxBot) -> None:
    async with telling(Pages(sandbox.client.health), 0) as port, aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/health") as answer:
            said = await answer.json()
            assert answer.status == 200
        assert said["status"] == "ok"
        assert said["connected"] is True
        sandbox.client.health.lag.note(9.0)
        async with session.get(f"http://127.0.0.1:{port}/health") as answer:
            assert answer.status == 503
            assert (await answer.json())["troubles"] == ["the event loop was 9.0 s late"]
        await sandbox.db.close()
        async with session.get(f"http://127.0.0.1:{port}/health") as answer:
            assert answer.status == 503
            assert (await answer.json())["troubles"] == ["The database is closed."]


async def test_a_standby_says_so_and_is_well() -> None:
    async with telling(Pages(), 0) as port, aiohttp.ClientSession() as session:
        async with session.get(f"http://127.0.0.1:{port}/health") as answer:
            assert answer.status == 200
            said = await answer.json()
        assert said == {
            "status": "standby",
            "troubles": [],
            "warnings": [],
            "version": version(),
            "commit": commit(),
            "connected": False,
        }
        async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
            assert "stationmaster_standby 1.0" in await answer.text()


@pytest.mark.parametrize(
    ("hours", "up", "stale"),
    [(1, 0, False), (35, 0, False), (37, 0, True), (None, 60, False), (None, 3600, True)],
)
async def test_a_backup_is_stale_when_a_daily_copy_was_missed(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch, hours: int | None, up: float, stale: bool
) -> None:
    health = sandbox.client.health

    async def last_backup() -> datetime | None:
        return None if hours is None else datetime.now(UTC) - timedelta(hours=hours)

    monkeypatch.setattr(health, "last_backup", last_backup)
    monkeypatch.setattr(health, "_since", time.monotonic() - up)
    state = await health.state()
    assert [warning.split(":")[0] for warning in state.warnings] == (["stale backup"] if stale else [])
    assert "stale backup" not in "".join(state.troubles)


async def test_where_no_copies_are_wanted_none_is_stale(
    sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox.client.health, "_since", time.monotonic() - 10**6)
    assert not (await sandbox.client.health.state()).stale_backup


async def test_prometheus_reads_the_same_figures(sandbox: SandboxBot) -> None:
    """Read by the parser of Prometheus' own library; names have a unit, and the prefix of this bot."""
    await sandbox.game()
    async with (
        telling(Pages(sandbox.client.health), 0) as port,
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as answer,
    ):
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        text = await answer.text()
    families = {family.name: family for family in text_string_to_metric_families(text)}
    values = {name: family.samples[0].value for name, family in families.items()}
    assert values["stationmaster_live_games"] == 1
    assert values["stationmaster_connected"] == 1
    assert values["stationmaster_standby"] == 0
    assert families["stationmaster_build_info"].samples[0].labels == {
        "version": version(),
        "commit": commit(),
    }
    assert values["process_resident_memory_bytes"] > 0


async def test_a_database_that_does_not_answer_has_no_metrics(sandbox: SandboxBot) -> None:
    async with telling(Pages(sandbox.client.health), 0) as port, aiohttp.ClientSession() as session:
        await sandbox.db.close()
        async with session.get(f"http://127.0.0.1:{port}/metrics") as answer:
            assert answer.status == 503


def test_the_commit_is_that_of_the_checkout_or_honestly_unknown(tmp_path: Path) -> None:
    within, git = tmp_path / "within", tmp_path / ".git"
    within.mkdir()
    assert commit_of(tmp_path) == UNKNOWN
    git.mkdir()
    assert commit_of(tmp_path) == UNKNOWN
    for part in ("objects", "refs"):
        (git / part).mkdir()
    (git / "HEAD").write_text("a" * 40)
    assert commit_of(tmp_path) == "a" * 40
    assert commit_of(within) == UNKNOWN, "the folder above is another's"


def test_the_commit_that_was_noted_when_the_package_was_built_is_taken_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def found(folder: Path) -> str:
        asked.append(folder)
        return UNKNOWN

    monkeypatch.setattr(version_and_commit, "files", lambda _: tmp_path)
    monkeypatch.setattr(version_and_commit, "commit_of", found)
    assert commit.__wrapped__() == UNKNOWN
    assert asked[0] / "bot" / "version_and_commit.py" == Path(version_and_commit.__file__)
    (tmp_path / "commit.txt").write_text("0123abc\n")
    assert commit.__wrapped__() == "0123abc"


async def test_without_a_port_nothing_listens(sandbox: SandboxBot) -> None:
    async with telling(Pages(sandbox.client.health), None) as port:
        assert port is None


async def test_what_rests_is_counted_and_is_no_trouble_of_the_bot(sandbox: SandboxBot) -> None:
    """Anybody who deletes a thread would otherwise raise an alarm that nobody can end."""
    game = await sandbox.game()
    since = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
    row = await outbox.add_once(sandbox.db, game.number, 1, OutboxMessage("nothing known", "{}"), since)
    assert row
    (posting,) = await outbox.of_game(sandbox.db, game.number)
    await outbox.mark_failed(sandbox.db, posting.id, error="no such thread", times=outbox.TRIES)
    state = await sandbox.client.health.state()
    assert (state.outbox, state.parked_posts, state.oldest_notice, state.troubles) == (1, 1, 0.0, [])
    assert state.warnings == ["parked posts: Discord refuses 1 of them"]
    assert "Warning: parked posts" in state.text()
