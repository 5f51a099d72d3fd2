"""Lengths of time as people type and read them."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Final

NOTHING: Final = timedelta()
LONGEST: Final = timedelta(days=365)
"""No length that is typed is larger."""
_UNITS: Final[Mapping[str, timedelta]] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}


def span_of(typed: str) -> timedelta | None:
    """What was typed as `36 hours`, `5 days` or `1 week`; None where it is nothing of the kind, or too long."""
    found = re.fullmatch(r"(\d{1,4}) *(hour|day|week)s?", typed.strip().casefold())
    span = None if found is None else int(found[1]) * _UNITS[found[2]]
    return span if span is not None and NOTHING < span <= LONGEST else None


def in_words(span: timedelta) -> str:
    """`2 days 3 hours`: the two largest units that are not nothing, rounded down."""
    minutes = max(NOTHING, span) // timedelta(minutes=1)
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    said = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count]
    return " ".join(said[:2]) or "less than a minute"
