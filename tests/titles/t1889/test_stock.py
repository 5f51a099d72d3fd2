"""1889: set-up, auction and stock rounds (1 to 3), and the beginner game (7)."""

import pytest

from engine.play.shares import holdings
from tests.titles.t1889.shikoku import BEGINNER, Shikoku, first_position


@pytest.mark.parametrize(("players", "cash", "privates"), [
    (2, 420, ["TE", "MF", "ER", "SMR", "DR"]),
    (3, 420, ["TE", "MF", "ER", "SMR", "DR", "SIR"]),
    (4, 420, ["TE", "MF", "ER", "SMR", "DR", "SIR", "UTF"]),
    (5, 390, ["TE", "MF", "ER", "SMR", "DR", "SIR", "UTF"]),
])  # fmt: skip
def test_cash_and_privates_by_players(players: int, cash: int, privates: list[str]) -> None:
    """R-1889-001, R-1889-002 (1)"""
    state = first_position(players).table.state
    assert {player.cash for player in state.players} == {cash}
    assert state.bank == 7000 - players * cash
    assert [private.id for private in state.privates.values() if not private.closed] == privates


def test_bids_of_whole_dollars_bind_all_the_money() -> None:
    """R-1889-010, R-1889-011 (2): at least $5 more; an outbid bid stays bound."""
    game = first_position()
    game.refused("2", "bid", "a", private="SMR", amount=54)
    game.bid("a", "SMR", 156)
    game.bid("b", "SMR", 161)
    game.passes("c")
    game.refused("2", "bid", "a", private="DR", amount=265)
    game.bid("a", "DR", 264)


def test_company_floats_at_half() -> None:
    """R-1889-003 (1)"""
    game = Shikoku().start("KO", 65, a=20, b=20).cash(a=65).game()
    assert not game.company("KO").floated
    game.do("buy_share", "a", company="KO", source="offering")
    assert (game.company("KO").floated, game.company("KO").cash) == (True, 650)


@pytest.mark.parametrize(
    ("cell", "counted", "more"), [((6, 2), 5, False), ((6, 1), 0, False), ((9, 1), 0, True)]
)
def test_cheap_shares_do_not_count(cell: tuple[int, int], counted: int, more: bool) -> None:
    """R-1889-004 (1): yellow and orange; an orange company may be held beyond 60%."""
    game = Shikoku().start("KO", 65, at=cell, a=60, b=10, market=30).game()
    assert holdings.certificate_count(game.table, "a") == counted
    assert game.offered("buy_share", "a") is more
    if not more:
        game.refused("3", "buy_share", "a", company="KO", source="market")


def test_shares_of_a_turn_go_in_one_block() -> None:
    """R-1889-021 (3): of another company there may be one more."""
    game = Shikoku().start("KO", 65, b=20, a=40).start("TR", 65, b=20, a=30).game()
    game.sell("a", "KO")
    game.refused("3", "sell_shares", "a", company="KO", shares=1)
    game.sell("a", "TR", 2)
    assert (game.price("KO"), game.price("TR")) == (60, 55)


def test_players_trade_no_privates() -> None:
    """R-1889-026 (3)"""
    game = Shikoku().owns("b", "SMR").game()
    assert not game.offered("sell_private")
    assert not game.offered("buy_private")


# --- the beginner game -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "privates"), [
    (2, {"DR", "SIR"}), (3, {"ER"}), (4, {"SMR"}), (5, {"TE"}), (6, {"MF"}),
])  # fmt: skip
def test_beginners_are_dealt_their_privates(players: int, privates: set[str]) -> None:
    """R-1889-070, R-1889-071 (7): one for each, paid, without powers; stock round 1 follows."""
    game = first_position(players, BEGINNER)
    assert game.round_name() == "SR 1"
    owned = [private for private in game.table.state.privates.values() if not private.closed]
    assert len({private.owner for private in owned}) == len(owned) == players
    assert privates <= {private.id for private in owned}
    for private in owned:
        spec, start = game.rules.spec.privates[private.id], game.rules.spec.players[players].cash
        assert game.cash()[private.owner or ""] == start - spec.face_value
        assert (spec.powers, spec.blocked_hexes, spec.sold_to_companies) == ((), (), False)


def test_beginners_have_more_tiles() -> None:
    """R-1889-072 (7)"""
    plain, more = first_position().table.map.supply, first_position(3, BEGINNER).table.map.supply
    added = {tile: (more[tile] or 0) - (plain[tile] or 0) for tile in more}
    assert {tile: number for tile, number in added.items() if number} == {
        "6": 2, "7": 1, "8": 1, "9": 1, "23": 1, "24": 1,
    }  # fmt: skip
