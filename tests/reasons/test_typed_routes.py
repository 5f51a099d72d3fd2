"""Routes that are typed, and refused before any request is made of them."""

import pytest

from engine.core.errors import NotOffered
from engine.core.facts import fact
from engine.routes.legal_routes import RouteProblem
from tests.reasons.position_examples import running
from tests.titles.builders import Position


def test_more_routes_than_trains_are_refused() -> None:
    with pytest.raises(RouteProblem) as caught:
        running().read_routes("J2-K1, J2-K1")
    assert caught.value.reason == fact("routes.more_than_trains", routes=2, number=1, trains=("2",))


def test_no_routes_are_read_where_no_company_operates() -> None:
    with pytest.raises(NotOffered) as caught:
        Position().game().read_routes("J2-K1")
    assert caught.value.reason == fact("routes.nobody_runs")
