"""18Chesapeake: routes, runs and dividends (rulebook 11.1, 11.5, 11.6)."""

from collections.abc import Iterable, Sequence

import pytest

from engine.core.offers import Offer, OfferCursor, Routes, Suggestion
from tests.titles.builders import Position, TitleGame

J2_K1 = "J2.a-4 K1.1-a"
"""LV's home to Easton; with tile 57 turned by 1, or 15 by 4."""
LONG = "J4.b-3 J2.0-a J2.a-4 K1.1-a"
NW_RUN = ("2:C13.a-1 B14.4-a", "2:C13.a-2 B12.5-0 B14.3-a", "3:C13.a-4 D12.1-a")


def lehigh(*trains: str, tile: tuple[str, int] = ("15", 4), phase: str = "3") -> Position:
    position = Position().phase(phase).start("LV", 95, a=60).trains("LV", *trains)
    return position.tile("J2", *tile).operating("LV", "run")


def norfolk_and_western(options: Iterable[str] = ()) -> TitleGame:
    """The printed example of running: two ways to the coal fields, one to the city in the north-east."""
    position = Position(options=options).phase("3").start("N&W", 70, a=60, market=20)
    position.trains("N&W", "2", "2", "3").tile("C13", "15", 1).tile("B12", "7", 5).tile("D12", "57", 1)
    return position.operating("N&W", "run").game()


def to_choose(offer: Offer) -> Sequence[Suggestion]:
    """The runs that are shown to choose from."""
    domain = OfferCursor(offer).domain
    assert isinstance(domain, Routes)
    return domain.find_suggestions()


def run(game: TitleGame, name: str, *routes: str) -> int:
    game.do("run_routes", name, routes=routes)
    assert game.table.turn.revenue is not None
    return game.table.turn.revenue


def test_route_has_at_most_as_many_stops_as_train() -> None:
    """R-CH-120 (11.1, 11.5): a diesel counts any number; an own token is among them."""
    game = lehigh("2", "3").game()
    assert "can visit at most 2" in game.refused("11.5", "run_routes", "LV", routes=(f"2:{LONG}",))
    assert "begin and end" in game.refused("11.1", "run_routes", "LV", routes=("2:J2.a-4",))
    assert run(game, "LV", f"3:{LONG}") == 30 + 30 + 30
    assert run(lehigh("D", phase="D").tile("J4", "X3", 0).game(), "LV", f"D:{LONG}") == 40 + 30 + 30
    position = lehigh("2", tile=("57", 1)).start("C&A", 70, b=60).tile("J6", "57", 0)
    game = position.game()
    assert "no token of LV" in game.refused("11.1", "run_routes", "LV", routes=("2:J6.a-3 J4.0-a",))


@pytest.mark.parametrize(
    ("route", "words"),
    [
        ("2:J2.a-0 J4.3-b", "no such track"),
        ("2:J2.a-4 K1.0-a", "does not continue"),
        ("2:Z9.a-4 K1.1-a", "no such track"),
        ("3:" + J2_K1, "each of them may run only once"),
        ("9:" + J2_K1, "each of them may run only once"),
        ("2:J2.a-4 K1.1-a K1.a-1 J2.4-a", "twice"),
        *((text, "Cannot read the route") for text in ("", "2", "2:", ":J2.a-4", "2:J2", "nonsense")),
        *((text, "Cannot read the route") for text in ("2:J2.a-9 K1.1-a", "2:J2.a-4,K1.1-a")),
    ],
)
def test_route_follows_laid_track_once(route: str, words: str) -> None:
    """R-CH-120, R-CH-121, R-CH-122 (11.1)"""
    game = lehigh("2", "2", tile=("57", 1)).game()
    assert words in game.refused("", "run_routes", "LV", routes=(route,))


def test_trains_share_stops_but_no_track() -> None:
    """R-CH-125 (11.5)"""
    game = lehigh("2", "2").game()
    why = game.refused("11.5", "run_routes", "LV", routes=(f"2:{J2_K1}", f"2:{J2_K1}"))
    assert "track of another train" in why
    assert run(game, "LV", f"2:{J2_K1}", "2:J2.a-0 J4.3-b") == 120


def test_printed_example_of_running() -> None:
    """R-CH-125, R-CH-126, R-CH-131 (11.5), worked example 11."""
    game = norfolk_and_western()
    assert "$210" in game.label(game.offers()[0].suggest()[0])
    assert run(game, "N&W", *NW_RUN) == 210
    treasury, before = game.company("N&W").cash, game.cash()["a"]
    game.do("dividend", "N&W", option="pay")
    assert game.cash()["a"] - before == 126
    assert (game.company("N&W").cash - treasury, game.price("N&W")) == (42, 75)


def test_red_areas_and_full_cities_end_routes() -> None:
    """R-CH-121, R-CH-123, R-CH-124 (11.1): a red area is visited once; the two coal hexes are one,
    Baltimore's north-eastern and south-western city are two, and may be on one route by a loop."""
    game = norfolk_and_western()
    through = "3:C13.a-1 B14.4-a B14.a-3 B12.0-5 C13.2-a"
    game.refused("11.1", "run_routes", "N&W", routes=(through,))
    hexes = game.table.map.hexes
    assert (
        hexes["A13"].stop_group == hexes["B14"].stop_group != hexes["A3"].stop_group == hexes["B2"].stop_group
    )
    position = lehigh("3", "2").start("C&A", 70, b=60).tile("J6", "57", 0).tile("J4", "X4", 0)
    position.t.map.place_token("J4", 1, "C&A")
    game = position.game()
    assert game.table.map.blocks_routes_of("J4", 1, "LV")
    run(game, "LV", "2:J2.a-0 J4.3-b")
    board = lehigh().t.map
    assert len(board.topology("H6").stops) == 2
    assert board.visited_place(("H6", 0)) != board.visited_place(("H6", 1))


def test_routes_typed_alike_take_both_ways() -> None:
    """R-CH-125 (11.5): what leaves out the plain hexes means any legal way."""
    game = norfolk_and_western()
    assert set(game.read_routes("2: C13-B14, 2: C13-B14")) == set(NW_RUN[:2])
    assert game.read_routes("2: C13-B14") == NW_RUN[:1]


def test_run_below_the_best() -> None:
    """R-CH-127 (11.5), D-CH-15: nobody has to announce more, unless the table requires it; the next best ones
    without one of the best run's stops are shown."""
    assert run(norfolk_and_western(), "N&W", *NW_RUN[:1]) == 80
    game = norfolk_and_western(options=["best_run_required"])
    assert "$210" in game.refused("11.5", "run_routes", "N&W", routes=NW_RUN[:1])
    offer = game.find("run_routes")
    assert [game.label(ready) for ready in to_choose(offer)] == ["Best run $210"]
    assert run(game, "N&W", *offer.suggest()[0].chosen["routes"]) == 210
    game = norfolk_and_western()
    offer = game.find("run_routes")
    assert [game.label(one) for one in to_choose(offer)] == [
        "Best run $210",
        "Run $160 without D12 (Charlottesville)",
        "Run $50 without B14 (West Virginia Coal)",
    ]
    for one in to_choose(offer):
        OfferCursor(offer).pick_all(one.chosen)


def test_revenue_is_a_multiple_of_ten() -> None:
    """R-CH-132 (11.6): every printed value is."""
    spec = Position().t.spec
    stops = [stop for tile in spec.tiles.values() for stop in tile.topology.stops]
    stops += [stop for hex_ in spec.map.all_hexes.values() for stop in hex_.topology.stops]
    assert all(value % 10 == 0 for stop in stops for value in stop.revenue)


@pytest.mark.parametrize(
    ("option", "market", "expected"),
    [("withhold", 0, (1000, 90, 800)), (None, 0, (950, 90, 800)), ("pay", 20, (960, 110, 820))],
)
def test_dividend_or_treasury(option: str | None, market: int, expected: tuple[int, int, int]) -> None:
    """R-CH-130, R-CH-131 (11.6): treasury, price, cash; pool shares pay the company, the offering nobody."""
    position = Position().start("LV", 95, at=(1, 4), a=60 - market, market=market).trains("LV", "2")
    game = position.tile("J2", "57", 1).operating("LV", "run").game()
    game.do("run_routes", "LV", routes=(f"2:{J2_K1}",) if option else ())
    if option:
        assert game.values("dividend", "LV", "option") == ["pay", "withhold"]
        game.refused("11.6", "dividend", "LV", option="half")
        game.refused("11.6", "pass", "LV")
        game.do("dividend", "LV", option=option)
    assert (game.company("LV").cash, game.price("LV"), game.cash()["a"]) == expected


def test_company_without_trains_falls() -> None:
    """R-CH-130 (11.6)"""
    game = Position().start("LV", 95, at=(1, 4), a=60).tile("J2", "57", 1).operating("LV", "run").game()
    assert game.price("LV") == 90
