"""18MS: trains, their privates, the president's help and credit (4)."""

import pytest

from engine.core.state import LastRun
from engine.play.shares.holdings import net_worth
from engine.tell.teller import teller_of
from tests.titles.builders import TitleGame
from tests.titles.t18ms.mississippi import TO_NEW_ORLEANS, Mississippi


def test_mc_becomes_a_train() -> None:
    """R-MS-063, R-MS-070 (4): with room for it; other companies cannot buy it."""
    built = Mississippi().phase("3").start("GMO", 90, a=60).start("IC", 90, b=60).owns("a", "MC")
    game = built.trains("GMO", "2+").operating("GMO", "trains").game()
    game.do("buy_private", "GMO", private="MC", price=60)
    gmo = game.company("GMO")
    assert (gmo.trains, gmo.unsalable, game.table.state.privates["MC"].closed) == (["2+"] * 2, ["2+"], True)
    for trains, number in ((3, 2), (1, 3)):
        built = Mississippi().phase("3").start("GMO", 90, a=60).owns("a", "MC")
        game = built.trains("GMO", *["3+"] * trains).operating("GMO", set=number).game()
        game.refused("4", "buy_private", "GMO", private="MC", price=60)


def test_mo_makes_a_train_cheaper() -> None:
    """R-MS-064 (4): a 3+ or 4+ of the bank, once."""
    built = Mississippi().phase("3").depot(**{"t2+": 0}).start("GMO", 90, a=60).owns("GMO", "M&O")
    game = built.operating("GMO", "trains").game()
    game.buy("M&O", "3+", 80)
    assert (game.company("GMO").cash, game.table.state.privates["M&O"].closed) == (820, True)


@pytest.mark.parametrize(
    ("routes", "number", "options", "sold"),
    [
        (("2+: H6-H4",), 2, (), False),
        ((), 2, (), True),
        (("2+: H6-H4",), 1, (), True),
        (("2+: H6-H4",), 2, ("allow_buy_rusting",), True),
    ],
)
def test_train_about_to_leave_is_not_sold(
    routes: tuple[str, ...], number: int, options: tuple[str, ...], sold: bool
) -> None:
    """R-MS-070 (4): once it has run in its last round."""
    built = Mississippi(options=options).phase("3").start("IC", 90, b=60).trains("IC", "2+")
    ran = Mississippi().phase("3").tiles(TO_NEW_ORLEANS).start("GMO", 90, a=60).trains("GMO", "2+")
    route = ran.operating("GMO", "run").game().find("run_routes").suggest()[0].chosen["routes"]
    built.state.companies["IC"].last_run = LastRun(tuple(route) if routes else (), (), 0, "paid")
    game = (
        built.start("GMO", 90, a=60).operating("GMO", "trains", number=number, of=2, operated=["IC"]).game()
    )
    assert ("IC" in game.values("buy_train", "GMO", "source", train="2+")) is sold
    if not sold:
        game.no_deal("4", "GMO", "2+", 50, "IC")


# --- the president's money -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("train", "treasury", "cash", "helped"),
    [("5", 360, 190, True), ("5", 360, 189, False), ("5", 249, 900, False), ("4+", 200, 900, False)],
)
def test_president_helps_for_a_fee(train: str, treasury: int, cash: int, helped: bool) -> None:
    """R-MS-071 (4): half the price in the treasury, the rest and $50 from the president; no train with plus."""
    built = Mississippi().phase("3").depot(**{"t2+": 0, "t3+": 0, "t4+": 0 if train == "5" else 3})
    built.start("GMO", 90, a=60).trains("GMO", "3+").treasury("GMO", treasury).cash(a=cash)
    game = built.operating("GMO", "trains").game()
    price = game.table.spec.train(train).price
    if not helped:
        assert not game.offered("buy_train")
        return
    game.buy("GMO", train, price)
    assert (game.company("GMO").cash, game.cash()["a"]) == (0, cash - (price - treasury) - 50)


def trainless(phase: str, treasury: int, cash: int) -> Mississippi:
    """GMO has a route and no train; its president has shares of IC."""
    built = Mississippi().phase(phase).tiles(TO_NEW_ORLEANS).start("GMO", 90, a=20, b=20, c=20)
    built.start("IC", 90, a=30, b=30).operated("GMO").treasury("GMO", treasury).cash(a=cash)
    built.operating("GMO", "trains")
    return built


def test_forced_purchase_of_any_train() -> None:
    """R-MS-072 (4): not only the cheapest, and without a fee."""
    game = trainless("6", 291, 658).game()
    game.buy("GMO", "5D", 850)
    assert (game.company("GMO").cash, game.cash()["a"]) == (0, 99)


def test_forced_sales_keep_all_presidencies() -> None:
    """R-MS-072 (4)"""
    game = trainless("6", 0, 400).game()
    assert game.offered("sell_shares") is False
    game.refused("4", "sell_shares", "a", company="IC", shares=1)


def credit(cash: int) -> TitleGame:
    """Ann has bought a 2D on credit."""
    game = trainless("6", 100, cash).game()
    game.refused("4", "declare_bankruptcy", "GMO")
    game.no_deal("4", "GMO", "4D", 750)
    game.buy("GMO", "2D", 500)
    return game


@pytest.mark.parametrize(("cash", "after"), [(300, -150), (-10, -460)])
def test_train_on_credit(cash: int, after: int) -> None:
    """R-MS-073, D-MS-3 (4): what is missing and $50 are owed, and count against net worth."""
    game = credit(cash)
    ann = game.table.state.player("a")
    assert (ann.cash, game.company("GMO").cash, game.company("GMO").trains) == (after, 0, ["2D"])
    assert net_worth(game.table, ann) == after + 2 * 90 + 3 * 90


def test_menus_name_the_fee_and_the_debt() -> None:
    """R-MS-071, R-MS-073 (4)"""
    built = Mississippi().phase("3").depot(**{"t2+": 0, "t3+": 0, "t4+": 0}).start("GMO", 90, a=60)
    helped = built.trains("GMO", "3+").treasury("GMO", 360).cash(a=300).operating("GMO", "trains").game()
    for game, words in (
        (helped, "Ann adds $140 and a fee of $50"),
        (trainless("6", 100, 300).game(), "Ann owes $150"),
    ):
        labels = [teller_of(game).say(way.label) for way in game.find("buy_train", "GMO").suggest()]
        assert any(label.endswith(f"$500; {words}") for label in labels), labels


def test_mo_makes_a_train_on_credit_cheaper() -> None:
    """R-MS-064, R-MS-073 (4)"""
    built = trainless("3", 30, 20).depot(**{"t2+": 0}).owns("GMO", "M&O")
    game = built.operating("GMO", "trains").game()
    game.buy("M&O", "3+", 80)
    assert (game.company("GMO").cash, game.cash()["a"]) == (0, 20 - 50 - 50)


def test_debt_grows_by_half() -> None:
    """R-MS-073 (4): rounded up, as a set begins."""
    built = Mississippi().phase("6").start("GMO", 90, b=60).trains("GMO", "5", "5", "5").cash(a=-151)
    game = built.stock("b", number=4).game()
    game.passes(*"bc")
    assert game.round_name() == "OR 4.1"
    assert game.cash()["a"] == -151 - 76
