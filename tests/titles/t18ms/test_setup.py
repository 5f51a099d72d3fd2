"""18MS: components, the draft, and what comes and goes with the rounds (1, 2, 3, 5)."""

import pytest

from engine.core.events import CompensationPaid
from tests.titles.t18ms.mississippi import TO_NEW_ORLEANS, Mississippi, first_position, run_best


def test_components() -> None:
    """R-MS-001, R-MS-002, R-MS-005 (1)"""
    table = first_position(4).table
    spec, companies = table.spec, table.state.companies
    limits = {n: (limit.cash, limit.certificate_limit) for n, limit in spec.players.items()}
    assert limits == {2: (900, 20), 3: (625, 14), 4: (525, 10)}
    assert (table.state.bank, spec.holding_limit) == (10000 - 4 * 525, 70)
    assert [price for price, _ in table.grid.pars()] == [70, 75, 80, 90]
    tokens = {name: company.tokens for name, company in companies.items()}
    assert tokens.pop("GMO") == [0, 40, 100, 100]
    assert all(prices == [0, 40, 100] for prices in tokens.values())
    depot = {"2+": 4, "3+": 4, "4+": 3, "5": 2, "6": 2, "2D": 4, "4D": 4, "5D": 1}
    assert table.state.depot == depot


def test_phases() -> None:
    """R-MS-004, R-MS-007, R-MS-065 (1, 4)"""
    assert [
        (p.name, p.train, p.tile_colours[-1], p.train_limit, p.private_price_percents, p.closes_privates)
        for p in first_position().table.spec.phases
    ] == [
        ("2", None, "yellow", 3, None, False),
        ("3", None, "green", 3, (50, 150), False),
        ("6", "6", "brown", 3, None, True),
        ("D", "2D", "gray", 3, None, False),
    ]


def test_each_player_takes_a_private() -> None:
    """R-MS-020 (2): backwards from the last seat, at its value; the rest leaves the game."""
    game = first_position()
    game.bid("c", "M&O", 70)
    game.refused("2", "bid", "b", private="M&O", amount=70)
    game.refused("2", "bid", "b", private="BS", amount=45)
    game.refused("2", "pass", "b")
    game.bid("b", "BS", 40)
    game.bid("a", "M&M", 50)
    assert game.cash() == {"a": 575, "b": 585, "c": 555}
    assert (game.round_name(), game.on_turn()) == ("SR 1", "a")
    privates = game.table.state.privates.values()
    assert [private.id for private in privates if private.removed] == ["AGS", "MC"]


def test_300_dollars_end_nothing() -> None:
    """R-MS-031 (3)"""
    built = Mississippi().phase("3").tiles(TO_NEW_ORLEANS).start("GMO", 90, at=(1, 13), a=60)
    game = built.trains("GMO", "2+").operating("GMO", "run").game()
    run_best(game, "GMO")
    game.do("dividend", "GMO", option="pay")
    assert game.price("GMO") == 300
    assert game.table.state.ending is None


def test_second_round_brings_green_tiles() -> None:
    """R-MS-004 (1)"""
    built = Mississippi().start("GMO", 90, a=60)
    game = built.operating("GMO", "last_chance", set=1, of=2, operated=[]).game()
    assert (game.round_name(), game.table.state.phase) == ("OR 1.2", "3")


@pytest.mark.parametrize(("ended", "train", "dollars"), [(2, "2+", 20), (3, "3+", 30), (4, "4+", 60)])
def test_trains_leave_by_the_calendar(ended: int, train: str, dollars: int) -> None:
    """R-MS-006 (1): of companies, for money, and those of the bank."""
    built = Mississippi().phase("3").start("GMO", 90, a=60).trains("GMO", train, train, "5")
    built.treasury("GMO", 0)
    built.start("IC", 90, b=60).trains("IC", "5", "5", "5").treasury("IC", 0)
    game = built.operating("IC", "trains", set=ended, number=2, of=2, operated=["GMO"]).game()
    assert game.round_name() == f"SR {ended + 1}"
    assert (game.company("GMO").trains, game.company("GMO").cash) == (["5"], 2 * dollars)
    assert game.table.state.depot[train] == 0
    assert CompensationPaid("GMO", train, 2 * dollars) in game.table.events


@pytest.mark.parametrize("train", ["2D", "4D", "5D"])
def test_any_d_train_starts_the_last_phase(train: str) -> None:
    """R-MS-005, R-MS-007 (1): 2D and 4D are faces of one card."""
    built = Mississippi().phase("6").start("GMO", 90, a=60).treasury("GMO", 900)
    game = built.operating("GMO", "trains").game()
    game.buy("GMO", train, game.table.spec.train(train).price)
    left = 4 - (train != "5D")
    assert (game.table.state.phase, game.table.state.depot["2D"], game.table.state.depot["4D"]) == (
        "D",
        left,
        left,
    )


def test_d_trains_from_phase_6_on() -> None:
    """R-MS-005 (1)"""
    for phase, trains in (("3", ["2+"]), ("6", ["6", "2D", "4D", "5D"])):
        built = Mississippi().phase(phase).start("GMO", 90, a=60).treasury("GMO", 900)
        game = built.operating("GMO", "trains").game()
        assert game.values("buy_train", "GMO", "train") == trains


@pytest.mark.parametrize(("options", "of"), [((), 2), (("or_11",), 3)])
def test_game_ends_after_the_fifth_set(options: tuple[str, ...], of: int) -> None:
    """R-MS-003, R-MS-080 (1, 5)"""
    built = Mississippi(options=options).phase("D").start("GMO", 90, a=60).trains("GMO", "5", "5", "5")
    game = built.stock("a", number=5).game()
    game.passes(*"abc")
    for number in range(1, of + 1):
        assert game.round_name() == f"OR 5.{number}"
        while not game.is_over and game.round_name() == f"OR 5.{number}":
            game.passes("GMO")
    assert game.is_over
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "last_round"
