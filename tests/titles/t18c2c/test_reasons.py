"""18C2C: reasons for what is refused are those that hold, and what is lost for good is said before."""

from typing import Any

from engine.core.state import ExtraTokens
from engine.game import Game
from engine.play.steps.base import Request
from tests.titles.builders import Position, company, do, find, label, refused, tell
from tests.titles.t18c2c.merging import Merging
from tests.titles.t18c2c.rails import rails

LAY: dict[str, Any] = {"hex": "L69", "tile": "5", "rotation": 0}


def position(*options: str) -> Position:
    """A position of the super-short game with four players, all privates closed."""
    return Position(4, title="18c2c", options=options)


def operating(name: str, step: str = "track", *, phase: str = "3", cash: int = 500) -> Position:
    """A corporation of player a in its turn, and the B&O of b."""
    found = position().start(name, 82, a=60).start("B&O", 76, b=60).phase(phase)
    return found.treasury(name, cash).operating(name, step)


def two_shells(first: str, second: str, phase: str) -> Position:
    """A merged B&O with these trains on its shells."""
    found = Merging(phase=phase).single("B&O", 7, a=60, trains=f"{first} {second}")
    corporation = found.state.companies["B&O"]
    corporation.parts, corporation.second = ["B&O", "PRR"], second.split()
    return found


# --- stock rounds ------------------------------------------------------------------------------------------------


def test_no_sale_in_round_11_is_said_with_the_packet_that_was_sold_in_it() -> None:
    """R-C2C-031 (3): it is the first round with shares, whatever its number."""
    game = position().start("PRR", 82, a=40).stock("a", 11, first=True).game()
    refusal = refused(game, "3", "sell_shares", "a", company="PRR", shares=1)
    assert "No shares are sold in the first stock round" not in refusal
    assert "the last private was sold in it" in refusal


def test_a_price_above_ones_cash_is_not_taken_for_broken_dollars() -> None:
    """R-C2C-038 (3): the own cash is no secret."""
    game = position().owns("b", "KTC").cash(a=171).game()
    refusal = refused(game, "3", "buy_private", "a", private="KTC", price=290)
    assert "whole number" not in refusal
    assert "Ann cannot pay $290" in refusal
    assert "whole number" in refused(game, "3", "buy_private", "a", private="KTC", price=-1)


def test_a_price_above_all_the_money_there_is_can_be_paid_by_nobody() -> None:
    """R-C2C-263 (13): less than that is not refused, so that nobody learns what another has."""
    game = position().owns("a", "KTC").cash(b=10).game()
    refusal = refused(game, "3", "sell_private", "a", private="KTC", buyer="b", price=25_001)
    assert "Bob cannot pay $25001" in refusal
    assert "$10" not in refusal


def test_a_price_above_the_treasury_is_not_taken_for_one_out_of_range() -> None:
    """R-C2C-140 (7)."""
    game = operating("PRR", cash=60).owns("b", "KTC").game()
    refusal = refused(game, "7", "buy_private", "PRR", private="KTC", price=80)
    assert "PRR has $60, not $80" in refusal
    assert "50% to 200%" in refused(game, "7", "buy_private", "PRR", private="KTC", price=81)


def test_what_is_possible_names_redemption_reissue_and_privatization() -> None:
    """R-C2C-080 to R-C2C-082 (5): they are possible in addition to trading."""
    where = position().start("PRR", 82, market=10, a=60, b=20).cash(a=500)
    prr = where.state.companies["PRR"]
    prr.shares["PRR"], prr.shares["offering"] = 10, 0
    del prr.shares["offering"]
    refusal = refused(where.game(), "3", "lay_tile", "a", hex="L69", tile="5", rotation=0)
    assert "That is no move of a stock round" in refusal
    possible = refusal.partition("Possible now: ")[2]
    for deed in ("redeem a share", "reissue shares", "take a share from a player"):
        assert deed in possible, possible
    assert "end the game" not in possible


def test_a_redemption_that_costs_the_presidency_says_so() -> None:
    """R-C2C-080, R-C2C-039 (5): before it is done, as a sale does."""
    where = position().start("SOU", 82, a=40, b=40).treasury("SOU", 300)
    where.state.companies["SOU"].floated = True
    game = where.game()
    ready = {one.chosen["source"]: label(game, one) for one in find(game, "redeem_share").suggest()}
    assert ready["a"] == "Redeem SOU from Ann, $82, Bob becomes president"
    assert ready["b"] == "Redeem SOU from Bob, $82"
    do(game, "redeem_share", "a", company="SOU", source="a")
    assert company(game, "SOU").president == "b"


def test_a_sale_after_buying_is_refused_with_the_reason_also_at_the_end_of_the_turn() -> None:
    """R-C2C-030 (3): not only that something other than trading is left."""
    where = position().start("SOU", 82, market=10, a=40, b=20).treasury("SOU", 300)
    where.cash(a=0).stock("a", 3, bought="SOU", sold_first=True, acted=True)
    where.state.companies["SOU"].floated = True
    game = where.game()
    step = game.step()
    assert step is not None
    assert step.name == "end_of_turn"
    assert "sold before the purchase" in refused(game, "3", "sell_shares", "a", company="SOU", shares=1)


def test_a_request_for_somebody_else_is_refused_with_whom_it_is_possible_for() -> None:
    """R-C2C-080 (5): not that nobody has a share to redeem."""
    where = position().start("SOU", 82, market=10, a=40, b=20).treasury("SOU", 300)
    where.state.companies["SOU"].floated = True
    refusal = refused(where.game(), "", "redeem_share", "B&O", actor="a", company="SOU", source="market")
    assert refusal.startswith("This is possible now only for Ann, not for B&O")


def test_after_the_packet_nobody_bids() -> None:
    """R-C2C-025, R-C2C-021 (2)."""
    game = position().game()
    assert "auction is over" in refused(game, "2", "bid", "a", private="KTC", amount=40)
    assert "auction is over" in refused(game, "2", "remove_private", "a", private="KTC")


def test_tokens_are_bought_only_at_the_float() -> None:
    """R-C2C-061 (4)."""
    game = position().start("SOU", 82, a=60).game()
    assert "No company has just floated" in refused(game, "4", "buy_tokens", "SOU", actor="a", tokens="40")


def test_an_answer_needs_a_proposal_and_a_discard_a_train_too_many() -> None:
    """R-C2C-211, R-C2C-222 (10)."""
    game = operating("PRR").trains("PRR", "2").game()
    assert "Nothing is proposed" in refused(game, "10", "answer", "a", reply="agree")
    assert "No company is above" in refused(game, "10", "discard_train", "PRR", train="2")


# --- trains ------------------------------------------------------------------------------------------------------


def test_at_the_limit_of_both_shells_one_shell_is_too_full() -> None:
    """R-C2C-226, R-C2C-211 (10): four trains in all are not above twice two."""
    game = two_shells("3 4 5", "5", "5").operating("B&O", "trains").game()
    refusal = refused(game, "10", "pass", "B&O")
    assert "above the limit" not in refusal
    assert "more than 2 trains on a shell" in refusal


def test_a_train_of_the_other_shell_is_no_train_that_is_not_there() -> None:
    """R-C2C-226 (10): giving it up would not help."""
    game = two_shells("3 4 3", "5", "5").operating("B&O", "trains").game()
    assert "on a shell with too many" in refused(game, "10", "discard_train", "B&O", train="5")
    assert "has no 5D-train" in refused(game, "10", "discard_train", "B&O", train="5D")


def test_privates_pay_for_no_train() -> None:
    """R-C2C-038, R-C2C-214 (10): in no step of the turn, forced or not."""
    forced = rails(operating("SOU", "trains", phase="4D", cash=90).cash(a=100), "S62-S64-T65-U66")
    for where in (operating("PRR"), operating("PRR", "trains"), forced):
        game = where.owns("a", "KTC").game()
        refusal = refused(game, "10", "sell_private", "a", private="KTC", buyer="b", price=40)
        assert "Privates are not sold to other players in an operating round" in refusal


def test_the_president_sells_and_not_the_corporation() -> None:
    """R-C2C-214 (10): where a share may be sold it is not said that none may."""
    where = operating("SOU", "trains", phase="4D", cash=90).start("WAB", 82, b=40, a=30).cash(a=600)
    game = rails(where, "S62-S64-T65-U66").game()
    refusal = refused(game, "", "sell_shares", "SOU", company="WAB", shares=1)
    assert refusal.startswith("This is possible now only for Ann, not for SOU")


def test_290_dollars_are_more_than_not_a_dollar() -> None:
    """R-C2C-210 (10): it is another corporation's turn."""
    game = operating("PRR", "trains", cash=290).trains("B&O", "4").depot(t2=0).game()
    train = {"train": "4", "source": "B&O", "trade_in": "", "price": 100}
    refusal = refused(game, "6", "buy_train", "WAB", actor="a", **train)
    assert "not a dollar" not in refusal
    assert "It is the turn of PRR, not of WAB" in refusal
    refusal = refused(game, "", "buy_train", "KTC", actor="b", **train)
    assert "not your turn" in refusal
    assert "It is the turn of PRR, not of WAB" in refused(game, "6", "lay_tile", "WAB", actor="a", **LAY)


def test_a_train_that_a_seller_does_not_have_is_refused_with_its_cause() -> None:
    """R-C2C-210 (10): too dear at the bank, not there, or one's own."""
    game = operating("PRR", "trains", cash=100).trains("B&O", "3").depot(t2=0).trains("PRR", "3").game()

    def why(source: str) -> str:
        return refused(
            game, "10", "buy_train", "PRR", train="3", source=source, trade_in="", price=100
        ).partition(" Allowed")[0]

    assert why("bank") == "A 3-train costs $180; PRR has $100 (10)."
    assert why("pool") == "There is no 3-train for sale from the pool (10)."
    assert why("PRR") == "PRR buys no train from itself (10)."


# --- privates ----------------------------------------------------------------------------------------------------


def test_in_phase_2_some_privates_are_sold_and_others_later() -> None:
    """R-C2C-140, R-C2C-141 (7): so it is false that companies buy none."""
    game = operating("PRR", phase="2").owns("b", "KTC", "AZF").game()
    refusal = refused(game, "7", "buy_private", "PRR", private="AZF", price=50)
    assert "Companies buy no privates now" not in refusal
    assert "AZF is not sold to companies in this phase; phases 3, 4 allow it" in refusal


def test_a_private_that_is_closed_is_not_reserved_for_other_companies() -> None:
    """R-C2C-143 (7): from the first 5 on."""
    game = operating("PRR", phase="5").game()
    refusal = refused(game, "7", "buy_private", "PRR", private="KTC", price=40)
    assert "KTC is closed" in refusal
    assert "phases 3, 4 allow it" in refused_without_values(game, "buy_private", "PRR")


def refused_without_values(game: Game, kind: str, entity: str) -> str:
    """Why nothing of the kind is possible at all."""
    problem = game.obstacle(Request(kind, game.table.decider(entity), entity))
    assert problem is not None
    return tell(game).refusal(problem)


def test_closing_a_private_in_vain_has_its_cause() -> None:
    """R-C2C-142, R-C2C-151 (7): in the track step as later."""
    for step in ("track", "trains"):
        game = operating("PRR", step).owns("PRR", "AZF").owns("b", "GSC").game()
        assert "bring nothing" in refused(game, "7", "close_private", "AZF", actor="a")
        assert "a company that owns it" in refused(game, "7", "close_private", "GSC", actor="a")
        assert "closed" in refused(game, "7", "close_private", "TBC", actor="a")
        assert "no private that it could close" in refused(game, "7", "close_private", "a")


# --- tokens and shells -------------------------------------------------------------------------------------------


def test_reserved_and_bull_tokens_are_no_tokens_that_are_missing() -> None:
    """R-C2C-063, R-C2C-064 (6)."""
    where = operating("PRR", "trains")
    where.state.companies["PRR"].tokens = []
    where.state.companies["PRR"].extra = ExtraTokens([40], ["PRR"])
    game = where.game()
    assert "no ordinary token left" in refused(game, "6", "place_token", "PRR", hex="L69", city=0)
    assert "PRR has no bull token" in refused(game, "6", "place_bull", "PRR", hex="L69", city=0)


def test_trains_cannot_be_shared_out_as_they_lie_or_without_being_there() -> None:
    """R-C2C-226 (11): that is not the limit of a shell."""
    game = two_shells("3 4", "5", "4").operating("B&O").game()
    assert "lie so already" in refused(game, "11", "shuffle", "B&O", first="4 3")
    assert "takes trains of B&O: 3, 4, 5" in refused(game, "11", "shuffle", "B&O", first="6D")


def test_a_private_that_is_exchanged_for_nothing_hides_none_that_is() -> None:
    """R-C2C-02A (2)."""
    full = Position(4, title="18c2c-full").owns("a", "MHR", "KTC").start("NYC", 82, b=100)
    game = full.stock("a").game()
    assert "KTC is not exchanged" in refused(game, "2", "exchange_private", "KTC", source="offering")
    assert "No share of NYC" in refused(game, "2", "exchange_private", "a", source="offering")
