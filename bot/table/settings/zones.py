"""Time zones that users choose: places of the IANA database by their cities, or UTC."""

from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from zoneinfo import ZoneInfo

from bot.table.errors import Refused
from bot.table.style import strong

UTC_ZONE: Final = "UTC"
"""The zone of users who have named none."""
AREAS: Final = frozenset(
    [
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    ]
)
"""With what the names of places begin: other zones are offsets, old names, or none."""
LISTED: Final = 5
"""At most this many zones are named where several are meant."""


@cache
def _known() -> tuple[str, ...]:
    """The zones that may be chosen, by name; UTC comes last."""
    names = files("tzdata").joinpath("zones").read_text("utf-8").split()
    return (*sorted(name for name in names if name.partition("/")[0] in AREAS), UTC_ZONE)


def zones(typed: str) -> list[str]:
    """The time zones whose names have what was typed in them."""
    wanted = typed.strip().replace(" ", "_").casefold()
    return [zone for zone in _known() if wanted in zone.casefold()]


def zone_named(typed: str) -> str:
    """The zone of this name, or of a city; raises Refused."""
    found = zones(typed)
    exact = [zone for zone in found if zone.casefold() == typed.strip().casefold()]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        some = ", ".join(found[:LISTED]) + (" …" if len(found) > LISTED else "")
        raise Refused(f"{strong(typed)} is in the names of {len(found)} time zones: {some}. Pick one.")
    raise Refused(
        f"There is no time zone {strong(typed)}. Time zones have the names of places, such as `Europe/Berlin`, so that "
        "summer time is known; or `UTC`. Type a city, and pick one."
    )


@lru_cache(maxsize=1024)
def zone_here(stored: str) -> str:
    """A stored zone, which another machine or version may have known; UTC where this one does not."""
    try:
        return ZoneInfo(stored).key
    except (KeyError, ValueError, OSError):
        return UTC_ZONE
