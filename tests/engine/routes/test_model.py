import pytest

from engine.core.errors import Unreadable
from engine.core.facts import fact
from engine.routes.legal_routes import Route

ROUTE = Route("3", (("H4", 6, 0), ("H6", 3, 7), ("H6", 7, 4), ("I5", 1, 6)))


def test_route_text_round_trip() -> None:
    assert ROUTE.text() == "3:H4.a-0 H6.3-b H6.b-4 I5.1-a"
    assert Route.read(ROUTE.text()) == ROUTE
    assert Route.read(" 3: H4.a-0   H6.3-b H6.b-4 I5.1-a ") == ROUTE


def test_stops_of_a_route() -> None:
    assert ROUTE.stops() == (("H4", 0), ("H6", 1), ("I5", 0))


def test_stops_of_a_loop() -> None:
    loop = Route("3", (("A1", 6, 0), ("A3", 3, 4), ("A1", 1, 6)))
    assert loop.stops() == (("A1", 0), ("A1", 0))


@pytest.mark.parametrize("text", ["", "3:", "H4.a-0", "3:H4", "3:H4.a-9", "3:H4.a-0 nonsense", ":H4.a-0"])
def test_unreadable_route_texts(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Route.read(text)
    assert caught.value.reason == fact("unreadable.route", text=text)
