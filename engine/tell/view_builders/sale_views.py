"""Views of initial sales as cards: privates in an auction or companies in a draft, and upcoming events."""

from collections import Counter
from collections.abc import Iterator, Mapping

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.state import Company, Draft, Private
from engine.game import Game
from engine.play.privates import auction
from engine.play.privates.auction import (
    REDUCTION,
    asking_price,
    columns,
    free_cash,
    high_bid,
    is_bought,
    least_bid,
    on_sale,
    unsold,
    unwanted,
)
from engine.play.shares.starting_and_floating import free_spaces, payable_spaces
from engine.play.table import Table
from engine.play.trains.phases import next_train
from engine.tell.teller import teller_of
from engine.tell.title_facts import power_facts
from engine.tell.view_builders.view_parts import badge_of, caption_of, may_see_cash, reserver, visible_cash
from engine.tell.views import Badge, ClaimView, LotState, LotView, SaleView, SeatView


def coming(t: Table) -> Iterator[Fact]:
    """Upcoming events of the sale, one fact a line."""
    if not unsold(t):
        return
    if t.auction.eliminated < t.spec.auction.eliminations:
        yield fact("coming_sale.removals", left=t.spec.auction.eliminations - t.auction.eliminated)
        return
    contested = t.auction.contested
    if contested is not None:
        yield _fight(t, contested)
    for column in columns(t):
        yield from _settled_facts(t, [private for private in column if private in unsold(t)], contested)
    if contested is None:
        yield from _all_pass(t)


def _fight(t: Table, private: PrivateId) -> Fact:
    leader = auction.high_bidder(t)
    others = tuple(player for player in t.auction.bids[private] if player != leader)
    return fact(
        "coming_sale.fight", private=private, player=leader, high=high_bid(t, private), bidders=others
    )


def _settled_facts(t: Table, column: list[PrivateId], contested: PrivateId | None) -> Iterator[Fact]:
    """The fate of a column's privates after the current one, as far as it needs no decision."""
    if contested is not None and contested not in column:
        return
    for private in column[1:]:
        bids = t.auction.bids.get(private, {})
        if not bids:
            yield fact("coming_sale.for_sale", private=private, price=asking_price(t, private))
            return
        if len(bids) > 1:
            yield fact("coming_sale.fought_for", private=private, players=tuple(bids))
            return
        [(player, amount)] = bids.items()
        yield fact("coming_sale.sold_to", private=private, player=player, amount=amount)
    if column == unsold(t):
        yield fact("coming_sale.nothing_left")


def _all_pass(t: Table) -> Iterator[Fact]:
    """The consequence of a round of passes (18Chesapeake 9; 18AL 3.1.2 in stock rounds)."""
    falling = unwanted(t)
    if t.state.auction is not None:
        yield fact("coming_sale.operating")
        for private in falling:
            name = "coming_sale.falls_then" if _lower(t, private) else "coming_sale.for_nothing_then"
            yield fact(name, private=private, price=_lower(t, private))
    elif not falling:
        exported = next_train(t) in t.spec.exported
        yield fact("coming_sale.incomes_and_export" if exported else "coming_sale.incomes")
    elif _lower(t, falling[0]):
        yield fact("coming_sale.price_falls", private=falling[0], price=_lower(t, falling[0]))
    else:
        yield fact("coming_sale.price_at_zero", private=falling[0], player=_taker(t))


def _taker(t: Table) -> PlayerId:
    """The player on turn after that round of passes."""
    count = len(t.state.players)
    return t.state.players[(t.auction.turn + count - t.auction.passes) % count].id


def _lower(t: Table, private: PrivateId) -> int:
    return max(0, asking_price(t, private) - REDUCTION)


def draft_view(game: Game) -> SaleView:
    """The drafted companies, in two columns, and each player's money."""
    t = game.table
    drafted = [company for company in t.state.companies.values() if _is_drafted(t, company)]
    lots = [_company_lot(game, company) for company in sorted(drafted, key=lambda company: company.waiting)]
    half = -(-len(lots) // 2)
    columns = tuple(column for column in (tuple(lots[:half]), tuple(lots[half:])) if column)
    seats = tuple(_drafter(game, player.id) for player in t.state.players)
    free = teller_of(game).say(_free_spaces(t))
    return SaleView(t.spec.name, caption_of(game), columns, seats, (free,))


def _free_spaces(t: Table) -> Fact:
    """Number of free spaces at each value."""
    values = Counter(value for value, _ in free_spaces(t))
    spaces = (
        fact("coming_sale.spaces_of_value", value=value, count=count) for value, count in values.items()
    )
    return fact("coming_sale.spaces", spaces=tuple(spaces))


def _is_drafted(t: Table, company: Company) -> bool:
    draw = t.spec.draw
    return draw is None or t.kind_name(company) == draw.kind


def _company_lot(game: Game, company: Company) -> LotView:
    t, say = game.table, teller_of(game).say
    spec, player = t.spec.companies[company.id], reserver(t, company.id)
    status = _company_status(t, company)
    claims = () if player is None else (ClaimView(game.name(player), None, True),)
    does = () if spec.home is None else (say(_home(t, spec.home.hex)),)
    return LotView(
        badge=badge_of(t, company.id),
        name=spec.name,
        value=None,
        income=None,
        does=does,
        state=_company_state(t, company),
        status="" if status is None else say(status),
        claims=claims,
    )


def _home(t: Table, coord: str) -> Fact:
    name = t.map.hexes[coord].name
    place = fact("mark.place", name=name, hex=coord) if name else fact("choice.value", value=coord)
    return fact("lot.home", place=place)


def _company_state(t: Table, company: Company) -> LotState:
    if company.closed or company.waiting:
        return "gone"
    if company.started or reserver(t, company.id) is not None:
        return "taken"
    return "open"


def _company_status(t: Table, company: Company) -> Fact | None:
    """State of a company in the draft; None if anybody may reserve it."""
    player = reserver(t, company.id)
    if company.closed:
        return fact("lot.closed")
    if company.waiting and t.spec.draw is not None:
        return fact("lot.later", phase=t.spec.draw.until)
    if player is not None:
        return fact("lot.reserved", player=player)
    if company.president is not None:
        return fact("lot.started", player=company.president, value=t.price(company))
    return None


def _drafter(game: Game, player: PlayerId) -> SeatView:
    t, note = game.table, teller_of(game).say(most_payable(game.table, player))
    owns = (company.id for company in t.state.companies.values() if company.president == player)
    cash = t.cash(player)
    return SeatView(game.name(player), cash, 0, cash, player in game.actors(), tuple(owns), note)


def most_payable(t: Table, player: PlayerId) -> Fact:
    """The most expensive space that a player can pay in the draft."""
    assert isinstance(t.state.round, Draft)
    if player in t.state.round.out:
        return fact("sheet.draft_left")
    spaces = payable_spaces(t, player)
    return fact("sheet.can_pay", value=spaces[-1][0]) if spaces else fact("sheet.can_pay_nothing")


def sale_view(game: Game) -> SaleView | None:
    """The cards of the current auction or draft; None without one."""
    if isinstance(game.table.state.round, Draft):
        return draft_view(game)
    return privates_view(game) if game.table.selling_privates else None


def privates_view(game: Game) -> SaleView | None:
    """The cards of all privates, with bids and money during the auction; None without privates."""
    t, say = game.table, teller_of(game).say
    if not t.state.privates:
        return None
    selling = t.selling_privates
    return SaleView(
        title=t.spec.name,
        caption=caption_of(game),
        columns=tuple(tuple(_lot(game, t.state.privates[name]) for name in column) for column in columns(t)),
        seats=tuple(_seat(game, player.id) for player in t.state.players) if selling else (),
        coming=tuple(map(say, coming(t))) if selling else (),
    )


def _lot(game: Game, private: Private) -> LotView:
    t, say = game.table, teller_of(game).say
    spec = t.spec.privates[private.id]
    return LotView(
        badge=Badge(private.id, ""),
        name=spec.name,
        value=spec.value,
        income=spec.income,
        does=tuple(map(say, power_facts(t, private))),
        state=_state(t, private),
        status=say(_status(t, private)),
        claims=_claims(t, private.id),
    )


def _state(t: Table, private: Private) -> LotState:
    if private.closed:
        return "gone"
    if private.owner is not None:
        return "taken"
    bought_now = t.selling_privates and private.id in on_sale(t)
    return "now" if bought_now and _is_first(t, private.id) else "open"


def _is_first(t: Table, private: PrivateId) -> bool:
    """True if the private can be bought, or is contested, now."""
    return is_bought(t, private) or t.auction.contested == private


def _status(t: Table, private: Private) -> Fact:
    if private.closed:
        return fact("lot.closed")
    if private.owner is not None:
        company = private.owner in t.state.companies
        return fact("lot.owned_by_company" if company else "lot.owned", owner=private.owner)
    if not t.selling_privates:
        return fact("lot.unsold")
    if is_bought(t, private.id):
        return fact("lot.buy", price=asking_price(t, private.id))
    name = "lot.fought" if t.auction.contested == private.id else "lot.bids"
    return fact(name, least=least_bid(t, private.id))


def _claims(t: Table, private: PrivateId) -> tuple[ClaimView, ...]:
    bids: Mapping[PlayerId, int] = t.auction.bids.get(private, {}) if t.selling_privates else {}
    high = max(bids.values(), default=0)
    ranked = sorted(bids.items(), key=lambda bid: -bid[1])
    return tuple(ClaimView(t.state.player(player).name, bid, bid == high) for player, bid in ranked)


def _seat(game: Game, player: PlayerId) -> SeatView:
    t = game.table
    free = free_cash(t, player)
    known = may_see_cash(t, player, None)
    return SeatView(
        name=game.name(player),
        cash=visible_cash(t, player, None),
        committed=t.cash(player) - free,
        free=free if known else None,
        acting=player in game.actors(),
        owns=tuple(private.id for private in t.state.privates.values() if private.owner == player),
    )
