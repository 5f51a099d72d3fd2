"""Steps kept open for privates that could still make them useful.

A step is over when the company says so, or when nothing that is possible now, purchases of privates
included, could give it anything to do (18Chesapeake 7.1, 11).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from engine.core.ids import Coord, PrivateId
from engine.core.spec import BridgePower, TerrainDiscountPower, TileLayPower, TitleSpec, TrainDiscountPower
from engine.play.privates.private_purchases import private_obstacle, private_prices
from engine.play.table import Table
from engine.play.track.company_lay import fitting_tiles, hexes_in_reach
from engine.play.track.lay_rules import blocked_by, next_lay
from engine.play.track.private_lay import has_room, power_hexes, tile_power
from engine.play.track.terrain import helps_in, lay_help, pays_here, terrain_cost, turn_discount
from engine.play.trains.phases import trains_for_sale
from engine.play.trains.purchase_options import at_limit, bank_is_closed

Use: TypeAlias = Callable[[Table, PrivateId, int], bool]
"""Test of a private's use to the operating company, with N dollars left after buying it."""


def would_open(t: Table, step: str) -> bool:
    """True if buying an available private would give this step something to do.

    It is counted with the money that the treasury keeps after the lowest price. Steps that no private
    opens: False.
    """
    return any(
        USES[step](t, private, t.company.cash - private_prices(t, private).low)
        for private in t.spec.cached(_useful).get(step, ())
        if _is_awaited(t, private)
    )


def awaited_purchases(t: Table) -> list[PrivateId]:
    """Privates on sale for which the turn waits."""
    return [private for private in t.state.privates if _is_awaited(t, private)]


def _is_awaited(t: Table, private: PrivateId) -> bool:
    early = t.phase.buy_privates is None and t.rules.flag("first_round_purchases_hold_no_step")
    return not early and private_obstacle(t, private) is None


def _useful(spec: TitleSpec) -> Mapping[str, Sequence[PrivateId]]:
    """Privates that could ever open each step."""
    laying, discount = TileLayPower | BridgePower | TerrainDiscountPower, TrainDiscountPower
    useful = spec.privates.items()
    return {
        "track": [
            name for name, p in useful if p.blocks or any(isinstance(power, laying) for power in p.powers)
        ],
        "trains": [name for name, p in useful if any(isinstance(power, discount) for power in p.powers)],
    }


def _brings_a_lay(t: Table, private: PrivateId, money: int) -> bool:
    """True if its power lays a tile, or it blocks a hex that would then be open to the company's own lay."""
    if t.turn.pair is not None:
        return False
    power = tile_power(t, private)
    by_power = power is not None and has_room(t, power) and bool(power_hexes(t, power, money))
    if by_power or next_lay(t) is None:
        return by_power
    return _opens_a_hex(t, private, money) or _pays_for_a_hex(t, private, money)


def _pays_for_a_hex(t: Table, private: PrivateId, money: int) -> bool:
    """True if its discount makes the terrain of some hex affordable."""
    one, whole = lay_help(t, private), turn_discount(t, private)
    if one is None and whole is None:
        return False
    dear = (
        coord
        for coord in hexes_in_reach(t)
        if terrain_cost(t, coord) > money and blocked_by(t, coord) is None
    )
    return any(_would_cost(t, private, coord) <= money and bool(fitting_tiles(t, coord)) for coord in dear)


def _would_cost(t: Table, private: PrivateId, coord: Coord) -> int:
    """Terrain cost of a hex with the private's discount; None where it does not apply."""
    whole = turn_discount(t, private)
    if whole is not None:
        return terrain_cost(t, coord) - (whole.amount if pays_here(t, private, coord) else 0)
    return terrain_cost(t, coord, private) if helps_in(t, private, coord) else terrain_cost(t, coord)


def _opens_a_hex(t: Table, private: PrivateId, money: int) -> bool:
    blocked = [coord for coord in t.spec.privates[private].blocks if blocked_by(t, coord) == private]
    return any(
        coord in hexes_in_reach(t) and terrain_cost(t, coord) <= money and bool(fitting_tiles(t, coord))
        for coord in blocked
    )


def _lowers_a_price(t: Table, private: PrivateId, money: int) -> bool:
    """True if it reduces the price of a train now for sale."""
    wide = t.rules.flag("discount_beside_other_purchases")
    if at_limit(t) or (bank_is_closed(t) and not wide) or t.rules.flag("asks_when_nothing_is_legal"):
        return False
    for_sale = [*trains_for_sale(t), *(t.state.pool if wide else [])]
    return any(
        train in power.trains and t.spec.train(train).price * power.percent // 100 <= money
        for power in t.spec.privates[private].powers
        if isinstance(power, TrainDiscountPower)
        for train in for_sale
    )


USES: Final[Mapping[str, Use]] = {"track": _brings_a_lay, "trains": _lowers_a_price}
"""Uses of privates, by step."""
