"""Allowances: so much at once, so much a second, for each person, each server and each kind of request."""

import re
from pathlib import Path

import pytest

from bot.table import rate_limits
from bot.table.rate_limits import PERSON, SERVER, Kind, RateLimiter, Scope

ANN, BOB, HERE, THERE = 1, 2, 100, 200


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def taken(allowed: RateLimiter, kind: Kind, person: int = ANN, server: int | None = HERE) -> int:
    """How often somebody may ask in a row."""
    count = 0
    while allowed.ask(kind, person, server) is None:
        count += 1
    return count


@pytest.mark.parametrize("kind", Kind)
def test_so_much_at_once_and_so_much_a_second(kind: Kind, clock: Clock) -> None:
    allowed = RateLimiter(clock=clock)
    at_once, a_second = PERSON[kind]
    assert taken(allowed, kind) == at_once
    clock.now += 3.01 / a_second
    assert taken(allowed, kind) == 3
    clock.now += 10_000
    assert taken(allowed, kind) == at_once


def test_how_long_to_wait_is_true(clock: Clock) -> None:
    allowed = RateLimiter(clock=clock)
    taken(allowed, Kind.PICTURE)
    hold = allowed.ask(Kind.PICTURE, ANN, HERE)
    assert hold is not None
    assert hold.whose is Scope.PERSON
    clock.now += hold.seconds - 0.1
    assert allowed.ask(Kind.PICTURE, ANN, HERE) is not None
    clock.now += 0.11
    assert allowed.ask(Kind.PICTURE, ANN, HERE) is None


def test_pictures_wait_first_and_moves_last() -> None:
    for allowances in (PERSON, SERVER):
        moves, questions, pictures = (allowances[kind] for kind in (Kind.MOVE, Kind.QUESTION, Kind.PICTURE))
        assert moves.at_once > questions.at_once > pictures.at_once
        assert moves.a_second > questions.a_second > pictures.a_second


def test_operating_lists_the_allowances_there_are() -> None:
    page = (Path(__file__).parents[3] / "docs/operating.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", page, re.MULTILINE
    )
    listed = {kind: tuple(map(float, numbers)) for kind, *numbers in rows}
    allowed = RateLimiter()._allowed
    assert listed == {
        kind.value: (*allowed[Scope.PERSON, kind], *allowed[Scope.SERVER, kind]) for kind in Kind
    }


def test_who_has_asked_for_too_many_pictures_can_still_move(clock: Clock) -> None:
    allowed = RateLimiter(clock=clock)
    taken(allowed, Kind.PICTURE)
    assert taken(allowed, Kind.MOVE) == PERSON[Kind.MOVE].at_once


def test_nobody_uses_up_what_is_anothers(clock: Clock) -> None:
    allowed = RateLimiter(clock=clock)
    taken(allowed, Kind.PICTURE)
    assert taken(allowed, Kind.PICTURE, BOB) == PERSON[Kind.PICTURE].at_once


def test_many_accounts_of_a_server_share_its_allowance_and_no_other_servers(clock: Clock) -> None:
    allowed = RateLimiter(clock=clock)
    crowd = sum(taken(allowed, Kind.PICTURE, person) for person in range(10, 40))
    assert crowd == SERVER[Kind.PICTURE].at_once
    hold = allowed.ask(Kind.PICTURE, BOB, HERE)
    assert hold is not None
    assert hold.whose is Scope.SERVER
    assert allowed.ask(Kind.PICTURE, BOB, THERE) is None
    assert allowed.ask(Kind.PICTURE, BOB, None) is None


def test_a_refused_request_costs_nothing(clock: Clock) -> None:
    allowed = RateLimiter(clock=clock)
    taken(allowed, Kind.MOVE)
    for _ in range(1000):
        allowed.ask(Kind.MOVE, ANN, HERE)
    clock.now += 1.01 / PERSON[Kind.MOVE].a_second
    assert allowed.ask(Kind.MOVE, ANN, HERE) is None


def test_a_factor_allows_so_many_times_as_much(clock: Clock) -> None:
    allowed, (at_once, a_second) = RateLimiter(3, clock), PERSON[Kind.MOVE]
    assert taken(allowed, Kind.MOVE) == 3 * at_once
    clock.now += 2.01 / a_second
    assert taken(allowed, Kind.MOVE) == 6


def test_those_who_went_are_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "KEPT", 100)
    allowed = RateLimiter(clock=clock)
    for person in range(5000):
        allowed.ask(Kind.MOVE, person, None)
        clock.now += 1
        assert len(allowed) <= 100
    taken(allowed, Kind.MOVE, 5000, None)
    for person in range(5001, 5100):
        allowed.ask(Kind.PICTURE, person, None)
    assert allowed.ask(Kind.MOVE, 5000, None) is not None, "who asked too much is not forgotten"


def test_while_all_are_busy_they_are_looked_through_seldom(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time there are twice as many; and where few are left, no sooner than before."""
    monkeypatch.setattr(rate_limits, "KEPT", 100)
    allowed = RateLimiter(clock=clock)
    looks = list[int]()
    sweep = allowed._sweep

    def noted(now: float) -> None:
        looks.append(len(allowed))
        sweep(now)

    monkeypatch.setattr(allowed, "_sweep", noted)
    for person in range(500):
        allowed.ask(Kind.MOVE, person, None)
    assert looks == [100, 200, 400]
    clock.now += 1000
    for person in range(1000, 1400):
        allowed.ask(Kind.MOVE, person, None)
    assert (looks, len(allowed)) == ([100, 200, 400, 800], 400)
    clock.now += 1000
    for person in range(2000, 2301):
        allowed.ask(Kind.MOVE, person, None)
        clock.now += 1
    assert looks == [100, 200, 400, 800, 600, 100]
