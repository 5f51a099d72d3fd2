"""18C2C: the packet, from the removal of privates to the first shares (section 2)."""

import pytest

from engine.core.events import PriceReduced, PrivateBought
from engine.game import Game
from engine.tell.view_builders import sale_view
from tests.titles.builders import (
    Position,
    bid,
    cash,
    company,
    do,
    kinds,
    new_game,
    on_turn,
    owner,
    passes,
    refused,
    round_name,
    values,
)

LEFT = {"GML": 50, "ACE": 90}


def packet(players: int = 4, *removed: str, options: tuple[str, ...] = (), title: str = "18c2c") -> Game:
    game = new_game(players, title=title, options=options)
    for private in removed:
        do(game, "remove_private", on_turn(game), private=private)
    return game


def example(players: int = 4) -> Game:
    """Example 2: the Grace Mountain Lumber Company for $50 and the Army Corps of Engineers for $90 are left."""
    return packet(players, "KTC", "AZF", "ACM", "GSC", "TBC", "EPP")


def whole() -> Game:
    return packet(4, options=("no_eliminations",))


def test_first_six_turns_remove_privates() -> None:
    """R-C2C-021, R-C2C-023 (2), example 2: the column closes up."""
    game = packet()
    for player, private in zip("abcdab", ("KTC", "AZF", "ACM", "GSC", "TBC", "EPP"), strict=True):
        assert on_turn(game) == player
        assert "first" in refused(game, "2", "bid", player, private="GML", amount=50)
        do(game, "remove_private", player, private=private)
    assert values(game, "bid", "c", "private") == ["GML", "ACE"]
    assert [p.id for p in game.table.state.privates.values() if not p.removed] == list(LEFT)


def test_removal_cannot_be_declined() -> None:
    """R-C2C-021, R-C2C-022 (2): three privates of the full game cannot be removed."""
    game = packet()
    assert kinds(game) == ["remove_private"]
    assert "6 more must leave the game" in refused(game, "2", "pass", "a")
    found = set(values(packet(title="18c2c-full"), "remove_private", "a", "private"))
    assert not {"MRB", "CPR", "CEN"} & found
    assert {"GRS", "SVR", "SPR", "BOR"} <= found


@pytest.mark.parametrize(
    ("option", "count"), [("no_eliminations", 0), ("one_elimination", 1), ("five_eliminations", 5)]
)
def test_options_remove_fewer_privates(option: str, count: int) -> None:
    """R-C2C-021, R-C2C-024 (2): bidding falls to the next player."""
    game = packet(4, *("KTC", "AZF", "ACM", "GSC", "TBC")[:count], options=(option,))
    assert on_turn(game) == "abcd"[count % 4]
    assert "bid" in kinds(game)
    assert len(values(game, "bid", on_turn(game), "private")) == 8 - count


@pytest.mark.parametrize(("players", "first"), [(2, "a"), (3, "a"), (4, "c"), (5, "b"), (6, "a")])
def test_bidding_begins_with_the_next_player(players: int, first: str) -> None:
    """R-C2C-024 (2), example 2."""
    assert on_turn(example(players)) == first


def test_top_private_is_bought() -> None:
    """R-C2C-025, R-C2C-026 (2), example 2."""
    game = example()
    assert kinds(game, "c") == ["bid", "pass"]
    assert values(game, "bid", "c", "amount", private="GML") == [50]
    assert values(game, "bid", "c", "amount", private="ACE")[0] == 95
    refused(game, "2", "bid", "c", private="ACE", amount=94)
    refused(game, "2", "bid", "c", private="GML", amount=51)
    bid(game, "c", "ACE", 97)
    refused(game, "2", "bid", "d", private="ACE", amount=101)
    bid(game, "d", "ACE", 102)


def test_money_of_bids_is_tied_up() -> None:
    """R-C2C-026, R-C2C-027 (2): for a bid and for the top private; a bid on the same one may be raised with it."""
    game = whole()
    bid(game, "a", "EPP", 500)
    passes(game, "b", "c", "d")
    assert values(game, "bid", "a", "amount", private="KTC") == [40]
    assert values(game, "bid", "a", "amount", private="ACE")[-1] == 100
    assert values(game, "bid", "a", "amount", private="EPP")[-1] == 600
    bid(game, "a", "TBC", 85)
    passes(game, "b", "c", "d")
    assert "KTC" not in values(game, "bid", "a", "private")


def contested() -> Game:
    game = whole()
    passes(game, "a")
    bid(game, "b", "AZF", 55)
    bid(game, "c", "AZF", 60)
    bid(game, "d", "AZF", 65)
    bid(game, "a", "KTC", 40)
    return game


def test_pass_in_a_contest_is_final() -> None:
    """R-C2C-027 (2): the last one pays their last bid, and play continues left of the buyer of the one above."""
    game = contested()
    passes(game, "b")
    bid(game, "c", "AZF", 90)
    bid(game, "d", "AZF", 95)
    assert on_turn(game) == "c"
    passes(game, "c")
    assert owner(game, "AZF") == "d"
    assert cash(game) == {"a": 560, "b": 600, "c": 600, "d": 505}
    assert on_turn(game) == "b"
    assert values(game, "bid", "b", "amount", private="GML")[-1] == 600


def test_raise_is_limited_by_bids_elsewhere() -> None:
    """R-C2C-027 (2)."""
    for elsewhere, offered_ in ((0, ["bid", "pass"]), (540, ["pass"])):
        game = whole()
        bid(game, "a", "AZF", 55)
        bid(game, "b", "AZF", 60)
        passes(game, "c", "d")
        if elsewhere:
            bid(game, "a", "EPP", elsewhere)
        else:
            passes(game, "a")
        bid(game, "b", "KTC", 40)
        assert (on_turn(game), kinds(game)) == ("a", offered_)


def test_packet_gets_cheaper_for_the_poor() -> None:
    """R-C2C-028: what is on top comes to cost what somebody has; the same player opens again."""
    game = example()
    for player in game.table.state.players:
        game.table.state.bank, player.cash = game.table.state.bank + player.cash - 45, 45
    passes(game, "c", "d", "a", "b")
    assert not game.over
    assert values(game, "bid", on_turn(game), "amount", private="GML") == [45]
    for _ in range(2):
        assert (on_turn(game), game.table.state.priority) == ("a", 0)
        passes(game, "a", "b", "c", "d")


def test_free_private_goes_to_next_player() -> None:
    """R-C2C-028 (2): after ten rounds of passes."""
    game = example()
    passes(game, "c", "d", "a", "b")
    for _ in range(8):
        passes(game, "a", "b", "c", "d")
    assert values(game, "bid", "a", "amount", private="GML") == [5]
    passes(game, "a", "b", "c")
    events = do(game, "pass", "d")
    assert PriceReduced("GML", 0) in events
    assert PrivateBought("a", "GML", 0) in events
    assert on_turn(game) == "b"


def test_two_free_privates_go_to_two_players() -> None:
    """R-C2C-028 (2): the second player has no choice either."""
    game = packet(2, title="18c2c-full", options=("no_eliminations",))
    for private in game.table.state.privates.values():
        private.closed = private.id not in {"GRS", "MRB", "SVR", "KTC"}
    for _ in range(3):
        passes(game, "a", "b")
    passes(game, "a")
    do(game, "pass", "b")
    assert owner(game, "GRS") == "a"
    assert (on_turn(game), kinds(game)) == ("b", ["bid"])
    assert values(game, "bid", "b", "private") == ["SVR"]
    refused(game, "2", "pass", "b")
    refused(game, "2", "bid", "b", private="MRB", amount=40)
    bid(game, "b", "SVR", 0)
    assert (owner(game, "SVR"), cash(game)["b"]) == ("b", 3600)
    assert on_turn(game) == "a"


def test_round_of_the_packet_is_first_for_shares() -> None:
    """R-C2C-031 (3), R-C2C-029 (2): nothing is sold in it, whatever its number."""
    game = example()
    passes(game, "c", "d", "a", "b")
    bid(game, "a", "GML", 45)
    bid(game, "b", "ACE", 90)
    assert round_name(game) == "SR 2"
    do(game, "par", "c", company="PRR", price=82)
    passes(game, "c", "d", "a", "b")
    assert "the first with shares" in refused(game, "3", "sell_shares", "c", company="PRR", shares=1)
    do(game, "buy_share", "c", company="PRR", source="offering")
    assert "the first with shares" in refused(game, "3", "sell_shares", "c", company="PRR", shares=1)
    passes(game, "c", "d", "a", "b", "c")
    assert round_name(game) == "SR 3"
    passes(game, "d", "a", "b")
    do(game, "sell_shares", "c", company="PRR", shares=1)


def test_last_private_sets_priority() -> None:
    """R-C2C-029, R-C2C-028 (2): shares begin with the player to the left, in the same round."""
    game = example()
    bid(game, "c", "GML", 50)
    bid(game, "d", "ACE", 90)
    assert (on_turn(game), round_name(game)) == ("a", "SR 1")
    passes(game, "a", "b", "c", "d")
    assert round_name(game) == "SR 2"
    assert on_turn(game) == "a"


def full() -> Game:
    return packet(4, title="18c2c-full", options=("no_eliminations",))


def test_full_packet_has_two_columns() -> None:
    """R-C2C-020, R-C2C-025 (2): the top of either is bought; what comes up in one settles nothing in the other."""
    game = full()
    first, second = game.rules.spec.auction.columns
    assert (first[0], second[0]) == ("GRS", "SVR")
    assert values(game, "bid", "a", "amount", private="GRS") == [20]
    assert values(game, "bid", "a", "amount", private="SVR") == [20]
    bid(game, "a", second[1], game.rules.spec.privates[second[1]].value + 5)
    bid(game, "b", "GRS", 20)
    assert owner(game, second[1]) is None
    bid(game, "c", "SVR", 20)
    assert (owner(game, second[1]), on_turn(game)) == ("a", "d")


def on_top(game: Game, private: str) -> None:
    column = next(column for column in game.rules.spec.auction.columns if private in column)
    for name in column[: column.index(private)]:
        game.table.state.privates[name].closed = True


def test_private_brings_a_share() -> None:
    """R-C2C-02A (2): the corporation need not be started."""
    game = full()
    on_top(game, "DGJ")
    bid(game, "a", "DGJ", game.rules.spec.privates["DGJ"].value)
    assert company(game, "D&RGW").percent("a") == 10


@pytest.mark.parametrize(("private", "name"), [("SPR", "SP"), ("BOR", "B&O")])
def test_buyer_of_a_presidency_sets_par(private: str, name: str) -> None:
    """R-C2C-02A (2): nothing else is possible before."""
    game = full()
    on_top(game, private)
    bid(game, "a", private, game.rules.spec.privates[private].value)
    assert kinds(game) == ["par"]
    refused(game, "2", "pass", "a")
    do(game, "par", "a", company=name, price=76)
    found = company(game, name)
    assert (found.president, found.par, found.percent("a")) == ("a", 76, 20)
    assert on_turn(game) == "b"


def test_removed_private_brings_nothing() -> None:
    """R-C2C-023 (2): the B&O starts like every other corporation."""
    game = packet(4, "BOR", title="18c2c-full")
    assert company(game, "B&O").certificate_holder == "offering"
    assert "B&O" in values(_without_packet(game), "par", on_turn(game), "company")


def _without_packet(game: Game) -> Game:
    game.table.state.auction = None
    game._settle()
    return game


def exchanging(**facts: int) -> Game:
    where = Position(4, title="18c2c-full").owns("a", "MHR").cash(a=500)
    if facts:
        where.start("NYC", 82, at=None, **facts)
    return where.game()


def test_mohawk_and_hudson_is_exchanged() -> None:
    """R-C2C-02A (2): in addition to the purchase of the turn; it closes. The NYC need not be started."""
    game = exchanging()
    do(game, "exchange_private", "MHR", source="offering")
    assert (company(game, "NYC").percent("a"), game.table.state.privates["MHR"].closed) == (10, True)
    assert cash(game)["a"] == 500
    do(game, "par", "a", company="PRR", price=82)


def test_exchange_may_move_presidency_or_float() -> None:
    """R-C2C-02A, R-C2C-039, R-C2C-060 (2, 4)."""
    game = exchanging(b=20, a=20, market=10)
    assert values(game, "exchange_private", "MHR", "source") == ["offering", "market"]
    do(game, "exchange_private", "MHR", source="market")
    assert company(game, "NYC").president == "a"
    game = exchanging(b=30, c=20)
    do(game, "exchange_private", "MHR", source="offering")
    assert (company(game, "NYC").floated, on_turn(game)) == (True, "b")


def test_cards_show_bids_and_no_cash() -> None:
    """R-C2C-263: bids are public, and what is left after them is not."""
    game = example()
    bid(game, on_turn(game), "ACE", 95)
    view = sale_view(game)
    assert view is not None
    assert [lot.badge.company for column in view.columns for lot in column] == list(LEFT)
    assert sorted(seat.committed for seat in view.seats) == [0, 0, 0, 95]
    assert {(seat.cash, seat.free) for seat in view.seats} == {(None, None)}
