"""A second statement of 18C2C's money: private revenue, dividends, trains."""

from collections.abc import Iterator

from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.packet import Move
from tests.referees.c2c.printed import NATIONALS, PHASES, PRIVATES, RUSTS, TRAINS

# --- dividends --------------------------------------------------------------------------------------------------------


def privates_pay(world: World) -> None:
    """At the start of every operating round, corporations too (R-C2C-02B)."""
    for private in world.privates.values():
        if private.gone or private.owner is None:
            continue
        revenue = world.pay(PRIVATES[private.name][1])
        if isinstance(private.owner, int):
            world.seats[private.owner].cash += revenue
        else:
            world.corporations[private.owner].cash += revenue


def shares_paid(corporation: Corporation, revenue: int, option: str, count: int) -> int:
    """Dollars for this many shares in one hand (R-C2C-201 and its reading for twenty shares)."""
    if option == "half":
        return count * -(-revenue // (2 * corporation.total))
    return -(-count * revenue // corporation.total) if option == "pay" else 0


def dividend(
    world: World, corporation: Corporation, revenue: int, option: str, *, destination: bool = False
) -> None:
    """Full, half or none of it to the shares; those of offering and treasury pay the treasury, the pool's nobody."""
    own = corporation.offering + corporation.pile + corporation.redeemed
    part = {"pay": 0, "half": revenue - shares_paid(corporation, revenue, "half", corporation.total)}
    kept = part.get(option, revenue)
    corporation.cash += world.pay(kept + shares_paid(corporation, revenue, option, own))
    for player, count in corporation.shares.items():
        world.seats[player].cash += world.pay(shares_paid(corporation, revenue, option, count))
    if option == "pay" and revenue:
        world.move_right(corporation, 1 if destination else max(1, occupied(corporation)))
    elif not destination and (option == "withhold" or not revenue):
        world.move_left(corporation)


def occupied(corporation: Corporation) -> int:
    """Shells that hold a train (R-C2C-204)."""
    return sum(bool(shell) for shell in corporation.shells)


# --- trains -----------------------------------------------------------------------------------------------------------


def bank_trains(world: World) -> list[tuple[str, str]]:
    new = world.newest()
    return [(name, "pool") for name in dict.fromkeys(world.junk)] + ([(new, "bank")] if new else [])


def affordable(world: World, corporation: Corporation) -> list[tuple[str, str]]:
    return [(name, source) for name, source in bank_trains(world) if TRAINS[name] <= corporation.cash]


def cheapest(world: World) -> int:
    return min(TRAINS[name] for name, _ in bank_trains(world))


def room(world: World, corporation: Corporation) -> bool:
    """True if another train has room (R-C2C-210, R-C2C-226)."""
    return len(corporation.trains) < world.train_limit * len(corporation.shells)


def trades(world: World, corporation: Corporation) -> set[Move]:
    """Trains of other corporations, for $1 up to the treasury."""
    if not room(world, corporation) or corporation.cash < 1:
        return set()
    others = (other for other in world.open_ones() if other is not corporation)
    return {("train", name, other.name, 1, corporation.cash) for other in others for name in other.trains}


def purchases(world: World, corporation: Corporation) -> set[Move]:
    """Trains the treasury can pay: train, source, least and highest price."""
    if not room(world, corporation):
        return set()
    new: set[Move] = {("train", n, s, TRAINS[n], TRAINS[n]) for n, s in affordable(world, corporation)}
    return new | trades(world, corporation)


def take_train(world: World, corporation: Corporation, name: str, source: str, price: int) -> str:
    """A train changes hands; says which phase it brings, if any."""
    corporation.cash -= price
    shell = min(corporation.shells, key=len)
    if source in ("bank", "pool"):
        world.pay(-price)
    else:
        world.corporations[source].cash += price
        remove(world.corporations[source], name)
    if source == "pool":
        world.junk.remove(name)
    shell.append(name)
    if source != "bank":
        return ""
    world.depot[name] -= 1
    return name if PHASES.index(name) > PHASES.index(world.phase) else ""


def remove(corporation: Corporation, name: str) -> None:
    next(shell for shell in corporation.shells if name in shell).remove(name)


def rust(world: World, phase: str) -> list[Corporation]:
    """A phase begins and trains rust everywhere; says who lost one and has none left (R-C2C-211, R-C2C-240)."""
    world.phase, rusty = phase, RUSTS.get(phase)
    world.junk = [train for train in world.junk if train != rusty]
    lost = [corporation for corporation in world.open_ones() if rusty in corporation.trains]
    for corporation in lost:
        corporation.shells = [[t for t in shell if t != rusty] for shell in corporation.shells]
    if phase == "5":
        for private in world.privates.values():
            private.gone = True
    if phase == "3D":
        world.bonuses = {}
    return [c for c in lost if not c.trains and c.kind != "national"] if phase in NATIONALS else []


def crowded(world: World) -> Iterator[Corporation]:
    """Corporations with too many trains on a shell, in operating order."""
    return (c for c in map(world.corporations.__getitem__, world.order()) if over(world, c))


def over(world: World, corporation: Corporation) -> set[str]:
    """Trains of shells above the limit."""
    return {train for shell in corporation.shells if len(shell) > world.train_limit for train in shell}


def discard(world: World, corporation: Corporation, name: str) -> None:
    shell = next(s for s in corporation.shells if name in s and len(s) > world.train_limit)
    shell.remove(name)
    world.junk.append(name)
