"""What the caretaker prefers where shares pay their company's treasury, and with the markers of 1846."""

import pytest

from engine.caretaker import stock_rounds
from engine.caretaker.choosing import choose_move
from engine.core.actions import GiveMarker, Pass, PlaceMarker
from engine.core.state import LastRun
from tests.engine.caretaker.test_worths import worths
from tests.titles.t1846.midwest import Midwest
from tests.titles.t1846.refusals import TO_CLEVELAND, nyc


@pytest.mark.parametrize(("cash", "price"), [(300, 50), (240, 40), (480, 80)])
def test_many_cheap_shares_bring_the_same_money(cash: int, price: int) -> None:
    found = worths(stock_rounds.weigh_company_starts, Midwest().cash(a=cash).stock(number=1).game(), "par")
    of_nyc = {amount: worth for (company, amount), worth in found.items() if company == "NYC"}
    assert max(of_nyc, key=of_nyc.__getitem__) == price


def test_second_company_waits_for_the_first_train() -> None:
    found = worths(
        stock_rounds.weigh_company_starts, Midwest().start("NYC", 40, a=60).cash(a=400).stock().game(), "par"
    )
    assert set(found.values()) == {stock_rounds.NO_START_VALUE}


@pytest.mark.parametrize(("trains", "sells"), [([], True), (["2"], False)])
def test_shares_of_idle_companies_are_sold(trains: list[str], sells: bool) -> None:
    place = Midwest().start("NYC", 80, b=40, a=20).trains("NYC", *trains).operated("NYC")
    place.state.companies["NYC"].last_run = LastRun((), (), 0, "withheld")
    found = worths(stock_rounds.weigh_share_sales, place.stock().game(), "sell_shares")
    assert all((worth > 0) == sells for worth in found.values())


def test_steamboat_serves_its_own_company() -> None:
    place = nyc().owns("a", "SC").tiles(TO_CLEVELAND)
    place.t.operating_round.turn = None
    game = place.game()
    for seen in (GiveMarker, Pass):  # its track leads to no port
        chosen = choose_move(game, "a", 1)
        assert isinstance(chosen, seen)
        game.apply(chosen)
    assert game.table.state.privates["SC"].linked == "NYC"


def test_marker_of_a_private_waits_for_a_run() -> None:
    game = nyc("track", "MPC").tiles(TO_CLEVELAND).game()
    assert not isinstance(choose_move(game, "a", 1), PlaceMarker)
