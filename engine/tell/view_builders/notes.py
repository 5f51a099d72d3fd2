"""What stands below the heading of a turn: what must be paid for, a packet, a draft, pairs that may merge."""

from engine.core.cursor import Cursor
from engine.core.facts import Fact, fact
from engine.core.ids import PlayerId, PrivateId
from engine.core.offers import Offer
from engine.core.state import Company, Draft, Merger, Operating
from engine.game import Game
from engine.play.mergers.pairs import formed
from engine.play.privates.auction import asking_price, unsold
from engine.play.shares.holdings import holding_limit
from engine.play.shares.market_spaces import payable
from engine.play.table import Table
from engine.play.trains.forced_purchase.agreed import deal_aim, deal_blocks
from engine.play.trains.forced_purchase.obligation import must_buy
from engine.play.trains.forced_purchase.president_sales import bank_aim, blocks


def notes(game: Game) -> tuple[Fact, ...]:
    """One fact a line, in the order in which they are shown."""
    t = game.table
    now = t.state.round
    if isinstance(now, Operating) and now.turn is not None:
        return _due_train(t)
    if t.state.auction is not None and t.spec.auction.columns:
        return _packet(t)
    if isinstance(now, Draft):
        return tuple(_drafting(t, seat.id) for seat in t.state.players)
    if isinstance(now, Merger) and t.spec.mergers is not None:
        company = formed(t)
        return _pairs(game) if company is None else (_holds(t, company),)
    return ()


def _due_train(t: Table) -> tuple[Fact, ...]:
    """The train that must be bought and the money that is missing, with what its president may sell
    (18Chesapeake 11.8).
    """
    aim = deal_aim(t) or bank_aim(t)
    if aim is None or not must_buy(t):
        return ()
    missing = fact(
        "sheet.missing",
        price=aim.price,
        treasury=t.company.cash,
        cash=t.president(t.company.id).cash,
        missing=aim.missing(t),
    )
    if t.spec.secret_cash:
        return (missing,)
    offered = deal_blocks(t, aim) if t.turn.deal is not None else blocks(t, aim)
    sales = tuple(
        fact(
            "sheet.sale",
            company=company,
            count=max(counts),
            money=max(counts) * t.price(t.state.companies[company]),
        )
        for company, counts in offered.items()
        if counts
    )
    return (missing, fact("sheet.sales", sales=sales)) if sales else (missing,)


def _packet(t: Table) -> tuple[Fact, ...]:
    """The privates of each column from the top, with the bids on each."""
    left = unsold(t)
    columns = ([name for name in column if name in left] for column in t.spec.auction.columns)
    return tuple(
        fact("sheet.column", privates=tuple(_lying(t, name) for name in column))
        for column in columns
        if column
    )


def _lying(t: Table, private: PrivateId) -> Fact:
    price, bids = asking_price(t, private), t.auction.bids.get(private, {})
    if not bids:
        return fact("sheet.lying", private=private, price=price)
    rising = sorted(bids, key=lambda player: bids[player])
    made = tuple(fact("sheet.bid", player=player, amount=bids[player]) for player in rising)
    return fact("sheet.lying_with_bids", private=private, price=price, bids=made)


def _drafting(t: Table, player: PlayerId) -> Fact:
    """What a player has reserved in the draft, and the most expensive space they can pay."""
    assert isinstance(t.state.round, Draft)
    now, spaces = t.state.round, payable(t, player)
    names = tuple(company for company, owner in now.reserved.items() if owner == player)
    if player in now.out:
        can = fact("sheet.draft_left")
    else:
        can = fact("sheet.can_pay", value=spaces[-1][0]) if spaces else fact("sheet.can_pay_nothing")
    held = fact("sheet.has_reserved", companies=names) if names else fact("sheet.nothing_reserved")
    return fact("sheet.drafting", player=player, cash=t.cash(player), reserved=held, can=can)


def _pairs(game: Game) -> tuple[Fact, ...]:
    """The companies that the one on turn may merge with, each with the par price it would get."""
    return tuple(_pairs_of(offer) for offer in game.offers() if offer.kind == "merge")


def _pairs_of(offer: Offer) -> Fact:
    labels = tuple(choice.label for choice in Cursor(offer).domain.choices())
    return fact("sheet.pairs", company=offer.entity, pairs=labels)


def _holds(t: Table, company: Company) -> Fact:
    """What the president of a company just formed has of it, and may have."""
    player = t.president(company.id).id
    percent, most = company.percent(player), holding_limit(t, company)
    return fact(
        "sheet.holds", player=player, company=company.id, percent=percent, most=most, price=company.par
    )
