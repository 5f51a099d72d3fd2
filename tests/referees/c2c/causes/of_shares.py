"""Causes in the packet and in stock and merger rounds."""

from typing import Any

from tests.referees.c2c import shares
from tests.referees.c2c.causes.every_cause import CAUSES, Ask
from tests.referees.c2c.market import PARS
from tests.referees.c2c.model import Corporation
from tests.referees.c2c.printed import CHEAPEST_START, EXTRA

SOURCES = {"offering": "offering", "market": "pool", "reissued": "pile"}


# --- the packet -----------------------------------------------------------------------------------------------


def _amounts(ask: Ask) -> tuple[int, int] | None:
    """What may be bid on the private now, from and to; None: nothing."""
    for move in ask.packet.moves():
        if move[1] == ask.cited("private"):
            price = ask.private.price
            return (price, price) if move[0] == "take" else (int(move[2]), int(move[3]))
    return None


def _no_such_amount(ask: Ask) -> bool:
    low, high = _amounts(ask) or (0, -1)
    return not low <= ask.given("amount") <= high


def _is_top(ask: Ask) -> bool:
    return ask.packet.contest is None and ask.cited("private") == ask.packet.column[0]


def _not_up(ask: Ask) -> bool:
    contest = ask.packet.contest
    return (
        contest.private != ask.cited("private") if contest else ask.cited("private") not in ask.packet.column
    )


CAUSES.update(
    {
        "packet.removals_first": lambda ask: (
            ask.packet.eliminating
            and ask.cited("left") == ask.packet.eliminations - len(ask.packet.gone)
            and ask.seat_of(ask.cited("player")) == ask.packet.player
            and ask.request.kind != "remove_private"
        ),
        "packet.removed_already": lambda ask: ask.private.gone,
        "auction.no_cash": lambda ask: not any(move[0] in ("take", "bid") for move in ask.packet.moves()),
        "auction.not_up": _not_up,
        "auction.too_dear": lambda ask: (
            _amounts(ask) is None
            and ask.cited("free") == ask.packet.free_cash(ask.seat, ask.cited("private"))
        ),
        "auction.at_its_price": lambda ask: _is_top(ask) and _no_such_amount(ask),
        "auction.whole_dollars": lambda ask: not _is_top(ask) and _no_such_amount(ask),
        "auction.taken_first": lambda ask: (
            ask.packet.for_nothing and ask.cited("private") == ask.packet.column[0]
        ),
    }
)


# --- buying and selling -----------------------------------------------------------------------------------------


def _startable(ask: Ask) -> list[Corporation]:
    found = ask.world.corporations.values()
    return [c for c in found if c.kind == "single" and c.president is None and not c.closed]


def _costs(corporation: Corporation) -> list[int]:
    """What its shares cost, wherever some are."""
    places = [place for place in shares.SOURCES if shares.stock_of(corporation, place)]
    return [shares.cost(corporation, place) for place in places]


def _pool_too_full(ask: Ask) -> bool:
    corporation, count = ask.named, int(ask.cited("count"))
    shares = corporation.pool + count
    percent = 100 * shares // corporation.total
    return 2 * shares > corporation.total and bool(ask.cited("percent") == percent)


def _no_successor(ask: Ask) -> bool:
    corporation, count = ask.named, ask.given("shares") or 1
    held = shares.left_after(corporation, ask.seat, count)
    return count > corporation.singles(ask.seat) and shares.heir(ask.world, corporation, held) == ask.seat


def _source(ask: Ask) -> tuple[Corporation, str]:
    return ask.named, SOURCES[ask.cited("source")]


def _none_there(ask: Ask) -> bool:
    return not shares.stock_of(*_source(ask))


def _share_too_dear(ask: Ask) -> bool:
    return bool(shares.cost(*_source(ask)) == ask.cited("price") > ask.cash == ask.cited("cash"))


def _no_share(ask: Ask) -> bool:
    """None that may be bought: too dear, or no room."""
    return not any(move[0] == "buy" for move in ask.stock.purchases())


CAUSES.update(
    {
        "stock.purchase_made": lambda ask: ask.stock.bought,
        "stock.several_from_market": lambda ask: ask.stock.bought and bool(ask.stock.several),
        "stock.sold_before_purchase": lambda ask: ask.stock.stage == "done",
        "limits.at_limit": lambda ask: (
            ask.world.certificates(ask.seat_of(ask.cited("player"))) == ask.cited("limit") == ask.world.limit
        ),
        "limits.above_limit": lambda ask: (
            ask.world.certificates(ask.seat_of(ask.cited("player"))) > ask.cited("limit") == ask.world.limit
        ),
        "limits.sell_certificates": lambda ask: (
            ask.world.certificates(ask.seat) == ask.cited("held") > ask.cited("limit")
            and not ask.stock.may_pass()
        ),
        "selling.first_round": lambda ask: ask.stock.first and ask.play.set == 1,
        "selling.first_with_shares": lambda ask: ask.stock.first and ask.play.set > 1,
        "selling.nothing": lambda ask: not list(ask.stock.sales()),
        "selling.holds_none": lambda ask: not ask.named.held(ask.seat),
        "selling.holds_fewer": lambda ask: (
            not 1 <= ask.cited("count") <= ask.cited("held") == ask.named.held(ask.seat)
        ),
        "selling.pool_limit": _pool_too_full,
        "presidency.no_successor": _no_successor,
        "buying.closed": lambda ask: ask.named.closed,
        "buying.not_started": lambda ask: ask.named in _startable(ask),
        "buying.not_formed": lambda ask: ask.named.kind == "national" and not ask.named.open,
        "buying.none_started": lambda ask: not list(ask.world.open_ones()),
        "buying.none_on_sale": lambda ask: ask.named.open and not _costs(ask.named),
        "buying.none_for_cash": lambda ask: (
            bool(_costs(ask.named)) and min(_costs(ask.named)) > ask.cash == ask.cited("cash")
        ),
        "buying.no_share_for_cash": lambda ask: _no_share(ask) and ask.cited("cash") == ask.cash,
        "buying.none_there": _none_there,
        "buying.not_from_there": lambda ask: ask.cited("source") not in SOURCES,
        "buying.share_too_dear": _share_too_dear,
        "buying.started_already": lambda ask: ask.named.open and ask.cited("par") == ask.named.par,
        "buying.not_by_players": lambda ask: ask.named.kind == "national",
        "buying.none_to_start": lambda ask: not _startable(ask),
        "buying.certificate_too_dear": lambda ask: (
            ask.named in _startable(ask)
            and ask.cited("cost") == CHEAPEST_START > ask.cash == ask.cited("cash")
        ),
        "buying.no_start_for_cash": lambda ask: (
            ask.cited("cost") == CHEAPEST_START > ask.cash == ask.cited("cash")
        ),
        "buying.par_too_dear": lambda ask: (
            ask.given("price") in PARS and ask.cited("cost") == 2 * ask.given("price") > ask.cash
        ),
        "buying.not_among_pars": lambda ask: ask.given("price") not in PARS,
    }
)


# --- privates between players -------------------------------------------------------------------------------------


def _of_players(ask: Ask) -> dict[str, int]:
    privates = ask.world.privates.values()
    return {p.name: p.owner for p in privates if isinstance(p.owner, int) and not p.gone}


def _room(ask: Ask, seat: int) -> bool:
    return ask.world.certificates(seat) < ask.world.limit


CAUSES.update(
    {
        "private_trade.nobody_has_any": lambda ask: not {*_of_players(ask).values()} - {ask.seat},
        "private_trade.none_of_yours": lambda ask: ask.seat not in _of_players(ask).values(),
        "private_trade.no_buyer": lambda ask: (
            not any(_room(ask, seat) for seat in range(len(ask.world.seats)) if seat != ask.seat)
        ),
        "private_trade.of_no_other": lambda ask: (
            _of_players(ask).get(ask.cited("private"), ask.seat) == ask.seat
            and ask.given("private") is not None
        ),
        "private_trade.not_yours": lambda ask: _of_players(ask).get(ask.cited("private")) != ask.seat,
        "private_trade.no_such_player": lambda ask: ask.seat_of(ask.cited("buyer")) in (-1, ask.seat),
        "private_trade.whole_dollars": lambda ask: ask.given("price") < 0,
        "private_trade.too_dear": lambda ask: _cannot_pay(ask),
    }
)


def _cannot_pay(ask: Ask) -> bool:
    seat = ask.seat_of(ask.cited("player"))
    return bool(ask.cited("price") > ask.world.seats[seat].cash)


# --- own shares, privatization, tokens at float ---------------------------------------------------------------------


def _out(corporation: Corporation) -> int:
    return corporation.pool + sum(corporation.shares.values())


def _presides(ask: Ask) -> bool:
    return any(c.president == ask.seat for c in ask.world.open_ones())


def _source_has_none(ask: Ask) -> bool:
    seat = ask.seat_of(ask.cited("source"))
    return not ask.named.pool and (seat < 0 or not ask.named.singles(seat))


def _able(ask: Ask, corporation: Corporation) -> bool:
    return corporation.president == ask.seat and 10 * corporation.held(ask.seat) >= 6 * corporation.total


def _others(ask: Ask, corporation: Corporation) -> bool:
    return any(held for player, held in corporation.shares.items() if player != ask.seat)


def _privatized_too_dear(ask: Ask) -> bool:
    due = shares.privatized(ask.world, ask.named)
    return bool(due == ask.cited("price") > ask.cash == ask.cited("cash"))


def _no_privatization(ask: Ask) -> bool:
    """No share that could be taken: no such presidency, nobody else with a share, no money, or no room."""
    return not any(move[0] == "privatize" for move in ask.stock.purchases())


def _not_from(ask: Ask) -> bool:
    seat = ask.seat_of(ask.cited("seller"))
    return seat in (-1, ask.seat) or not ask.named.held(seat)


def _no_such_tokens(ask: Ask) -> bool:
    corporation, wanted = ask.named, ask.given("tokens")
    if corporation.name != ask.stock.floating or ask.cited("par") != corporation.par:
        return False
    prices = [] if wanted == "none" else [int(price) for price in wanted.split("+")]
    sold = [price for price in EXTRA[corporation.par] if price in prices]
    return prices != sold or sum(prices) > corporation.cash


CAUSES.update(
    {
        "own_shares.no_company": lambda ask: not _presides(ask),
        "own_shares.not_president": lambda ask: ask.named.president != ask.seat,
        "own_shares.once_a_round": lambda ask: ask.named.name in ask.stock.own,
        "own_shares.none_redeemed": lambda ask: not ask.named.redeemed,
        "own_shares.not_floated": lambda ask: not ask.named.floated,
        "own_shares.too_dear": lambda ask: (
            ask.named.price == ask.cited("price") > ask.named.cash == ask.cited("cash")
        ),
        "own_shares.too_few_left": lambda ask: 10 * (_out(ask.named) - 1) < 6 * ask.named.total,
        "own_shares.market_first": lambda ask: ask.named.pool > 0 and ask.given("source") != "market",
        "own_shares.holds_none": _source_has_none,
        "privatizing.holds_too_little": lambda ask: not _able(ask, ask.named),
        "privatizing.nobody_else": lambda ask: not _others(ask, ask.named),
        "privatizing.too_dear": _privatized_too_dear,
        "privatizing.of_no_company": _no_privatization,
        "privatizing.not_from": _not_from,
        "exchange.no_private": lambda ask: ask.request.entity not in ask.world.privates,
        "exchange.for_nothing": lambda ask: ask.cited("private") == ask.request.entity,
        "float_tokens.prices": _no_such_tokens,
        "float_tokens.decided_first": lambda ask: (
            ask.cited("company") == ask.stock.floating and ask.request.kind != "buy_tokens"
        ),
        "float_tokens.nobody_floats": lambda ask: not ask.stock.floating,
    }
)


# --- mergers --------------------------------------------------------------------------------------------------------


def _pair(ask: Ask) -> list[Corporation]:
    return [
        ask.world.corporations[str(ask.given(name))] for name in ("company", "partner") if ask.given(name)
    ]


def _no_partner(ask: Ask) -> bool:
    return not any(ask.cited("company") in move for move in ask.merging.moves())


def _neither(ask: Ask) -> bool:
    return all(ask.world.corporations[name].president != ask.seat for name in ask.cited("companies"))


def _nobody(ask: Ask) -> bool:
    pair = _pair(ask)
    return all(sum(old.held(p) for old in pair) // 2 < 2 for p in range(len(ask.world.seats)))


def _of_the_pair(ask: Ask, name: Any) -> bool:
    return name in {corporation.name for corporation in _pair(ask)}


CAUSES.update(
    {
        "merger.single_only": lambda ask: (
            _of_the_pair(ask, ask.cited("company"))
            and ask.world.corporations[ask.cited("company")].kind != "single"
        ),
        "merger.not_operated": lambda ask: (
            _of_the_pair(ask, ask.cited("company"))
            and not ask.world.corporations[ask.cited("company")].operated
        ),
        "merger.no_track_between": lambda ask: not ask.play.map.joined(*(c.name for c in _pair(ask))),
        "merger.nobody_to_preside": _nobody,
        "merger.presides_over_neither": _neither,
        "merger.refused_before": lambda ask: frozenset(ask.cited("companies")) in ask.merging.refused,
        "merger.no_partner_left": _no_partner,
        "merger.named_first": lambda ask: (
            ask.given("company") == ask.cited("partner")
            and any({ask.cited("company"), ask.cited("partner")} <= {*move} for move in ask.merging.moves())
        ),
        "merger.with_itself": lambda ask: ask.given("company") == ask.given("partner"),
    }
)
