"""When the most common reasons are so; the rest are shown by the examples."""

from collections.abc import Callable
from typing import Final, TypeAlias

from tests.support.forced_purchase import case
from tests.support.share_sales import ANY
from tests.titles.refusals.seen import Seen

STEPS = ("track", "token", "run", "dividend", "retire", "trains", "issue", "last_chance")
KINDS = {
    "lay_tile": "track",
    "place_token": "token",
    "run_routes": "run",
    "dividend": "dividend",
    "buy_train": "trains",
    "issue": "issue",
}
"""The step that something belongs to; sales and passing are apart."""
FOR_A_TRAIN = {"sell_shares", "sell_private", "liquidate", "declare_bankruptcy"}
IN_STOCK = {"sell_shares", "buy_share", "par", "start_minor", "buy_private", "sell_private"}
NEWENGLAND = {"reserve", "start_minor", "merge", "convert", "return_token", "issue", "redeem"}


def not_in_this_title(s: Seen) -> bool:
    """Minors, mergers and own shares are for 18NewEngland, a token of a private is for 18AL."""
    elsewhere = {"bid"} if s.newengland else NEWENGLAND
    return s.kind in elsewhere | {"close_private"} | (set() if s.title == "18al" else {"place_marker"})


def for_somebody_else(s: Seen) -> bool:
    same = [one for one in s.game.offers() if one.kind == s.kind]
    return bool(same) and not any(s.request.matches(one) for one in same)


def step_comes_later(s: Seen) -> bool:
    own = KINDS.get(s.kind, "")
    minor = s.newengland and s.minor(s.mine.id)
    if s.kind == "liquidate":
        return minor and not s.mine.trains and STEPS.index(s.step) < STEPS.index("trains")
    never = (minor and own in {"dividend", "issue"}) or (own == "token" and not s.mine.tokens)
    return own != "" and own not in s.turn.done and not never


def step_is_over(s: Seen) -> bool:
    minor = s.newengland and s.minor(s.mine.id)
    return (minor and "trains" in s.turn.done) if s.kind == "liquidate" else KINDS.get(s.kind) in s.turn.done


def decides_now(s: Seen) -> bool:
    """A company is in this step, and the request belongs nowhere in its turn."""
    if s.kind == "pass":
        return s.step in {"run", "dividend"} or bool(s.request.entity)
    return s.mine.id == s.values["company"] and s.kind not in KINDS.keys() | FOR_A_TRAIN


def asked_first(s: Seen) -> bool:
    proposal = s.state.proposal
    return proposal is not None and proposal.asked == s.values["player"] and s.kind != "answer"


def not_your_reply(s: Seen) -> bool:
    """The one asked agrees or refuses, the one asking withdraws."""
    assert s.state.proposal is not None
    return bool((s.actor == s.state.proposal.asked) == (s.given["reply"] == "withdraw"))


def not_for_sale(s: Seen) -> bool:
    train = s.values["train"]
    nobody = train not in s.for_sale and not s.owners(train)
    return nobody and [*s.values.get("trains", ())] == s.new_trains


def not_handed_in(s: Seen) -> bool:
    """Only a 4, 5 or 6 of its own goes for a new D of 18Chesapeake."""
    handed = s.given["trade_in"]
    fits = s.given["train"] == "D" and s.given["source"] == "bank" and handed in {"4", "5", "6"}
    return not (s.title == "18chesapeake" and fits and handed in s.mine.trains)


def bankruptcy_too_early(s: Seen) -> bool:
    """Another step, or something else that pays the train."""
    if s.step != "trains":
        return True
    if not s.newengland:
        smallest = s.turn.smallest_sale
        return not case(
            s.game, ANY if smallest is None else smallest, s.turn.funds_before_last_share
        ).bankrupt()
    pays = not s.has_to_buy or s.cheapest <= s.funds
    return s.minor(s.mine.id) or pays or any(map(s.may_sell_one, s.state.companies))


Truth: TypeAlias = Callable[[Seen], object]
TRUTHS: Final[dict[str, Truth]] = {
    # whose turn, which step
    "game.not_your_turn": lambda s: s.actor not in s.values["players"] == s.game.actors(),
    "game.no_such_move": not_in_this_title,
    "game.other_entity": for_somebody_else,
    "game.other_actor": for_somebody_else,
    "game.other_actor_for": for_somebody_else,
    "game.over": lambda s: s.state.over,
    "turn.of_another": lambda s: s.mine.id == s.values["company"] != s.request.entity == s.values["entity"],
    "turn.step_comes_later": step_comes_later,
    "turn.step_is_over": step_is_over,
    "turn.only_its_end_is_left": lambda s: s.step == "last_chance" and s.kind not in KINDS,
    "track.lays_now": decides_now,
    "token.decides_now": decides_now,
    "routes.runs_now": decides_now,
    "dividend.decides_now": decides_now,
    "trains.buys_now": decides_now,
    "issue.decides_now": decides_now,
    "consent.asked_first": asked_first,
    "consent.asked_first_in_trade": asked_first,
    "consent.asked_first_for_private": asked_first,
    "consent.not_your_reply": not_your_reply,
    "consent.not_your_reply_in_trade": not_your_reply,
    "consent.not_your_reply_for_private": not_your_reply,
    "consent.nothing_proposed": lambda s: s.state.proposal is None,
    "stock.purchase_made": lambda s: s.stock.bought is not None and s.kind != "sell_shares",
    "stock.what_is_possible": lambda s: s.kind not in IN_STOCK - NEWENGLAND | {"pass", "end_game", "answer"},
    "auction.only_bids": lambda s: s.kind not in {"bid", "pass"},
    # names that nothing has
    "choice.no_company": lambda s: s.values["company"] not in s.spec.companies,
    "choice.no_private": lambda s: s.values["private"] not in s.spec.privates,
    "choice.no_train": lambda s: s.values["train"] not in {one.name for one in s.spec.trains},
    "unknown.hex": lambda s: s.values["hex"] not in s.spec.map.all_hexes,
    "unknown.tile": lambda s: s.values["tile"] not in s.spec.tiles,
    "unknown.private": lambda s: s.values["private"] not in s.spec.privates,
    # selling
    "selling.first_round": lambda s: s.stock.number == 1 or s.stock.first,
    "selling.holds_none": lambda s: not s.held(s.actor, s.company),
    "selling.holds_fewer": lambda s: (
        s.held(s.actor, s.company) // s.company.share == s.values["held"]
        and not 1 <= s.given["shares"] <= s.values["held"]
    ),
    "selling.no_price": lambda s: s.company.par is None and s.held(s.actor, s.company),
    "selling.only_certificate": lambda s: s.minor(s.company.id) and s.company.certificate_holder == s.actor,
    "selling.pool_limit": lambda s: (
        s.company.shares.get("market", 0) + max(s.values["count"], s.given.get("shares", 1)) * s.company.share
        > 50
    ),
    "selling.nothing": lambda s: not any(map(s.may_sell_one, s.state.companies)),
    "presidency.no_successor": Seen.no_successor,
    # buying shares
    "buying.sold_in_round": lambda s: s.company.id in s.stock.sold.get(s.actor, []),
    "buying.not_from_there": lambda s: s.given["source"] not in {"offering", "market", s.company.id},
    "buying.none_there": lambda s: not s.company.shares.get(s.given["source"]),
    "buying.not_started": lambda s: s.company.par is None and not s.newengland,
    "buying.not_formed": lambda s: s.company.par is None and not s.minor(s.company.id),
    "buying.none_started": lambda s: all(one.par is None for one in s.state.companies.values()),
    "buying.started_already": lambda s: s.company.par is not None,
    "buying.no_shares": lambda s: s.minor(s.company.id),
    "buying.none_on_sale": lambda s: s.company.par is not None and not [*s.places(s.company)],
    "buying.none_for_cash": lambda s: all(price > s.cash(s.actor) for _, price in s.places(s.company)),
    "buying.share_too_dear": lambda s: (
        dict(s.places(s.company))[s.given["source"]] == s.values["price"] > s.cash(s.actor)
    ),
    "buying.not_among_pars": lambda s: s.given["price"] not in s.pars,
    "buying.not_a_par": lambda s: s.given["price"] not in s.pars,
    "buying.par_too_dear": lambda s: s.given["price"] * s.company.certificate // 10 > s.cash(s.actor),
    "buying.certificate_too_dear": lambda s: (
        min(s.pars) * s.company.certificate // 10 == s.values["cost"] > s.cash(s.actor)
    ),
    "limits.holding": lambda s: (
        s.held(s.actor, s.company) + (s.company.certificate if s.kind == "par" else s.company.share) > 60
    ),
    "limits.sell_holding": lambda s: s.held(s.actor, s.company) > 60,
    # privates
    "private_trade.never": lambda s: s.title not in {"18al", "18tn"},
    "private_trade.too_dear": lambda s: s.cash(s.given.get("buyer", s.actor)) < s.given["price"],
    "private_trade.not_yours": lambda s: s.values["private"] not in s.privates_of(s.actor),
    "private_trade.of_no_other": lambda s: (
        not any(s.values["private"] in s.privates_of(one) for one in s.others)
    ),
    "private_trade.none_of_yours": lambda s: not s.privates_of(s.actor),
    "private_trade.nobody_has_any": lambda s: not any(map(s.privates_of, s.others)),
    "private_trade.no_such_player": lambda s: s.given["buyer"] not in s.others,
    "private_trade.no_money": lambda s: s.cash(s.values["player"]) < 1,
    "private_trade.whole_dollars": lambda s: s.given["price"] < 1,
    "privates.closed": lambda s: s.state.privates[s.values["private"]].closed,
    "privates.not_now": lambda s: s.window is None,
    "privates.of_no_player": lambda s: not s.state.is_player(s.state.privates[s.values["private"]].owner),
    "privates.price_range": Seen.outside_the_window,
    "privates.price_is_face": Seen.outside_the_window,
    "privates.more_than_treasury": lambda s: s.mine.cash == s.values["cash"] < s.values["price"],
    "privates.marker_for_its_owner": lambda s: s.state.privates[s.values["private"]].owner != s.mine.id,
    # track, tokens, runs, dividends
    "track.never_again": lambda s: not s.next_colour or s.t.map.tile(s.given["hex"]) == "445",
    "track.no_such_rotation": lambda s: s.given["rotation"] not in range(6),
    "track.home_first": lambda s: (
        not s.t.map.topology(s.values["home"]).pieces and s.given["hex"] != s.values["home"]
    ),
    "track.nothing_after_an_upgrade": lambda s: "upgrade" in s.turn.laid,
    "phase.hex_waits": lambda s: s.next_colour == s.values["colour"] not in s.t.phase.tiles,
    "token.none_left": lambda s: not s.mine.tokens,
    "token.too_dear": lambda s: s.mine.tokens[0] > s.mine.cash,
    "token.no_city": lambda s: "city" not in s.stops,
    "token.no_such_city": lambda s: s.given["city"] not in range(len(s.stops)),
    "routes.no_route": lambda s: not s.has_route,
    "routes.no_train": lambda s: not s.mine.trains and not s.mine.obsolete,
    "dividend.no_such_option": lambda s: (
        s.given["option"] not in {"pay", "withhold", *(["half"] if s.newengland else [])}
        or not s.turn.revenue
    ),
    "dividend.half_always": lambda s: s.minor(s.mine.id),
    # trains
    "trains.none_from": lambda s: not s.sold(s.given["train"], s.given["source"]),
    "trains.from_itself": lambda s: s.given["source"] == s.mine.id,
    "trains.from_nobody": lambda s: s.given["source"] not in {"bank", "pool", *s.state.companies},
    "trains.not_for_sale": not_for_sale,
    "trains.not_for_sale_none_new": not_for_sale,
    "trains.too_dear": lambda s: (
        s.values["price"] in s.prices(s.values["train"]) and s.values["price"] > s.mine.cash
    ),
    "trains.fixed_price": lambda s: s.given["price"] != s.values["price"] in s.prices(s.given["train"]),
    "trains.whole_dollars": lambda s: s.given["price"] < 1,
    "trains.treasury_only": lambda s: s.given["price"] > s.mine.cash == s.values["cash"],
    "trains.not_handed_in": not_handed_in,
    "trains.no_dollar": lambda s: s.mine.cash < 1,
    "trains.has_to_buy": lambda s: s.has_to_buy,
    "train_limit.nobody_above": lambda s: s.step != "discard",
    "train_limit.discard_first": lambda s: (
        len(s.company.trains + s.company.obsolete) > s.values["limit"] and s.kind != "discard_train"
    ),
    "train_limit.no_such_train": lambda s: s.given["train"] not in s.company.trains + s.company.obsolete,
    # forced purchases and liquidation
    "forced.sales_only_for_a_train": lambda s: (
        s.step != "trains" or s.mine.running or not s.for_sale or not (s.newengland or s.has_route)
    ),
    "forced.privates_only_for_a_train": lambda s: (
        s.step != "trains" or s.mine.running or not s.for_sale or not s.has_route
    ),
    "forced.no_privates": lambda s: s.title != "18al",
    "forced.bankruptcy_only_for_a_train": bankruptcy_too_early,
    "forced.treasury_pays": lambda s: not s.mine.trains and s.cheapest <= s.mine.cash,
    "forced.cash_comes_first": lambda s: not s.mine.trains and s.mine.cash < s.cheapest <= s.funds,
    "forced.not_enough": lambda s: s.funds == s.values["funds"] < s.values["price"] and not s.mine.trains,
    "forced.presidency": lambda s: s.passes_on(s.mine.id),
    "forced.agreed_first": lambda s: (
        s.turn.deal is not None and s.values["missing"] == s.turn.deal.price - s.funds > 0
    ),
    "forced.face_value": lambda s: s.given["price"] > max(s.face(s.given["train"]), s.mine.cash),
    "forced.cheapest_only": lambda s: (
        s.mine.cash < s.cheapest <= s.values["price"] < s.face(s.given["train"])
    ),
    "liquidation.never": lambda s: not s.newengland or not s.minor(s.mine.id),
    "liquidation.has_train": lambda s: s.mine.trains and s.minor(s.mine.id),
    "liquidation.ruins_nobody": lambda s: s.minor(s.mine.id),
    "liquidation.or_train": lambda s: s.has_to_buy,
    "liquidation.sold_for_a_train": lambda s: s.has_to_buy,
    # own shares
    "redeem.no_shares": lambda s: s.minor(s.company.id),
    "issue.no_shares": lambda s: s.minor(s.company.id),
    "redeem.none_in_the_market": lambda s: not s.mine.shares.get("market"),
    "redeem.too_dear": lambda s: max(s.given.get("shares", 1), 1) * s.price(s.mine) > s.mine.cash,
    "issue.has_redeemed": lambda s: s.turn.redeemed,
    "redeem.has_issued": lambda s: s.turn.issued,
}
