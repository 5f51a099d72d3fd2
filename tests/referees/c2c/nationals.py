"""A second statement of Amtrak and Conrail (R-C2C-240 to R-C2C-248)."""

from tests.referees.c2c.market import price, top_row
from tests.referees.c2c.mergers import costliest_first, first_of, halved, inherit, pay_odd
from tests.referees.c2c.model import Corporation, World
from tests.referees.c2c.printed import NATIONALS

MIN_TOKENS = 8


def form(world: World, phase: str, names: list[str], buyer: int) -> str:
    """The national of a phase absorbs these corporations; says its name, or nothing where it does not form."""
    if not names:
        return ""
    olds = costliest_first(world, names)
    shares = halved(olds, len(world.seats))
    president = first_of(world, shares, olds[:1], buyer)
    if president is None:
        return ""
    cell = top_row(max(100, sum(old.price for old in olds) // len(olds)))
    new = Corporation(
        NATIONALS[phase], "national", par=price(cell), president=president, shares=shares, floated=True
    )
    new.pool = sum(old.pool for old in olds) // 2
    pay_odd(world, olds)
    _shrink(world, new)
    new.total = 10 if new.pool + sum(new.shares.values()) <= 10 else 20
    new.offering = new.total - new.pool - sum(new.shares.values())
    inherit(world, new, olds)
    new.charter += sum(len(old.goals) for old in olds)
    new.charter += max(0, MIN_TOKENS - new.charter - new.bulls - len(new.stands))
    for old in olds:
        world.vanish(old)
    world.corporations[new.name] = new
    world.put(new, cell)
    return new.name


def _shrink(world: World, new: Corporation) -> None:
    """Above twenty shares the pool, then players in reverse order from the president lose what is too much."""
    assert new.president is not None
    excess = new.pool + sum(new.shares.values()) - 20
    lost = max(0, min(excess, new.pool))
    new.pool -= lost
    for player in [new.president, *reversed(world.left_of(new.president)[:-1])]:
        keeps = 2 if player == new.president else 0
        taken = max(0, min(excess - lost, new.held(player) - keeps))
        if taken:
            new.shares[player] -= taken
            world.seats[player].cash += world.pay(taken * new.par)
            lost += taken
