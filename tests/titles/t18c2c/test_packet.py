"""18C2C: the packet, from the removal of privates to the first shares (section 2)."""

import pytest

from engine.core.events import PriceReduced, PrivateBought
from engine.tell.view_builders import sale_view
from tests.titles.builders import Position, TitleGame, new_game

LEFT = {"GML": 50, "ACE": 90}


def packet(players: int = 4, *removed: str, options: tuple[str, ...] = (), title: str = "18c2c") -> TitleGame:
    game = new_game(players, title=title, options=options)
    for private in removed:
        game.do("remove_private", game.on_turn(), private=private)
    return game


def example(players: int = 4) -> TitleGame:
    """Example 2: the Grace Mountain Lumber Company for $50 and the Army Corps of Engineers for $90 are left."""
    return packet(players, "KTC", "AZF", "ACM", "GSC", "TBC", "EPP")


def test_first_six_turns_remove_privates() -> None:
    """R-C2C-021, R-C2C-022, R-C2C-023 (2), example 2: none may be declined, the column closes up; three
    privates of the full game cannot be removed."""
    game = packet()
    for player, private in zip("abcdab", ("KTC", "AZF", "ACM", "GSC", "TBC", "EPP"), strict=True):
        assert game.on_turn() == player
        assert "first" in game.refused("2", "bid", player, private="GML", amount=50)
        game.do("remove_private", player, private=private)
    assert game.values("bid", "c", "private") == ["GML", "ACE"]
    assert [p.id for p in game.table.state.privates.values() if not p.removed] == list(LEFT)
    game = packet()
    assert game.kinds() == ["remove_private"]
    assert "6 privates must still leave the game" in game.refused("2", "pass", "a")
    found = set(packet(title="18c2c-full").values("remove_private", "a", "private"))
    assert not {"MRB", "CPR", "CEN"} & found
    assert {"GRS", "SVR", "SPR", "BOR"} <= found


@pytest.mark.parametrize(
    ("option", "count"), [("no_eliminations", 0), ("one_elimination", 1), ("five_eliminations", 5)]
)
def test_options_remove_fewer_privates(option: str, count: int) -> None:
    """R-C2C-021, R-C2C-024 (2): bidding falls to the next player."""
    game = packet(4, *("KTC", "AZF", "ACM", "GSC", "TBC")[:count], options=(option,))
    assert game.on_turn() == "abcd"[count % 4]
    assert "bid" in game.kinds()
    assert len(game.values("bid", game.on_turn(), "private")) == 8 - count


@pytest.mark.parametrize(("players", "first"), [(2, "a"), (3, "a"), (4, "c"), (5, "b"), (6, "a")])
def test_bidding_begins_with_the_next_player(players: int, first: str) -> None:
    """R-C2C-024 (2), example 2."""
    assert example(players).on_turn() == first


def test_top_private_is_bought_or_fought_for() -> None:
    """R-C2C-025, R-C2C-026, R-C2C-027 (2), example 2: a pass in the contest is final; the last one pays their
    last bid, and play continues left of the buyer of the one above."""
    game = example()
    assert game.kinds("c") == ["bid", "pass"]
    assert game.values("bid", "c", "amount", private="GML") == [50]
    assert game.values("bid", "c", "amount", private="ACE")[0] == 95
    game.refused("2", "bid", "c", private="ACE", amount=94)
    game.refused("2", "bid", "c", private="GML", amount=51)
    game.bid("c", "ACE", 97)
    game.refused("2", "bid", "d", private="ACE", amount=101)
    game.bid("d", "ACE", 102)
    game = packet(4, options=("no_eliminations",))
    game.passes("a")
    for player, private, amount in (("b", "AZF", 55), ("c", "AZF", 60), ("d", "AZF", 65), ("a", "KTC", 40)):
        game.bid(player, private, amount)
    game.passes("b")
    game.bid("c", "AZF", 90)
    game.bid("d", "AZF", 95)
    assert game.on_turn() == "c"
    game.passes("c")
    assert game.owner("AZF") == "d"
    assert game.cash() == {"a": 560, "b": 600, "c": 600, "d": 505}
    assert game.on_turn() == "b"
    assert game.values("bid", "b", "amount", private="GML")[-1] == 600


def test_packet_gets_cheaper_till_it_is_free() -> None:
    """R-C2C-028 (2): what is on top comes to cost what somebody has; the same player opens again. After ten
    rounds of passes it goes to the next player; of two free ones the second player has no choice either."""
    game = example()
    for player in game.table.state.players:
        game.table.state.bank, player.cash = game.table.state.bank + player.cash - 45, 45
    game.passes("c", "d", "a", "b")
    assert not game.is_over
    assert game.values("bid", game.on_turn(), "amount", private="GML") == [45]
    for _ in range(2):
        assert (game.on_turn(), game.table.state.priority) == ("a", 0)
        game.passes("a", "b", "c", "d")
    game = example()
    game.passes("c", "d", "a", "b")
    for _ in range(8):
        game.passes("a", "b", "c", "d")
    assert game.values("bid", "a", "amount", private="GML") == [5]
    game.passes("a", "b", "c")
    events = game.do("pass", "d")
    assert PriceReduced("GML", 0) in events
    assert PrivateBought("a", "GML", 0) in events
    assert game.on_turn() == "b"
    game = packet(2, title="18c2c-full", options=("no_eliminations",))
    for private in game.table.state.privates.values():
        private.closed = private.id not in {"GRS", "MRB", "SVR", "KTC"}
    for _ in range(3):
        game.passes("a", "b")
    game.passes("a")
    game.do("pass", "b")
    assert game.owner("GRS") == "a"
    assert (game.on_turn(), game.kinds()) == ("b", ["bid"])
    assert game.values("bid", "b", "private") == ["SVR"]
    game.refused("2", "pass", "b")
    game.refused("2", "bid", "b", private="MRB", amount=40)
    game.bid("b", "SVR", 0)
    assert (game.owner("SVR"), game.cash()["b"]) == ("b", 3600)
    assert game.on_turn() == "a"


def test_round_of_the_packet_is_first_for_shares() -> None:
    """R-C2C-028, R-C2C-029, R-C2C-031 (2, 3): nothing is sold in it, whatever its number; shares begin with
    the player to the left, in the same round."""
    game = example()
    game.passes("c", "d", "a", "b")
    game.bid("a", "GML", 45)
    game.bid("b", "ACE", 90)
    assert game.round_name() == "SR 2"
    game.do("par", "c", company="PRR", price=82)
    game.passes("c", "d", "a", "b")
    assert "the first with shares" in game.refused("3", "sell_shares", "c", company="PRR", shares=1)
    game.do("buy_share", "c", company="PRR", source="offering")
    assert "the first with shares" in game.refused("3", "sell_shares", "c", company="PRR", shares=1)
    game.passes("c", "d", "a", "b", "c")
    assert game.round_name() == "SR 3"
    game.passes("d", "a", "b")
    game.do("sell_shares", "c", company="PRR", shares=1)
    game = example()
    game.bid("c", "GML", 50)
    game.bid("d", "ACE", 90)
    assert (game.on_turn(), game.round_name()) == ("a", "SR 1")
    game.passes("a", "b", "c", "d")
    assert game.round_name() == "SR 2"
    assert game.on_turn() == "a"


def full() -> TitleGame:
    return packet(4, title="18c2c-full", options=("no_eliminations",))


def test_full_packet_has_two_columns() -> None:
    """R-C2C-020, R-C2C-025 (2): the top of either is bought; what comes up in one settles nothing in the other."""
    game = full()
    first, second = game.rules.spec.auction.columns
    assert (first[0], second[0]) == ("GRS", "SVR")
    assert game.values("bid", "a", "amount", private="GRS") == [20]
    assert game.values("bid", "a", "amount", private="SVR") == [20]
    game.bid("a", second[1], game.rules.spec.privates[second[1]].face_value + 5)
    game.bid("b", "GRS", 20)
    assert game.owner(second[1]) is None
    game.bid("c", "SVR", 20)
    assert (game.owner(second[1]), game.on_turn()) == ("a", "d")


def on_top(game: TitleGame, private: str) -> None:
    column = next(column for column in game.rules.spec.auction.columns if private in column)
    for name in column[: column.index(private)]:
        game.table.state.privates[name].closed = True


def test_private_brings_a_share() -> None:
    """R-C2C-02A (2): the corporation need not be started."""
    game = full()
    on_top(game, "DGJ")
    game.bid("a", "DGJ", game.rules.spec.privates["DGJ"].face_value)
    assert game.company("D&RGW").percent("a") == 10


@pytest.mark.parametrize(("private", "name"), [("SPR", "SP"), ("BOR", "B&O")])
def test_buyer_of_a_presidency_sets_par(private: str, name: str) -> None:
    """R-C2C-02A (2): nothing else is possible before."""
    game = full()
    on_top(game, private)
    game.bid("a", private, game.rules.spec.privates[private].face_value)
    assert game.kinds() == ["par"]
    game.refused("2", "pass", "a")
    game.do("par", "a", company=name, price=76)
    found = game.company(name)
    assert (found.president, found.par, found.percent("a")) == ("a", 76, 20)
    assert game.on_turn() == "b"


def test_removed_private_brings_nothing() -> None:
    """R-C2C-023 (2): the B&O starts like every other corporation."""
    game = packet(4, "BOR", title="18c2c-full")
    assert game.company("B&O").certificate_holder == "offering"
    game.table.state.auction = None
    game._skip_idle_steps()
    assert "B&O" in game.values("par", game.on_turn(), "company")


def exchanging(**facts: int) -> TitleGame:
    where = Position(4, title="18c2c-full").owns("a", "MHR").cash(a=500)
    if facts:
        where.start("NYC", 82, at=None, **facts)
    return where.game()


def test_mohawk_and_hudson_is_exchanged() -> None:
    """R-C2C-02A, R-C2C-039, R-C2C-060 (2, 4): in addition to the purchase of the turn; it closes. The NYC
    need not be started; its presidency may move, or it may float."""
    game = exchanging()
    game.do("exchange_private", "MHR", source="offering")
    assert (game.company("NYC").percent("a"), game.table.state.privates["MHR"].closed) == (10, True)
    assert game.cash()["a"] == 500
    game.do("par", "a", company="PRR", price=82)
    game = exchanging(b=20, a=20, market=10)
    assert game.values("exchange_private", "MHR", "source") == ["offering", "market"]
    game.do("exchange_private", "MHR", source="market")
    assert game.company("NYC").president == "a"
    game = exchanging(b=30, c=20)
    game.do("exchange_private", "MHR", source="offering")
    assert (game.company("NYC").floated, game.on_turn()) == (True, "b")


def test_cards_show_bids_and_no_cash() -> None:
    """R-C2C-263: bids are public, and what is left after them is not."""
    game = example()
    game.bid(game.on_turn(), "ACE", 95)
    view = sale_view(game)
    assert view is not None
    assert [lot.badge.company for column in view.columns for lot in column] == list(LEFT)
    assert sorted(seat.committed_cash for seat in view.seats) == [0, 0, 0, 95]
    assert {(seat.cash, seat.free_cash) for seat in view.seats} == {(None, None)}
