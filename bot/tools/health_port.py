"""Monitoring on the loopback address: /health, and /metrics for Prometheus."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from aiohttp import web

from bot.client.features.health import Condition, Health, standby
from bot.tools.environment import taking_port
from bot.version_and_commit import commit, version
from storage import StorageError

PREFIX: Final = "stationmaster_"
LOOPBACK: Final = "127.0.0.1"
"""Nobody else needs to know."""
SETTING: Final = "STATIONMASTER_HEALTH_PORT"


@dataclass
class Pages:
    """The monitoring pages, of a running client or a standby."""

    health: Health | None = None
    """None: another process owns the shards."""

    @contextmanager
    def reporting(self, health: Health) -> Iterator[None]:
        """Report on a client while it runs."""
        self.health = health
        try:
            yield
        finally:
            self.health = None

    async def answer_health(self, _: web.Request) -> web.Response:
        """The health as JSON, with status 503 if something is wrong."""
        if self.health is None:
            return web.json_response(standby())
        try:
            state = await self.health.state()
        except StorageError as error:
            return web.json_response({"status": "trouble", "troubles": [str(error)]}, status=503)
        return web.json_response(state.json(), status=503 if state.troubles else 200)

    async def answer_metrics(self, request: web.Request) -> web.Response:
        """Prometheus' metrics in an accepted version; 503 if the database does not answer."""
        try:
            state = None if self.health is None else await self.health.state()
        except StorageError as error:
            return web.Response(text=f"{error}\n", status=503)
        text, kind = exposition(state, request.headers.get("Accept", ""))
        return web.Response(body=text, headers={"Content-Type": kind})


@asynccontextmanager
async def serving_pages(pages: Pages, port: int | None) -> AsyncIterator[int | None]:
    """Serve at this port (0: any), which is yielded; None: not at all. Raises SettingsError if it is taken."""
    if port is None:
        yield None
        return
    app = web.Application()
    app.router.add_get("/health", pages.answer_health)
    app.router.add_get("/metrics", pages.answer_metrics)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        with taking_port(port, SETTING):
            await web.TCPSite(runner, LOOPBACK, port).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


def exposition(state: Condition | None, accepted: str) -> tuple[bytes, str]:
    """The metrics text and its content type for an `Accept` header; None: of a standby."""
    # Prometheus' library, which not everybody has a use for.
    from prometheus_client import CollectorRegistry, Gauge, GCCollector, Info, ProcessCollector
    from prometheus_client.exposition import choose_encoder

    registry = CollectorRegistry()
    build = Info(f"{PREFIX}build", "The release that runs.", registry=registry)
    build.info({"version": version(), "commit": commit()})
    for name, meaning, value in _figures(state):
        Gauge(f"{PREFIX}{name}", meaning, registry=registry).set(value)
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    encode, kind = choose_encoder(accepted)
    return encode(registry), kind


def _figures(state: Condition | None) -> Iterator[tuple[str, str, float]]:
    """Each metric with name, unit and meaning."""
    yield "standby", "Whether another process owns the shards.", state is None
    if state is None:
        return
    yield "connected", "Whether Discord's gateway is ready.", state.connected
    yield "outage", "Whether Discord fails as a whole.", bool(state.outage)
    yield "troubles", "Reasons for which /health answers 503.", len(state.troubles)
    yield "uptime_seconds", "Time since the client was made.", state.uptime
    yield "event_loop_lag_seconds", "How late the event loop was at the last look.", state.lag
    yield "event_loop_lag_worst_seconds", "The same at worst in the last minute.", state.worst_lag
    yield "outbox_posts", "Posts that Discord has not taken yet.", state.outbox
    yield "outbox_parked_posts", "Those of them that Discord refuses.", state.parked_posts
    yield "outbox_oldest_seconds", "Age of the oldest post that is not parked.", state.oldest_notice
    yield "live_games", "Games in memory.", state.live_games
    yield "pictures", "Pictures in memory.", state.pictures
    yield "waiting_pictures", "Pieces of work that wait for a worker.", state.waiting_pictures
    if state.last_backup is not None:
        copied = datetime.fromisoformat(state.last_backup).timestamp()
        yield "last_backup_timestamp_seconds", "When the games were copied last.", copied
