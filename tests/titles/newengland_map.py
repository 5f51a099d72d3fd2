"""Positions of 18NewEngland: minors on their spaces, majors where they have stations, and a map late in a game."""

from typing import Any

from builders import Position, new_game

from engine.game import Game

SITE = {"profile": "18xx.games", "from_log": 10**9}
"""A game read from a log of that site."""

LATE = (
    "A16:8:4 A18:8:3 B13:8:4 B15:25:1 C10:9:0 C12:42:4 C4:204:4 C6:46:0 C8:9:0 D3:47:1 E4:63:0 F11:88:0 F13:X9:0"
    " F5:9:2 G10:X8:0 G12:25:1 G6:88:2 G8:63:0 H11:24:0 H13:611:1 H7:45:4 H9:45:3 I10:25:4 I12:23:3 I14:3:2"
    " J9:23:1 K6:42:1 K8:88:0 L3:47:2 L5:X7:0 M4:3:1"
)
"""Track from New York by Pittsfield and New London to Boston and Portland, in phase 8 of a recorded game."""


def position(players: int = 3, **facts: Any) -> Position:
    """An empty position of 18NewEngland in which all minors are available."""
    built = Position(players, title="18newengland", **facts)
    for company in built.state.companies.values():
        company.waiting = False
    return built


def first_position(players: int = 3, seed: int = 0, **facts: Any) -> Game:
    """18NewEngland before the first action."""
    return new_game(players, seed, title="18newengland", **facts)


def minor(built: Position, name: str, value: int, owner: str, treasury: int = 100) -> Position:
    """A minor of this player on the first free space of its value, with its station at home."""
    t, company = built.t, built.state.companies[name]
    taken = {other.cell for other in built.state.companies.values()} | set(built.state.flipped)
    cell = next(cell for price, cell in t.grid.spaces() if price == value and cell not in taken)
    company.par = value
    t.enter_market(company, cell)
    company.certificate_holder = owner
    company.floated = True
    built.treasury(name, treasury)
    return built.operated(name)


def major(
    built: Position,
    name: str,
    par: int,
    *stations: tuple[str, int],
    treasury: int = 500,
    **percents: Any,
) -> Position:
    """A major with stations in these cities (hex and number of the stop), the first taken over from a minor."""
    built.start(name, par, **percents)
    company = built.state.companies[name]
    company.operated = company.floated = True
    built.treasury(name, treasury)
    for coord, city in stations:
        company.tokens.pop(0)
        built.t.map.place_token(coord, city, name)
    return built


def closed(built: Position, *minors: str) -> Position:
    """Minors that have closed: their homes are kept for nobody."""
    for name in minors:
        built.t.map.remove_company(name)
        built.state.companies[name].closed = True
    return built


def late(built: Position, phase: str = "8") -> Position:
    """The late map, with no home kept any more."""
    built.phase(phase)
    for name, company in built.state.companies.items():
        if built.t.kind(company) == "minor":
            closed(built, name)
    for word in LATE.split():
        coord, tile, rotation = word.split(":")
        built.tile(coord, tile, int(rotation))
    return built
