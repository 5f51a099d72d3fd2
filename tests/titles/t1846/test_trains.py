"""1846: trains, independents that companies buy, forced purchases, bankruptcy, receivership (4, 5)."""

import pytest

from engine.core.ids import MARKET
from tests.titles.builders import TitleGame
from tests.titles.t1846.midwest import Midwest
from tests.titles.t1846.test_shares import abandoned


def company(
    treasury: int,
    *trains: str,
    price: int = 90,
    phase: str = "II",
    step: str = "trains",
    a: int = 40,
    b: int = 20,
) -> Midwest:
    """Ann's NYC at this price; Bob has shares, too."""
    built = Midwest().start("NYC", 90, at=(1, 1 + PRICES.index(price)), a=a, b=b).phase(phase)
    return built.treasury("NYC", treasury).trains("NYC", *trains).operating("NYC", step)


PRICES = (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)


def deals(game: TitleGame) -> set[tuple[str, str]]:
    return {(train, source) for train, source, *_ in game.train_deals("NYC")}


def test_either_face_of_a_card() -> None:
    """R-1846-110 (4): both faces are of one card, and any number may be bought up to the limit."""
    game = company(1000, "2").game()
    assert game.table.state.depot["4"] == 5
    game.buy("NYC", "3/5", 160)
    game.buy("NYC", "4", 180)
    assert (game.table.state.depot["4"], game.table.state.depot["3/5"]) == (3, 3)


@pytest.mark.parametrize(
    ("before", "train", "price", "phase", "running", "obsolete"),
    [
        ("I", "4", 180, "II", ["2", "4"], []),
        ("II", "4/6", 450, "III", ["4/6"], ["2"]),
        ("III", "6", 800, "IV", ["6"], []),
    ],
)
def test_first_train_of_a_phase(
    before: str, train: str, price: int, phase: str, running: list[str], obsolete: list[str]
) -> None:
    """R-1846-113, R-1846-114 (4): 2-trains become obsolete, then rust; privates close, but for a company's MAIL."""
    built = company(1000, "2", phase=before).owns("NYC", "MAIL", "TBC")
    sold = {"I": ("2",), "II": ("4", "3/5"), "III": ("5", "4/6")}[before]
    game = built.depot(**{f"t{name}": 0 for name in sold}).game()
    game.buy("NYC", train, price)
    owner, state = game.company("NYC"), game.table.state
    assert (state.phase, owner.trains, owner.obsolete) == (phase, running, obsolete)
    assert [state.privates[name].closed for name in ("MAIL", "TBC")] == [False, before == "II"]


def test_obsolete_trains_run_once_more() -> None:
    """R-1846-104, R-1846-114, D-1846-9 (4): they leave after the dividend, and nobody buys them."""
    built = company(100, "4", phase="III", step="dividend")
    built.state.companies["NYC"].obsolete = ["2", "2", "2"]
    built.t.turn.revenue = 90
    game = built.game()
    game.do("dividend", "NYC", option="withhold")
    assert (game.company("NYC").trains, game.company("NYC").obsolete) == (["4"], [])


def test_independent_brings_all_it_has() -> None:
    """R-1846-150, R-1846-097, D-1846-11 (4): cash, a train that runs no more this turn, and the token."""
    built = company(100, step="track", phase="I").owns("b", "MSP").treasury("MS", 50).trains("MS", "2")
    built.state.companies["MS"].floated = True
    game = built.game()
    game.do("buy_private", "NYC", private="MSP", price=60)
    game.do("answer", "b", reply="agree")
    owner = game.company("NYC")
    assert (owner.cash, owner.trains, game.table.turn.has_run) == (90, ["2"], ["2"])
    assert ("C15", 0) in game.table.map.token_stops_of("NYC")


@pytest.mark.parametrize(("owner", "sells"), [("a", True), ("b", False)])
def test_independent_sells_to_its_owner(owner: str, sells: bool) -> None:
    """R-1846-111 (4): for the money of the company, from $1."""
    built = company(50, "4").owns(owner, "MSP").trains("MS", "2").trains("NYC", "4")
    built.state.companies["MS"].floated = True
    assert ("buy_train" in built.game().kinds()) == sells


def test_company_without_a_train_buys_one() -> None:
    """R-1846-112 (4): with or without a route."""
    game = company(500).game()
    assert "pass" not in game.kinds()
    assert deals(game) == {("4", "bank"), ("3/5", "bank")}


def test_issue_comes_before_the_presidents_help() -> None:
    """R-1846-120, R-1846-121 (5): five shares at $30, the price falls by five; then Ann adds $23."""
    game = company(277, phase="III", a=60, b=0).cash(a=100).game()
    assert "buy_train" not in game.kinds()
    assert list(game.values("issue", "NYC", "treasury", offering=0)) == [4]
    game.do("issue", "NYC", offering=0, treasury=4)
    assert (game.company("NYC").cash, game.price("NYC")) == (277 + 4 * 40, 50)
    game.buy("NYC", "4/6", 450)
    assert game.cash()["a"] == 100 - (450 - 437)


@pytest.mark.parametrize(
    ("treasury", "cash", "faces"),
    [(170, 400, {"3/5"}), (150, 20, {"3/5"}), (150, 30, {"3/5", "4"}), (180, 0, {"3/5", "4"})],
)
def test_faces_that_can_be_paid(treasury: int, cash: int, faces: set[str]) -> None:
    """R-1846-122 (5): the president helps only a company that can pay neither."""
    game = company(treasury, price=10).cash(a=cash).game()
    assert {train for train, source in deals(game) if source == "bank"} == faces


def test_raised_money_is_for_the_dearer_face() -> None:
    """R-1846-122, R-1846-121 (5): one block of a company; the cheaper face could be paid without the last share."""
    built = company(105, price=10).start("GT", 40, at=(1, 4), c=40, a=30).cash(a=0).operated("GT")
    game = built.game()
    game.sell("a", "GT", 3)
    assert {train for train, source in deals(game) if source == "bank"} == {"4"}
    game.refused("4", "sell_shares", "a", company="NYC", shares=1)


def test_nothing_brings_money_at_10() -> None:
    """D-1846-1, D-1846-2 (5): no issue for $0, and the president does not close the company that buys."""
    game = company(0, price=10).cash(a=0).game()
    assert set(game.kinds()) == {"declare_bankruptcy"}


def test_president_sells_in_any_train_step() -> None:
    """D-1846-10 (4): although the company has a train."""
    game = company(10, "2").start("GT", 80, c=40, a=20).cash(a=0).operated("GT").trains("GT", "2").game()
    game.sell("a", "GT", 2)
    assert game.cash()["a"] == 160


def test_bankruptcy_leaves_the_company_to_others() -> None:
    """R-1846-123 (5): all is sold for the company; without a successor it is in receivership, and buys if it can."""
    built = company(200, phase="III", price=10, a=30, b=10).cash(a=37).owns("a", "TBC")
    game = built.start("GT", 80, a=20, b=30).operated("GT").game()
    game.do("declare_bankruptcy", "NYC")
    owner, state = game.company("NYC"), game.table.state
    assert (state.player("a").bankrupt, game.cash()["a"], state.privates["TBC"].closed) == (True, 0, True)
    assert (owner.is_in_receivership, owner.percent(MARKET), game.company("GT").president) == (True, 30, "b")
    assert (owner.cash, owner.trains, game.is_over) == (200 + 37 + 2 * 80 + 3 * 10, [], False)


def test_last_player_ends_the_game() -> None:
    """R-1846-124, R-1846-160 (5): the others are bankrupt."""
    built = company(0, price=10, phase="III").cash(a=0)
    for player in ("c", "d", "e"):
        built.state.player(player).bankrupt = True
    game = built.game()
    game.do("declare_bankruptcy", "NYC")
    assert game.is_over
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "last_player"


@pytest.mark.parametrize(("treasury", "trains", "later"), [(100, [], 60), (200, ["3/5"], 60)])
def test_receivership_without_a_train(treasury: int, trains: list[str], later: int) -> None:
    """R-1846-130 (4): the price falls by two; it buys the cheapest face as soon as it can."""
    built = abandoned().phase("II").treasury("NYC", treasury).operating("NYC", "run")
    game = built.game()
    assert (game.price("NYC"), game.company("NYC").trains) == (later, trains)


def test_receivership_runs_its_best_routes() -> None:
    """R-1846-130, D-1846-3 (4): the player with the priority deal enters them; all is withheld."""
    built = abandoned().trains("NYC", "2").tiles("E19:8:1 E17:291:3")
    game = built.operating("NYC", "run").game()
    game.refused("4", "run_routes", "NYC", actor="a", routes=())
    best = game.best_run()
    game.do("run_routes", "NYC", actor="a", routes=best.routes)
    assert (game.company("NYC").cash, game.price("NYC")) == (best.revenue, 70)


def test_all_closed_ends_the_game() -> None:
    """R-1846-160, R-1846-140 (5): with the last company, if no private is open."""
    built = company(0, price=10, step="dividend")
    for name, other in built.state.companies.items():
        other.closed = name != "NYC"
    game = built.game()
    assert game.is_over
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "all_closed"


def test_game_stands_still_without_trains() -> None:
    """R-1846-160 (5): nothing ever happens again if an independent has neither a train nor $20."""
    built = Midwest().owns("a", "MSP").treasury("MS", 1).cash(a=0, b=0, c=0, d=0, e=0)
    for company in built.state.companies.values():
        company.closed, company.floated = company.id != "MS", company.id == "MS"
    game = built.stock("a").game()
    assert game.table.state.ending is not None
    assert game.table.state.ending.reason == "standstill"
