"""Shares as other titles have them: other certificates and capital, shares in treasuries, companies that close."""

from typing import Any

import pytest
from pydantic import ValidationError

from engine.core.events import CompanyClosed
from engine.core.ids import BANK
from engine.core.spec import CompanySpec
from engine.core.state import Company
from engine.game import Game
from engine.play.closing_liquidation_bankruptcy import close_company
from engine.play.operating_order import operating_order
from engine.play.shares import holdings
from engine.play.table import Table
from engine.titles import TITLES, Title
from engine.titles.t18chesapeake.rules import ChesapeakeRules
from tests.titles.builders import Position, cash, company, do, refused, sell, values

TITLE = "patched"


def patch(
    monkeypatch: pytest.MonkeyPatch, rules: type[ChesapeakeRules] = ChesapeakeRules, **prr: Any
) -> None:
    """18Chesapeake with another PRR, and without a limit on one company's shares."""
    spec = TITLES["18chesapeake"].spec
    companies = {**spec.companies, "PRR": spec.companies["PRR"].model_copy(update=prr)}
    known = Title(TITLE, "engine.titles.t18chesapeake", rules)
    vars(known)["spec"] = spec.model_copy(update={"companies": companies, "holding_limit": 100})
    monkeypatch.setitem(TITLES, TITLE, known)


def test_company_of_twenty_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch, certificates=(10, *(5 for _ in range(18))))
    position = Position(title=TITLE).start("PRR", 80, a=55).start("LV", 95, b=60).cash(a=800)
    game = position.game()
    prr = company(game, "PRR")
    assert (prr.share, prr.certificates("a"), prr.floated) == (5, 10, False)
    assert holdings.shares_value(game.table, "a") == 11 * 80
    do(game, "buy_share", "a", company="PRR", source="offering")
    assert (cash(game)["a"], prr.percent("a"), prr.floated) == (720, 60, True)
    assert prr.cash == 20 * 80
    do(game, "pass", "b")
    do(game, "pass", "c")
    assert values(game, "sell_shares", "a", "shares", company="PRR") == list(range(1, 11))
    sell(game, "a", "PRR", 3)
    assert (cash(game)["a"], prr.percent("market")) == (720 + 3 * 80, 15)
    assert "would make 60%" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=9)


def test_start_of_twenty_shares(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patch(monkeypatch, certificates=(10, *(5 for _ in range(18))))
    game = Position(title=TITLE).start("LV", 95, b=60).game()
    do(game, "par", "a", company="PRR", price=80)
    assert (cash(game)["a"], company(game, "PRR").percent("a")) == (800 - 160, 10)


def test_company_of_one_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch, certificates=(100,))
    game = Position(title=TITLE).start("LV", 95, b=60).game()
    do(game, "par", "a", company="PRR", price=80)
    prr = company(game, "PRR")
    assert (cash(game)["a"], prr.cash, prr.floated, prr.certificates("a")) == (720, 80, True, 1)
    assert holdings.shares_value(game.table, "a") == 80


def test_sales_may_be_the_capital(monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch, capital="sales")
    position = Position(title=TITLE).start("LV", 95, b=60)
    game = position.game()
    do(game, "par", "a", company="PRR", price=80)
    prr = company(game, "PRR")
    assert prr.cash == 160
    prr.shares.update(offering=40, market=20, c=20)
    bank = game.table.cash(BANK)
    do(position.game(), "buy_share", "b", company="PRR", source="market")
    assert (prr.cash, game.table.cash(BANK)) == (160, bank + 80)
    assert prr.floated
    do(game, "buy_share", "c", company="PRR", source="offering")
    assert (prr.cash, game.table.cash(BANK)) == (240, bank + 80)


def test_treasury_shares_belong_to_nobody() -> None:
    position = Position().start("PRR", 80, a=40, b=20).start("LV", 95, c=60, b=40)
    t, prr = position.t, position.state.companies["PRR"]
    prr.shares[prr.treasury] = prr.shares.pop("offering")
    game = position.game()
    assert prr.percent("PRR") == 40
    assert prr.percent("market") == 0
    assert not t.rules.sold_out(t, prr)
    assert t.rules.sold_out(t, company(game, "LV"))
    assert "No share of PRR is on sale" in refused(
        game, "10.4", "buy_share", "a", company="PRR", source="offering"
    )


def closed_game() -> tuple[Game, Company]:
    position = Position().start("PRR", 80, a=60, b=20, market=10).start("LV", 80, b=60, a=10)
    position.trains("PRR", "2", "3").token("PRR", "H4").owns("PRR", "D&R")
    game = position.game()
    prr = company(game, "PRR")
    close_company(game.table, prr)
    return position.game(), prr


def test_closed_company_leaves_everything() -> None:
    game, prr = closed_game()
    t = game.table
    assert t.map.tokens_of("PRR") == []
    assert "PRR" not in str(t.state.market)
    assert (prr.cash, prr.trains, prr.president, prr.cell) == (0, [], None, None)
    assert t.cash(BANK) + sum(cash(game).values()) + company(game, "LV").cash == t.spec.bank
    assert holdings.certificates(t, "a") == 1
    assert t.state.privates["D&R"].closed
    assert CompanyClosed("PRR") in t.events
    assert [one.id for one in operating_order(t)] == ["LV"]


def test_closed_company_is_on_no_offer() -> None:
    game, _ = closed_game()
    assert "PRR" not in values(game, "par", "a", "company")
    assert values(game, "buy_share", "a", "company") == ["LV"]
    assert "PRR has closed" in refused(game, "10.4", "par", "a", company="PRR", price=80)
    assert "PRR has closed" in refused(game, "10.4", "buy_share", "a", company="PRR", source="market")
    assert "holds no shares of PRR" in refused(game, "10.2", "sell_shares", "a", company="PRR", shares=1)


@pytest.mark.parametrize(
    "certificates",
    [(20, 10, 10), (20, 40, 20, 20), (15, *(10 for _ in range(8)), 5), (25, *(15 for _ in range(5)))],
)
def test_certificates_are_100_percent(
    certificates: tuple[int, ...],
) -> None:
    raw = TITLES["18chesapeake"].spec.companies["PRR"].model_dump()
    with pytest.raises(ValidationError, match="100 %"):
        CompanySpec.model_validate({**raw, "certificates": certificates})


class _Late(ChesapeakeRules):
    """The PRR is formed by an event of the game, not by a player's purchase."""

    def may_start(self, t: Table, company: Company) -> bool:
        return company.id != "PRR"


def test_company_players_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    patch(monkeypatch, _Late)
    game = Position(title=TITLE).start("LV", 95, b=60).game()
    assert "PRR" not in values(game, "par", "a", "company")
    assert "not started by buying" in refused(game, "10.4", "par", "a", company="PRR", price=80)
