"""Rate limits: headers on every answer, and 429 for requests that ignore them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic, time
from typing import Final, NamedTuple

from bot.sandbox.model import EPOCH_MS
from bot.sandbox.refusal import Json

OLD_SECONDS: Final = 3600
"""Age from which on a message is old for edits."""


class RouteLimit(NamedTuple):
    """A limit of N requests in N seconds, for each value of the pattern's groups."""

    pattern: str
    requests: int
    seconds: float
    code: int = 0
    """Discord's code of the refusal, where it has one."""
    announced: bool = True
    """True if the headers of answers announce it; the others show only in a refusal."""


LIMITS: Final = (
    RouteLimit(r"(POST) /api/v10/channels/(\d+)/messages", 5, 5.0),
    RouteLimit(r"(PATCH) /api/v10/channels/(\d+)/messages/\d+(?: old)?", 5, 5.0),
    RouteLimit(r"(DELETE) /api/v10/channels/(\d+)/messages/\d+", 5, 1.0),
    RouteLimit(r"\w+ /api/v10/(webhooks)/\d+/([^/]+).*", 5, 2.0),
    RouteLimit(r"(PATCH) /api/v10/channels/(\d+)/messages/\d+ old", 3, 6.0, 30046, announced=False),
    RouteLimit(r"(PATCH) /api/v10/channels/(\d+) named", 2, 600.0, announced=False),
)
"""Limits of routes; where each comes from stands in docs/discord.md, rate limits."""
ALL: Final = RouteLimit(r"\w+ /api/v10/(?!interactions/|webhooks/).*", 50, 1.0, announced=False)
"""Limit of everything but answers to interactions."""
INVALID: Final = RouteLimit(r"(banned)", 10_000, 600.0)
"""Requests that were refused, after which nothing of this address is answered for a time."""
_REFUSED: Final = (401, 403, 429)
_REFUSALS: Final = {
    0: "You are being rate limited.",
    30046: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
}
_EDIT: Final = re.compile(r"PATCH /api/v10/channels/\d+/messages/(\d+)")


def marked(line: str, payload: Json) -> str:
    """A request ("METHOD /path") with other data that its limits depend on."""
    edit = _EDIT.fullmatch(line)
    if edit is not None:
        posted = ((int(edit[1]) >> 22) + EPOCH_MS) / 1000
        return f"{line} old" if time() - posted > OLD_SECONDS else line
    named = re.fullmatch(r"PATCH /api/v10/channels/\d+", line) and payload.keys() & {"name", "topic"}
    return f"{line} named" if named else line


@dataclass(slots=True)
class _Window:
    ends: float
    used: int = 0


@dataclass(slots=True)
class RateLimits:
    """Counts requests; refuses none until `kept` is set."""

    kept: bool = False
    refused: int = 0
    """Number of requests answered with 429."""
    _windows: dict[tuple[str, ...], _Window] = field(default_factory=dict)

    def too_soon(self, line: str) -> Json | None:
        """The refusal of a request above a limit; None, and counted, if allowed."""
        windows = [(limit, self._window(limit, key)) for limit, key in _keys(line) if self.kept]
        full = next((found for found in windows if found[1].used >= found[0].requests), None)
        if full is None:
            for _, window in windows:
                window.used += 1
            return None
        self.refused += 1
        limit, window = full
        wait = max(0.0, window.ends - monotonic())
        said = {"message": _REFUSALS[limit.code], "code": limit.code}
        return said | {"retry_after": wait, "global": limit is ALL}

    def note(self, status: int) -> None:
        """Count an invalid request by its status."""
        if self.kept and status in _REFUSED:
            self._window(INVALID, ("banned",)).used += 1

    @property
    def is_banned(self) -> bool:
        """True after too many invalid requests (docs, rate limits, invalid requests)."""
        return self.kept and self._window(INVALID, ("banned",)).used >= INVALID.requests

    def headers(self, line: str) -> dict[str, str]:
        """The rate-limit headers of an answer."""
        found = next(((limit, key) for limit, key in _keys(line) if limit.announced), None)
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

    def _window(self, limit: RouteLimit, key: tuple[str, ...]) -> _Window:
        now, window = monotonic(), self._windows.get(key)
        if window is None or window.ends <= now:
            window = self._windows[key] = _Window(now + limit.seconds)
        return window


def _keys(line: str) -> Iterator[tuple[RouteLimit, tuple[str, ...]]]:
    """The limits of a request, each with its key."""
    for limit in (*LIMITS, ALL):
        match = re.fullmatch(limit.pattern, line)
        if match:
            yield limit, (limit.pattern, *match.groups())
