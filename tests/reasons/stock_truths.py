"""When the reasons of stock rounds are so."""

from engine.core.state import Stock
from tests.reasons.truths import Seen, truth

IN_STOCK = {"sell_shares", "buy_share", "par", "start_minor", "buy_private", "sell_private"}


# --- selling -----------------------------------------------------------------------------------------------------


@truth("selling.first_round")
def first_round(seen: Seen) -> bool:
    """No stock round came before."""
    now = seen.state.round
    return isinstance(now, Stock) and (now.number == 1 or now.first)


@truth("selling.holds_none")
def holds_none(seen: Seen) -> bool:
    """Nothing of the company that was named."""
    return seen.given.get("company") == seen.company.id and not seen.held(seen.request.actor, seen.company)


@truth("selling.holds_fewer")
def holds_fewer(seen: Seen) -> bool:
    """Less than this many, or this many are none."""
    shares = seen.held(seen.request.actor, seen.company) // seen.company.share
    return shares == seen.values["held"] and not 1 <= seen.given["shares"] <= shares


@truth("selling.no_price")
def no_price(seen: Seen) -> bool:
    """Nobody has started it."""
    return seen.company.par is None and seen.held(seen.request.actor, seen.company) > 0


@truth("selling.only_certificate")
def only_certificate(seen: Seen) -> bool:
    """A minor has one certificate."""
    return seen.is_minor(seen.company.id) and seen.company.certificate_holder == seen.request.actor


@truth("selling.pool_limit")
def pool_limit(seen: Seen) -> bool:
    """The market takes half of a company."""
    count = seen.given.get("shares", 1) if seen.values["count"] != 1 else 1
    return seen.company.shares.get("market", 0) + count * seen.company.share > 50


@truth("presidency.no_successor")
def no_successor(seen: Seen) -> bool:
    """The certificate would have to go, and nobody else has as much as it is worth."""
    company, player = seen.company, seen.request.actor
    others = [one.id for one in seen.state.players if one.id != player and not one.bankrupt]
    count = seen.given.get("shares", 1)
    kept = company.certificate_holder == player and company.shares.get(player, 0) < count * company.share
    left = seen.held(player, company) - count * company.share
    # the certificate counts as its share; who takes it must have more than the seller keeps
    takes = [one for one in others if company.shares.get(one, 0) >= max(company.certificate, left + 1)]
    first = company.certificate_holder == player and company.shares.get(player, 0) < company.share
    return (kept or first) and not takes


@truth("selling.nothing")
def nothing_to_sell(seen: Seen) -> bool:
    """Every block is stopped by the market or the presidency."""
    return not any(may_sell_one(seen, name) for name in seen.state.companies)


def may_sell_one(seen: Seen, name: str) -> bool:
    """Whether one share of a company could be sold."""
    company, player = seen.state.companies[name], seen.request.actor
    if company.par is None or company.certificate == 100 or not seen.held(player, company):
        return False
    if company.shares.get("market", 0) + company.share > 50:
        return False
    if company.certificate_holder != player or company.shares.get(player, 0) >= company.share:
        return True
    others = [one.id for one in seen.state.players if one.id != player and not one.bankrupt]
    return any(company.shares.get(one, 0) >= company.certificate for one in others)


# --- buying ------------------------------------------------------------------------------------------------------


@truth("choice.no_company")
def no_company(seen: Seen) -> bool:
    """The table has none of this name."""
    return seen.values["company"] not in seen.spec.companies


@truth("buying.sold_in_round")
def sold_in_round(seen: Seen) -> bool:
    """The player sold some of it in this round."""
    now = seen.state.round
    return isinstance(now, Stock) and seen.company.id in now.sold.get(seen.request.actor, [])


@truth("buying.not_from_there")
def not_from_there(seen: Seen) -> bool:
    """No place where shares of this company are ever on sale."""
    return seen.given["source"] not in {"offering", "market", seen.company.id}


@truth("buying.none_there")
def none_there(seen: Seen) -> bool:
    """None lies there."""
    return not seen.company.shares.get(seen.given["source"])


@truth("buying.not_started")
def not_started(seen: Seen) -> bool:
    """The president's certificate is still to be had, by somebody."""
    return seen.company.par is None and seen.title != "18newengland"


@truth("buying.none_started")
def none_started(seen: Seen) -> bool:
    """Not one company is."""
    return seen.title != "18newengland" and all(c.par is None for c in seen.state.companies.values())


@truth("buying.not_formed")
def not_formed(seen: Seen) -> bool:
    """A major that no merger has made yet."""
    return seen.company.par is None and not seen.is_minor(seen.company.id) and seen.title == "18newengland"


@truth("buying.none_formed")
def none_formed(seen: Seen) -> bool:
    """No major is there."""
    majors = [c for c in seen.state.companies.values() if not seen.is_minor(c.id)]
    return seen.title == "18newengland" and all(c.par is None for c in majors)


@truth("buying.no_shares", "redeem.no_shares", "issue.no_shares")
def no_shares(seen: Seen) -> bool:
    """It is a minor."""
    return seen.is_minor(seen.company.id)


@truth("buying.none_on_sale")
def none_on_sale(seen: Seen) -> bool:
    """Every share is in somebody's hands."""
    return seen.company.par is not None and not list(seen.places(seen.company))


@truth("buying.none_for_cash")
def none_for_cash(seen: Seen) -> bool:
    """Shares are on sale, each for more."""
    found = list(seen.places(seen.company))
    return bool(found) and all(price > seen.cash(seen.request.actor) for _, price in found)


@truth("buying.share_too_dear")
def share_too_dear(seen: Seen) -> bool:
    """That one is, by its present price."""
    price = dict(seen.places(seen.company))[seen.given["source"]]
    return bool(price == seen.values["price"] > seen.cash(seen.request.actor))


@truth("buying.no_share_for_cash")
def no_share_for_cash(seen: Seen) -> bool:
    """Whatever is on sale for the money is not to be had for another reason."""
    return not any(may_buy(seen, name) for name in seen.state.companies)


def may_buy(seen: Seen, name: str) -> bool:
    """Whether the player could buy a share of a company by all that is printed."""
    company, player, now = seen.state.companies[name], seen.request.actor, seen.state.round
    if company.par is None or not isinstance(now, Stock):
        return False
    if name in now.sold.get(player, []):
        return False
    zone = seen.t.grid.zone(company.cell) if company.cell else None
    if seen.held(player, company) + company.share > 60 and not (zone and zone.over_holding_limit):
        return False
    if seen.certificates(player) >= limit(seen) and (zone is None or zone.counts_for_limit):
        return False
    return any(price <= seen.cash(player) for _, price in seen.places(company))


def limit(seen: Seen) -> int:
    """Certificates that a player may hold, by the number of players."""
    return seen.spec.players[len(seen.state.players)].certificates


@truth("buying.closed", "merger.closed", "minors.closed")
def closed(seen: Seen) -> bool:
    """It has left the game."""
    return seen.company.closed


@truth("buying.started_already", "draft.started_already", "minors.started_already", "merger.started_already")
def started_already(seen: Seen) -> bool:
    """It has a par price; what is formed by mergers is no minor."""
    return seen.company.par is not None and not (
        seen.request.kind in {"merge", "convert"} and seen.is_minor(seen.company.id)
    )


@truth("buying.not_by_players")
def not_by_players(seen: Seen) -> bool:
    """In 18NewEngland nobody buys a president's certificate to start a company: it has none as yet, and is open."""
    return seen.title == "18newengland" and seen.company.par is None and not seen.company.closed


@truth("buying.none_to_start")
def none_to_start(seen: Seen) -> bool:
    """Every company is started, or is none that players start."""
    return seen.title == "18newengland" or all(
        c.par is not None or c.certificate_holder != "offering" for c in seen.state.companies.values()
    )


def pars(seen: Seen) -> list[int]:
    """Prices in cells of the market that are marked as par prices."""
    return [price for price, _ in seen.t.grid.pars()]


@truth("buying.certificate_too_dear")
def certificate_too_dear(seen: Seen) -> bool:
    """Even at the lowest par."""
    cost = min(pars(seen)) * seen.company.certificate // 10
    return cost == seen.values["cost"] > seen.cash(seen.request.actor) and seen.company.par is None


@truth("buying.no_start_for_cash")
def no_start_for_cash(seen: Seen) -> bool:
    """Not even the smallest certificate."""
    left = [c for c in seen.state.companies.values() if c.par is None and c.certificate_holder == "offering"]
    return min(min(pars(seen)) * c.certificate // 10 for c in left) > seen.cash(seen.request.actor)


@truth("buying.par_too_dear")
def par_too_dear(seen: Seen) -> bool:
    """At this par."""
    return bool(seen.given["price"] * seen.company.certificate // 10 > seen.cash(seen.request.actor))


@truth("buying.not_among_pars", "buying.not_a_par")
def not_a_par(seen: Seen) -> bool:
    """No cell has this price."""
    return seen.given["price"] not in pars(seen)


# --- limits and the order of a turn --------------------------------------------------------------------------------


@truth("limits.holding")
def holding(seen: Seen) -> bool:
    """One more certificate would be more than 60 %."""
    more = seen.company.certificate if seen.request.kind == "par" else seen.company.share
    return seen.held(seen.request.actor, seen.company) + more > 60


@truth("limits.at_limit")
def at_limit(seen: Seen) -> bool:
    """Just as many as allowed."""
    return seen.certificates(seen.request.actor) == limit(seen)


@truth("limits.above_limit", "limits.sell_certificates")
def above_limit(seen: Seen) -> bool:
    """More than allowed."""
    return seen.certificates(seen.values["player"]) > limit(seen)


@truth("limits.sell_holding")
def sell_holding(seen: Seen) -> bool:
    """More than 60 % of a company."""
    return seen.held(seen.request.actor, seen.company) > 60


@truth("stock.what_is_possible", "stock.only_beside_trading")
def what_is_possible(seen: Seen) -> bool:
    """A request for something else: what belongs into a stock round has its own reason."""
    never = seen.request.kind == "start_minor" and seen.title != "18newengland"
    return never or seen.request.kind not in IN_STOCK | {"pass", "end_game", "answer"}


@truth("stock.purchase_made")
def purchase_made(seen: Seen) -> bool:
    """The player has bought in this turn."""
    now = seen.state.round
    return isinstance(now, Stock) and now.bought is not None and seen.request.kind != "sell_shares"


@truth("stock.sold_before_purchase")
def sold_before_purchase(seen: Seen) -> bool:
    """18AL, 18TN 3.2: all sales before the purchase, or all after it."""
    now = seen.state.round
    return purchase_order(seen) and isinstance(now, Stock) and now.sold_first


def purchase_order(seen: Seen) -> bool:
    """Whether a sale is asked for after a purchase."""
    now = seen.state.round
    return (
        isinstance(now, Stock)
        and now.bought is not None
        and seen.request.kind in {"sell_shares", "sell_private"}
    )


@truth("stock.several_from_market")
def several_from_market(seen: Seen) -> bool:
    """The player has bought one from the market that lets more follow."""
    return purchase_made(seen)
