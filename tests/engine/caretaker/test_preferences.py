"""What the caretaker prefers, each preference as a tiny position."""

from pathlib import Path

import pytest

from engine.board.network import network_of
from engine.caretaker import choose
from engine.caretaker.railway import FAR_OFF, _entered, lays_to_run
from engine.core.actions import Action
from engine.core.state import LastRun
from engine.game import Game
from engine.record import read_record
from tests.titles.builders import Position, cash, do, new_game, offered, values

GOLDEN = Path(__file__).parents[2] / "golden"


def chosen(game: Game) -> Action:
    """What it does whose turn it is."""
    return choose(game, game.actors()[0], 1)


def railway() -> Position:
    """LV has track from its home to Easton, a 2-train, and $950; Ann presides."""
    return Position().start("LV", 95, a=60).cash(a=0, b=0, c=0).operated("LV").tile("J2", "57", 1)


# --- a company's turn ----------------------------------------------------------------------------------------------


def test_track_gives_a_company_its_first_run() -> None:
    game = Position().start("LV", 95, a=60).trains("LV", "2").operating("LV").game()
    action = chosen(game)
    assert action.kind == "lay_tile"
    game.apply(action)
    assert game.best_run().revenue > 0


@pytest.mark.parametrize(("owner", "leads"), [(None, True), ("a", True), ("b", False)])
def test_track_leads_nowhere_through_a_hex_that_anothers_private_keeps_closed(
    owner: str | None, leads: bool
) -> None:
    """B&S closes G5; one's own is taken over by the company when the time comes (7.1).

    A player who looks two lays ahead finds F8 instead, which leads on to more.
    """
    position = Position().start("B&O", 80, a=60).trains("B&O", "2")
    if owner:
        position.owns(owner, "B&S")
    game = position.operating("B&O").game()
    game.apply(choose(game, "a", 1, "Conductor"))
    assert ("G5" in network_of(game.table.map, "B&O").edges) == leads


def test_a_lay_that_raises_the_best_run_is_made() -> None:
    """One more place for a 3-train."""
    game = railway().phase("3").trains("LV", "3").operating("LV").game()
    before = game.best_run().revenue
    game.apply(chosen(game))
    assert game.best_run().revenue > before


def test_stations_are_placed_where_they_open_something_and_left_out_where_not() -> None:
    """In the cities that a recorded game comes to."""
    record = read_record((GOLDEN / "18chesapeake-bank-4p.json").read_text("utf-8"))
    game, placed, declined = record.begin(), 0, 0
    for action in record.actions:
        if action.kind in {"place_token", "pass"} and game.seq % 3 == 0 and offered(game, "place_token"):
            mine = chosen(game)
            placed += mine.kind == "place_token"
            declined += mine.kind == "pass"
        game.apply(action)
    assert placed
    assert declined


def test_the_best_routes_are_run() -> None:
    game = railway().trains("LV", "2").operating("LV", "run").game()
    assert chosen(game).chosen() == {"routes": game.best_run().routes}


def test_revenue_is_paid_out() -> None:
    game = railway().trains("LV", "2").operating("LV", "run").game()
    game.apply(chosen(game))
    assert chosen(game).chosen() == {"option": "pay"}


def test_revenue_is_withheld_where_a_train_that_must_be_bought_could_not_be_paid() -> None:
    """The next train makes its only one rust, and neither treasury nor president could pay another."""
    position = railway().phase("3").depot(t3=0).trains("LV", "2").treasury("LV", 0)
    position.start("B&O", 80, b=60).start("PRR", 80, c=60)
    game = position.operating("LV", "run").game()
    game.apply(chosen(game))
    assert chosen(game).chosen() == {"option": "withhold"}


def test_a_company_without_a_train_buys_one() -> None:
    game = railway().operating("LV", "trains").game()
    assert chosen(game).chosen() == {"train": "2", "source": "bank", "trade_in": "", "price": 80}


def test_no_money_of_the_president_is_spent_on_a_train_that_is_not_needed() -> None:
    game = railway().trains("LV", "2").treasury("LV", 60).cash(a=500).operating("LV", "trains").game()
    assert chosen(game).kind != "buy_train"


def test_a_forced_purchase_sells_before_anybody_is_ruined() -> None:
    """Where sales can pay for the train, the president does not give up."""
    position = railway().phase("4").treasury("LV", 0).start("B&O", 80, at=(3, 5), b=60, a=30)
    game = position.operating("LV", "trains").game()
    action = chosen(game)
    assert (action.kind, action.chosen()["company"]) == ("sell_shares", "B&O")


def test_in_need_a_train_comes_from_a_company_that_has_two() -> None:
    """Ann's money does not pay a 4-train, and B&O, hers too, can spare one."""
    position = railway().phase("4").treasury("LV", 10).start("B&O", 80, a=60).trains("B&O", "3", "4")
    game = position.cash(a=250).operating("LV", "trains").game()
    action = chosen(game)
    assert (action.kind, action.chosen()["source"]) == ("buy_train", "B&O")


@pytest.mark.parametrize(("cash", "source"), [(0, "B&O"), (500, "bank")])
def test_before_all_is_lost_the_only_train_of_another_company_is_taken(cash: int, source: str) -> None:
    """No share can be sold for a 4-train; where money pays for it, B&O keeps the train that it has."""
    position = railway().phase("4").treasury("LV", 10).start("B&O", 80, a=60).trains("B&O", "4")
    game = position.cash(a=cash).operating("LV", "trains").game()
    for company in ("LV", "B&O"):
        game.table.state.companies[company].shares = {"market": 50, "a": 50}
    action = chosen(game)
    assert (action.kind, action.chosen().get("source")) == ("buy_train", source)


def test_others_are_not_asked_for_a_train_again_and_again() -> None:
    """Nothing can pay for a train, and Bob's is not Ann's to have."""
    position = railway().phase("4").treasury("LV", 10).start("B&O", 80, b=60).trains("B&O", "3", "4")
    game = position.operating("LV", "trains").game()
    game.table.state.companies["LV"].shares = {"market": 50, "a": 30}
    assert chosen(game).kind in {"sell_shares", "declare_bankruptcy"}


def test_above_the_train_limit_the_train_that_lasts_least_goes() -> None:
    game = railway().phase("5").trains("LV", "4", "4", "5").operating("LV", "trains").game()
    assert chosen(game).chosen() == {"train": "4"}


# --- stock rounds --------------------------------------------------------------------------------------------------


def test_a_company_is_started_that_its_own_money_floats() -> None:
    """$500 pay six shares at $80, and not at $95."""
    game = Position().cash(a=500, b=0, c=0).stock().game()
    action = chosen(game)
    assert (action.kind, action.chosen()["price"]) == ("par", 80)


def test_a_company_is_started_that_needs_one_share_of_others_also_where_another_waits() -> None:
    """$410 pay five of the six shares at $70; B&O has half of its capital."""
    game = Position().start("B&O", 80, b=30).cash(a=410, b=0, c=0).stock().game()
    action = chosen(game)
    assert (action.kind, action.chosen()["price"]) == ("par", 70)


@pytest.mark.parametrize(
    ("title", "lays"),
    [
        ("18chesapeake", {"LV": 1, "B&O": 2}),  # Allentown lies beside New York; Baltimore is far from all
        ("18newengland", {"BL": 0, "GR": 2}),  # printed track leads from Burlington to its neighbour
    ],
)
def test_how_far_away_the_first_run_of_a_company_is(title: str, lays: dict[str, int]) -> None:
    board = new_game(title=title).table.map
    homes = {company: board.spec.companies[company].home for company in lays}
    found = {c: lays_to_run(board, (home.hex, home.stop), frozenset()) for c, home in homes.items() if home}
    assert found == lays


@pytest.mark.parametrize(("tile", "rotation", "lays"), [("9", 1, 1), ("9", 0, 2), ("7", 4, FAR_OFF)])
def test_the_first_run_leads_over_track_that_lies(tile: str, rotation: int, lays: int) -> None:
    """From Baltimore track leads to G7, where a tile leads on to a city, does not meet it, or turns off the map."""
    board = Position().tile("G7", tile, rotation).game().table.map
    assert lays_to_run(board, ("H6", 0), frozenset()) == lays


def test_the_first_run_leads_round_what_is_shut() -> None:
    """Allentown's neighbours are New York and, one tile on, others; Baltimore has one way out, over G7."""
    board = new_game().table.map
    ways = [("J2", "K1"), ("J2", "K1", "J4", "I3"), ("H6", "F8"), ("H6", "G7")]
    found = [lays_to_run(board, (home, 0), frozenset(shut)) for home, *shut in ways]
    assert found == [1, 2, 3, FAR_OFF]


def test_a_hex_that_several_ways_enter_over_the_same_edge_is_gone_through_once() -> None:
    """Else a way would run in a circle for ever; From Baltimore G7 leads on to F8."""
    board = Position().tile("G7", "9", 1).game().table.map
    known: set[tuple[str, int]] = set()
    found = [list(_entered(board, [("G7", 4)] * times, known, frozenset())) for times in (2, 1)]
    assert found == [[("G7", [1]), ("F8", [])], []]


def test_a_company_is_started_whose_first_run_is_near() -> None:
    """There is more around the home of the B&O, which would lay one tile more than the C&A."""
    game = Position().start("LV", 80, b=60).cash(a=500, b=0, c=0).stock().game()
    assert chosen(game).chosen()["company"] == "C&A"


def test_a_company_that_has_not_floated_comes_first() -> None:
    position = Position().start("LV", 80, a=30).start("B&O", 95, at=(1, 8), b=60)
    game = position.cash(a=300, b=0, c=0).stock().game()
    assert chosen(game).chosen() == {"company": "LV", "source": "offering"}


def test_shares_that_pay_are_bought_and_none_are_sold_for_it() -> None:
    game = Position().start("LV", 80, a=60).start("B&O", 80, b=60, c=10).cash(a=90, b=0, c=0).stock().game()
    assert chosen(game).kind == "buy_share"
    game = Position().start("LV", 80, a=60).start("B&O", 80, b=60, a=10).cash(a=0, b=0, c=0).stock().game()
    assert chosen(game).kind == "pass"


def test_money_for_a_train_that_must_be_bought_soon_is_reserved() -> None:
    """LV has no train and nothing to pay one: Ann's last $90 may be needed."""
    position = railway().treasury("LV", 0).start("B&O", 80, b=60).cash(a=90)
    assert chosen(position.stock().game()).kind == "pass"


def test_above_the_limit_certificates_are_sold_and_no_presidency() -> None:
    """Six players may have eleven; Ann has twelve."""
    position = (
        Position(players=6).start("LV", 80, a=60).start("B&O", 80, b=30, a=20).start("PRR", 80, c=50, a=20)
    )
    position.start("SRR", 80, d=50, a=20).start("C&O", 80, e=60, a=10)
    game = position.cash(a=0, b=0, c=0, d=0, e=0, f=0).stock().game()
    assert not offered(game, "pass")
    action = chosen(game)
    assert action.kind == "sell_shares"
    assert action.chosen()["company"] != "LV"


# --- privates and other players ------------------------------------------------------------------------------------


def test_bids_leave_half_of_the_money() -> None:
    game = new_game(players=4)
    for _ in range(300):
        if game.table.state.round.kind == "stock":
            break
        action = chosen(game)
        if action.kind == "bid":
            assert action.chosen()["amount"] <= cash(game)[action.actor] / 2
        game.apply(action)
    assert game.table.state.round.kind == "stock"


@pytest.mark.parametrize("title", ["18chesapeake", "18al", "18tn"])
def test_nobody_raises_their_own_bid(title: str) -> None:
    """Also where money is left, and the private is worth more than the bid that leads."""
    game, bids = new_game(players=3, title=title), 0
    while game.table.selling_privates:
        action = chosen(game)
        if action.kind == "bid":
            standing = game.table.auction.bids.get(action.chosen()["private"], {})
            assert not standing or max(standing, key=standing.__getitem__) != action.actor
            bids += 1
        game.apply(action)
    assert bids


def test_bids_leave_enough_for_a_company() -> None:
    """Six players have $400; five shares at $70, the lowest par, cost $350."""
    game = new_game(players=6)
    while game.table.state.round.kind == "auction":
        game.apply(chosen(game))
    assert min(cash(game).values()) >= 350


@pytest.mark.parametrize(("price", "reply"), [(1, "refuse"), (300, "agree")])
def test_an_offer_is_agreed_to_only_where_it_is_plainly_good(price: int, reply: str) -> None:
    """Bob asks Ann for a private of $20."""
    game = Position(title="18tn").owns("a", "TCC").cash(a=0, b=400, c=0).stock("b").game()
    do(game, "buy_private", "b", private="TCC", price=price)
    assert choose(game, "a", 1).chosen() == {"reply": reply}


@pytest.mark.parametrize(
    ("trains", "price", "reply"), [(1, 900, "refuse"), (2, 181, "refuse"), (2, 900, "agree")]
)
def test_a_train_is_sold_to_another_player_for_more_than_its_runs(
    trains: int, price: int, reply: str
) -> None:
    """Bob asks Ann for a 3-train of LV, which has run for $60."""
    position = Position().phase("3").start("LV", 95, a=60).trains("LV", *["3"] * trains).cash(a=0, b=0, c=0)
    position.state.companies["LV"].last_run = LastRun((), (), 60, "paid")
    game = position.start("B&O", 80, b=60).treasury("B&O", 900).operating("B&O", "trains").game()
    do(game, "buy_train", "B&O", train="3", source="LV", trade_in="", price=price)
    assert choose(game, "a", 1).chosen() == {"reply": reply}


def test_a_company_takes_over_its_presidents_private_at_the_highest_price() -> None:
    game = railway().phase("3").trains("LV", "3").owns("a", "D&R").operating("LV").game()
    most = max(values(game, "buy_private", "LV", "price", private="D&R"))
    for _ in range(6):
        action = chosen(game)
        if action.kind == "buy_private":
            break
        game.apply(action)
    assert action.chosen() == {"private": "D&R", "price": most}


def test_small_companies_are_reserved_as_far_as_the_money_goes() -> None:
    """18NewEngland: $280 pay two minors with a first train each, and the third one is left to others."""
    game = new_game(players=4, title="18newengland")
    while game.table.state.round.kind == "draft":
        game.apply(chosen(game))
    minors = [c for c in game.table.state.companies.values() if c.president == "a"]
    assert len(minors) == 2
    assert all(minor.trains for minor in minors)
