"""What the caretaker weighs when a company runs, pays, buys trains and gives them up, in dollars."""

from collections.abc import Mapping
from typing import Any

import pytest

from engine.caretaker import choosing, stock_rounds, trains
from engine.core.offers import Cursor
from engine.game import Game
from engine.play.table import Table
from engine.seat import SeatedPlayer
from tests.titles.builders import Position, find
from tests.titles.t18newengland.newengland import NewEngland


def lehigh(*owned: str, treasury: int = 150, step: str = "dividend", revenue: int = 150) -> Position:
    """LV, Ann's, at $95, at a step of its turn."""
    place = Position().phase("3").depot(t3=5).cash(a=500, b=0, c=0).start("LV", 95, a=60)
    facts = {"revenue": revenue} if step == "dividend" else {}
    return place.trains("LV", *owned).treasury("LV", treasury).operating("LV", step, **facts)


def earning(monkeypatch: pytest.MonkeyPatch, dollars: Mapping[tuple[str, ...], int]) -> None:
    """What the company on turn earns, by its trains."""
    monkeypatch.setattr(trains, "earned", lambda t: dollars[t.company.id, *t.company.trains])


def lasting(monkeypatch: pytest.MonkeyPatch, **rounds: float) -> None:
    """How many rounds trains run, as `t3=2.5`."""
    monkeypatch.setattr(trains, "keeps_running", lambda _, train: rounds[f"t{train}"])


# --- dividends ---------------------------------------------------------------------------------------------------


def move(table: Table) -> int:
    """Dollars between the prices a space to the right and a space to the left of LV's."""
    company = table.state.companies["LV"]
    assert company.cell is not None
    right, left = table.grid.right(company.cell), table.grid.left(company.cell)
    return table.price(company, right) - table.price(company, left)


@pytest.mark.parametrize(("more", "keeps"), [(0, False), (1, True)])
def test_a_run_is_withheld_for_a_train_that_earns_more_after_this_run_than_run_and_prices_are(
    monkeypatch: pytest.MonkeyPatch, more: int, keeps: bool
) -> None:
    """In two further rounds; ten shares fall for each that is forgone."""
    table = lehigh("2").game().table
    forgone = table.turn.revenue + move(table) * 10
    earning(monkeypatch, {("LV", "2"): 60, ("LV", "2", "3"): 60 + forgone // 2 + more})
    lasting(monkeypatch, t2=3, t3=3)
    assert forgone % 2 == 0
    assert trains._buys_better(SeatedPlayer(lehigh("2").game(), "a")) == keeps


@pytest.mark.parametrize(
    ("owned", "treasury", "revenue", "keeps"),
    [
        (("2",), 150, 150, True),
        (("2",), 180, 150, False),  # it can be paid anyway
        (("2",), 179, 150, True),
        (("2",), 30, 150, True),  # the run pays it to the dollar
        (("2",), 29, 150, False),
        (("2",) * 3, 150, 150, True),
        (("2",) * 4, 150, 150, False),  # there is no room for another
    ],
)
def test_a_run_is_withheld_only_where_it_makes_the_difference_and_there_is_room(
    monkeypatch: pytest.MonkeyPatch, owned: tuple[str, ...], treasury: int, revenue: int, keeps: bool
) -> None:
    """A 3-train costs $180."""
    earning(monkeypatch, {("LV", *owned): 60, ("LV", *owned, "3"): 900})
    lasting(monkeypatch, t2=3, t3=3)
    game = lehigh(*owned, treasury=treasury, revenue=revenue).game()
    assert trains._buys_better(SeatedPlayer(game, "a")) == keeps


def test_a_train_saves_half_its_price_where_it_lasts_longer_than_all_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lasting(monkeypatch, t2=2, t3=3, t4=3)
    tables = {owned: lehigh(*owned).game().table for owned in [("2",), ("2", "3"), ()]}
    assert [trains._saved(table, "4") for table in tables.values()] == [150, 0, 150]
    lasting(monkeypatch, t4=0.5)
    assert trains._saved(tables[()], "4") == 150
    lasting(monkeypatch, t4=0)
    assert trains._saved(tables[()], "4") == 0


def test_what_is_saved_counts_for_a_run_that_is_withheld(monkeypatch: pytest.MonkeyPatch) -> None:
    earning(monkeypatch, {("LV", "2"): 60, ("LV", "2", "3"): 60})
    lasting(monkeypatch, t2=3, t3=4)
    seat = SeatedPlayer(lehigh("2").game(), "a")
    for more, keeps in ((0, False), (1, True)):
        saved = 150 + move(seat.table) * 10 + more
        monkeypatch.setattr(trains, "_saved", lambda *_, saved=saved: saved)
        assert trains._buys_better(seat) == keeps


@pytest.mark.parametrize(
    ("lacks", "reserved", "needs"), [(1, 401, True), (1, 400, False), (0, 900, False), (80, 80, False)]
)
def test_money_is_needed_where_the_company_lacks_some_and_its_president_for_all_of_theirs(
    monkeypatch: pytest.MonkeyPatch, lacks: int, reserved: int, needs: bool
) -> None:
    """Half of the $800 for which all could be sold counts."""
    monkeypatch.setattr(trains, "liquidity", lambda *_: 800)
    monkeypatch.setattr(trains, "shortage", lambda *_: lacks)
    monkeypatch.setattr(trains, "reserve", lambda *_: reserved)
    game = lehigh("2").game()
    assert trains._needs_money(game.table, SeatedPlayer(game, "a")) == needs


# --- purchases ---------------------------------------------------------------------------------------------------


def buying(*owned: str, treasury: int = 150) -> Game:
    """LV buys trains; B&O, Ann's too, has two 3-trains."""
    place = lehigh(*owned, treasury=treasury, step="trains").start("B&O", 80, a=50).trains("B&O", "3", "3")
    return place.operated("B&O").game()


@pytest.mark.parametrize(("kept", "found"), [(30, 2 * (60 - 50)), (31, 2 * (60 - 49.5)), (28, 2 * (60 - 51))])
def test_a_train_moves_to_the_company_where_it_earns_its_president_plainly_more(
    monkeypatch: pytest.MonkeyPatch, kept: int, found: float
) -> None:
    """LV earns $100 more with it, of which 60% are Ann's, and B&O as much less; it runs for two rounds."""
    without = {("LV", "2"): 60, ("LV", "2", "3"): 160, ("B&O", "3", "3"): 130, ("B&O", "3"): kept}
    earning(monkeypatch, without)
    lasting(monkeypatch, t2=2, t3=2)
    game = buying("2")
    worths = [
        idea.worth
        for idea in trains.own_train_purchases(SeatedPlayer(game, "a"), find(game, "buy_train"))
        if idea.walk.chosen["source"] == "B&O" and not idea.walk.chosen["trade_in"]
    ]
    assert worths == ([] if kept <= 30 else [pytest.approx(found)])


def test_in_need_a_train_of_ones_own_company_is_worth_its_price_less_than_one_of_the_bank(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At $1 it brings $200 and what any train is worth; its price in the bank is $180."""
    earning(monkeypatch, {("LV",): 0, ("LV", "3"): 100})
    lasting(monkeypatch, t2=2, t3=2)
    game = buying()
    found = {
        idea.walk.chosen["source"]: idea.worth
        for idea in trains.own_train_purchases(SeatedPlayer(game, "a"), find(game, "buy_train"))
        if idea.walk.chosen["train"] == "3"
    }
    assert found["B&O"] == pytest.approx(200 - 0.6 + 1_000 - 180)


@pytest.mark.parametrize("ruined", [True, False])
def test_only_ones_own_company_gives_a_train_and_its_only_one_only_before_ruin(
    monkeypatch: pytest.MonkeyPatch, ruined: bool
) -> None:
    monkeypatch.setattr(trains, "_ruined", lambda *_: ruined)
    game = buying()
    giver = game.table.state.companies["B&O"]
    assert trains._may_give(game.table, giver, SeatedPlayer(game, "a"))
    assert not trains._may_give(game.table, giver, SeatedPlayer(game, "b"))
    giver.trains.pop()
    assert trains._may_give(game.table, giver, SeatedPlayer(game, "a")) == ruined


def walk(game: Game, **chosen: Any) -> Cursor:
    """A purchase of the LV."""
    return Cursor(find(game, "buy_train", "LV"), {"source": "bank", "trade_in": "", **chosen})


def test_a_train_is_not_moved_for_one_that_is_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    earning(monkeypatch, {("LV", "2"): 60, ("LV", "2", "3"): 160, ("B&O", "3", "3"): 0, ("B&O", "3"): 0})
    game = buying("2")
    for handed, ideas in (("", 1), ("2", 0)):
        deal = walk(game, train="3", source="B&O", trade_in=handed, price=1)
        assert len(list(trains._between(SeatedPlayer(game, "a"), deal, 60))) == ideas


def test_a_train_that_is_handed_in_runs_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two 2-trains one goes for a 3-train, which lasts two rounds and costs $60 in money that is needed soon."""
    earning(monkeypatch, {("LV", "2", "3"): 100, ("LV", "2", "2", "3"): 500})
    lasting(monkeypatch, t2=2, t3=2)
    game = buying("2", "2")
    deal = walk(game, train="3", trade_in="2", price=60)
    assert trains.train_worth(game.table, deal, 60) == pytest.approx(40 * 2 - 60 * 0.6)


@pytest.mark.parametrize(
    ("owned", "price", "rounds", "found"),
    [
        (("2",), 100, 3.0, 40 * 3 - 100 * 0.15),  # from three rounds on the treasury counts 15 cents
        (("2",), 100, 2.9, 40 * 2.9 - 100 * 0.6),
        (("2",), 200, 3.0, 40 * 3 - 150 * 0.15 - 50),  # Ann helps with $50
        (("2",), 151, 3.0, 40 * 3 - 150 * 0.15 - 1),
        ((), 100, 3.0, 40 * 3 - 100 * 0.15 + 1_000),
    ],
)
def test_a_train_brings_what_it_earns_less_what_the_money_for_it_counts(
    monkeypatch: pytest.MonkeyPatch, owned: tuple[str, ...], price: int, rounds: float, found: float
) -> None:
    earning(monkeypatch, {("LV", *owned, "3"): 100})
    lasting(monkeypatch, t2=rounds, t3=rounds)
    game = buying(*owned)
    assert trains.train_worth(game.table, walk(game, train="3", price=price), 60) == pytest.approx(found)


@pytest.mark.parametrize(("wealthier", "worth"), [(-300, -300), (-0.5, -1), (0, -1), (50, -1)])
def test_to_let_a_company_go_is_never_better_than_to_keep_it(
    monkeypatch: pytest.MonkeyPatch, wealthier: float, worth: float
) -> None:
    """18NewEngland: a minor without a train."""
    game = NewEngland().minor("CV", 60, "a").operating("CV", "trains").game()
    monkeypatch.setattr(trains, "wealth", lambda t, _: 500 if t is game.table else 500 + wealthier)
    found = [idea.worth for idea in trains.liquidations(SeatedPlayer(game, "a"), find(game, "liquidate"))]
    assert found == [worth]


# --- at worst ----------------------------------------------------------------------------------------------------


def test_where_all_ways_ask_others_the_first_is_worse_than_ruin() -> None:
    """Bob's is the only train that LV could buy, at any price."""
    place = Position().phase("5").cash(a=0, b=0, c=0).start("LV", 95, a=60).start("B&O", 80, b=60)
    place.trains("LV", "5").trains("B&O", "4", "5").treasury("LV", 10).operating("LV", "trains")
    game = place.operated("B&O").game()
    offer = find(game, "buy_train")
    (idea,) = choosing._at_worst(SeatedPlayer(game, "a"), offer)
    assert (idea.worth, idea.walk.chosen["train"], idea.walk.chosen["source"]) == (-2e9, "4", "B&O")


@pytest.mark.parametrize(("kind", "worth"), [("declare_bankruptcy", -1e9), ("sell_shares", -1e6)])
def test_ruin_is_worth_less_than_any_move_that_is_not_weighed(kind: str, worth: float) -> None:
    """LV must buy a train at $300, and Ann has nothing."""
    place = Position().phase("4").cash(a=0, b=0, c=0).start("LV", 95, a=60).tile("J2", "57", 1)
    place.treasury("LV", 10)
    if kind == "declare_bankruptcy":
        place.state.companies["LV"].shares = {"market": 50, "a": 30}
    game = place.operating("LV", "trains").game()
    (idea,) = choosing._at_worst(SeatedPlayer(game, "a"), find(game, kind))
    assert idea.worth == worth


def test_what_is_not_started_is_worth_less_than_to_pass() -> None:
    assert (stock_rounds.NO_START, choosing.RUIN, choosing.NO_VIEW) == (-1, -1e9, -1e6)


def test_what_is_chosen_of_equal_moves_differs_by_seed_and_by_how_far_the_game_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = lehigh("2").game()
    game.seq = 5
    found: list[int] = []
    monkeypatch.setattr(choosing, "best", lambda _, chance: found.append(chance))
    for seed in (7, 8):
        choosing.choose(game, "a", seed)
    assert found == [12, 13]


def test_what_nobody_waits_for_is_worth_less_than_what_must_be_done() -> None:
    """A vote to end the game could be given at any time."""
    game = lehigh("2").game()
    for kind, player, worth in (("dividend", "a", -1e6), ("end_game", "b", -2e6)):
        (idea,) = choosing._at_worst(SeatedPlayer(game, player), find(game, kind))
        assert idea.worth == worth


def test_to_pass_is_worth_nothing() -> None:
    game = lehigh("2", step="track").game()
    assert [idea.worth for idea in choosing.weighed(game, "a") if idea.walk.offer.kind == "pass"] == [0]


def test_an_apprentice_has_a_view_of_all_but_stations_and_trades_of_privates() -> None:
    apprentice, conductor, superintendent = choosing.STRENGTHS.values()
    assert conductor.keys() - apprentice.keys() == {"place_token", "buy_private", "sell_private"}
    assert conductor.keys() == superintendent.keys() > apprentice.keys()
    same = {kind for kind in apprentice if apprentice[kind] is conductor[kind]}
    assert apprentice.keys() - same == {"lay_tile", "sell_shares", "dividend", "buy_train"}
