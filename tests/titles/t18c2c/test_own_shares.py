"""18C2C: what a corporation buys as it floats, its own shares, and shares taken from players (sections 4 and 5)."""

import pytest

from engine.core.events import Privatized, Redeemed, TokensReceived
from engine.core.state import ExtraTokens, Stock
from engine.game import Game
from engine.play.token_prices_and_purchases import receive_tokens
from engine.tell.narrate import sentences
from tests.titles.builders import (
    Position,
    cash,
    company,
    do,
    kinds,
    on_turn,
    passes,
    price,
    refused,
    round_name,
    sell,
    values,
)


def position(*options: str) -> Position:
    return Position(4, title="18c2c", options=options)


def floating(name: str, par: int, *options: str) -> Game:
    game = position(*options).start(name, par, a=30, b=20).cash(a=500).game()
    assert not company(game, name).floated
    do(game, "buy_share", "a", company=name, source="offering")
    return game


def test_corporation_floats_with_sixth_share() -> None:
    """R-C2C-060 (4): with ten times par."""
    game = floating("PRR", 82)
    assert (company(game, "PRR").floated, company(game, "PRR").cash) == (True, 820)


@pytest.mark.parametrize(
    ("name", "par", "tokens", "treasury", "ordinary", "bulls"),
    [
        ("B&O", 100, "40+60+80+100", 720, 4, 1),
        ("PRR", 82, "40+60+80", 640, 3, 0),
        ("WAB", 68, "40", 640, 1, 0),
        ("NYC", 100, "40+60+80", 820, 3, 0),
        ("IC", 100, "100", 900, 1, 0),
    ],
)
def test_tokens_are_bought_at_the_float(
    name: str, par: int, tokens: str, treasury: int, ordinary: int, bulls: int
) -> None:
    """R-C2C-061, R-C2C-063, R-C2C-064, R-C2C-065 (4), example 3: prepaid, one of them reserved."""
    game = floating(name, par)
    do(game, "buy_tokens", name, tokens=tokens)
    found = company(game, name)
    assert found.cash == treasury
    assert found.tokens == [0] * ordinary
    bought = [int(price) for price in tokens.split("+")]
    assert found.extra == ExtraTokens(bought=bought, reserved=[name], bulls=bulls)


def test_no_token_means_no_destination_run() -> None:
    """R-C2C-061, R-C2C-063 (4), example 3."""
    game = floating("WAB", 68)
    do(game, "buy_tokens", "WAB", tokens="none")
    assert (company(game, "WAB").cash, company(game, "WAB").tokens) == (680, [0])
    assert company(game, "WAB").extra == ExtraTokens()


@pytest.mark.parametrize(
    ("par", "most"), [(100, "40+60+80+100"), (90, "40+60+80"), (82, "40+60+80"), (76, "40+60"), (68, "40")]
)
def test_par_decides_which_tokens_there_are(par: int, most: str) -> None:
    """R-C2C-061 (4): any of them, each at most once."""
    game = floating("PRR", par)
    found = values(game, "buy_tokens", "PRR", "tokens")
    assert (found[0], found[-1]) == ("none", most)
    assert len(found) == 2 ** len(most.split("+"))
    assert f"par of ${par}" in refused(game, "4", "buy_tokens", "PRR", tokens="40+40")
    refused(game, "4", "buy_tokens", "PRR", tokens="120")


def test_options_sell_tokens_at_any_par() -> None:
    """R-C2C-061 (4): two options say otherwise what the house rule says."""
    assert (
        values(floating("PRR", 68, "all_tokens_at_any_par"), "buy_tokens", "PRR", "tokens")[-1]
        == "40+60+80+100"
    )
    game = floating("PRR", 68, "three_tokens_at_any_par")
    assert values(game, "buy_tokens", "PRR", "tokens")[-1] == "40+60+80"


def test_president_decides_out_of_turn() -> None:
    """R-C2C-061 (4): nothing else is possible before; then the buyer's turn continues."""
    game = position().start("PRR", 82, a=30, b=20).stock("b").cash(b=500).game()
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert (on_turn(game), kinds(game)) == ("a", ["buy_tokens"])
    assert "Ann must first" in refused(game, "4", "pass", "a")
    do(game, "buy_tokens", "PRR", tokens="60")
    assert on_turn(game) == "b"
    refused(game, "3", "buy_share", "b", company="PRR", source="offering")


def test_buyer_who_becomes_president_decides() -> None:
    """R-C2C-061, R-C2C-039 (4): the presidency passes first."""
    game = position().start("PRR", 82, a=20, b=20, c=10).stock("b").cash(b=500).game()
    do(game, "buy_share", "b", company="PRR", source="offering")
    assert (company(game, "PRR").president, on_turn(game)) == ("b", "b")
    assert kinds(game) == ["buy_tokens"]


def test_tokens_of_a_private_are_free() -> None:
    """R-C2C-065 (4), example 9: with none of its own one of them is reserved, with one none is."""
    game = floating("WAB", 68)
    do(game, "buy_tokens", "WAB", tokens="none")
    wabash, t = company(game, "WAB"), game.table
    receive_tokens(t, wabash, (40, 60), "TBC", 1)
    assert (wabash.cash, wabash.tokens) == (680, [0, 0])
    assert wabash.extra == ExtraTokens(bought=[40, 60], reserved=["WAB"])
    assert t.events[-1] == TokensReceived("WAB", (40, 60), "TBC", 1)
    game = floating("B&O", 100)
    do(game, "buy_tokens", "B&O", tokens="40")
    receive_tokens(game.table, company(game, "B&O"), (60,), "TBC", 0)
    assert company(game, "B&O").tokens == [0, 0]
    assert company(game, "B&O").extra == ExtraTokens(bought=[40, 60], reserved=["B&O"])


def redeeming(market: int = 20, **percents: int) -> Position:
    """The SOU at $82: five shares with players, some in the pool, the rest in the offering (example 15)."""
    where = position().start("SOU", 82, at=None, market=market, **(percents or {"a": 40, "b": 10}))
    where.state.companies["SOU"].floated = True
    return where.treasury("SOU", 300).cash(a=0, b=0)


def redeem(game: Game, source: str, name: str = "SOU") -> None:
    do(game, "redeem_share", game.table.president(name).id, company=name, source=source)


def test_pool_share_is_redeemed_if_six_stay_out() -> None:
    """R-C2C-080 (5), example 15: at the market price from the treasury; the price stays."""
    game = redeeming().game()
    redeem(game, "market")
    sou = company(game, "SOU")
    assert (sou.cash, sou.percent("SOU"), sou.percent("market")) == (300 - 82, 10, 10)
    assert game.table.price(sou) == 82
    game.table.state.round = Stock(number=3)
    game._settle()
    assert "60%" in refused(game, "5", "redeem_share", "a", company="SOU", source="market")


def test_one_redemption_a_round() -> None:
    """R-C2C-080 (5)."""
    game = redeeming(40, a=40, b=10).game()
    redeem(game, "market")
    assert "this stock round" in refused(game, "5", "redeem_share", "a", company="SOU", source="market")
    assert "this stock round" in refused(game, "5", "reissue", "a", company="SOU")


def test_player_is_asked_for_a_share() -> None:
    """R-C2C-080 (5): at the market price; never for the president's certificate."""
    game = redeeming(0, a=40, b=30).game()
    assert values(game, "redeem_share", "a", "source", company="SOU") == ["a", "b"]
    redeem(game, "b")
    assert company(game, "SOU").percent("b") == 30
    assert (on_turn(game), kinds(game)) == ("b", ["answer"])
    events = do(game, "answer", "b", reply="agree")
    assert events == (Redeemed("SOU", 1, 82, 218, "b"),)
    assert sentences(events, game) == ["SOU (Ann) redeems a share of Bob for $82."]
    assert (company(game, "SOU").percent("b"), cash(game)["b"]) == (20, 82)
    assert on_turn(game) == "a"


def test_redemption_may_move_presidency() -> None:
    """R-C2C-080, R-C2C-039 (5)."""
    game = redeeming(0, a=40, b=40).game()
    redeem(game, "a")
    assert company(game, "SOU").president == "b"


def test_turn_waits_for_redemption() -> None:
    """R-C2C-080 (5): a president who can do nothing else is still asked."""
    where = redeeming(10, a=20, b=20, c=20).cash(c=0, d=0)
    where.state.companies["SOU"].shares.update(offering=0)
    del where.state.companies["SOU"].shares["offering"]
    where.state.companies["SOU"].shares["removed"] = 30
    game = where.stock("a", 1).game()
    assert kinds(game, "a") == ["pass"]
    assert [o.kind for o in game.offers("a")] == ["pass", "redeem_share", "end_game"]
    passes(game, "a")
    assert round_name(game) != "SR 1"


def redeemed(par: int = 82, **where: tuple[int, int]) -> Position:
    found = position().start("SOU", par, a=40, b=20, **where)  # type: ignore[arg-type]
    sou = found.state.companies["SOU"]
    sou.shares["SOU"], sou.shares["offering"] = 20, 20
    return found.treasury("SOU", 300).cash(a=500, b=500)


def test_reissued_shares_cost_the_market_price() -> None:
    """R-C2C-081 (5): the buyer pays the treasury, and chooses between them and the offering."""
    game = redeemed(82, at=(1, 9)).game()
    do(game, "reissue", "a", company="SOU")
    sou = company(game, "SOU")
    assert (sou.percent("SOU"), sou.percent("reissued"), sou.reissue_prices) == (0, 20, [120, 120])
    assert values(game, "buy_share", "a", "source", company="SOU") == ["offering", "reissued"]
    do(game, "buy_share", "a", company="SOU", source="reissued")
    assert (sou.cash, cash(game)["a"], sou.reissue_prices) == (420, 380, [120])
    do(game, "pass", "a")
    do(game, "buy_share", "b", company="SOU", source="offering")
    assert (sou.cash, cash(game)["b"]) == (420, 418)


def test_reissued_shares_cost_par_at_least() -> None:
    """R-C2C-081 (5)."""
    game = redeemed(82, at=(6, 7)).game()
    assert price(game, "SOU") < 82
    do(game, "reissue", "a", company="SOU")
    assert company(game, "SOU").reissue_prices == [82, 82]


def test_reissue_price_stays() -> None:
    """R-C2C-081 (5): that of the moment; a later pile lies next to it, the cheapest share is bought first."""
    where = redeemed(82, at=(1, 9))
    sou = where.state.companies["SOU"]
    sou.shares["reissued"], sou.shares["SOU"], sou.reissue_prices = 10, 10, [100]
    game = where.game()
    do(game, "reissue", "a", company="SOU")
    assert sou.reissue_prices == [100, 120]
    do(game, "buy_share", "a", company="SOU", source="reissued")
    assert (cash(game)["a"], sou.reissue_prices) == (400, [120])


def privatizing(phase: str = "2", *options: str, **percents: int) -> Position:
    where = position(*options).start("PRR", 82, at=None, **(percents or {"a": 60, "b": 30})).cash(a=500, b=0)
    return where.phase(phase)


@pytest.mark.parametrize(("phase", "cost"), [("2", 103), ("3", 123), ("4", 123), ("5", 164), ("6D", 246)])
def test_privatization_price_by_phase(phase: str, cost: int) -> None:
    """R-C2C-082 (5), example 15: rounded up to a dollar; without consent, and the price stays."""
    game = privatizing(phase).game()
    events = do(game, "privatize", "a", company="PRR", seller="b")
    assert events == (Privatized("a", "PRR", "b", 10, cost),)
    assert cash(game)["a"] == 500 - cost
    assert cash(game)["b"] == cost
    assert (company(game, "PRR").percent("a"), company(game, "PRR").percent("b")) == (70, 20)
    assert price(game, "PRR") == 82


def test_privatization_is_the_purchase() -> None:
    """R-C2C-082 (5): sales may follow as after any purchase."""
    game = privatizing().game()
    do(game, "privatize", "a", company="PRR", seller="b")
    refused(game, "3", "privatize", "a", company="PRR", seller="b")
    refused(game, "3", "buy_share", "a", company="PRR", source="offering")
    sell(game, "a", "PRR", 1)
    game = privatizing().game()
    do(game, "buy_share", "a", company="PRR", source="offering")
    refused(game, "3", "privatize", "a", company="PRR", seller="b")


def test_certificate_limit_stops_privatization() -> None:
    """R-C2C-082 (5)."""
    where = privatizing()
    where.start("NYC", 82, a=80).start("ERIE", 82, a=70)
    game = where.game()
    assert "limit of 18" in refused(game, "3", "privatize", "a", company="PRR", seller="b")
