"""18Chesapeake: the variant for two players (rulebook 14)."""

from typing import Any

import pytest

from tests.titles.builders import Position, TitleGame


def two(profile: str = "rulebook") -> Position:
    """The C&A is the company with the normal certificate."""
    return Position(2, linked="C&A", profile=profile)


def floated(*, market: int = 40, profile: str = "rulebook", **percents: Any) -> Position:
    """LV has floated at 95; so much lies in the pool and the rest has already been removed."""
    held = percents or {"a": 60}
    removed = 100 - sum(held.values()) - market
    return two(profile).start("LV", 95, market=market, removed=removed, **held).stock("b")


def purchase(game: TitleGame, player: str, source: str = "market", name: str = "LV") -> None:
    game.do("buy_share", player, company=name, source=source)


def shares(game: TitleGame) -> tuple[int, int, int]:
    """Percent of LV that Bob has, that lies in the pool, and that has left the game."""
    lv = game.company("LV")
    return lv.percent("b"), lv.percent("market"), lv.percent("removed")


def buttons(game: TitleGame) -> list[str]:
    return [game.label(s) for o in game.offers("b") if o.kind == "buy_share" for s in o.suggest()]


def test_triple_certificate_costs_three_times_par() -> None:
    """R-CH-240 (14.1), D-CH-19: only what can be paid is offered."""
    game = two().cash(a=250).game()
    assert game.values("par", "a", "price", company="LV") == [70, 80]
    assert "costs $285" in game.refused("10.4", "par", "a", company="LV", price=95)
    assert game.values("par", "a", "price", company="C&A") == [70, 80, 95]
    game.do("par", "a", company="LV", price=80)
    assert (game.cash()["a"], game.company("LV").percent("a")) == (10, 30)


@pytest.mark.parametrize(("name", "certificate"), [("LV", 30), ("C&A", 20)])
def test_offering_goes_to_pool_at_float(name: str, certificate: int) -> None:
    """R-CH-241 (14.2), worked example 23."""
    game = two().start(name, 95, a=50).cash(a=95).game()
    purchase(game, "a", "offering", name)
    found = game.company(name)
    assert (found.certificate, found.floated, found.cash) == (certificate, True, 950)
    assert (found.percent("market"), found.percent("offering")) == (40, 0)


def test_float_fills_a_pool_that_shares_leave() -> None:
    """R-CH-047, R-CH-241, R-CH-242, R-CH-244 (10.2, 10.4, 14.2, 14.3), worked example 23: nothing more can be
    sold to the pool; else five shares are the limit. A purchase of another than the president, before a
    company floats, too, takes a share out. The only share leaves for nothing: it was the player's own
    purchase, and counts for the priority deal, the certificate limit, and after a sale."""
    game = two().start("LV", 95, a=30, market=20).game()
    purchase(game, "a", "offering")
    assert game.company("LV").percent("market") == 60
    game.passes("b")
    game.refused("10.2", "sell_shares", "a", company="LV", shares=1)
    game = floated(market=40, a=30, b=30).game()
    assert game.values("sell_shares", "b", "shares", company="LV") == [1]
    game.refused("10.2", "sell_shares", "b", company="LV", shares=2)
    game = floated().game()
    purchase(game, "b")
    assert (shares(game), game.cash()["b"]) == ((10, 20, 10), 1105)
    game.passes("a")
    purchase(game, "b")
    assert shares(game) == (20, 0, 20)
    game = two().start("LV", 95, a=30, market=20).stock("b").game()
    purchase(game, "b")
    assert (shares(game), game.company("LV").floated) == ((10, 0, 10), False)
    game = floated(market=30, a=50, b=20).stock("a").game()
    purchase(game, "a")
    assert (game.company("LV").percent("a"), shares(game)) == (60, (20, 20, 0))
    game = floated(market=10).cash(b=5).game()
    assert buttons(game) == [
        "Buy LV from the market, $0: the only market share leaves the game and you get nothing"
    ]
    purchase(game, "b")
    assert (shares(game), game.cash()["b"], game.actors()) == ((0, 0, 40), 5, ("a",))
    game.passes("a")
    assert game.table.state.priority == 0
    game = floated(market=20, a=60, b=10).cash(b=94).game()
    assert not game.offered("buy_share")
    game.refused("10.4", "buy_share", "b", company="LV", source="market")
    position = floated(market=10, a=60).start("SRR", 95, at=(1, 8), b=60, a=30)
    for name in ("PRR", "C&O", "N&W", "B&O"):
        position.start(name, 95, at=(1, 8), b=60)
    why = position.game().refused("10.1", "buy_share", "b", company="LV", source="market")
    assert "limit of 20" in why
    game = floated(market=10, a=60, b=20).game()
    game.sell("b", "LV")
    game.refused("10.4", "buy_share", "b", company="LV", source="market")


@pytest.mark.parametrize(("profile", "removed"), [("rulebook", 0), ("18xx.games", 10)])
def test_purchase_from_offering_removes_nothing(profile: str, removed: int) -> None:
    """R-CH-242 (14.3), D-CH-9: that site takes one out of the pool all the same."""
    game = two(profile).start("LV", 95, a=30, market=10).stock("b").game()
    purchase(game, "b", "offering")
    assert shares(game) == (10, 10 - removed, removed)


def test_18xx_games_lets_buyer_name_the_share() -> None:
    """R-CH-242, D-CH-10: no two buttons read the same."""
    floated().game().refused("10.4", "buy_share", "b", company="LV", source="removed")
    game = floated(profile="18xx.games").game()
    purchase(game, "b", "removed")
    assert (shares(game), game.cash()["b"]) == ((0, 30, 10), 1200)
    assert buttons(floated(market=10, profile="18xx.games").game()) == [
        "Buy LV from the market, $0: the only market share leaves the game and you get nothing",
        "Buy LV, $0: this share leaves the game and you get nothing",
    ]


@pytest.mark.parametrize(("market", "expected"), [(0, 100), (10, 95)])
def test_company_without_pool_shares_rises(market: int, expected: int) -> None:
    """R-CH-243 (14.4): removed shares do not matter; one that has not floated stays."""
    game = floated(market=market, a=60, b=20).cash(a=0, b=0).game()
    while not game.round_name().startswith("OR"):
        game.passes(*game.actors())
    assert game.price("LV") == expected
    game = two().start("LV", 95, a=50).game()
    game.passes("a", "b")
    assert game.price("LV") == 95


def test_removed_shares_are_never_paid() -> None:
    """R-CH-244 (11.6, 14): a tenth a share, as ever."""
    position = floated(market=10, a=60, b=10).trains("LV", "2").tile("J2", "57", 1).operating("LV", "run")
    game = position.game()
    bank = game.table.state.bank
    game.do("run_routes", "LV", routes=("2:J2.a-4 K1.1-a",))
    game.do("dividend", "LV", option="pay")
    assert game.cash() == {"a": 1230, "b": 1205}
    assert (game.company("LV").cash, game.table.state.bank) == (955, bank - 40)


def test_triple_presidency_passes_to_30_percent() -> None:
    """R-CH-245 (10.3, 14.1), D-CH-11: the swap is three tens; it is sold in tenths."""
    game = two().start("LV", 95, a=30, b=20).stock("b").game()
    purchase(game, "b", "offering")
    assert game.company("LV").president == "a"
    game.passes("a")
    purchase(game, "b")
    lv = game.company("LV")
    assert (lv.president, lv.percent("b"), lv.shares["a"], lv.shares.get("b", 0)) == ("b", 40, 30, 10)
    game = floated(market=20, a=40, b=30).stock("a").game()
    assert game.values("sell_shares", "a", "shares", company="LV") == [1, 2, 3]
    game.sell("a", "LV", 2)
    assert (game.company("LV").president, game.company("LV").percent("a")) == ("b", 20)
    assert shares(game) == (30, 40, 10)
    game = floated(market=40, a=40, b=20).stock("a").game()
    assert game.values("sell_shares", "a", "shares", company="LV") == [1]
