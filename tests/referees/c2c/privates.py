"""A second statement of what corporations do with privates and engineers in 18C2C."""

from collections.abc import Iterator

from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import at_least_phase

ENGINEERS = "ACE"
MARKER_PRICE = 50
BASED_OUTSIDE = {"CP"}
"""Corporations whose home is not in the East."""


def prices(world: World, corporation: Corporation, name: str) -> tuple[int, int] | None:
    """The least and the highest price of a private for a corporation; None: not for sale (R-C2C-140, R-C2C-141)."""
    value = world.privates[name].value
    if at_least_phase(world.phase, "3"):
        return value // 2, 2 * value
    if name in ("EPP", ENGINEERS):
        return value // 2, value // 2
    outside = corporation.name in BASED_OUTSIDE
    return (value // 2, 2 * value) if name == "KTC" and not outside else None


def for_sale(world: World, corporation: Corporation, *, track: bool) -> Iterator[Move]:
    """Privates of players a corporation can pay: name, least and highest price.

    Prospectors bought in phase 2 are for this turn's tiles, so not for sale once track is laid (R-C2C-152).
    """
    for private in world.privates.values():
        late = private.name == "EPP" and world.phase == "2" and not track
        if private.gone or late or not isinstance(private.owner, int):
            continue
        span = prices(world, corporation, private.name)
        if span is not None and span[0] <= corporation.cash:
            yield ("private", private.name, span[0], min(span[1], corporation.cash))


def buy_private(world: World, corporation: Corporation, name: str, price: int) -> None:
    """From a player; the Army Engineers bring a marker, Prospectors of phase 2 are used before the track step ends."""
    private = world.privates[name]
    assert isinstance(private.owner, int)
    world.seats[private.owner].cash += price
    corporation.cash -= price
    private.owner = corporation.name
    if name == ENGINEERS:
        world.engineer = corporation.name
        if not corporation.markers:
            corporation.markers, world.markers = 1, world.markers - 1
    if name == "EPP" and world.phase == "2":
        private.at_once = True


def track_over(world: World, corporation: Corporation) -> None:
    """Prospectors bought in phase 2 and not used are gone (R-C2C-152)."""
    for private in world.privates.values():
        if private.owner == corporation.name and private.at_once and world.phase == "2":
            private.gone = True


def markers_for_sale(world: World, corporation: Corporation) -> Iterator[Move]:
    """Engineers: from the corporation that bought the private, from the bank, or resold (R-C2C-160 to R-C2C-164)."""
    if corporation.markers or corporation.cash < MARKER_PRICE:
        return
    if world.markers and world.engineer:
        yield ("marker", world.engineer)
    elif world.markers and _bank_sells(world):
        yield ("marker", "bank")
    for other in world.open_ones():
        if other.markers and other is not corporation and (other.name != world.engineer or not world.markers):
            yield ("marker", other.name)


def _bank_sells(world: World) -> bool:
    """From the first 4 on, unless the private was eliminated before the bidding."""
    eliminated = world.privates[ENGINEERS].gone and world.privates[ENGINEERS].owner is None
    return at_least_phase(world.phase, "4") and not eliminated


def buy_marker(world: World, corporation: Corporation, source: str) -> None:
    """$50; one from another corporation than the buyer of the private is no use in this operating round."""
    corporation.cash -= MARKER_PRICE
    corporation.markers = 1
    if source == "bank":
        world.pay(-MARKER_PRICE)
        world.markers -= 1
        return
    seller = world.corporations[source]
    seller.cash += MARKER_PRICE
    if source == world.engineer and world.markers:
        world.markers -= 1
    else:
        seller.markers -= 1
        corporation.fresh = True


def mark(world: World, corporation: Corporation, name: str, coord: str) -> None:
    """A bonus token, or the Prospectors' P, is placed; the private stays (R-C2C-142, R-C2C-150)."""
    world.privates[name].spent = True
    if name == "EPP":
        world.p_cities.add(coord)
    else:
        world.bonuses[name] = (coord, corporation.name)


def bonus(world: World) -> dict[str, list[tuple[str, int, int]]]:
    """Hexes with bonus tokens: for each its owner, what the owner gets more, what the others get more."""
    found: dict[str, list[tuple[str, int, int]]] = {}
    for name, (coord, owner) in world.bonuses.items():
        port = (20, 0 if world.alone else 10)
        found.setdefault(coord, []).append((owner, *(port if name == "GSC" else (10, 0))))
    return found


def engineers(corporation: Corporation) -> bool:
    """True if water costs it half (R-C2C-121)."""
    return corporation.markers > 0 and not corporation.fresh
