"""Rate limits as the service keeps them: headers on every answer, and 429 for whoever does not heed them."""

import re
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Final, NamedTuple

from bot.sandbox.refusal import Json


class Limit(NamedTuple):
    """So many requests in so many seconds, for each thing that the groups of the pattern name."""

    pattern: re.Pattern[str]
    requests: int
    seconds: float


def _limit(pattern: str, requests: int, seconds: float) -> Limit:
    return Limit(re.compile(pattern), requests, seconds)


LIMITS: Final = (
    _limit(r"(POST) /api/v10/channels/(\d+)/messages", 5, 5.0),
    _limit(r"(PATCH) /api/v10/channels/(\d+)/messages/\d+", 5, 5.0),
    _limit(r"(DELETE) /api/v10/channels/(\d+)/messages/\d+", 5, 1.0),
    _limit(r"\w+ /api/v10/(webhooks)/\d+/([^/]+).*", 5, 2.0),
)
"""Limits of routes; where each comes from stands in docs/discord.md, rate limits."""
ALL: Final = Limit(re.compile(r"\w+ /api/v10/(?!interactions/|webhooks/).*"), 50, 1.0)
"""Of everything but answers to interactions."""


@dataclass(slots=True)
class _Window:
    """The requests since the first of them."""

    ends: float
    used: int = 0


@dataclass(slots=True)
class Rates:
    """Counts requests; none is refused until the rates are kept."""

    kept: bool = False
    refused: int = 0
    """How many requests were answered with 429."""
    _windows: dict[tuple[str, ...], _Window] = field(default_factory=dict)

    def too_soon(self, line: str) -> Json | None:
        """The refusal of a request ("METHOD /path") that comes too soon; None where it may go on, and it is counted."""
        windows = [(limit, self._window(limit, key)) for limit, key in _keys(line) if self.kept]
        full = next((found for found in windows if found[1].used >= found[0].requests), None)
        if full is None:
            for _, window in windows:
                window.used += 1
            return None
        self.refused += 1
        limit, window = full
        wait = max(0.0, window.ends - monotonic())
        return {"message": "You are being rate limited.", "retry_after": wait, "global": limit is ALL}

    def headers(self, line: str) -> dict[str, str]:
        """What is told of the limit of a route with every answer."""
        found = next(((limit, key) for limit, key in _keys(line) if limit is not ALL), None)
        if not self.kept or found is None:
            return {}
        limit, key = found
        window = self._window(limit, key)
        left = max(0.0, window.ends - monotonic())
        return {
            "X-RateLimit-Limit": str(limit.requests),
            "X-RateLimit-Remaining": str(max(0, limit.requests - window.used)),
            "X-RateLimit-Reset": f"{time() + left:.3f}",
            "X-RateLimit-Reset-After": f"{left:.3f}",
            "X-RateLimit-Bucket": f"sandbox-{LIMITS.index(limit)}",
        }

    def _window(self, limit: Limit, key: tuple[str, ...]) -> _Window:
        now, window = monotonic(), self._windows.get(key)
        if window is None or window.ends <= now:
            window = self._windows[key] = _Window(now + limit.seconds)
        return window


def _keys(line: str) -> list[tuple[Limit, tuple[str, ...]]]:
    """The limits that concern a request, and for what each is counted."""
    found = [(limit, limit.pattern.fullmatch(line)) for limit in (*LIMITS, ALL)]
    return [(limit, (limit.pattern.pattern, *match.groups())) for limit, match in found if match]
