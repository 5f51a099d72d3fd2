"""Moments as they are stored: ISO 8601 in UTC to the millisecond, so that their texts are ordered as they are."""

from datetime import UTC, datetime, timedelta


def moment(text: str) -> datetime:
    """A stored moment; without a zone it is UTC. Raises ValueError for a text that is none."""
    at = datetime.fromisoformat(text)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def stored(at: datetime) -> str:
    """The text of a timestamp, in whatever zone it is given."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")


def later(text: str, by: timedelta) -> str:
    """The text of a moment that is so much later than a stored one; raises ValueError for what is none."""
    return stored(moment(text) + by)
