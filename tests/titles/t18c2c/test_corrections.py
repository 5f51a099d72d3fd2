"""What an owner of the printed game corrects by a file of their own."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.board.upgrades import rotations
from engine.core.errors import TitleError
from engine.titles import TITLES, correct_titles
from tests.titles.builders import new_game

TITLE = "18c2c"
TABLE_A = "[18c2c.house.table_a]\n100 = [40]\n90 = [40]\n82 = [40]\n76 = [40]\n72 = [40, 60]\n68 = [40]\n"
KIT = "[18c2c.house]\nkit_private_values = {{ TBC = {}, ACE = [90, 15], EPP = [100, 15] }}"

MANY = "[18c2c.house]\neliminations = {}"
STOP = '[18c2c.hexes]\nT69 = {{ stops = ["city {} x2"] }}'


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = dict(TITLES)
    yield
    TITLES.update(before)


def test_house_rule_is_corrected() -> None:
    """R-C2C-003, R-C2C-021: the game begins by what the file says, unless an option says otherwise; that of
    another title does not."""
    correct_titles("[18c2c.house]\neliminations = 2\nstarting_cash_total = 1800\n")
    table = new_game(4, title=TITLE).table
    assert table.spec.auction.eliminations == 2
    assert [player.cash for player in table.state.players] == [450] * 4
    assert new_game(4, title="18c2c-full").table.spec.auction.eliminations == 6
    table = new_game(4, title=TITLE, options=["four_eliminations"]).table
    assert table.spec.auction.eliminations == 4


def test_hex_and_overlays_are_corrected() -> None:
    """R-C2C-009: the other reading of Charleston's values; a P city takes brown 170, its yellow and green
    tiles bear no label."""
    correct_titles('[18c2c.hexes]\nT69 = { stops = ["city 30/50/50/30/30 x2"] }\n')
    stop = new_game(4, title=TITLE).table.map.topology("T69").stops[0]
    assert stop.revenue == (30, 50, 50, 30, 30)
    correct_titles('[18c2c.house]\noverlays = { Q58 = "P" }\n')
    board = new_game(4, title=TITLE).table.map
    assert board.label("Q58") == "P"
    assert board.label_for("Q58", "green") == ""
    assert board.label_for("Q58", "brown") == "P"


@pytest.mark.parametrize("title", [TITLE, "18c2c-full"])
def test_gray_double_cities_are_corrected(title: str) -> None:
    """R-C2C-110: one city of four places as printed; or two of two, joined as on the brown tiles, tokens with them."""
    printed = TITLES[title].spec.tiles["124"].topology
    assert [stop.slots for stop in printed.stops] == [4]
    correct_titles(f'[{title}.house]\ngray_double_cities = "two_cities"\n')
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
        ("[18c2c.house]\nelimination = 1", "no house rule elimination; the house rules are .*eliminations"),
        ("[18c2c.house]\neliminations = 9", "house rule eliminations: .*9 is not possible; .*0, 1, 2"),
        ('[18c2c.house]\nprivatization_min_percent = "sixty"', "must have the form of 60"),
        ("[18c2c.hexes]\nQ99 = { cost = 20 }", "no hex Q99"),
        ("[18c2c.hexes]\nM62 = { price = 20 }", "hex M62: price"),
        ('[18c2c.hexes]\nM62 = { cost = "dear" }', "hex M62: cost"),
        ('[18c2c.hexes]\nM74 = { stops = [], track = "" }', "home at a stop that the correction removes"),
        ('[18c2c.house]\noverlays = { Q60 = "P" }', "needs a city without track, and Q60 has none"),
        ('[18c2c.house]\noverlays = { Q58 = "X" }', "labels are C, B, L, P, K, not X"),
        ('[18c2c.house]\noverlays = { Z99 = "P" }', "house rule overlays: there is no hex Z99"),
        ("[18c2c.house]\noverlays = { Q58 = [1] }", "house rule overlays: the possible labels are"),
        ('[18c2c.hexes]\nM62 = { stops = ["village 10"] }', "hex M62: cannot read the stop"),
        ("[18c2c.hexes]\nM62 = { cost = -20 }", "hex M62: cost: .*greater than or equal to 0"),
        (
            "[18c2c.hexes]\nM62 = { may_run_through = true }",
            "may_run_through cannot be corrected; possible keys are name, zone, cost",
        ),
        ('[18c2c.hexes]\nT69 = { stops = ["city 30/50/50 x2"] }', "3 values; give one, or 5"),
        ('[18c2c.hexes]\nT69 = { stops = ["city 30 x3"] }', "T69: opens has 2 phases for 3 slots"),
        ('[18c2c.hexes]\nT69 = { opens = ["start", "9"] }', "T69: opens: start is not possible; .*2, 3, 4"),
        (
            "[18c2c.hexes]\nM62 = { impassable = [7] }",
            "M62: impassable: 7 is not possible; .*0, 1, 2, 3, 4, 5",
        ),
        ('[18c2c.hexes]\nM62 = { zone = "north" }', "M62: zone: north is not possible; .*canada_east, east"),
        ('[18c2c.hexes]\nM62 = { icons = ["beer"] }', "M62: icons: beer is not possible; .*coal"),
        ('[18c2c.hexes]\nM62 = { label = "Q" }', "M62: label: Q is not possible; .*B, C, Chi"),
        ("[18c2c.hexes]\nA54 = { stops = [] , track = ''}", "destination at a stop|home at a stop"),
        (
            '[18c2c.house]\nseating = "by_name"',
            "seating: this rule cannot be changed: only 'random' is possible",
        ),
        (
            "[18c2c.house]\nstarting_cash_total = -5",
            "starting_cash_total: -5 is not possible; allowed are 600 to 12000",
        ),
        ("[18c2c.house]\nprivatization_min_percent = 120", "120 is not possible; allowed are 0 to 100"),
        (
            "[18c2c.house]\nphase4_privatize = -10",
            "phase4_privatize: -10 is not possible; allowed are 100 to 300",
        ),
        ("[18c2c.house]\nphase4_privatize = 150.5", "150.5 must have the form of 150"),
        ("[18c2c.house]\nkeystone_phase2_price = [200, 50]", r"\[200, 50\] is in the wrong order"),
        ("[18c2c.house]\nkeystone_phase2_price = [50]", r"\[50\] must have 2 numbers, not 1"),
        ("[18c2c.house]\nplayer_range = [6, 2]", "player_range: .* is in the wrong order"),
        ("[18c2c.house]\nplayer_range = [2, 40]", "player_range: 40 is not possible; allowed are 2 to 8"),
        ("[18c2c.house.table_a]\n100 = [40]", "68, 72, 76, 82, 90 is missing; the rows are 100, 90"),
        (TABLE_A.replace("[40, 60]", "[60, 40]"), r"72: \[60, 40\] must have at least one number, and each"),
        (TABLE_A.replace("[40, 60]", "[]"), "table_a: 72: .* must have at least one number"),
        (
            TABLE_A.replace("[40, 60]", "[40, 65]"),
            "72: 65 is not possible; allowed are 40 to 100 in steps of 20",
        ),
        (TABLE_A + "95 = [40]", "table_a: there is no row 95; the rows are 100, 90"),
        (
            KIT.format("[-5, 10]"),
            "kit_private_values: TBC: -5 is not possible; allowed are 5 to 500 in steps of 5",
        ),
        (KIT.format("[82, 10]"), "TBC: 82 is not possible; allowed are 5 to 500 in steps of 5"),
        (KIT.format("[80]"), r"TBC: \[80\] must have 2 numbers, not 1"),
        (KIT.format('"dear"'), "must have the form of"),
        pytest.param(MANY.format("[" * 5000), "cannot be read: .* nested too deeply", id="nested lists"),
        pytest.param(MANY.format("{a=" * 5000), "cannot be read: .* nested too deeply", id="nested tables"),
        pytest.param(MANY.format("9" * 5001), "cannot be read: .* has 5001 digits", id="5001 digits"),
        pytest.param(STOP.format("9" * 5001), "T69: cannot read the stop", id="a stop of 5001 digits"),
    ],
)
def test_wrong_correction_is_refused(text: str, said: str) -> None:
    before = dict(TITLES)
    with pytest.raises(TitleError, match=said):
        correct_titles(text)
    assert before == TITLES


def test_page_lists_correctable_rules() -> None:
    page = (Path(__file__).parents[3] / "docs/titles/18c2c.md").read_text("utf-8")
    table = page[page.index("| rule | values |") : page.index("- `hexes` says")]
    rows = [line.split("|")[1:3] for line in table.splitlines()[2:] if line.startswith("|")]
    listed = {name: values for names, values in rows for name in re.findall(r"`(\w+)`", names)}
    house = TITLES[TITLE].spec.house
    assert set(listed) == {name for name, rule in house.items() if not rule.is_fixed}
    for name, values in listed.items():
        words = [choice for choice in house[name].choices if isinstance(choice, str)]
        assert all(f'"{word}"' in values for word in words)
