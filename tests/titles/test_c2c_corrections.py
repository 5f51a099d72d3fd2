"""What an owner of the printed game corrects by a file of his own."""

from collections.abc import Iterator

import pytest
from builders import new_game

from engine.board.upgrades import rotations
from engine.core.errors import TitleError
from engine.titles import TITLES, correct

TITLE = "18c2c"


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = dict(TITLES)
    yield
    TITLES.update(before)


def test_a_house_rule_is_corrected() -> None:
    """R-C2C-003, R-C2C-021: the game begins by what the file says."""
    correct("[18c2c.house]\neliminations = 2\nstarting_cash_total = 1800\n")
    table = new_game(4, title=TITLE).table
    assert table.spec.auction.eliminations == 2
    assert [player.cash for player in table.state.players] == [450] * 4


def test_other_titles_stay_as_they_are() -> None:
    """Each title is corrected by itself, the full game too."""
    correct("[18c2c.house]\neliminations = 2\n")
    assert new_game(4, title="18c2c-full").table.spec.auction.eliminations == 6


def test_a_table_may_still_agree_on_something_else() -> None:
    correct("[18c2c.house]\neliminations = 2\n")
    assert new_game(4, title=TITLE, options=["four_eliminations"]).table.spec.auction.eliminations == 4


def test_a_hex_is_corrected() -> None:
    """R-C2C-009: the other reading of Charleston's values."""
    correct('[18c2c.hexes]\nT69 = { stops = ["city 30/50/50/30/30 x2"] }\n')
    stop = new_game(4, title=TITLE).table.map.topology("T69").stops[0]
    assert stop.revenue == (30, 50, 50, 30, 30)


def test_overlays_are_laid_where_the_file_says() -> None:
    """R-C2C-009: a P city takes brown 170; its yellow and green tiles bear no label."""
    correct('[18c2c.house]\noverlays = { Q58 = "P" }\n')
    board = new_game(4, title=TITLE).table.map
    assert board.label("Q58") == "P"
    assert board.label_for("Q58", "green") == ""
    assert board.label_for("Q58", "brown") == "P"


@pytest.mark.parametrize("title", [TITLE, "18c2c-full"])
def test_gray_new_york_and_chicago_may_keep_two_stations(title: str) -> None:
    """R-C2C-110: one city of four places as printed; or two of two, joined as on the brown tiles, tokens with them."""
    printed = TITLES[title].spec.tiles["124"].topology
    assert [stop.slots for stop in printed.stops] == [4]
    correct(f'[{title}.house]\ngray_double_cities = "two_cities"\n')
    table = new_game(4, title=title).table
    for gray, brown in (("124", "62"), ("131", "591")):
        lies, before = (table.spec.tiles[tile].topology for tile in (gray, brown))
        assert [(stop.slots, stop.revenue) for stop in lies.stops] == [(2, (100,)), (2, (100,))]
        assert lies.pieces == before.pieces
    board = table.map
    board.place_token("K78", 0, "NYC")
    board.place_token("K78", 1, "PRR")
    for tile in ("54", "62", "124"):
        board.lay("K78", tile, rotations(board, "K78", tile)[0])
    assert {board.slots("K78", stop) for stop in (0, 1)} == {("NYC", None), ("PRR", None)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[18c2c.house", "cannot be read"),
        ("[18xx.house]\nx = 1", "no title '18xx'"),
        ("[18c2c.trains]\nx = 1", "house and hexes, not trains"),
        ("[18c2c]\nhouse = 3", "house and hexes"),
        ("[18c2c.house]\nelimination = 1", "no house rule elimination; there are .*eliminations"),
        ("[18c2c.house]\neliminations = 9", "house rule eliminations: .*9 is none of 0, 1, 2"),
        ('[18c2c.house]\nprivatization_min_percent = "sixty"', "is not like 60"),
        ("[18c2c.hexes]\nQ99 = { cost = 20 }", "no hex Q99"),
        ("[18c2c.hexes]\nM62 = { price = 20 }", "hex M62: price"),
        ('[18c2c.hexes]\nM62 = { cost = "dear" }', "hex M62: cost"),
        ('[18c2c.hexes]\nM74 = { stops = [], track = "" }', "home where there is no stop"),
        ('[18c2c.house]\noverlays = { Q60 = "P" }', "Q60 does not have"),
        ('[18c2c.house]\noverlays = { Q58 = "X" }', "labels C, B, L, P, K, not X"),
        ('[18c2c.hexes]\nM62 = { stops = ["village 10"] }', "cannot read the stop"),
    ],
)
def test_what_is_wrong_with_a_correction_is_said(text: str, said: str) -> None:
    """And nothing is changed."""
    before = dict(TITLES)
    with pytest.raises(TitleError, match=said):
        correct(text)
    assert before == TITLES
