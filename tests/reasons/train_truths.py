"""When the reasons about trains and forced purchases are so."""

from tests.reasons.stock_truths import may_sell_one
from tests.reasons.truths import Seen, truth
from tests.referees.track_referee import Board, Reach

# --- trains --------------------------------------------------------------------------------------------------------


@truth("choice.no_train")
def no_train_of_the_game(seen: Seen) -> bool:
    """The table has none of this name."""
    return seen.values["train"] not in {one.name for one in seen.spec.trains}


@truth("trains.none_from")
def none_from(seen: Seen) -> bool:
    """The bank does not sell it now, the pool or the company has none."""
    train, source = seen.given["train"], seen.given["source"]
    if source == "bank":
        return train not in seen.new_trains
    lots = seen.state.pool if source == "pool" else seen.state.companies[source].trains
    return train not in lots


@truth("trains.from_itself")
def from_itself(seen: Seen) -> bool:
    """It names itself."""
    return bool(seen.given["source"] == seen.mine.id)


@truth("trains.from_nobody")
def from_nobody(seen: Seen) -> bool:
    """No bank, pool or company."""
    return seen.given["source"] not in {"bank", "pool", *seen.state.companies}


@truth("trains.not_for_sale", "trains.not_for_sale_none_new")
def not_for_sale(seen: Seen) -> bool:
    """Nobody has such a train to sell, and the bank sells just what is said."""
    train = seen.values["train"]
    nobody = train not in seen.new_trains and train not in seen.state.pool and not seen.owners(train)
    return nobody and list(seen.values.get("trains", ())) == seen.new_trains


@truth("trains.obsolete")
def obsolete(seen: Seen) -> bool:
    """Some company has it to run once more only."""
    train = seen.values["train"]
    return any(train in one.obsolete for one in seen.state.companies.values()) and not seen.owners(train)


@truth("trains.none_left")
def none_left(seen: Seen) -> bool:
    """Neither bank nor pool has any."""
    return not seen.new_trains and not seen.state.pool


@truth("trains.bank_closed")
def bank_closed(seen: Seen) -> bool:
    """18AL, 18TN 4.2.5(f): one of the bank in a turn of the first phases."""
    early = seen.title in {"18al", "18tn"} and seen.state.phase in {"2", "3", "3½"}
    return (
        early
        and seen.turn.bought_from_bank > 0
        and seen.given.get("source") not in seen.owners(seen.given.get("train", ""))
    )


@truth("trains.too_dear")
def train_too_dear(seen: Seen) -> bool:
    """The bank, or its pool, asks more than the treasury has; no other seller was named."""
    train, price = seen.values["train"], seen.values["price"]
    sold = train in seen.new_trains or train in seen.state.pool
    full = {seen.face(train), seen.face(train) // 2}
    return (
        sold
        and price in full
        and price > seen.mine.cash
        and seen.given.get("source") in {None, "bank", "pool"}
    )


@truth("trains.too_dear_even_traded")
def too_dear_even_traded(seen: Seen) -> bool:
    """$700 for a D, and something to hand in."""
    return (
        seen.mine.cash < seen.face("D")
        and bool({"4", "5", "6"} & set(seen.mine.trains))
        and (seen.mine.cash < traded(seen) or not seen.given.get("trade_in"))
    )


def traded(seen: Seen) -> int:
    """What a D costs when a train is handed in for it: less in 18Chesapeake than in Off the Rails."""
    return 700 if seen.spec.id == "18chesapeake" else 800


@truth("trains.no_dollar")
def no_dollar(seen: Seen) -> bool:
    """An empty treasury, and a train of another company."""
    return seen.mine.cash < 1 and bool(seen.owners(seen.given.get("train", "")))


@truth("trains.fixed_price")
def fixed_price(seen: Seen) -> bool:
    """Another one than asked."""
    face = seen.face(seen.given["train"])
    return seen.given["price"] != seen.values["price"] and seen.values["price"] in {
        face,
        face // 2,
        traded(seen),
    }


@truth("trains.whole_dollars")
def train_whole_dollars(seen: Seen) -> bool:
    """Nothing, or no number."""
    return not isinstance(seen.given["price"], int) or seen.given["price"] < 1


@truth("trains.treasury_only")
def treasury_only(seen: Seen) -> bool:
    """More than the treasury has."""
    return bool(seen.given["price"] > seen.mine.cash == seen.values["cash"])


@truth("trains.not_handed_in")
def not_handed_in(seen: Seen) -> bool:
    """Only a 4, 5 or 6 of its own goes for a new D."""
    handed, train = seen.given["trade_in"], seen.given["train"]
    fits = train == "D" and seen.given["source"] == "bank" and handed in {"4", "5", "6"}
    return not (seen.title == "18chesapeake" and fits and handed in seen.mine.trains)


@truth("trains.no_cheaper_by_private")
def no_cheaper_by_private(seen: Seen) -> bool:
    """Only New Decatur Yards makes one cheaper, for the company that owns it."""
    ndy = seen.state.privates.get("NDY")
    return seen.request.entity != "NDY" or ndy is None or ndy.closed or ndy.owner != seen.mine.id


@truth("trains.cheaper_by_private")
def cheaper_by_private(seen: Seen) -> bool:
    """New 3-, 4- and 5-trains of the bank."""
    return seen.given["source"] != "bank" or seen.given["train"] not in {"3", "4", "5"} & set(seen.new_trains)


@truth("train_limit.reached", "train_limit.only_exchange")
def limit_reached(seen: Seen) -> bool:
    """No room for one more."""
    return seen.at_limit


@truth("train_limit.no_such_train")
def no_such_train(seen: Seen) -> bool:
    """It has none to give up."""
    return seen.given["train"] not in seen.company.trains + seen.company.obsolete


@truth("train_limit.nobody_above")
def nobody_above(seen: Seen) -> bool:
    """No company has more trains than the phase allows."""
    return seen.step != "discard"


@truth("train_limit.discard_first")
def discard_first(seen: Seen) -> bool:
    """It has more than the limit said."""
    return (
        len(seen.company.trains + seen.company.obsolete) > seen.values["limit"]
        and seen.request.kind != "discard_train"
    )


@truth("trains.has_to_buy", "liquidation.or_train", "liquidation.sold_for_a_train")
def has_to_buy(seen: Seen) -> bool:
    """It has no train, and bank or pool have one."""
    return not seen.mine.trains and bool(seen.new_trains or seen.state.pool)


@truth("liquidation.has_train")
def has_train(seen: Seen) -> bool:
    """A minor with one."""
    return bool(seen.mine.trains) and seen.is_minor(seen.mine.id)


@truth("liquidation.never")
def never_liquidated(seen: Seen) -> bool:
    """No minor of 18NewEngland."""
    return seen.title != "18newengland" or not seen.is_minor(seen.mine.id)


@truth("liquidation.ruins_nobody")
def ruins_nobody(seen: Seen) -> bool:
    """A minor of 18NewEngland."""
    return seen.is_minor(seen.mine.id)


# --- forced purchases -----------------------------------------------------------------------------------------------


@truth("forced.sales_only_for_a_train")
def sales_only_for_a_train(seen: Seen) -> bool:
    """It is no forced purchase now: another step, a train, none to be had, or (not 18NewEngland) maybe no route."""
    early = seen.step != "trains"
    none = not seen.new_trains and not seen.state.pool
    return early or bool(seen.mine.running) or none or (seen.title != "18newengland" and not has_route(seen))


def has_route(seen: Seen) -> bool:
    """Whether a station is joined to another stop."""
    board = Board(seen.t)
    return any(Reach(board, seen.mine.id, one).stops - {one} for one in board.stations(seen.mine.id))


@truth("forced.privates_only_for_a_train")
def privates_only_for_a_train(seen: Seen) -> bool:
    """18AL alone has such sales; it is no forced purchase now."""
    return seen.title == "18al" and sales_only_for_a_train(seen)


@truth("forced.no_privates")
def no_privates(seen: Seen) -> bool:
    """Only 18AL lets presidents sell privates for a train."""
    return seen.title != "18al"


@truth("forced.treasury_pays")
def treasury_pays(seen: Seen) -> bool:
    """The treasury has as much as some train costs."""
    half = [seen.face(train) // 2 for train in seen.new_trains if train in {"3", "4", "5"} and own_ndy(seen)]
    return not seen.mine.trains and min([seen.cheapest, *half]) <= seen.mine.cash


def own_ndy(seen: Seen) -> bool:
    """Whether the company has New Decatur Yards."""
    ndy = seen.state.privates.get("NDY")
    return ndy is not None and ndy.owner == seen.mine.id and not ndy.closed


@truth("forced.cash_comes_first")
def cash_comes_first(seen: Seen) -> bool:
    """Both together have as much as some train costs, and the treasury has not."""
    half = [seen.face(train) // 2 for train in seen.new_trains if train in {"3", "4", "5"} and own_ndy(seen)]
    return not seen.mine.trains and seen.mine.cash < min([seen.cheapest, *half]) <= seen.funds


@truth("liquidation.sales_in_vain")
def sales_in_vain(seen: Seen) -> bool:
    """A minor without a train, and everything together is too little."""
    sums = (
        most(seen, name) * seen.price(one)
        for name, one in seen.state.companies.items()
        if may_sell_one(seen, name)
    )
    return seen.is_minor(seen.mine.id) and not seen.mine.trains and seen.funds + sum(sums) < seen.cheapest


def most(seen: Seen, name: str) -> int:
    """The largest block of a company that the president could sell."""
    company, player = seen.state.companies[name], seen.request.actor
    room = (50 - company.shares.get("market", 0)) // 10
    held = seen.held(player, company) // 10
    others = [
        company.shares.get(one.id, 0) // 10
        for one in seen.state.players
        if one.id != player and not one.bankrupt
    ]
    kept = 0 if company.certificate_holder != player else 2
    if max(others, default=0) >= 2:
        kept = 0
    return min(room, held - kept)


@truth("forced.nothing_to_sell")
def no_share_for_the_train(seen: Seen) -> bool:
    """Only what would make another player president of the company could be sold."""
    return not any(may_sell_one(seen, name) for name in seen.state.companies if name != seen.mine.id)


@truth("forced.not_enough")
def not_enough(seen: Seen) -> bool:
    """Both together have less than the train costs."""
    return seen.funds == seen.values["funds"] < seen.values["price"] and not seen.mine.trains


@truth("forced.cheapest_only", "forced.cheapest_or_companies")
def cheapest_only(seen: Seen) -> bool:
    """The treasury pays none; a more expensive one of bank or pool is asked for."""
    return (
        not seen.mine.trains
        and seen.mine.cash < seen.cheapest
        and seen.face(seen.given["train"]) > seen.values["price"]
    )


@truth("forced.treasury_only")
def forced_treasury_only(seen: Seen) -> bool:
    """Not a dollar for another company's train, and no help."""
    return seen.mine.cash < 1 and seen.title != "18chesapeake" and bool(seen.owners(seen.given["train"]))


@truth("forced.face_value")
def face_value(seen: Seen) -> bool:
    """More than is printed on it, and than the treasury has."""
    return bool(seen.given["price"] > max(seen.face(seen.given["train"]), seen.mine.cash))


@truth("forced.agreed_first")
def agreed_first(seen: Seen) -> bool:
    """A deal is not paid yet."""
    deal = seen.turn.deal
    return deal is not None and seen.values["missing"] == deal.price - seen.funds > 0


@truth("forced.presidency")
def presidency_stays(seen: Seen) -> bool:
    """The player presides over it, and would have less than somebody else afterwards."""
    return passes_on(seen, seen.mine.id)


@truth("forced.presidency_of_seller")
def presidency_of_seller(seen: Seen) -> bool:
    """The same of the company that sells its train."""
    deal = seen.turn.deal
    return deal is not None and passes_on(seen, deal.source)


def passes_on(seen: Seen, name: str) -> bool:
    """Whether the requested sale would move the presidency."""
    company, player = seen.state.companies[name], seen.request.actor
    left = seen.held(player, company) - seen.given.get("shares", 1) * company.share
    most = max(seen.held(one.id, company) for one in seen.state.players if one.id != player)
    return seen.given["company"] == name and company.certificate_holder == player and most > left


@truth("forced.more_than_needed")
def more_than_needed(seen: Seen) -> bool:
    """One share less would do."""
    company = seen.state.companies[seen.given["company"]]
    return bool((seen.given["shares"] - 1) * seen.price(company) >= seen.values["missing"])


@truth("forced.private_leaves_too_much")
def private_leaves_too_much(seen: Seen) -> bool:
    """New Decatur Yards, after sales for a train."""
    return seen.values["private"] == "NDY" and seen.turn.smallest_sale is not None


@truth("forced.sold_out_first")
def sold_out_first(seen: Seen) -> bool:
    """Something is left to sell."""
    return any(may_sell_one(seen, name) for name in seen.state.companies)
