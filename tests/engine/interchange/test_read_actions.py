"""What the actions of a log mean in a position."""

from typing import Any

import pytest

from engine.core import actions as a
from engine.core.errors import IllegalAction
from engine.core.facts import fact
from engine.core.ids import BANK, POOL
from engine.interchange.importer import Importer, _name, read_share
from tests.engine.interchange.logs import Raw, outcome, pars, passes
from tests.titles.builders import Position, company, new_game


def position(**facts: Any) -> Position:
    """Ann has the PRR, Bob the LV; both have money."""
    place = Position(**{"profile": "18xx.games", "from_log": 99, **facts}).phase("3").cash(a=500, b=500)
    place.start("PRR", 80, a=60).start("LV", 80, b=60)
    return place.treasury("PRR", 800).treasury("LV", 800).operated("PRR", "LV")


def by(kind: str, entity: str, **values: Any) -> Raw:
    """An action of a log."""
    return {"type": kind, "entity": entity, **values}


def reads(place: Position, raw: Raw) -> Any:
    """Our form of an action."""
    return Importer(place.game()).read(raw)


def refusal(place: Position, raw: Raw) -> Any:
    """The fact by which it is refused."""
    with pytest.raises(IllegalAction) as refused:
        Importer(place.game()).apply(raw)
    return refused.value.reason


# --- who acts ---------------------------------------------------------------------------------------------------


def test_a_private_acts_by_its_owner() -> None:
    place = position().owns("PRR", "B&S").operating("PRR")
    raw = by("lay_tile", "B&S", hex="F4", tile="9-1", rotation=2)
    assert reads(place, raw) == a.LayTile(actor="a", entity="B&S", hex="F4", tile="9", rotation=2)


def test_a_private_without_an_owner_and_a_company_that_is_not_started_have_nobody_who_acts() -> None:
    place = position().operating("PRR")
    assert refusal(place, by("pass", "B&S")) == fact("log.private_unowned", private="B&S")
    assert refusal(place, by("pass", "N&W")) == fact("log.company_unstarted", company="N&W")


@pytest.mark.parametrize(
    "kind", ["program_buy_shares", "program_share_pass", "program_merger_pass", "program_disable"]
)
def test_a_programmed_action_does_nothing_by_itself(kind: str) -> None:
    importer = Importer(position().stock("a").game())
    assert importer.apply(by(kind, "a")) is None
    assert (importer.game.seq, importer.skipped_passes) == (0, 0)


def test_an_empty_run_is_one_only_where_a_company_is_to_run() -> None:
    place = position().tile("F4", "9", 0).trains("PRR", "2").operating("PRR", "track")
    assert reads(place, by("run_routes", "PRR", routes=[])) is None
    place = Position().start("LV", 95, a=60).tile("J2", "57", 1).trains("LV", "2").operating("LV", "run")
    assert reads(place, by("run_routes", "LV", routes=[])) == a.RunRoutes(actor="a", entity="LV", routes=())


# --- agreement --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("agreed", "order"), [("cb", "acb"), ("c", "acb"), ("", "abc")])
def test_everybody_agrees_to_the_end_in_the_order_of_the_log(agreed: str, order: str) -> None:
    """In a log of ours, by the printed rules; those it does not name agree by their seats, after the others."""
    importer = Importer(new_game(3))
    importer.apply(by("end_game", "a", agreed=list(agreed)))
    assert importer.game.over
    assert "".join(action.actor for action in importer.applied) == order


def test_what_another_player_must_agree_to_was_agreed_to() -> None:
    """In a log of ours, by the printed rules."""
    place = position(profile="rulebook", from_log=0).owns("b", "D&R")
    importer = Importer(place.operating("PRR", "trains").game())
    importer.apply(by("buy_company", "PRR", company="D&R", price=40))
    assert importer.game.table.state.privates["D&R"].owner == "PRR"
    assert [action.kind for action in importer.applied] == ["buy_private", "answer"]


# --- shares -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "percent", "sold"),
    [
        (["PRR_1"], None, 1),
        (["PRR_1", "PRR_2"], None, 2),
        (["PRR_0"], None, 2),
        (["PRR_1", "PRR_0"], None, 3),
        (["PRR_0"], 10, 1),
        (["PRR_1", "PRR_2"], 20, 2),
    ],
)
def test_as_many_shares_are_sold_as_a_log_says_or_its_certificates_have(
    shares: list[str], percent: int | None, sold: int
) -> None:
    """Old logs have no percentage: the president's certificate is 20% of the PRR."""
    raw = by("sell_shares", "a", shares=shares, **({} if percent is None else {"percent": percent}))
    found = reads(position().stock("a"), raw)
    assert found == a.SellShares(actor="a", entity="a", company="PRR", shares=sold)


def test_a_share_of_another_player_is_not_for_sale() -> None:
    importer = Importer(position().stock("a").game())
    importer._shares.moved([("LV", 3)], "b")
    with pytest.raises(IllegalAction) as refused:
        importer.read(by("buy_shares", "a", shares=["LV_3"], percent=10))
    assert refused.value.reason == fact("log.share_not_for_sale", share="LV_3", holder="b")


# --- trains and privates ----------------------------------------------------------------------------------------


def test_a_train_is_bought_from_whoever_has_the_one_with_its_number() -> None:
    """The bank, if nobody has had it yet; then the company that bought it."""
    importer = Importer(position().operating("PRR", "trains").game())
    importer.apply(by("buy_train", "PRR", train="3-2", price=180))
    importer.apply(passes("PRR"))
    importer.apply(passes("LV"))
    assert importer.game.table.turn.company == "LV"
    sources = [importer.read(by("buy_train", "LV", train=train, price=1)).source for train in ("3-2", "3-1")]  # type: ignore[union-attr]
    assert sources == ["PRR", BANK]


def test_a_train_that_is_discarded_is_bought_from_the_pool() -> None:
    place = position().phase("5").trains("PRR", "4", "4", "5").operating("PRR", "trains")
    importer = Importer(place.game())
    importer._train_owner["4-1"] = "PRR"
    importer.apply(by("discard_train", "PRR", train="4-1"))
    assert importer.game.table.state.pool == ["4"]
    assert importer._train_owner["4-1"] == POOL


def test_a_train_given_in_exchange_is_the_pools() -> None:
    """18Chesapeake: a D-train for $700 and a 4-, 5- or 6-train."""
    place = position().phase("D").treasury("PRR", 2000).trains("PRR", "5").operating("PRR", "trains")
    importer = Importer(place.game())
    importer._train_owner["5-0"] = "PRR"
    bought = importer.apply(by("buy_train", "PRR", train="D-1", price=700, exchange="5-0"))
    assert isinstance(bought, a.BuyTrain)
    assert (bought.trade_in, bought.source) == ("5", BANK)
    assert (importer._train_owner["5-0"], importer._train_owner["D-1"]) == (POOL, "PRR")
    assert company(importer.game, "PRR").trains == ["D"]


def test_a_private_of_a_player_is_bought_by_the_company_at_its_price() -> None:
    place = position().owns("b", "B&S").operating("PRR", "trains")
    found = reads(place, by("buy_company", "PRR", company="B&S", price=40))
    assert found == a.BuyPrivate(actor="a", entity="PRR", private="B&S", price=40)


# --- what cannot be read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        by("lay_tile", "PRR", hex="F4"),
        by("lay_tile", "PRR", hex="F4", tile=9, rotation=0),
        by("place_token", "PRR", city="H6-0-7"),
        by("place_token", "PRR", city="H6-0-first"),
        by("run_routes", "PRR", routes=[1]),
    ],
)
def test_a_value_of_another_kind_than_that_site_writes_is_unreadable(raw: Raw) -> None:
    assert refusal(position().operating("PRR"), raw).name == "log.values_unreadable"


def test_a_pass_that_ends_nothing_is_done_by_nobody() -> None:
    """It is counted, and is none of the actions of the game."""
    found = outcome(pars(1, "N&W", 80), passes(1), passes(2))
    assert (found.actions, found.skipped_passes, len(found.applied)) == (10, 1, 9)


def test_what_follows_the_last_dash_or_line_is_a_number_and_the_rest_a_name() -> None:
    """Names may have dashes and lines of their own; `3'` is a 3-train."""
    assert [_name(train) for train in ("2-0", "3'-1", "4-D-2")] == ["2", "3", "4-D"]
    assert [read_share(share) for share in ("B&O_3", "B_O_10")] == [("B&O", 3), ("B_O", 10)]
    raw = by("lay_tile", "PRR", hex="F4", tile="X-1-0", rotation=0)
    assert reads(position().operating("PRR"), raw).tile == "X-1"
