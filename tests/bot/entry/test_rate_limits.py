"""Allowances: so much at once, so much a second, for each person, each server and each kind of request."""

import re
from pathlib import Path

import pytest

from bot.table.rate_limits import SERVER_ALLOWANCES, USER_ALLOWANCES, RateLimiter, RateLimitScope, RequestKind

ANN, BOB, HERE, THERE = 1, 2, 100, 200


class Clock:
    """Time that passes when a test says so."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limiter(clock: Clock) -> RateLimiter:
    return RateLimiter(clock=clock)


def taken(limiter: RateLimiter, kind: RequestKind, person: int = ANN, server: int | None = HERE) -> int:
    count = 0
    while limiter.count_request(kind, person, server) is None:
        count += 1
    return count


@pytest.mark.parametrize("kind", RequestKind)
@pytest.mark.parametrize("factor", [1, 3])
def test_allowances_fill_up_again(kind: RequestKind, factor: int, clock: Clock) -> None:
    limiter, (at_once, a_second) = RateLimiter(factor, clock), USER_ALLOWANCES[kind]
    assert taken(limiter, kind) == factor * at_once
    clock.now += 3.01 / a_second
    assert taken(limiter, kind) == 3 * factor
    clock.now += 10_000
    assert taken(limiter, kind) == factor * at_once


def test_retry_after_is_true(limiter: RateLimiter, clock: Clock) -> None:
    taken(limiter, RequestKind.PICTURE)
    hold = limiter.count_request(RequestKind.PICTURE, ANN, HERE)
    assert hold is not None
    assert hold.scope is RateLimitScope.USER
    clock.now += hold.seconds - 0.1
    assert limiter.count_request(RequestKind.PICTURE, ANN, HERE) is not None
    clock.now += 0.11
    assert limiter.count_request(RequestKind.PICTURE, ANN, HERE) is None


def test_operating_lists_the_allowances() -> None:
    page = (Path(__file__).parents[3] / "docs/operating.md").read_text("utf-8")
    row = r"^\| `(\w+)` \| [^|]+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$"
    listed = {kind: tuple(map(float, rest)) for kind, *rest in re.findall(row, page, re.MULTILINE)}
    assert listed == {kind.value: (*USER_ALLOWANCES[kind], *SERVER_ALLOWANCES[kind]) for kind in RequestKind}


def test_pictures_wait_first_and_moves_last(limiter: RateLimiter) -> None:
    for allowances in (USER_ALLOWANCES, SERVER_ALLOWANCES):
        moves, questions, pictures = (
            allowances[kind] for kind in (RequestKind.MOVE, RequestKind.QUESTION, RequestKind.PICTURE)
        )
        assert moves.burst > questions.burst > pictures.burst
        assert moves.per_second > questions.per_second > pictures.per_second
    taken(limiter, RequestKind.PICTURE)
    assert taken(limiter, RequestKind.MOVE) == USER_ALLOWANCES[RequestKind.MOVE].burst
    assert taken(limiter, RequestKind.PICTURE, BOB) == USER_ALLOWANCES[RequestKind.PICTURE].burst


def test_accounts_of_a_server_share_its_allowance(limiter: RateLimiter) -> None:
    crowd = sum(taken(limiter, RequestKind.PICTURE, person) for person in range(10, 40))
    assert crowd == SERVER_ALLOWANCES[RequestKind.PICTURE].burst
    hold = limiter.count_request(RequestKind.PICTURE, BOB, HERE)
    assert hold is not None
    assert hold.scope is RateLimitScope.SERVER
    assert limiter.count_request(RequestKind.PICTURE, BOB, THERE) is None
    assert limiter.count_request(RequestKind.PICTURE, BOB, None) is None


def test_refused_requests_cost_nothing(limiter: RateLimiter, clock: Clock) -> None:
    taken(limiter, RequestKind.MOVE)
    for _ in range(1000):
        limiter.count_request(RequestKind.MOVE, ANN, HERE)
    clock.now += 1.01 / USER_ALLOWANCES[RequestKind.MOVE].per_second
    assert limiter.count_request(RequestKind.MOVE, ANN, HERE) is None
