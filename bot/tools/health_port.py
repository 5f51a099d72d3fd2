"""Monitoring pages on the loopback address: /health, and /metrics for Prometheus."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from aiohttp import web

from bot.client.features.health import Health, HealthReport, standby_report
from bot.tools.environment import port_errors_as_setting_errors
from bot.version_and_commit import commit, version
from storage import StorageError

METRIC_PREFIX: Final = "stationmaster_"
LOOPBACK: Final = "127.0.0.1"
"""Address of the monitoring pages. Only this machine can reach it."""
PORT_SETTING: Final = "STATIONMASTER_HEALTH_PORT"


@dataclass
class MonitoringPages:
    """The pages /health and /metrics, for a running client or a standby process (one waiting for its shards)."""

    health: Health | None = None
    """The running client's health; None in a standby process."""

    @contextmanager
    def reporting_health_of(self, health: Health) -> Iterator[None]:
        """Context manager: inside it, the pages report this client's health."""
        self.health = health
        try:
            yield
        finally:
            self.health = None

    async def answer_health(self, _: web.Request) -> web.Response:
        """The page /health: JSON, with HTTP status 503 if there is a fault."""
        if self.health is None:
            return web.json_response(standby_report())
        try:
            health_report = await self.health.state()
        except StorageError as error:
            return web.json_response({"status": "trouble", "troubles": [str(error)]}, status=503)
        return web.json_response(health_report.json(), status=503 if health_report.troubles else 200)

    async def answer_metrics(self, request: web.Request) -> web.Response:
        """The page /metrics for Prometheus, with HTTP status 503 if the database does not answer."""
        try:
            health_report = None if self.health is None else await self.health.state()
        except StorageError as error:
            return web.Response(text=f"{error}\n", status=503)
        text, content_type = prometheus_text(health_report, request.headers.get("Accept", ""))
        return web.Response(body=text, headers={"Content-Type": content_type})


@asynccontextmanager
async def serving_monitoring_pages(pages: MonitoringPages, port: int | None) -> AsyncIterator[int | None]:
    """Context manager that serves the monitoring pages and yields their port.

    Port 0 means any free port; with None, no pages are served. Raises SettingsError if the port is in use.
    """
    if port is None:
        yield None
        return
    app = web.Application()
    app.router.add_get("/health", pages.answer_health)
    app.router.add_get("/metrics", pages.answer_metrics)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        with port_errors_as_setting_errors(port, PORT_SETTING):
            await web.TCPSite(runner, LOOPBACK, port).start()
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


def prometheus_text(health_report: HealthReport | None, accept_header: str) -> tuple[bytes, str]:
    """Prometheus metrics and their content type, which is chosen by an `Accept` header.

    `health_report` is None for a standby process.
    """
    # Imported here, since Prometheus' library is optional.
    from prometheus_client import CollectorRegistry, Gauge, GCCollector, Info, ProcessCollector
    from prometheus_client.exposition import choose_encoder

    registry = CollectorRegistry()
    build_info = Info(f"{METRIC_PREFIX}build", "The running release.", registry=registry)
    build_info.info({"version": version(), "commit": commit()})
    for name, description, value in _metrics(health_report):
        Gauge(f"{METRIC_PREFIX}{name}", description, registry=registry).set(value)
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    encode_metrics, content_type = choose_encoder(accept_header)
    return encode_metrics(registry), content_type


def _metrics(health_report: HealthReport | None) -> Iterator[tuple[str, str, float]]:
    """Name (with unit), description and value of each Prometheus metric."""
    yield "standby", "1 if another process owns the shards.", health_report is None
    if health_report is None:
        return
    yield "connected", "1 if Discord's gateway is ready.", health_report.connected
    yield "outage", "1 during an outage of Discord.", bool(health_report.outage)
    yield "troubles", "Reasons for which /health answers 503.", len(health_report.troubles)
    yield "uptime_seconds", "Time since the client was created.", health_report.uptime
    yield "event_loop_lag_seconds", "Lag of the event loop at the last measurement.", health_report.lag
    yield (
        "event_loop_lag_worst_seconds",
        "Largest lag of the event loop in the last minute.",
        health_report.worst_lag,
    )
    yield "outbox_posts", "Posts that Discord has not accepted yet.", health_report.outbox
    yield "outbox_parked_posts", "Unsent posts that Discord refuses.", health_report.parked_posts
    yield "outbox_oldest_seconds", "Age of the oldest post that is not parked.", health_report.oldest_notice
    yield "live_games", "Games in memory.", health_report.live_games
    yield "pictures", "Pictures in memory.", health_report.pictures
    yield "waiting_pictures", "Tasks waiting for a worker.", health_report.waiting_pictures
    if health_report.last_backup is not None:
        backup_timestamp = datetime.fromisoformat(health_report.last_backup).timestamp()
        yield "last_backup_timestamp_seconds", "Time of the last backup.", backup_timestamp
