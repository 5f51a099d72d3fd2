"""Buying and selling shares in a stock round (rulebook 10)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyPrivate, BuyShare, Par, Pass, SellPrivate, SellShares
from engine.core.events import Parred, Passed, ShareBought, SharesSold
from engine.core.ids import BANK, MARKET, OFFERING, CompanyId, HolderId, PlayerId
from engine.core.offers import Among, Choice, Offer, Suggestion, Those
from engine.core.state import Company
from engine.play.flow import end_stock_turn
from engine.play.shares import holdings, stock_turn
from engine.play.shares.floating import check_float
from engine.play.steps.base import Step
from engine.play.steps.private_trade import private_offers, trade_private
from engine.play.table import Table


class TradeStep(Step):
    """Any number of sales and one purchase, in the order that the title allows."""

    name = "trade"
    words = "stock"

    def offers(self, t: Table) -> Iterator[Offer]:
        """The player on turn; above the certificate limit only sales, as long as he can sell (10.1)."""
        player = t.state.players[t.stock.turn].id
        moves = [offer for offer in (_sell_offer(t, player),) if offer]
        if moves and over_limit(t, player):
            yield from moves
            yield from (offer for offer in private_offers(t, player) if offer.kind == "sell_private")
            return
        moves += [offer for offer in (_buy_offer(t, player), _par_offer(t, player)) if offer]
        traded = list(private_offers(t, player))
        # Nobody is asked again after his purchase only because he still owns a private.
        if moves or (traded and t.stock.bought is None):
            yield from [*moves, *traded]
            yield t.offer("pass", player, "Done" if t.stock.acted else "Pass")

    def apply(self, t: Table, action: SellShares | BuyShare | BuyPrivate | SellPrivate | Par | Pass) -> None:
        """Trade, or end the turn; it also ends when nothing more is possible."""
        if isinstance(action, SellShares):
            sell(t, action.actor, t.state.companies[action.company], action.shares)
            stock_turn.note_sale(t, t.state.companies[action.company])
        elif isinstance(action, BuyPrivate | SellPrivate):
            trade_private(t, action)
        elif isinstance(action, BuyShare):
            stock_turn.note_purchase(t, action.company)
            _buy(t, action)
        elif isinstance(action, Par):
            stock_turn.note_purchase(t, "par")
            _par(t, action)
        else:
            if not t.stock.acted:
                t.emit(Passed(action.actor, ""))
            end_stock_turn(t, acted=t.stock.acted)

    def why_not(self, t: Table, kind: str) -> str | None:
        """Why one kind of trade is closed to the player on turn."""
        player = t.state.players[t.stock.turn]
        if kind == "sell_shares":
            if not sales_open(t):
                return "No shares are sold in the first stock round (10.2)."
            if not stock_turn.may_sell(t):
                return f"{player.name} has bought already: sales come before the purchase (10)."
            return f"{player.name} holds nothing that may be sold (10.2)."
        if kind in {"buy_share", "par", "pass"} and over_limit(t, player.id):
            return (
                f"{player.name} is above the limit of {holdings.limit(t)} certificates or of "
                f"{t.spec.holding_limit} % of a company and has to sell first (10.1)."
            )
        if kind in {"buy_share", "par"}:
            if not stock_turn.may_buy(t):
                return f"{player.name} has made the purchase of this turn (10)."
            return f"There is nothing {player.name} may buy with ${player.cash} (10.4)."
        return "In a stock round one may sell, buy, start a company, or pass (10)."

    def why_not_this(self, t: Table, action: Any) -> str | None:
        """Why nothing of this kind is possible, seen from the company that was named."""
        player = t.state.players[t.stock.turn].id
        held_back = (
            action.kind != "sell_shares" and over_limit(t, player) and _sell_offer(t, player) is not None
        )
        late = not (stock_turn.may_sell(t) if action.kind == "sell_shares" else stock_turn.may_buy(t))
        if late and action.kind in {"buy_share", "par", "sell_shares"}:
            return self.why_not(t, action.kind)
        if isinstance(action, BuyShare) and not held_back:
            return _why_no_purchase(t, player, action.company)
        if isinstance(action, Par) and not held_back:
            return _why_no_start(t, player, action.company)
        if isinstance(action, SellShares) and sales_open(t):
            return _why_no_sale(t, player, action.company)
        return self.why_not(t, action.kind)


def sales_open(t: Table) -> bool:
    """Whether shares may be sold in this stock round: not in the first (10.2)."""
    return t.stock.number > 1


def over_limit(t: Table, player: PlayerId) -> bool:
    """Whether the player holds more certificates, or more of one company that he can sell, than allowed (10.1)."""
    if holdings.certificates(t, player) > holdings.limit(t):
        return True
    return any(
        company.percent(player) > holdings.holding_limit(t, company) and holdings.sellable(t, player, company)
        for company in t.state.companies.values()
    )


def sell(t: Table, player: PlayerId, company: Company, count: int) -> None:
    """Sell a block and tell it."""
    old, new = holdings.sell(t, player, company, count)
    t.emit(SharesSold(player, company.id, count, old, old, new))


def sell_label(t: Table, player: PlayerId, company: Company, count: int) -> str:
    """`2 for $180, 90 -> 80, Cy becomes president`."""
    assert company.cell is not None
    price = t.price(company)
    after = t.grid.price(t.grid.down(company.cell, count))
    text = f"{count} for ${price * count}, price {price} → {after}"
    if company.president == player:
        new = holdings.successor(t, company, count * 10)
        text += f", {new.name} becomes president" if new else ""
    return text


def _sell_offer(t: Table, player: PlayerId) -> Offer | None:
    if not sales_open(t) or not stock_turn.may_sell(t):
        return None
    blocks = {c.id: holdings.sellable(t, player, c) for c in t.state.companies.values() if c.percent(player)}
    names = [name for name, counts in blocks.items() if counts]
    if not names:
        return None
    return t.offer(
        "sell_shares",
        player,
        "Sell shares",
        t.slot("company", lambda _: Those(names, lambda _n: True), lambda _, c: _why_no_sale(t, player, c)),
        t.slot(
            "shares",
            lambda c: Those(
                blocks[c["company"]],
                lambda _n: True,
                lambda n: sell_label(t, player, t.state.companies[c["company"]], n),
            ),
            lambda c, n: why_not_so_many(t, player, t.state.companies[c["company"]], n),
        ),
    )


def _why_no_sale(t: Table, player: PlayerId, name: Any) -> str | None:
    company = t.state.companies.get(name)
    if company is None:
        return f"There is no company {name}."
    return why_not_so_many(t, player, company, 1)


def why_not_so_many(t: Table, player: PlayerId, company: Company, count: Any) -> str | None:
    """Why a block cannot be sold: the market is full, too few shares, or nobody takes the presidency (10.2, 10.3)."""
    if not isinstance(count, int):
        return None
    held = company.percent(player) // 10
    name = t.state.player(player).name
    if not held:
        return f"{name} holds no shares of {company.id}."
    if not company.started:
        return f"{company.id} has no price yet, so its shares cannot be sold (10.2)."
    if not 1 <= count <= held:
        owned = "1 share" if held == 1 else f"{held} shares"
        return f"{name} holds {owned} of {company.id}; {count} cannot be sold (10.2)."
    in_market = company.percent(MARKET)
    if in_market + count * 10 > t.spec.pool_limit:
        return (
            f"{company.id} has {in_market // 10} shares in the market; selling {count} would make "
            f"{in_market + count * 10} %, {t.spec.pool_limit} % is the limit (10.2)."
        )
    return (
        f"Nobody else holds the {company.certificate} % needed to take the presidency of {company.id} (10.3)."
    )


def purchase_price(t: Table, company: Company, source: HolderId) -> int:
    """Par from the offering, the present price from the market (10.4)."""
    assert company.par is not None
    return company.par if source == OFFERING else t.price(company)


def _obstacle(t: Table, player: PlayerId, company: Company, percent: int) -> str | None:
    """Why the player may not get so much more of a company, whatever it costs (10.1, 10.4)."""
    name = t.state.player(player).name
    if company.id in t.stock.sold.get(player, []):
        return f"{name} sold shares of {company.id} in this stock round and may not buy it again (10.4)."
    if company.percent(player) + percent > holdings.holding_limit(t, company):
        return f"{name} may not hold more than {holdings.holding_limit(t, company)} % of {company.id} (10.1)."
    if holdings.counts(t, company) and holdings.certificates(t, player) >= holdings.limit(t):
        return f"{name} is at the certificate limit of {holdings.limit(t)} (10.1)."
    return None


def _sources(t: Table, player: PlayerId, company: Company) -> list[HolderId]:
    """Where the player may buy a share of the company now."""
    if not company.started or not stock_turn.may_buy(t, company):
        return []
    cash = t.cash(player)
    found = [s for s in (OFFERING, MARKET) if company.shares.get(s) and cash >= purchase_price(t, company, s)]
    sources = t.rules.sources(t, player, company, found)
    return [] if not sources or _obstacle(t, player, company, 10) else sources


def _buy_offer(t: Table, player: PlayerId) -> Offer | None:
    sources = {c.id: _sources(t, player, c) for c in t.state.companies.values()}
    names = [name for name, found in sources.items() if found]
    if not names:
        return None

    def label(name: CompanyId, source: HolderId) -> str:
        company = t.state.companies[name]
        return t.rules.purchase_words(t, player, company, source, purchase_price(t, company, source))

    return t.offer(
        "buy_share",
        player,
        "Buy a share",
        t.slot(
            "company", lambda _: Those(names, lambda _n: True), lambda _, c: _why_no_purchase(t, player, c)
        ),
        t.slot(
            "source",
            lambda c: Among([Choice(s, label(c["company"], s)) for s in sources[c["company"]]]),
            lambda c, s: f"{c['company']} cannot be bought from {s} (10.4).",
        ),
        suggest=lambda: [
            Suggestion(f"Buy {label(name, source)}", {"company": name, "source": source})
            for name in names
            for source in sources[name]
        ],
    )


def _why_no_purchase(t: Table, player: PlayerId, name: Any) -> str | None:
    company = t.state.companies.get(name)
    if company is None:
        return f"There is no company {name}."
    if not company.started:
        return f"{name} has not been started: its president's certificate comes first (10.4)."
    obstacle = _obstacle(t, player, company, 10)
    if obstacle:
        return obstacle
    return (
        f"{t.state.player(player).name} has ${t.cash(player)}; no share of {name} is on sale for that (10.4)."
    )


def _par_prices(t: Table, player: PlayerId, company: Company) -> list[int]:
    """Par prices the player can pay for the president's certificate."""
    if (
        company.started
        or not stock_turn.may_buy(t)
        or company.certificate_holder != OFFERING
        or _obstacle(t, player, company, company.certificate)
    ):
        return []
    return [price for price, _ in t.grid.pars() if price * company.certificate // 10 <= t.cash(player)]


def _par_offer(t: Table, player: PlayerId) -> Offer | None:
    prices = {c.id: _par_prices(t, player, c) for c in t.state.companies.values()}
    names = [name for name, found in prices.items() if found]
    if not names:
        return None

    def label(company: CompanyId, price: int) -> str:
        certificate = t.state.companies[company].certificate
        return f"par ${price}: {certificate} % for ${price * certificate // 10}"

    return t.offer(
        "par",
        player,
        "Start a company",
        t.slot("company", lambda _: Those(names, lambda _n: True), lambda _, c: _why_no_start(t, player, c)),
        t.slot(
            "price",
            lambda c: Among([Choice(p, label(c["company"], p)) for p in prices[c["company"]]]),
            lambda c, p: _why_not_par(t, player, c["company"], p),
        ),
    )


def _why_no_start(t: Table, player: PlayerId, name: Any) -> str | None:
    company = t.state.companies.get(name)
    if company is None:
        return f"There is no company {name}."
    if company.started:
        return f"{name} has been started already at ${company.par} (10.4)."
    if company.certificate_holder != OFFERING:
        return f"The president's certificate of {name} lies with a private (7.1)."
    return _obstacle(t, player, company, company.certificate) or _why_not_par(t, player, name, 0)


def _why_not_par(t: Table, player: PlayerId, name: CompanyId, price: Any) -> str:
    certificate = t.state.companies[name].certificate
    pars = ", ".join(f"${p}" for p, _ in t.grid.pars())
    if isinstance(price, int) and price in dict(t.grid.pars()):
        cost = price * certificate // 10
        return f"The {certificate} % of {name} cost ${cost} at ${price}; there is ${t.cash(player)} (10.4)."
    return f"Par prices are {pars}, and the {certificate} % certificate costs {certificate // 10} times par (10.4)."


def _buy(t: Table, action: BuyShare) -> None:
    company = t.state.companies[action.company]
    if not t.rules.before_purchase(t, action.actor, company, action.source):
        return
    price = purchase_price(t, company, action.source)
    t.emit(ShareBought(action.actor, company.id, 10, price, action.source))
    holdings.buy(t, action.actor, company, action.source, price)
    check_float(t, company)


def _par(t: Table, action: Par) -> None:
    company = t.state.companies[action.company]
    paid = action.price * company.certificate // 10
    t.pay(action.actor, BANK, paid)
    holdings.give_certificate(company, action.actor)
    company.par = action.price
    t.enter_market(company, dict(t.grid.pars())[action.price])
    t.emit(Parred(action.actor, company.id, action.price, company.certificate, paid))
    holdings.settle_president(t, company)
    check_float(t, company)
