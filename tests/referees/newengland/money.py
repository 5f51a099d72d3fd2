"""A second statement of the money of 18NewEngland's companies: dividends, redeeming and issuing, trains."""

from collections.abc import Iterator

from tests.referees.newengland.draft import Move
from tests.referees.newengland.model import TRAINS, Company, Major, Minor, World

# --- dividends --------------------------------------------------------------------------------------------------------


def halves(revenue: int) -> tuple[int, int]:
    paid = -(-revenue // 20) * 10
    return paid, revenue - paid


def steps(price: int, paid: int) -> int:
    if paid == 0:
        return -1
    return min(paid // price, 2)


def minor_income(world: World, minor: Minor, revenue: int) -> None:
    """Half to the owner, half to the treasury."""
    world.seats[world.head(minor)].cash += world.pay(revenue // 2)
    minor.cash += world.pay(revenue - revenue // 2)


def dividend(world: World, major: Major, revenue: int, option: str) -> None:
    """Withhold, half or full; shares in the treasury pay the company, those in the pool nobody."""
    paid, kept = {"withhold": (0, revenue), "half": halves(revenue), "pay": (revenue, 0)}[option]
    share = paid // 10
    for player, count in major.shares.items():
        if not world.seats[player].out:
            world.seats[player].cash += world.pay(count * share)
    major.cash += world.pay(kept + (major.offering + major.redeemed) * share)
    world.move(major, steps(major.price, paid))


# --- redeeming and issuing --------------------------------------------------------------------------------------------


def redemptions(major: Major) -> set[Move]:
    """Own shares of the pool that the treasury can pay."""
    most = min(major.pool, major.cash // major.price)
    return {("redeem", major.name, count) for count in range(1, most + 1)}


def redeem(world: World, major: Major, count: int) -> None:
    """At the present price; they are no offering shares from then on."""
    major.cash -= count * major.price
    world.pay(-count * major.price)
    major.pool -= count
    major.redeemed += count


def issues(major: Major) -> set[Move]:
    """Offering and redeemed shares that go to the pool at once; it holds 50 % at most."""
    return {
        ("issue", major.name, fresh, old)
        for fresh in range(major.offering + 1)
        for old in range(major.redeemed + 1)
        if 0 < fresh + old <= 5 - major.pool
    }


def issue(world: World, major: Major, fresh: int, old: int) -> None:
    """Par for each offering share, the price for each redeemed one, without the drop, which comes at the end."""
    major.cash += world.pay(fresh * major.par + old * major.price)
    major.offering -= fresh
    major.redeemed -= old
    major.pool += fresh + old


# --- trains -----------------------------------------------------------------------------------------------------------


def bank_trains(world: World) -> list[tuple[str, str]]:
    return [(name, "pool") for name in dict.fromkeys(world.junk)] + [(world.newest(), "bank")]


def affordable(world: World, company: Company) -> list[tuple[str, str]]:
    return [(name, source) for name, source in bank_trains(world) if TRAINS[name] <= company.cash]


def cheapest(world: World) -> int:
    return min(TRAINS[name] for name, _ in bank_trains(world))


def room(world: World, company: Company) -> bool:
    return len(company.trains) < world.train_limit(company)


def trades(world: World, company: Company) -> set[Move]:
    """Trains of other companies, for $1 up to the treasury."""
    if not room(world, company) or company.cash < 1:
        return set()
    others = (other for other in world.companies if other is not company and other.running)
    return {("train", name, other.name, 1, company.cash) for other in others for name in other.trains}


def purchases(world: World, company: Company) -> set[Move]:
    """Trains that the treasury can pay: train, source, least and highest price."""
    if not room(world, company):
        return set()
    own: set[Move] = {(*("train", n, s), TRAINS[n], TRAINS[n]) for n, s in affordable(world, company)}
    return own | trades(world, company)


def take_train(world: World, company: Company, name: str, source: str, price: int) -> None:
    """A train changes hands; the treasury has the money."""
    company.cash -= price
    if source in ("bank", "pool"):
        world.pay(-price)
        if source == "bank":
            assert world.take_new(company) == name
            return
        world.junk.remove(name)
    else:
        seller = world.company(source)
        seller.cash += price
        seller.trains.remove(name)
    company.trains.append(name)


def crowded(world: World) -> Iterator[Company]:
    """Companies with too many trains, in operating order."""
    companies = map(world.company, world.order())
    return (c for c in companies if c.running and len(c.trains) > world.train_limit(c))


def discard(world: World, company: Company, name: str) -> None:
    company.trains.remove(name)
    world.junk.append(name)
