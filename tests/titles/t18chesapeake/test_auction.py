"""18Chesapeake: the private auction (rulebook 9)."""

import pytest

from engine.core.facts import fact
from engine.game import Game
from engine.play.privates.auction import free_cash
from engine.tell.view_builders import player_view
from tests.titles.builders import (
    SEED_OF_LINKED,
    cash,
    company,
    do,
    domain,
    kinds,
    new_game,
    offered,
    on_turn,
    passes,
    refused,
    round_name,
    values,
)

FACE = {"D&R": 20, "C-P": 40, "B&S": 50, "C&OC": 80, "B&OR": 100, "CV": 200}


def bid(game: Game, player: str, private: str, amount: int) -> None:
    """Bid, or buy the cheapest."""
    do(game, "bid", player, private=private, amount=amount)


def owner(game: Game, private: str) -> str | None:
    """Who owns a private."""
    return game.table.state.privates[private].owner


def buy_up_to(game: Game, last: str) -> None:
    """The player on turn buys the cheapest at face, up to this one."""
    for private, price in FACE.items():
        bid(game, on_turn(game), private, price)
        if private == last:
            return


def test_the_cheapest_private_is_bought_at_face_and_the_higher_priced_ones_are_bid_on() -> None:
    """R-CH-020 (9), D-CH-2 in the rulebook profile."""
    game = new_game(4)
    assert values(game, "bid", "a", "private") == list(FACE)
    assert values(game, "bid", "a", "amount", private="D&R") == [20]
    refused(game, "9", "bid", "a", private="D&R", amount=25)
    refused(game, "9", "bid", "a", private="D&R", amount=1)
    refused(game, "9", "bid", "a", private="C-P", amount=40)
    bid(game, "a", "D&R", 20)
    assert owner(game, "D&R") == "a"
    assert on_turn(game) == "b"
    refused(game, "9", "bid", "b", private="D&R", amount=20)


def test_only_the_player_on_turn_acts() -> None:
    """R-CH-020 (9): turns go clockwise."""
    game = new_game(3)
    assert "not your turn: Ann" in refused(game, "", "bid", "b", private="C-P", amount=45)
    passes(game, "a", "b")
    assert on_turn(game) == "c"


def test_the_compatible_profile_takes_any_price_for_the_cheapest() -> None:
    """D-CH-2 under 18xx.games."""
    game = new_game(4, profile="18xx.games", from_log=1)
    bid(game, "a", "D&R", 1)
    assert owner(game, "D&R") == "a"
    assert cash(game)["a"] == 599
    played = new_game(4, profile="18xx.games")
    refused(played, "9", "bid", "a", private="D&R", amount=1)


def test_bids_rise_by_five_dollars_in_multiples_of_five() -> None:
    """R-CH-021 (9)"""
    game = new_game(4)
    for amount in (0, -45, 44, 46, 47):
        refused(game, "9", "bid", "a", private="C-P", amount=amount)
    bid(game, "a", "C-P", 45)
    refused(game, "9", "bid", "b", private="C-P", amount=45)
    refused(game, "9", "bid", "b", private="C-P", amount=48)
    bid(game, "b", "C-P", 50)
    passes(game, "c", "d")
    bid(game, "a", "C-P", 100)
    passes(game, "b", "c", "d")
    bid(game, "a", "C-P", 105)


def test_there_is_no_bid_on_what_does_not_exist() -> None:
    """R-CH-020: a sentence, no change."""
    game = new_game(3)
    assert "no private PRR" in refused(game, "", "bid", "a", private="PRR", amount=45)
    refused(game, "9", "sell_shares", "a", company="PRR", shares=1)


def test_only_high_bids_tie_up_money() -> None:
    """R-CH-022 (9), worked example 3, D-CH-1 in the rulebook profile."""
    game = new_game(6)
    bid(game, "a", "CV", 205)
    assert free_cash(game.table, "a") == 195
    bid(game, "b", "CV", 210)
    assert free_cash(game.table, "a") == 400
    assert free_cash(game.table, "b") == 190
    passes(game, "c", "d", "e", "f")
    assert values(game, "bid", "a", "amount", private="CV")[-1] == 400
    assert values(game, "bid", "a", "amount", private="B&OR")[-1] == 400
    refused(game, "9", "bid", "a", private="CV", amount=405)
    passes(game, "a")
    assert values(game, "bid", "b", "amount", private="B&OR")[-1] == 190
    assert values(game, "bid", "b", "amount", private="CV")[-1] == 400
    refused(game, "9", "bid", "b", private="B&OR", amount=195)


@pytest.mark.parametrize(("from_log", "most"), [(0, 400), (99, 605)])
def test_in_a_log_an_outbid_bid_counts_as_money(from_log: int, most: int) -> None:
    """D-CH-1 under 18xx.games, worked example 3: at a table nobody bids what they cannot pay."""
    game = new_game(6, profile="18xx.games", from_log=from_log)
    bid(game, "a", "CV", 205)
    bid(game, "b", "CV", 210)
    passes(game, "c", "d", "e", "f")
    assert domain(game, "bid", "a", "amount", private="CV").allowed() == fact(
        "allowed.steps", low=215, high=most, step=5
    )


def test_a_contest_opens_with_a_bid_that_cannot_be_paid() -> None:
    """D-CH-1: only its bidder's turn to pay would make it fall; the others have to bid more."""
    game = new_game(6, profile="18xx.games", from_log=99)
    bid(game, "a", "C-P", 205)
    bid(game, "b", "C-P", 210)
    passes(game, "c", "d", "e", "f")
    bid(game, "a", "C-P", 500)
    bid(game, "b", "D&R", 20)
    assert (owner(game, "C-P"), on_turn(game)) == (None, "b")
    passes(game, "b")
    assert (owner(game, "C-P"), on_turn(game)) == (None, "c")
    bid(game, "c", "C-P", 40)
    assert owner(game, "C-P") == "c"


def test_a_purchase_at_face_settles_the_bids_on_the_next_privates() -> None:
    """R-CH-023, R-CH-024, R-CH-025 (9), worked example 2."""
    game = new_game(4)
    bid(game, "a", "C-P", 45)
    bid(game, "b", "C-P", 50)
    bid(game, "c", "C&OC", 85)
    bid(game, "d", "D&R", 20)
    assert on_turn(game) == "a"
    assert values(game, "bid", "a", "private") == ["C-P"]
    refused(game, "9", "bid", "a", private="CV", amount=205)
    refused(game, "9", "bid", "a", private="C-P", amount=50)
    bid(game, "a", "C-P", 55)
    assert on_turn(game) == "b"
    bid(game, "b", "C-P", 60)
    passes(game, "a")
    assert owner(game, "C-P") == "b"
    assert owner(game, "B&S") is None
    assert on_turn(game) == "a"
    free = {player: free_cash(game.table, player) for player in "abcd"}
    assert free == {"a": 600, "b": 540, "c": 515, "d": 580}


def test_a_single_bidder_gets_the_private_for_their_bid() -> None:
    """R-CH-023 (9): again and again until one without bids is reached."""
    game = new_game(3)
    bid(game, "a", "C-P", 45)
    bid(game, "b", "B&S", 60)
    bid(game, "c", "D&R", 20)
    assert (owner(game, "C-P"), owner(game, "B&S"), owner(game, "C&OC")) == ("a", "b", None)
    assert cash(game) == {"a": 755, "b": 740, "c": 780}
    assert on_turn(game) == "a"


def test_who_leaves_a_contest_is_out_and_the_next_lowest_acts() -> None:
    """R-CH-024 (9)"""
    game = new_game(4)
    bid(game, "a", "C-P", 45)
    bid(game, "b", "C-P", 50)
    bid(game, "c", "C-P", 55)
    bid(game, "d", "D&R", 20)
    bid(game, "a", "C-P", 60)
    assert on_turn(game) == "b"
    passes(game, "b")
    assert on_turn(game) == "c"
    bid(game, "c", "C-P", 80)
    assert on_turn(game) == "a"
    passes(game, "a")
    assert owner(game, "C-P") == "c"
    assert cash(game) == {"a": 600, "b": 600, "c": 520, "d": 580}
    assert on_turn(game) == "a"


def test_in_a_contest_money_in_high_bids_elsewhere_is_not_free() -> None:
    """R-CH-022, R-CH-024 (9): who has spent it elsewhere can only leave."""
    game = new_game(3)
    bid(game, "a", "C-P", 45)
    bid(game, "b", "C-P", 50)
    bid(game, "c", "B&S", 55)
    bid(game, "a", "CV", 800)
    bid(game, "b", "D&R", 20)
    assert on_turn(game) == "a"
    assert kinds(game) == ["pass"]
    refused(game, "9", "bid", "a", private="C-P", amount=55)
    passes(game, "a")
    assert (owner(game, "C-P"), owner(game, "B&S")) == ("b", "c")
    assert on_turn(game) == "c"


def test_an_outbid_player_without_money_still_has_to_leave_the_contest() -> None:
    """R-CH-022, R-CH-024 (9): outbid, they stay a participant, even when their money has gone elsewhere since."""
    game = new_game(3)
    bid(game, "a", "B&S", 700)
    bid(game, "b", "B&S", 705)
    bid(game, "c", "D&R", 20)
    bid(game, "a", "CV", 600)
    bid(game, "b", "C-P", 40)
    assert on_turn(game) == "a"
    assert kinds(game) == ["pass"]
    passes(game, "a")
    assert owner(game, "B&S") == "b"


def test_the_baltimore_private_brings_its_share_at_once() -> None:
    """R-CH-026 (7.1)"""
    game = new_game(3)
    buy_up_to(game, "B&OR")
    assert owner(game, "B&OR") == "b"
    assert company(game, "B&O").shares == {"offering": 70, "b": 10}
    assert not company(game, "B&O").started


def test_vanderbilts_buyer_sets_the_par_price_before_anything_else() -> None:
    """R-CH-026 (7.1, 9)"""
    game = new_game(3, SEED_OF_LINKED["LV"])
    buy_up_to(game, "CV")
    assert round_name(game) == "Auction"
    assert (on_turn(game), kinds(game)) == ("c", ["par"])
    money = cash(game)
    assert values(game, "par", "c", "price", company="LV") == [70, 80, 95]
    refused(game, "10.4", "par", "c", company="LV", price=100)
    refused(game, "9", "par", "c", company="PRR", price=80)
    refused(game, "9", "pass", "c")
    do(game, "par", "c", company="LV", price=95)
    assert cash(game) == money
    assert company(game, "LV").president == "c"
    assert company(game, "LV").percent("c") == 20
    assert game.table.price(company(game, "LV")) == 95
    assert round_name(game) == "SR 1"


def test_vanderbilt_may_bring_the_presidency_of_the_baltimore() -> None:
    """R-CH-005 (7.1): the other private still brings its share."""
    game = new_game(3, SEED_OF_LINKED["B&O"])
    buy_up_to(game, "CV")
    do(game, "par", "c", company="B&O", price=80)
    baltimore = company(game, "B&O")
    assert (baltimore.percent("c"), baltimore.percent("b"), baltimore.president) == (20, 10, "c")


def test_when_nobody_wants_anything_the_first_private_gets_cheaper() -> None:
    """R-CH-027 (9), worked example 4: at last the first player gets it for nothing."""
    game = new_game(3)
    for price in (15, 10, 5):
        passes(game, "a", "b", "c")
        assert on_turn(game) == "a"
        assert values(game, "bid", "a", "amount", private="D&R") == [price]
        refused(game, "9", "bid", "a", private="D&R", amount=20)
    passes(game, "a", "b", "c")
    assert owner(game, "D&R") == "a"
    assert cash(game)["a"] == 800
    assert on_turn(game) == "b"


def test_the_reduced_private_is_taken_by_who_passed_first_in_the_series() -> None:
    """R-CH-027 (9): a bid ends a series; the free private settles the bids behind it."""
    game = new_game(3)
    passes(game, "a")
    bid(game, "b", "C-P", 45)
    passes(game, "c", "a", "b")
    assert on_turn(game) == "c"
    assert game.table.state.priority == 2
    assert [player_view(game, player).priority for player in "abc"] == [False, False, True]
    for _ in range(3):
        passes(game, "c", "a", "b")
    assert owner(game, "D&R") == "c"
    assert owner(game, "C-P") == "b"
    assert on_turn(game) == "a"


def test_a_reduced_private_that_is_bought_keeps_the_price_of_the_others() -> None:
    """R-CH-027 (9): only the first one became cheaper."""
    game = new_game(3)
    passes(game, "a", "b", "c")
    bid(game, "a", "D&R", 15)
    assert values(game, "bid", "b", "amount", private="C-P") == [40]


def test_when_all_pass_after_a_sale_privates_pay_and_a_train_leaves() -> None:
    """R-CH-028 (9, 11.9), worked example 5."""
    game = new_game(3)
    bid(game, "a", "D&R", 20)
    bid(game, "b", "CV", 205)
    passes(game, "c", "a", "b")
    assert cash(game)["a"] == 785
    assert game.table.state.depot["2"] == 6
    assert game.table.auction.bids == {"CV": {"b": 205}}
    assert on_turn(game) == "c"
    assert game.table.state.priority == 0
    assert round_name(game) == "Auction"


def test_operating_rounds_of_the_auction_may_start_phases() -> None:
    """R-CH-028 (9, 11.9): each of them takes one train, up to the last of the 4-trains."""
    game = new_game(3)
    bid(game, "a", "D&R", 20)
    for number in range(1, 19):
        passes(game, "b", "c", "a")
        phase = "2" if number < 8 else "3" if number < 14 else "4"
        assert game.table.state.phase == phase
    assert game.table.state.depot["4"] == 0
    passes(game, "b", "c", "a")
    assert game.table.state.depot["5"] == 3
    assert cash(game)["a"] == 780 + 19 * 5


def test_priority_goes_left_of_the_last_buyer_at_face_value() -> None:
    """R-CH-029 (9), worked example 6."""
    game = new_game(2, SEED_OF_LINKED["LV"])
    for player, private in zip("abab", ["D&R", "C-P", "B&S", "C&OC"], strict=True):
        bid(game, player, private, FACE[private])
    passes(game, "a")
    bid(game, "b", "CV", 205)
    bid(game, "a", "B&OR", 100)
    assert (owner(game, "CV"), on_turn(game)) == ("b", "b")
    do(game, "par", "b", company="LV", price=70)
    assert round_name(game) == "SR 1"
    assert on_turn(game) == "b"
    assert not offered(game, "sell_shares")


def test_the_certificate_limit_does_not_hold_in_the_auction() -> None:
    """R-CH-030 (10.1): one player may buy everything."""
    game = new_game(6)
    for private, price in list(FACE.items())[:4]:
        bid(game, "a", private, price)
        passes(game, *"bcdef")
    assert [private for private in FACE if owner(game, private) == "a"] == ["D&R", "C-P", "B&S", "C&OC"]
