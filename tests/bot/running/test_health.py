"""Health of the bot: true numbers, for its owner and for programs on the machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.client.features import health as features
from bot.client.features.health import LOOKS, SLOW_SECONDS, Health
from bot.sandbox.guild import permissions, seed
from bot.tools.health_port import Pages, serving_pages
from bot.version_and_commit import UNKNOWN, commit, commit_of, version
from storage import OutboxMessage, outbox
from tests.bot.sandbox.guild import guild
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import SandboxBot


@pytest.fixture
def health(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> Health:
    """That of the sandbox, where the event loop may be late: the machine is busy."""
    monkeypatch.setattr(features, "SLOW_SECONDS", 30.0)  # time
    return sandbox.client.health


def an_hour_ago() -> datetime:
    return datetime.now(UTC) - timedelta(hours=1)


async def waiting(sandbox: SandboxBot) -> int:
    """A post that waits for an hour; its number."""
    game, message = await sandbox.game(), OutboxMessage("nothing known", "{}")
    await outbox.add_once(sandbox.db, game.number, 1, message, an_hour_ago().isoformat())
    (posting,) = await outbox.postings_of_game(sandbox.db, game.number)
    return posting.id


async def test_owner_sees_health(sandbox: SandboxBot, health: Health) -> None:
    """And no administrator of a server."""
    changes.permit(sandbox.world, guild(sandbox.world), seed.GUILD_ID + seed.PLAYERS_ROLE, permissions.ALL)
    await sandbox.game()
    answer = (await sandbox.person("Ann").slash("table", "health")).text
    assert answer.startswith("All is well.")
    for line in (f"version: {version()}", f"commit: {commit()}", "live games: 1", "last backup: unknown"):
        assert line in answer
    refused = await sandbox.person("Bob").slash("table", "health")
    assert refused.text == "Only the owner of this bot may look at that."


async def test_figures_are_true(sandbox: SandboxBot, health: Health) -> None:
    await (await sandbox.game()).slash("Ann", "market")
    state = await health.state()
    assert (state.outbox, state.oldest_notice, state.troubles) == (0, 0.0, [])
    assert (state.connected, state.live_games, state.pictures >= 2) == (True, 1, True)


async def test_waiting_post_is_trouble(sandbox: SandboxBot, health: Health) -> None:
    """One that rests is none, or who deletes a thread would raise an alarm that nobody can end."""
    number = await waiting(sandbox)
    state = await health.state()
    assert (state.outbox, 3600 <= state.oldest_notice < 3700) == (1, True)
    assert state.troubles == [f"a notice waits for {state.oldest_notice:.0f} s"]
    await outbox.mark_failed(sandbox.db, number, error="no such thread", times=outbox.TRIES)
    state = await health.state()
    assert (state.outbox, state.parked_posts, state.oldest_notice, state.troubles) == (1, 1, 0.0, [])
    assert state.warnings == ["parked posts: Discord refuses 1 of them"]
    assert "Warning: parked posts" in state.text()


async def test_late_loop_is_trouble(sandbox: SandboxBot) -> None:
    lag = sandbox.client.health.lag
    lag.add_measurement(3.0)
    assert (lag.latest, lag.worst) == (3.0, 3.0)
    assert SLOW_SECONDS < 3.0
    assert "the event loop was 3.0 s late" in (await sandbox.client.health.state()).troubles
    for _ in range(LOOKS):
        lag.add_measurement(-0.001)
    assert (lag.latest, lag.worst) == (0.0, 0.0)


async def test_lag_is_what_a_sleep_took_too_long() -> None:
    times = iter([10.0, 12.25, 20.0, 20.25])
    lag = features.Lag(lambda: next(times))
    watching = asyncio.create_task(lag.watch())
    with pytest.raises(RuntimeError):  # the clock has no more times
        await watching
    assert (lag.worst, lag.latest) == (2.0, 0.0)


@pytest.mark.parametrize(
    ("hours", "first_copy", "stale"),
    [(1, 0.0, False), (35, 0.0, False), (37, 0.0, True), (None, 3600.0, False), (None, 0.0, True)],
)
async def test_stale_backup_is_warned_of(
    health: Health, monkeypatch: pytest.MonkeyPatch, hours: int | None, first_copy: float, stale: bool
) -> None:
    """Where a daily copy was missed, and copies are wanted."""
    assert features.FIRST_COPY_SECONDS == 1200
    monkeypatch.setattr(features, "FIRST_COPY_SECONDS", first_copy)  # time
    assert not (await health.state()).stale_backup
    copied = None if hours is None else datetime.now(UTC) - timedelta(hours=hours)

    async def last_backup() -> datetime | None:
        return copied

    health.last_backup = last_backup
    state = await health.state()
    assert [warning.split(":")[0] for warning in state.warnings] == (["stale backup"] if stale else [])
    assert (state.troubles, state.last_backup) == ([], copied and copied.isoformat(timespec="seconds"))


@asynccontextmanager
async def port_of(pages: Pages) -> AsyncIterator[aiohttp.ClientSession]:
    """Somebody who asks at a port of the loopback address."""
    async with serving_pages(pages, 0) as port, aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
        yield session


async def test_programs_ask_at_a_port(sandbox: SandboxBot, health: Health) -> None:
    async with port_of(Pages(health)) as session:

        async def asked(path: str = "/health") -> tuple[int, list[str]]:
            async with session.get(path) as answer:
                said = await answer.json() if path == "/health" else {"troubles": []}
                return answer.status, said["troubles"]

        assert await asked() == (200, [])
        health.lag.add_measurement(90.0)
        assert await asked() == (503, ["the event loop was 90.0 s late"])
        await sandbox.db.close()
        assert await asked() == (503, ["The database is closed."])
        assert await asked("/metrics") == (503, [])
    async with serving_pages(Pages(health), None) as port:
        assert port is None


async def test_standby_is_well() -> None:
    ours = {"version": version(), "commit": commit(), "connected": False}
    async with port_of(Pages()) as session:
        async with session.get("/health") as answer:
            assert answer.status == 200
            assert await answer.json() == {"status": "standby", "troubles": [], "warnings": [], **ours}
        async with session.get("/metrics") as answer:
            assert "stationmaster_standby 1.0" in await answer.text()


async def test_prometheus_reads_the_same(sandbox: SandboxBot, health: Health) -> None:
    """By the parser of its own library; names have a unit, and the prefix of this bot."""
    await sandbox.game()
    async with port_of(Pages(health)) as session, session.get("/metrics") as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        families = {family.name: family for family in text_string_to_metric_families(await answer.text())}
    names = ("live_games", "connected", "standby")
    assert [families[f"stationmaster_{name}"].samples[0].value for name in names] == [1, 1, 0]
    labels = families["stationmaster_build_info"].samples[0].labels
    assert labels == {"version": version(), "commit": commit()}
    assert families["process_resident_memory_bytes"].samples[0].value > 0


def test_commit_of_a_checkout(tmp_path: Path) -> None:
    """Unknown where the folder is none, even within another one."""
    within, git = tmp_path / "within", tmp_path / ".git"
    within.mkdir()
    assert commit_of(tmp_path) == UNKNOWN
    git.mkdir()
    assert commit_of(tmp_path) == UNKNOWN
    for part in ("objects", "refs"):
        (git / part).mkdir()
    (git / "HEAD").write_text("a" * 40)
    assert (commit_of(tmp_path), commit_of(within)) == ("a" * 40, UNKNOWN)
