"""A mistake in a title's data is named when the file is read: the file, the key, and what is allowed."""

from importlib.resources import files
from pathlib import Path

import pytest

from engine.core.errors import TitleError
from engine.titles import TITLES, Title
from engine.titles.title_files import load_title

TEMPLATE = files("engine.titles.template").joinpath("title.toml").read_text("utf-8")
CHESAPEAKE = files("engine.titles.t18chesapeake").joinpath("title.toml").read_text("utf-8")
RULES = TITLES["18chesapeake"].rules
BOARD = "possible are B4, C5, D4, A3, B2, C1, C3, D2, E3"
OWN_TILE = '611 = 2\n{}[tiles.X1]\ncolour = "green"\ntrack = "0-3"\n'
PLAYERS = "2 = { cash = 600, certificate_limit = 11 }\n3 = { cash = 400, certificate_limit = 8 }"
TRAINS = [
    (
        "price = 200",
        "pirce = 200",
        "trains.1.price: Field required; trains.1.pirce: Extra inputs are not permitted",
    ),
    ("price = 200", "price = 0", "trains.3.price: $0 is too low; it must be $1 or more"),
    ('"3"\ncount', '"2"\ncount', "trains: the train 2 is listed 2 times; list it only once"),
    ("count = 2", "count = 0", "trains.3.count: 0 is too low; it must be 1 or more, or `unlimited`"),
    (
        "count = 2",
        'count = "unlimited"',
        "trains.3.count: unlimited, so no 4-train could be sold; only the last train may be unlimited",
    ),
    (
        "max_stops = 4",
        "max_stops = 0",
        "trains.4.max_stops: 0 is too low; it must be 1 or more; leave the key out for a train without a limit",
    ),
    ('rusts_on = "4"', 'rusts_on = "9"', "trains.2.rusts_on: there is no phase 9; possible are 2, 3, 4"),
    (
        'rusts_on = "4"',
        'rusts_on = "2"',
        "trains.2.rusts_on: phase 2 does not come after the train's first phase; later phases are 3, 4",
    ),
    (
        "max_stops = 3",
        'max_stops = 3\nobsolete_on = "5"',
        "trains.3.obsolete_on: there is no phase 5; possible are 2, 3, 4",
    ),
    (
        "max_stops = 3",
        'max_stops = 3\navailable_from = "D"',
        "trains.3.available_from: there is no phase D; possible are 2, 3, 4",
    ),
]
PHASES = [
    ('train = "3"', 'train = "3+3"', "phases.3.train: there is no train 3+3; possible are 2, 3, 4"),
    (
        'train = "3"',
        'train = "3"\ntrain_number = 3',
        "phases.3.train_number: 3 is not possible; it must be from 1 to 2",
    ),
    (
        'train = "3"',
        'train = "3"\nstarting_round = [1, 2]',
        "phases.3.starting_round: the phase also starts with train 3; give either a train or a round",
    ),
    (
        "price = 200",
        'price = 200\nface_of = "2"',
        "trains.3.count: 2; its other side 2 has 3, and both sides need the same count",
    ),
    (
        'train = "3"',
        "",
        "phases.3.train is missing; only the first phase has no train; the trains are 2, 3, 4",
    ),
    (
        'train = "3"',
        'train = "4"',
        "phases: 2 phases begin with 4-train number 1; each phase needs a different train",
    ),
    (
        '"2"\ntile_colours',
        '"2"\ntrain = "2"\ntile_colours',
        "phases.2.train: leave this out; the game begins with the first phase",
    ),
    (
        "revenue_step = 2",
        "revenue_step = 3",
        "phases.4.revenue_step: 3 is not possible; it must be from 0 to 2",
    ),
    (
        "private_price_percents = [50, 200]",
        "private_price_percents = [200, 50]",
        "phases.3.private_price_percents: [200, 50]; put the lower percentage first",
    ),
    ("rounds = 1", "rounds = 0", "phases.2: operating_rounds and train_limit must be 1 or more"),
    (
        'w", "green"]',
        'w", "red"]',
        "phases.3.tile_colours: tiles have no colour red; the colours are yellow, green, brown, gray",
    ),
    (
        'w", "green"]',
        'w", "gren"]',
        "phases.1.tile_colours.1: Input should be 'white', 'yellow', 'green', 'brown', 'gray', 'red' or 'blue'",
    ),
]
MAP = [
    ('["B4"', '["C3", "B4"', "map: the hex C3 is listed 2 times; list it only once"),
    (
        "[map]",
        '[map]\nborder_costs = { 20 = ["B4-Z9"] }',
        "map.border_costs.20: there is no hex Z9; possible are B4, C5, D4, A3, B2, C1, C3, D2, E3",
    ),
    (
        '["B4"',
        '["B5", "B4"',
        "map: B5 does not fit the grid of the other hexes; with the letter A, numbers must be odd",
    ),
    ('["B4"', '["4B", "B4"', "map: cannot read the coordinate '4B'; expected e.g. 'H6'"),
    ("cost = 40", "cost = -40", "map.hexes.C1.cost: Input should be greater than or equal to 0"),
    ("cost = 40", "impassable = [6]", "map.hexes.C1.impassable: 6 is not an edge; edges are 0 to 5"),
    ("town 0", "town 0/10", "map.hexes.C3.stops: 2 values; give 1, or 3 for yellow, green, brown"),
    (
        "town 0",
        "twon 0",
        "map.hexes.C3: cannot read the stop 'twon 0'; expected e.g. 'city 40 x2' or 'offboard 40/60/80/100'",
    ),
    (
        "4-a 5-a",
        "4-b 5-a",
        "map.hexes.A3: track names the end 'b'; ends are edges 0-5 and the stops a, b, ... listed",
    ),
    (
        '["town 0"]',
        '["town 0"], label = "Q"',
        "map.hexes.C3.label: there is no tile with the label Q; the title has none",
    ),
    (
        '["town 0"]',
        '["town 0"], allowed_tiles = ["199"]',
        "map.hexes.C3.allowed_tiles.1: there is no tile 199; similar ones are 9, 15, 14",
    ),
    (
        "611 =",
        "999 =",
        "tile_counts: there is no tile 999; the tiles are in [tiles] and in engine/board/tiles.toml",
    ),
    (
        "611 = 2",
        "611 = -2",
        "tile_counts.611: -2 is not possible; give a number of 1 or more, or `unlimited`",
    ),
    (
        "611 = 2",
        OWN_TILE.format(""),
        "tile_counts: X1 is missing; each of the title's own tiles needs a count",
    ),
    (
        "611 = 2",
        OWN_TILE.format("X1 = 1\n") + 'gives_way_to = "X2"',
        "tiles.X1.gives_way_to: there is no tile X2; similar ones are X1, 25, 24",
    ),
]
COMPANIES = [
    ('hex = "D2"', 'hex = "Z9"', f"companies.E&E.home.hex: there is no hex Z9; {BOARD}"),
    (
        'hex = "D2"',
        'hex = "D2", stop = 1',
        "companies.E&E.home: stop 1 of D2 is not a city; its cities are stops 0",
    ),
    (
        'hex = "D2"',
        'hex = "D2", chooses_city = true',
        "companies.E&E.home.chooses_city: D2 has only one city, so there is nothing to choose",
    ),
    ('hex = "D2"', 'hex = "C3"', "companies.E&E.home: stop 0 of C3 is not a city; the hex has no city"),
    (
        'name = "Westbury & Western"',
        'name = "Eastford & Everywhere"',
        "companies: the name Eastford & Everywhere is listed 2 times; list it only once",
    ),
    (
        'hex = "D2"',
        'hex = "B2"',
        "companies.W&W.home: B2 is the home of E&E, W&W, which need more token slots than it has: stop 0 has 1",
    ),
    (
        '"#237333"',
        '"#0189d1"',
        "companies.W&W.colour: #0189d1 is also the colour of E&E; give each company a "
        "different colour, or set `colours_repeat` to true",
    ),
    ('"#237333"', '"green"', "companies.E&E.colour: green is not a colour; write it as #rrggbb"),
    (
        '"#237333"',
        '"#237333"\ntoken_prices = []',
        "companies.E&E.token_prices: the home token is missing; it comes first in the list",
    ),
    (
        '"#237333"',
        '"#237333"\nfloat_percent = 0',
        "companies.E&E.float_percent: 0 is not possible; it must be from 1 to 100 percent",
    ),
    (
        '"#237333"',
        '"#237333"\nbase_zone = "west"',
        "companies.E&E.base_zone: there is no zone west; the title has none",
    ),
    (
        '"#237333"',
        '"#237333"\ndestination = ["F4"]',
        f"companies.E&E.destination.1: there is no hex F4; {BOARD}",
    ),
    (
        '"#237333"',
        '"#237333"\ncertificates = [20, 10, 10]',
        "companies.E&E: Value error, Eastford & Everywhere: the certificates must add up to 100 %; "
        "all but the president's must be equal, and the president's a multiple of them",
    ),
]
THE_REST = [
    ("cash = 600", "cash = 1300", "players.2.cash: 2 times $1300 is not between $1 and the bank's $2500"),
    (PLAYERS, "", "players is missing; a title needs at least one"),
    (
        "rulebook = []",
        "print = []",
        "profiles.print: there is no such profile; the profiles are rulebook, 18xx.games",
    ),
    (
        "[defaults.public]",
        "[defaults.pubic]",
        "defaults: there is no company of the kind pubic; the kinds are public",
    ),
    (
        "pool_limit = 50",
        "pool_limit = 500",
        "pool_limit: 500 is not possible; it must be from 1 to 100 percent",
    ),
    (
        "is_on_18xx_games = false",
        'must_own_train = { minor = "always" }',
        "Value error, there are no companies of kind minor",
    ),
    (
        "is_on_18xx_games = false",
        'options_not_on_18xx_games = ["short"]',
        "options_not_on_18xx_games: there is no option short; possible are best_run_required",
    ),
    (
        "110 125 140",
        "11O 125 140",
        "market.rows: cannot read the market cell '11O'; expected e.g. '80', '95P' or '55y'",
    ),
    ("50 60P", "50 70P", "market.rows: the par price 70 is listed 2 times; list it only once"),
    (
        "selling =",
        "sellign =",
        "sections.sellign: there is no topic sellign; similar ones are selling, sign, seller",
    ),
    (
        "selling =",
        '"selling.never" = "2"\nselling =',
        "sections.selling.never: there is no fact selling.never; "
        "similar ones are selling.no_price, selling.holds_fewer, selling.one_block",
    ),
    ("110 125 140", "110y 125 140", "market.rows: there is no zone with the letter y; the title has none"),
]
PRIVATES = [
    (
        '[privates."C&OC"]',
        '[privates."B&O"]',
        "privates.B&O: a company is also called B&O; privates and companies need different names",
    ),
    ('number = "P5"', 'number = "P4"', "privates: the number P4 is listed 2 times; list it only once"),
    (
        "face_value = 50",
        "face_value = 30",
        "privates.B&S: its value is below that of C-P before it; list the privates in the order of their value",
    ),
    (
        "face_value = 20",
        "face_value = 0",
        "privates.D&R: face_value $0, income $5; the value must be at least $1 and the income at least $0",
    ),
    ('["K3"]', '["Z99"]', "privates.D&R.blocked_hexes.1: there is no hex Z99; similar ones are I9, G9, E9"),
    (
        ' hexes = ["D2"]',
        " hexes = []",
        "privates.C&OC.powers.1.hexes is empty; list at least one",
    ),
    (
        ' hexes = ["D2"]',
        ' hexes = ["A3"]',
        "privates.C&OC.powers.1.hexes: A3 is red; no tile can be laid there",
    ),
    (
        ' hexes = ["D2"]',
        ' hexes = ["D1"]',
        "privates.C&OC.powers.1.hexes.1: there is no hex D1; similar ones are D12, D10, K1",
    ),
    (
        'tiles = ["57"]',
        'tiles = ["571"]',
        "privates.C&OC.powers.1.tiles.1: there is no tile 571; similar ones are 57, 7, 1",
    ),
    (
        'tiles = ["57"]',
        'tiles = ["58"]',
        "privates.C&OC.powers.1.tiles: 58 does not fit D2; tiles that fit: 15, 57",
    ),
    (
        '"I3"], tiles = ["8", "9"]',
        '"D2"], tiles = ["8", "9"]',
        "privates.C-P.powers.1.hexes: D2 takes none of the tiles 8, 9; tiles that fit: 15, 57",
    ),
    (
        'company = "B&O"',
        'company = "BO"',
        "privates.B&OR.powers.1.company: there is no company BO; possible are PRR, PLE, SRR, B&O, C&O, LV, C&A, N&W",
    ),
    (
        '"4", "5", "6"], price',
        '"4", "55", "6"], price',
        "trains.D.trade_in.accepts.2: there is no train 55; possible are 2, 3, 4, 5, 6, D",
    ),
    (
        'exported_trains = ["2", "3"',
        'exported_trains = ["2", "E"',
        "exported_trains.2: there is no train E; possible are 2, 3, 4, 5, 6, D",
    ),
    ('letter = "y"', 'letter = "z"', "market.zones.z: no cell has this letter; write one as `55z`"),
    (
        "exported_trains = ",
        'company_draw = { kind = "public", count = 2, others_from_phase = "9" }\nexported_trains = ',
        "company_draw.others_from_phase: there is no phase 9; possible are 2, 3, 4, 5, 6, D",
    ),
    (
        "exported_trains = ",
        'auction = { columns = [["D&R", "C-P", "B&S"], ["C&OC", "B&OR"]] }\nexported_trains = ',
        "auction.columns: CV is missing; every private must be in a column",
    ),
    (
        "exported_trains = ",
        "auction = { bid_multiple = 0 }\nexported_trains = ",
        "auction.bid_multiple: $0 is too low; it must be $1 or more",
    ),
]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty package for the data of a title."""
    folder = tmp_path / f"mistake_in_{tmp_path.name}"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def problems(package: Path, text: str) -> list[str]:
    """The sentences about a title's data, without the name of the file that each begins with."""
    (package / "title.toml").write_text(text, "utf-8")
    with pytest.raises(TitleError) as refused:
        _ = Title("new", package.name, RULES).spec
    sentences = str(refused.value).splitlines()
    file = f"{package.name}/title.toml: "
    assert all(sentence.startswith(file) for sentence in sentences)
    return [sentence.removeprefix(file) for sentence in sentences]


@pytest.mark.parametrize(("right", "wrong", "said"), [*TRAINS, *PHASES, *MAP, *COMPANIES, *THE_REST])
def test_mistake_is_named(package: Path, right: str, wrong: str, said: str) -> None:
    assert said in problems(package, TEMPLATE.replace(right, wrong, 1))


@pytest.mark.parametrize(("right", "wrong", "said"), PRIVATES)
def test_mistake_in_privates_is_named(package: Path, right: str, wrong: str, said: str) -> None:
    assert said in problems(package, CHESAPEAKE.replace(right, wrong, 1))


def test_par_cell_is_needed(package: Path) -> None:
    assert problems(package, TEMPLATE.replace("P ", " ")) == [
        "market.rows: there is no par cell; write one as `80P`"
    ]


def test_unreadable_file_is_named(package: Path) -> None:
    (said,) = problems(package, TEMPLATE.replace("E3 =", "C3 ="))
    assert said.startswith("Cannot overwrite a value (at line ")


def test_flag_must_be_known(package: Path) -> None:
    (said,) = problems(package, TEMPLATE.replace("rulebook = []", 'rulebook = ["bank_never_breaks"]'))
    assert said.startswith(
        "profiles.rulebook: there is no flag bank_never_breaks; similar ones are bank_breaks_below_zero"
    )


def test_all_mistakes_are_named_at_once(package: Path) -> None:
    text = TEMPLATE.replace('rusts_on = "4"', 'rusts_on = "9"').replace('hex = "D2"', 'hex = "D9"')
    assert len(problems(package, text)) == 2


@pytest.mark.parametrize("title", TITLES.values(), ids=TITLES.keys())
def test_titles_have_no_mistakes(title: Title) -> None:
    assert load_title(title.package, title.variant).id == title.id
