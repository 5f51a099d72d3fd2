"""18C2C: buying and selling in stock rounds, and when they end (section 3)."""

from tests.titles.builders import Position, TitleGame


def position(players: int = 4) -> Position:
    return Position(players, title="18c2c")


def prr(**percents: int) -> Position:
    return position().start("PRR", 82, at=None, **(percents or {"a": 40, "b": 30, "c": 20}))


def test_sales_may_come_before_the_purchase() -> None:
    """R-C2C-030 (3): what was just sold may be bought again, but then nothing is sold any more."""
    game = prr().owns("b", "KTC").cash(a=500).game()
    game.sell("a", "PRR", 2)
    game.do("buy_share", "a", company="PRR", source="market")
    game.refused("3", "sell_shares", "a", company="PRR", shares=1)
    game.refused("3", "buy_share", "a", company="PRR", source="market")
    game.passes("a", "b", "c", "d")
    game.do("buy_share", "a", company="PRR", source="market")


def brown(market: int = 30) -> TitleGame:
    where = position().start("PRR", 82, a=60).start("ERIE", 68, at=(5, 1), market=market, b=20, c=10)
    return where.cash(a=500).game()


def test_prices_of_offering_and_brown_cell() -> None:
    """R-C2C-030, R-C2C-032, R-C2C-034 (3): of a brown cell several of the pool, none of another corporation
    or of the offering with them; a sale ends it. The offering costs par, and nobody's holding is limited."""
    game = brown()
    for _ in range(3):
        game.do("buy_share", "a", company="ERIE", source="market")
    assert (game.company("ERIE").percent("a"), game.cash()["a"]) == (30, 500 - 3 * 40)
    game.refused("3", "buy_share", "a", company="PRR", source="offering")
    game = brown()
    game.do("buy_share", "a", company="ERIE", source="offering")
    game.refused("3", "buy_share", "a", company="ERIE", source="market")
    game.refused("3", "buy_share", "a", company="ERIE", source="offering")
    game = brown(market=10)
    game.do("buy_share", "a", company="ERIE", source="market")
    assert "market" in game.refused("3", "buy_share", "a", company="ERIE", source="offering")
    game = brown()
    game.do("buy_share", "a", company="ERIE", source="market")
    game.sell("a", "PRR")
    game.refused("3", "buy_share", "a", company="ERIE", source="market")
    game.sell("a", "PRR")
    where = position().start("PRR", 82, at=(1, 9), market=10, a=80)
    game = where.cash(a=500).game()
    game.do("buy_share", "a", company="PRR", source="offering")
    assert game.cash()["a"] == 500 - 82
    game.passes("a", "b", "c", "d")
    game.do("buy_share", "a", company="PRR", source="market")
    assert game.cash()["a"] == 500 - 82 - 120
    assert game.company("PRR").percent("a") == 100


def at_limit(more: int = 0) -> Position:
    """Six players, a limit of 12: a has twelve certificates, or more; the ERIE stands at $55 in a yellow cell."""
    where = position(6).start("PRR", 82, a=70, b=20).start("NYC", 82, a=70, c=30)
    where.start("ERIE", 68, at=(5, 3), a=60, b=20).cash(a=500)
    if more:
        where.start("IC", 82, a=10 * more + 10, d=0)
    return where


def test_limit_of_18c2c_counts_some_certificates() -> None:
    """R-C2C-037 (3): what does not count may be bought, also before an excess is sold; between sales nothing
    is taken after which none could follow."""
    game = at_limit().game()
    assert game.values("buy_share", "a", "company") == ["ERIE"]
    assert "limit" in game.refused("3", "buy_share", "a", company="PRR", source="offering")
    assert "limit" in game.refused("3", "par", "a", company="IC", price=82)
    game.do("buy_share", "a", company="ERIE", source="offering")
    game = at_limit(2).game()
    game.refused("3", "pass", "a")
    game.do("buy_share", "a", company="ERIE", source="offering")
    game.refused("3", "pass", "a")
    game.sell("a", "PRR", 1)
    game.refused("3", "pass", "a")
    game.sell("a", "PRR", 1)
    game.passes("a")
    where = at_limit(2).cash(a=900)
    where.state.companies["ERIE"].shares = {"offering": 20, "a": 60, "b": 20}
    game = where.game()
    assert game.offered("privatize", "a")
    game.sell("a", "PRR", 1)
    assert "limit" in game.refused("3", "privatize", "a", company="ERIE", seller="b")
    game.sell("a", "PRR", 1)
    game.do("privatize", "a", company="ERIE", seller="b")


def trading() -> Position:
    return prr().owns("b", "KTC").cash(a=300, b=100)


def test_players_trade_privates_at_any_price() -> None:
    """R-C2C-038, R-C2C-03A, R-C2C-263 (3, 13): from $0, by consent, in the turn of either; it is no purchase,
    stops no sales and moves no priority. Any price may be asked; the owner agrees only where the money is
    there."""
    game = trading().game()
    assert game.values("buy_private", "a", "price", private="KTC")[:2] == [0, 1]
    game.do("buy_private", "a", private="KTC", price=300)
    assert game.on_turn() == "b"
    game.do("answer", "b", reply="agree")
    assert game.owner("KTC") == "a"
    assert game.cash()["b"] == 400
    game.do("sell_private", "a", private="KTC", buyer="c", price=0)
    game.do("answer", "c", reply="agree")
    assert game.owner("KTC") == "c"
    game = trading().game()
    game.sell("a", "PRR")
    game.do("buy_share", "a", company="PRR", source="market")
    game.do("buy_private", "a", private="KTC", price=10)
    game.do("answer", "b", reply="agree")
    game.passes("a", "b", "c", "d")
    game.do("sell_private", "a", private="KTC", buyer="b", price=10)
    game.do("answer", "b", reply="agree")
    game.sell("a", "PRR")
    game.do("buy_share", "a", company="PRR", source="market")
    game = trading().game()
    game.do("buy_private", "a", private="KTC", price=10)
    game.do("answer", "b", reply="agree")
    game.passes("a", "b", "c", "d")
    assert game.round_name().startswith("OR")
    assert game.table.state.priority == 0
    game = trading().stock("b").game()
    assert game.labels(game.domain("sell_private", "b", "buyer", private="KTC")) == ["Ann", "Cy", "Dee"]
    game.do("sell_private", "b", private="KTC", buyer="a", price=301)
    assert game.values("answer", "a", "reply") == ["refuse"]
    assert "$301" in game.refused("3", "answer", "a", reply="agree")
    game.do("answer", "a", reply="refuse")
    assert game.on_turn() == "b"
    game.do("sell_private", "b", private="KTC", buyer="a", price=300)
    game.do("answer", "a", reply="agree")
    assert game.owner("KTC") == "a"


def test_stock_round_ends_with_rise_or_game() -> None:
    """R-C2C-03A, R-C2C-03B (3), example 5: a reissued share stops the rise. A stock round is passed out while
    nobody has the money for a certificate, which is a dead end."""
    where = position().start("IC", 82, d=90).cash(a=0, b=0, c=0, d=0)
    ic = where.state.companies["IC"]
    ic.shares["reissued"], ic.reissue_prices = ic.shares.pop("offering"), [82]
    game = where.game()
    while game.round_name().startswith("SR"):
        game.passes(game.on_turn())
    assert game.company("IC").cell == (2, 6)
    game = position(3).owns("a", "KTC").cash(a=135, b=135, c=135).game()
    while not game.is_over and game.seq < 5:
        game.passes(game.on_turn())
    assert game.is_over
    assert game.scores() == {"a": 175, "b": 135, "c": 135}
    game = position(3).owns("a", "KTC").cash(a=136, b=135, c=135).game()
    game.passes("a", "b", "c")
    assert not game.is_over
    assert game.round_name() == "SR 3"
