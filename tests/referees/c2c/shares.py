"""A second statement of what happens to shares in 18C2C: purchases, sales, presidencies, own shares."""

from collections.abc import Iterator

from tests.referees.c2c import market
from tests.referees.c2c.market import PARS
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import PRIVATIZED
from tests.referees.holdings import heir, left_after, may_sell

SOURCES = ("offering", "pile", "pool")

# --- presidency -------------------------------------------------------------------------------------------------------


def settle(world: World, corporation: Corporation) -> None:
    """The presidency passes at once."""
    corporation.shares = {player: count for player, count in corporation.shares.items() if count}
    corporation.president = heir(world, corporation, corporation.shares)


# --- sales ------------------------------------------------------------------------------------------------------------


def sales(world: World, player: int) -> Iterator[Move]:
    """Every sale that the rules of the stock round allow a player."""
    for corporation in world.open_ones():
        for count in range(1, corporation.held(player) + 1):
            if may_sell(world, player, corporation, count):
                yield ("sell", corporation.name, count)


def sell(world: World, player: int, corporation: Corporation, count: int) -> None:
    """Paid at the price before; a row down for each share (R-C2C-036)."""
    assert corporation.at is not None
    world.seats[player].cash += world.pay(count * corporation.price)
    corporation.shares = left_after(corporation, player, count)
    corporation.pool += count
    settle(world, corporation)
    world.put(corporation, market.fallen(corporation.at, count))


# --- purchases --------------------------------------------------------------------------------------------------------


def stock_of(corporation: Corporation, source: str) -> int:
    return {"offering": corporation.offering, "pile": corporation.pile, "pool": corporation.pool}[source]


def cost(corporation: Corporation, source: str) -> int:
    """Dollars for a share from a source (R-C2C-034, R-C2C-081)."""
    if source == "pile":
        return corporation.piles[0]
    return corporation.par if source == "offering" else corporation.price


def purchases(world: World, player: int) -> Iterator[Move]:
    """Shares and charters that a player can pay."""
    cash = world.seats[player].cash
    for corporation in world.open_ones():
        for source in SOURCES:
            if stock_of(corporation, source) and cost(corporation, source) <= cash:
                yield ("buy", corporation.name, source)
    for corporation in world.corporations.values():
        if corporation.kind == "single" and corporation.president is None and not corporation.closed:
            yield from (("start", corporation.name, par) for par in PARS if 2 * par <= cash)


def start(world: World, player: int, corporation: Corporation, par: int) -> None:
    """The president's certificate for twice the par price (R-C2C-033)."""
    world.seats[player].cash -= 2 * par
    world.pay(-2 * par)
    corporation.par, corporation.president, corporation.offering = par, player, 8
    corporation.shares = {player: 2}
    world.put(corporation, PARS[par])


def buy(world: World, player: int, corporation: Corporation, source: str) -> bool:
    """A share from a source; says whether the sixth has been sold and the corporation floats (R-C2C-060)."""
    amount = cost(corporation, source)
    world.seats[player].cash -= amount
    if source == "pile":
        corporation.piles.pop(0)
        corporation.cash += amount
    else:
        world.pay(-amount)
        corporation.offering -= int(source == "offering")
        corporation.pool -= int(source == "pool")
    corporation.shares[player] = corporation.held(player) + 1
    settle(world, corporation)
    if corporation.floated or corporation.offering > 4:
        return False
    corporation.floated = True
    corporation.cash += world.pay(10 * corporation.par)
    return True


# --- own shares -------------------------------------------------------------------------------------------------------


def redemptions(corporation: Corporation) -> Iterator[Move]:
    """One own share, from the pool or else from a player; six stay outside (R-C2C-080)."""
    outside = corporation.pool + sum(corporation.shares.values())
    if outside <= 6 * corporation.total // 10 or corporation.cash < corporation.price:
        return
    if corporation.pool:
        yield ("redeem", corporation.name, "pool")
        return
    for player in corporation.shares:
        if corporation.singles(player):
            yield ("redeem", corporation.name, player)


def redeem(world: World, corporation: Corporation, source: int | str) -> None:
    """At the market price, out of the treasury; the price stays."""
    amount = corporation.price
    corporation.cash -= amount
    corporation.redeemed += 1
    if isinstance(source, int):
        world.seats[source].cash += amount
        corporation.shares[source] -= 1
        settle(world, corporation)
    else:
        world.pay(-amount)
        corporation.pool -= 1


def reissue(corporation: Corporation) -> None:
    """All redeemed shares, at the market price but not below par (R-C2C-081)."""
    fresh = [max(corporation.price, corporation.par)] * corporation.redeemed
    corporation.piles = sorted(corporation.piles + fresh)
    corporation.redeemed = 0


def privatized(world: World, corporation: Corporation) -> int:
    """The price of a privatized share, rounded up (R-C2C-082)."""
    return -(-corporation.price * PRIVATIZED.get(world.phase, 300) // 100)


def privatizations(world: World, player: int) -> Iterator[Move]:
    """Shares of other players a president with six tenths may take."""
    cash = world.seats[player].cash
    for corporation in world.open_ones():
        able = corporation.president == player and 10 * corporation.held(player) >= 6 * corporation.total
        if able and privatized(world, corporation) <= cash:
            others = (p for p in corporation.shares if p != player and corporation.held(p))
            yield from (("privatize", corporation.name, other) for other in others)


def privatize(world: World, player: int, corporation: Corporation, other: int) -> None:
    """Without consent, player to player."""
    amount = privatized(world, corporation)
    world.seats[player].cash -= amount
    world.seats[other].cash += amount
    corporation.shares[player] += 1
    corporation.shares[other] -= 1
    settle(world, corporation)
