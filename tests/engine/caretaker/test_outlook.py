"""What the caretaker expects: how long the game lasts, what shares bring, which trains run on, and what one has."""

import pytest

from engine.caretaker.outlook import (
    LONGEST,
    doomed,
    keeps_running,
    next_price,
    pays,
    reserve,
    rises,
    rounds_left,
    rounds_until,
    shortage,
    shut,
    wealth,
)
from engine.caretaker.privates import first_value
from engine.core.state import LastRun
from engine.play.table import Table
from tests.titles.builders import Position, new_game
from tests.titles.t18al.alabama import Alabama


def railway() -> Position:
    """LV, at $80, with a 2-train; Ann has six shares, Bob one."""
    return Position().cash(a=100, b=0, c=0).start("LV", 80, a=60, b=10).trains("LV", "2").treasury("LV", 0)


def ran(position: Position, revenue: int, company: str = "LV") -> Position:
    position.state.companies[company].last_run = LastRun((), (), revenue, "paid")
    return position


def table(position: Position) -> Table:
    return position.game().table


@pytest.mark.parametrize(("bank", "rounds"), [(0, 1.5), (450, 6.0), (8_000, LONGEST)])
def test_the_game_lasts_a_little_longer_than_the_bank_pays_as_much_as_last(bank: int, rounds: float) -> None:
    """Money returns to the bank, and the last set of operating rounds is finished."""
    assert rounds_left(table(ran(railway(), 100).bank(bank))) == rounds


def test_all_companies_empty_the_bank() -> None:
    position = ran(ran(railway(), 60), 40, "B&O").start("B&O", 80, b=60)
    assert rounds_left(table(position.bank(300))) == 4.5


def test_where_nobody_has_run_the_game_is_long() -> None:
    assert rounds_left(table(railway())) == LONGEST


def test_a_share_pays_its_part_of_the_last_run_and_half_of_it_without_a_train() -> None:
    running = table(ran(railway(), 130))
    assert pays(running, running.state.companies["LV"]) == 13
    stopped = table(ran(railway().trains("LV"), 130))
    assert pays(stopped, stopped.state.companies["LV"]) == 6.5


def test_before_the_first_run_a_share_may_pay_a_tenth_of_its_price() -> None:
    t = table(railway())
    assert pays(t, t.state.companies["LV"]) == 8


def test_a_price_rises_by_one_space_and_never_falls() -> None:
    t = table(railway().start("B&O", 80, at=(1, 17), b=60))
    lv, highest = t.state.companies["LV"], t.state.companies["B&O"]
    assert rises(t, lv) == 5
    assert rises(t, highest) == 0
    assert rises(t, t.state.companies["PRR"]) == 0, "it has not started"


def test_a_train_runs_until_the_trains_before_the_one_it_rusts_on_are_sold() -> None:
    """2-trains rust on the first 4-train: a 3-train and that one are left; who can pay one buys 0.6 in a round."""
    position = railway().phase("3").depot(t2=0, t3=1, t4=5)
    assert keeps_running(table(position), "2") == pytest.approx(2 / 0.7), "nobody can pay one"
    for name in ("B&O", "PRR", "SRR", "C&O"):
        position.start(name, 80, b=60).treasury(name, 90)
    assert keeps_running(table(position), "2") == pytest.approx(2 / 1.2), "each has half of the price"
    assert keeps_running(table(position), "5") == LONGEST, "it never rusts"


def test_a_train_that_becomes_obsolete_lasts_as_long_as_one_that_rusts_then() -> None:
    """18AL: a 4-train, until the first 7-train."""
    t = Alabama().depot(t2=0, t3=0, t4=0, t5=0, t6=1).phase("6").game().table
    assert keeps_running(t, "4") == rounds_until(t, "7") < rounds_left(t)


def test_a_train_rusts_sooner_where_companies_have_money_for_those_before_it() -> None:
    """Of the four 3-trains that B&O can pay it buys 2.4 in a round; the others and a 4-train leave slowly."""
    position = railway().phase("3").depot(t2=0, t3=4, t4=5).start("B&O", 80, b=60)
    assert keeps_running(table(position.treasury("B&O", 90)), "2") == pytest.approx(5 / 0.7)
    assert keeps_running(table(position.treasury("B&O", 800)), "2") == pytest.approx(1 + (5 - 2.4) / 0.7)


def test_a_company_that_has_not_floated_buys_no_train_whatever_it_has() -> None:
    position = railway().phase("3").depot(t2=0, t3=4, t4=5).start("B&O", 80, b=30).treasury("B&O", 800)
    for name in ("PRR", "SRR", "C&O"):
        position.start(name, 80, b=30).treasury(name, 800)
    assert rounds_until(table(position), "4") == pytest.approx(5 / 0.7)


def test_a_phase_begins_with_the_train_of_its_number_and_is_not_waited_for_once_it_has_begun() -> None:
    """18TN: phase 3½ begins with the fourth 3-train, and 4-trains that never ran out would hold up no phase."""
    position = Position(title="18tn").phase("3").depot(t3=3)
    assert rounds_until(table(position), "3½") == pytest.approx(2 / 0.7), "two of five are sold"
    assert rounds_until(table(position), "3") == 0
    position.state.depot["4"] = None
    assert rounds_until(table(position), "5") == pytest.approx(1 + 3.3 / 0.7), "three 3-trains and a 5-train"


def test_no_phase_is_waited_for_where_the_bank_has_no_train_left() -> None:
    position = railway()
    position.state.depot = dict.fromkeys(position.state.depot, 0)
    assert rounds_until(table(position), "6") == 0


def test_trains_that_run_once_more_for_certain_doom_nobody() -> None:
    """Five companies buy two 3-trains and the first 4-train in just one round."""
    position = railway().phase("3").depot(t2=0, t3=2, t4=5)
    for name in ("B&O", "PRR", "SRR", "C&O", "N&W"):
        position.start(name, 80, b=60).treasury(name, 180)
    t = table(position)
    assert keeps_running(t, "2") == 1
    assert not doomed(t, t.state.companies["LV"])


def test_a_company_is_doomed_whose_trains_all_rust_before_its_next_turn() -> None:
    position = railway().phase("3").depot(t2=0, t3=0, t4=5)
    for name in ("B&O", "PRR", "SRR", "C&O"):
        position.start(name, 80, b=60).treasury(name, 300)
    t = table(position)
    assert keeps_running(t, "2") < 1 < keeps_running(t, "4")
    lv = t.state.companies["LV"]
    assert doomed(t, lv)
    lv.trains.append("4")
    assert not doomed(t, lv)
    lv.trains.clear()
    assert doomed(t, lv)


def test_a_president_keeps_what_a_company_without_a_train_lacks_for_one() -> None:
    position = railway().trains("LV").treasury("LV", 30).start("B&O", 80, a=60).treasury("B&O", 75)
    t = table(position)
    assert next_price(t) == 80
    assert [shortage(t, t.state.companies[name]) for name in ("LV", "B&O")] == [50, 5]
    assert (reserve(t, "a"), reserve(t, "b")) == (55, 0)


def test_nothing_is_reserved_for_a_company_that_has_enough_or_has_not_floated() -> None:
    t = table(railway().trains("LV").treasury("LV", 90).start("B&O", 80, a=30))
    assert reserve(t, "a") == 0


def test_only_what_others_keep_closed_is_closed() -> None:
    """B&S closes G5."""
    assert "G5" in shut(table(railway().owns("b", "B&S")), "a")
    assert shut(table(railway().owns("a", "B&S")), "a") == frozenset()
    assert shut(table(railway().owns("LV", "B&S")), "b") == frozenset()


def test_what_one_has_is_cash_shares_and_half_of_ones_part_of_the_companies() -> None:
    """Ann: $100, six shares at $80, and of $50 and an $80 train 60 %, halved."""
    t = table(railway().treasury("LV", 50))
    assert wealth(t, "a") == 100 + 480 + 0.6 * 130 * 0.5
    assert wealth(t, "b") == 80 + 0.1 * 130 * 0.5


def test_a_private_is_worth_its_value_four_incomes_and_the_certificate_it_brings() -> None:
    t = new_game().table
    for name, brings in (("D&R", 0), ("B&OR", 70), ("CV", 140)):
        spec = t.spec.privates[name]
        assert first_value(t, name) == spec.value + 4 * spec.income + brings, name


def test_a_price_near_the_end_of_the_market_ends_the_game_sooner_than_the_bank() -> None:
    """In 18AL; a company without a train does not rise."""
    place = Alabama().cash(a=0, b=0, c=0).bank(9_000).start("L&N", 105, a=60).trains("L&N", "5")
    last = LastRun((), (), 100, "paid")
    place.state.companies["L&N"].last_run = last
    t = place.game().table
    grid, company = t.grid, t.state.companies["L&N"]
    assert company.cell is not None
    away = 0
    cell = company.cell
    while not grid.ends_game(cell):
        cell, away = grid.right(cell), away + 1
    assert rounds_left(t) == min(LONGEST, away)
    for _ in range(away - 3):
        company.cell = grid.right(company.cell)
    assert rounds_left(t) == 3
    company.trains.clear()
    assert rounds_left(t) == LONGEST
