"""A second statement of trading shares: holdings, sales, purchases, presidencies, floating."""

from collections.abc import Iterator

from tests.referees.classic.model import Corporation, Move, World
from tests.referees.holdings import fewer, heir, left_after, may_sell


def sales(world: World, player: int) -> Iterator[tuple[str, int]]:
    """Blocks that a player may sell: the company, the number of shares."""
    for corporation in world.corporations.values():
        for shares in range(1, 9):
            if may_sell(world, player, corporation, shares):
                yield corporation.name, shares


def sell(world: World, player: int, corporation: Corporation, shares: int) -> None:
    """The bank pays the price before the sale for each share; then the price falls a row per share."""
    assert corporation.at is not None
    world.seats[player].cash += world.pay(shares * world.price(corporation))
    corporation.shares = left_after(corporation, player, shares)
    corporation.pool += shares
    corporation.president = heir(world, corporation, corporation.shares)
    world.enter(corporation, world.title.chart.down(corporation.at, shares))


def may_hold(world: World, player: int, corporation: Corporation, more: int = 0) -> bool:
    """60 %, in 18MS 70 %; orange and brown cells have no limit (R-1830-004, R-1830-024, R-18MS-002)."""
    return corporation.held(player) + more <= world.title.most_held or world.zone(corporation) in ("o", "b")


def helps(world: World, player: int, name: str, shares: int) -> bool:
    """True if a player above a limit comes nearer to it by a sale, maybe as the price falls into a coloured cell."""
    corporation, chart = world.corporations[name], world.title.chart
    if not may_hold(world, player, corporation):
        return True
    if world.certificates(player) <= world.limit or world.zone(corporation) or corporation.at is None:
        return False
    coloured = chart.zone(chart.down(corporation.at, shares)) != ""
    return coloured or fewer(world, player, corporation, shares) > 0


def purchases(world: World, player: int) -> Iterator[Move]:
    """Certificates that a player has the money and the room for, whatever was done before in the round."""
    cash, room = world.seats[player].cash, world.certificates(player) < world.limit
    for corporation in world.corporations.values():
        if not corporation.par:
            if room and not corporation.barred and may_hold(world, player, corporation, 2):
                yield from (
                    ("par", corporation.name, par) for par in world.title.chart.pars() if 2 * par <= cash
                )
        elif may_hold(world, player, corporation, 1) and (room or world.zone(corporation)):
            if corporation.offering and corporation.par <= cash:
                yield ("buy", corporation.name, "offering")
            if corporation.pool and world.price(corporation) <= cash:
                yield ("buy", corporation.name, "pool")


def take_certificate(corporation: Corporation, player: int) -> None:
    """The president's certificate, which is paid already or comes with a private."""
    corporation.offering -= 2
    corporation.shares[player] = corporation.held(player) + 2


def start(world: World, player: int, corporation: Corporation, par: int) -> None:
    """The holder of the president's certificate sets the par price."""
    corporation.par = par
    corporation.president = player
    world.enter(corporation, world.title.chart.pars()[par])
    float_if_due(world, corporation)


def buy(world: World, player: int, corporation: Corporation, source: str, price: int) -> None:
    """One share; the bank gets the money."""
    world.seats[player].cash -= price
    world.pay(-price)
    if source == "offering":
        corporation.offering -= 1
    else:
        corporation.pool -= 1
    corporation.shares[player] = corporation.held(player) + 1
    corporation.president = heir(world, corporation, corporation.shares)
    float_if_due(world, corporation)


def float_if_due(world: World, corporation: Corporation) -> None:
    """Ten times par, once, when enough shares are sold (R-1830-002, R-1889-003, R-AL-070, R-AL-071)."""
    sold = 10 - corporation.offering
    if corporation.par and not corporation.floated and sold >= world.title.floats_at:
        corporation.floated = True
        corporation.cash += world.pay(10 * corporation.par)


def exchanges(world: World) -> Iterator[Move]:
    """Privates that their owners may give for a share, at any time (R-1830-053, R-1889-054)."""
    for name, (company, sources) in world.title.exchanges.items():
        private, corporation = world.privates[name], world.corporations[company]
        if private.closed or not isinstance(private.owner, int):
            continue
        if may_hold(world, private.owner, corporation, 1):
            there = {"offering": corporation.free, "pool": corporation.pool}
            yield from (("exchange", name, source) for source in sources if there[source])


def exchange(world: World, name: str, source: str) -> None:
    private = world.privates[name]
    assert isinstance(private.owner, int)
    buy(world, private.owner, world.corporations[world.title.exchanges[name][0]], source, 0)
    private.closed = True
