"""Quick orders: what a player on turn often orders in a position, and what may be ordered at all."""

from engine.core.actions import BuyShare
from engine.orders.new_orders import biddable, everybody_has_sealed, presided, skippable, usual_orders
from engine.orders.order_kinds import SKIPPED, BuyShares, PassStock, RunBest, Seal, SkipStep, Standing
from tests.titles.builders import Position, do, new_game, passes
from tests.titles.t18newengland.newengland import NewEngland

PASS = PassStock(round=2, until="concerned")
AGAIN = BuyShares(round=2, company="PRR", source="offering")
LAST = BuyShare(actor="a", entity="a", company="PRR", source="offering")


def stock() -> Position:
    """Ann's PRR lacks three shares to float."""
    return Position().cash(a=500, b=500, c=500).start("PRR", 70, a=30).stock("a")


def test_a_company_about_to_run_may_run_its_best_routes_and_pay() -> None:
    place = Position().start("LV", 95, a=60).tile("J2", "57", 1).trains("LV", "2")
    game = place.operating("LV", "run").game()
    assert usual_orders(game, "a", ()) == (RunBest(company="LV", dividend="pay"),)
    assert usual_orders(game, "b", ()) == ()


def test_passing_is_offered_to_the_player_on_turn_who_has_not_acted() -> None:
    game = stock().start("B&O", 70, b=60, a=10).game()
    assert usual_orders(game, "a", ()) == (PASS,)
    assert usual_orders(game, "b", ()) == ()
    do(game, "sell_shares", "a", company="B&O", shares=1)
    assert usual_orders(game, "a", ()) == ()


def test_the_last_purchase_is_offered_again_until_the_company_floats() -> None:
    game = stock().game()
    assert usual_orders(game, "a", [LAST]) == (AGAIN, PASS)
    for _ in range(3):
        assert AGAIN in usual_orders(game, "a", [LAST])
        do(game, "buy_share", "a", company="PRR", source="offering")
        passes(game, "b", "c")
    assert game.table.state.companies["PRR"].floated
    assert AGAIN not in usual_orders(game, "a", [LAST])


def test_what_cannot_be_bought_again_is_not_offered() -> None:
    assert usual_orders(stock().cash(a=60).game(), "a", [LAST]) == (PASS,)


def test_in_an_auction_and_a_draft_nothing_is_a_habit() -> None:
    """18New England: a pass in the draft may give back what was reserved."""
    for game in (new_game(), new_game(title="18al"), new_game(title="18newengland")):
        assert usual_orders(game, game.actors()[0], ()) == ()


def test_bids_are_for_privates_that_are_still_sold() -> None:
    game = new_game()
    do(game, "bid", "a", private="D&R", amount=20)
    assert biddable(game) == ("C-P", "B&S", "C&OC", "B&OR", "CV")
    assert biddable(stock().game()) == ()


def test_a_president_may_order_runs_in_stock_and_operating_rounds() -> None:
    place = stock().start("B&O", 70, b=60)
    assert presided(place.game(), "a") == ("PRR",)
    assert presided(place.operating("B&O").game(), "b") == ("B&O",)
    england = NewEngland().minor("NYW", 80, "a", "2")
    assert presided(england.merging().game(), "a") == ()


def test_track_and_tokens_are_skipped_for_the_companies_a_player_presides_over() -> None:
    """Until the order is withdrawn, whatever phase it is."""
    game = stock().start("B&O", 70, b=60).start("LV", 80, a=60).game()
    assert skippable(game, "a") == tuple(
        SkipStep(company=company, step=step) for company in ("PRR", "LV") for step in SKIPPED
    )
    assert skippable(game, "c") == ()


def test_everybody_has_sealed_who_is_in_the_game() -> None:
    """Other orders are no seals; who is bankrupt need not."""
    game = new_game(3)
    seals = [Standing(number, who, Seal(maxima={}), 0) for number, who in enumerate("ab")]
    assert not everybody_has_sealed(game, [*seals, Standing(9, "c", PASS, 0)])
    assert everybody_has_sealed(game, [*seals, Standing(9, "c", Seal(maxima={}), 0)])
    game.table.state.player("c").bankrupt = True
    assert everybody_has_sealed(game, seals)


def test_a_purchase_is_offered_again_while_its_turn_lasts() -> None:
    """The order then passes what is left of the turn; in another company it was no purchase."""
    game = stock().start("LV", 70, a=30).game()
    now = game.table.stock
    other = BuyShare(actor="a", entity="a", company="LV", source="market")
    assert usual_orders(game, "a", [other]) == (PASS,), "no share of the LV lies in the market"
    now.bought, now.acted = "LV", True
    assert usual_orders(game, "a", [other]) == (BuyShares(round=2, company="LV", source="market"),)
