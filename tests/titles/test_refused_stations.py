"""What stops a station is said as it is: one a hex, and which city of a hex (11.4)."""

from tests.titles.builders import Position, refused


def test_a_station_is_refused_by_what_is_wrong_with_its_place() -> None:
    """R-CH-112 (11.4): LV's green home leads to the northern city of Philadelphia."""
    game = Position().phase("3").start("LV", 95, a=60).tile("J2", "15", 4).operating("LV", "token").game()
    assert "has a token in J2 already" in refused(game, "11.4", "place_token", "LV", hex="J2", city=0)
    assert "already" not in refused(game, "11.4", "place_token", "LV", hex="H6", city=0)
    southern = refused(game, "11.4", "place_token", "LV", hex="J4", city=0)
    assert "LV cannot place a token in city 1 of J4" in southern
    for city in (-1, 2):
        sentence = refused(game, "11.4", "place_token", "LV", hex="J4", city=city)
        assert "The stops of J4 are numbered from 1 to 2" in sentence
