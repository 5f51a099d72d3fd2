"""18Chesapeake: the private auction (rulebook 9)."""

import pytest

from engine.core.facts import fact
from engine.play.privates.auction import free_cash
from engine.tell.view_builders import player_view
from tests.titles.builders import SEED_OF_LINKED, TitleGame, new_game

FACE = {"D&R": 20, "C-P": 40, "B&S": 50, "C&OC": 80, "B&OR": 100, "CV": 200}


def bids(game: TitleGame, *made: tuple[str, str, int]) -> None:
    for player, private, amount in made:
        game.bid(player, private, amount)


def buy_up_to(game: TitleGame, last: str) -> None:
    """The player on turn buys the cheapest at face, up to this one."""
    for private, face in FACE.items():
        game.bid(game.on_turn(), private, face)
        if private == last:
            return


def highest_bid(game: TitleGame, player: str, private: str) -> int:
    return int(game.values("bid", player, "amount", private=private)[-1])


def test_cheapest_private_costs_face_value() -> None:
    """R-CH-020, R-CH-021 (9), D-CH-2: at any price under 18xx.games, in a log, not at a table; bids rise by
    fives."""
    game = new_game(4)
    assert game.values("bid", "a", "private") == list(FACE)
    assert game.values("bid", "a", "amount", private="D&R") == [20]
    for private, amount in (("D&R", 25), ("D&R", 1), ("C-P", 40)):
        game.refused("9", "bid", "a", private=private, amount=amount)
    assert "no private PRR" in game.refused("", "bid", "a", private="PRR", amount=45)
    assert "not your turn: Ann" in game.refused("", "bid", "b", private="C-P", amount=45)
    game.bid("a", "D&R", 20)
    assert (game.owner("D&R"), game.on_turn()) == ("a", "b")
    game.refused("9", "bid", "b", private="D&R", amount=20)
    game.passes("b")
    assert game.on_turn() == "c"
    game = new_game(4, profile="18xx.games", from_log=1)
    game.bid("a", "D&R", 1)
    assert (game.owner("D&R"), game.cash()["a"]) == ("a", 599)
    new_game(4, profile="18xx.games").refused("9", "bid", "a", private="D&R", amount=1)
    game = new_game(4)
    for amount in (0, -45, 44, 46, 47):
        game.refused("9", "bid", "a", private="C-P", amount=amount)
    game.bid("a", "C-P", 45)
    for amount in (45, 48):
        game.refused("9", "bid", "b", private="C-P", amount=amount)
    game.bid("b", "C-P", 50)


def test_only_high_bids_tie_up_money() -> None:
    """R-CH-022 (9), worked example 3, D-CH-1 in the rulebook profile."""
    game = new_game(6)
    game.bid("a", "CV", 205)
    assert free_cash(game.table, "a") == 195
    game.bid("b", "CV", 210)
    assert (free_cash(game.table, "a"), free_cash(game.table, "b")) == (400, 190)
    game.passes("c", "d", "e", "f")
    assert (highest_bid(game, "a", "CV"), highest_bid(game, "a", "B&OR")) == (400, 400)
    game.refused("9", "bid", "a", private="CV", amount=405)
    game.passes("a")
    assert (highest_bid(game, "b", "CV"), highest_bid(game, "b", "B&OR")) == (400, 190)
    game.refused("9", "bid", "b", private="B&OR", amount=195)


@pytest.mark.parametrize(("from_log", "most"), [(0, 400), (99, 605)])
def test_outbid_bids_count_as_money_in_logs(from_log: int, most: int) -> None:
    """D-CH-1 under 18xx.games, worked example 3: at a table nobody bids what they cannot pay."""
    game = new_game(6, profile="18xx.games", from_log=from_log)
    bids(game, ("a", "CV", 205), ("b", "CV", 210))
    game.passes("c", "d", "e", "f")
    allowed = game.domain("bid", "a", "amount", private="CV").allowed()
    assert allowed == fact("allowed.steps", low=215, high=most, step=5)


def test_contest_with_unpayable_bid() -> None:
    """D-CH-1: only its bidder's turn to pay would make it fall; the others have to bid more."""
    game = new_game(6, profile="18xx.games", from_log=99)
    bids(game, ("a", "C-P", 205), ("b", "C-P", 210))
    game.passes("c", "d", "e", "f")
    bids(game, ("a", "C-P", 500), ("b", "D&R", 20))
    assert (game.owner("C-P"), game.on_turn()) == (None, "b")
    game.passes("b")
    assert (game.owner("C-P"), game.on_turn()) == (None, "c")
    game.bid("c", "C-P", 40)
    assert game.owner("C-P") == "c"


def test_purchase_settles_bids_on_next_privates() -> None:
    """R-CH-023, R-CH-024, R-CH-025 (9), worked example 2: a single bidder pays their bid, again and again
    until a private without bids is reached."""
    game = new_game(4)
    bids(game, ("a", "C-P", 45), ("b", "C-P", 50), ("c", "C&OC", 85), ("d", "D&R", 20))
    assert game.on_turn() == "a"
    assert game.values("bid", "a", "private") == ["C-P"]
    game.refused("9", "bid", "a", private="CV", amount=205)
    game.refused("9", "bid", "a", private="C-P", amount=50)
    bids(game, ("a", "C-P", 55), ("b", "C-P", 60))
    game.passes("a")
    assert (game.owner("C-P"), game.owner("B&S"), game.on_turn()) == ("b", None, "a")
    free = {player: free_cash(game.table, player) for player in "abcd"}
    assert free == {"a": 600, "b": 540, "c": 515, "d": 580}
    game = new_game(3)
    bids(game, ("a", "C-P", 45), ("b", "B&S", 60), ("c", "D&R", 20))
    assert (game.owner("C-P"), game.owner("B&S"), game.owner("C&OC")) == ("a", "b", None)
    assert game.cash() == {"a": 755, "b": 740, "c": 780}
    assert game.on_turn() == "a"


def test_contest_excludes_who_passes() -> None:
    """R-CH-024 (9): and the next lowest bidder acts."""
    game = new_game(4)
    bids(game, ("a", "C-P", 45), ("b", "C-P", 50), ("c", "C-P", 55), ("d", "D&R", 20), ("a", "C-P", 60))
    game.passes("b")
    game.bid("c", "C-P", 80)
    game.passes("a")
    assert (game.owner("C-P"), game.on_turn()) == ("c", "a")
    assert game.cash() == {"a": 600, "b": 600, "c": 520, "d": 580}


@pytest.mark.parametrize(
    ("made", "private"),
    [
        ([("a", "C-P", 45), ("b", "C-P", 50), ("c", "B&S", 55), ("a", "CV", 800), ("b", "D&R", 20)], "C-P"),
        ([("a", "B&S", 700), ("b", "B&S", 705), ("c", "D&R", 20), ("a", "CV", 600), ("b", "C-P", 40)], "B&S"),
    ],
)
def test_bidder_without_free_money_can_only_leave(made: list[tuple[str, str, int]], private: str) -> None:
    """R-CH-022, R-CH-024 (9): money in high bids elsewhere is not free, and they stay a participant."""
    game = new_game(3)
    bids(game, *made)
    assert (game.on_turn(), game.kinds()) == ("a", ["pass"])
    game.passes("a")
    assert game.owner(private) == "b"


def test_vanderbilt_sets_par_first() -> None:
    """R-CH-026 (7.1, 9)"""
    game = new_game(3, SEED_OF_LINKED["LV"])
    buy_up_to(game, "CV")
    assert (game.round_name(), game.on_turn(), game.kinds()) == ("Auction", "c", ["par"])
    money = game.cash()
    assert game.values("par", "c", "price", company="LV") == [70, 80, 95]
    game.refused("10.4", "par", "c", company="LV", price=100)
    game.refused("9", "par", "c", company="PRR", price=80)
    game.refused("9", "pass", "c")
    game.do("par", "c", company="LV", price=95)
    assert (game.cash(), game.price("LV"), game.round_name()) == (money, 95, "SR 1")
    assert (game.company("LV").president, game.company("LV").percent("c")) == ("c", 20)


def test_baltimore_private_brings_a_share() -> None:
    """R-CH-005, R-CH-026 (7.1): also where Vanderbilt's brings the presidency."""
    game = new_game(3, SEED_OF_LINKED["B&O"])
    buy_up_to(game, "B&OR")
    baltimore = game.company("B&O")
    assert (game.owner("B&OR"), baltimore.is_started) == ("b", False)
    assert baltimore.shares == {"offering": 70, "b": 10}
    game.bid("c", "CV", FACE["CV"])
    game.do("par", "c", company="B&O", price=80)
    assert (baltimore.percent("c"), baltimore.percent("b"), baltimore.president) == (20, 10, "c")


def test_first_private_gets_cheaper_for_passes() -> None:
    """R-CH-027 (9), worked example 4: it alone; at last the first player who passes gets it for nothing. A
    bid ends a series; the free private settles the bids behind it."""
    game = new_game(3)
    for reduced in (15, 10, 5):
        game.passes("a", "b", "c")
        assert game.values("bid", "a", "amount", private="D&R") == [reduced]
        game.refused("9", "bid", "a", private="D&R", amount=20)
    game.passes("a", "b", "c")
    assert (game.owner("D&R"), game.cash()["a"], game.on_turn()) == ("a", 800, "b")
    game = new_game(3)
    game.passes("a")
    game.bid("b", "C-P", 45)
    game.passes("c", "a", "b")
    assert (game.on_turn(), game.table.state.priority) == ("c", 2)
    assert [player_view(game, player).has_priority_deal for player in "abc"] == [False, False, True]
    for _ in range(3):
        game.passes("c", "a", "b")
    assert (game.owner("D&R"), game.owner("C-P"), game.on_turn()) == ("c", "b", "a")
    game = new_game(3)
    game.passes("a", "b", "c")
    game.bid("a", "D&R", 15)
    assert game.values("bid", "b", "amount", private="C-P") == [40]


def test_operating_round_within_auction() -> None:
    """R-CH-028 (9, 11.9), worked example 5: privates pay and a train leaves, up to the last of the
    4-trains."""
    game = new_game(3)
    bids(game, ("a", "D&R", 20), ("b", "CV", 205))
    game.passes("c", "a", "b")
    assert (game.cash()["a"], game.table.state.depot["2"], game.round_name()) == (785, 6, "Auction")
    assert game.table.auction.bids == {"CV": {"b": 205}}
    assert (game.on_turn(), game.table.state.priority) == ("c", 0)
    game = new_game(3)
    game.bid("a", "D&R", 20)
    for number in range(1, 19):
        game.passes("b", "c", "a")
        assert game.table.state.phase == ("2" if number < 8 else "3" if number < 14 else "4")
    game.passes("b", "c", "a")
    assert (game.table.state.depot["4"], game.table.state.depot["5"]) == (0, 3)
    assert game.cash()["a"] == 780 + 19 * 5


def test_priority_left_of_last_face_value_buyer() -> None:
    """R-CH-029 (9), worked example 6."""
    game = new_game(2, SEED_OF_LINKED["LV"])
    buy_up_to(game, "C&OC")
    game.passes("a")
    bids(game, ("b", "CV", 205), ("a", "B&OR", 100))
    assert (game.owner("CV"), game.on_turn()) == ("b", "b")
    game.do("par", "b", company="LV", price=70)
    assert (game.round_name(), game.on_turn()) == ("SR 1", "b")
    assert not game.offered("sell_shares")


def test_auction_has_no_certificate_limit() -> None:
    """R-CH-030 (10.1): one player may buy everything."""
    game = new_game(6)
    for private in ("D&R", "C-P", "B&S", "C&OC"):
        game.bid("a", private, FACE[private])
        game.passes(*"bcdef")
    assert [private for private in FACE if game.owner(private) == "a"] == ["D&R", "C-P", "B&S", "C&OC"]
