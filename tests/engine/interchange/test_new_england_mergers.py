"""Mergers, liquidation and bankruptcy in logs of 18NewEngland."""

from typing import Any

import pytest

from engine.core import actions as a
from engine.core.ids import OFFERING
from engine.interchange.importer import Importer
from tests.engine.interchange.logs import Raw
from tests.titles.builders import company, round_name
from tests.titles.t18newengland.newengland import NewEngland


def position(**facts: Any) -> NewEngland:
    """Read from a log of that site."""
    return NewEngland(profile="18xx.games", from_log=99, **facts)


def one_hex() -> Importer:
    """Two minors at home in Albany, in a merger round."""
    built = position().cash(a=500).minor("HRR", 70, "a", "2").minor("AWS", 60, "a", "2").merging()
    return Importer(built.game())


def by(kind: str, entity: str, **values: Any) -> Raw:
    """An action of a log."""
    return {"type": kind, "entity": entity, **values}


def test_a_merger_is_two_actions() -> None:
    """The first names the partner and does nothing yet, the second the major (R-NE-122)."""
    read = one_hex()
    assert read.apply(by("merge", "HRR", corporation="AWS")) is None
    assert not company(read.game, "CN").started
    merged = read.apply(by("merge", "HRR", corporation="CN"))
    assert merged == a.Merge(actor="a", entity="HRR", partner="AWS", major="CN")
    assert company(read.game, "CN").par == 130


def test_a_conversion_is_two_actions() -> None:
    """The second is named a merger there (R-NE-121)."""
    read = one_hex()
    assert read.apply(by("convert", "HRR")) is None
    assert read.apply(by("merge", "HRR", corporation="CN")) == a.Convert(actor="a", entity="HRR", major="CN")
    assert read.apply(by("convert", "AWS")) is None


@pytest.mark.parametrize(("city", "kept"), [("B3-0-0", 1), ("B3-0-1", 0)])
def test_a_station_returned_is_named_by_its_city(city: str, kept: int) -> None:
    """R-NE-124."""
    read = one_hex()
    read.apply(by("merge", "HRR", corporation="AWS"))
    read.apply(by("merge", "HRR", corporation="CN"))
    assert read.apply(by("remove_token", "CN", city=city, slot=0))
    assert read.game.table.map.tokens_of("CN") == [("B3", kept)]


def test_shares_bought_after_a_merger_are_of_the_offering() -> None:
    """Followed by their ids; the certificate is the president's by then (R-NE-125)."""
    read = one_hex()
    read.apply(by("convert", "HRR"))
    read.apply(by("merge", "HRR", corporation="CN"))
    bought = read.apply(by("buy_shares", "a", shares=["CN_1"], percent=10))
    assert bought == a.BuyShare(actor="a", entity="a", company="CN", source=OFFERING)
    assert read._shares.holder("CN", 0) == "a"
    assert read.apply(by("pass", "a")) == a.Pass(actor="a", entity="a")


def test_trains_of_the_minors_are_the_majors_by_their_ids() -> None:
    """Another company buys one of them later (R-NE-124)."""
    read = one_hex()
    read._train_owner.update({"2-0": "HRR", "2-1": "AWS", "2-2": "PE"})
    read.apply(by("merge", "HRR", corporation="AWS"))
    read.apply(by("merge", "HRR", corporation="CN"))
    assert read._train_owner == {"2-0": "CN", "2-1": "CN", "2-2": "PE"}


def test_the_pass_of_a_minor_without_a_train_is_its_liquidation() -> None:
    """And that of one with a train a pass (R-NE-103)."""
    built = position().cash(a=300).minor("FRR", 50, "a", treasury=60).minor("PE", 50, "b", "2", space=1)
    read = Importer(built.operating("FRR", "trains", operated=["PE"]).game())
    assert read.read(by("pass", "PE")) == a.Pass(actor="b", entity="PE")
    assert read.apply(by("pass", "FRR")) == a.Liquidate(actor="a", entity="FRR")
    assert company(read.game, "FRR").closed
    assert round_name(read.game) == "MR 2.1"
    assert read.read(by("pass", "PE")) == a.Pass(actor="b", entity="PE")


def test_a_bankruptcy_may_come_in_any_step_of_a_majors_turn() -> None:
    """By arithmetic alone (D-NE-17)."""
    built = position().phase("8").cash(a=10).major("CN", 100, a=20, treasury=20)
    read = Importer(built.operating("CN", "track").game())
    assert read.apply(by("bankrupt", "CN")) == a.DeclareBankruptcy(actor="a", entity="CN")
    assert company(read.game, "CN").closed
