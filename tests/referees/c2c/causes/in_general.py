"""Causes that have to do with whose turn it is, and with the order of a turn."""

from engine.core.actions import read_action
from tests.referees.c2c.causes.every_cause import CAUSES, Ask, Cause
from tests.referees.c2c.packet import Packet
from tests.referees.c2c.stock import StockRound

PLACE = {
    **dict.fromkeys(("lay_tile",), "track"),
    **dict.fromkeys(("place_token", "place_bull"), "token"),
    **dict.fromkeys(("prove_run",), "run"),
    **dict.fromkeys(("buy_train", "liquidate"), "trains"),
}
"""The step of a turn to which a kind of action belongs, where it is one alone."""
STOCK_KINDS = {
    *("sell_shares", "buy_share", "par", "buy_private", "sell_private", "pass", "redeem_share", "reissue"),
    *("privatize", "exchange_private", "bid", "remove_private", "buy_tokens", "answer"),
}
"""What is done in stock rounds."""
OF_STEP = {
    "track": {"lay_tile", "close_private"},
    "token": {"place_token", "place_bull"},
    "run": {"run_routes", "prove_run"},
    "dividend": {"dividend"},
    "trains": {"buy_train", "sell_shares", "sell_private", "declare_bankruptcy"},
    "destination": {"run_routes", "dividend"},
}
"""What is done in the steps of a turn."""


def _acts(ask: Ask) -> bool:
    return ask.request.actor in ask.cited("players") and len(ask.cited("players")) == 1


def _not_their_turn(ask: Ask) -> bool:
    """Somebody else decides: who is asked about a proposal, or who is on turn."""
    proposal = ask.game.table.state.proposal
    if proposal is not None:
        return ask.request.actor != proposal.asked and ask.cited("players") == (proposal.asked,)
    if ask.game.step() is not None and ask.game.actors() == (ask.request.actor,):
        return False
    return not _acts(ask)


def _for_another(ask: Ask) -> bool:
    """The same is to be had, but for somebody or something else."""
    same = [offer for offer in ask.game.offers() if offer.kind == ask.request.kind]
    mine = {offer.entity for offer in same if offer.actor == ask.request.actor}
    return ask.request.entity is not None and ask.request.entity not in mine and bool(same)


def _by_another(ask: Ask) -> bool:
    same = [offer for offer in ask.game.offers() if offer.kind == ask.request.kind]
    return bool(same) and all(offer.actor != ask.request.actor for offer in same)


def _step(ask: Ask) -> str:
    return str(ask.cited("step").name).removeprefix("doing.")


def _belongs(ask: Ask) -> bool:
    """Whether the step is one in which that is done."""
    step, kind = _step(ask), ask.request.kind
    return PLACE.get(kind, step) == step and kind in OF_STEP[step] and ask.mine.open


def _comes_later(ask: Ask) -> bool:
    """There will be something to do in it, as far as that is known."""
    step, here = _step(ask), ask.operating
    assert here is not None
    if step != "destination":
        return _belongs(ask) and step in ask.steps[1:]
    ahead = step in ask.steps[1:] or (step in ask.steps and here.now.goal is not None)
    return _belongs(ask) and ahead and bool(ask.mine.goals)


def _busy(step: str) -> Cause:
    def cause(ask: Ask) -> bool:
        """The turn stands at this step, in which that is not done."""
        now = [left for left in ask.steps if left != "shuffle"][:1]
        return now == [step] and ask.request.kind not in OF_STEP[step] and ask.mine.open

    return cause


def _asked_first(kinds: set[str]) -> Cause:
    def cause(ask: Ask) -> bool:
        proposal = ask.game.table.state.proposal
        if proposal is None or ask.cited("player") != proposal.asked:
            return False
        return read_action(proposal.action).kind in kinds

    return cause


def _wrong_reply(ask: Ask) -> bool:
    """Who is asked agrees or refuses; who asks withdraws."""
    proposal = ask.game.table.state.proposal
    assert proposal is not None
    asked = ask.request.actor == proposal.asked
    return bool((ask.given("reply") == "withdraw") == asked)


def _no_such_company(ask: Ask) -> bool:
    return ask.cited("company") not in ask.world.corporations


ALL = {"buy_train", "propose_merger", "buy_private", "sell_private", "redeem_share", "buy_marker"}
IN_TRADE = {"buy_private", "sell_private", "redeem_share"}
FOR_PRIVATE = {"buy_private", "buy_marker"}

CAUSES.update(
    {
        "game.not_your_turn": _not_their_turn,
        "game.other_entity": _for_another,
        "game.other_actor": _by_another,
        "game.other_actor_for": _by_another,
        "turn.of_another": lambda ask: (
            ask.cited("entity") == ask.request.entity != ask.mine.name
            and ask.request.entity in ask.world.corporations
        ),
        "turn.step_comes_later": _comes_later,
        "turn.step_is_over": lambda ask: _belongs(ask) and _step(ask) not in ask.steps,
        "turn.only_its_end_is_left": lambda ask: ask.steps == ["end"] and ask.mine is not None,
        "consent.asked_first": _asked_first({"buy_train"}),
        "consent.asked_first_for_merger": _asked_first({"propose_merger"}),
        "consent.asked_first_for_private": _asked_first(FOR_PRIVATE),
        "consent.asked_first_in_trade": _asked_first(IN_TRADE),
        "consent.nothing_proposed": lambda ask: ask.game.table.state.proposal is None,
        **dict.fromkeys(
            (
                "consent.not_your_reply",
                "consent.not_your_reply_for_merger",
                "consent.not_your_reply_for_private",
                "consent.not_your_reply_in_trade",
            ),
            _wrong_reply,
        ),
        "unknown.private": lambda ask: ask.cited("private") not in ask.world.privates,
        "unknown.hex": lambda ask: ask.cited("hex") not in ask.game.table.map.coords,
        "choice.no_private": lambda ask: ask.cited("private") not in ask.world.privates,
        "choice.no_company": _no_such_company,
        "track.lays_now": _busy("track"),
        "token.decides_now": _busy("token"),
        "routes.runs_now": _busy("run"),
        "dividend.decides_now": lambda ask: (
            ask.request.kind != "dividend"
            and ask.operating is not None
            and ask.cited("revenue") == (ask.operating.now.goal or ask.operating.now.revenue)
        ),
        "trains.buys_now": _busy("trains"),
        "routes.to_destination_now": _busy("destination"),
        "stock.what_is_possible": lambda ask: (
            isinstance(ask.play.round, StockRound) and ask.request.kind not in STOCK_KINDS
        ),
        "stock.only_beside_trading": lambda ask: (
            isinstance(ask.play.round, StockRound) and ask.request.kind not in STOCK_KINDS
        ),
        "merger.proposes_now": lambda ask: (
            ask.request.kind not in {"propose_merger", "pass"}
            and ask.seat_of(ask.cited("player")) == ask.merging.player
        ),
        "merger.shells_first": lambda ask: ask.request.kind != "shuffle" and ask.waiting == "first_shuffle",
        "auction.all_sold": lambda ask: (
            not isinstance(ask.play.round, Packet) and ask.request.kind in {"bid", "remove_private", "par"}
        ),
        "auction.only_bids": lambda ask: (
            not ask.packet.eliminating and ask.request.kind not in {"bid", "pass"}
        ),
    }
)
