"""The numbers of `/health` in Prometheus' text form, with those of the process."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from bot.client.features.health import State
from bot.table.release import commit, version

PREFIX: Final = "stationmaster_"


def exposition(state: State | None, accepted: str) -> tuple[bytes, str]:
    """The text, and its content type, as the client with this `Accept` header reads it; None: of a standby."""
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


def _figures(state: State | None) -> Iterator[tuple[str, str, float]]:
    """Each figure with its name, unit and meaning."""
    yield "standby", "Whether another process holds the leases.", state is None
    if state is None:
        return
    yield "connected", "Whether Discord's gateway is ready.", state.connected
    yield "outage", "Whether Discord fails as a whole.", bool(state.outage)
    yield "troubles", "Reasons for which /health answers 503.", len(state.troubles)
    yield "uptime_seconds", "Time since the client was made.", state.up
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
