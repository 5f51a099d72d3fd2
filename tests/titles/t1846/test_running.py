"""1846: order of companies, routes and what they earn (4)."""

import pytest

from engine.play.operating_order import operating_order
from tests.titles.t1846.midwest import Midwest

SARNIA = "B16:6:4"
"""Track from Sarnia (50 from phase III on) over Port Huron (20) to Detroit (40)."""
ACROSS = f"{SARNIA} C13:9:1 C11:9:1 C9:6:4 D8:8:1 D6:298:0"
"""From there over South Bend (20) and Chicago (40) to the Chicago Connections (40)."""


@pytest.mark.parametrize(
    ("trains", "tiles", "phase", "privates", "markers", "revenue"),
    [
        ("2", SARNIA, "II", "", {}, 40 + 20),
        ("2", SARNIA, "III", "", {}, 50 + 20),
        ("2 2", SARNIA, "III", "", {}, 50 + 20 + 20 + 40),
        ("4", SARNIA, "III", "", {}, 50 + 20 + 40),
        ("4", f"{SARNIA} C15:294:0", "III", "", {}, 60 + 50 + 20),
        ("5", ACROSS, "III", "", {}, 50 + 20 + 40 + 20 + 40),
        ("3/5", ACROSS, "III", "", {}, 50 + 20 + 40),
        ("4/6", ACROSS, "III", "", {}, 50 + 20 + 40 + 50 + 20 + 40),
        ("4/6", ACROSS, "III", "MAIL", {}, 220 + 6 * 10),
        ("4/6 2", ACROSS, "III", "MAIL", {}, 220 + 6 * 10),
        ("4/6", ACROSS, "III", "", {"meat": "D6"}, 220 + 30),
        ("4/6", ACROSS, "III", "", {"steamboat": "C5"}, 220 + 20),
        ("4/6", ACROSS, "III", "", {"boom": "H12"}, 220),
    ],
)
def test_revenue_of_the_best_run(
    trains: str, tiles: str, phase: str, privates: str, markers: dict[str, str], revenue: int
) -> None:
    """The GT runs, with one eastern area a route, from east to west, with mail and markers (4).

    Rules: R-1846-090, R-1846-091, R-1846-092, R-1846-093, R-1846-094, R-1846-095, R-1846-096.
    """
    built = Midwest().start("GT", 100, a=40).phase(phase).trains("GT", *trains.split()).tiles(tiles)
    built.owns("GT", *privates.split()).state.companies["GT"].markers = markers
    assert built.treasury("GT", 0).operating("GT", "run").game().best_run().revenue == revenue


@pytest.mark.parametrize(("set_", "order"), [(1, ["MS", "GT", "NYC"]), (2, ["MS", "NYC", "GT"])])
def test_order_of_companies(set_: int, order: list[str]) -> None:
    """R-1846-051 (4): independents, then by price; in the very first round the cheapest is first."""
    built = Midwest().start("NYC", 100, a=40).start("GT", 80, b=40).owns("c", "MSP")
    built.state.companies["MS"].floated = True
    table = built.operating("MS", set=set_).game().table
    assert [company.id for company in operating_order(table) if company.floated] == order


def test_privates_pay_before_two_rounds() -> None:
    """R-1846-050 (4)"""
    built = Midwest().start("NYC", 100, a=40).owns("a", "TBC").owns("NYC", "MC").cash(a=0, b=0, c=0, d=0, e=0)
    game = built.treasury("NYC", 0).stock("a").game()
    game.passes("a")
    assert (game.round_name(), game.cash()["a"], game.company("NYC").cash) == ("OR 2.1", 20, 15)
    assert game.table.operating_round.of == 2


@pytest.mark.parametrize(("left", "broken"), [(90, False), (89, True)])
def test_bank_breaks_below_0(left: int, broken: bool) -> None:
    """R-1846-160, D-1846-8 (5): it pays on until the set is over."""
    built = Midwest().start("NYC", 100, a=60, b=40).trains("NYC", "2").operating("NYC", "dividend", of=2)
    built.t.turn.revenue = 90
    game = built.bank(left).game()
    game.do("dividend", "NYC", option="pay")
    assert ((game.table.state.ending is not None), game.is_over) == (broken, False)
