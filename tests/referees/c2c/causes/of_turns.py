"""Causes in a corporation's turn that have nothing to do with the map: trains, privates, markers, shells."""

from collections import Counter

from tests.referees.c2c import privates
from tests.referees.c2c.causes.every_cause import CAUSES, Ask
from tests.referees.c2c.forced import Forced
from tests.referees.c2c.model import Corporation
from tests.referees.c2c.money import bank_trains, cheapest, crowded, over, room
from tests.referees.c2c.printed import TRAINS, at_least_phase
from tests.referees.c2c.track import BONUSES

EARLY = {"EPP", "ACE", "KTC"}
"""Privates sold to corporations in phase 2."""


# --- trains -----------------------------------------------------------------------------------------------------


def _price(ask: Ask) -> bool:
    """The price is the printed one, and more than the treasury has."""
    due = TRAINS[ask.cited("train")]
    return bool(due == ask.cited("price") > ask.mine.cash == ask.cited("cash"))


def _elsewhere(ask: Ask, train: str) -> list[Corporation]:
    others = (c for c in ask.world.open_ones() if c is not ask.mine)
    return [other for other in others if train in other.trains]


def _not_for_sale(ask: Ask) -> bool:
    train = ask.cited("train")
    return train not in {name for name, _ in bank_trains(ask.world)} and not _elsewhere(ask, train)


def _seller_has_none(ask: Ask) -> bool:
    source, train = str(ask.given("source")), str(ask.cited("train"))
    if source in ("bank", "pool"):
        return (train, source) not in bank_trains(ask.world)
    return train not in ask.world.corporations[source].trains


def _duty(ask: Ask) -> bool:
    """Whether a train must be bought, and the treasury pays none."""
    assert ask.operating is not None
    return ask.operating._forced(ask.mine)


def _must_buy(ask: Ask) -> bool:
    assert ask.operating is not None
    return ask.operating._must_buy(ask.mine)


def _sells_nothing(ask: Ask) -> bool:
    """Not forced to buy one, or at another step of the turn."""
    return ask.steps[:1] != ["trains"] or not _must_buy(ask)


def _solvent(ask: Ask) -> bool:
    return ("bankrupt",) not in Forced(ask.world, ask.mine).moves()


CAUSES.update(
    {
        "trains.too_dear": _price,
        "trains.none_left": lambda ask: not bank_trains(ask.world),
        "trains.not_for_sale": _not_for_sale,
        "trains.not_for_sale_none_new": lambda ask: _not_for_sale(ask) and ask.world.newest() is None,
        "trains.none_from": _seller_has_none,
        "trains.from_itself": lambda ask: ask.given("source") == ask.mine.name,
        "trains.from_nobody": lambda ask: (
            ask.given("source") not in {"bank", "pool", *ask.world.corporations}
        ),
        "trains.fixed_price": lambda ask: (
            ask.given("price") != TRAINS[ask.cited("train")] == ask.cited("price")
        ),
        "trains.whole_dollars": lambda ask: ask.given("price") < 1,
        "trains.treasury_only": lambda ask: ask.given("price") > ask.mine.cash == ask.cited("cash"),
        "trains.no_dollar": lambda ask: not ask.mine.cash and bool(_elsewhere(ask, ask.given("train"))),
        "trains.no_cheaper_by_private": lambda ask: ask.cited("private") == ask.request.entity,
        "trains.has_to_buy": lambda ask: _must_buy(ask),
        "train_limit.reached": lambda ask: (
            not room(ask.world, ask.mine) and ask.cited("limit") == len(ask.mine.trains)
        ),
        "choice.no_train": lambda ask: ask.cited("train") not in TRAINS,
        "forced.cheapest_only": lambda ask: _duty(ask) and cheapest(ask.world) == ask.cited("price"),
        "forced.not_enough": lambda ask: _duty(ask) and Forced(ask.world, ask.mine).lacking > 0,
        "forced.treasury_only": lambda ask: _duty(ask) and not ask.mine.cash,
        "forced.no_privates": lambda ask: ask.operating is not None,
        "forced.sales_only_for_a_train": _sells_nothing,
        "forced.treasury_pays": lambda ask: _must_buy(ask) and not _duty(ask),
        "forced.cash_comes_first": lambda ask: _duty(ask) and not Forced(ask.world, ask.mine).lacking,
        "forced.nothing_to_sell": lambda ask: _duty(ask) and not set(Forced(ask.world, ask.mine).sales()),
        "forced.bankruptcy_only_for_a_train": lambda ask: not _duty(ask) or _solvent(ask),
        "forced.sold_out_first": lambda ask: _duty(ask) and bool(set(Forced(ask.world, ask.mine).sales())),
        "forced.presidency": lambda ask: (
            ask.given("company") == ask.mine.name
            and not Forced(ask.world, ask.mine)._keeps(ask.mine, ask.given("shares") or 1)
        ),
        "forced.more_than_needed": lambda ask: (
            Forced(ask.world, ask.mine).lacking == ask.cited("missing")
            and (ask.given("shares") - 1) * ask.world.corporations[ask.given("company")].price
            >= ask.cited("missing")
        ),
        "dividend.no_destination_run": lambda ask: (
            ask.operating is not None and not ask.operating.now.goal and "dividend" not in ask.steps
        ),
        "dividend.no_such_option": lambda ask: ask.given("option") not in {"pay", "half", "withhold"},
    }
)


# --- trains above the limit, and on two shells --------------------------------------------------------------------


def _crowded(ask: Ask) -> Corporation:
    found = next(crowded(ask.world))
    assert found.name == ask.cited("company")
    return found


def _shells(corporation: Corporation) -> list[list[str]]:
    return sorted(sorted(shell) for shell in corporation.shells)


def _ways(ask: Ask, corporation: Corporation) -> list[list[list[str]]]:
    """How the trains may lie on two shells."""
    trains = corporation.trains
    found = []
    for chosen in range(2 ** len(trains)):
        first = [train for place, train in enumerate(trains) if chosen >> place & 1]
        second = [train for place, train in enumerate(trains) if not chosen >> place & 1]
        if max(len(first), len(second)) <= ask.world.train_limit:
            found.append(sorted([sorted(first), sorted(second)]))
    return found


def _shared_out(ask: Ask) -> tuple[Corporation, list[str]]:
    return ask.world.corporations[ask.cited("company")], ask.given("first").split()


def _not_its_trains(ask: Ask) -> bool:
    corporation, first = _shared_out(ask)
    return bool(Counter(first) - Counter(corporation.trains))


def _as_they_lie(ask: Ask) -> bool:
    corporation, first = _shared_out(ask)
    return sorted(first) in _shells(corporation)


def _named_otherwise(ask: Ask) -> bool:
    """What is named fits, and lies as what is offered does, in another order or with the shells changed."""
    corporation, first = _shared_out(ask)
    left = list((Counter(corporation.trains) - Counter(first)).elements())
    most, named = max(len(first), len(left)), sorted(ask.cited("first").split())
    return most <= ask.world.train_limit and named in (sorted(first), sorted(left))


def _too_many(ask: Ask) -> bool:
    corporation, first = _shared_out(ask)
    most = max(len(first), len(corporation.trains) - len(first))
    return bool(most > ask.cited("limit") == ask.world.train_limit)


CAUSES.update(
    {
        "train_limit.discard_first": lambda ask: (
            len(_crowded(ask).shells) == 1
            and len(_crowded(ask).trains) > ask.cited("limit") == ask.world.train_limit
        ),
        "train_limit.shell_first": lambda ask: (
            len(_crowded(ask).shells) == 2 and max(map(len, _crowded(ask).shells)) > ask.cited("limit")
        ),
        "train_limit.no_such_train": lambda ask: ask.cited("train") not in _crowded(ask).trains,
        "train_limit.on_the_other_shell": lambda ask: (
            ask.cited("train") in _crowded(ask).trains
            and ask.cited("train") not in over(ask.world, _crowded(ask))
        ),
        "train_limit.nobody_above": lambda ask: not list(crowded(ask.world)),
        "merger.one_shell": lambda ask: len(ask.mine.shells) == 1,
        "merger.shuffled_before": lambda ask: ask.game.table.turn.shuffled and ask.mine is not None,
        "merger.shuffles_before_running": lambda ask: "run" not in ask.steps and ask.mine is not None,
        "merger.no_other_way": lambda ask: all(way == _shells(ask.mine) for way in _ways(ask, ask.mine)),
        "merger.not_its_trains": _not_its_trains,
        "merger.lie_so_already": _as_they_lie,
        "merger.no_such_way": _too_many,
        "merger.named_otherwise": _named_otherwise,
    }
)


# --- privates and markers -------------------------------------------------------------------------------------------


def _span(ask: Ask) -> tuple[int, int]:
    span = privates.prices(ask.world, ask.mine, ask.cited("private"))
    assert span is not None
    return span


def _in_phase_2(ask: Ask) -> bool:
    return not at_least_phase(ask.world.phase, "3")


def _based_elsewhere(ask: Ask) -> bool:
    outside = ask.mine.name in privates.BASED_OUTSIDE
    return _in_phase_2(ask) and ask.cited("private") == "KTC" and outside


def _with_players(ask: Ask) -> bool:
    return any(isinstance(p.owner, int) and not p.gone for p in ask.world.privates.values())


def _above_treasury(ask: Ask) -> bool:
    return bool(ask.given("price") == ask.cited("price") > ask.mine.cash == ask.cited("cash"))


def _out_of_range(ask: Ask) -> bool:
    private = ask.world.privates[ask.cited("private")]
    low, high = privates.prices(ask.world, ask.mine, private.name) or (0, -1)
    return private.value == ask.cited("face") and not low <= ask.given("price") <= high


def _owned(ask: Ask) -> bool:
    return ask.private.owner == ask.mine.name and not ask.private.gone


def _brings_nothing(ask: Ask) -> bool:
    """Neither the port's owner alone, nor a discount for tiles still to come."""
    name = ask.private.name
    port = name == "GSC" and name in ask.world.bonuses
    purse = name == "EPP" and not ask.private.spent and "track" in ask.steps
    return _owned(ask) and not port and not purse


def _none_to_place(ask: Ask) -> bool:
    mine = (p for p in ask.world.privates.values() if p.owner == ask.mine.name and not p.gone and not p.spent)
    return not any(p.name in BONUSES or p.name == "EPP" for p in mine)


def _marker_sellers(ask: Ask) -> set[str]:
    return {str(move[1]) for move in privates.markers_for_sale(ask.world, ask.mine)}


CAUSES.update(
    {
        "privates.not_now": lambda ask: at_least_phase(ask.world.phase, "5"),
        "privates.not_early": lambda ask: _in_phase_2(ask) and ask.cited("private") not in EARLY,
        "privates.early_for_based": _based_elsewhere,
        "privates.closed": lambda ask: ask.private.gone,
        "privates.of_no_player": lambda ask: not isinstance(ask.private.owner, int),
        "privates.none_with_players": lambda ask: not _with_players(ask),
        "privates.too_dear": lambda ask: (
            _span(ask)[0] == ask.cited("low") > ask.mine.cash == ask.cited("cash")
        ),
        "privates.price_range": _out_of_range,
        "privates.more_than_treasury": _above_treasury,
        "privates.too_late_for_tiles": lambda ask: (
            _in_phase_2(ask) and ask.cited("private") == "EPP" and "track" not in ask.steps
        ),
        "privates.no_marker": lambda ask: ask.cited("private") not in {*BONUSES, "EPP"},
        "privates.marker_placed": lambda ask: ask.private.spent,
        "privates.for_tiles_only": lambda ask: ask.private.at_once,
        "privates.marker_for_its_owner": lambda ask: not _owned(ask),
        "privates.no_marker_left": _none_to_place,
        "privates.closed_by_its_owner": lambda ask: not _owned(ask),
        "privates.closing_brings_nothing": _brings_nothing,
        "privates.none_to_close": lambda ask: ask.request.entity not in ask.world.privates,
        "privates.label_given": lambda ask: ask.cited("private") == "EPP" and ask.private.spent,
        "privates.lays_nothing": lambda ask: ask.cited("private") != "KTC",
        "privates.lays_for_its_owner": lambda ask: not _owned(ask),
        "privates.one_marker_is_enough": lambda ask: ask.mine.markers > 0,
        "privates.marker_too_dear": lambda ask: ask.mine.cash < privates.MARKER_PRICE == ask.cited("price"),
        "privates.marker_not_sold": lambda ask: not _marker_sellers(ask),
        "privates.sells_no_markers": lambda ask: ask.cited("private") != privates.ENGINEERS,
        "privates.marker_not_from": lambda ask: ask.cited("seller") not in _marker_sellers(ask),
    }
)
