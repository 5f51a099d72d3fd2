"""18C2C: buying and selling in stock rounds, and when they end (section 3)."""

from engine.game import Game
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    domain,
    labels,
    offered,
    on_turn,
    owner,
    passes,
    refused,
    round_name,
    sell,
    values,
)


def position(players: int = 4) -> Position:
    return Position(players, title="18c2c")


def prr(**percents: int) -> Position:
    return position().start("PRR", 82, at=None, **(percents or {"a": 40, "b": 30, "c": 20}))


def test_sales_may_come_before_the_purchase() -> None:
    """R-C2C-030 (3): what was just sold may be bought again, but then nothing is sold any more."""
    game = prr().owns("b", "KTC").cash(a=500).game()
    sell(game, "a", "PRR", 2)
    do(game, "buy_share", "a", company="PRR", source="market")
    refused(game, "3", "sell_shares", "a", company="PRR", shares=1)
    refused(game, "3", "buy_share", "a", company="PRR", source="market")
    passes(game, "a", "b", "c", "d")
    do(game, "buy_share", "a", company="PRR", source="market")


def brown(market: int = 30) -> Game:
    where = position().start("PRR", 82, a=60).start("ERIE", 68, at=(5, 1), market=market, b=20, c=10)
    return where.cash(a=500).game()


def test_brown_cell_sells_several_of_the_pool() -> None:
    """R-C2C-030, R-C2C-032 (3): none of another corporation or of the offering with them; a sale ends it."""
    game = brown()
    for _ in range(3):
        do(game, "buy_share", "a", company="ERIE", source="market")
    assert (company(game, "ERIE").percent("a"), cash(game)["a"]) == (30, 500 - 3 * 40)
    refused(game, "3", "buy_share", "a", company="PRR", source="offering")
    game = brown()
    do(game, "buy_share", "a", company="ERIE", source="offering")
    refused(game, "3", "buy_share", "a", company="ERIE", source="market")
    refused(game, "3", "buy_share", "a", company="ERIE", source="offering")
    game = brown(market=10)
    do(game, "buy_share", "a", company="ERIE", source="market")
    assert "market" in refused(game, "3", "buy_share", "a", company="ERIE", source="offering")
    game = brown()
    do(game, "buy_share", "a", company="ERIE", source="market")
    sell(game, "a", "PRR")
    refused(game, "3", "buy_share", "a", company="ERIE", source="market")
    sell(game, "a", "PRR")


def test_offering_costs_par() -> None:
    """R-C2C-034 (3): and nobody's holding is limited."""
    where = position().start("PRR", 82, at=(1, 9), market=10, a=80)
    game = where.cash(a=500).game()
    do(game, "buy_share", "a", company="PRR", source="offering")
    assert cash(game)["a"] == 500 - 82
    passes(game, "a", "b", "c", "d")
    do(game, "buy_share", "a", company="PRR", source="market")
    assert cash(game)["a"] == 500 - 82 - 120
    assert company(game, "PRR").percent("a") == 100


def at_limit(more: int = 0) -> Position:
    """Six players, a limit of 12: a has twelve certificates, or more; the ERIE stands at $55 in a yellow cell."""
    where = position(6).start("PRR", 82, a=70, b=20).start("NYC", 82, a=70, c=30)
    where.start("ERIE", 68, at=(5, 3), a=60, b=20).cash(a=500)
    if more:
        where.start("IC", 82, a=10 * more + 10, d=0)
    return where


def test_limit_lets_uncounted_shares_be_bought() -> None:
    """R-C2C-037 (3)."""
    game = at_limit().game()
    assert values(game, "buy_share", "a", "company") == ["ERIE"]
    assert "limit" in refused(game, "3", "buy_share", "a", company="PRR", source="offering")
    assert "limit" in refused(game, "3", "par", "a", company="IC", price=82)
    do(game, "buy_share", "a", company="ERIE", source="offering")


def test_excess_certificates_are_sold() -> None:
    """R-C2C-037 (3): what does not count may be bought first."""
    game = at_limit(2).game()
    refused(game, "3", "pass", "a")
    do(game, "buy_share", "a", company="ERIE", source="offering")
    refused(game, "3", "pass", "a")
    sell(game, "a", "PRR", 1)
    refused(game, "3", "pass", "a")
    sell(game, "a", "PRR", 1)
    passes(game, "a")


def test_privatizing_cures_no_excess() -> None:
    """R-C2C-037 (3): between sales nothing is taken after which none could follow."""
    where = at_limit(2).cash(a=900)
    where.state.companies["ERIE"].shares = {"offering": 20, "a": 60, "b": 20}
    game = where.game()
    assert offered(game, "privatize", "a")
    sell(game, "a", "PRR", 1)
    assert "limit" in refused(game, "3", "privatize", "a", company="ERIE", seller="b")
    sell(game, "a", "PRR", 1)
    do(game, "privatize", "a", company="ERIE", seller="b")


def trading() -> Position:
    return prr().owns("b", "KTC").cash(a=300, b=100)


def test_players_trade_privates_at_any_price() -> None:
    """R-C2C-038 (3): from $0, by consent, in the turn of either."""
    game = trading().game()
    assert values(game, "buy_private", "a", "price", private="KTC")[:2] == [0, 1]
    do(game, "buy_private", "a", private="KTC", price=300)
    assert on_turn(game) == "b"
    do(game, "answer", "b", reply="agree")
    assert owner(game, "KTC") == "a"
    assert cash(game)["b"] == 400
    do(game, "sell_private", "a", private="KTC", buyer="c", price=0)
    do(game, "answer", "c", reply="agree")
    assert owner(game, "KTC") == "c"


def test_private_trade_is_no_purchase() -> None:
    """R-C2C-038, R-C2C-03A (3): before it or after it; it stops no sales, and moves no priority."""
    game = trading().game()
    sell(game, "a", "PRR")
    do(game, "buy_share", "a", company="PRR", source="market")
    do(game, "buy_private", "a", private="KTC", price=10)
    do(game, "answer", "b", reply="agree")
    passes(game, "a", "b", "c", "d")
    do(game, "sell_private", "a", private="KTC", buyer="b", price=10)
    do(game, "answer", "b", reply="agree")
    sell(game, "a", "PRR")
    do(game, "buy_share", "a", company="PRR", source="market")
    game = trading().game()
    do(game, "buy_private", "a", private="KTC", price=10)
    do(game, "answer", "b", reply="agree")
    passes(game, "a", "b", "c", "d")
    assert round_name(game).startswith("OR")
    assert game.table.state.priority == 0


def test_buyers_cash_stays_secret() -> None:
    """R-C2C-263, R-C2C-038 (13, 3): any price may be asked; the owner agrees only where the money is there."""
    game = trading().stock("b").game()
    assert labels(game, domain(game, "sell_private", "b", "buyer", private="KTC")) == ["Ann", "Cy", "Dee"]
    do(game, "sell_private", "b", private="KTC", buyer="a", price=301)
    assert values(game, "answer", "a", "reply") == ["refuse"]
    assert "$301" in refused(game, "3", "answer", "a", reply="agree")
    do(game, "answer", "a", reply="refuse")
    assert on_turn(game) == "b"
    do(game, "sell_private", "b", private="KTC", buyer="a", price=300)
    do(game, "answer", "a", reply="agree")
    assert owner(game, "KTC") == "a"


def test_reissued_share_keeps_a_corporation_from_rising() -> None:
    """R-C2C-03B (3), example 5."""
    where = position().start("IC", 82, d=90).cash(a=0, b=0, c=0, d=0)
    ic = where.state.companies["IC"]
    ic.shares["reissued"], ic.reissue_prices = ic.shares.pop("offering"), [82]
    game = where.game()
    while round_name(game).startswith("SR"):
        passes(game, on_turn(game))
    assert company(game, "IC").cell == (2, 6)


def test_game_without_corporations_ends() -> None:
    """R-C2C-03A (3), dead ends: a stock round is passed out while nobody has the money for a certificate."""
    game = position(3).owns("a", "KTC").cash(a=135, b=135, c=135).game()
    while not game.over and game.seq < 5:
        passes(game, on_turn(game))
    assert game.over
    assert game.scores() == {"a": 175, "b": 135, "c": 135}


def test_game_continues_while_one_can_start() -> None:
    """R-C2C-03A (3), dead ends."""
    game = position(3).owns("a", "KTC").cash(a=136, b=135, c=135).game()
    passes(game, "a", "b", "c")
    assert not game.over
    assert round_name(game) == "SR 3"
