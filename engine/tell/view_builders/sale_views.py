"""Builders for views of the initial sale: cards of privates or companies, and coming events."""

from collections import Counter
from collections.abc import Iterator, Mapping

from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.state import Company, Draft, Private
from engine.game import Game
from engine.play.privates import auction
from engine.play.privates.auction import (
    PRICE_REDUCTION_DOLLARS,
    free_cash,
    has_fixed_price,
    high_bid,
    initial_packet_columns,
    minimum_bid,
    private_asking_price,
    privates_on_sale,
    privates_to_discount,
    unsold_privates,
)
from engine.play.shares.starting_and_floating import affordable_market_spaces, free_market_spaces
from engine.play.table import Table
from engine.play.trains.phases import next_new_train
from engine.tell.move_preview import has_hidden_cards
from engine.tell.teller import sale_name_fact, teller_of
from engine.tell.title_facts import power_facts
from engine.tell.view_builders.view_parts import (
    company_badge,
    may_see_cash,
    picture_caption,
    reserving_player,
    visible_cash,
)
from engine.tell.views import Badge, ClaimView, SaleCardState, SaleCardView, SaleView, SeatView


def upcoming_sale_events(t: Table) -> Iterator[Fact]:
    """Upcoming events of the initial sale, one message per line."""
    if not unsold_privates(t):
        return
    if t.auction.eliminated < t.spec.auction.eliminations:
        yield fact("coming_sale.removals", left=t.spec.auction.eliminations - t.auction.eliminated)
        return
    if t.spec.auction.is_drafted:
        cards_left = len(t.auction.deck)
        yield fact("coming_sale.cards", left=cards_left) if cards_left else fact("coming_sale.drafted")
        return
    contested_private = t.auction.contested
    if contested_private is not None:
        yield _contest_fact(t, contested_private)
    for column in initial_packet_columns(t):
        yield from _uncontested_sale_facts(
            t, [private for private in column if private in unsold_privates(t)], contested_private
        )
    if contested_private is None:
        yield from _all_pass_facts(t)


def _contest_fact(t: Table, private: PrivateId) -> Fact:
    leading_bidder = auction.high_bidder(t)
    other_bidders = tuple(player for player in t.auction.bids[private] if player != leading_bidder)
    return fact(
        "coming_sale.fight",
        private=private,
        player=leading_bidder,
        high=high_bid(t, private),
        bidders=other_bidders,
    )


def _uncontested_sale_facts(
    t: Table, column: list[PrivateId], contested_private: PrivateId | None
) -> Iterator[Fact]:
    """Messages about the privates that are sold next in a column, because only one player has bid on each.

    The last message names the next private that is for sale or that several players have bid on.
    """
    if contested_private is not None and contested_private not in column:
        return
    for private in column[1:]:
        bids = t.auction.bids.get(private, {})
        if not bids:
            yield fact("coming_sale.for_sale", private=private, price=private_asking_price(t, private))
            return
        if len(bids) > 1:
            yield fact("coming_sale.fought_for", private=private, players=tuple(bids))
            return
        [(player, amount)] = bids.items()
        yield fact("coming_sale.sold_to", private=private, player=player, amount=amount)
    if column == unsold_privates(t):
        yield fact("coming_sale.nothing_left")


def _all_pass_facts(t: Table) -> Iterator[Fact]:
    """Messages about what happens if all players pass (18Chesapeake 9; for stock rounds, 18AL 3.1.2)."""
    privates_to_lower = privates_to_discount(t)
    if t.state.auction is not None:
        yield fact("coming_sale.operating")
        for private in privates_to_lower:
            name = "coming_sale.falls_then" if _reduced_price(t, private) else "coming_sale.for_nothing_then"
            yield fact(name, private=private, price=_reduced_price(t, private))
    elif not privates_to_lower:
        is_exported = next_new_train(t) in t.spec.exported_trains
        yield fact("coming_sale.incomes_and_export" if is_exported else "coming_sale.incomes")
    elif _reduced_price(t, privates_to_lower[0]):
        yield fact(
            "coming_sale.price_falls",
            private=privates_to_lower[0],
            price=_reduced_price(t, privates_to_lower[0]),
        )
    else:
        yield fact("coming_sale.price_at_zero", private=privates_to_lower[0], player=_player_after_passes(t))


def _player_after_passes(t: Table) -> PlayerId:
    count = len(t.state.players)
    return t.state.players[(t.auction.turn + count - t.auction.passes) % count].id


def _reduced_price(t: Table, private: PrivateId) -> int:
    return max(0, private_asking_price(t, private) - PRICE_REDUCTION_DOLLARS)


def draft_view(game: Game) -> SaleView:
    """View of the draft: the companies for sale in two columns, and each player's money."""
    t = game.table
    drafted_companies = [company for company in t.state.companies.values() if _is_drafted(t, company)]
    card_views = [
        _company_card(game, company)
        for company in sorted(drafted_companies, key=lambda company: company.waiting)
    ]
    first_column_length = -(-len(card_views) // 2)
    columns = tuple(
        column
        for column in (tuple(card_views[:first_column_length]), tuple(card_views[first_column_length:]))
        if column
    )
    drafter_views = tuple(_drafter_view(game, player.id) for player in t.state.players)
    name, free_spaces_text = (
        teller_of(game).say(fact("round.drafting")),
        teller_of(game).say(_free_spaces_fact(t)),
    )
    return SaleView(t.spec.name, picture_caption(game), columns, drafter_views, (free_spaces_text,), name)


def _free_spaces_fact(t: Table) -> Fact:
    values = Counter(value for value, _ in free_market_spaces(t))
    spaces = (
        fact("coming_sale.spaces_of_value", value=value, count=count) for value, count in values.items()
    )
    return fact("coming_sale.spaces", spaces=tuple(spaces))


def _is_drafted(t: Table, company: Company) -> bool:
    draw_spec = t.spec.company_draw
    return draw_spec is None or t.kind_name(company) == draw_spec.kind


def _company_card(game: Game, company: Company) -> SaleCardView:
    t, say = game.table, teller_of(game).say
    spec, player = t.spec.companies[company.id], reserving_player(t, company.id)
    status_fact = _company_status(t, company)
    claim_views = () if player is None else (ClaimView(game.name(player), None, True),)
    home_text = () if spec.home is None else (say(_home_fact(t, spec.home.hex)),)
    return SaleCardView(
        badge=company_badge(t, company.id),
        name=spec.name,
        value=None,
        income=None,
        rule_texts=home_text,
        state=_company_state(t, company),
        status="" if status_fact is None else say(status_fact),
        claims=claim_views,
    )


def _home_fact(t: Table, coord: str) -> Fact:
    name = t.map.hexes[coord].name
    place = fact("mark.place", name=name, hex=coord) if name else fact("choice.value", value=coord)
    return fact("lot.home", place=place)


def _company_state(t: Table, company: Company) -> SaleCardState:
    if company.closed or company.waiting:
        return "gone"
    if company.is_started or reserving_player(t, company.id) is not None:
        return "taken"
    return "open"


def _company_status(t: Table, company: Company) -> Fact | None:
    """Status of a company in the draft, as a message; None if any player can reserve it."""
    player = reserving_player(t, company.id)
    if company.closed:
        return fact("lot.closed")
    if company.waiting and t.spec.company_draw is not None:
        return fact("lot.later", phase=t.spec.company_draw.others_from_phase)
    if player is not None:
        return fact("lot.reserved", player=player)
    if company.president is not None:
        return fact("lot.started", player=company.president, value=t.price(company))
    return None


def _drafter_view(game: Game, player: PlayerId) -> SeatView:
    t, affordable_space_text = (
        game.table,
        teller_of(game).say(highest_affordable_space_fact(game.table, player)),
    )
    own_companies = (company.id for company in t.state.companies.values() if company.president == player)
    cash = t.cash(player)
    return SeatView(
        game.name(player),
        cash,
        0,
        cash,
        player in game.actors(),
        tuple(own_companies),
        affordable_space_text,
        currency=t.spec.currency,
    )


def highest_affordable_space_fact(t: Table, player: PlayerId) -> Fact:
    """The most expensive market space that the player can pay for in the draft, as a message."""
    assert isinstance(t.state.round, Draft)
    if player in t.state.round.out:
        return fact("sheet.draft_left")
    spaces = affordable_market_spaces(t, player)
    return fact("sheet.can_pay", value=spaces[-1][0]) if spaces else fact("sheet.can_pay_nothing")


def sale_view(game: Game, viewer: PlayerId | None = None) -> SaleView | None:
    """View of the current auction or draft as cards; None if there is neither."""
    if isinstance(game.table.state.round, Draft):
        return draft_view(game)
    return privates_view(game, viewer) if game.table.is_selling_privates else None


def privates_view(game: Game, viewer: PlayerId | None = None) -> SaleView | None:
    """View of all privates as cards, with bids and money during the auction; None if the title has no privates."""
    t, say = game.table, teller_of(game).say
    if not t.state.privates:
        return None
    is_sale_open = t.is_selling_privates
    name = {"name": say(sale_name_fact(t.spec))} if is_sale_open else {}
    return SaleView(
        title=t.spec.name,
        caption=picture_caption(game),
        columns=tuple(
            tuple(_private_card(game, t.state.privates[name], viewer) for name in column)
            for column in initial_packet_columns(t)
        ),
        seats=tuple(_bidder_view(game, player.id) for player in t.state.players) if is_sale_open else (),
        upcoming_texts=tuple(map(say, upcoming_sale_events(t))) if is_sale_open else (),
        **name,
    )


def _private_card(game: Game, private: Private, viewer: PlayerId | None) -> SaleCardView:
    t, say = game.table, teller_of(game).say
    spec = t.spec.privates[private.id]
    is_own_card = (
        has_hidden_cards(game) and viewer is not None and private.id in t.auction.chosen.get(viewer, ())
    )
    own_card_fact = fact("lot.own_card", price=spec.draft_price or spec.face_value)
    return SaleCardView(
        badge=Badge(private.id, ""),
        name=spec.name,
        value=spec.face_value,
        income=spec.income,
        rule_texts=tuple(map(say, power_facts(t, private))),
        state="taken" if is_own_card else _private_state(game, private),
        status=say(own_card_fact if is_own_card else _private_status(game, private)),
        claims=_claim_views(t, private.id),
        currency=t.spec.currency,
    )


def _private_state(game: Game, private: Private) -> SaleCardState:
    t = game.table
    if private.closed:
        return "gone"
    if private.owner is not None:
        return "taken"
    if has_hidden_cards(game):
        return "now" if private.id in _prices_seen_by_all(game) else "open"
    is_on_sale = t.is_selling_privates and private.id in privates_on_sale(t)
    return "now" if is_on_sale and _is_on_sale_now(t, private.id) else "open"


def _is_on_sale_now(t: Table, private: PrivateId) -> bool:
    return has_fixed_price(t, private) or t.auction.contested == private


def _prices_seen_by_all(game: Game) -> dict[PrivateId, int]:
    """Prices of the cards that the drafting player can take, if all players see them; otherwise empty."""
    public_bid_offers = (offer for offer in game.offers() if offer.kind == "bid" and not offer.secret)
    return {
        suggestion.chosen["private"]: suggestion.chosen["amount"]
        for offer in public_bid_offers
        for suggestion in offer.suggest()
    }


def _private_status(game: Game, private: Private) -> Fact:
    t = game.table
    if private.closed:
        return fact("lot.closed")
    if private.owner is not None:
        is_company = private.owner in t.state.companies
        return fact("lot.owned_by_company" if is_company else "lot.owned", owner=private.owner)
    if not t.is_selling_privates:
        return fact("lot.unsold")
    if has_hidden_cards(game):
        spec, public_price = t.spec.privates[private.id], _prices_seen_by_all(game).get(private.id)
        if public_price is not None:
            return fact("lot.buy", price=public_price)
        return fact("lot.in_draft", price=spec.draft_price or spec.face_value)
    if has_fixed_price(t, private.id):
        return fact("lot.buy", price=private_asking_price(t, private.id))
    name = "lot.fought" if t.auction.contested == private.id else "lot.bids"
    return fact(name, least=minimum_bid(t, private.id))


def _claim_views(t: Table, private: PrivateId) -> tuple[ClaimView, ...]:
    bids: Mapping[PlayerId, int] = t.auction.bids.get(private, {}) if t.is_selling_privates else {}
    highest_bid = max(bids.values(), default=0)
    ranked_bids = sorted(bids.items(), key=lambda bid: -bid[1])
    return tuple(
        ClaimView(t.state.player(player).name, bid, bid == highest_bid, currency=t.spec.currency)
        for player, bid in ranked_bids
    )


def _bidder_view(game: Game, player: PlayerId) -> SeatView:
    t = game.table
    uncommitted_cash = free_cash(t, player)
    is_cash_known = may_see_cash(t, player, None)
    return SeatView(
        name=game.name(player),
        cash=visible_cash(t, player, None),
        committed_cash=t.cash(player) - uncommitted_cash,
        free_cash=uncommitted_cash if is_cash_known else None,
        is_acting=player in game.actors(),
        owned_ids=tuple(private.id for private in t.state.privates.values() if private.owner == player),
        currency=t.spec.currency,
    )
