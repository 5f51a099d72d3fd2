"""What the actions of a log mean in a position."""

from typing import Any

import pytest

from engine.core import actions as a
from engine.core.errors import IllegalAction
from engine.core.facts import Fact, fact
from engine.core.ids import BANK, OFFERING
from engine.core.state import Draft
from engine.interchange.importer import Importer
from tests.engine.interchange.logs import RawAction, by, draft, minor, outcome, pars, passes, runs
from tests.titles.builders import Position, cash, company, new_game, round_name
from tests.titles.t18newengland.newengland import NewEngland


def position(**facts: Any) -> Position:
    """Ann has the PRR, Bob the LV; both have money."""
    place = Position(**{"profile": "18xx.games", "from_log": 99, **facts}).phase("3").cash(a=500, b=500)
    place.start("PRR", 80, a=60).start("LV", 80, b=60)
    return place.treasury("PRR", 800).treasury("LV", 800).operated("PRR", "LV")


def reads(place: Position, raw: RawAction) -> Any:
    return Importer(place.game()).read(raw)


# --- who acts ---------------------------------------------------------------------------------------------------


def test_private_acts_by_its_owner() -> None:
    place = position().owns("PRR", "B&S").operating("PRR")
    raw = by("lay_tile", "B&S", hex="F4", tile="9-1", rotation=2)
    assert reads(place, raw) == a.LayTile(actor="a", entity="B&S", hex="F4", tile="9", rotation=2)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (passes("B&S"), fact("log.private_unowned", private="B&S")),
        (passes("N&W"), fact("log.company_unstarted", company="N&W")),
        *(
            (raw, "log.values_unreadable")
            for raw in (
                by("lay_tile", "PRR", hex="F4"),
                by("lay_tile", "PRR", hex="F4", tile=9, rotation=0),
                by("place_token", "PRR", city="H6-0-7"),
                by("place_token", "PRR", city="H6-0-first"),
                by("run_routes", "PRR", routes=[1]),
            )
        ),
    ],
)
def test_unreadable_actions(raw: RawAction, why: Fact | str) -> None:
    with pytest.raises(IllegalAction) as refused:
        Importer(position().operating("PRR").game()).apply(raw)
    found = refused.value.reason
    assert why in (found, found.name)


@pytest.mark.parametrize(
    "kind", ["program_buy_shares", "program_share_pass", "program_merger_pass", "program_disable"]
)
def test_programmed_action_does_nothing(kind: str) -> None:
    importer = Importer(position().stock("a").game())
    assert importer.apply(by(kind, "a")) is None
    assert (importer.game.seq, importer.skipped_passes) == (0, 0)


def test_empty_run_counts_only_where_one_is_due() -> None:
    place = position().tile("F4", "9", 0).trains("PRR", "2").operating("PRR", "track")
    assert reads(place, runs("PRR")) is None
    place = Position().start("LV", 95, a=60).tile("J2", "57", 1).trains("LV", "2").operating("LV", "run")
    assert reads(place, runs("LV")) == a.RunRoutes(actor="a", entity="LV", routes=())


# --- agreement --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("agreed", "order"), [("cb", "acb"), ("c", "acb"), ("", "abc")])
def test_end_is_agreed_in_the_order_of_the_log(agreed: str, order: str) -> None:
    """In a log of ours, by the printed rules; those it does not name agree by their seats, after the others."""
    importer = Importer(new_game(3))
    importer.apply(by("end_game", "a", agreed=list(agreed)))
    assert importer.game.is_over
    assert "".join(action.actor for action in importer.applied_actions) == order


def test_purchase_in_a_log_was_agreed_to() -> None:
    """In a log of ours, by the printed rules."""
    place = position(profile="rulebook", from_log=0).owns("b", "D&R")
    importer = Importer(place.operating("PRR", "trains").game())
    importer.apply(by("buy_company", "PRR", company="D&R", price=40))
    assert importer.game.table.state.privates["D&R"].owner == "PRR"
    assert [action.kind for action in importer.applied_actions] == ["buy_private", "answer"]


# --- shares -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shares", "percent", "sold"),
    [([1], None, 1), ([1, 2], None, 2), ([0], None, 2), ([1, 0], None, 3), ([0], 10, 1), ([1, 2], 20, 2)],
)
def test_shares_sold(shares: list[int], percent: int | None, sold: int) -> None:
    """Old logs have no percentage: the president's certificate is 20% of the PRR."""
    raw = by("sell_shares", "a", shares=[f"PRR_{share}" for share in shares])
    found = reads(position().stock("a"), raw | ({} if percent is None else {"percent": percent}))
    assert found == a.SellShares(actor="a", entity="a", company="PRR", shares=sold)


def test_share_of_another_player_is_not_for_sale() -> None:
    bought = by("buy_shares", 2, shares=["PRR_1"], percent=10)
    found = outcome(pars(1, "N&W", 80), bought, bought | {"entity": 3}).problem
    assert getattr(found, "reason", None) == fact("log.share_not_for_sale", share="PRR_1", holder="2")


# --- trains and privates ----------------------------------------------------------------------------------------


def test_train_is_bought_from_who_has_its_number() -> None:
    """The bank, if nobody has had it yet; then the company that bought it."""
    importer = Importer(position().operating("PRR", "trains").game())
    importer.apply(by("buy_train", "PRR", train="3-2", price=180))
    importer.apply(passes("PRR"))
    importer.apply(passes("LV"))
    assert importer.game.table.turn.company == "LV"
    sources = [importer.read(by("buy_train", "LV", train=train, price=1)).source for train in ("3-2", "3-1")]  # type: ignore[union-attr]
    assert sources == ["PRR", BANK]


# --- 18NewEngland: draft, issues and runs -----------------------------------------------------------------------


def test_second_par_of_a_minor_starts_it() -> None:
    """The value named with a reservation means nothing; the row is the space. A pass gives reservations back:
    it ends the draft where all have passed, and the first trains need no action (R-NE-022, R-NE-023,
    R-NE-027)."""
    game = draft(minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6")).game
    assert game is not None
    assert game.table.state.round == Draft(turn=4, reserved={"CV": "1", "ER": "2"})
    assert company(game, "BL").cell == (1, 6)
    assert cash(game) == {"1": 400, "2": 400, "3": 270}
    reserved = (minor(1, "CV"), minor(2, "ER"), minor(3, "BL"), minor(3, "BL", "65,1,6"))
    game = draft(*reserved, passes(2), passes(1)).game
    assert game is not None
    assert game.table.state.round == Draft(turn=8, out=["2", "1"], passed=["2", "1"])


def england(**facts: Any) -> NewEngland:
    """Read from a log of that site."""
    return NewEngland(profile="18xx.games", from_log=99, **facts)


def test_redeeming_buys_and_issuing_sells() -> None:
    """Shares are known by their ids: what was redeemed is of the treasury (R-NE-043, R-NE-080, R-NE-081)."""
    place = england().cash(a=500).major("B&A", 100, treasury=500, a=60).trains("B&A", "3").stock("a")
    read = Importer(place.game())
    for share in (3, 4):
        read.apply(by("sell_shares", "a", shares=[f"B&A_{share}"], percent=10))
    place.operating("B&A", "issue").game()
    raw = by("buy_shares", "B&A", shares=["B&A_3"], percent=10)
    assert read.apply(raw) == a.Redeem(actor="a", entity="B&A", shares=1)
    raw = by("sell_shares", "B&A", shares=["B&A_5", "B&A_3"], percent=20)
    assert read.read(raw) == a.Issue(actor="a", entity="B&A", offering=1, treasury=1)
    place.stock("b").cash(b=500).game()
    for share, source in ((3, "B&A"), (7, OFFERING)):
        raw = by("buy_shares", "b", shares=[f"B&A_{share}"], percent=10)
        assert read.read(raw) == a.BuyShare(actor="b", entity="b", company="B&A", source=source)


# --- 18NewEngland: mergers, liquidation and bankruptcy ----------------------------------------------------------


def merged(first: RawAction) -> Importer:
    """Two minors at home in Albany, in a merger round."""
    built = england().cash(a=500).minor("HRR", 70, "a", "2").minor("AWS", 60, "a", "2").merging()
    read = Importer(built.game())
    assert read.apply(first) is None
    assert not company(read.game, "CN").is_started
    read.apply(by("merge", "HRR", corporation="CN"))
    return read


def test_mergers_and_ruin_of_a_log() -> None:
    """The first action of two names the partner, or that it is a conversion, and does nothing yet; the
    certificate is the president's by then. A pass without a train liquidates, with one it is a pass;
    bankruptcy is declared in any step, by arithmetic alone (R-NE-103, R-NE-121, R-NE-122, R-NE-125,
    D-NE-17)."""
    read = merged(by("merge", "HRR", corporation="AWS"))
    assert read.applied_actions[-1] == a.Merge(actor="a", entity="HRR", partner="AWS", major="CN")
    assert company(read.game, "CN").par == 130
    read = merged(by("convert", "HRR"))
    assert read.applied_actions[-1] == a.Convert(actor="a", entity="HRR", major="CN")
    assert read.apply(by("convert", "AWS")) is None
    read = merged(by("convert", "HRR"))
    bought = read.apply(by("buy_shares", "a", shares=["CN_1"], percent=10))
    assert bought == a.BuyShare(actor="a", entity="a", company="CN", source=OFFERING)
    with pytest.raises(IllegalAction):
        read.read(by("buy_shares", "a", shares=["CN_0"], percent=20))
    assert read.apply(passes("a")) == a.Pass(actor="a", entity="a")
    built = england().cash(a=300).minor("FRR", 50, "a", treasury=60).minor("PE", 50, "b", "2", space=1)
    read = Importer(built.operating("FRR", "trains", operated=["PE"]).game())
    assert read.read(passes("PE")) == a.Pass(actor="b", entity="PE")
    assert read.apply(passes("FRR")) == a.Liquidate(actor="a", entity="FRR")
    assert company(read.game, "FRR").closed
    assert round_name(read.game) == "MR 2.1"
    assert read.read(passes("PE")) == a.Pass(actor="b", entity="PE")
    built = england().phase("8").cash(a=10).major("CN", 100, a=20, treasury=20)
    read = Importer(built.operating("CN", "track").game())
    assert read.apply(by("bankrupt", "CN")) == a.DeclareBankruptcy(actor="a", entity="CN")
    assert company(read.game, "CN").closed
