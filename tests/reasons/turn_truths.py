"""When the reasons about turns and proposals, and about own shares, are so."""

from tests.reasons.truths import Seen, truth

ORDER = ("track", "token", "run", "dividend", "retire", "trains", "issue", "last_chance")
KINDS = {
    "track": {"lay_tile"},
    "token": {"place_token"},
    "run": {"run_routes"},
    "dividend": {"dividend"},
    "trains": {"buy_train"},
    "issue": {"issue"},
}
"""What belongs into a step, sales and passing apart."""
ANYTIME = {"buy_private", "redeem", "place_marker"}


# --- whose turn, which step ----------------------------------------------------------------------------------------


@truth("game.not_your_turn")
def not_your_turn(seen: Seen) -> bool:
    """Others are asked."""
    return seen.request.actor not in seen.values["players"] and set(seen.values["players"]) == set(
        seen.game.actors()
    )


@truth("game.over")
def over(seen: Seen) -> bool:
    """It has ended."""
    return seen.state.over


@truth("game.other_entity", "game.other_actor", "game.other_actor_for")
def for_others(seen: Seen) -> bool:
    """Something of the kind is offered, for somebody else."""
    same = [one for one in seen.game.offers() if one.kind == seen.request.kind]
    return bool(same) and not any(seen.request.means(one) for one in same)


@truth("game.no_such_move")
def no_such_move(seen: Seen) -> bool:
    """Minors, mergers and shares of its own have companies in 18NewEngland only; only 18AL has a token to place.

    No private is closed by its owner without something else that is done by it.
    """
    newengland = {"reserve", "start_minor", "merge", "convert", "return_token", "issue", "redeem"}
    elsewhere = {"bid"} if seen.title == "18newengland" else newengland
    nowhere = {"close_private"} | (set() if seen.title == "18al" else {"place_marker"})
    return seen.request.kind in elsewhere | nowhere


@truth("game.not_possible", "choice.not_legal")
def not_possible(seen: Seen) -> bool:
    """Never: it names no cause, and there is always one."""
    return False


@truth("turn.of_another")
def turn_of_another(seen: Seen) -> bool:
    """Another company operates."""
    return bool(seen.mine.id == seen.values["company"] != seen.request.entity == seen.values["entity"])


def own_step(seen: Seen) -> str:
    """The step a request belongs to."""
    return next((step for step, kinds in KINDS.items() if seen.request.kind in kinds), "")


@truth("turn.step_comes_later")
def step_comes_later(seen: Seen) -> bool:
    """It does, and the company has something to do there; selling and giving up have reasons of their own."""
    own = own_step(seen)
    if seen.request.kind == "liquidate":
        return seen.is_minor(seen.mine.id) and not seen.mine.trains and ORDER.index(seen.step) < 5
    if not own or own in seen.turn.done:
        return False
    minor = seen.title == "18newengland" and seen.is_minor(seen.mine.id)
    never = own in {"dividend", "issue"} and minor
    return not never and not (own == "token" and not seen.mine.tokens)


@truth("turn.step_is_over")
def step_is_over(seen: Seen) -> bool:
    """It is, and the company takes part in it."""
    own = "trains" if seen.request.kind == "liquidate" else own_step(seen)
    if seen.request.kind == "liquidate" and not (
        seen.title == "18newengland" and seen.is_minor(seen.mine.id)
    ):
        return False
    return own in seen.turn.done


@truth("turn.only_its_end_is_left")
def only_its_end_is_left(seen: Seen) -> bool:
    """Every step is over."""
    own = own_step(seen)
    return seen.step == "last_chance" and own not in KINDS


@truth(
    "track.lays_now",
    "token.decides_now",
    "routes.runs_now",
    "dividend.decides_now",
    "trains.buys_now",
    "issue.decides_now",
)
def decides_now(seen: Seen) -> bool:
    """A company is in this step, and the request belongs nowhere in its turn."""
    here = seen.step
    belongs = seen.request.kind in set().union(*KINDS.values()) | {
        "sell_shares",
        "sell_private",
        "liquidate",
        "declare_bankruptcy",
    }
    if seen.request.kind == "pass":
        return here in {"run", "dividend"} or bool(seen.request.entity)
    return seen.mine.id == seen.values["company"] and not belongs


@truth(
    "consent.asked_first",
    "consent.asked_first_for_private",
    "consent.asked_first_in_trade",
    "consent.asked_first_for_merger",
)
def asked_first(seen: Seen) -> bool:
    """A proposal waits for this player."""
    proposal = seen.state.proposal
    return proposal is not None and proposal.asked == seen.values["player"] and seen.request.kind != "answer"


@truth(
    "consent.not_your_reply",
    "consent.not_your_reply_for_private",
    "consent.not_your_reply_in_trade",
    "consent.not_your_reply_for_merger",
)
def not_your_reply(seen: Seen) -> bool:
    """The one asked agrees or refuses, the one asking withdraws."""
    proposal, reply = seen.state.proposal, seen.given["reply"]
    assert proposal is not None
    return bool((seen.request.actor == proposal.asked) == (reply == "withdraw"))


@truth("consent.nothing_proposed")
def nothing_proposed(seen: Seen) -> bool:
    """No proposal waits."""
    return seen.state.proposal is None


@truth("end_game.agreed_already")
def agreed_already(seen: Seen) -> bool:
    """The player has."""
    return seen.request.actor in seen.state.end_votes


# --- own shares -----------------------------------------------------------------------------------------------------


@truth("redeem.has_issued")
def has_issued(seen: Seen) -> bool:
    """In this turn."""
    return seen.turn.issued > 0


@truth("redeem.none_in_the_market")
def none_in_the_market(seen: Seen) -> bool:
    """The market has none."""
    return not seen.mine.shares.get("market")


@truth("redeem.in_the_market")
def fewer_in_the_market(seen: Seen) -> bool:
    """The market has fewer, or this many are none."""
    lying = seen.mine.shares.get("market", 0) // 10
    return lying == seen.values["shares"] and not 1 <= seen.given["shares"] <= lying


@truth("redeem.too_dear")
def redeeming_too_dear(seen: Seen) -> bool:
    """They cost more than the treasury has."""
    return (
        seen.given.get("shares", 1) * seen.price(seen.mine) > seen.mine.cash
        or seen.price(seen.mine) > seen.mine.cash
    )


@truth("issue.has_redeemed", "redeem.once_a_turn")
def has_redeemed(seen: Seen) -> bool:
    """In this turn."""
    return seen.turn.redeemed > 0


@truth("issue.room")
def no_room_to_issue(seen: Seen) -> bool:
    """The market would have more than half."""
    wished = seen.given.get("offering", 0) + seen.given.get("treasury", 0) or 1
    return seen.mine.shares.get("market", 0) + 10 * wished > 50


@truth("issue.none_left")
def none_to_issue(seen: Seen) -> bool:
    """Neither in the offering nor redeemed."""
    return not seen.mine.shares.get("offering") and not seen.mine.shares.get(seen.mine.id)


@truth("issue.of_the_offering")
def of_the_offering(seen: Seen) -> bool:
    """It has fewer, or none was named of anything."""
    return bool(
        seen.given["offering"] > seen.mine.shares.get("offering", 0) // 10 or seen.given["offering"] < 1
    )


@truth("issue.of_the_redeemed")
def of_the_redeemed(seen: Seen) -> bool:
    """It has fewer, or none was named of anything."""
    return bool(
        seen.given["treasury"] > seen.mine.shares.get(seen.mine.id, 0) // 10 or seen.given["treasury"] < 1
    )


@truth("dividend.half_always")
def half_always(seen: Seen) -> bool:
    """A minor."""
    return seen.is_minor(seen.mine.id)


@truth("dividend.no_such_option")
def no_such_option(seen: Seen) -> bool:
    """Half is paid in 18NewEngland only."""
    allowed = {"pay", "withhold", "half"} if seen.title == "18newengland" else {"pay", "withhold"}
    return seen.given["option"] not in allowed or seen.turn.revenue == 0
