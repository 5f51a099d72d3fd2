"""Discord's rate limits: response headers, and status 429 for requests above a limit."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Final, NamedTuple

from bot.sandbox.model import EPOCH_MS
from bot.sandbox.refusal import Json

OLD_MESSAGE_SECONDS: Final = 3600
"""Age in seconds from which a message's edits have a separate rate limit."""


class RouteLimit(NamedTuple):
    """A rate limit of ``max_requests`` in ``seconds``, counted separately for each value of the groups in `pattern`."""

    pattern: str
    max_requests: int
    seconds: float
    code: int = 0
    """The error code in Discord's response; 0 if it has none."""
    is_announced: bool = True
    """True if response headers state this limit; False if a client learns of it only by status 429."""


ROUTE_LIMITS: Final = (
    RouteLimit(r"(POST) /api/v10/channels/(\d+)/messages", 5, 5.0),
    RouteLimit(r"(PATCH) /api/v10/channels/(\d+)/messages/\d+(?: old)?", 5, 5.0),
    RouteLimit(r"(DELETE) /api/v10/channels/(\d+)/messages/\d+", 5, 1.0),
    RouteLimit(r"\w+ /api/v10/(webhooks)/\d+/([^/]+).*", 5, 2.0),
    RouteLimit(r"(PATCH) /api/v10/channels/(\d+)/messages/\d+ old", 3, 6.0, 30046, is_announced=False),
    RouteLimit(r"(PATCH) /api/v10/channels/(\d+) named", 2, 600.0, is_announced=False),
)
"""Rate limits by route; docs/discord.md, rate limits, names the sources."""
GLOBAL_LIMIT: Final = RouteLimit(r"\w+ /api/v10/(?!interactions/|webhooks/).*", 50, 1.0, is_announced=False)
"""The rate limit for all requests together, except responses to interactions."""
INVALID_LIMIT: Final = RouteLimit(r"(banned)", 10_000, 600.0)
"""The limit for invalid requests. If it is exceeded, all requests are refused until the time window ends."""
_INVALID_STATUSES: Final = (401, 403, 429)
_REFUSAL_TEXTS: Final = {
    0: "You are being rate limited.",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
}
_EDIT_PATTERN: Final = re.compile(r"PATCH /api/v10/channels/\d+/messages/(\d+)")


def rate_limit_line(request_line: str, payload: Json) -> str:
    """A request as "METHOD /path", followed by "old" (edit of an old message) or "named" (rename of a channel)."""
    edit_match = _EDIT_PATTERN.fullmatch(request_line)
    if edit_match is not None:
        posted_at = ((int(edit_match[1]) >> 22) + EPOCH_MS) / 1000
        return f"{request_line} old" if time() - posted_at > OLD_MESSAGE_SECONDS else request_line
    renamed_fields = re.fullmatch(r"PATCH /api/v10/channels/\d+", request_line) and payload.keys() & {
        "name",
        "topic",
    }
    return f"{request_line} named" if renamed_fields else request_line


@dataclass(slots=True)
class _TimeWindow:
    ends_at: float
    request_count: int = 0


@dataclass(slots=True)
class RateLimits:
    """Counts requests. If `is_enforced` is set, it refuses requests above a limit."""

    is_enforced: bool = False
    refused_count: int = 0
    """Number of requests refused with status 429."""
    _time_windows: dict[tuple[str, ...], _TimeWindow] = field(default_factory=dict)

    def refuse_or_count(self, request_line: str) -> Json | None:
        """Count a request and return None. If the request exceeds a limit, return the error body instead."""
        limits_and_windows = [
            (limit, self._time_window(limit, key))
            for limit, key in _limits_for_request(request_line)
            if self.is_enforced
        ]
        exceeded_limit = next(
            (entry for entry in limits_and_windows if entry[1].request_count >= entry[0].max_requests), None
        )
        if exceeded_limit is None:
            for _, window in limits_and_windows:
                window.request_count += 1
            return None
        self.refused_count += 1
        limit, window = exceeded_limit
        seconds_left = max(0.0, window.ends_at - monotonic())
        refusal = {"message": _REFUSAL_TEXTS[limit.code], "code": limit.code}
        return refusal | {"retry_after": seconds_left, "global": limit is GLOBAL_LIMIT}

    def count_status(self, status: int) -> None:
        """Count a response if its status makes the request an invalid one."""
        if self.is_enforced and status in _INVALID_STATUSES:
            self._time_window(INVALID_LIMIT, ("banned",)).request_count += 1

    @property
    def is_banned(self) -> bool:
        """True after too many invalid requests."""
        return (
            self.is_enforced
            and self._time_window(INVALID_LIMIT, ("banned",)).request_count >= INVALID_LIMIT.max_requests
        )

    def headers(self, request_line: str) -> dict[str, str]:
        """The rate-limit headers of the response to a request."""
        announced_limit = next(
            ((limit, key) for limit, key in _limits_for_request(request_line) if limit.is_announced), None
        )
        if not self.is_enforced or announced_limit is None:
            return {}
        limit, key = announced_limit
        window = self._time_window(limit, key)
        seconds_left = max(0.0, window.ends_at - monotonic())
        return {
            "X-RateLimit-Limit": str(limit.max_requests),
            "X-RateLimit-Remaining": str(max(0, limit.max_requests - window.request_count)),
            "X-RateLimit-Reset": f"{time() + seconds_left:.3f}",
            "X-RateLimit-Reset-After": f"{seconds_left:.3f}",
            "X-RateLimit-Bucket": f"sandbox-{ROUTE_LIMITS.index(limit)}",
        }

    def _time_window(self, limit: RouteLimit, key: tuple[str, ...]) -> _TimeWindow:
        now, window = monotonic(), self._time_windows.get(key)
        if window is None or window.ends_at <= now:
            window = self._time_windows[key] = _TimeWindow(now + limit.seconds)
        return window


def _limits_for_request(request_line: str) -> Iterator[tuple[RouteLimit, tuple[str, ...]]]:
    """The limits that apply to a request, each with the key under which it is counted."""
    for limit in (*ROUTE_LIMITS, GLOBAL_LIMIT):
        line_match = re.fullmatch(limit.pattern, request_line)
        if line_match:
            yield limit, (limit.pattern, *line_match.groups())
