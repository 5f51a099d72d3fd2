"""LV of 18Chesapeake at its trains; Ann is its president."""

from tests.titles.builders import Position, TitleGame


def lehigh(
    phase: str,
    treasury: int,
    *trains: str,
    profile: str = "rulebook",
    route: bool = True,
    from_log: int = 0,
) -> Position:
    """Ann holds 60 percent; a tile in its home is a route of two stops."""
    position = Position(profile=profile, from_log=from_log).phase(phase).start("LV", 95, a=60)
    position.trains("LV", *trains).treasury("LV", treasury).operating("LV", "trains")
    return position.tile("J2", "57", 1) if route else position


def held(position: Position) -> Position:
    """Bob has as much of LV as Ann, so she can sell nothing of it."""
    position.state.companies["LV"].shares = {"a": 20, "b": 40, "market": 20}
    return position


def forced(cash: int = 100, *, profile: str = "rulebook") -> Position:
    """Worked example 19: treasury 40, new 5 at 500, a discarded 4 at 300; Ann may sell PRR at 90."""
    position = lehigh("5", 40, profile=profile).pool("4").start("PRR", 95, at=(2, 4), b=40, a=30)
    return position.cash(a=cash)


def dear(cash: int = 260, *, owner: str = "b", shares: int = 30) -> Position:
    """A 4 in the pool for $300; PRR, at $90 a share, has a 5. Ann can sell nothing but her shares of PRR."""
    holders = {owner: 60} if owner == "a" else {owner: 60, "a": shares}
    position = held(lehigh("5", 40)).pool("4").start("PRR", 95, at=(2, 4), **holders)
    return position.trains("PRR", "5").cash(a=cash)


def agreed(position: Position, price: int) -> TitleGame:
    """Bob has agreed to sell the 5 of PRR at this price."""
    game = position.game()
    game.buy("LV", "5", price, "PRR")
    game.do("answer", "b", reply="agree")
    return game


def ruined() -> Position:
    """Worked example 21: Ann's only shares are those of the company, and Bob would take its presidency."""
    position = lehigh("5", 30).cash(a=50)
    lv = position.state.companies["LV"]
    lv.shares = {"a": 20, "b": 40}
    position.t.move_price(lv, (4, 2))
    return position
