"""Companies that close, and companies with other certificates and capital."""

from typing import Any

import pytest
from pydantic import ValidationError

from engine.core.events import CompanyClosed
from engine.core.ids import BANK
from engine.core.spec import CompanySpec
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.operating_order import operating_order
from engine.play.shares import holdings
from engine.titles import TITLES, Title
from engine.titles.t18chesapeake.rules import ChesapeakeRules
from tests.titles.builders import Position


def test_closed_company_leaves_everything() -> None:
    """It is on no offer, either."""
    position = Position().start("PRR", 80, a=60, b=20, market=10).start("LV", 80, b=60, a=10)
    position.trains("PRR", "2", "3").token("PRR", "H4").owns("PRR", "D&R")
    t = position.game().table
    prr = t.state.companies["PRR"]
    close_company(t, prr)
    game = position.game()
    assert t.map.token_stops_of("PRR") == []
    assert "PRR" not in str(t.state.market)
    assert (prr.cash, prr.trains, prr.president, prr.cell) == (0, [], None, None)
    assert t.cash(BANK) + sum(game.cash().values()) + game.company("LV").cash == t.spec.bank
    assert holdings.certificate_count(t, "a") == 1
    assert t.state.privates["D&R"].closed
    assert CompanyClosed("PRR") in t.events
    assert [one.id for one in operating_order(t)] == ["LV"]
    assert "PRR" not in game.values("par", "a", "company")
    assert game.values("buy_share", "a", "company") == ["LV"]
    assert "PRR has closed" in game.refused("10.4", "par", "a", company="PRR", price=80)
    assert "PRR has closed" in game.refused("10.4", "buy_share", "a", company="PRR", source="market")
    assert "holds no shares of PRR" in game.refused("10.2", "sell_shares", "a", company="PRR", shares=1)


@pytest.mark.parametrize(
    "certificates",
    [(20, 10, 10), (20, 40, 20, 20), (15, *(10 for _ in range(8)), 5), (25, *(15 for _ in range(5)))],
)
def test_certificates_are_100_percent(certificates: tuple[int, ...]) -> None:
    raw = TITLES["18chesapeake"].spec.companies["PRR"].model_dump()
    with pytest.raises(ValidationError, match="100 %"):
        CompanySpec.model_validate({**raw, "certificates": certificates})


TWENTY = (10, *(5 for _ in range(18)))


def patch(monkeypatch: pytest.MonkeyPatch, **prr: Any) -> str:
    """18Chesapeake with another PRR, as no title has one yet; a game finds its title in this table only."""
    spec = TITLES["18chesapeake"].spec
    companies = {**spec.companies, "PRR": spec.companies["PRR"].model_copy(update=prr)}
    known = Title("patched", "engine.titles.t18chesapeake", ChesapeakeRules)
    vars(known)["spec"] = spec.model_copy(update={"companies": companies, "holding_limit": 100})
    monkeypatch.setitem(TITLES, known.id, known)
    return known.id


@pytest.mark.parametrize(
    ("prr", "cost", "percent", "treasury"),
    [
        ({"certificates": TWENTY}, 160, 10, 0),
        ({"certificates": (100,)}, 80, 100, 80),
        ({"capital": "sales"}, 160, 20, 160),
    ],
)
def test_start_of_another_company(
    prr: dict[str, Any], cost: int, percent: int, treasury: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shares of 5 %, a single certificate, or sales as the capital."""
    game = Position(title=patch(monkeypatch, **prr)).start("LV", 95, b=60).game()
    game.do("par", "a", company="PRR", price=80)
    found = game.company("PRR")
    assert (game.cash()["a"], found.percent("a"), found.cash) == (800 - cost, percent, treasury)


def test_company_of_twenty_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position(title=patch(monkeypatch, certificates=TWENTY)).start("PRR", 80, a=55)
    game = position.start("LV", 95, b=60).cash(a=800).game()
    assert (game.company("PRR").certificates("a"), holdings.shares_value(game.table, "a")) == (10, 11 * 80)
    game.do("buy_share", "a", company="PRR", source="offering")
    assert (game.cash()["a"], game.company("PRR").cash) == (720, 20 * 80)
    game.passes("b", "c")
    game.sell("a", "PRR", 3)
    assert (game.cash()["a"], game.company("PRR").percent("market")) == (720 + 3 * 80, 15)
