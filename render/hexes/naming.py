"""Where the name of a hex goes: on a plate where there is room, else bare over track, and never over anything else."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from render.font_metrics import CAP_HEIGHT, text_width
from render.hexes.hexgrid import Layout
from render.hexes.place import Blob, Found, Seat, Seats, Taken, box, over_track, within
from render.hexes.writing import Name, name_lines, plate

_PLATED: Final = ((0.165, (0.02,)), (0.14, (0.02, 0.08)))
"""Em of a name on its plate and the overlap it may have, rather little than much."""
_BARE: Final = ((0.15, 0.012), (0.13, 0.012), (0.115, 0.012), (0.115, 0.05), (0.105, 0.15), (0.1, 0.4))
"""The same without one: track stays visible between the letters, so only what else there is counts."""
HALO: Final = 0.028
"""Width of the rim of bare letters."""
EDGE: Final = 0.017
"""Half of the line round a hex, which letters leave free."""
LEADING: Final = 1.1
"""Height of a line of a bare name in em."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A name with its place."""

    name: Name
    found: Found


def _plated_seats() -> Seats:
    down = (0.40, 0.48, 0.56, 0.62, -0.40, -0.48, -0.56, -0.62, 0.0, 0.30, -0.30)
    across = (0.0, -0.12, 0.12, -0.25, 0.25, -0.36, 0.36)
    return Seats(Seat(x, y, abs(x) / 8) for y in down for x in across)


_PLATED_SEATS: Final = _plated_seats()


def on_plate(layout: Layout, text: str, taken: Taken) -> Seated | None:
    """The name on its plate, if it covers nothing there."""
    lines = name_lines(text)
    for size, limits in _PLATED:
        wide, tall = plate(lines, size)
        shape = tuple(_lines(len(lines), wide, tall))
        found = within(layout, _PLATED_SEATS, shape, taken, limits[-1])
        if found is None:
            continue
        if found.overlap >= limits[0]:
            found = within(layout, _PLATED_SEATS, shape, taken, limits[0]) or found
        return Seated(Name(found.x, found.y, lines, size), found)
    return None


def bare(layout: Layout, text: str, track: Taken, rest: Taken) -> Seated | None:
    """The name without a plate, where it hides least of the track; on as many lines as fit best."""
    for size, limit in _BARE:
        tries = [_bare(layout, lines, size, limit, track, rest) for lines in _ways(text)]
        seated = [one for one in tries if one is not None]
        if seated:
            return min(seated, key=lambda one: one.found.cost)
    return None


def _bare(
    layout: Layout,
    lines: tuple[str, ...],
    size: float,
    limit: float,
    track: Taken,
    rest: Taken,
) -> Seated | None:
    wide = max(text_width(line) for line in lines) * size + 2 * (HALO + EDGE)
    tall = (LEADING * (len(lines) - 1) + CAP_HEIGHT) * size + 2 * (HALO + EDGE)
    shape = tuple(_lines(len(lines), wide, tall))
    found = over_track(layout, shape, track, rest, limit)
    return None if found is None else Seated(Name(found.x, found.y, lines, size, "bare"), found)


def _ways(text: str) -> Iterator[tuple[str, ...]]:
    """The name on one line, and on two wherever it has a blank."""
    words = text.split()
    yield (text,)
    for i in range(1, len(words)):
        yield (" ".join(words[:i]), " ".join(words[i:]))


def _lines(count: int, wide: float, tall: float) -> Iterator[Blob]:
    for i in range(count):
        yield from box(0.0, (i - (count - 1) / 2) * tall / count, wide, tall / count)
