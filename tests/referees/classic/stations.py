"""A second statement of the stations of the classic titles: free cities within reach, and those kept for others."""

from tests.referees.classic.land import Land
from tests.referees.newengland.reach import Node, Trails

CHOSEN = {"1830": {"ERIE": "E11"}, "1889": {}, "18ga": {"W&A": "D4"}, "1882": {"QLL": "J10"}, "18ms": {}}
"""Companies that choose among the cities of their home (R-1830-031, R-GA-061)."""
POWERS = {"DH": "F16", "W&SR": "I9"}
"""Privates that bring a free station, and where (R-1830-052, R-GA-081)."""
REBEL_CITIES = {"C3", "D4", "D6", "E5"}
REBEL_HEXES = {*REBEL_CITIES, "B4", "C5", "E3", "E7", "F6"}


def legal_stations(land: Land, company: str, *, halved: bool = False) -> set[Node]:
    """Cities, by hex and number, where the company may put its next station: within reach, and none in the hex yet
    (R-1830-037, R-GA-060)."""
    charter = land.company(company)
    if not charter.tokens or charter.tokens[0] // (2 if halved else 1) > charter.cash:
        return set()
    return _within_reach(land, company, _hexes(land, company))


def neutral_stations(land: Land, company: str) -> set[Node]:
    """The same for the company's neutral token, in hexes without one (R-1882-035)."""
    return _within_reach(land, company, _hexes(land, "CN")) if land.company(company).held else set()


def _within_reach(land: Land, company: str, without: set[str]) -> set[Node]:
    trails = Trails(land, company)
    return {
        (coord, end - 6)
        for coord in land.near(company) - without
        for end in _cities(land, coord)
        if is_free(land, company, (coord, end)) and trails.visits((coord, end))
    }


def power_stations(land: Land, company: str, private: str) -> set[Node]:
    """Places to which a private brings the company's next station, free and without connection; the M&M at half
    price (R-18MS-062)."""
    if private == "M&M":
        return legal_stations(land, company, halved=True)
    if private == "NWR":
        return destinations(land, company)
    coord = POWERS[private]
    if not land.company(company).tokens or coord in _hexes(land, company):
        return set()
    return {(coord, end - 6) for end in _cities(land, coord) if is_free(land, company, (coord, end))}


def movable(land: Land, company: str) -> set[Node]:
    """Stations outside the rebellion, a home only if no neutral token lies there (R-1882-051)."""
    printed = land.spec.companies[company].home
    home = "" if printed is None else printed.hex
    taken = _hexes(land, "CN")
    return {
        (coord, end - 6)
        for coord, end in land.stations(company)
        if coord not in REBEL_HEXES and not (coord in taken and (coord == home or company == "SC"))
    }


def destinations(land: Land, company: str) -> set[Node]:
    """Free cities of the rebellion to which the NWR brings a station (R-1882-051)."""
    return {
        (coord, end - 6)
        for coord in REBEL_CITIES - _hexes(land, company)
        for end in _cities(land, coord)
        if is_free(land, company, (coord, end))
    }


def founding_homes(land: Land) -> set[Node]:
    """Free cities where the SC may be at home (R-1882-022)."""
    cities = {(coord, end) for coord in land.hexes for end in _cities(land, coord)}
    return {(coord, end - 6) for coord, end in cities if is_free(land, "SC", (coord, end))}


def home_choices(land: Land, company: str, coord: str) -> set[Node]:
    """Cities among which a company chooses, once track lies there."""
    return {(coord, end - 6) for end in _cities(land, coord) if land.vacancies((coord, end)) > 0}


def is_free(land: Land, company: str, node: Node) -> bool:
    """True if there is a slot that no other company's home needs."""
    coord, _ = node
    if land.vacancies(node) < 1:
        return False
    waiting = [name for name in _waiting(land, coord) if name != company]
    if "ERIE" in waiting:
        return False  # R-1830-033
    if land.title != "1830":
        # R-CH-113, R-GA-061, R-GA-062: as many slots of the hex stay free as homes wait.
        return sum(land.vacancies((coord, end)) for end in _cities(land, coord)) > len(waiting)
    return land.vacancies(node) > sum(node == _home_city(land, name) for name in waiting)


def _waiting(land: Land, coord: str) -> list[str]:
    """Companies whose home in this hex is still to come."""
    found = []
    for name, printed in land.spec.companies.items():
        homes = [home.hex for home in (printed.home, *printed.more_homes) if home is not None]
        if coord in homes and not land.company(name).closed and not _hexes(land, name):
            found.append(name)
    return found


def _home_city(land: Land, company: str) -> Node:
    """The city that has the sides of the one printed for the company (R-1830-032)."""
    home = land.spec.companies[company].home
    assert home is not None
    sides, now = land.hexes[home.hex].topology.edges_of(home.stop), land.topology(home.hex)
    return next((home.hex, end) for end in _cities(land, home.hex) if sides <= now.edges_of(end - 6))


def _hexes(land: Land, company: str) -> set[str]:
    return {coord for coord, _ in land.stations(company)}


def _cities(land: Land, coord: str) -> list[int]:
    return [6 + i for i, stop in enumerate(land.topology(coord).stops) if stop.kind == "city"]
