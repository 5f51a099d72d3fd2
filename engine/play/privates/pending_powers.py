"""Steps that stay open because the company could buy a private and then act in the step with its power.

A step is over when the company passes, or when no action is possible in it, not even after buying a private
(18Chesapeake 7.1, 11).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from engine.core.ids import Coord, PrivateId
from engine.core.spec import (
    BridgePower,
    ExtraLaysPower,
    TerrainDiscountPower,
    TileLayPower,
    TitleSpec,
    TrainDiscountPower,
)
from engine.play.privates.private_purchases import private_obstacle, private_prices
from engine.play.table import Table
from engine.play.track.company_lay import fitting_tiles, hexes_for_connected_lay, own_lay_offer
from engine.play.track.lay_rules import blocking_private, next_own_lay
from engine.play.track.private_lay import has_private_lay_left, hexes_for_tile_power, tile_lay_power
from engine.play.track.terrain import (
    can_help_lay_in_hex,
    can_pay_in_hex,
    extra_lays_power,
    lay_help_power,
    terrain_cost,
    turn_discount_power,
)
from engine.play.trains.phases import trains_for_sale
from engine.play.trains.purchase_options import is_at_bank_train_limit, is_at_train_limit

UsefulnessTest: TypeAlias = Callable[[Table, PrivateId, int], bool]
"""A test of a private's usefulness: True if the company could use it with this much money left after buying it."""


def purchase_would_open_step(t: Table, step: str) -> bool:
    """True if the company could buy a private now and then act in this step with its power.

    The test uses the treasury left after paying the lowest price. It is False for steps in which no private helps.
    """
    return any(
        USEFULNESS_TEST_BY_STEP[step](t, private, t.company.cash - private_prices(t, private).low)
        for private in t.spec.cached(_useful_privates_by_step).get(step, ())
        if _turn_waits_for(t, private)
    )


def privates_holding_turn_open(t: Table) -> list[PrivateId]:
    """Privates that keep the company's turn open, because the company could buy them now."""
    return [private for private in t.state.privates if _turn_waits_for(t, private)]


def _turn_waits_for(t: Table, private: PrivateId) -> bool:
    ignores_early_sales = t.phase.private_price_percents is None and t.rules.has_flag(
        "first_round_purchases_hold_no_step"
    )
    return not ignores_early_sales and private_obstacle(t, private) is None


def _useful_privates_by_step(spec: TitleSpec) -> Mapping[str, Sequence[PrivateId]]:
    lay_power_types = TileLayPower | BridgePower | TerrainDiscountPower | ExtraLaysPower
    discount_power_type = TrainDiscountPower
    privates = spec.privates.items()
    return {
        "track": [
            name
            for name, p in privates
            if p.blocked_hexes or any(isinstance(power, lay_power_types) for power in p.powers)
        ],
        "trains": [
            name for name, p in privates if any(isinstance(power, discount_power_type) for power in p.powers)
        ],
    }


def _allows_lay(t: Table, private: PrivateId, treasury_left: int) -> bool:
    if t.turn.pair is not None:
        return False
    extra_power = extra_lays_power(t, private)
    if extra_power is not None:
        return not extra_power.anytime and own_lay_offer(t, private) is not None
    power = tile_lay_power(t, private)
    lays_in_track_step = power is not None and not power.anytime
    can_power_lay = (
        power is not None
        and lays_in_track_step
        and has_private_lay_left(t, power)
        and bool(hexes_for_tile_power(t, power, treasury_left))
    )
    if can_power_lay or next_own_lay(t) is None:
        return can_power_lay
    return _unblocks_hex(t, private, treasury_left) or _makes_hex_affordable(t, private, treasury_left)


def _makes_hex_affordable(t: Table, private: PrivateId, treasury_left: int) -> bool:
    lay_discount_power, discount_power_of_turn = lay_help_power(t, private), turn_discount_power(t, private)
    if lay_discount_power is None and discount_power_of_turn is None:
        return False
    unaffordable_hexes = (
        coord
        for coord in hexes_for_connected_lay(t)
        if terrain_cost(t, coord) > treasury_left and blocking_private(t, coord) is None
    )
    return any(
        _discounted_terrain_cost(t, private, coord) <= treasury_left and bool(fitting_tiles(t, coord))
        for coord in unaffordable_hexes
    )


def _discounted_terrain_cost(t: Table, private: PrivateId, coord: Coord) -> int:
    discount_power_of_turn = turn_discount_power(t, private)
    if discount_power_of_turn is not None:
        return terrain_cost(t, coord) - (
            discount_power_of_turn.amount if can_pay_in_hex(t, private, coord) else 0
        )
    return (
        terrain_cost(t, coord, private) if can_help_lay_in_hex(t, private, coord) else terrain_cost(t, coord)
    )


def _unblocks_hex(t: Table, private: PrivateId, treasury_left: int) -> bool:
    blocked_hexes = [
        coord for coord in t.spec.privates[private].blocked_hexes if blocking_private(t, coord) == private
    ]
    return any(
        coord in hexes_for_connected_lay(t)
        and terrain_cost(t, coord) <= treasury_left
        and bool(fitting_tiles(t, coord))
        for coord in blocked_hexes
    )


def _makes_train_cheaper(t: Table, private: PrivateId, treasury_left: int) -> bool:
    includes_pool = t.rules.has_flag("discount_beside_other_purchases")
    if (
        is_at_train_limit(t)
        or (is_at_bank_train_limit(t) and not includes_pool)
        or t.rules.has_flag("asks_when_nothing_is_legal")
    ):
        return False
    trains = [*trains_for_sale(t), *(t.state.pool if includes_pool else [])]
    return any(
        train in power.trains and power.reduced_price(t.spec.train(train).price) <= treasury_left
        for power in t.spec.privates[private].powers
        if isinstance(power, TrainDiscountPower)
        for train in trains
    )


USEFULNESS_TEST_BY_STEP: Final[Mapping[str, UsefulnessTest]] = {
    "track": _allows_lay,
    "trains": _makes_train_cheaper,
}
"""For each step, the test of a private's usefulness to the company in that step."""
