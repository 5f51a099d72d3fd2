"""Buying and selling shares in a stock round (rulebook 10)."""

from collections.abc import Iterator
from typing import Any

from engine.core.actions import BuyPrivate, BuyShare, Par, Pass, SellPrivate, SellShares
from engine.core.events import Parred, Passed, ShareBought
from engine.core.facts import Fact
from engine.core.ids import BANK, MARKET, OFFERING, CompanyId, HolderId, PlayerId
from engine.core.offers import Among, Choice, Offer, Suggestion, Those
from engine.core.state import Company
from engine.play.flow import end_stock_turn
from engine.play.shares import holdings, stock_turn
from engine.play.shares.buying import obstacle, over_limit, purchase_price
from engine.play.shares.floating import check_float
from engine.play.shares.selling import sales_open, sell, sell_label, why_not_so_many
from engine.play.steps.base import Step, Wish
from engine.play.steps.private_trade import carry_out, private_offers, trade_private
from engine.play.table import Table


class TradeStep(Step):
    """Any number of sales and one purchase, in the order that the title allows."""

    name = "trade"
    kinds = frozenset({"sell_shares", "buy_share", "par", "buy_private", "sell_private", "pass"})

    def offers(self, t: Table) -> Iterator[Offer]:
        """The player on turn; above the certificate limit only sales, as long as he can sell (10.1)."""
        player = t.state.players[t.stock.turn].id
        moves = [offer for offer in (_sell_offer(t, player),) if offer]
        if moves and over_limit(t, player):
            yield from moves
            yield from (offer for offer in private_offers(t, player) if offer.kind == "sell_private")
            return
        moves += [offer for offer in (self._buy_offer(t, player), _par_offer(t, player)) if offer]
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
            self.buy(t, action.actor, t.state.companies[action.company], action.source)
        elif isinstance(action, Par):
            stock_turn.note_purchase(t, "par")
            _par(t, action)
        else:
            if not t.stock.acted:
                t.emit(Passed(action.actor))
            end_stock_turn(t, acted=t.stock.acted)

    def sources(self, t: Table, player: PlayerId, company: Company) -> list[HolderId]:
        """Where a share of the company is on sale that the player could pay."""
        cash = t.cash(player)
        return [
            s for s in (OFFERING, MARKET) if company.shares.get(s) and cash >= purchase_price(t, company, s)
        ]

    def label(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> Fact | str:
        """What buying a share from there means, for menus."""
        return f"{company.id} from the {source}, ${purchase_price(t, company, source)}"

    def buy(self, t: Table, player: PlayerId, company: Company, source: HolderId) -> None:
        """Buy one share; the company may float."""
        price = purchase_price(t, company, source)
        t.emit(ShareBought(player, company.id, 10, price, source))
        holdings.buy(t, player, company, source, price)
        check_float(t, company)

    def _sources(self, t: Table, player: PlayerId, company: Company) -> list[HolderId]:
        if not company.started or not stock_turn.may_buy(t, company):
            return []
        found = self.sources(t, player, company)
        return [] if not found or obstacle(t, player, company, 10) else found

    def _buy_offer(self, t: Table, player: PlayerId) -> Offer | None:
        sources = {c.id: self._sources(t, player, c) for c in t.state.companies.values()}
        names = [name for name, found in sources.items() if found]
        if not names:
            return None

        def label(name: CompanyId, source: HolderId) -> Fact | str:
            return self.label(t, player, t.state.companies[name], source)

        return t.offer(
            "buy_share",
            player,
            "Buy a share",
            t.slot(
                "company",
                lambda _: Those(names, lambda _n: True),
                lambda _, c: _why_no_purchase(t, player, c),
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

    def agreed(self, t: Table, action: BuyPrivate | SellPrivate) -> None:
        """The other player agrees."""
        carry_out(t, action)

    def why_not(self, t: Table, wish: Wish) -> Fact | str | None:
        """Why nothing of this kind is possible, seen from the company that was named."""
        player = t.state.players[t.stock.turn].id
        company = wish.given.get("company")
        if wish.kind == "sell_shares":
            return self._why_no_sale(t, player, company)
        if over_limit(t, player) and _sell_offer(t, player) is not None:
            return (
                f"{t.state.player(player).name} is above the limit of {holdings.limit(t)} certificates or of "
                f"{t.spec.holding_limit} % of a company and has to sell first (10.1)."
            )
        if wish.kind in {"buy_share", "par"}:
            return self._why_no_purchase(t, player, wish.kind, company)
        return "In a stock round one may sell, buy, start a company, or pass (10)."

    def _why_no_sale(self, t: Table, player: PlayerId, company: Any) -> Fact | str | None:
        name = t.state.player(player).name
        if not sales_open(t):
            return "No shares are sold in the first stock round (10.2)."
        if not stock_turn.may_sell(t):
            return f"{name} has bought already: sales come before the purchase (10)."
        if company is not None:
            return _why_no_sale(t, player, company)
        return f"{name} holds nothing that may be sold (10.2)."

    def _why_no_purchase(self, t: Table, player: PlayerId, kind: str, company: Any) -> Fact | str | None:
        seat = t.state.player(player)
        if not stock_turn.may_buy(t):
            return f"{seat.name} has made the purchase of this turn (10)."
        if company is None:
            return f"There is nothing {seat.name} may buy with ${seat.cash} (10.4)."
        return (_why_no_start if kind == "par" else _why_no_purchase)(t, player, company)


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


def _why_no_purchase(t: Table, player: PlayerId, name: Any) -> str | None:
    company = t.state.companies.get(name)
    if company is None:
        return f"There is no company {name}."
    if not company.started:
        return f"{name} has not been started: its president's certificate comes first (10.4)."
    return obstacle(t, player, company, 10) or (
        f"{t.state.player(player).name} has ${t.cash(player)}; no share of {name} is on sale for that (10.4)."
    )


def _par_prices(t: Table, player: PlayerId, company: Company) -> list[int]:
    """Par prices the player can pay for the president's certificate."""
    if (
        company.started
        or not stock_turn.may_buy(t)
        or company.certificate_holder != OFFERING
        or obstacle(t, player, company, company.certificate)
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
    return obstacle(t, player, company, company.certificate) or _why_not_par(t, player, name, 0)


def _why_not_par(t: Table, player: PlayerId, name: CompanyId, price: Any) -> str:
    certificate = t.state.companies[name].certificate
    pars = ", ".join(f"${p}" for p, _ in t.grid.pars())
    if isinstance(price, int) and price in dict(t.grid.pars()):
        cost = price * certificate // 10
        return f"The {certificate} % of {name} cost ${cost} at ${price}; there is ${t.cash(player)} (10.4)."
    return f"Par prices are {pars}, and the {certificate} % certificate costs {certificate // 10} times par (10.4)."


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
