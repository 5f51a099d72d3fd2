"""When the reasons are so that say what could follow a sale for a train."""

from tests.reasons.train_truths import has_to_buy
from tests.reasons.truths import Seen, truth
from tests.referees.newengland.model import ROW
from tests.support.forced_purchase import Case, case
from tests.support.share_sales import ANY

# --- 18Chesapeake, 18AL, 18TN ---------------------------------------------------------------------------------------


def standing(seen: Seen) -> Case:
    """The train step, and what was sold in it."""
    smallest = seen.turn.smallest_sale
    return case(seen.game, ANY if smallest is None else smallest, seen.turn.funds_before_last_share)


def refused_sale(seen: Seen, now: Case) -> int | None:
    """What a sale of shares or a private would bring that is no good end; None where it may be made.

    Where no number of shares may be sold, or no price paid, the reason is that of the first share or of the most.
    """
    assert now.missing == seen.values["missing"] > 0
    given = seen.given
    if seen.request.kind == "sell_private":
        prices = [price for name, buyer, price in now.private_sales() if buyer == given["buyer"]]
        amount = min(given.get("price", seen.cash(given["buyer"])), seen.cash(given["buyer"]))
        return None if amount in prices else amount
    numbers = [shares for name, shares in now.sales() if name == given["company"]]
    shares, line = given.get("shares", 1) if numbers else 1, now.lines[given["company"]]
    return None if shares in numbers or not line.after(now.president, shares) else line.prices[0] * shares


@truth("forced.too_much_left")
def too_much_left(seen: Seen) -> bool:
    """It pays the train, and leaves as much as something sold for it brought."""
    now = standing(seen)
    amount = refused_sale(seen, now)
    return not now.own_rule and amount is not None and amount >= now.missing


@truth("forced.none_can_follow")
def none_can_follow(seen: Seen) -> bool:
    """It does not pay the train, nor could any other sale after it without leaving too much."""
    now = standing(seen)
    amount = refused_sale(seen, now)
    return not now.own_rule and amount is not None and amount < now.missing


@truth("forced.no_longer_in_reach")
def no_longer_in_reach(seen: Seen) -> bool:
    """The train agreed on could not be paid any more."""
    now = standing(seen)
    return (
        now.deal is not None
        and now.deal.price == seen.values["price"]
        and refused_sale(seen, now) is not None
    )


@truth("forced.no_private_to_sell")
def no_private_to_sell(seen: Seen) -> bool:
    """18AL 4.2.5.2(d): none is theirs, or nobody can pay a price that leaves little enough."""
    return seen.title == "18al" and not standing(seen).private_sales()


def from_companies(seen: Seen) -> dict[str, tuple[int, int]]:
    """Companies that could sell their train of the kind that is asked for, with the lowest and highest price."""
    found = standing(seen).purchases()
    train = seen.given["train"]
    return {
        source: (low, high) for _, name, source, low, high in found if name == train and source not in OURS
    }


OURS = {"bank", "pool"}


@truth("forced.sold_for_the_bank")
def sold_for_the_bank(seen: Seen) -> bool:
    """Another company has the train, something was sold, and no price would have needed it."""
    sold = seen.turn.smallest_sale is not None or seen.turn.funds_before_last_share is not None
    return sold and bool(seen.owners(seen.given["train"])) and not from_companies(seen)


@truth("forced.last_share_in_vain")
def last_share_in_vain(seen: Seen) -> bool:
    """18Chesapeake 11.8: as much was there before it."""
    return bool(seen.given["price"] <= seen.values["before"] == seen.turn.funds_before_last_share)


@truth("forced.out_of_reach")
def out_of_reach(seen: Seen) -> bool:
    """More than can be raised."""
    _, most = from_companies(seen)[seen.given["source"]]
    return bool(most == seen.values["most"] < seen.given["price"])


@truth("forced.bankruptcy_only_for_a_train")
def bankruptcy_only_for_a_train(seen: Seen) -> bool:
    """Another step, or treasury, cash and sales can pay a train, or none must be bought."""
    if seen.step != "trains":
        return True
    if seen.title != "18newengland":
        return not standing(seen).bankrupt()
    most = sum(
        block(seen, name) * seen.price(one) for name, one in seen.state.companies.items() if block(seen, name)
    )
    return seen.is_minor(seen.mine.id) or not has_to_buy(seen) or most >= lacking(seen)


# --- 18NewEngland -------------------------------------------------------------------------------------------------


def lacking(seen: Seen) -> int:
    """What treasury and president lack for the cheapest train."""
    return seen.cheapest - seen.funds


def may_sell(seen: Seen, name: str, shares: int) -> bool:
    """10.2, 11.8: half of a company in the market, a president for it, and no other one for the buyer."""
    company, player = seen.state.companies[name], seen.mine.certificate_holder
    left = seen.held(player, company) // 10 - shares
    others = [one.id for one in seen.state.players if one.id != player and not one.bankrupt]
    most = max((seen.held(one, company) // 10 for one in others), default=0)
    if seen.is_minor(name) or company.par is None or left < 0:
        return False
    if company.shares.get("market", 0) + 10 * shares > 50:
        return False
    if company.certificate_holder != player:
        return True
    passes_on = most > left
    return not (passes_on and name == seen.mine.id) and (left >= 2 or (passes_on and most >= 2))


def block(seen: Seen, name: str) -> int:
    """The largest number of shares that may be sold at once."""
    return max((shares for shares in range(1, 11) if may_sell(seen, name, shares)), default=0)


def raised(seen: Seen, name: str, shares: int) -> int:
    """Dollars that come together when this is sold first, and then of each company as much as may be."""
    company = seen.state.companies[name]
    price = later = seen.price(company)
    if company.certificate_holder == seen.mine.certificate_holder:
        later = ROW[max(0, ROW.index(price) - shares)]
    others = [other for other in seen.state.companies if other != name and block(seen, other)]
    rest = sum(block(seen, other) * seen.price(seen.state.companies[other]) for other in others)
    return shares * price + max(0, block(seen, name) - shares) * later + rest


def spoils(seen: Seen) -> bool:
    """Whether the sale puts the train out of reach, and another one would not."""
    due = lacking(seen)
    name, shares = seen.given["company"], seen.given["shares"]
    better = any(
        may_sell(seen, other, n) and raised(seen, other, n) >= due
        for other in seen.state.companies
        for n in range(1, 11)
    )
    forced = seen.values["missing"] == due > 0 and seen.title == "18newengland" and has_to_buy(seen)
    return forced and may_sell(seen, name, shares) and raised(seen, name, shares) < due and better


def paying_blocks(seen: Seen) -> list[tuple[str, int, int]]:
    """Blocks that pay the train at once: company, shares, dollars."""
    every = ((name, n) for name in seen.state.companies for n in range(1, 11) if may_sell(seen, name, n))
    found = ((name, n, n * seen.price(seen.state.companies[name])) for name, n in every)
    return [one for one in found if one[2] >= lacking(seen)]


@truth("forced.train_out_of_reach")
def train_out_of_reach(seen: Seen) -> bool:
    """11.8; no single block would pay it."""
    return spoils(seen) and not paying_blocks(seen)


@truth("forced.sold_together")
def sold_together(seen: Seen) -> bool:
    """11.8; the block that is named would pay it."""
    sale = (seen.values["company"], seen.values["count"], seen.values["amount"])
    return spoils(seen) and sale in paying_blocks(seen)
