"""Mergers of 18C2C (section 11 of its digest)."""

from typing import Any

import pytest

from bot.client.features.views import company_sheet
from engine.core.events import CompaniesUnited, SharesExchanged
from engine.core.ids import MARKET, OFFERING, REISSUED
from engine.core.state import MarkerSupply, Merger, Operating, Stock
from engine.play.trains.phases import (
    add_train,
    charter_arrangements,
    occupied_charter_count,
    remove_train,
    trains_by_charter,
)
from engine.tell.narrate import sentences
from engine.tell.view_builders import company_view, turn_view
from tests.titles.builders import TitleGame
from tests.titles.t18c2c.merging import Merging, example_13, merged, two_shells


def stock_round_over(phase: str) -> TitleGame:
    position = example_13().phase(phase).stock("b", number=3)
    game = position.game()
    while isinstance(game.table.state.round, Stock):
        game.passes(game.on_turn())
    return game


def test_merger_round_follows_stock_round() -> None:
    """From the first 4 on; it begins with the priority deal (R-C2C-220)."""
    game = stock_round_over("4")
    assert game.table.state.round == Merger(set=3, number=0, of=0, turn=1)
    assert (game.round_name(), game.on_turn()) == ("MR 3", "b")
    assert isinstance(stock_round_over("3").table.state.round, Operating)


def york(*, options: tuple[str, ...] = (), **held: dict[str, Any]) -> Merging:
    """B&O at 100 and PRR at 82 with these holders, joined in New York."""
    position = Merging(options=options).single("B&O", 7, **held["bo"]).single("PRR", 7, 3, **held["prr"])
    return position.station("PRR", "K78").bull("B&O", "K78").merging()


@pytest.mark.parametrize(
    "position",
    [
        Merging().single("B&O", 7, a=60),
        york(bo={"a": 60}, prr={"b": 60}, options=("no_mergers",)),
        york(bo={"a": 20, "b": 10, "market": 30}, prr={"b": 20, "c": 10, "market": 30}),
    ],
    ids=["no pair", "by option", "nobody with two new shares"],
)
def test_no_merger_round(position: Merging) -> None:
    """R-C2C-220, R-C2C-225: every player of the last pair would have one new share at most."""
    game = position.stock("a", number=3).game()
    while isinstance(game.table.state.round, Stock):
        game.passes(game.on_turn())
    assert isinstance(game.table.state.round, Operating)


def test_merger_and_refusal_count_passes() -> None:
    """After a merger everybody may propose again; a refused one counts as a pass, and the same pair has had
    its chance in this round, from either side (R-C2C-220)."""
    position = example_13().single("N&W", 7, 6, a=60).single("SOU", 7, 5, b=60)
    game = position.joined("N&W", "SOU").merging("b").game()
    game.do("pass", "b")
    game.do("propose_merger", "a", company="B&O", partner="PRR")
    game.do("answer", "b", actor="b", reply="agree")
    game.do("pass", "B&O")
    assert game.on_turn() == "b"
    game.passes("b", "a")
    assert isinstance(game.table.state.round, Operating)
    position = example_13().single("N&W", 7, 6, a=60).single("SOU", 7, 5, b=60)
    game = position.joined("N&W", "SOU").merging().game()
    game.do("propose_merger", "a", company="B&O", partner="PRR")
    game.do("answer", "b", actor="b", reply="refuse")
    assert (game.on_turn(), game.table.state.round.passes) == ("b", 1)  # type: ignore[union-attr]
    why = game.refused("11", "propose_merger", "b", company="SOU", partner="B&O")
    assert "No track leads" in why
    assert game.values("propose_merger", "b", "partner", company="SOU") == ["N&W"]
    assert "PRR" not in game.values("propose_merger", "b", "company")


def test_other_president_agrees_to_merger() -> None:
    """Both agree; nothing happens before. One player may be both presidents, or must be by `merger_consent`
    (R-C2C-222)."""
    game = example_13().game()
    events = game.do("propose_merger", "a", company="B&O", partner="PRR")
    assert sentences(events, game) == ["Bob receives a proposal: B&O and PRR merge."]
    assert game.actors() == ("b",)
    why = game.refused("11", "propose_merger", "b", company="PRR", partner="B&O")
    assert "Bob must first answer" in why
    game = york(bo={"a": 60}, prr={"a": 60}).game()
    events = game.do("propose_merger", "a", company="B&O", partner="PRR")
    assert isinstance(events[0], CompaniesUnited)
    position = example_13().single("N&W", 7, 6, a=60).single("SOU", 7, 5, a=60).joined("N&W", "SOU")
    position.t.spec = position.t.spec.model_copy(
        update={"unions": position.t.spec.unions.model_copy(update={"consent": "own"})}  # type: ignore[union-attr]
    )
    game = position.game()
    assert game.values("propose_merger", "a", "company") == ["SOU"]
    why = game.refused("11", "propose_merger", "a", company="B&O", partner="PRR")
    assert "No other corporation is left that B&O could merge with" in why


def by_way_of_cincinnati() -> Merging:
    """WAB in Indianapolis and L&N in Louisville, with track from one to the other; B&O and PRR may merge anyway."""
    position = example_13().single("WAB", 7, 5, a=60).single("L&N", 7, 6, a=60)
    position.tile("L59", "57", 2).tile("M60", "8", 2).tile("M62", "5", 0).tile("N61", "8", 1)
    return position.tile("N59", "57", 1)


def test_track_of_any_length_joins() -> None:
    """Over three hexes and a city with a free place. CP has the one place of Cincinnati: it is reached, and
    nothing beyond; L&N's own is passed (R-C2C-221)."""
    game = by_way_of_cincinnati().game()
    assert game.values("propose_merger", "a", "partner", company="WAB") == ["L&N"]
    game = by_way_of_cincinnati().single("CP", 7, 4, c=60).station("CP", "M62").game()
    assert game.values("propose_merger", "a", "partner", company="WAB") == ["CP"]
    why = game.refused("11", "propose_merger", "a", company="WAB", partner="L&N")
    assert "No track leads from a token of WAB to a token of L&N" in why
    game = by_way_of_cincinnati().station("L&N", "M62").game()
    assert game.values("propose_merger", "a", "partner", company="WAB") == ["L&N"]


@pytest.mark.parametrize(("sum_", "cell"), [(20, (0, 0)), (64, (0, 0)), (182, (0, 11)), (900, (0, 24))])
def test_merged_price_has_bounds(sum_: int, cell: tuple[int, int]) -> None:
    """Example 13: 182 becomes 180 in (1,12); and the ends of the top row (R-C2C-223)."""
    assert Merging().t.grid.cell_priced_at_most(sum_) == cell


def test_two_old_shares_become_one() -> None:
    """Example 13: Ann 3 and $100, Bob 3 and $100, Cy 1; the offering keeps two at the new price, one goes to
    the pool. A lone PRR brings 82; redeemed ones stay with the treasury, reissued ones go with the offering;
    past $500 the factor 2 is in the sum, and the new marker has none (R-C2C-052, R-C2C-223, R-C2C-224,
    R-C2C-225, R-C2C-229)."""
    game = example_13().cash(a=0, b=0, c=0).game()
    game.do("propose_merger", "a", company="B&O", partner="PRR")
    events = game.do("answer", "b", actor="b", reply="agree")
    found = game.company("B&O")
    assert game.cash() == {"a": 100, "b": 100, "c": 0}
    assert [found.percent(holder) for holder in ("a", "b", "c", OFFERING, MARKET)] == [30, 30, 10, 20, 10]
    assert (found.cell, found.par, found.certificate, found.shares["a"]) == ((0, 11), 180, 20, 10)
    exchanged = next(event for event in events if isinstance(event, SharesExchanged))
    assert exchanged.players == (("a", 3, 100), ("b", 3, 100), ("c", 1, 0))
    game = merged(york(bo={"a": 60}, prr={"b": 60, "c": 10}).cash(a=0, b=0, c=0))
    assert game.cash() == {"a": 0, "b": 0, "c": 82}
    position = example_13()
    one, other = position.state.companies["B&O"], position.state.companies["PRR"]
    one.shares = {"a": 20, "b": 20, "c": 10, one.treasury: 10, REISSUED: 20}
    other.shares = {"a": 10, "b": 30, "c": 10, other.treasury: 10, OFFERING: 20}
    one.reissue_prices = [110, 110]
    game = merged(position)
    found = game.company("B&O")
    assert (found.percent(found.treasury), found.percent(OFFERING), found.percent(REISSUED)) == (10, 20, 0)
    assert (found.reissue_prices, sum(found.shares.values()) + found.certificate) == ([], 100)
    position = york(bo={"a": 60}, prr={"b": 60})
    position.state.companies["PRR"].split = True
    game = merged(position)
    found = game.company("PRR")  # 164 is more than 100
    assert (found.split, found.par, game.company("B&O").closed) == (False, 250, True)


@pytest.mark.parametrize(
    ("bo", "prr", "president"),
    [
        ({"a": 60, "b": 20, "c": 10}, {"b": 50, "a": 10, "c": 10}, "a"),
        ({"a": 40, "b": 30}, {"b": 60}, "b"),
    ],
    ids=["of the higher-priced one, at three each", "the largest holder"],
)
def test_president_of_the_merged_corporation(bo: dict[str, int], prr: dict[str, int], president: str) -> None:
    """Example 13 (R-C2C-225)."""
    assert merged(york(bo=bo, prr=prr)).company("B&O").president == president


def test_merger_joins_treasuries_and_trains() -> None:
    """Example 13: 250 + 130, each predecessor's trains on a shell, the charter of the first to operate. A
    second marker is kept, for sale; a proof may still be given by the other (R-C2C-225, R-C2C-226, R-C2C-164,
    R-C2C-190)."""
    position = Merging().single("PRR", 7, b=60).single("B&O", 7, a=60)
    game = merged(position.station("PRR", "K78").bull("B&O", "K78").merging())
    assert game.company("PRR").parts == ["PRR", "B&O"]
    assert game.company("B&O").closed
    game = merged(example_13().owns("PRR", "KTC"))
    found = game.company("B&O")
    assert (found.cash, game.company("PRR").cash) == (380, 0)
    assert trains_by_charter(found) == (["4"], ["3"])
    assert game.owner("KTC") == "B&O"
    assert not game.table.state.privates["KTC"].closed
    position = example_13()
    position.state.companies["B&O"].proofs, position.state.companies["PRR"].proofs = 1, 1
    for name in ("B&O", "PRR"):
        position.state.companies[name].held["engineers"] = 1
    position.state.supplies["engineers"] = MarkerSupply(3, "PRR")
    game = merged(position)
    assert (game.company("B&O").held, game.company("B&O").proofs) == ({"engineers": 2}, 2)
    assert game.table.state.supplies["engineers"] == MarkerSupply(3, "B&O")


def test_merger_joins_tokens() -> None:
    """Example 13: in New York PRR's token stays, B&O's bull is one on the charter again; both have a place in
    Chicago: B&O's stays, PRR's is prepaid. Each reserved token is for its own pair; bought ones are those of
    either (R-C2C-073, R-C2C-131, R-C2C-154, R-C2C-227, R-C2C-228)."""
    game = merged(example_13())
    board, found = game.table.map, game.company("B&O")
    assert board.slots("K78", 0) == ("B&O",)
    assert board.tokens_without_space("K78", 0) == ()
    assert found.extra is not None
    assert (found.extra.bulls, found.extra.placed, found.tokens) == (1, [], [])
    position = example_13().station("B&O", "J57", 0).station("PRR", "J57", 1)
    game = merged(position)
    board = game.table.map
    assert (board.slots("J57", 0), board.slots("J57", 1)) == (("B&O",), (None,))
    assert game.company("B&O").tokens == [0]
    position = example_13().reserved("B&O", "PRR")
    position.extra("B&O").bought, position.extra("PRR").bought = [40, 60], [40, 80]
    found = merged(position).company("B&O")
    assert found.extra is not None
    assert (found.extra.reserved, found.extra.bought) == (["B&O", "PRR"], [40, 60, 80])


def test_trains_lie_on_two_shells() -> None:
    """Three and three in phase 4; the first 5 leaves two a shell, and the first gives up one of its three. A
    new train comes to the emptier shell, one that leaves was on the fullest. They are shuffled at any moment
    of the turn until the run, then not again, and before the round continues; two shells changed for each
    other are one way (R-C2C-010, R-C2C-091, R-C2C-211, R-C2C-226)."""
    game = two_shells("2 3 3", "3 4").operating("B&O", "trains").game()
    assert "buy_train" in game.kinds()
    full = two_shells("3 3 3", "3 4 4").operating("B&O", "trains").game()
    assert "buy_train" not in full.kinds()
    position = two_shells("3 4 4", "3").depot(t4=0).single("SOU", 8, b=60, treasury=500)
    game = position.operating("SOU", "trains").game()
    game.buy("SOU", "5", 450)
    assert sorted(game.values("discard_train", "B&O", "train")) == ["3", "4"]
    game.do("discard_train", "B&O", train="3")
    assert trains_by_charter(game.company("B&O")) == (["4", "4"], ["3"])
    found = two_shells("3 4", "5").state.companies["B&O"]
    add_train(found, "5")
    assert trains_by_charter(found) == (["3", "4"], ["5", "5"])
    found = two_shells("3", "3 4").state.companies["B&O"]
    remove_train(found, "3")
    assert trains_by_charter(found) == (["3"], ["4"])
    game = two_shells("3 4", "").operating("B&O").game()
    assert occupied_charter_count(game.company("B&O")) == 1
    events = game.do("shuffle", "B&O", first="3")
    assert sentences(events, game) == ["B&O (Ann) redistributes its trains: 3 | 4."]
    assert occupied_charter_count(game.company("B&O")) == 2
    assert "only once a turn" in game.refused("11", "shuffle", "B&O", first="3 4")
    found = two_shells("3 3", "4").state.companies["B&O"]
    assert charter_arrangements(found, 3) == [("3", "3", "4"), ("3", "3"), ("3", "4")]
    assert charter_arrangements(found, 2) == [("3", "3"), ("3", "4")]
    game = merged(example_13())
    assert (game.on_turn(), game.kinds()) == ("a", ["shuffle", "pass"])
    assert game.label(game.find("pass")) == "Leave the trains as they are: 4 | 3"
    assert turn_view(game).entity_name == "B&O"
    game.do("shuffle", "B&O", first="4 3")
    assert trains_by_charter(game.company("B&O")) == (["4", "3"], [])
    assert isinstance(game.table.state.round, Operating)


def test_sheet_shows_shells_and_parts() -> None:
    """Its parts, and trains that lie together (R-C2C-226)."""
    text = company_sheet(company_view(merged(example_13()), "B&O", "a"))
    assert "On its shells: 4 | 3." in text
    assert "Formed from B&O, PRR." in text
