"""Reasons that say what is so: of minors, of sellers who have no such train, of sales in vain."""

import pytest

from engine.core.ids import BANK, POOL
from engine.core.spec import TileLayPower
from engine.core.state import CompanyTurn, Operating
from engine.game import Game
from engine.play.track.private_lay import power_rotations
from engine.titles import TITLES
from tests.titles.builders import Position, find, label, refused, tell
from tests.titles.t18al.alabama import Alabama
from tests.titles.t18newengland.newengland import NewEngland


def hudson(*trains: str, treasury: int = 0, step: str = "trains") -> Game:
    """Ann's minor at a step of its turn; she has nothing else."""
    position = NewEngland().minor("HRR", 50, "a", *trains, treasury=treasury).cash(a=10)
    return position.operating("HRR", step).game()


# --- minors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["track", "trains"])
def test_a_minor_has_nothing_to_redeem_or_issue(step: str) -> None:
    """18NewEngland 11.2, 11.10."""
    game = hudson("2", treasury=500, step=step)
    assert "one certificate and no other shares" in refused(game, "11.2", "redeem", "HRR", shares=1)
    assert "one certificate and no other shares" in refused(
        game, "11.10", "issue", "HRR", offering=1, treasury=0
    )


def test_a_minor_never_decides_about_a_dividend() -> None:
    """18NewEngland 11.6."""
    why = refused(hudson("2", step="track"), "11.6", "dividend", "HRR", option="pay")
    assert "HRR always pays half of its revenue" in why


def test_a_minor_without_tokens_is_refused_without_a_promise_of_later_ones() -> None:
    """18NewEngland 11.4."""
    why = refused(hudson("2", step="track"), "11.4", "place_token", "HRR", hex="B3", city=0)
    assert "HRR has no token left" in why


def test_nobody_buys_a_share_of_a_minor() -> None:
    """18NewEngland 10.2: it is started with its certificate, and no president's certificate comes first."""
    game = NewEngland().cash(a=500).major("CN", 100, b=40).minor("HRR", 50, "b", "2").game()
    for minor in ("HRR", "PE"):
        why = refused(game, "10.6", "buy_share", "a", company=minor, source="offering")
        assert f"{minor} has one certificate and no other shares" in why


def test_a_major_is_not_started_like_a_minor() -> None:
    """18NewEngland 10.3."""
    game = NewEngland().cash(a=500).game()
    why = refused(game, "10.3", "start_minor", "a", company="B&A", value=50, space="top")
    assert "B&A is not a minor" in why


def test_a_minor_is_not_formed_by_a_merger() -> None:
    """18NewEngland 12: nor is it said to have been started already."""
    position = NewEngland().minor("HRR", 55, "a", "2").minor("PE", 50, "b", "2").cash(a=500).merging()
    why = refused(position.game(), "12", "convert", "HRR", major="PE")
    assert "PE is not one of the companies that are formed by a merger" in why


# --- liquidation -------------------------------------------------------------------------------------------------


def test_nothing_is_sold_for_a_minor_that_no_sale_can_save() -> None:
    """18NewEngland 11.9: Ann has a share that she might sell otherwise."""
    position = NewEngland(phase="5").minor("HRR", 50, "a").cash(a=0).major("CN", 100, b=40, a=10)
    position.minor("PE", 55, "b", "2").treasury("HRR", 10)
    game = position.operating("HRR", "trains").game()
    why = refused(game, "11.9", "sell_shares", "a", company="CN", shares=1)
    assert "would not pay for a train of HRR" in why


def test_who_is_liquidated_is_said_truly() -> None:
    """18NewEngland 11.9: a company with a train is not, and a major never is."""
    assert "HRR has a train" in refused(hudson("2", treasury=500), "11.9", "liquidate", "HRR")
    major = NewEngland().major("CN", 100, a=40, treasury=500).operating("CN", "trains").game()
    assert "CN is never liquidated" in refused(major, "11.9", "liquidate", "CN")
    chesapeake = Position().start("PRR", 80, a=60).trains("PRR", "2").operating("PRR").game()
    assert "PRR is never liquidated" in refused(chesapeake, "", "liquidate", "PRR")


# --- trains ------------------------------------------------------------------------------------------------------


def selling() -> Game:
    """PRR has $50; the bank sells 3-trains, and LV has one, too."""
    position = Position().phase("3").start("PRR", 80, a=60).trains("PRR", "2").treasury("PRR", 50)
    position.start("LV", 80, b=60).trains("LV", "3").start("C&O", 80, c=60).trains("C&O", "2")
    return position.operating("PRR", "trains").game()


def buying(game: Game, train: str, source: str, price: int) -> str:
    """Why PRR does not buy this train."""
    return refused(game, "11.7", "buy_train", "PRR", train=train, source=source, trade_in="", price=price)


def test_a_seller_without_such_a_train_is_named_and_not_the_banks_price() -> None:
    """18Chesapeake 11.7."""
    game = selling()
    assert "There is no 3-train for sale from C&O" in buying(game, "3", "C&O", 40)
    assert "There is no 3-train for sale from the pool" in buying(game, "3", POOL, 40)
    assert "There is no 2-train for sale from the bank" in buying(game, "2", BANK, 80)
    assert "PRR buys no train from itself" in buying(game, "2", "PRR", 1)


def test_a_train_of_another_company_without_a_dollar_is_not_refused_for_the_banks_price() -> None:
    """18Chesapeake 11.7."""
    game = selling()
    game.table.state.companies["PRR"].cash = 0
    assert "not a dollar for a train of another company" in buying(game, "3", "LV", 1)
    assert "A 3-train costs $180; PRR has $0" in buying(game, "3", BANK, 180)


def test_a_bank_that_is_too_dear_is_said_to_be() -> None:
    """18Chesapeake 11.7: the kind may be bought of LV, so that it is not the kind that is wrong."""
    assert "A 3-train costs $180; PRR has $50" in buying(selling(), "3", BANK, 180)


# --- whose turn --------------------------------------------------------------------------------------------------


def test_another_company_is_refused_with_whose_turn_it_is() -> None:
    """18Chesapeake 11: also where nothing of the kind is offered to anybody."""
    position = Position().start("PRR", 80, a=60).trains("PRR", "2").start("LV", 80, a=60).trains("LV", "2")
    game = position.operating("PRR", "trains").game()
    why = refused(game, "11", "lay_tile", "LV", hex="J2", tile="57", rotation=0)
    assert "It is the turn of PRR, not of LV" in why


# --- 18AL's New Decatur Yards --------------------------------------------------------------------------------------


def test_a_train_by_a_private_is_offered_with_the_end_of_the_private() -> None:
    """18AL Table III."""
    position = Alabama().phase("3").start("WRA", 60, a=60).trains("WRA", "2").treasury("WRA", 500)
    game = position.owns("WRA", "NDY").operating("WRA", "trains").game()
    offer = find(game, "buy_train", "NDY")
    assert label(game, offer) == "Buy a train by NDY, which closes"
    assert [tell(game).say(ready.label) for ready in offer.suggest()] == [
        "3-train from the bank $90, and NDY closes"
    ]


# --- tiles of privates ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", TITLES)
def test_a_tile_of_a_private_fits_in_each_of_its_hexes(title: str) -> None:
    """So only a tile in the hex, the money or the supply stops it; tiles laid in pairs never run out."""
    table = Position(min(TITLES[title].spec.players), title=title).t
    table.state.round = Operating(turn=CompanyTurn(next(iter(table.state.companies))))
    for private in table.spec.privates.values():
        for power in (one for one in private.powers if isinstance(one, TileLayPower)):
            for tile in power.tiles:
                assert all(power_rotations(table, power, coord, tile) for coord in power.hexes)
                assert power.lays == 1 or table.map.supply[tile] is None
