"""Positions of 18NewEngland on the map: minors at home, majors with stations, and a map late in a game."""

from typing import Any

from tests.titles.t18newengland.newengland import NewEngland

SITE = {"profile": "18xx.games", "from_log": 10**9}
"""A game read from a log of that site."""

LATE = (
    "A16:8:4 A18:8:3 B13:8:4 B15:25:1 C10:9:0 C12:42:4 C4:204:4 C6:46:0 C8:9:0 D3:47:1 E4:63:0 F11:88:0 F13:X9:0"
    " F5:9:2 G10:X8:0 G12:25:1 G6:88:2 G8:63:0 H11:24:0 H13:611:1 H7:45:4 H9:45:3 I10:25:4 I12:23:3 I14:3:2"
    " J9:23:1 K6:42:1 K8:88:0 L3:47:2 L5:X7:0 M4:3:1"
)
"""Track from New York by Pittsfield and New London to Boston and Portland, in phase 8 of a recorded game."""


def position(**facts: Any) -> NewEngland:
    """An empty position in phase 2."""
    return NewEngland(phase="2", **facts)


def minor(built: NewEngland, name: str, value: int, owner: str, treasury: int = 100) -> NewEngland:
    """A minor of this player with its station at home."""
    return built.minor(name, value, owner, treasury=treasury)


def major(
    built: NewEngland, name: str, par: int, *stations: tuple[str, int], treasury: int = 500, **held: Any
) -> NewEngland:
    """A major with stations in these cities (hex and number of the stop), the first taken over from a minor."""
    built.major(name, par, treasury=treasury, **held)
    for coord, city in stations:
        built.state.companies[name].tokens.pop(0)
        built.t.map.place_token(coord, city, name)
    return built


def closed(built: NewEngland, *minors: str) -> NewEngland:
    """Minors that have closed: their homes are kept for nobody."""
    for name in minors:
        built.t.map.remove_company(name)
        built.state.companies[name].closed = True
    return built


def late(built: NewEngland, phase: str = "8") -> NewEngland:
    """The late map, with no home kept any more."""
    built.phase(phase)
    for name, company in built.state.companies.items():
        if built.t.kind_name(company) == "minor":
            closed(built, name)
    for word in LATE.split():
        coord, tile, rotation = word.split(":")
        built.tile(coord, tile, int(rotation))
    return built
