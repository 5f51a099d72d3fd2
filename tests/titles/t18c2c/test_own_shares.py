"""18C2C: what a corporation buys as it floats, its own shares, and shares taken from players (sections 4 and 5)."""

import pytest

from engine.core.events import Privatized, SharesRedeemed, TokensReceived
from engine.core.state import ExtraTokens, Stock
from engine.play.token_prices_and_purchases import receive_tokens
from engine.tell.narrate import sentences
from tests.titles.builders import Position, TitleGame


def position(*options: str) -> Position:
    return Position(4, title="18c2c", options=options)


def floating(name: str, par: int, *options: str) -> TitleGame:
    game = position(*options).start(name, par, a=30, b=20).cash(a=500).game()
    assert not game.company(name).floated
    game.do("buy_share", "a", company=name, source="offering")
    return game


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
    game.do("buy_tokens", name, tokens=tokens)
    found = game.company(name)
    assert found.cash == treasury
    assert found.tokens == [0] * ordinary
    bought = [int(price) for price in tokens.split("+")]
    assert found.extra == ExtraTokens(bought=bought, reserved=[name], bulls=bulls)


@pytest.mark.parametrize(
    ("par", "most"), [(100, "40+60+80+100"), (90, "40+60+80"), (82, "40+60+80"), (76, "40+60"), (68, "40")]
)
def test_par_decides_which_tokens_there_are(par: int, most: str) -> None:
    """R-C2C-061 (4): any of them, each at most once."""
    game = floating("PRR", par)
    found = game.values("buy_tokens", "PRR", "tokens")
    assert (found[0], found[-1]) == ("none", most)
    assert len(found) == 2 ** len(most.split("+"))
    assert f"par of ${par}" in game.refused("4", "buy_tokens", "PRR", tokens="40+40")
    game.refused("4", "buy_tokens", "PRR", tokens="120")


def test_options_sell_tokens_at_any_par() -> None:
    """R-C2C-061 (4): two options say otherwise what the house rule says."""
    for option, most in (("all_tokens_at_any_par", "40+60+80+100"), ("three_tokens_at_any_par", "40+60+80")):
        assert floating("PRR", 68, option).values("buy_tokens", "PRR", "tokens")[-1] == most


def test_president_decides_out_of_turn() -> None:
    """R-C2C-039, R-C2C-061 (4): nothing else is possible before; then the buyer's turn continues. The
    presidency passes first."""
    game = position().start("PRR", 82, a=30, b=20).stock("b").cash(b=500).game()
    game.do("buy_share", "b", company="PRR", source="offering")
    assert (game.on_turn(), game.kinds()) == ("a", ["buy_tokens"])
    assert "Ann must first" in game.refused("4", "pass", "a")
    game.do("buy_tokens", "PRR", tokens="60")
    assert game.on_turn() == "b"
    game.refused("3", "buy_share", "b", company="PRR", source="offering")
    game = position().start("PRR", 82, a=20, b=20, c=10).stock("b").cash(b=500).game()
    game.do("buy_share", "b", company="PRR", source="offering")
    assert (game.company("PRR").president, game.on_turn()) == ("b", "b")
    assert game.kinds() == ["buy_tokens"]


def test_tokens_of_a_private_are_free() -> None:
    """R-C2C-061, R-C2C-063, R-C2C-065 (4), examples 3, 9: with none of its own one of them is reserved, with
    one none is."""
    game = floating("WAB", 68)
    game.do("buy_tokens", "WAB", tokens="none")
    wabash, t = game.company("WAB"), game.table
    assert (wabash.cash, wabash.tokens, wabash.extra) == (680, [0], ExtraTokens())
    receive_tokens(t, wabash, (40, 60), "TBC", 1)
    assert (wabash.cash, wabash.tokens) == (680, [0, 0])
    assert wabash.extra == ExtraTokens(bought=[40, 60], reserved=["WAB"])
    assert t.events[-1] == TokensReceived("WAB", (40, 60), "TBC", 1)
    game = floating("B&O", 100)
    game.do("buy_tokens", "B&O", tokens="40")
    receive_tokens(game.table, game.company("B&O"), (60,), "TBC", 0)
    assert game.company("B&O").tokens == [0, 0]
    assert game.company("B&O").extra == ExtraTokens(bought=[40, 60], reserved=["B&O"])


def redeeming(market: int = 20, **percents: int) -> Position:
    """The SOU at $82: five shares with players, some in the pool, the rest in the offering (example 15)."""
    where = position().start("SOU", 82, at=None, market=market, **(percents or {"a": 40, "b": 10}))
    where.state.companies["SOU"].floated = True
    return where.treasury("SOU", 300).cash(a=0, b=0)


def redeem(game: TitleGame, source: str, name: str = "SOU") -> None:
    game.do("redeem_share", game.table.president(name).id, company=name, source=source)


def test_own_shares_are_redeemed() -> None:
    """R-C2C-080 (5), example 15: at the market price from the treasury, if six stay out; the price stays. A
    player is asked, never for the president's certificate; a president who can do nothing else is still
    asked."""
    game = redeeming().game()
    redeem(game, "market")
    sou = game.company("SOU")
    assert (sou.cash, sou.percent("SOU"), sou.percent("market")) == (300 - 82, 10, 10)
    assert game.table.price(sou) == 82
    game.table.state.round = Stock(number=3)
    game._skip_idle_steps()
    assert "60%" in game.refused("5", "redeem_share", "a", company="SOU", source="market")
    game = redeeming(0, a=40, b=30).game()
    assert game.values("redeem_share", "a", "source", company="SOU") == ["a", "b"]
    redeem(game, "b")
    assert game.company("SOU").percent("b") == 30
    assert (game.on_turn(), game.kinds()) == ("b", ["answer"])
    events = game.do("answer", "b", reply="agree")
    assert events == (SharesRedeemed("SOU", 1, 82, 218, "b"),)
    assert sentences(events, game) == ["SOU (Ann) redeems a share from Bob for $82."]
    assert (game.company("SOU").percent("b"), game.cash()["b"]) == (20, 82)
    assert game.on_turn() == "a"
    where = redeeming(10, a=20, b=20, c=20).cash(c=0, d=0)
    where.state.companies["SOU"].shares.update(offering=0)
    del where.state.companies["SOU"].shares["offering"]
    where.state.companies["SOU"].shares["removed"] = 30
    game = where.stock("a", 1).game()
    assert game.kinds("a") == ["pass"]
    assert [o.kind for o in game.offers("a")] == ["pass", "redeem_share", "end_game"]
    game.passes("a")
    assert game.round_name() != "SR 1"


def redeemed(par: int = 82, **where: tuple[int, int]) -> Position:
    found = position().start("SOU", par, a=40, b=20, **where)  # type: ignore[arg-type]
    sou = found.state.companies["SOU"]
    sou.shares["SOU"], sou.shares["offering"] = 20, 20
    return found.treasury("SOU", 300).cash(a=500, b=500)


def test_reissued_shares_cost_the_market_price() -> None:
    """R-C2C-081 (5): par at least; the buyer pays the treasury, and chooses between them and the offering.
    The price is that of the moment; a later pile lies next to it, the cheapest share is bought first."""
    game = redeemed(82, at=(1, 9)).game()
    game.do("reissue", "a", company="SOU")
    sou = game.company("SOU")
    assert (sou.percent("SOU"), sou.percent("reissued"), sou.reissue_prices) == (0, 20, [120, 120])
    assert game.values("buy_share", "a", "source", company="SOU") == ["offering", "reissued"]
    game.do("buy_share", "a", company="SOU", source="reissued")
    assert (sou.cash, game.cash()["a"], sou.reissue_prices) == (420, 380, [120])
    game.do("pass", "a")
    game.do("buy_share", "b", company="SOU", source="offering")
    assert (sou.cash, game.cash()["b"]) == (420, 418)
    game = redeemed(82, at=(6, 7)).game()
    assert game.price("SOU") < 82
    game.do("reissue", "a", company="SOU")
    assert game.company("SOU").reissue_prices == [82, 82]
    where = redeemed(82, at=(1, 9))
    sou = where.state.companies["SOU"]
    sou.shares["reissued"], sou.shares["SOU"], sou.reissue_prices = 10, 10, [100]
    game = where.game()
    game.do("reissue", "a", company="SOU")
    assert sou.reissue_prices == [100, 120]
    game.do("buy_share", "a", company="SOU", source="reissued")
    assert (game.cash()["a"], sou.reissue_prices) == (400, [120])


def privatizing(phase: str = "2", *options: str, **percents: int) -> Position:
    where = position(*options).start("PRR", 82, at=None, **(percents or {"a": 60, "b": 30})).cash(a=500, b=0)
    return where.phase(phase)


@pytest.mark.parametrize(("phase", "cost"), [("2", 103), ("3", 123), ("4", 123), ("5", 164), ("6D", 246)])
def test_privatization_price_by_phase(phase: str, cost: int) -> None:
    """R-C2C-082 (5), example 15: rounded up to a dollar; without consent, and the price stays."""
    game = privatizing(phase).game()
    events = game.do("privatize", "a", company="PRR", seller="b")
    assert events == (Privatized("a", "PRR", "b", 10, cost),)
    assert game.cash()["a"] == 500 - cost
    assert game.cash()["b"] == cost
    assert (game.company("PRR").percent("a"), game.company("PRR").percent("b")) == (70, 20)
    assert game.price("PRR") == 82


def test_privatization_is_the_purchase() -> None:
    """R-C2C-082 (5): sales may follow as after any purchase, and the certificate limit holds."""
    game = privatizing().game()
    game.do("privatize", "a", company="PRR", seller="b")
    game.refused("3", "privatize", "a", company="PRR", seller="b")
    game.refused("3", "buy_share", "a", company="PRR", source="offering")
    game.sell("a", "PRR", 1)
    game = privatizing().game()
    game.do("buy_share", "a", company="PRR", source="offering")
    game.refused("3", "privatize", "a", company="PRR", seller="b")
    where = privatizing()
    where.start("NYC", 82, a=80).start("ERIE", 82, a=70)
    game = where.game()
    assert "limit of 18" in game.refused("3", "privatize", "a", company="PRR", seller="b")
