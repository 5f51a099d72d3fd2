"""Where the caretaker starts a company at all, and what that seems worth."""

from collections.abc import Iterable

import pytest

from engine.caretaker import stock_rounds
from engine.core.state import Draft
from engine.game import Game
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, find, new_game
from tests.titles.t18newengland.newengland import NewEngland


def seat() -> SeatedPlayer:
    """Ann's, who has $2000 and presides over LV, which has floated and has money; C&A has not been started."""
    place = Position().cash(a=2_000, b=0, c=0).start("LV", 95, a=60)
    return SeatedPlayer(place.stock("a").game(), "a")


def bought(mine: SeatedPlayer, price: int = 80) -> float:
    """What it is worth to start the C&A."""
    return stock_rounds._bought(mine, mine.table.state.companies["C&A"], price)


def test_each_company_that_is_not_closed_makes_the_next_worth_less() -> None:
    mine = seat()
    assert bought(mine) == 500 + 80 - 120
    mine.table.state.companies["LV"].closed = True
    assert bought(mine) == 500 + 80


def test_nobody_starts_another_company_before_their_own_has_floated() -> None:
    mine = seat()
    mine.table.state.companies["LV"].floated = False
    assert bought(mine) == -1


@pytest.mark.parametrize(("train", "worth"), [(500, 440), (501, -1), (505, -1)])
def test_the_capital_of_a_company_is_enough_for_a_train_and_a_fifth_more(
    monkeypatch: pytest.MonkeyPatch, train: int, worth: int
) -> None:
    """Ten shares at $60 for a train at $500."""
    monkeypatch.setattr(stock_rounds, "next_price", lambda _: train)
    assert bought(seat(), 60) == worth


@pytest.mark.parametrize(("limit", "worth"), [(9, -1), (10, 460)])
def test_a_company_is_started_only_with_room_for_the_certificates_that_float_it(
    monkeypatch: pytest.MonkeyPatch, limit: int, worth: int
) -> None:
    """Ann has five; the president's certificate and four shares more float the C&A."""
    monkeypatch.setattr(stock_rounds, "certificate_limit", lambda _: limit)
    assert bought(seat()) == worth


def test_where_a_certificate_floats_a_company_with_one_share_more_all_money_may_pay_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stock_rounds, "_shares_to_float", lambda *_: 3)
    mine = seat()
    company = mine.table.state.companies["C&A"]
    assert stock_rounds._received(mine, company, 2_000) == 500 + 2_000
    assert stock_rounds._received(mine, company, 2_001) == 500 - 1


@pytest.mark.parametrize(
    ("start", "home", "worth"), [(1.0, -60, 1), (1.0, 30, 31), (500, -60, 440), (0, 30, -1), (-1, 30, -1)]
)
def test_a_start_is_worth_what_the_home_adds_and_never_nothing(
    monkeypatch: pytest.MonkeyPatch, start: float, home: float, worth: float
) -> None:
    monkeypatch.setattr(stock_rounds, "_bought", lambda *_: start)
    monkeypatch.setattr(stock_rounds, "_home", lambda *_: home)
    mine = seat()
    assert {idea.worth for idea in stock_rounds.starts(mine, find(mine.game, "par"))} == {worth}


# --- small companies ---------------------------------------------------------------------------------------------


def drafting(monkeypatch: pytest.MonkeyPatch, cash: int, train: int, reserved: Iterable[str]) -> SeatedPlayer:
    """18NewEngland: Ann's, with this money and these minors, of four players; homes are worth $7."""
    monkeypatch.setattr(stock_rounds, "_home", lambda *_: 7)
    monkeypatch.setattr(stock_rounds, "next_price", lambda _: train)
    game = new_game(4, title="18newengland")
    now = game.table.state.round
    assert isinstance(now, Draft)
    now.turn = 8
    now.reserved |= {**dict.fromkeys(reserved, "a"), "FRR": "b", "BP": "c", "NLN": "d"}
    game.table.state.player("a").cash = cash
    return SeatedPlayer(Game.load(game.dump()), "a")


def started(mine: SeatedPlayer, company: str = "ER") -> dict[int, float]:
    """What it is worth to start a minor, by its value."""
    ideas = stock_rounds.small_starts(mine, find(mine.game, "start_minor"))
    return {idea.walk.chosen["value"]: idea.worth for idea in ideas if idea.walk.chosen["company"] == company}


@pytest.mark.parametrize(("cash", "worth"), [(240, 507), (239, -1)])
def test_a_minor_is_reserved_by_whoever_has_a_train_and_a_fifth_more_for_each(
    monkeypatch: pytest.MonkeyPatch, cash: int, worth: float
) -> None:
    """The second one, with trains at $100: worth a start and its home."""
    mine = drafting(monkeypatch, cash, 100, ["ER"])
    assert {idea.worth for idea in stock_rounds.reservations(mine, find(mine.game, "reserve"))} == {worth}


@pytest.mark.parametrize(
    ("cash", "train", "reserved", "values"),
    [
        (280, 100, ("ER", "HRR"), [50, 55, 60, 65, 70]),
        (279, 100, ("ER", "HRR"), [50, 55, 60, 65]),
        (280, 101, ("ER", "HRR"), [55, 60, 65, 70]),
        (150, 110, ("ER",), [55, 60, 65, 70]),
    ],
)
def test_a_minor_is_started_at_each_value_that_pays_a_train_and_leaves_as_much_for_the_others(
    monkeypatch: pytest.MonkeyPatch, cash: int, train: int, reserved: tuple[str, ...], values: list[int]
) -> None:
    """Twice its value is paid, and half of what a company is worth comes to it."""
    found = started(drafting(monkeypatch, cash, train, reserved))
    assert found == {value: 250 + 2 * value + 7 if value in values else -1 for value in range(50, 71, 5)}


def test_in_a_stock_round_a_minor_is_started_with_all_money(monkeypatch: pytest.MonkeyPatch) -> None:
    """There nothing is reserved for another: of $110, which buy a train, all may be paid."""
    monkeypatch.setattr(stock_rounds, "_home", lambda *_: 7)
    monkeypatch.setattr(stock_rounds, "next_price", lambda _: 110)
    assert started(SeatedPlayer(NewEngland().cash(a=110).stock("a").game(), "a")) == {50: -1, 55: 367}


def test_what_trains_need_starts_no_minor(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = drafting(monkeypatch, 280, 100, ("ER", "HRR"))
    monkeypatch.setattr(stock_rounds, "reserve", lambda *_: 21)
    assert [value for value, worth in started(mine).items() if worth > 0] == [50, 55, 60]
