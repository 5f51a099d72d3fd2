"""The view of what is sold at the start: privates by auction; companies in a draft stand in `draft`."""

from collections.abc import Mapping

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.state import Draft, Private
from engine.game import Game
from engine.play.privates.auction import asking_price, columns, is_bought, on_sale
from engine.play.privates.bid_amounts import free_cash, least_bid
from engine.play.table import Table
from engine.tell.power_words import power_facts
from engine.tell.teller import tell
from engine.tell.view_builders.coming_sale import coming
from engine.tell.view_builders.draft_views import draft_view
from engine.tell.view_builders.view_parts import caption, may_see, seen
from engine.tell.views import Badge, ClaimView, LotState, LotView, SaleView, SeatView


def sale_view(game: Game) -> SaleView | None:
    """The cards of the running auction or draft; None where neither is."""
    if isinstance(game.table.state.round, Draft):
        return draft_view(game)
    return privates_view(game) if game.table.selling_privates else None


def privates_view(game: Game) -> SaleView | None:
    """The cards of all privates, with bids and money while they are sold; None where the title has none."""
    t, say = game.table, tell(game).say
    if not t.state.privates:
        return None
    selling = t.selling_privates
    return SaleView(
        title=t.spec.name,
        caption=caption(game),
        columns=tuple(tuple(_lot(game, t.state.privates[name]) for name in column) for column in columns(t)),
        seats=tuple(_seat(game, player.id) for player in t.state.players) if selling else (),
        coming=tuple(map(say, coming(t))) if selling else (),
    )


def _lot(game: Game, private: Private) -> LotView:
    t, say = game.table, tell(game).say
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
    return "now" if bought_now and _first(t, private.id) else "open"


def _first(t: Table, private: PrivateId) -> bool:
    """Whether it is bought, or fought for, now."""
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
    known = may_see(t, player, None)
    return SeatView(
        name=game.name(player),
        cash=seen(t, player, None),
        committed=t.cash(player) - free,
        free=free if known else None,
        acting=player in game.actors(),
        owns=tuple(private.id for private in t.state.privates.values() if private.owner == player),
    )
