"""Health of the bot: true numbers, for its owner and for programs on the machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from bot.client.features import health as features
from bot.client.features.health import Health
from bot.sandbox.guild import permissions, seed
from bot.tools.health_port import MonitoringPages, serving_monitoring_pages
from bot.version_and_commit import UNKNOWN_COMMIT, commit, commit_of_checkout, version
from tests.bot.sandbox.guild import guild
from tests.bot.support import changes
from tests.bot.support.sandbox_bot import SandboxBot


@pytest.fixture
def health(sandbox: SandboxBot, monkeypatch: pytest.MonkeyPatch) -> Health:
    """Health of the sandbox, where the event loop may be late: the machine is busy."""
    monkeypatch.setattr(features, "SLOW_LAG_SECONDS", 30.0)  # time
    return sandbox.client.health


async def test_owner_sees_true_figures(sandbox: SandboxBot, health: Health) -> None:
    """And no administrator of a server."""
    changes.permit(
        sandbox.world,
        guild(sandbox.world),
        seed.GUILD_ID + seed.PLAYERS_ROLE_OFFSET,
        permissions.ALL_PERMISSIONS,
    )
    await (await sandbox.game()).slash("Ann", "market")
    state = await health.state()
    assert (state.outbox, state.oldest_notice, state.troubles) == (0, 0.0, [])
    assert (state.connected, state.live_games, state.pictures >= 2) == (True, 1, True)
    answer = (await sandbox.person("Ann").slash("table", "health")).text
    assert answer.startswith("All is well.")
    for line in (f"version: {version()}", f"commit: {commit()}", "live games: 1", "last backup: unknown"):
        assert line in answer
    refused = await sandbox.person("Bob").slash("table", "health")
    assert refused.text == "Only the owner of this bot can see this."


async def test_lag_is_what_a_sleep_took_too_long() -> None:
    times = iter([10.0, 12.25, 20.0, 20.25])
    lag = features.EventLoopLag(lambda: next(times))
    watching = asyncio.create_task(lag.keep_measuring())
    with pytest.raises(RuntimeError):  # the clock has no more times
        await watching
    assert (lag.worst_seconds, lag.latest_seconds) == (2.0, 0.0)


@asynccontextmanager
async def port_of(pages: MonitoringPages) -> AsyncIterator[aiohttp.ClientSession]:
    """Somebody who asks at a port of the loopback address."""
    async with (
        serving_monitoring_pages(pages, 0) as port,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session,
    ):
        yield session


async def test_programs_ask_at_a_port(sandbox: SandboxBot, health: Health) -> None:
    async with port_of(MonitoringPages(health)) as session:

        async def asked(path: str = "/health") -> tuple[int, list[str]]:
            async with session.get(path) as answer:
                said = await answer.json() if path == "/health" else {"troubles": []}
                return answer.status, said["troubles"]

        assert await asked() == (200, [])
        health.lag.add_measurement(90.0)
        assert await asked() == (503, ["the event loop lagged 90.0 s"])
        await sandbox.db.close()
        assert await asked() == (503, ["The database is closed."])
        assert await asked("/metrics") == (503, [])
    async with serving_monitoring_pages(MonitoringPages(health), None) as port:
        assert port is None


async def test_standby_is_well() -> None:
    ours = {"version": version(), "commit": commit(), "connected": False}
    async with port_of(MonitoringPages()) as session:
        async with session.get("/health") as answer:
            assert answer.status == 200
            assert await answer.json() == {"status": "standby", "troubles": [], "warnings": [], **ours}
        async with session.get("/metrics") as answer:
            assert "stationmaster_standby 1.0" in await answer.text()


async def test_prometheus_reads_the_same(sandbox: SandboxBot, health: Health) -> None:
    """By the parser of its own library; names have a unit, and the prefix of this bot."""
    await sandbox.game()
    async with port_of(MonitoringPages(health)) as session, session.get("/metrics") as answer:
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
    assert commit_of_checkout(tmp_path) == UNKNOWN_COMMIT
    git.mkdir()
    assert commit_of_checkout(tmp_path) == UNKNOWN_COMMIT
    for part in ("objects", "refs"):
        (git / part).mkdir()
    (git / "HEAD").write_text("a" * 40)
    assert (commit_of_checkout(tmp_path), commit_of_checkout(within)) == ("a" * 40, UNKNOWN_COMMIT)
