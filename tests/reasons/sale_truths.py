"""When the reasons of private auctions and of sales between players are so."""

from tests.reasons.stock_truths import limit
from tests.reasons.truths import Seen, truth

# --- privates between players -------------------------------------------------------------------------------------


def privates_of(seen: Seen, player: str) -> list[str]:
    """Open privates of a player."""
    return [one.id for one in seen.state.privates.values() if one.owner == player and not one.closed]


def others(seen: Seen) -> list[str]:
    """The other players in the game."""
    return [one.id for one in seen.state.players if one.id != seen.request.actor and not one.bankrupt]


@truth("private_trade.never")
def never_traded(seen: Seen) -> bool:
    """Only 18AL and 18TN let players trade privates."""
    return seen.title not in {"18al", "18tn"}


@truth("private_trade.nobody_has_any")
def nobody_has_any(seen: Seen) -> bool:
    """All are with companies, closed, or the player's."""
    return not any(privates_of(seen, one) for one in others(seen))


@truth("private_trade.none_of_yours")
def none_of_yours(seen: Seen) -> bool:
    """The player has none."""
    return not privates_of(seen, seen.request.actor)


@truth("private_trade.of_no_other")
def of_no_other(seen: Seen) -> bool:
    """No other player has this one."""
    return not any(seen.values["private"] in privates_of(seen, one) for one in others(seen))


@truth("private_trade.not_yours")
def not_yours(seen: Seen) -> bool:
    """The player does not have this one."""
    return seen.values["private"] not in privates_of(seen, seen.request.actor)


@truth("private_trade.no_such_player")
def no_such_player(seen: Seen) -> bool:
    """Nobody else has the name."""
    return seen.given["buyer"] not in others(seen)


@truth("private_trade.no_money")
def no_money(seen: Seen) -> bool:
    """Not a dollar."""
    return seen.cash(seen.values["player"]) < 1


@truth("private_trade.too_dear")
def private_too_dear(seen: Seen) -> bool:
    """The buyer has less."""
    buyer = seen.given.get("buyer", seen.request.actor)
    return bool(seen.cash(buyer) < seen.given["price"])


@truth("private_trade.whole_dollars")
def whole_dollars(seen: Seen) -> bool:
    """Nothing, or no number."""
    return not isinstance(seen.given["price"], int) or seen.given["price"] < 1


@truth("private_trade.no_buyer")
def no_buyer(seen: Seen) -> bool:
    """Nobody else has a dollar and room."""
    return all(seen.cash(one) < 1 or seen.certificates(one) >= limit(seen) for one in others(seen))


@truth("private_trade.on_buyers_turn")
def on_buyers_turn(seen: Seen) -> bool:
    """A sale is asked for where only the buyer may ask: in 18AL (D-AL-5) and 18TN (D-TN-6), as that site plays them."""
    asks = seen.request.kind == "sell_private"
    return asks and seen.game.profile == "18xx.games" and seen.title in {"18al", "18tn"}


# --- auction -----------------------------------------------------------------------------------------------------


def unsold(seen: Seen) -> list[str]:
    """Privates that nobody has."""
    return [one.id for one in seen.state.privates.values() if one.owner is None and not one.closed]


@truth("auction.at_its_price")
def at_its_price(seen: Seen) -> bool:
    """It is the cheapest one left, and nobody fights for it."""
    return seen.given["private"] == unsold(seen)[0] and seen.t.auction.contested is None


@truth("auction.multiples", "auction.whole_dollars")
def outside_the_bids(seen: Seen) -> bool:
    """Too low, above the cash that is free, or no multiple."""
    private, amount = seen.given["private"], seen.given["amount"]
    bids = seen.t.auction.bids
    least = max([seen.spec.privates[private].value, *bids.get(private, {}).values()]) + 5
    step = 5 if seen.title == "18chesapeake" else 1
    return not least <= amount <= free(seen, private) or bool((amount - least) % step)


def free(seen: Seen, private: str) -> int:
    """Cash less the player's other bids, by 18Chesapeake 9 (every bid) or as the spec says (high bids)."""
    tied = 0
    for name, bids in seen.t.auction.bids.items():
        own = bids.get(seen.request.actor)
        if (
            own is not None
            and name != private
            and (seen.spec.auction.all_bids_bind or own == max(bids.values()))
        ):
            tied += own
    return seen.cash(seen.request.actor) - tied


@truth("auction.too_dear")
def bid_too_dear(seen: Seen) -> bool:
    """Less is free than the lowest bid, or than the price."""
    private = seen.values["private"]
    bids = seen.t.auction.bids.get(private, {})
    face = seen.spec.privates[private].value
    first = next(iter(seen.state.privates))
    price = face - (seen.t.auction.discount if private == first else seen.t.auction.discounts.get(private, 0))
    bought = private == unsold(seen)[0] and seen.t.auction.contested is None
    return free(seen, private) < (price if bought else max([face, *bids.values()]) + 5)


@truth("auction.not_up")
def not_up(seen: Seen) -> bool:
    """Sold, or another one is fought for."""
    private, contested = seen.values["private"], seen.t.auction.contested
    return private not in unsold(seen) or (contested is not None and contested != private)


@truth("auction.no_cash")
def no_cash(seen: Seen) -> bool:
    """No private can be bid on with what is free."""
    contested = seen.t.auction.contested
    lots = [contested] if contested else unsold(seen)
    return all(bid_too_dear(Seen(seen.game, seen.request, {"private": lot})) for lot in lots)


@truth("auction.only_bids")
def only_bids(seen: Seen) -> bool:
    """Something else is asked for."""
    return seen.request.kind not in {"bid", "pass"}


@truth("auction.par_first")
def par_first(seen: Seen) -> bool:
    """A certificate has come with a private, and its par is not set."""
    due = seen.t.auction.par_due
    return due is not None and due[0] == seen.values["player"] and seen.request.kind != "par"


@truth("auction.par_of_another")
def par_of_another(seen: Seen) -> bool:
    """The certificate is one of another company."""
    due = seen.t.auction.par_due
    return due is not None and due[1] == seen.values["company"] != seen.given["company"]


@truth("choice.no_private")
def no_private(seen: Seen) -> bool:
    """The table has none of this name."""
    return seen.values["private"] not in seen.spec.privates
